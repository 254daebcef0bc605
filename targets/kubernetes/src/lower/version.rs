//! What the installed Kueue cannot do at all, before any object is made.

use poolwright_diagnostics::Diagnostic;
use poolwright_model::layout::Mechanism;

use super::Lowering;
use crate::codes;
use crate::facts::minor;

/// First and last minor version whose API is known here (`data/kinds.json`).
const KNOWN: ((u64, u64), (u64, u64)) = ((0, 15), (0, 19));

impl Lowering<'_> {
    pub(super) fn version(&mut self) {
        let version = &self.kueue.version;
        if !(KNOWN.0..=KNOWN.1).contains(&minor(version)) {
            let diagnostic = Diagnostic::error(codes::KUEUE_VERSION, format!("Kueue {version} is not known"))
                .at(self.kueue_span(), "0.15 to 0.19 are")
                .with_note("what a version takes and refuses decides what is written for it")
                .with_help("install a version from 0.15 to 0.19 on the cluster, and name it here");
            self.say(diagnostic);
        }
        self.concurrent_admission();
    }

    fn concurrent_admission(&mut self) {
        let own = self.layout.routes.iter().filter(|fidelity| {
            fidelity.target == self.target.meta.address
                && fidelity.mechanism == Mechanism::ConcurrentAdmission
        });
        for fidelity in own {
            let Some(route) = self.block(self.fleet.routes.get(&fidelity.route), &fidelity.route) else {
                continue;
            };
            let (name, short) = (&route.meta.name, &self.short);
            let message = format!("route \"{name}\" would need Kueue's concurrent admission on {short}");
            let diagnostic = Diagnostic::error(codes::CONCURRENT_ADMISSION, message)
                .at(self.kueue_span(), "the gate ConcurrentAdmission is on")
                .also(route.meta.origin.header, "has several stages in this one cluster")
                .with_note(
                    "an alpha of Kueue 0.18; the delay that a later step needs is not lowered to it yet",
                )
                .with_help(
                    "take ConcurrentAdmission out of `gates`: the router then carries the route out exactly",
                );
            self.say(diagnostic);
        }
    }
}
