//! "Spot in cloud 1 for 12 minutes, then on-demand in cloud 2 under 3.10, in two regions, 64 GPUs a project."

use poolwright_model::fleet::Return;

use crate::compiled::{Found, asked, compiled, quotas, refused, remarks};
use crate::support::{edit, example, poolwright};

const NAME: &str = "09-deadline-two-clouds";
const SPOT: &str = "pool.p[\"spot\"]";
const OD: &str = "pool.p[\"od\"]";
/// The name of the pool on demand.
const KEY: &str = "p--od";

/// A decision about a job of eight GPUs that no spot node came for.
fn decide(what: &str, rest: &str) -> String {
    let [said] = asked(
        NAME,
        [&format!("decide({{ queue = queue.train, gpus = 8, no_capacity = [{SPOT}], {rest} }}).{what}")],
    );
    said
}

/// A5 with 720 s: not a second earlier, not a second later.
#[test]
fn twelve_minutes_are_720_seconds() {
    let cheap = format!("price = {{ {KEY} = \"$3.00/gpu/h\" }}");
    for (waited, open, admit) in [
        ("0s", format!("[{SPOT}]"), "null"),
        ("719s", format!("[{SPOT}]"), "null"),
        ("720s", format!("[{SPOT}, {OD}]"), OD),
        ("1h", format!("[{SPOT}, {OD}]"), OD),
    ] {
        let rest = format!("waited = \"{waited}\", {cheap}");
        assert_eq!(
            (decide("open", &rest).as_str(), decide("admit", &rest).as_str()),
            (open.as_str(), admit),
            "{waited}"
        );
    }
    let rest = format!("waited = \"1s\", {cheap}");
    assert_eq!(decide("next", &rest), "12m", "the next decision");
    // Spot that comes at 719 s is taken.
    let [there] = asked(NAME, ["decide({ queue = queue.train, gpus = 8, waited = \"719s\" }).admit"]);
    assert_eq!(there, SPOT);
}

/// Field notes: "price above cap -> waits and says so"; a price that is not known is not under the cap either.
#[test]
fn on_demand_under_3_10_only() {
    for (price, admit) in [("$3.09/gpu/h", OD), ("$3.10/gpu/h", OD), ("$3.11/gpu/h", "null")] {
        let rest = format!("waited = \"720s\", price = {{ {KEY} = \"{price}\" }}");
        assert_eq!(decide("admit", &rest), admit, "{price}");
        assert_eq!(decide("reason", &rest).contains("price"), admit == "null", "{price}");
    }
    assert_eq!(decide("admit", "waited = \"720s\""), "null");
}

/// Field notes: "only in two regions": "region breach is a compile error".
#[test]
fn in_two_regions() {
    let fleet = compiled(NAME).fleet;
    let regions: Vec<String> =
        fleet.classes["class.interruptible"].regions.iter().map(ToString::to_string).collect();
    assert_eq!(regions, ["eu-north-1", "europe-west4"]);
    let provisioned = fleet
        .pools
        .values()
        .map(|pool| fleet.targets[pool.provision.as_ref().unwrap()].region.as_deref().unwrap());
    assert_eq!(provisioned.collect::<Vec<_>>(), ["europe-west4", "eu-north-1"]);
    let folder = example(&format!("challenges/{NAME}"));
    let file = folder.path().join("deadline-two-clouds.pool.hcl");
    edit(&file, "region    = \"europe-west4\"", "region    = \"us-central1\"");
    edit(&file, "europe-west4-b", "us-central1-a");
    let run = poolwright(folder.path(), &["validate", "--format", "short"]).expect(3);
    assert!(run.stdout.contains("error[PW4122]"), "{}", run.all());
}

/// Field notes: "never more than 64 GPUs a project": exactly so at the entry, over both clouds together.
#[test]
fn sixty_four_gpus_a_project() {
    let compiled = compiled(NAME);
    let hub = compiled.kueue("target.kubernetes.k[\"hub\"]");
    for cohort in &hub.cohorts[1..] {
        assert_eq!(
            quotas(cohort),
            [
                "dispatch--two-clouds cpu 0",
                "dispatch--two-clouds memory 0Mi",
                "dispatch--two-clouds nvidia.com/gpu 0 (+64)"
            ],
            "{}",
            cohort.name
        );
    }
    assert_eq!(hub.cohorts.len(), 1 + 3);
}

/// Field notes: "return when idle".
#[test]
fn the_ladder_is_exact_and_returns_when_idle() {
    let compiled = compiled(NAME);
    let route = &compiled.fleet.routes["route.two-clouds"];
    assert_eq!((route.returns, route.strict), (Return::WhenIdle, true));
    let lines: Vec<_> =
        compiled.layout.routes.iter().map(|it| (it.target.as_str(), it.line.as_str())).collect();
    assert_eq!(
        lines,
        [("target.kubernetes.k[\"hub\"]", "exact, by the router (MultiKueue dispatcher; not shipped yet)")]
    );
}

#[test]
fn the_second_cloud_comes_later_and_nothing_else() {
    assert_eq!(refused(NAME), ["target.gcp.eemshaven"]);
    assert_eq!(
        remarks(&compiled(NAME)),
        [
            "PW4405 the price of pool.p[\"od\"].lot.main is not known",
            "PW4405 the price of pool.p[\"spot\"].lot.main is not known",
            "PW4125 `class.interruptible` never saves its work, and `pool.p[\"spot\"]` can be taken away",
        ]
    );
}
