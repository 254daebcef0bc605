//! What holds of every ladder, job and world.

use poolwright_model::Address;
use poolwright_model::fleet::{Reason, Return, Until};
use poolwright_router::{
    Cap, Job, JobClock, Ladder, LastRun, Opened, Opening, Place, PlaceState, Rung, World, decide, openings,
};
use proptest::prelude::*;

use crate::setting::{money, open, step};

fn rung(index: usize) -> impl Strategy<Value = Rung> {
    let on = prop::sample::subsequence(
        vec![Reason::NoQuota, Reason::NoCapacity, Reason::PriceAbove, Reason::Lost],
        1..=4,
    );
    let until = prop::sample::select(vec![Until::Quota, Until::Admitted, Until::Ready]);
    let place = (prop::sample::select(vec![8_u64, 64, 128]), prop::option::of(1..5_u8))
        .prop_map(|(gpus, cap)| (gpus, cap));
    (
        prop::option::weighted(0.9, prop::sample::select(vec![0_u64, 60, 900, 1_800])),
        until,
        on,
        prop::collection::vec(place, 1..=2),
    )
        .prop_map(move |(patience, until, on, places)| Rung {
            name: format!("s{index}"),
            patience,
            until,
            on,
            places: places
                .into_iter()
                .enumerate()
                .map(|(place, (gpus, cap))| Place {
                    pool: Address::new(format!("pool.p{index}-{place}")),
                    cluster: Address::new("target.kubernetes.c"),
                    gpus,
                    nodes: gpus / 8,
                    cap: cap.map_or(Cap::None, |cap| Cap::At(money(&format!("${cap}/gpu/h")))),
                })
                .collect(),
        })
}

fn ladder() -> impl Strategy<Value = Ladder> {
    let returns = prop::sample::select(vec![Return::Never, Return::WhenIdle, Return::Prefer]);
    (
        prop::collection::vec(Just(()), 1..=4),
        returns,
        any::<bool>(),
        prop::option::weighted(0.2, 1_000..10_000_u64),
    )
        .prop_flat_map(|(steps, returns, dispatched, wait_limit)| {
            let rungs: Vec<_> = (0..steps.len()).map(rung).collect();
            rungs.prop_map(move |rungs| Ladder { rungs, returns, wait_limit, checkpoint: true, dispatched })
        })
}

fn state() -> impl Strategy<Value = PlaceState> {
    (any::<bool>(), any::<bool>(), prop::option::of(1..5_u8)).prop_map(|(quota, capacity, price)| {
        PlaceState {
            quota,
            capacity,
            price: price.map(|price| money(&format!("${price}/gpu/h"))),
            ..PlaceState::default()
        }
    })
}

fn world() -> impl Strategy<Value = World> {
    (prop::collection::vec(state(), 8), prop::bool::weighted(0.1)).prop_map(|(states, tenant_full)| World {
        places: states
            .into_iter()
            .enumerate()
            .map(|(index, state)| (Address::new(format!("pool.p{}-{}", index / 2, index % 2)), state))
            .collect(),
        tenant_full,
    })
}

