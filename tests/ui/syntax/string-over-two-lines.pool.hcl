#~ PW0002
tenant "vision" {
  description = "the team
that sees"
}
