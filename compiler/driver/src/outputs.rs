//! Values of `output` blocks, when the whole fleet is known.

use std::collections::BTreeMap;

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::{Scope, Value, convert, evaluate, to_json};
use poolwright_model::plan::PlanOutput;
use poolwright_model::program::Output;

use crate::host::FleetHost;

/// The value of an output, brought to its type.
pub(crate) fn value(output: &Output, host: &FleetHost<'_>) -> Result<Value, Box<Diagnostic>> {
    let (value, mark) = evaluate(&output.value, &Scope::default(), host)?.unmark();
    if value.is_null() {
        return Ok(Value::Null);
    }
    let (ty, defaults) = &output.ty;
    match convert(&value, ty) {
        Ok(value) => Ok(defaults.fill(&value).marked(mark || output.sensitive)),
        Err(faults) => {
            let mut faults = faults.into_iter();
            let fault = faults.next().map(|fault| (fault.code, fault.message));
            let (code, message) =
                fault.unwrap_or((poolwright_language::codes::INTERNAL, "it has no value".to_owned()));
            let named = match output.module.as_str() {
                "" => format!("`output.{}`", output.name),
                module => format!("`{module}.{}`", output.name),
            };
            Err(Box::new(
                Diagnostic::error(code, message)
                    .at(output.value.span, format!("is no value for {named}"))
                    .with_help(format!("its `type` takes {}", ty.describe())),
            ))
        }
    }
}

/// What is wrong with outputs. Those of the fleet's own folder are shown, so that a sensitive value has to be declared
/// as one; those of a module keep the mark for whoever reads them.
pub(crate) fn faults(outputs: &[Output], host: &FleetHost<'_>) -> Vec<Diagnostic> {
    let fault = |output: &Output| {
        let value = match value(output, host) {
            Ok(value) => value,
            Err(fault) => return Some(*fault),
        };
        let sensitive = value.unmark_deep().1;
        (sensitive && output.module.is_empty() && !output.sensitive).then(|| {
            Diagnostic::error(
                poolwright_language::codes::SENSITIVE_PLACE,
                format!("output \"{}\" shows a sensitive value", output.name),
            )
            .at(output.value.span, "a part of it is sensitive")
            .with_help("add `sensitive = true` to the output, or leave that part out")
        })
    };
    outputs.iter().filter_map(fault).collect()
}

/// The outputs of the fleet's own folder, for people and programs to read. They have no faults.
pub(crate) fn shown(outputs: &[Output], host: &FleetHost<'_>) -> BTreeMap<String, PlanOutput> {
    let own = outputs.iter().filter(|output| output.module.is_empty());
    let show = |output: &Output| {
        let value = value(output, host).ok()?;
        let visible = Some(&value).filter(|_| !output.sensitive);
        let shown = PlanOutput {
            description: output.description.clone(),
            sensitive: output.sensitive,
            value: visible.filter(|value| !value.is_null()).map(to_json),
            text: visible.map(ToString::to_string),
        };
        Some((output.name.clone(), shown))
    };
    own.filter_map(show).collect()
}
