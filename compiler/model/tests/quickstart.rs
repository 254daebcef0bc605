//! The quickstart's fleet as JSON is a `Fleet`, and a `Fleet` is that JSON.

#[test]
fn fleet_json_round_trips() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/quickstart/fleet.json");
    let text = std::fs::read_to_string(path).unwrap();
    let fleet: poolwright_model::Fleet = serde_json::from_str(&text).unwrap();
    let again = serde_json::to_value(&fleet).unwrap();
    let text_again = serde_json::to_string_pretty(&again).unwrap() + "\n";
    assert!(text == text_again, "serialising the fleet gives another text than {path}");
}
