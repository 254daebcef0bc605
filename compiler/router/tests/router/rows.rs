//! The 23 rows of the decision table, LANGUAGE §5.4. Route of the quickstart: `aws-spot` for 15m, then `aliyun` capped
//! at $3.10; one 8-GPU job whose clock started at 0, unless the row says otherwise.

use poolwright_model::fleet::{Reason, Return, Step};
use poolwright_model::{Address, Fleet};
use poolwright_router::{Event, Job, JobClock, Ladder, Opening, Why, decide, openings};

use crate::setting::*;

/// 0 s, spot has quota and nodes: admit on aws-spot.
#[test]
fn row_01() {
    let (ladder, decision) = (ladder(), decide(&ladder(), &job(), 0, &world()));
    assert_eq!(open(&ladder, &decision), ["aws-spot"]);
    assert_eq!(admits(&decision), Some((SPOT, None)));
    assert_eq!(decision.reason, None);
}

/// 890 s, admitted on spot: runs there; aliyun never opens.
#[test]
fn row_02() {
    let (ladder, mut job) = (ladder(), job());
    for now in [0, 300, 889] {
        assert_eq!(admits(&step(&ladder, &mut job, now, &world().no_capacity(SPOT))), None);
    }
    let decision = step(&ladder, &mut job, 890, &world().admitted(SPOT, 890));
    assert_eq!(admits(&decision), Some((SPOT, Some(890))));
    let running = job.running("aws-spot", SPOT);
    for now in [900, 5_000, 100_000] {
        let decision = decide(&ladder, &running, now, &world().admitted(SPOT, 890));
        assert_eq!(open(&ladder, &decision), ["aws-spot"], "at {now} s");
        assert_eq!((decision.restart, decision.next), (None, None));
    }
}

/// 899 s, still blocked: open {aws-spot}.
#[test]
fn row_03() {
    let (ladder, job) = (ladder(), job().opened(&["aws-spot"]));
    let decision = decide(&ladder, &job, 899, &world().no_capacity(SPOT));
    assert_eq!(open(&ladder, &decision), ["aws-spot"]);
    assert_eq!((admits(&decision), why(&decision).as_str()), (None, "no-capacity"));
    assert_eq!(decision.next, Some(900));
}

/// 900 s, still blocked, Alibaba has room: open {aws-spot, aliyun}; admit on aliyun.
#[test]
fn row_04() {
    let (ladder, job) = (ladder(), job().opened(&["aws-spot"]));
    for blocked in [world().no_capacity(SPOT), world().no_quota(SPOT)] {
        let decision = decide(&ladder, &job, 900, &blocked);
        assert_eq!(open(&ladder, &decision), ["aws-spot", "aliyun"]);
        assert_eq!(admits(&decision), Some((ALIYUN, None)));
    }
}

/// 900 s, `Admitted` on spot carries the same second: spot; the earlier step is read before the next opens.
#[test]
fn row_05() {
    let (ladder, job) = (ladder(), job().opened(&["aws-spot"]));
    // Even if the rest of what was read of spot is older and still says that it blocks.
    let decision = decide(&ladder, &job, 900, &world().no_capacity(SPOT).admitted(SPOT, 900));
    assert_eq!(open(&ladder, &decision), ["aws-spot"]);
    assert_eq!(admits(&decision), Some((SPOT, Some(900))));
}

/// 905 s, both admit: the earlier second wins; within one second either, here the earlier step; the other reservation
/// is released.
#[test]
fn row_06() {
    let (ladder, job) = (ladder(), job().opened(&["aws-spot", "aliyun"]));
    let decided =
        |spot, aliyun| decide(&ladder, &job, 905, &world().admitted(SPOT, spot).admitted(ALIYUN, aliyun));
    let decision = decided(904, 902);
    assert_eq!(admits(&decision), Some((ALIYUN, Some(902))));
    assert_eq!(decision.release, [Address::new(SPOT)]);
    let decision = decided(902, 904);
    assert_eq!(admits(&decision), Some((SPOT, Some(902))));
    assert_eq!(decision.release, [Address::new(ALIYUN)]);
    let decision = decided(903, 903);
    assert_eq!(admits(&decision), Some((SPOT, Some(903))));
    assert_eq!(decision.release, [Address::new(ALIYUN)]);
}

