//! `providers.tf`: the provider at an exact version, its region, and the guard that it is the right account.

use hcl::expr::{BinaryOp, BinaryOperator, Expression, ObjectKey, Traversal, TraversalOperator, Variable};
use hcl::{Attribute, Block, Body, Identifier};
use poolwright_model::fleet::Target;

/// Its path in the target's folder.
pub(crate) const PATH: &str = "providers.tf";
/// The provider's source in the Terraform registry.
const SOURCE: &str = "aliyun/alicloud";
/// The version whose arguments this crate writes.
const VERSION: &str = "1.295.0";

/// The contents of the file.
pub(crate) fn body(target: &Target) -> Body {
    let provider: Expression = Expression::Object(
        [("source", SOURCE), ("version", VERSION)]
            .into_iter()
            .map(|(key, value)| (ObjectKey::Identifier(Identifier::sanitized(key)), Expression::from(value)))
            .collect(),
    );
    let required = Block::builder("required_providers").add_attribute(("alicloud", provider)).build();
    let mut body = Body::builder().add_block(Block::builder("terraform").add_block(required).build());

    let mut arguments = Vec::new();
    if let Some(region) = &target.region {
        arguments.push(("region", region));
    }
    let cloud = target.cloud();
    if let Some(profile) = cloud.and_then(|cloud| cloud.profile.as_ref()) {
        arguments.push(("profile", profile));
    }
    if !arguments.is_empty() {
        let attributes = arguments
            .into_iter()
            .map(|(key, value)| Attribute::new(Identifier::sanitized(key), value.as_str()));
        body = body
            .add_block(Block::builder("provider").add_label("alicloud").add_attributes(attributes).build());
    }
    if let Some(account) = cloud.and_then(|cloud| cloud.account.as_deref()) {
        body = body.add_block(account_guard(account));
    }
    body.build()
}

/// `account` of LANGUAGE §3.2: any other is refused, here by a postcondition, before anything is planned.
fn account_guard(account: &str) -> Block {
    let id = Traversal::new(
        Variable::sanitized("self"),
        [TraversalOperator::GetAttr(Identifier::sanitized("id"))],
    );
    let condition = BinaryOp::new(Expression::from(id), BinaryOperator::Eq, Expression::from(account));
    let postcondition = Block::builder("postcondition")
        .add_attribute(("condition", Expression::from(hcl::expr::Operation::from(condition))))
        .add_attribute(("error_message", format!("these credentials are not of account {account}")))
        .build();
    Block::builder("data")
        .add_labels(["alicloud_account", "current"])
        .add_block(Block::builder("lifecycle").add_block(postcondition).build())
        .build()
}
