#~ PW2001
#~ PW2002
#~ PW2012
tier "a" {
  kind      = "owned"
  ownership = { price = "1.90" }
}

tier "b" {
  kind      = "owned"
  ownership = { price = 1.90 }
}

tier "c" {
  kind      = "owned"
  ownership = { price = "1.90 USD/gpu/h" }
}

tier "d" {
  kind      = "owned"
  ownership = { price = "$1.90/gpu-hour" }
}

tier "e" {
  kind      = "owned"
  ownership = { price = "$1.90" }
}

tier "f" {
  kind      = "owned"
  ownership = { price = "1.90 CHF / node / hr" }
}

tenant "vision" {
  namespaces = ["vision"]
  budget     = "600000"
}

tenant "speech" {
  namespaces = ["speech"]
  budget     = 600000
}
