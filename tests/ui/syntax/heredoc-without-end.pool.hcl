#~ PW0003
tenant "vision" {
  description = <<-TEXT
    the team that sees
}
