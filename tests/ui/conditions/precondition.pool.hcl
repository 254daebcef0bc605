#~ PW8021
class "short" {
  priority = 10

  precondition {
    condition     = self.priority > 100
    error_message = "above the others, not ${self.priority}"
  }
}