/// 900 s, reason is no-quota, `on = ["no-capacity"]`: stays; aliyun opens at the first instant the reason is no-capacity.
#[test]
fn row_07() {
    let ladder = ladder_of(&fleet_with(|route| route.steps[0].on = vec![Reason::NoCapacity]));
    let mut job = job();
    for now in [0, 900, 1_500, 7_199] {
        let decision = step(&ladder, &mut job, now, &world().no_quota(SPOT));
        assert_eq!(open(&ladder, &decision), ["aws-spot"], "at {now} s");
        assert_eq!(why(&decision), "no-quota");
    }
    let decision = step(&ladder, &mut job, 7_200, &world().no_capacity(SPOT));
    assert_eq!(open(&ladder, &decision), ["aws-spot", "aliyun"]);
}

/// 900 s, quota reserved on spot, nodes not there: aliyun opens; the first to admit wins, the other reservation is
/// released.
#[test]
fn row_08() {
    let (ladder, mut job) = (ladder(), job().opened(&["aws-spot"]));
    let reserved =
        || world().no_capacity(SPOT).with(SPOT, |place| place.reserved = Some(12)).no_capacity(ALIYUN);
    let decision = step(&ladder, &mut job, 900, &reserved());
    assert_eq!(open(&ladder, &decision), ["aws-spot", "aliyun"]);
    assert_eq!(admits(&decision), None, "a reservation is not the end of `until = \"admitted\"`");
    let decision = decide(&ladder, &job, 960, &reserved().admitted(ALIYUN, 958));
    assert_eq!(admits(&decision), Some((ALIYUN, Some(958))));
    assert_eq!(decision.release, [Address::new(SPOT)]);
    let decision = decide(
        &ladder,
        &job,
        960,
        &reserved().admitted(SPOT, 957).with(ALIYUN, |place| place.reserved = Some(905)),
    );
    assert_eq!(admits(&decision), Some((SPOT, Some(957))));
    assert_eq!(decision.release, [Address::new(ALIYUN)]);
}

/// 900 s, Alibaba at $3.30: both open, aliyun blocked by price-above; waits, and says so.
#[test]
fn row_09() {
    let (ladder, job) = (ladder(), job().opened(&["aws-spot"]));
    let at = |price: &str| world().no_capacity(SPOT).with(ALIYUN, |place| place.price = Some(money(price)));
    let decision = decide(&ladder, &job, 900, &at("$3.30/gpu/h"));
    assert_eq!(open(&ladder, &decision), ["aws-spot", "aliyun"]);
    assert_eq!((admits(&decision), why(&decision).as_str()), (None, "price-above"));
    let blocked: Vec<_> = decision
        .blocked
        .iter()
        .map(|place| (place.pool.as_str(), place.reasons.first().unwrap().as_str()))
        .collect();
    assert_eq!(blocked, [(SPOT, "no-capacity"), (ALIYUN, "price-above")]);
    assert_eq!(
        admits(&decide(&ladder, &job, 900, &at("$3.10/gpu/h"))),
        Some((ALIYUN, None)),
        "the cap itself is allowed"
    );
}

/// Held at 0 s, released at 400 s: deadline at 1300 s.
#[test]
fn row_10() {
    let ladder = ladder();
    let held = job_after(&[Event::Submitted(0), Event::Held(0)]);
    let decision = decide(&ladder, &held, 399, &world());
    assert_eq!((decision.open.len(), admits(&decision), &decision.reason), (0, None, &Some(Why::Held)));
    let mut job = job_after(&[Event::Submitted(0), Event::Held(0), Event::Released(400)]);
    assert_eq!(openings(&ladder, &job), [Opening::At(400), Opening::At(1_300)]);
    let blocked = world().no_capacity(SPOT);
    assert_eq!(open(&ladder, &step(&ladder, &mut job, 1_299, &blocked)), ["aws-spot"]);
    assert_eq!(open(&ladder, &step(&ladder, &mut job, 1_300, &blocked)), ["aws-spot", "aliyun"]);
    // What was opened before the hold belongs to another clock.
    let again = Job {
        clock: JobClock::read(&[Event::Submitted(0), Event::Held(1_400), Event::Released(2_000)]),
        ..job
    };
    assert_eq!(open(&ladder, &decide(&ladder, &again, 2_001, &blocked)), ["aws-spot"]);
}

