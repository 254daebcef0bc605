//! Types as JSON Schema: quantities are text with a pattern, references text with the form of an address.
//!
//! The patterns take every text that the language takes. What a pattern cannot say (a day that does not exist, a
//! range with its ends exchanged, a host named twice) is left to the front end. They use nothing that an ECMA, Rust
//! or RE2 engine lacks.

use std::sync::Arc;

use poolwright_expression::Type;
use serde_json::{Value, json};

/// Lower-case letters, digits and single hyphens, a letter first (LANGUAGE, rule 2).
const NAME: &str = "[a-z][a-z0-9]*(-[a-z0-9]+)*";
const NUMBER: &str = r"[0-9]+(\.[0-9]+)?";
const VERSION: &str = r"[0-9]+(\.[0-9]+){0,7}";

/// The JSON Schema of a type; `object` gives the one of an object type.
pub(super) fn form(ty: &Type, object: &mut dyn FnMut(&Type) -> Value) -> Value {
    match ty {
        Type::Any => json!({}),
        Type::Bool => json!({ "type": "boolean" }),
        Type::Number => json!({ "type": "number" }),
        Type::Integer { min, max } => integer(*min, *max),
        Type::String => json!({ "type": "string" }),
        Type::Name => name(),
        Type::Path => text(r"^[^/\\][^\\]*$"),
        Type::Enum(words) => json!({ "enum": words.iter().map(|word| &**word).collect::<Vec<_>>() }),
        Type::Duration => text(&format!("^({NUMBER}[wdhms])+$")),
        Type::Bytes => text(&format!("^{NUMBER}([KMGTPE]i|[kKMGTPE])?B$")),
        Type::Bandwidth => text(&format!("^{NUMBER}([kKMGT]?bps|([kKMGT]|[KMGT]i)?B/s)$")),
        Type::Power => text(&format!("^{NUMBER}[kMG]?W$")),
        Type::Energy => text(&format!("^{NUMBER}[kMG]?Wh$")),
        Type::Money(forms) => text(&money(forms)),
        Type::Percent => text(&format!("^-?{NUMBER}%$")),
        Type::Range => json!({ "anyOf": [
            text(r"^([0-9]+|[0-9]+\.\.[0-9]*|\.\.[0-9]+)$"),
            { "type": "integer", "minimum": 0 },
        ] }),
        Type::Hosts => json!({ "anyOf": [text(&hosts()), { "type": "array", "items": text(&hosts()) }] }),
        Type::Date => text("^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"),
        Type::Version => text(&format!("^{VERSION}$")),
        Type::Constraint => {
            let term = format!(" *(~>|[<>!]=|[<>=])? *{VERSION} *");
            text(&format!("^{term}(,{term})*$"))
        }
        Type::Pattern => json!({ "type": "string", "minLength": 1 }),
        Type::Taint => {
            text("^[A-Za-z0-9._/-]{1,317}(=[A-Za-z0-9._/-]{0,63})?:(NoSchedule|PreferNoSchedule|NoExecute)$")
        }
        Type::List(element) | Type::Set(element) => {
            json!({ "type": "array", "items": form(element, object) })
        }
        Type::Map(element) => json!({ "type": "object", "additionalProperties": form(element, object) }),
        Type::Object(_) => object(ty),
        Type::Block(kinds) => reference(kinds),
        Type::OneOf(types) => json!({ "anyOf": types.iter().map(|ty| form(ty, object)).collect::<Vec<_>>() }),
    }
}

/// A name, as labels and some attributes have it.
pub(super) fn name() -> Value {
    json!({ "type": "string", "pattern": format!("^{NAME}$"), "maxLength": 40 })
}

/// A currency's code (ISO 4217).
pub(super) fn currency() -> Value {
    text("^[A-Z]{3}$")
}

fn text(pattern: &str) -> Value {
    json!({ "type": "string", "pattern": pattern })
}

fn integer(min: Option<i64>, max: Option<i64>) -> Value {
    match max {
        Some(max) => json!({ "type": "integer", "minimum": min.unwrap_or(0), "maximum": max }),
        None => json!({ "type": "integer", "minimum": min.unwrap_or(0) }),
    }
}

/// `$2.10/gpu/h`, `CNY 14.5/gpu/h`, `$470,248.94/month`.
fn money(forms: &[Arc<str>]) -> String {
    let amount = r"([0-9]+|[0-9]{1,3}(,[0-9]{3})+)(\.[0-9]+)?";
    let per = if forms.is_empty() {
        "(/(gpu|node|kWh))?(/(h|day|month|year))?".to_owned()
    } else {
        let forms: Vec<String> = forms
            .iter()
            .map(|form| if form.is_empty() { String::new() } else { format!("/{form}") })
            .collect();
        format!("({})", forms.join("|"))
    };
    format!("^-?([$€£]|[A-Z]{{3}} ){amount}{per}$")
}

/// `gpu[001-016,020],login1`
fn hosts() -> String {
    let numbers = " *[0-9]+(-[0-9]+)? *";
    let host = format!(r" *([A-Za-z0-9._-]|\[{numbers}(,{numbers})*\])+ *");
    format!("^{host}(,{host})*$")
}

/// `pool.aws-a100-spot`, `pool.aws-a100-spot.lot.az2`, `target.kubernetes.eks`.
fn reference(kinds: &[Arc<str>]) -> Value {
    let kinds: Vec<String> = kinds
        .iter()
        .map(|kind| match &**kind {
            "lot" => format!(r"pool\.{NAME}\.lot"),
            kind => kind.replace('.', r"\."),
        })
        .collect();
    match kinds.as_slice() {
        [] => text(&format!(r"^[a-z_]+(\.{NAME})+$")),
        [kind] => text(&format!(r"^{kind}\.{NAME}$")),
        kinds => text(&format!(r"^({})\.{NAME}$", kinds.join("|"))),
    }
}
