#~ PW0009
locals { team = "vision" }

tenant "vision" {
  description = ${local.team}
}