/// Router down from 400 s to 950 s: at 950 s aliyun opens at once.
#[test]
fn row_11() {
    let (ladder, mut job) = (ladder(), job());
    let blocked = world().no_capacity(SPOT);
    assert_eq!(open(&ladder, &step(&ladder, &mut job, 400, &blocked)), ["aws-spot"]);
    // A new process: all that it has is the job and the clock.
    let decision = step(&ladder, &mut job.clone(), 950, &blocked);
    assert_eq!(open(&ladder, &decision), ["aws-spot", "aliyun"]);
    assert_eq!(admits(&decision), Some((ALIYUN, None)));
}

/// Router's clock jumps back from 905 s to 700 s: nothing closes: what is open is on the job.
#[test]
fn row_12() {
    let (ladder, mut job) = (ladder(), job());
    let blocked = world().no_capacity(SPOT).no_capacity(ALIYUN);
    assert_eq!(open(&ladder, &step(&ladder, &mut job, 905, &blocked)), ["aws-spot", "aliyun"]);
    assert_eq!(open(&ladder, &step(&ladder, &mut job, 700, &blocked)), ["aws-spot", "aliyun"]);
    // What a scheduler did at 904 s has happened, whatever the clock says now.
    assert_eq!(
        admits(&decide(&ladder, &job, 700, &blocked.admitted(ALIYUN, 904))),
        Some((ALIYUN, Some(904)))
    );
}

/// Provisioning on spot failed at 300 s and 600 s, job never ready: same attempt, tried again on spot; deadline stays
/// 900 s.
#[test]
fn row_13() {
    let ladder = ladder();
    // Each failure puts the job back before it was ready.
    let events = [Event::Submitted(0), Event::Requeued(300), Event::Requeued(600)];
    let mut job = job_after(&events);
    assert_eq!((job.clock.attempt, job.clock.start), (1, Some(0)));
    assert_eq!(openings(&ladder, &job), [Opening::At(0), Opening::At(900)]);
    let failed = |at| world().no_capacity(SPOT).with(SPOT, move |place| place.failed = Some(at));
    for at in [300, 600] {
        let decision = step(&ladder, &mut job, at, &failed(at));
        assert_eq!(open(&ladder, &decision), ["aws-spot"], "at {at} s");
        assert_eq!(decision.renew, [Address::new(SPOT)], "the failed copy is renewed");
        assert_eq!(decision.next, Some(900));
    }
    assert_eq!(
        decide(&ladder, &job, 700, &world().no_capacity(SPOT)).renew,
        [],
        "once it was tried again, nothing is to renew"
    );
    assert_eq!(open(&ladder, &step(&ladder, &mut job, 900, &failed(600))), ["aws-spot", "aliyun"]);
}

/// Ready on spot, nodes reclaimed after 3 h: new attempt, clock 0, open {aws-spot}; `lost` without `ready_timeout` is
/// an error.
#[test]
fn row_14() {
    let ladder = ladder();
    let back = 120 + 3 * 3_600;
    let mut job =
        job_after(&[Event::Submitted(0), Event::Ready(120), Event::Requeued(back)]).ran("aws-spot", true);
    // It was opened on both steps once; that was the attempt before.
    job.opened =
        Some(poolwright_router::Opened { start: 0, steps: vec!["aws-spot".into(), "aliyun".into()] });
    assert_eq!((job.clock.attempt, job.clock.start, job.clock.ran), (2, Some(back), 3 * 3_600));
    let blocked = world().no_capacity(SPOT);
    assert_eq!(open(&ladder, &step(&ladder, &mut job, back, &blocked)), ["aws-spot"]);
    assert_eq!(open(&ladder, &step(&ladder, &mut job, back + 899, &blocked)), ["aws-spot"]);
    assert_eq!(open(&ladder, &step(&ladder, &mut job, back + 900, &blocked)), ["aws-spot", "aliyun"]);

    // `lost` on a cluster without `kueue.ready_timeout` is refused before, by the layout.
}

