//! Values of variables that are given from outside of the fleet's files: on the command line, or in a file.

use std::collections::BTreeMap;

use poolwright_diagnostics::{Diagnostic, SourceMap, Span};
use poolwright_expression::Value;
use poolwright_language::{Given, GivenValue};

use crate::codes;

/// Where values come from. Later ones count.
#[derive(Clone, Debug)]
pub enum VariableSource {
    /// `name=value`, as a command line has it.
    Argument(String),
    /// A file of attributes: its name, and its text or why there is none.
    File(String, Result<String, String>),
    /// A value that a test gives, and where.
    Value(String, Value, Span),
}

/// Reads the values, the last of each name.
pub(crate) fn variables(
    given: &[VariableSource],
    sources: &mut SourceMap,
    diagnostics: &mut Vec<Diagnostic>,
) -> BTreeMap<String, Given> {
    let mut values = BTreeMap::new();
    for source in given {
        match source {
            VariableSource::Argument(text) => argument(text, sources, diagnostics, &mut values),
            VariableSource::File(name, Ok(text)) => file(name, text, sources, diagnostics, &mut values),
            VariableSource::Value(name, value, span) => {
                let given = Given { value: GivenValue::Value(value.clone()), span: *span };
                values.insert(name.clone(), given);
            }
            VariableSource::File(name, Err(error)) => diagnostics.push(
                Diagnostic::error(codes::VARIABLE_FILE, format!("`{name}` cannot be read: {error}"))
                    .with_help("name a file of lines `name = value`"),
            ),
        }
    }
    values
}

fn argument(
    text: &str,
    sources: &mut SourceMap,
    diagnostics: &mut Vec<Diagnostic>,
    values: &mut BTreeMap<String, Given>,
) {
    let id = sources.add("--var", text);
    let Some((name, value)) = text.split_once('=').filter(|(name, _)| !name.trim().is_empty()) else {
        let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
        diagnostics.push(
            Diagnostic::error(codes::VARIABLE_FORM, format!("`{text}` gives no value to a variable"))
                .at(Span::new(id, 0, end), "no `=`")
                .with_help("write `--var name=value`"),
        );
        return;
    };
    let (tree, faults) = poolwright_syntax::parse(id, text);
    let sound = faults.iter().all(|fault| !fault.is_error());
    let expr = tree.body.attributes().next().filter(|_| sound && tree.body.items.len() == 1);
    let expr = expr.map(|attribute| attribute.value.clone());
    let start = u32::try_from(name.len() + 1).unwrap_or(u32::MAX);
    let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
    let given = Given { value: GivenValue::Text(value.to_owned(), expr), span: Span::new(id, start, end) };
    values.insert(name.trim().to_owned(), given);
}

fn file(
    name: &str,
    text: &str,
    sources: &mut SourceMap,
    diagnostics: &mut Vec<Diagnostic>,
    values: &mut BTreeMap<String, Given>,
) {
    let id = sources.add(name, text);
    let (tree, faults) = poolwright_syntax::parse(id, text);
    diagnostics.extend(faults);
    for block in tree.body.blocks() {
        diagnostics.push(
            Diagnostic::error(codes::VARIABLE_FILE, format!("`{name}` has a block `{}`", block.kind.text))
                .at(block.header, "only `name = value` stands in such a file")
                .with_help("put blocks into a `*.pool.hcl` file"),
        );
    }
    for attribute in tree.body.attributes() {
        let given = Given { value: GivenValue::Expr(attribute.value.clone()), span: attribute.value.span };
        values.insert(attribute.name.text.to_string(), given);
    }
}
