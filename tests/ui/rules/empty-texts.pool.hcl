#~ PW1006
#~ PW4030
# A text that names something outside cannot be nothing; labels and texts for people can.
tenant "empty" {
  description = ""
  accounts    = ["empty"]
  pull_secret = ""
  labels      = { team = "" }
}

check "" {
  assert {
    condition     = true
    error_message = "never"
  }
}
