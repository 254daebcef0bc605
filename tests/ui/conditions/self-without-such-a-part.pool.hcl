#~ PW8022
class "short" {
  priority = 10

  precondition {
    condition     = self.prioritty > 100
    error_message = "no"
  }
}
