//! Price books to prices, prices to costs.
//!
//! [`price`] finds what an hour of each lot costs: in the fleet's price books, or from what owned nodes cost.
//! [`cost`] makes of it what the fleet, its pools, queues and tenants cost a month: the floor, the expected and the
//! ceiling. Both are pure: no file is read, no clock asked, nothing printed. Money is exact throughout; only the useful
//! share of spot capacity is an estimate ([`spot`]). What is not known stays unknown, with its reason, and is never 0.
//!
//! [`order`] puts the candidates of routes into their order.
//!
//! Enter at [`price`] and [`cost`]. The book that comes with Poolwright is `data/shipped.csv`; rows of it that are known
//! to be wrong carry `used = no` and the reason.

mod book;
mod caps;
mod ceiling;
pub mod codes;
mod cost;
mod files;
mod line;
mod order;
mod owned;
mod price;
mod reach;
pub mod spot;
mod unit;

pub use ceiling::fitting_borrow;
pub use cost::{cost, tenant_cost};
pub use order::order;
pub use owned::owned;
pub use price::price;
