//! The differences that are meant: `differences.txt` says what and why; here is how each is known again.
//!
//! What is judged is the smallest part of an expression that differs, so that a rule says as much as it can about it.

use poolwright_expression::{BinaryOp, Expr, ExprKind, Number, Type, Value};

use crate::{Compared, language, notation};

/// The rule of values that differ in the last digits of numbers only.
pub(crate) const NEAR: &str = "binary-float";

/// How a difference is known again.
type Test = fn(&Seen<'_>) -> bool;

/// The rules, the narrow ones first: the first that fits counts.
const RULES: &[(&str, Test)] = &[
    ("division-by-zero", |seen| {
        seen.theirs_has(&|value| *value == Value::string(notation::INFINITE))
            || seen.fails_with("division by zero")
            || seen.fails_with("divided by zero")
    }),
    ("binary-float-compared", |seen| {
        let compared = [
            BinaryOp::Equal,
            BinaryOp::NotEqual,
            BinaryOp::Less,
            BinaryOp::LessOrEqual,
            BinaryOp::Greater,
            BinaryOp::GreaterOrEqual,
        ];
        seen.fractions()
            && (seen.is_binary(&compared) && seen.both(is_bool)
                || seen.is_binary(&[BinaryOp::Remainder]) && seen.both(is_number))
    }),
    ("number-in-text", |seen| seen.both(|ours, theirs| notation::same(ours, theirs, &close_text))),
    ("conditional-parts", |seen| {
        seen.one.ours.is_ok()
            && seen.they_fail_with("Inconsistent conditional result types")
            && seen.has_choice()
    }),
    ("null-as-condition", |seen| seen.fails_with("a condition is null") && seen.one.theirs.is_ok()),
    ("short-binary-float", |seen| {
        seen.both(|ours, theirs| {
            notation::same(ours, theirs, &|a, b| match (a, b) {
                (Value::Number(a), Value::Number(b)) => near(a, b, "1e-18"),
                _ => a == b,
            })
        })
    }),
    ("form-of-a-number", |seen| seen.fails_with("exponent has no digits")),
    ("minus-zero", |seen| seen.both(|ours, theirs| notation::same(ours, theirs, &without_sign))),
    ("digit-as-condition", |seen| {
        seen.fails_with("text is not true or false: \"1\"")
            || seen.fails_with("text is not true or false: \"0\"")
    }),
    ("fault-on-the-left", |seen| seen.one.ours.is_err() && seen.one.theirs.is_ok() && seen.has_logic()),
    ("right-side-not-looked-at", |seen| {
        seen.has_logic()
            && (seen.they_fail_with("Unsuitable value for right operand") || seen.only_marked_there())
    }),
    ("attempt-with-unknown", |seen| {
        seen.names(&["try", "can"]) && (seen.theirs_has(&is_unknown) || seen.ours_has(&is_unknown))
    }),
    ("mark-kept", |seen| {
        seen.both(|ours, theirs| {
            let plain = ours.clone().unmark_deep().0;
            ours.is_sensitive()
                && !theirs.is_sensitive()
                && (refines(theirs, &plain) || notation::agree(&plain, theirs))
        })
    }),
    ("mark-of-what-fails", |seen| seen.has_choice() && seen.only_marked_there()),
    ("fault-beside-an-unknown", |seen| {
        seen.one.ours.is_err()
            && (seen.theirs_has(&is_unknown)
                || seen.fails_with("known yet")
                || seen.fails_with("do not go together"))
    }),
    ("kind-of-an-unknown-sum", |seen| {
        seen.both(|ours, theirs| notation::agree(&open_numbers(ours), theirs)) && seen.arithmetic()
    }),
    ("length-of-text", |seen| seen.names(&["length"]) && seen.they_fail_with("collection must be a list")),
    ("elements-keep-their-types", |seen| {
        let converts = seen.names(&["tolist", "toset", "tomap", "concat", "merge", "flatten", "nothing"])
            || seen.has_choice();
        seen.one.ours.is_ok()
            && converts
            && (seen.they_fail_with("any single type")
                || seen.both(|ours, theirs| notation::same(&as_texts(ours), &as_texts(theirs), &close_text)))
    }),
    ("set-as-list", |seen| seen.one.ours.is_ok() && seen.they_fail_with("got set of")),
    ("list-beside-set", |seen| {
        seen.has_choice()
            && seen.both(|ours, theirs| notation::same(&as_lists(ours), &as_lists(theirs), &close))
    }),
    ("elements-of-nothing", |seen| {
        let empty = |value: &Value| match value {
            Value::List(items) | Value::Set(items) => items.is_empty(),
            Value::Object(entries) => entries.is_empty(),
            _ => false,
        };
        seen.ours_has(&empty) && seen.one.theirs.is_err()
    }),
    ("list-is-list-and-map-is-map", |seen| {
        let collections = seen.one.text.contains(['[', '{'])
            || seen.names(&["nothing", "words", "later_list", "later_map"]);
        let unequal = |seen: &Seen<'_>, value: &Value| {
            let plain = value.clone().unmark().0;
            plain == Value::Bool(seen.is_binary(&[BinaryOp::NotEqual]))
        };
        collections
            && seen.is_binary(&[BinaryOp::Equal, BinaryOp::NotEqual])
            && seen.both(|_, theirs| unequal(seen, theirs))
    }),
    ("decided-sooner", |seen| seen.both(|ours, theirs| seen_unknown(theirs) && refines(ours, theirs))),
    ("bounds-of-an-unknown", |seen| {
        seen.we_do_not_know()
            && seen.both(|ours, theirs| {
                refines(theirs, ours) || seen.names(&["min", "max", "abs"]) && seen_unknown(theirs)
            })
    }),
    ("unknown-argument", |seen| {
        seen.one.text.contains('(') && seen.ours_has(&is_unknown) && seen.one.theirs.is_err()
    }),
    ("null-without-type", |seen| {
        seen.names(&["null", "absent", "absent_text", "absent_number", "absent_list"])
            && seen.one.ours.is_ok()
            && seen.one.theirs.is_err()
    }),
];

