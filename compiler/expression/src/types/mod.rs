//! What a schema, a variable or a function parameter asks for.

mod defaults;
mod describe;
mod possible;

use std::sync::Arc;

pub use defaults::{Defaults, FieldDefault};
pub(crate) use possible::Group;

/// A type. Schemas are built from these; [`crate::convert`] brings a value to one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the unit types are named after the quantities")]
pub enum Type {
    /// Whatever it is.
    Any,
    Bool,
    Number,
    /// A number without a fraction, at least 0 unless the range says otherwise; both ends belong.
    Integer {
        min: Option<i64>,
        max: Option<i64>,
    },
    String,
    /// Lower-case letters, digits and single hyphens, a letter first, at most 40 characters (LANGUAGE rule 2).
    Name,
    /// A relative path with `/` between its parts.
    Path,
    /// One of these words.
    Enum(Arc<[Arc<str>]>),
    Duration,
    Bytes,
    Bandwidth,
    Power,
    Energy,
    /// Money per what: the forms that are taken, such as `gpu/h`, `node/h`, `month`; empty: any form.
    Money(Arc<[Arc<str>]>),
    Percent,
    Range,
    Hosts,
    Date,
    Version,
    /// A version constraint such as `>= 0.1`.
    Constraint,
    Pattern,
    Taint,
    List(Box<Type>),
    Set(Box<Type>),
    Map(Box<Type>),
    Object(Arc<ObjectType>),
    /// A reference to a block of one of these kinds (`pool`, `lot`, `target.kubernetes`).
    Block(Arc<[Arc<str>]>),
    /// The first that fits.
    OneOf(Arc<[Type]>),
}

/// A closed object: its fields and no others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectType {
    /// In the order in which documentation lists them.
    pub fields: Vec<Field>,
}

/// A field of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Type,
    /// Whether it has to be there.
    pub required: bool,
}

impl ObjectType {
    /// The field of a name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| &*field.name == name)
    }
}
