//! A plan as a file: canonical JSON with a seal over every byte of it. Reading survives any bytes.

use poolwright_diagnostics::{Code, Diagnostic};
use poolwright_model::{Plan, canonical};
use serde_json::Value;

use crate::assemble::{PLAN_SCHEMA, digest};
use crate::codes;

/// The largest saved plan that is read, bytes. Nesting deeper than 128 levels is refused too.
pub const PLAN_LIMIT: usize = 1 << 30;

const SEAL: &str = "seal";

/// The bytes of a saved plan: sorted keys, no spaces, a newline at the end.
///
/// # Errors
/// Never for a plan that this crate made.
pub fn write(plan: &Plan) -> Result<String, serde_json::Error> {
    let mut value = serde_json::to_value(plan)?;
    let seal = canonical::digest(value.to_string().as_bytes());
    if let Value::Object(members) = &mut value {
        members.insert(SEAL.to_owned(), Value::String(seal));
    }
    let mut text = value.to_string();
    text.push('\n');
    Ok(text)
}

/// Reads a saved plan.
///
/// # Errors
/// What is wrong with it, and what to do.
pub fn read(bytes: &[u8]) -> Result<Plan, Box<Diagnostic>> {
    if bytes.len() > PLAN_LIMIT {
        return refuse(
            codes::PLAN_TOO_LARGE,
            format!("the plan has {} bytes, the limit is {PLAN_LIMIT}", bytes.len()),
        );
    }
    let mut value: Value = match serde_json::from_slice(bytes) {
        Ok(value) => value,
        Err(error) if error.is_eof() => {
            let message = format!("the plan ends in the middle, after {} bytes", bytes.len());
            return refuse(codes::PLAN_TRUNCATED, message);
        }
        Err(error) => return refuse(codes::PLAN_UNREADABLE, format!("the plan is not JSON: {error}")),
    };
    match value.get("schema").and_then(Value::as_str) {
        Some(PLAN_SCHEMA) => {}
        Some(other) if other.starts_with("poolwright/plan/") => {
            return refuse(
                codes::PLAN_SCHEMA,
                format!("the plan has the format `{other}`, this version knows `{PLAN_SCHEMA}`"),
            );
        }
        Some(other) => {
            return refuse(
                codes::PLAN_SCHEMA,
                format!("this is no plan: its schema is `{other}`, expected `{PLAN_SCHEMA}`"),
            );
        }
        None => {
            return refuse(
                codes::PLAN_SCHEMA,
                format!("this is no plan: it has no schema, expected `{PLAN_SCHEMA}`"),
            );
        }
    }
    let stated = value.as_object_mut().and_then(|members| members.remove(SEAL));
    let actual = canonical::digest(value.to_string().as_bytes());
    if stated.as_ref().and_then(Value::as_str) != Some(actual.as_str()) {
        let message = match stated {
            Some(_) => "the plan was changed after it was saved: its seal does not fit its contents",
            None => "the plan was changed after it was saved: its seal is gone",
        };
        return refuse(codes::PLAN_TAMPERED, message.to_owned());
    }
    let plan: Plan = match serde_json::from_value(value) {
        Ok(plan) => plan,
        Err(error) => return refuse(codes::PLAN_UNREADABLE, format!("the plan cannot be read: {error}")),
    };
    verify(&plan)?;
    Ok(plan)
}

/// Whether a plan's digest fits what it holds.
///
/// # Errors
/// It does not.
pub fn verify(plan: &Plan) -> Result<(), Box<Diagnostic>> {
    let actual = digest(plan);
    if actual == plan.digest {
        return Ok(());
    }
    refuse(codes::PLAN_TAMPERED, format!("the plan says {}, its contents are {actual}", plan.digest))
}

fn refuse<T>(code: Code, message: String) -> Result<T, Box<Diagnostic>> {
    let help = match code {
        codes::PLAN_SCHEMA => "apply it with the version that made it, or plan again",
        codes::PLAN_TRUNCATED => "copy the file again, or plan again",
        _ => "plan again: poolwright plan -o PLAN",
    };
    Err(Box::new(Diagnostic::error(code, message).with_note("nothing was applied").with_help(help)))
}