/// The names of the rules, in the order in which they are tried.
pub(crate) fn ids() -> impl Iterator<Item = &'static str> {
    [NEAR].into_iter().chain(RULES.iter().map(|(id, _)| *id))
}

/// The rule that a difference falls under.
pub(crate) fn which(one: &Compared) -> Option<&'static str> {
    let seen = Seen { one, expr: language::parse(&one.text).ok() };
    RULES.iter().find(|(_, test)| test(&seen)).map(|(id, _)| *id)
}

/// A difference, and the expression as a tree if it is one.
struct Seen<'a> {
    one: &'a Compared,
    expr: Option<Expr>,
}

impl Seen<'_> {
    fn both(&self, test: impl Fn(&Value, &Value) -> bool) -> bool {
        matches!((&self.one.ours, &self.one.theirs), (Ok(ours), Ok(theirs)) if test(ours, theirs))
    }

    fn fails_with(&self, words: &str) -> bool {
        matches!(&self.one.ours, Err(text) if text.contains(words))
    }

    fn they_fail_with(&self, words: &str) -> bool {
        matches!(&self.one.theirs, Err(text) if text.contains(words))
    }

    fn ours_has(&self, test: &dyn Fn(&Value) -> bool) -> bool {
        matches!(&self.one.ours, Ok(value) if any(value, test))
    }

    fn we_do_not_know(&self) -> bool {
        matches!(&self.one.ours, Ok(value) if is_unknown(&value.clone().unmark().0))
    }

    fn theirs_has(&self, test: &dyn Fn(&Value) -> bool) -> bool {
        matches!(&self.one.theirs, Ok(value) if any(value, test))
    }

    fn is_binary(&self, operators: &[BinaryOp]) -> bool {
        matches!(&self.expr, Some(Expr { kind: ExprKind::Binary(op, ..), .. }) if operators.contains(op))
    }

    /// Whether the text has one of the words.
    fn names(&self, words: &[&str]) -> bool {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        self.one.text.split(|c| !is_word(c)).any(|word| words.contains(&word))
    }

    fn fractions(&self) -> bool {
        self.one.text.contains(['.', '/']) || self.names(&["frac"])
    }

    fn has_choice(&self) -> bool {
        self.one.text.contains('?') || self.one.text.contains("if ")
    }

    fn has_logic(&self) -> bool {
        self.one.text.contains("&&") || self.one.text.contains("||")
    }

    fn arithmetic(&self) -> bool {
        self.one.text.contains(['+', '-', '*', '/', '%']) || self.names(&["min", "max", "abs"])
    }

    /// The same value, and only theirs is sensitive.
    fn only_marked_there(&self) -> bool {
        self.both(|ours, theirs| {
            !ours.is_sensitive()
                && theirs.is_sensitive()
                && notation::agree(ours, &theirs.clone().unmark_deep().0)
        })
    }
}

fn any(value: &Value, test: &dyn Fn(&Value) -> bool) -> bool {
    test(value)
        || match value {
            Value::Sensitive(inner) => any(inner, test),
            Value::Object(entries) => entries.values().any(|item| any(item, test)),
            other => other.elements().is_some_and(|items| items.iter().any(|item| any(item, test))),
        }
}

fn is_unknown(value: &Value) -> bool {
    matches!(value, Value::Unknown(_))
}

fn seen_unknown(value: &Value) -> bool {
    any(value, &is_unknown)
}

