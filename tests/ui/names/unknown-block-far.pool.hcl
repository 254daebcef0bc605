#~ PW1001
resource "aws_instance" "main" {
  ami = "ami-1"
}
