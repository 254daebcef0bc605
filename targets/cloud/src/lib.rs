//! What every cloud has in common when node groups of the layout become its objects.
//!
//! A [`Group`] is a node group with the blocks that it comes from; here is who changes its size, where it may stand,
//! what its bid is, and how its objects are signed. No cloud is named and no object is made here: limits, codes and
//! words are those of the target that asks, so that `targets/aws` and `targets/alibaba` know nothing of each other.
//! Pure as every lowering: no network, file or clock.
//!
//! Enter at [`groups`].

mod bid;
mod checks;
mod draft;
mod group;
pub mod tags;

pub use bid::Bids;
pub use draft::Draft;
pub use group::{Group, SizeOwner, groups, lower_each};
