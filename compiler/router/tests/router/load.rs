//! How long many decisions take. Printed, not judged: a machine that is busy must not fail a test.

use std::time::Instant;

use poolwright_router::{Event, decide};

use crate::setting::{Situation, job_after, ladder, world};

#[test]
fn a_hundred_thousand_pending_jobs() {
    let (ladder, world) =
        (ladder(), world().no_capacity(crate::setting::SPOT).no_quota(crate::setting::ALIYUN));
    let jobs: Vec<_> = (0..100_000).map(|at| job_after(&[Event::Submitted(at)])).collect();
    let begin = Instant::now();
    let open: usize = jobs.iter().map(|job| decide(&ladder, job, 100_000, &world).open.len()).sum();
    println!("100,000 decisions in {:?}", begin.elapsed());
    // Those that were submitted after 99,100 s have waited less than 900 s.
    assert_eq!(open, 200_000 - 899);
}
