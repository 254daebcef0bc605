//! "One pool bought in five lots; a second region whose size someone else owns. -> AWS + Kueue"

use poolwright_model::fleet::{SizeOwner, TierKind};

use crate::compiled::{Found, compiled, refused, remarks};

const EAST: &str = "target.kubernetes.east";
const US_EAST_1: &str = "target.aws.in[\"us-east-1\"]";
const US_WEST_2: &str = "target.aws.in[\"us-west-2\"]";

#[test]
fn one_pool_is_bought_in_five_lots() {
    let compiled = compiled("01-lots");
    let pool = &compiled.fleet.pools["pool.x"];
    let lots = pool.lots.iter().map(|lot| {
        let tier = compiled.fleet.tiers[&lot.tier].kind;
        let reservation = lot.reservation.as_deref().unwrap_or("-");
        (lot.meta.name.as_str(), tier, lot.nodes.to_string(), lot.zones.join(","), reservation)
    });
    let east = |name, tier, nodes: &str, zone: &str, reservation| {
        (name, tier, nodes.to_owned(), format!("use1-{zone}"), reservation)
    };
    assert_eq!(
        lots.collect::<Vec<_>>(),
        [
            east("r0", TierKind::Reserved, "6", "az6", "cr-0aaa0aaa0aaa0aaa0"),
            east("r1", TierKind::OnDemand, "2", "az4", "-"),
            east("r2", TierKind::Reserved, "4", "az4", "cr-0ccc0ccc0ccc0ccc0"),
            east("r3", TierKind::Reserved, "0", "az4", "-"),
            east("r4", TierKind::Reserved, "1", "az4", "cr-0eee0eee0eee0eee0"),
        ]
    );
    assert_eq!(pool.lots[3].until.as_ref().unwrap().to_string(), "2026-09-30", "expired, and kept at none");
    assert_eq!(pool.lots[4].partition.as_deref(), Some("1g.10gb"));
    // A p4de has eight A100 of 80 GB: nobody wrote the accelerator.
    assert_eq!(pool.accelerator.as_ref().unwrap().as_str(), "accelerator.nvidia-a100-80gb-sxm");
}

#[test]
fn mixed_types_never_stand_beside_a_reservation() {
    let fleet = compiled("01-lots").fleet;
    let mut reserved =
        fleet.pools.values().flat_map(|pool| &pool.lots).filter(|lot| lot.reservation.is_some());
    assert!(reserved.all(|lot| lot.instance_types == ["p4de.24xlarge"] && lot.zones.len() == 1));
}

/// LANGUAGE §4.1: "In challenge 1, flavor `x` is r0, r2, r3; `x--r1` is on-demand, `x--r4` the sliced host."
#[test]
fn slices_have_a_quota_of_their_own() {
    let compiled = compiled("01-lots");
    let flavors = compiled.kueue(EAST).flavors.iter().map(|flavor| {
        let lots: Vec<&str> = flavor.lots.iter().map(|lot| lot.label()).collect();
        let device = flavor.device.clone().unwrap();
        let devices = flavor.capacity[&device].to_string();
        (flavor.name.as_str(), lots, device, devices)
    });
    let of = |name, lots: &[&'static str], device: &str, devices: &str| {
        (name, lots.to_vec(), device.to_owned(), devices.to_owned())
    };
    assert_eq!(
        flavors.collect::<Vec<_>>(),
        [
            of("x", &["r0", "r2", "r3"], "nvidia.com/gpu", "80"),
            of("x--r1", &["r1"], "nvidia.com/gpu", "16"),
            // One host of eight cards, seven slices each.
            of("x--r4", &["r4"], "nvidia.com/mig-1g.10gb", "56"),
            of("x-west", &["main"], "nvidia.com/gpu", "16"),
        ]
    );
}

/// Field notes: "removing r3 destroys only r3": it is a group with a name of its own, which nothing else carries.
#[test]
fn each_lot_is_a_group() {
    let compiled = compiled("01-lots");
    let groups = compiled.objects(US_EAST_1, "AutoScalingGroup");
    let sizes = groups.iter().map(|(name, group)| (*name, group.body["MaxSize"].as_u64().unwrap()));
    assert_eq!(
        sizes.collect::<Vec<_>>(),
        [("x--r0", 6), ("x--r1", 2), ("x--r2", 4), ("x--r3", 0), ("x--r4", 1)]
    );
}

#[test]
fn someone_else_owns_the_size_of_the_second_region() {
    let compiled = compiled("01-lots");
    let lot = &compiled.fleet.pools["pool.x-west"].lots[0];
    assert_eq!(lot.size_owner, Some(SizeOwner::External));
    assert_eq!(
        (lot.nodes.to_string(), compiled.fleet.tiers[&lot.tier].kind),
        ("0..2".to_owned(), TierKind::Spot)
    );
    // The number of nodes between the bounds is nobody's here: a change of it is no difference.
    let groups = compiled.objects(US_WEST_2, "AutoScalingGroup");
    let (name, group) = groups[0];
    assert_eq!((name, groups.len()), ("x-west--main", 1));
    assert!(group.body.get("DesiredCapacity").is_none(), "{}", group.body);
    assert!(group.ownership.contains_key("/DesiredCapacity"), "{:?}", group.ownership);
}

#[test]
fn reservations_slices_and_the_owner_come_later_and_nothing_else() {
    assert_eq!(
        refused("01-lots"),
        [
            "pool.x.lot.r0.reservation",
            "pool.x.lot.r2.reservation",
            "pool.x.lot.r4.reservation",
            "pool.x.lot.r4.partition",
            "pool.x-west.size_owner",
        ]
    );
    // No price book has them, and no cost is made up.
    assert_eq!(
        remarks(&compiled("01-lots")),
        [
            "PW4405 the price of pool.x.lot.r1 is not known",
            "PW4405 the price of pool.x-west.lot.main is not known",
        ]
    );
}
