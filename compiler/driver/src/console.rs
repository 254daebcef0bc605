//! Questions about a fleet: the value of any expression, with everything that the fleet is made into.

use poolwright_diagnostics::{Diagnostic, SourceMap};
use poolwright_expression::quantity::Version;
use poolwright_expression::{Scope, Value, evaluate};
use poolwright_model::view::View;
use poolwright_model::{Fleet, Layout};
use poolwright_target::files::Files;

use crate::host::FleetHost;
use crate::load::load_asking;
use crate::{Counts, Loaded, VariableSource};

/// Answers, in the order of the questions.
#[derive(Debug)]
pub struct Answers {
    /// The value of each expression, or what is wrong with it.
    pub answers: Vec<Result<Value, Vec<Diagnostic>>>,
    /// What is wrong with the fleet's own files: then the answers are about what is left of it.
    pub diagnostics: Vec<Diagnostic>,
    /// The files, and the questions as files of one line.
    pub sources: SourceMap,
}

/// Evaluates expressions as the fleet's own files would. A folder without files is a fleet of nothing.
#[must_use]
pub fn console(
    files: &dyn Files,
    version: &Version,
    given: &[VariableSource],
    questions: &[String],
) -> Answers {
    let Loaded { sources, fleet, program, asked, texts, mut diagnostics, files: count, .. } =
        load_asking(files, version, given, questions);
    if count == 0 {
        // Nothing was asked of a fleet: that there is none is no fault.
        diagnostics.retain(|found| found.code != poolwright_language::codes::FLEET_COUNT);
    }
    let mut fleet = fleet.unwrap_or_else(|| Fleet::empty(""));
    let (prices, _) = poolwright_pricing::price(&fleet, &texts);
    // What cannot be ordered stays in the order written; `validate` says why.
    let _ = poolwright_pricing::order(&mut fleet, &prices);
    let sound = !diagnostics.iter().any(Diagnostic::is_error);
    // The layout of a fleet with faults is about blocks that are not there.
    let layout = if sound { poolwright_layout::layout(&fleet).0 } else { Layout::default() };
    let costs = poolwright_pricing::cost(&fleet, &prices);
    let view = View::new(&fleet, &layout, &prices, &costs, None, Counts::new());
    let host = FleetHost { fleet: &fleet, prices: &prices, view: &view, outputs: &program.outputs };
    let answer = |question: Result<_, Vec<Diagnostic>>| {
        evaluate(&question?, &Scope::default(), &host).map_err(|fault| vec![*fault])
    };
    let answers = asked.into_iter().map(answer).collect();
    Answers { answers, diagnostics, sources }
}
