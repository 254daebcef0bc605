use std::path::Path;

use poolwright_model::Fleet;

use crate::layout;

fn path(file: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/quickstart").join(file)
}

pub(crate) fn fleet() -> Fleet {
    let text = std::fs::read_to_string(path("fleet.json")).expect("the golden fleet is there");
    serde_json::from_str(&text).expect("the golden fleet is a Fleet")
}

#[test]
fn the_layout_is_the_golden_one() {
    let (layout, diagnostics) = layout(&fleet());
    assert_eq!(diagnostics, []);
    let value = serde_json::to_value(&layout).unwrap();
    let text = serde_json::to_string_pretty(&value).unwrap() + "\n";
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path("layout.json"), &text).unwrap();
    }
    let golden = std::fs::read_to_string(path("layout.json")).unwrap();
    assert_eq!(text, golden, "UPDATE_GOLDEN=1 rewrites it");
    let read: poolwright_model::Layout = serde_json::from_str(&golden).unwrap();
    assert_eq!(read, layout, "what is written is read back");
}
