//! The quickstart as the Alibaba target sees it.

#![allow(
    dead_code,
    unused_imports,
    clippy::allow_attributes,
    reason = "each test file uses its own part of it"
)]

#[path = "../../../cloud/tests/quickstart/mod.rs"]
mod quickstart;

use poolwright_target_alibaba::Alibaba;

pub(crate) use quickstart::*;

pub(crate) const KIND: Alibaba = Alibaba;
pub(crate) const TARGET: &str = "target.alibaba.hangzhou";
pub(crate) const POOL: &str = "pool.aliyun-a100";
