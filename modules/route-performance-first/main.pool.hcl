# The pool that does most work per GPU-hour first; whoever waited its patience out may run on the next one too.
route "this" {
  name       = var.name
  candidates = var.pools
  order      = "fastest"
  for        = var.patience
  until      = var.until
  on         = var.on
  max_price  = var.max_price
  return     = var.back
}
