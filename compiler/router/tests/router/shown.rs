//! `route explain QUEUE`: the ladder of the quickstart.

use poolwright_model::fleet::{Reason, Return, TierKind};
use poolwright_router::explain;

use crate::setting::{duration, fleet, fleet_with, prices};

#[test]
fn the_quickstarts_ladder() {
    let fleet = fleet();
    let shown = explain(&fleet, &prices(), &fleet.queues["queue.cost-optimized"]);
    assert_eq!(shown.class.as_str(), "class.interruptible");
    assert_eq!(shown.enter.as_ref().unwrap().as_str(), "target.kubernetes.onprem");
    assert_eq!(shown.returns, Return::WhenIdle);
    let text = |money: &Option<poolwright_expression::quantity::Money>| {
        money.as_ref().map_or("-".into(), ToString::to_string)
    };
    let lines: Vec<_> = shown
        .steps
        .iter()
        .flat_map(|step| step.places.iter().map(move |place| (step, place)))
        .map(|(step, place)| {
            let at = step.opens_at.unwrap();
            format!(
                "{at} {} {} {} {} {} {}",
                step.name,
                place.pool.label(),
                place.gpus,
                text(&place.price),
                text(&place.at_most),
                text(&place.cap)
            )
        })
        .collect();
    assert_eq!(
        lines,
        [
            "0 aws-spot aws-a100-spot 128 $1.0069/gpu/h $2.7447/gpu/h -",
            "900 aliyun aliyun-a100 64 $2.8000/gpu/h - $3.1000/gpu/h",
        ]
    );
    let (first, second) = (&shown.steps[0], &shown.steps[1]);
    assert_eq!(first.places[0].tiers, [TierKind::Spot]);
    assert_eq!(first.places[0].mean_time, duration("10h"));
    assert_eq!(second.places[0].mean_time, None);
    assert_eq!((first.opens_on.len(), &second.opens_on), (0, &vec![Reason::NoQuota, Reason::NoCapacity]));
}

#[test]
fn a_queue_without_a_route_is_one_step() {
    let fleet = fleet();
    let shown = explain(&fleet, &prices(), &fleet.queues["queue.urgent"]);
    assert_eq!(shown.steps.len(), 1);
    assert_eq!((shown.steps[0].opens_at, shown.steps[0].places[0].gpus), (Some(0), 128));
    assert_eq!(shown.enter.unwrap().as_str(), "target.slurm.hpc");
}

#[test]
fn joined_steps_open_together_and_unknown_prices_say_why() {
    let fleet = fleet_with(|route| route.steps[0].patience = duration("0s"));
    let mut prices = prices();
    let spot = prices.lots.get_mut("pool.aws-a100-spot.lot.az4").unwrap();
    (spot.price, spot.unknown) = (None, Some("no row".into()));
    let shown = explain(&fleet, &prices, &fleet.queues["queue.cost-optimized"]);
    assert_eq!(shown.steps.iter().map(|step| step.opens_at).collect::<Vec<_>>(), [Some(0), Some(0)]);
    assert_eq!(shown.steps[1].opens_on, []);
    let place = &shown.steps[0].places[0];
    assert_eq!((&place.price, place.unknown.as_deref()), (&None, Some("no row")));
}