fn job() -> impl Strategy<Value = Job> {
    (
        prop::sample::select(vec![1_u64, 8, 64, 100]),
        0..2_000_u64,
        prop::option::weighted(0.3, (0..4_usize, any::<bool>())),
    )
        .prop_map(|(gpus, start, last)| Job {
            gpus,
            clock: JobClock { first_seen: start, start: Some(start), attempt: 1, ran: 0 },
            last: last.map(|(step, lost)| LastRun { step: format!("s{step}"), lost }),
            ..Job::default()
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_same_input_gives_the_same_decision(ladder in ladder(), job in job(), world in world(), now in 0..10_000_u64) {
        prop_assert_eq!(decide(&ladder, &job, now, &world), decide(&ladder, &job, now, &world));
    }

    #[test]
    fn no_step_opens_before_its_deadline_and_none_admits_that_is_not_open(
        ladder in ladder(), mut job in job(), worlds in prop::collection::vec((world(), 0..2_000_u64), 1..6),
    ) {
        let fixed = openings(&ladder, &job);
        let mut now = job.clock.start.unwrap();
        for (world, passed) in worlds {
            now += passed;
            let decision = step(&ladder, &mut job, now, &world);
            prop_assert_eq!(&openings(&ladder, &job), &fixed, "deadlines are fixed when the clock starts");
            for step in &decision.open {
                prop_assert!(matches!(fixed[*step], Opening::At(at) if at <= now), "{step} is open at {now}: {fixed:?}");
            }
            if let Some(admit) = &decision.admit {
                prop_assert!(decision.open.contains(&admit.step));
                prop_assert_eq!(decision.reason, None);
            } else {
                prop_assert!(decision.reason.is_some());
            }
            prop_assert!(decision.next.is_none_or(|next| next > now));
        }
    }

    #[test]
    fn while_nothing_changes_open_steps_only_grow_and_the_furthest_never_falls_back(
        mut ladder in ladder(), mut job in job(), world in world(), times in prop::collection::vec(0..1_000_u64, 1..8),
    ) {
        ladder.wait_limit = None;
        let (mut now, mut before) = (job.clock.start.unwrap(), Vec::new());
        for passed in times {
            now += passed;
            let decision = step(&ladder, &mut job, now, &world);
            prop_assert!(decision.open.last() >= before.last());
            if ladder.rungs.iter().all(|rung| !ladder.moves(rung)) {
                prop_assert!(before.iter().all(|step| decision.open.contains(step)));
            }
            before = decision.open;
        }
    }

    #[test]
    fn a_router_that_slept_opens_what_one_that_was_awake_had_opened(
        mut ladder in ladder(), job in job(), world in world(), times in prop::collection::vec(0..1_000_u64, 1..8),
    ) {
        ladder.wait_limit = None;
        let (mut now, mut awake) = (job.clock.start.unwrap(), job.clone());
        let mut last = step(&ladder, &mut awake, now, &world);
        for passed in times {
            now += passed;
            last = step(&ladder, &mut awake, now, &world);
        }
        prop_assert_eq!(open(&ladder, &decide(&ladder, &job, now, &world)), open(&ladder, &last));
    }

    #[test]
    fn a_clock_that_jumps_back_closes_nothing(ladder in ladder(), mut job in job(), world in world(), now in 2_000..9_000_u64, back in 0..2_000_u64) {
        let ladder = Ladder { wait_limit: None, ..ladder };
        let late = step(&ladder, &mut job, now, &world);
        prop_assert_eq!(decide(&ladder, &job, now - back, &world).open, late.open);
    }

    #[test]
    fn a_record_of_another_clock_counts_for_nothing(ladder in ladder(), job in job(), world in world(), now in 0..9_000_u64) {
        let stale = Opened { start: job.clock.start.unwrap() + 1, steps: vec!["s0".into(), "s1".into(), "s2".into(), "s3".into()] };
        let other = Job { opened: Some(stale), ..job.clone() };
        prop_assert_eq!(decide(&ladder, &other, now, &world), decide(&ladder, &job, now, &world));
    }

    #[test]
    fn what_has_happened_wins_by_its_second(ladder in ladder(), job in job(), seconds in prop::collection::vec(prop::option::of(0..5_000_u64), 8)) {
        let steps: Vec<String> = ladder.rungs.iter().map(|rung| rung.name.clone()).collect();
        let job = Job { opened: Some(Opened { start: job.clock.start.unwrap(), steps }), ..job };
        let mut world = World::default();
        for (index, at) in seconds.iter().enumerate() {
            let state = PlaceState { quota: false, reserved: *at, admitted: *at, ready: *at, ..PlaceState::default() };
            world.places.insert(Address::new(format!("pool.p{}-{}", index / 2, index % 2)), state);
        }
        let fits = |place: &&Place| place.gpus >= job.gpus;
        let places = ladder.rungs.iter().flat_map(|rung| &rung.places).filter(fits);
        let earliest = places.filter_map(|place| world.places[&place.pool].admitted).min();
        let decision = decide(&ladder, &job, 5_000, &world);
        prop_assert_eq!(decision.admit.and_then(|admit| admit.at), earliest);
    }
}
