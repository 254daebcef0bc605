//! The catalogue as JSON (CONTRACT §4): bytes and bit rates as integers, what no source says as null.

use poolwright_catalog::{
    AcceleratorFacts, FabricFacts, InstanceFacts, PartitionFacts, Provenance, VendorFacts,
};
use poolwright_expression::Number;
use serde_json::{Map, Value, json};

/// Which parts of the catalogue are asked for.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    /// Vendors and accelerators with their slices.
    pub accelerators: bool,
    /// Instance types.
    pub instances: bool,
    /// Fabrics.
    pub fabrics: bool,
}

/// The catalogue, or parts of it.
#[must_use]
pub fn catalog_json(parts: Parts) -> Value {
    let mut all = Map::new();
    all.insert("schema".to_owned(), json!("poolwright/catalog/v1"));
    all.insert("version".to_owned(), json!(poolwright_catalog::version().to_string()));
    if parts.accelerators {
        let vendors: Vec<Value> = poolwright_catalog::vendors().iter().map(vendor).collect();
        all.insert("vendors".to_owned(), Value::Array(vendors));
        let accelerators: Vec<Value> = poolwright_catalog::accelerators().iter().map(accelerator).collect();
        all.insert("accelerators".to_owned(), Value::Array(accelerators));
    }
    if parts.instances {
        let instances: Vec<Value> = poolwright_catalog::instances().iter().map(instance).collect();
        all.insert("instances".to_owned(), Value::Array(instances));
    }
    if parts.fabrics {
        let fabrics: Vec<Value> = poolwright_catalog::fabrics().iter().map(fabric).collect();
        all.insert("fabrics".to_owned(), Value::Array(fabrics));
    }
    Value::Object(all)
}

fn whole(number: &Number) -> Value {
    json!(number.to_u64())
}

/// A row's own members with those that every row has.
fn row(own: Value, provenance: &Provenance) -> Value {
    let mut own = own;
    if let Value::Object(members) = &mut own {
        members.insert("source".to_owned(), json!(provenance.source));
        members.insert("date".to_owned(), json!(provenance.date.to_string()));
        members.insert("verified".to_owned(), json!(provenance.verified));
        members.insert("note".to_owned(), json!(provenance.note));
    }
    own
}

fn vendor(facts: &VendorFacts) -> Value {
    let own = json!({
        "name": facts.name,
        "resource": facts.resource,
        "product_label": facts.product_label,
    });
    row(own, &facts.provenance)
}

fn accelerator(facts: &AcceleratorFacts) -> Value {
    let vendor = poolwright_catalog::vendor(&facts.vendor);
    let partitions: Vec<Value> = facts.partitions.iter().map(|form| partition(facts, vendor, form)).collect();
    let own = json!({
        "name": facts.name,
        "vendor": facts.vendor,
        "memory": whole(&facts.memory.0),
        "resource": facts.resource,
        "products": facts.products,
        "gres_type": facts.gres_type,
        "domain": facts.domain,
        "cuda": facts.cuda.as_ref().map(ToString::to_string),
        "last_driver": facts.last_driver.as_ref().map(ToString::to_string),
        "partitions": partitions,
    });
    row(own, &facts.provenance)
}

/// A form with what it is called by strategy of the device plugin.
fn partition(facts: &AcceleratorFacts, vendor: Option<&VendorFacts>, form: &PartitionFacts) -> Value {
    let mixed = form.resource.clone().or_else(|| vendor?.slice_resource(&form.form));
    let products: Vec<String> = facts
        .products
        .iter()
        .map(|product| vendor.map_or(product.clone(), |vendor| vendor.slice_product(product, &form.form)))
        .collect();
    let own = json!({
        "form": form.form,
        "per_gpu": form.per_gpu,
        "memory": whole(&form.memory.0),
        "single": { "resource": form.resource.as_ref().unwrap_or(&facts.resource), "products": products },
        "mixed": { "resource": mixed },
    });
    row(own, &form.provenance)
}

fn instance(facts: &InstanceFacts) -> Value {
    let fabrics: Vec<&str> = poolwright_catalog::fabrics_of(&facts.provider, &facts.instance_type)
        .map(|fabric| fabric.name.as_str())
        .collect();
    let own = json!({
        "provider": facts.provider,
        "instance_type": facts.instance_type,
        "accelerator": facts.accelerator,
        "gpus": facts.gpus,
        "vcpus": facts.vcpus,
        "threads_per_core": facts.threads_per_core,
        "memory": facts.memory.as_ref().map(|memory| whole(&memory.0)),
        "network": facts.network.as_ref().map(|network| whole(&network.0)),
        "network_cards": facts.network_cards,
        "efa": facts.efa.map(|efa| json!({ "interfaces": efa.interfaces, "first_card": efa.first_card })),
        "fabrics": fabrics,
        "zones": facts.zones,
    });
    row(own, &facts.provenance)
}

fn fabric(facts: &FabricFacts) -> Value {
    let own = json!({
        "provider": facts.provider,
        "name": facts.name,
        "instance_types": facts.instance_types,
        "kind": facts.kind,
        "rails": facts.rails,
        "rate": whole(&facts.rate.0),
        "total": whole(&facts.total.0),
        "resource": facts.resource,
        "per_node": facts.per_node,
        "labels": facts.labels,
    });
    row(own, &facts.provenance)
}
