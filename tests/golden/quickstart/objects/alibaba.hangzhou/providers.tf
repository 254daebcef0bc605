# poolwright: fleet acme, alibaba.hangzhou
terraform {
  required_providers {
    alicloud = {
      source  = "aliyun/alicloud"
      version = "1.295.0"
    }
  }
}

provider "alicloud" {
  region = "cn-hangzhou"
}

data "alicloud_account" "current" {
  lifecycle {
    postcondition {
      condition     = self.id == "1234567890123456"
      error_message = "these credentials are not of account 1234567890123456"
    }
  }
}
