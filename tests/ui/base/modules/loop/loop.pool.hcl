module "again" { source = "../loop" }
