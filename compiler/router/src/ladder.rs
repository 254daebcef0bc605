//! The ladder of places that the jobs of a queue climb, with what each place can hold.

use poolwright_expression::quantity::{Duration, Money};
use poolwright_model::fleet::{Class, GpuAmount, Lot, Pool, Queue, Reason, Return, Step, Tenant, Until};
use poolwright_model::money::per_unit_hour;
use poolwright_model::{Address, Fleet};

/// The steps of a queue, as its jobs of one tenant and class see them.
#[derive(Clone, Debug, PartialEq)]
pub struct Ladder {
    /// First to last.
    pub rungs: Vec<Rung>,
    /// What becomes of earlier steps.
    pub returns: Return,
    /// `limits.wait` of the class, in seconds.
    pub wait_limit: Option<u64>,
    /// Whether jobs write checkpoints, so that a running one can be brought back.
    pub checkpoint: bool,
    /// Whether an entry cluster hands jobs to others: there nothing can be added once a worker has admitted.
    pub dispatched: bool,
}

/// A step.
#[derive(Clone, Debug, PartialEq)]
pub struct Rung {
    /// The step's label: what is recorded on a job.
    pub name: String,
    /// In the order in which they are tried.
    pub places: Vec<Place>,
    /// `for`, in seconds; none: for ever.
    pub patience: Option<u64>,
    /// The event that ends the waiting.
    pub until: Until,
    /// Reasons that let a job leave.
    pub on: Vec<Reason>,
}

/// A pool or lot of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// As written in the step.
    pub pool: Address,
    /// Who schedules there.
    pub cluster: Address,
    /// GPUs that one job can ever have there: all of its most nodes, or guarantee and borrowing where that is less.
    pub gpus: u64,
    /// Nodes at most.
    pub nodes: u64,
    /// The price above which nothing is admitted.
    pub cap: Cap,
}

/// `max_price` of a step on a place.
#[derive(Clone, Debug, PartialEq)]
pub enum Cap {
    /// None.
    None,
    /// Money/gpu/h; on nodes without GPUs money/node/h.
    At(Money),
    /// It cannot be compared with the place's prices (another currency): nothing is admitted there.
    Never,
}

impl Ladder {
    /// The ladder of a queue. Without a tenant, quotas limit nothing.
    #[must_use]
    pub fn of(fleet: &Fleet, queue: &Queue, tenant: Option<&Tenant>, class: &Class) -> Self {
        let route = queue.route.as_ref().and_then(|route| fleet.routes.get(route));
        Self {
            rungs: fleet.ladder(queue).iter().map(|step| rung(fleet, step, tenant)).collect(),
            returns: route.map_or(Return::WhenIdle, |route| route.returns),
            wait_limit: class.limits.wait.as_ref().map(seconds),
            checkpoint: class.checkpoint.is_some(),
            dispatched: queue.entry.is_some(),
        }
    }

    /// The step of a name.
    #[must_use]
    pub fn position(&self, name: &str) -> Option<usize> {
        self.rungs.iter().position(|rung| rung.name == name)
    }

    /// Whether a step closes when the next one opens: the job moves instead of waiting on both. Steps joined by
    /// `for = "0s"` are one: they never close each other, and close together.
    #[must_use]
    pub fn moves(&self, rung: &Rung) -> bool {
        let ready = rung.until == Until::Ready && self.dispatched;
        rung.patience != Some(0) && (self.returns == Return::Never || ready)
    }
}

fn rung(fleet: &Fleet, step: &Step, tenant: Option<&Tenant>) -> Rung {
    Rung {
        name: step.meta.address.label().to_owned(),
        places: step.pools.iter().filter_map(|pool| place(fleet, step, pool, tenant)).collect(),
        patience: step.patience.as_ref().map(seconds),
        until: step.until,
        on: step.on.clone(),
    }
}

fn place(fleet: &Fleet, step: &Step, address: &Address, tenant: Option<&Tenant>) -> Option<Place> {
    let named = [address.clone()];
    let lots: Vec<(&Pool, &Lot)> = fleet.lots_of(&named).collect();
    let (pool, first) = lots.first()?;
    let sum = |of: fn(&Lot) -> u64| lots.iter().map(|(_, lot)| of(lot)).fold(0, u64::saturating_add);
    let gpus = sum(Lot::most_gpus);
    let allowed = tenant.map_or(u64::MAX, |tenant| {
        let whole = pool.lots.iter().map(Lot::most_gpus).fold(0, u64::saturating_add);
        let of_pool = quota_limit(tenant, &pool.meta.address, whole);
        let of_lot = if *address == pool.meta.address { None } else { quota_limit(tenant, address, gpus) };
        [of_pool, of_lot, tenant.max_gpus].into_iter().flatten().min().unwrap_or(u64::MAX)
    });
    let cap = match &step.max_price {
        None => Cap::None,
        Some(price) => per_unit_hour(price, first.node.gpus, fleet.currency).map_or(Cap::Never, Cap::At),
    };
    Some(Place {
        pool: address.clone(),
        cluster: pool.cluster.clone(),
        gpus: gpus.min(allowed),
        nodes: sum(Lot::most),
        cap,
    })
}

/// Guarantee and borrowing of a tenant; none: no limit.
fn quota_limit(tenant: &Tenant, pool: &Address, whole: u64) -> Option<u64> {
    let quota = tenant.quotas.iter().find(|quota| quota.pool == *pool)?;
    let guarantee = match &quota.gpus {
        None => 0,
        Some(GpuAmount::Gpus(gpus)) => *gpus,
        Some(GpuAmount::Share(share)) => share.0.checked_mul(&whole.into()).ok()?.floor().to_u64()?,
    };
    quota.borrow.limit().map(|borrow| guarantee.saturating_add(borrow))
}

/// Whole seconds, up: a deadline is never early.
pub(crate) fn seconds(duration: &Duration) -> u64 {
    duration.0.ceil().to_u64().unwrap_or(if duration.0.is_negative() { 0 } else { u64::MAX })
}
