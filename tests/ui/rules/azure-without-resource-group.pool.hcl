#~ PW4007
target "azure" "west" {
  directory = "live/azure"
  region    = "westeurope"
  zones     = { westeurope-1 = "subnet-a" }
}

target "azure" "north" {
  directory      = "live/north"
  region         = "northeurope"
  resource_group = "acme"
  zones          = { northeurope-1 = "subnet-a" }
}