fn is_bool(a: &Value, b: &Value) -> bool {
    let plain = |value: &Value| matches!(value.clone().unmark().0, Value::Bool(_));
    plain(a) && plain(b)
}

fn is_number(a: &Value, b: &Value) -> bool {
    let plain = |value: &Value| matches!(value.clone().unmark().0, Value::Number(_));
    plain(a) && plain(b)
}

/// Equal, or as near as a binary float of 512 bits can be.
pub(crate) fn close(a: &Value, b: &Value) -> bool {
    let (Value::Number(a), Value::Number(b)) = (a, b) else { return a == b };
    near(a, b, "1e-140")
}

fn near(a: &Number, b: &Number, share: &str) -> bool {
    let share = Number::parse(share).unwrap();
    let distance = a.checked_sub(b).unwrap().abs();
    distance <= share || distance <= share.checked_mul(&b.abs()).unwrap()
}

/// Texts that are the same but for the later digits of numbers in them.
fn close_text(a: &Value, b: &Value) -> bool {
    let (Value::String(a), Value::String(b)) = (a, b) else { return close(a, b) };
    let (a, b) = (pieces(a), pieces(b));
    a.len() == b.len()
        && a.iter().zip(&b).all(|(a, b)| match (Number::parse(a), Number::parse(b)) {
            (Ok(a), Ok(b)) => near(&a, &b, "1e-19"),
            _ => a == b,
        })
}

/// A text cut into numbers and what is between.
fn pieces(text: &str) -> Vec<&str> {
    let is_digit = |c: char| c.is_ascii_digit() || c == '.';
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| is_digit(c) != is_digit(first)).unwrap_or(rest.len());
        pieces.push(&rest[..end]);
        rest = &rest[end..];
    }
    pieces
}

/// Equal but for the sign of a zero in text.
fn without_sign(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::String(a), Value::String(b)) => **a == b.replace("-0", "0"),
        _ => close(a, b),
    }
}

/// With the texts of numbers and bools in place of them, lists in place of sets, and one mark for all.
fn as_texts(value: &Value) -> Value {
    let (plain, mark) = value.clone().unmark_deep();
    let texts = match plain {
        Value::Number(_) | Value::Bool(_) => Value::string(&plain.to_string()),
        Value::Unknown(Type::Number | Type::Bool) => Value::Unknown(Type::String),
        Value::Unknown(Type::Map(_) | Type::Object(_) | Type::List(_)) => Value::Unknown(Type::Any),
        Value::List(items) => Value::list(items.iter().map(as_texts)),
        Value::Set(items) => Value::list(Value::set(items.iter().map(as_texts)).elements().unwrap().to_vec()),
        Value::Object(entries) => {
            Value::object(entries.iter().map(|(key, item)| (key.clone(), as_texts(item))))
        }
        other => other,
    };
    texts.marked(mark)
}

/// With lists, sorted, in place of sets and lists.
fn as_lists(value: &Value) -> Value {
    match value {
        Value::Sensitive(inner) => as_lists(inner).sensitive(),
        Value::List(items) => Value::set(items.iter().cloned()),
        Value::Unknown(Type::Set(_) | Type::List(_)) => Value::Unknown(Type::List(Box::new(Type::Any))),
        other => other.clone(),
    }
}

/// Whether one value is what an unknown one may become.
fn refines(known: &Value, unknown: &Value) -> bool {
    match (known, unknown) {
        (Value::Sensitive(known), Value::Sensitive(unknown)) => refines(known, unknown),
        // Nothing is of any type.
        (Value::List(none) | Value::Set(none), Value::Unknown(Type::List(_) | Type::Set(_)))
            if none.is_empty() =>
        {
            true
        }
        (Value::List(items), Value::Unknown(Type::List(element))) => {
            let element = Value::Unknown((**element).clone());
            items.iter().all(|item| {
                refines(&as_texts(item), &element)
                    || refines(item, &element)
                    || *item == Value::Unknown(Type::Any)
            })
        }
        (known, Value::Unknown(ty)) => notation::at_least(&known.type_of(), ty) || known.is_null(),
        (Value::List(a), Value::List(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| refines(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.keys().eq(b.keys()) && a.values().zip(b.values()).all(|(a, b)| refines(a, b))
        }
        _ => close(known, unknown),
    }
}

/// With numbers in place of what is not known at all.
fn open_numbers(value: &Value) -> Value {
    match value {
        Value::Unknown(Type::Any) => Value::Unknown(Type::Number),
        Value::Sensitive(inner) => open_numbers(inner).sensitive(),
        Value::List(items) => Value::list(items.iter().map(open_numbers)),
        Value::Object(entries) => {
            Value::object(entries.iter().map(|(key, item)| (key.clone(), open_numbers(item))))
        }
        other => other.clone(),
    }
}
