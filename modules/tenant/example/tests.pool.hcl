test "guarantees" {
  assert {
    condition     = module.nlp.gpus == 32 && module.vision.gpus == 16
    error_message = "nlp has ${module.nlp.gpus}, vision ${module.vision.gpus}"
  }
  assert {
    condition     = module.nlp.tenant.gpus == { guaranteed = 32, max = 48 }
    error_message = "nlp has ${jsonencode(module.nlp.tenant.gpus)}"
  }
  assert {
    condition     = module.vision.tenant.gpus.max == 16
    error_message = "vision borrows, and was not to"
  }
}

test "money to the cent: 730 hours a month at $2.00 a GPU" {
  assert {
    condition     = module.nlp.tenant.cost.monthly.ceiling == "$70080.00/month"
    error_message = "48 GPUs cost ${module.nlp.tenant.cost.monthly.ceiling}"
  }
  assert {
    condition     = module.vision.tenant.cost.monthly.ceiling == "$23360.00/month"
    error_message = "16 GPUs cost ${module.vision.tenant.cost.monthly.ceiling}"
  }
}

test "names" {
  assert {
    condition     = module.nlp.tenant.accounts == ["nlp"] && module.vision.tenant.accounts == ["vision-lab"]
    error_message = "accounts are ${jsonencode(module.vision.tenant.accounts)}"
  }
  assert {
    condition     = module.vision.tenant.namespaces == ["vision"] && module.vision.tenant.weight == 2
    error_message = "the namespace of a tenant is called as it is"
  }
}
