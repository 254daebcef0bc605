//! The typed contract between all rooms of the house.
//!
//! [`Fleet`] is what the files say, complete and with defaults written out. [`Layout`] is what the rules of
//! LANGUAGE §4 make of it, [`Prices`] and [`Costs`] are the money, [`Program`] the policies and tests,
//! [`Resource`] one object on a target, [`Plan`] the difference from what is there. Everything here is data:
//! serialisable, ordered, without behaviour beyond reading it. Nothing here knows files, syntax or a target's
//! wire format.
//!
//! Enter at [`Fleet`].

mod address;
pub mod canonical;
pub mod fleet;
pub mod graph;
pub mod layout;
mod meta;
pub mod money;
pub mod plan;
pub mod program;
pub mod resource;
pub mod view;

pub use address::Address;
pub use fleet::Fleet;
pub use layout::Layout;
pub use meta::{Foreign, Meta, Origin};
pub use money::{Cost, Costs, Prices};
pub use plan::Plan;
pub use program::Program;
pub use resource::Resource;
