//! Attributes of accelerators in expressions: of the catalogue, and of blocks that leave some to it or to the vendor.

use std::sync::Arc;

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::{BlockRef, Number, Value};
use poolwright_model::Address;
use poolwright_model::fleet::{Accelerator, Partition};

use super::Values;
use super::absent::no_such_part;
use super::chain::follows;
use crate::instances::Block;

/// What an accelerator of the catalogue has.
const ATTRIBUTES: [&str; 9] =
    ["name", "address", "vendor", "memory", "resource", "products", "gres_type", "domain", "partition"];

/// GPUs of one NVLink-class domain where nothing is said: what a board of eight has (LANGUAGE §3.3).
pub(crate) const DOMAIN: u32 = 8;

/// The type in Slurm's Gres where none is written: the name without the vendor.
pub(crate) fn gres_type(name: &str, vendor: &str) -> String {
    name.strip_prefix(vendor).and_then(|rest| rest.strip_prefix('-')).unwrap_or(name).to_owned()
}

impl<'t> Values<'_, 't> {
    /// An attribute of an accelerator of the catalogue. Any other block that is not there failed, which has been
    /// reported.
    pub(super) fn of_catalogue(
        &self,
        block: &BlockRef,
        name: &str,
        span: Span,
    ) -> Result<Value, Box<Diagnostic>> {
        let address = Address::new(block.address.clone());
        let known =
            Some(&address).filter(|_| &*block.kind == "accelerator").and_then(Accelerator::of_catalogue);
        let Some(known) = known else { return Err(follows()) };
        attribute(&known, name).ok_or_else(|| Box::new(no_such_part(&block.address, name, span, ATTRIBUTES)))
    }

    /// An attribute of a declared accelerator that it does not write, or that the catalogue adds to. None: nothing is
    /// special about it.
    pub(super) fn of_accelerator(
        &self,
        block: &Arc<Block<'t>>,
        name: &str,
        span: Span,
    ) -> Option<Result<Value, Box<Diagnostic>>> {
        if !ATTRIBUTES.contains(&name) || block.attribute(name).is_some() {
            return None;
        }
        let known = Accelerator::of_catalogue(&Address::new(block.address.clone()));
        let text = |name: &str| match self.declared(block, name, span)? {
            Ok(Value::String(text)) => Some(Ok(text)),
            Ok(_) => Some(Err(follows())),
            Err(diagnostic) => Some(Err(diagnostic)),
        };
        Some(match (name, &known) {
            ("resource" | "products" | "gres_type" | "domain", Some(known)) => {
                Ok(attribute(known, name).unwrap_or(Value::Null))
            }
            ("partition", Some(known)) => {
                let own = self.nested(block, name, span);
                own.map(|own| merged(attribute(known, name).as_ref(), &own))
            }
            ("products", None) => Ok(Value::list(std::iter::empty())),
            ("domain", None) => Ok(Value::Number(Number::from(u64::from(DOMAIN)))),
            ("resource", None) => text("vendor")?.map(|vendor| {
                let vendor = poolwright_catalog::vendor(&vendor);
                vendor.map_or(Value::Null, |vendor| Value::string(&vendor.resource))
            }),
            ("gres_type", None) => {
                let own = match block.attribute("name") {
                    Some(_) => text("name")?,
                    None => Ok(Arc::from(block.default_name())),
                };
                match (own, text("vendor")?) {
                    (Ok(own), Ok(vendor)) => Ok(Value::string(&gres_type(&own, &vendor))),
                    (Err(diagnostic), _) | (_, Err(diagnostic)) => Err(diagnostic),
                }
            }
            _ => return None,
        })
    }
}

fn attribute(accelerator: &Accelerator, name: &str) -> Option<Value> {
    Some(match name {
        "name" => Value::string(&accelerator.meta.name),
        "address" => Value::string(accelerator.meta.address.as_str()),
        "vendor" => Value::string(&accelerator.vendor),
        "memory" => Value::quantity(accelerator.memory.clone()),
        "resource" => Value::string(&accelerator.resource),
        "products" => Value::list(accelerator.products.iter().map(|product| Value::string(product))),
        "gres_type" => Value::string(&accelerator.gres_type),
        "domain" => Value::Number(Number::from(u64::from(accelerator.domain))),
        "partition" => Value::object(
            accelerator
                .partitions
                .iter()
                .map(|(form, partition)| (Arc::from(form.as_str()), slice(partition))),
        ),
        _ => return None,
    })
}

fn slice(partition: &Partition) -> Value {
    Value::object([
        ("per_gpu", Value::Number(Number::from(u64::from(partition.per_gpu)))),
        ("memory", Value::quantity(partition.memory.clone())),
        ("resource", partition.resource.as_deref().map_or(Value::Null, Value::string)),
    ])
}

/// Two objects as one; what the second has counts.
fn merged(first: Option<&Value>, second: &Value) -> Value {
    let entries = |value: &Value| match value {
        Value::Object(entries) => (**entries).clone(),
        _ => Default::default(),
    };
    let mut all = first.map(entries).unwrap_or_default();
    all.extend(entries(second));
    Value::Object(Arc::new(all))
}