/// The same with `lost` in `on`: new attempt, open {aliyun}.
#[test]
fn row_15() {
    let ladder = ladder_of(&fleet_with(|route| route.steps[0].on.push(Reason::Lost)));
    let back = 120 + 3 * 3_600;
    let events = [Event::Submitted(0), Event::Ready(120), Event::Requeued(back)];
    let lost = job_after(&events).ran("aws-spot", true);
    // Spot would admit again at once, with no node behind it: it stays closed.
    let decision = decide(&ladder, &lost, back, &world());
    assert_eq!(open(&ladder, &decision), ["aliyun"]);
    assert_eq!(admits(&decision), Some((ALIYUN, None)));
    let decision = step(&ladder, &mut lost.clone(), back + 5_000, &world().no_capacity(ALIYUN));
    assert_eq!((open(&ladder, &decision), admits(&decision)), (vec!["aliyun".to_owned()], None));
    // Preemption is not a loss.
    let preempted = job_after(&events).ran("aws-spot", false);
    assert_eq!(open(&ladder, &decide(&ladder, &preempted, back, &world())), ["aws-spot"]);
}

/// 905 s, `return = "never"`, spot becomes free: only aliyun is open; waits there.
#[test]
fn row_16() {
    let (ladder, mut job) = (returning(Return::Never), job());
    assert_eq!(open(&ladder, &step(&ladder, &mut job, 0, &world().no_capacity(SPOT))), ["aws-spot"]);
    let decision = step(&ladder, &mut job, 900, &world().no_capacity(SPOT).no_capacity(ALIYUN));
    assert_eq!(open(&ladder, &decision), ["aliyun"], "it moves");
    let decision = step(&ladder, &mut job, 905, &world().no_capacity(ALIYUN));
    assert_eq!(open(&ladder, &decision), ["aliyun"]);
    assert_eq!((admits(&decision), why(&decision).as_str()), (None, "no-capacity"));
    // And when it comes back after a run there, it begins there.
    let again =
        job_after(&[Event::Submitted(0), Event::Ready(1_000), Event::Requeued(5_000)]).ran("aliyun", false);
    assert_eq!(open(&ladder, &decide(&ladder, &again, 5_000, &world())), ["aliyun"]);
}

/// Runs on aliyun, `return = "prefer"`, spot has had room for 10 min: stop after the next checkpoint, restart on
/// aws-spot.
#[test]
fn row_17() {
    let ladder = returning(Return::Prefer);
    let job = job_after(&[Event::Submitted(0), Event::Ready(1_000)]).running("aliyun", ALIYUN);
    let room = |since| world().with(SPOT, move |place| place.room_since = Some(since));
    let decision = decide(&ladder, &job, 10_599, &room(10_000));
    assert_eq!((decision.restart, decision.next), (None, Some(10_600)));
    let decision = decide(&ladder, &job, 10_600, &room(10_000));
    assert_eq!(decision.restart.map(|restart| restart.pool), Some(Address::new(SPOT)));
    // Not when the room has gone again, not under another `return`, not without checkpoints.
    assert_eq!(decide(&ladder, &job, 10_600, &room(10_000).no_capacity(SPOT)).restart, None);
    assert_eq!(decide(&returning(Return::WhenIdle), &job, 10_600, &room(10_000)).restart, None);
    assert_eq!(decide(&Ladder { checkpoint: false, ..ladder }, &job, 10_600, &room(10_000)).restart, None);
}

/// A fleet whose route has a third step, on the Slurm pool: routes across kinds are refused elsewhere, a ladder is a
/// ladder.
fn three_steps() -> Fleet {
    fleet_with(|route| {
        let third =
            Step { pools: vec![Address::new("pool.hpc-h100")], max_price: None, ..route.steps[1].clone() };
        route.steps[1].patience = duration("30m");
        route.steps.push(third);
        route.steps[2].meta.address = Address::new("route.cost-optimized.step.own");
    })
}

