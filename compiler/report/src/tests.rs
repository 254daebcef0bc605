//! Test runs as text.

use poolwright_policies::TestRun;

use crate::layout::count;

/// One line a test, then the count.
#[must_use]
pub fn runs(what: &str, runs: &[TestRun]) -> String {
    let mut text = String::new();
    for run in runs {
        let word = if run.failure.is_none() { "ok    " } else { "FAILED" };
        text.push_str(&format!("{word}  {}\n", run.name));
    }
    let failed = runs.iter().filter(|run| run.failure.is_some()).count();
    text.push_str(&format!("{}: {} passed, {failed} failed\n", count(runs.len(), what), runs.len() - failed));
    text
}
