//! A small parser of expression text, so that tests read like the language. Spans are byte offsets in the text.
//! The real parser lives in another crate, which depends on nothing here; every root name is [`Symbol::Scoped`].

use std::sync::Arc;

use poolwright_diagnostics::{FileId, Span};

use crate::{
    BinaryOp, Expr, ExprKind, ForExpr, Number, ObjectItem, Step, Symbol, TemplatePart, UnaryOp, Value,
};

pub(super) fn parse(text: &str) -> Expr {
    let mut parser = Parser { text, at: 0 };
    let expr = parser.expression();
    parser.space();
    assert_eq!(parser.at, text.len(), "text left over in {text:?}: {:?}", &text[parser.at..]);
    expr
}

/// A text as a template.
pub(super) fn parse_template(text: &str) -> Expr {
    let text = format!("{text}\u{0}");
    let mut parser = Parser { text: &text, at: 0 };
    let parts = parser.template("\u{0}");
    parser.expr(0, ExprKind::Template(parts))
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

const LEVELS: [&[(&str, BinaryOp)]; 6] = [
    &[("||", BinaryOp::Or)],
    &[("&&", BinaryOp::And)],
    &[("==", BinaryOp::Equal), ("!=", BinaryOp::NotEqual)],
    &[
        ("<=", BinaryOp::LessOrEqual),
        (">=", BinaryOp::GreaterOrEqual),
        ("<", BinaryOp::Less),
        (">", BinaryOp::Greater),
    ],
    &[("+", BinaryOp::Add), ("-", BinaryOp::Subtract)],
    &[("*", BinaryOp::Multiply), ("/", BinaryOp::Divide), ("%", BinaryOp::Remainder)],
];

impl Parser<'_> {
    fn space(&mut self) {
        while self.rest().starts_with([' ', '\n']) {
            self.at += 1;
        }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&mut self, token: &str) -> bool {
        self.space();
        self.rest().starts_with(token)
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.peek(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn need(&mut self, token: &str) {
        assert!(self.take(token), "{token:?} wanted at {:?} in {:?}", self.rest(), self.text);
    }

    fn span(&self, start: usize) -> Span {
        Span::new(FileId(0), start as u32, self.at as u32)
    }

    fn expr(&self, start: usize, kind: ExprKind) -> Expr {
        Expr { kind, span: self.span(start) }
    }

    fn expression(&mut self) -> Expr {
        self.space();
        let start = self.at;
        let condition = self.level(0);
        if !self.take("?") {
            return condition;
        }
        let then = self.expression();
        self.need(":");
        let otherwise = self.expression();
        self.expr(start, ExprKind::Conditional(Box::new((condition, then, otherwise))))
    }

    fn level(&mut self, level: usize) -> Expr {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        self.space();
        let start = self.at;
        let mut left = self.level(level + 1);
        'more: loop {
            self.space();
            let sign_start = self.at;
            for (sign, op) in *operators {
                if self.take(sign) {
                    let sign_span = self.span(sign_start);
                    let right = self.level(level + 1);
                    left = self.expr(start, ExprKind::Binary(*op, sign_span, Box::new((left, right))));
                    continue 'more;
                }
            }
            return left;
        }
    }

    fn unary(&mut self) -> Expr {
        self.space();
        let start = self.at;
        let op = if self.take("!") {
            UnaryOp::Not
        } else if self.take("-") {
            UnaryOp::Negate
        } else {
            return self.traversal();
        };
        let operand = Box::new(self.unary());
        self.expr(start, ExprKind::Unary(op, operand))
    }

    fn traversal(&mut self) -> Expr {
        let start = self.at;
        let base = self.primary();
        let mut steps = Vec::new();
        loop {
            let step = self.at;
            if self.rest().starts_with("[*]") {
                self.at += 3;
                steps.push(Step::FullSplat(self.span(step)));
            } else if self.rest().starts_with('[') {
                self.at += 1;
                steps.push(Step::Index(self.expression()));
                self.need("]");
            } else if self.rest().starts_with(".*") {
                self.at += 2;
                steps.push(Step::AttributeSplat(self.span(step)));
            } else if self.rest().starts_with('.') && !self.rest().starts_with("...") {
                self.at += 1;
                let name_at = self.at;
                let name = self.identifier().unwrap_or_else(|| self.digits());
                let span = self.span(name_at);
                steps.push(match name.parse::<u64>() {
                    Ok(index) => Step::LegacyIndex(index, span),
                    Err(_) => Step::Attribute(name.into(), span),
                });
            } else {
                break;
            }
        }
        if steps.is_empty() { base } else { self.expr(start, ExprKind::Traversal(Box::new(base), steps)) }
    }

    fn digits(&mut self) -> String {
        let end = self.rest().find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest().len());
        let digits = self.rest()[..end].to_owned();
        self.at += end;
        digits
    }

    fn identifier(&mut self) -> Option<String> {
        if !self.rest().starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return None;
        }
        let end = self.rest().find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'));
        let end = end.unwrap_or(self.rest().len());
        let name = self.rest()[..end].to_owned();
        self.at += end;
        Some(name)
    }

    fn primary(&mut self) -> Expr {
        self.space();
        let start = self.at;
        if self.take("(") {
            let inner = self.expression();
            self.need(")");
            return inner;
        }
        if self.take("\"") {
            let parts = self.template("\"");
            self.at += 1;
            return match parts.as_slice() {
                [] => self.expr(start, ExprKind::Literal(Value::string(""))),
                // Unnormalised on purpose: the evaluator has to do it.
                [TemplatePart::Literal(text)] => {
                    self.expr(start, ExprKind::Literal(Value::String(text.clone())))
                }
                _ => self.expr(start, ExprKind::Template(parts)),
            };
        }
        if self.take("[") {
            return self.list(start);
        }
        if self.take("{") {
            return self.object(start);
        }
        if self.rest().starts_with(|c: char| c.is_ascii_digit()) {
            let rest = self.rest();
            let mut end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            if rest[end..].starts_with('.') && rest[end + 1..].starts_with(|c: char| c.is_ascii_digit()) {
                end += 1;
                end += rest[end..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest[end..].len());
            }
            if rest[end..].starts_with('e') {
                end += 1;
                end += rest[end..]
                    .find(|c: char| !(c.is_ascii_digit() || c == '-'))
                    .unwrap_or(rest[end..].len());
            }
            let number = Number::parse(&rest[..end]).unwrap();
            self.at += end;
            return self.expr(start, ExprKind::Literal(Value::Number(number)));
        }
        let name = self
            .identifier()
            .unwrap_or_else(|| panic!("no expression at {:?} in {:?}", self.rest(), self.text));
        let name_span = self.span(start);
        if self.rest().starts_with('(') {
            self.at += 1;
            let mut arguments = Vec::new();
            let mut expand = false;
            while !self.take(")") {
                arguments.push(self.expression());
                expand |= self.take("...");
                self.take(",");
            }
            return self.expr(start, ExprKind::Call(name.into(), name_span, arguments, expand));
        }
        let kind = match name.as_str() {
            "true" => ExprKind::Literal(Value::Bool(true)),
            "false" => ExprKind::Literal(Value::Bool(false)),
            "null" => ExprKind::Literal(Value::Null),
            _ => ExprKind::Symbol(Symbol::Scoped(name.into())),
        };
        self.expr(start, kind)
    }

    fn list(&mut self, start: usize) -> Expr {
        if let Some(parts) = self.comprehension("]") {
            return self.expr(start, ExprKind::For(Box::new(parts)));
        }
        let mut items = Vec::new();
        while !self.take("]") {
            items.push(self.expression());
            self.take(",");
        }
        self.expr(start, ExprKind::List(items))
    }

    fn object(&mut self, start: usize) -> Expr {
        if let Some(parts) = self.comprehension("}") {
            return self.expr(start, ExprKind::For(Box::new(parts)));
        }
        let mut items = Vec::new();
        while !self.take("}") {
            self.space();
            let key_start = self.at;
            let key = match self.identifier() {
                Some(word) => self.expr(key_start, ExprKind::Literal(Value::string(&word))),
                None => self.expression(),
            };
            if !self.take("=") {
                self.need(":");
            }
            let value = self.expression();
            items.push(ObjectItem { key, value });
            self.take(",");
        }
        self.expr(start, ExprKind::Object(items))
    }

    fn comprehension(&mut self, close: &str) -> Option<ForExpr> {
        if !self.take("for ") {
            return None;
        }
        self.space();
        let mut value = self.identifier().unwrap();
        let mut key = None;
        if self.take(",") {
            self.space();
            key = Some(value.into());
            value = self.identifier().unwrap();
        }
        self.need("in ");
        let collection = self.expression();
        self.need(":");
        let mut result = self.expression();
        let mut key_result = None;
        if self.take("=>") {
            key_result = Some(result);
            result = self.expression();
        }
        let grouping = self.take("...");
        let condition = self.take("if ").then(|| self.expression());
        self.need(close);
        Some(ForExpr { key, value: value.into(), collection, key_result, result, condition, grouping })
    }

    /// Parts up to the end text, or to `%{ else }` or `%{ end… }`; the end itself is not taken.
    fn template(&mut self, end: &str) -> Vec<TemplatePart> {
        let mut parts = Vec::new();
        let mut literal = String::new();
        let flush = |literal: &mut String, parts: &mut Vec<TemplatePart>| {
            if !literal.is_empty() {
                parts.push(TemplatePart::Literal(Arc::from(std::mem::take(literal))));
            }
        };
        loop {
            let rest = self.rest();
            if rest.starts_with(end) || rest.starts_with("%{else}") || rest.starts_with("%{end") {
                flush(&mut literal, &mut parts);
                return parts;
            }
            if rest.starts_with("$${") || rest.starts_with("%%{") {
                literal.push_str(&rest[..1]);
                literal.push('{');
                self.at += 3;
            } else if rest.starts_with("${") {
                flush(&mut literal, &mut parts);
                self.at += 2;
                parts.push(TemplatePart::Interpolation(self.expression()));
                self.need("}");
            } else if rest.starts_with("%{if ") {
                flush(&mut literal, &mut parts);
                self.at += 5;
                let condition = self.expression();
                self.need("}");
                let then = self.template(end);
                let otherwise = if self.rest().starts_with("%{else}") {
                    self.at += 7;
                    self.template(end)
                } else {
                    Vec::new()
                };
                self.at += "%{endif}".len();
                parts.push(TemplatePart::If(condition, then, otherwise));
            } else if rest.starts_with("%{for ") {
                flush(&mut literal, &mut parts);
                self.at += 6;
                let mut value = self.identifier().unwrap();
                let mut key = None;
                if self.take(",") {
                    self.space();
                    key = Some(value.into());
                    value = self.identifier().unwrap();
                }
                self.need("in ");
                let collection = self.expression();
                self.need("}");
                let body = self.template(end);
                self.at += "%{endfor}".len();
                parts.push(TemplatePart::For(key, value.into(), collection, body));
            } else {
                let c = rest.chars().next().expect("unterminated string");
                self.at += c.len_utf8();
                if c == '\\' {
                    let escaped = self.rest().chars().next().unwrap();
                    self.at += escaped.len_utf8();
                    literal.push(match escaped {
                        'n' => '\n',
                        't' => '\t',
                        'r' => '\r',
                        other => other,
                    });
                } else {
                    literal.push(c);
                }
            }
        }
    }
}
