#~ PW1021
variable "every" {
  type    = list(durations)
  default = []
}
