//! What an expression evaluates to.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::quantity::Quantity;
use crate::{Number, Type};

/// A value. Cheap to clone; maps iterate in key order.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`: absent.
    Null,
    /// `true`, `false`
    Bool(bool),
    /// An exact number without a unit.
    Number(Number),
    /// Text, in Unicode normal form C.
    String(Arc<str>),
    /// A list or tuple.
    List(Arc<Vec<Value>>),
    /// A set: sorted, without duplicates.
    Set(Arc<Vec<Value>>),
    /// A map or object.
    Object(Arc<BTreeMap<Arc<str>, Value>>),
    /// A number with a unit, a range, hosts, a date, ….
    Quantity(Quantity),
    /// A block of the fleet; its attributes are asked of the host.
    Block(BlockRef),
    /// Not known yet, of a known type.
    Unknown(Type),
    /// A value that must not be printed. Never nested in another one.
    Sensitive(Box<Value>),
}

/// A reference to a block: equal only to itself. It has no contents here.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockRef {
    /// The block's kind: `pool`, `lot`, `target`.
    pub kind: Arc<str>,
    /// The block's address: `pool.gpu["a"].lot.r0`.
    pub address: Arc<str>,
}