/// Three steps, `for` 15m, 30m, —: second opens at 15 min, third at 45 min after the start, not after the second opened.
#[test]
fn row_18() {
    let ladder = ladder_of(&three_steps());
    let mut job = job();
    assert_eq!(openings(&ladder, &job), [Opening::At(0), Opening::At(900), Opening::At(2_700)]);
    let blocked = world().no_capacity(SPOT).no_capacity(ALIYUN).no_capacity("pool.hpc-h100");
    // The second opens late, because spot had room until then.
    assert_eq!(open(&ladder, &step(&ladder, &mut job, 899, &blocked)), ["aws-spot"]);
    assert_eq!(open(&ladder, &step(&ladder, &mut job, 2_000, &blocked)), ["aws-spot", "aliyun"]);
    assert_eq!(open(&ladder, &step(&ladder, &mut job, 2_699, &blocked)), ["aws-spot", "aliyun"]);
    assert_eq!(open(&ladder, &step(&ladder, &mut job, 2_700, &blocked)), ["aws-spot", "aliyun", "own"]);
}

/// `for = "0s"` on the first step: both open at 0 s; spot preferred if both are in one cluster; row 6 otherwise.
#[test]
fn row_19() {
    let ladder = ladder_of(&fleet_with(|route| route.steps[0].patience = duration("0s")));
    let decision = decide(&ladder, &job(), 0, &world());
    assert_eq!(open(&ladder, &decision), ["aws-spot", "aliyun"], "even though spot has room");
    assert_eq!(admits(&decision), Some((SPOT, None)), "one scheduler prefers the earlier");
    assert_eq!(admits(&decide(&ladder, &job(), 0, &world().no_quota(SPOT))), Some((ALIYUN, None)));
    // Two clusters: each admits for itself, and the earlier second wins.
    let both = world().admitted(SPOT, 4).admitted(ALIYUN, 3);
    let decision = decide(&ladder, &job(), 5, &both);
    assert_eq!(admits(&decision), Some((ALIYUN, Some(3))));
    assert_eq!(decision.release, [Address::new(SPOT)]);
}

/// Joined steps are one: what leaves the last of them leaves all, and a job that moves leaves none of them open.
#[test]
fn row_19_joined_steps_are_left_together() {
    let mut fleet = three_steps();
    fleet.routes.get_mut("route.cost-optimized").unwrap().steps[0].patience = duration("0s");
    let blocked = world().no_capacity(SPOT).no_capacity(ALIYUN);
    for (returns, wanted) in
        [(Return::WhenIdle, vec!["aws-spot", "aliyun", "own"]), (Return::Never, vec!["own"])]
    {
        let ladder = Ladder { returns, ..ladder_of(&fleet) };
        let mut job = job();
        assert_eq!(openings(&ladder, &job), [Opening::At(0), Opening::At(0), Opening::At(1_800)]);
        assert_eq!(open(&ladder, &step(&ladder, &mut job, 1_799, &blocked)), ["aws-spot", "aliyun"]);
        assert_eq!(open(&ladder, &step(&ladder, &mut job, 1_800, &blocked)), wanted);
    }
}

