//! Templates that are values: the texts that `templatestring` and `templatefile` fill in.

use std::sync::Arc;

use poolwright_diagnostics::{Diagnostic, FileId};
use poolwright_expression::{Expr, ExprKind, Template, TemplateFault, TemplatePart, Value};
use poolwright_syntax::tree;

use crate::resolve::resolve_alone;

/// No file of the fleet: whoever evaluates a template tells of its faults where it is called.
const NO_FILE: FileId = FileId(u32::MAX);

/// Stands behind the text, so that neither `~}` at its end takes the line end nor a line end is lost: a heredoc adds one.
const END: &str = "\u{e000}\n";

const ONLY_GIVEN: &str = "a template sees only the variables that its call gives it, and functions";

/// Reads a text as a template that may use `names` and functions, and nothing of the fleet.
///
/// # Errors
/// The first fault of it.
pub fn template(text: &str, names: &[Arc<str>]) -> Result<Template, TemplateFault> {
    let mut word = String::from("END");
    while text.contains(&word) {
        word.push('_');
    }
    let head = format!("t = <<{word}\n");
    let source = format!("{head}{text}{END}{word}\n");
    let fault = |diagnostic: Diagnostic| {
        let place = diagnostic.primary().map_or(head.len(), |label| label.span.start as usize);
        let before = source.bytes().take(place).skip(head.len());
        TemplateFault {
            line: before.filter(|byte| *byte == b'\n').count() + 1,
            message: diagnostic.message,
            help: diagnostic.helps.into_iter().next(),
        }
    };
    let unread = || TemplateFault { line: 1, message: "it is no template".into(), help: None };
    let (file, faults) = poolwright_syntax::parse(NO_FILE, &source);
    if let Some(first) = faults.into_iter().find(Diagnostic::is_error) {
        return Err(fault(first));
    }
    let [tree::Item::Attribute(attribute)] = file.body.items.as_slice() else { return Err(unread()) };
    match resolve_alone(&attribute.value, names) {
        Ok(expr) => {
            let expr = without_end(expr).ok_or_else(unread)?;
            Ok(Template { expr, start: u32::try_from(head.len()).unwrap_or(0) })
        }
        Err(faults) => Err(match faults.into_iter().find(Diagnostic::is_error) {
            // What the fleet has is no help here.
            Some(first) => TemplateFault { help: Some(ONLY_GIVEN.into()), ..fault(first) },
            None => unread(),
        }),
    }
}

/// The template without [`END`].
fn without_end(mut expr: Expr) -> Option<Expr> {
    match &mut expr.kind {
        ExprKind::Literal(value) => *value = Value::string(value.as_str()?.strip_suffix(END)?),
        ExprKind::Template(parts) => {
            let Some(TemplatePart::Literal(last)) = parts.pop() else { return None };
            let last = last.strip_suffix(END)?;
            if !last.is_empty() {
                parts.push(TemplatePart::Literal(last.into()));
            }
        }
        _ => return None,
    }
    Some(expr)
}

#[cfg(test)]
mod tests {
    use poolwright_diagnostics::Span;
    use poolwright_expression::{BlockRef, Host, Scope, Symbol, evaluate};

    use super::*;

    struct Nobody;

    impl Host for Nobody {
        fn symbol(&self, symbol: &Symbol, span: Span) -> Result<Value, Box<Diagnostic>> {
            Err(Box::new(Diagnostic::error(crate::codes::INTERNAL, format!("no {symbol:?}")).at(span, "")))
        }

        fn attribute(&self, _: &BlockRef, name: &str, span: Span) -> Result<Value, Box<Diagnostic>> {
            Err(Box::new(Diagnostic::error(crate::codes::INTERNAL, format!("no {name}")).at(span, "")))
        }

        fn call(&self, _: &str, _: &[Value], _: Span) -> Option<Result<Value, Box<Diagnostic>>> {
            None
        }

        fn template(&self, text: &str, names: &[Arc<str>]) -> Option<Result<Template, TemplateFault>> {
            Some(template(text, names))
        }
    }

    /// The value of a template whose variables are `name` ("eu") and `list` (["a", "b"]).
    fn filled(text: &str) -> String {
        let list = Value::list([Value::string("a"), Value::string("b")]);
        let scope = Scope::default().with("name", Value::string("eu")).with("list", list);
        match template(text, &["name".into(), "list".into()]) {
            Ok(template) => match evaluate(&template.expr, &scope, &Nobody) {
                Ok(value) => value.to_string(),
                Err(diagnostic) => format!("error: {}", diagnostic.message),
            },
            Err(fault) => format!("line {}: {}", fault.line, fault.message),
        }
    }

    #[test]
    fn texts_are_kept_to_the_last_sign() {
        for text in
            ["", "a", "a\n", "\n\n", "  a\n  b", "END\nEND_", "a \"quoted\" \\n text", "ä\u{e000}", "100%"]
        {
            assert_eq!(filled(text), Value::string(text).to_string(), "{text:?}");
        }
    }

    #[test]
    fn holes_and_directives_are_filled() {
        for (text, wanted) in [
            ("hello ${name}!\n", "\"hello eu!\\n\""),
            ("${name}", "\"eu\""),
            ("${list}", "[\"a\", \"b\"]"),
            ("${list}\n", "error: a list has no text: [\"a\", \"b\"]"),
            ("%{ for v in list }- ${upper(v)}\n%{ endfor }", "\"- A\\n- B\\n\""),
            ("%{ for v in list ~}\n${v}\n%{ endfor ~}\n", "\"a\\nb\\n\""),
            ("%{ if name == \"eu\" }yes%{ else }no%{ endif }", "\"yes\""),
            ("$${name} %%{ if }", "\"${name} %{ if }\""),
            ("${templatestring(\"<$${x}>\", { x = name })}!", "\"<eu>!\""),
        ] {
            assert_eq!(filled(text), wanted, "{text:?}");
        }
    }

    #[test]
    fn faults_name_their_line() {
        for (text, line, words) in [
            ("a\nb ${nme}", 2, "`nme`"),
            ("a ${pool.x.name}", 1, "`pool.x`"),
            ("a\n\n${local.x}", 3, "`local.x`"),
            ("a\n${", 2, ""),
            ("%{ for v in list }x", 1, ""),
            ("%{ endif }", 1, ""),
            ("a ${1 +}", 1, ""),
        ] {
            let fault = template(text, &["name".into(), "list".into()]).expect_err(text);
            assert!(fault.line == line && fault.message.contains(words), "{text:?}: {fault:?}");
            assert!(words.is_empty() || fault.help.as_deref() == Some(ONLY_GIVEN), "{text:?}: {fault:?}");
        }
    }
}
