//! Lists, sets, maps and closed objects.

use std::collections::BTreeMap;
use std::sync::Arc;

use poolwright_diagnostics::suggestion_help;

use super::{Converter, PathStep};
use crate::{ObjectType, Type, Value, codes};

impl Converter {
    pub(super) fn structure(&mut self, value: &Value, ty: &Type) -> Option<Value> {
        match (ty, value) {
            (Type::List(element), Value::List(items) | Value::Set(items)) => {
                self.elements(items, element).map(|items| Value::List(Arc::new(items)))
            }
            (Type::Set(element), Value::List(items) | Value::Set(items)) => {
                self.elements(items, element).map(Value::set)
            }
            (Type::List(_) | Type::Set(_), Value::Object(_)) => {
                self.wrong(value, ty, Some("`values(x)` is the list of its values".into()))
            }
            (Type::List(_) | Type::Set(_), other) => {
                self.wrong(value, ty, Some(format!("write it in brackets: [{other}]")))
            }
            (Type::Map(element), Value::Object(entries)) => self.map(entries, element),
            (Type::Object(object), Value::Object(entries)) => self.object(entries, object),
            _ => self.wrong(value, ty, None),
        }
    }

    fn elements(&mut self, items: &[Value], ty: &Type) -> Option<Vec<Value>> {
        let converted: Vec<Option<Value>> =
            items.iter().enumerate().map(|(index, item)| self.at(PathStep::Index(index), item, ty)).collect();
        converted.into_iter().collect()
    }

    fn map(&mut self, entries: &BTreeMap<Arc<str>, Value>, ty: &Type) -> Option<Value> {
        let converted: Vec<Option<(Arc<str>, Value)>> = entries
            .iter()
            .map(|(key, item)| Some((key.clone(), self.at(PathStep::Key(key.clone()), item, ty)?)))
            .collect();
        Some(Value::object(converted.into_iter().collect::<Option<Vec<_>>>()?))
    }

    /// Keys that the type does not know are faults, each with the key that was probably meant.
    fn object(&mut self, entries: &BTreeMap<Arc<str>, Value>, object: &ObjectType) -> Option<Value> {
        let before = self.faults.len();
        let mut result = BTreeMap::new();
        for (key, item) in entries {
            let Some(field) = object.field(key) else {
                let names = object.fields.iter().map(|field| &*field.name);
                let free = names.clone().filter(|name| !entries.contains_key(*name));
                let help = suggestion_help("key", key, free).or_else(|| suggestion_help("key", key, names));
                self.path.push(PathStep::KeyName(key.clone()));
                self.fault(codes::UNKNOWN_KEY, format!("there is no key `{key}` here"), help);
                self.path.pop();
                continue;
            };
            let converted = if item.is_null() && !field.required {
                Some(Value::Null)
            } else {
                self.at(PathStep::Key(key.clone()), item, &field.ty)
            };
            if let Some(converted) = converted {
                result.insert(key.clone(), converted);
            }
        }
        for field in &object.fields {
            if field.required && !entries.contains_key(&field.name) {
                let message = format!("the key `{}` is missing: {}", field.name, field.ty.describe());
                self.fault(codes::MISSING_KEY, message, None);
            }
        }
        (self.faults.len() == before).then(|| Value::Object(Arc::new(result)))
    }
}
