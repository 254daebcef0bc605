# A tenant whose quotas cannot cost more than its budget.
tenant "this" {
  name       = var.name
  namespaces = coalesce(var.namespaces, [var.name])
  accounts   = coalesce(var.accounts, [var.name])
  groups     = var.groups
  weight     = var.weight
  budget     = var.budget
  quotas     = [for quota in var.quotas : { pool = quota.pool, gpus = quota.gpus, borrow = quota.borrow, lend = quota.lend == null ? "all" : quota.lend }]

  postcondition {
    condition     = !var.within_budget || self.cost.monthly.ceiling <= self.budget
    error_message = "${self.name} can spend up to ${self.cost.monthly.ceiling}, its budget is ${self.budget}: lower a quota's `borrow`, or raise the budget"
  }
}
