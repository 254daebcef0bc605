//! What a value of a type may turn out to be, once it is known: faults that are sure already are shown at once.

use std::sync::Arc;

use super::{Field, ObjectType, Type};

/// Kinds of which no two have an equal value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Bool,
    Number,
    Text,
    List,
    Object,
}

impl Type {
    /// Whether a value may be a condition.
    #[must_use]
    pub fn may_be_bool(&self) -> bool {
        match self {
            Self::Bool => true,
            Self::OneOf(types) => types.iter().any(Self::may_be_bool),
            other => other.may_be_any_text(),
        }
    }

    /// Whether a value may take part in arithmetic or be put in order: a number, or what has a unit.
    #[must_use]
    pub fn may_be_operand(&self) -> bool {
        match self {
            Self::Bool | Self::List(_) | Self::Set(_) | Self::Map(_) | Self::Object(_) | Self::Block(_) => {
                false
            }
            Self::OneOf(types) => types.iter().any(Self::may_be_operand),
            _ => true,
        }
    }

    /// Whether a value has a text: whether it can stand in a template or be a key.
    #[must_use]
    pub fn may_have_text(&self) -> bool {
        match self {
            Self::List(_) | Self::Set(_) | Self::Map(_) | Self::Object(_) | Self::Block(_) => false,
            Self::OneOf(types) => types.iter().any(Self::may_have_text),
            _ => true,
        }
    }

    /// Whether a value may have elements to go through.
    #[must_use]
    pub fn may_have_elements(&self) -> bool {
        match self {
            Self::Any | Self::List(_) | Self::Set(_) | Self::Map(_) | Self::Object(_) => true,
            Self::OneOf(types) => types.iter().any(Self::may_have_elements),
            _ => false,
        }
    }

    /// Whether it is a number, or becomes one beside a number.
    pub(crate) fn is_plain_number(&self) -> bool {
        matches!(self, Self::Number | Self::Integer { .. } | Self::String)
    }

    /// Whether nothing can be said about what attributes and elements a value has.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self, Self::Any | Self::OneOf(_) | Self::Block(_))
    }

    /// Which of the plain kinds values of the type are of; `None`: more than one is possible.
    pub(crate) fn group(&self) -> Option<Group> {
        Some(match self {
            Self::Bool => Group::Bool,
            Self::Number | Self::Integer { .. } => Group::Number,
            Self::String | Self::Name | Self::Path | Self::Enum(_) => Group::Text,
            Self::List(_) | Self::Set(_) => Group::List,
            Self::Map(_) | Self::Object(_) => Group::Object,
            _ => return None,
        })
    }

    fn may_be_any_text(&self) -> bool {
        matches!(self, Self::Any | Self::String | Self::Name | Self::Path | Self::Enum(_))
    }

    /// The type of what is either of one type or of the other.
    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a.clone(),
            (Self::Number | Self::Integer { .. } | Self::Bool, Self::String)
            | (Self::String, Self::Number | Self::Integer { .. } | Self::Bool) => Self::String,
            (Self::Number, Self::Integer { .. }) | (Self::Integer { .. }, Self::Number) => Self::Number,
            (Self::List(a), Self::List(b)) => Self::List(Box::new(a.join(b))),
            (Self::Set(a), Self::Set(b)) => Self::Set(Box::new(a.join(b))),
            (Self::Map(a), Self::Map(b)) => Self::Map(Box::new(a.join(b))),
            (Self::Object(a), Self::Object(b)) => a.join(b),
            (Self::Map(map), Self::Object(object)) | (Self::Object(object), Self::Map(map)) => {
                let fields = object.fields.iter().map(|field| &field.ty);
                Self::Map(Box::new(fields.fold((**map).clone(), |common, ty| common.join(ty))))
            }
            _ => Self::Any,
        }
    }
}

impl ObjectType {
    /// With the same fields, an object of them; else a map.
    fn join(&self, other: &Self) -> Type {
        let same = self.fields.len() == other.fields.len()
            && self.fields.iter().all(|field| other.field(&field.name).is_some());
        if !same {
            let mut types = self.fields.iter().chain(&other.fields).map(|field| &field.ty);
            let first = types.next().cloned().unwrap_or(Type::Any);
            return Type::Map(Box::new(types.fold(first, |common, ty| common.join(ty))));
        }
        let fields = self.fields.iter().map(|field| Field {
            name: field.name.clone(),
            ty: other.field(&field.name).map_or(Type::Any, |other| field.ty.join(&other.ty)),
            required: field.required,
        });
        Type::Object(Arc::new(Self { fields: fields.collect() }))
    }
}
