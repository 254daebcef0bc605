//! The form in which two equal node pools are equal.
//!
//! Types and defaults of provider `aliyun/alicloud` 1.295.0: some numbers are texts there.

use poolwright_expression::Number;
use serde_json::{Map, Value, json};

/// Brings a body to its normal form. Applying it again changes nothing.
pub(crate) fn normalise(body: &mut Value) {
    let Value::Object(map) = body else { return };
    map.retain(|_, value| !value.is_null());
    // Deprecated since 1.219.0, still taken.
    if let Some(name) = map.remove("name") {
        map.entry("node_pool_name").or_insert(name);
    }
    for key in ["desired_size", "on_demand_base_capacity", "on_demand_percentage_above_base_capacity"] {
        as_text(map, key);
    }
    as_integer(map, "spot_instance_pools");
    map.entry("instance_charge_type").or_insert(json!("PostPaid"));
    map.entry("spot_strategy").or_insert(json!("NoSpot"));
    if let Some(Value::Object(scaling)) = map.get_mut("scaling_config") {
        as_integer(scaling, "min_size");
        as_integer(scaling, "max_size");
        scaling.entry("type").or_insert(json!("cpu"));
    }
    sort(map, "labels", &["key"]);
    sort(map, "taints", &["key", "effect"]);
    sort(map, "spot_price_limit", &["instance_type"]);
    sort_texts(map, "security_group_ids");
    if let Some(Value::Object(lifecycle)) = map.get_mut("lifecycle") {
        sort_texts(lifecycle, "ignore_changes");
    }
    for taint in items(map, "taints") {
        if taint.get("value").and_then(Value::as_str) == Some("") {
            taint.remove("value");
        }
    }
    for limit in items(map, "spot_price_limit") {
        as_text(limit, "price_limit");
        if let Some(Value::String(price)) = limit.get_mut("price_limit")
            && let Some(exact) = Number::parse(price).ok().and_then(|price| price.to_exact_decimal())
        {
            *price = exact;
        }
    }
}

fn items<'a>(map: &'a mut Map<String, Value>, key: &str) -> impl Iterator<Item = &'a mut Map<String, Value>> {
    map.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten().filter_map(Value::as_object_mut)
}

fn sort(map: &mut Map<String, Value>, key: &str, by: &[&str]) {
    let Some(Value::Array(items)) = map.get_mut(key) else { return };
    let text = |item: &Value, key: &str| item.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    items.sort_by_cached_key(|item| by.iter().map(|key| text(item, key)).collect::<Vec<_>>());
}

fn sort_texts(map: &mut Map<String, Value>, key: &str) {
    if let Some(Value::Array(texts)) = map.get_mut(key) {
        texts.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
    }
}

fn as_text(map: &mut Map<String, Value>, key: &str) {
    if let Some(value) = map.get_mut(key)
        && let Value::Number(number) = value
    {
        *value = Value::String(number.to_string());
    }
}

fn as_integer(map: &mut Map<String, Value>, key: &str) {
    if let Some(value) = map.get_mut(key)
        && let Some(number) = value.as_str().and_then(|text| text.trim().parse::<u64>().ok())
    {
        *value = json!(number);
    }
}

/// What tells the elements of a list apart.
pub(crate) fn list_key(pointer: &str) -> Option<&'static str> {
    match pointer {
        // Taints may share a key: by position, in the order of the normal form.
        "/labels" => Some("key"),
        "/spot_price_limit" => Some("instance_type"),
        _ => None,
    }
}

/// Arguments whose change makes Terraform replace the pool.
pub(crate) fn immutable(pointer: &str) -> Option<String> {
    let why = match pointer {
        "/node_pool_name" => "is the identity of a node pool",
        "/cluster_id" => "ties a node pool to its cluster for good",
        "/security_group_ids" => "cannot be changed in provider aliyun/alicloud 1.295.0",
        _ => return None,
    };
    Some(why.to_owned())
}
