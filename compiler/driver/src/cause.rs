//! Which line of the configuration made a tenant's ceiling what it is: the place where a refused edit is mended.

use poolwright_diagnostics::Span;
use poolwright_model::fleet::Borrow;
use poolwright_model::money::CeilingPart;

use crate::Compiled;

/// Finds causes in a compiled fleet.
pub(crate) struct Causes<'a> {
    pub(crate) compiled: &'a Compiled,
}

impl Causes<'_> {
    /// For a tenant's cost: the quota that adds most to its ceiling, what it allows, and a borrow that would fit.
    pub(crate) fn of(&self, object: &str, reference: &str) -> Option<(Span, String, Option<String>)> {
        if !reference.starts_with("self.cost.") {
            return None;
        }
        let fleet = &self.compiled.fleet;
        let tenant = fleet.tenants.get(object)?;
        let costs = self.compiled.costs.tenants.get(object)?;
        let quota_of =
            |part: &CeilingPart| tenant.quotas.iter().position(|quota| quota.pool.pool() == part.pool);
        // Only what the tenant's own block can change is a cause: parts with a quota, the dearest of them.
        let (part, index) = costs
            .parts
            .iter()
            .filter_map(|part| Some((part, quota_of(part)?)))
            .max_by(|(a, _), (b, _)| amount(a).cmp(&amount(b)))?;
        let quota = tenant.quotas.get(index)?;
        let origin = &tenant.meta.origin;
        let borrow = format!("quotas[{index}].borrow");
        let span = origin.of(if origin.wrote(&borrow) { &borrow } else { "quotas" });
        let words = format!("lets {} use {} GPUs of {}", tenant.meta.name, part.gpus, part.pool.label());
        let budget = tenant.budget.as_ref();
        let prices = &self.compiled.prices;
        let fits = budget
            .and_then(|budget| {
                poolwright_pricing::fitting_borrow(fleet, prices, &tenant.meta.address, &quota.pool, budget)
            })
            .filter(|fits| quota.borrow != Borrow::Gpus(*fits))
            .map(|fits| format!("`borrow = {fits}` would fit"));
        Some((span, words, fits))
    }
}

fn amount(part: &CeilingPart) -> Option<&poolwright_expression::Number> {
    part.monthly.as_ref().map(|money| &money.amount)
}
