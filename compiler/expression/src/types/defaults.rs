//! Values that stand in for what is not written inside of a value.

use std::sync::Arc;

use crate::Value;

/// Where defaults stand inside a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Defaults {
    /// None.
    #[default]
    Nothing,
    /// In the fields of an object.
    Object(Arc<Vec<FieldDefault>>),
    /// In each element of a list, set or map.
    Each(Box<Defaults>),
}

/// A field of an object: its name, its default, and what stands inside it.
pub type FieldDefault = (Arc<str>, Option<Value>, Defaults);

impl Defaults {
    /// Fills in what was not written.
    #[must_use]
    pub fn fill(&self, value: &Value) -> Value {
        match (self, value) {
            (Self::Object(fields), Value::Object(written)) => {
                let mut filled = (**written).clone();
                for (name, default, inside) in fields.iter() {
                    let absent = matches!(filled.get(name), None | Some(Value::Null));
                    match (absent, default) {
                        (true, Some(default)) => {
                            filled.insert(name.clone(), inside.fill(default));
                        }
                        (false, _) => {
                            let whole = filled.get(name).map(|value| inside.fill(value));
                            filled.extend(whole.map(|whole| (name.clone(), whole)));
                        }
                        (true, None) => {}
                    }
                }
                Value::Object(Arc::new(filled))
            }
            (Self::Each(inside), Value::List(items)) => {
                Value::List(Arc::new(items.iter().map(|item| inside.fill(item)).collect()))
            }
            (Self::Each(inside), Value::Set(items)) => Value::set(items.iter().map(|item| inside.fill(item))),
            (Self::Each(inside), Value::Object(entries)) => {
                Value::object(entries.iter().map(|(key, value)| (key.clone(), inside.fill(value))))
            }
            _ => value.clone(),
        }
    }
}
