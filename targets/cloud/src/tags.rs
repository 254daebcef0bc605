//! Keys of the tags that say whose an object is. Clouds take colons in keys, and people's labels may not begin so.

/// The fleet that owns an object.
pub const FLEET: &str = "poolwright:fleet";
/// The object's address.
pub const ADDRESS: &str = "poolwright:address";
/// The digest of what was asked for.
pub const SPEC: &str = "poolwright:spec";