/// The job asks 160 GPUs, spot pool has 128: aws-spot is skipped; aliyun (64) too: refused at submission.
#[test]
fn row_20() {
    let ladder = ladder();
    let sized = |gpus| Job { gpus, ..job() };
    assert_eq!(ladder.rungs.iter().map(|rung| rung.places[0].gpus).collect::<Vec<_>>(), [128, 64]);
    let decision = decide(&ladder, &sized(160), 0, &world());
    assert_eq!(
        (decision.open.len(), admits(&decision), why(&decision).as_str()),
        (0, None, "no step can hold it")
    );
    // What only spot can hold never opens aliyun; what only a later step can hold does not wait for the first.
    let decision = decide(&ladder, &sized(96), 5_000, &world().no_capacity(SPOT));
    assert_eq!((open(&ladder, &decision), decision.next), (vec!["aws-spot".to_owned()], None));
    let turned = ladder_of(&fleet_with(|route| {
        let [first, second] = &mut route.steps[..] else { panic!("it has two steps") };
        std::mem::swap(&mut first.pools, &mut second.pools);
    }));
    assert_eq!(openings(&turned, &sized(96)), [Opening::Skipped, Opening::At(0)]);
    assert_eq!(open(&turned, &decide(&turned, &sized(96), 0, &world())), ["aliyun"]);
    // A tenant's guarantee and borrowing count: nlp can hold 96 GPUs of spot, and 48 of aliyun.
    let fleet = fleet();
    let queue = &fleet.queues["queue.cost-optimized"];
    let of_nlp = Ladder::of(&fleet, queue, Some(&fleet.tenants["tenant.nlp"]), &fleet.classes[&queue.class]);
    assert_eq!(of_nlp.rungs.iter().map(|rung| rung.places[0].gpus).collect::<Vec<_>>(), [96, 48]);
    assert_eq!(why(&decide(&of_nlp, &sized(97), 0, &world())), "no step can hold it");
}

/// Tenant at `max_gpus`: no-quota on every step; the ladder opens on time, nothing admits.
#[test]
fn row_21() {
    let (ladder, mut job) = (ladder(), job());
    let full = poolwright_router::World { tenant_full: true, ..world() };
    let decision = step(&ladder, &mut job, 899, &full);
    assert_eq!(
        (open(&ladder, &decision), why(&decision).as_str()),
        (vec!["aws-spot".to_owned()], "no-quota")
    );
    let decision = step(&ladder, &mut job, 900, &full);
    assert_eq!(open(&ladder, &decision), ["aws-spot", "aliyun"]);
    assert_eq!((admits(&decision), why(&decision).as_str()), (None, "no-quota"));
    assert!(decision.blocked.iter().all(|place| place.reasons.contains(&Reason::NoQuota)));
}

/// `limits.wait = "24h"` reached: the job fails with `WaitLimit`; nothing is retried.
#[test]
fn row_22() {
    let mut fleet = fleet();
    fleet.classes.get_mut("class.interruptible").unwrap().limits.wait = duration("24h");
    let (ladder, day) = (ladder_of(&fleet), 86_400);
    let blocked =
        world().no_capacity(SPOT).no_capacity(ALIYUN).with(SPOT, |place| place.failed = Some(day - 60));
    let job = job().opened(&["aws-spot", "aliyun"]);
    let decision = decide(&ladder, &job, day - 1, &blocked);
    assert_eq!((decision.open.len(), decision.next), (2, Some(day)));
    let decision = decide(&ladder, &job, day, &blocked);
    assert_eq!(
        (decision.reason, decision.open.len(), decision.renew, admits(&decide(&ladder, &job, day, &world()))),
        (Some(Why::WaitLimit), 0, vec![], None)
    );
    // Nothing resets it: not a hold. What was admitted in time has not failed. Running is not waiting.
    let held = Job {
        clock: JobClock::read(&[Event::Submitted(0), Event::Held(5), Event::Released(80_000)]),
        ..job.clone()
    };
    assert_eq!(decide(&ladder, &held, day, &blocked).reason, Some(Why::WaitLimit));
    assert_eq!(
        admits(&decide(&ladder, &job, day, &blocked.clone().admitted(ALIYUN, day))),
        Some((ALIYUN, Some(day)))
    );
    let ran = job_after(&[Event::Submitted(0), Event::Ready(100), Event::Requeued(day)]);
    assert_ne!(decide(&ladder, &ran, day, &blocked).reason, Some(Why::WaitLimit));
}

/// Two jobs, submitted at 0 s and 60 s: two clocks: 900 s and 960 s.
#[test]
fn row_23() {
    let ladder = ladder();
    let (mut first, mut second) = (job(), job_after(&[Event::Submitted(60)]));
    let blocked = world().no_capacity(SPOT);
    let mut opened =
        |now| [&mut first, &mut second].map(|job| open(&ladder, &step(&ladder, job, now, &blocked)).len());
    assert_eq!([opened(899), opened(900), opened(959), opened(960)], [[1, 1], [2, 1], [2, 1], [2, 2]]);
}
