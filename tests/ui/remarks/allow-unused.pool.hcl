#~ PW0096
# A code that is not found there, one of a plan, and a string that only looks like a comment.
class "short" {
  # poolwright:allow(PW4033) nothing is named twice
  priority = 1
}

class "long" {
  priority = 2 # poolwright:allow(PW6010) the folder moves
}

tenant "vision" {
  namespaces  = ["vision"]
  description = "# poolwright:allow(PW4033)"
}
