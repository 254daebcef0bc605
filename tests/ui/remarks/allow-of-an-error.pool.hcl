#~ PW1003
class "short" {
  priority = 1
  run_time = "8h" # poolwright:allow(PW1003) it was right in the last version
}
