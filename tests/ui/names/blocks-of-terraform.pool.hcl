#~ PW1001
terraform {
  required_version = ">= 1.5"
}

provider "aws" {
  region = "us-east-1"
}

resource "aws_instance" "gpu" {
  count = 2
}
