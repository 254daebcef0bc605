//! The quickstart's node pool, byte for byte, and back.

#[cfg(test)]
mod common;

use common::{TARGET, cloud, fleet, golden, layout, lower, lower_with};
use poolwright_model::resource::{File, Ownership};
use poolwright_target::Target as _;
use poolwright_target_alibaba::Alibaba;

#[test]
fn files_of_the_quickstart() {
    let fleet = fleet();
    let lowered = lower_with(&fleet, &layout());
    assert_eq!(lowered.diagnostics, []);
    let files = Alibaba.to_files(&fleet.targets[TARGET], &fleet.meta.name, &lowered.resources);
    let root = golden("objects/alibaba.hangzhou");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let _ = std::fs::remove_dir_all(&root);
        std::fs::create_dir_all(&root).unwrap();
        for file in &files {
            std::fs::write(root.join(&file.path), &file.contents).unwrap();
        }
    }
    let mut on_disk: Vec<String> = std::fs::read_dir(&root)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    on_disk.sort();
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["aliyun-a100--main.tf", "providers.tf"]);
    assert_eq!(paths, on_disk, "run with UPDATE_GOLDEN=1 after a wanted change");
    for file in &files {
        let wanted = std::fs::read_to_string(root.join(&file.path)).unwrap();
        assert_eq!(String::from_utf8(file.contents.clone()).unwrap(), wanted, "{}", file.path);
    }
}

#[test]
fn files_read_back_are_what_was_wanted() {
    let fleet = fleet();
    let lowered = lower_with(&fleet, &layout());
    let target = &fleet.targets[TARGET];
    let files = Alibaba.to_files(target, &fleet.meta.name, &lowered.resources);
    let (observed, faults) = Alibaba.from_files(target, &files);
    assert_eq!(faults, []);
    assert_eq!((observed.len(), lowered.resources.len()), (1, 1));
    let (wanted, found) = (&lowered.resources[0], &observed[0]);
    let mut body = wanted.body.clone();
    Alibaba.normalise(&wanted.kind, &mut body);
    assert_eq!(
        (&wanted.address, &wanted.kind, &wanted.identity, &body),
        (&found.address, &found.kind, &found.identity, &found.body)
    );
    assert!(found.owned);
    assert_eq!(Alibaba.files_of(target, found), ["aliyun-a100--main.tf"]);
}

#[test]
fn address_and_ownership() {
    let lowered = lower(|_| {});
    let pool = &lowered.resources[0];
    assert_eq!(pool.address, "alibaba.hangzhou/terraform/alicloud_cs_kubernetes_node_pool/aliyun-a100--main");
    assert_eq!(pool.ownership["/desired_size"], Ownership::Seed("cluster-autoscaler".into()));
    assert!(pool.remark.as_ref().unwrap().contains("scale-down delay"));
    assert_eq!(pool.block.as_str(), "pool.aliyun-a100.lot.main");
}

#[test]
fn the_provider_is_pinned_and_the_account_guarded() {
    let text = |change: fn(&mut poolwright_model::Fleet)| {
        let mut fleet = fleet();
        change(&mut fleet);
        let lowered = lower_with(&fleet, &common::layout_by_hand(&fleet));
        let files = Alibaba.to_files(&fleet.targets[TARGET], "acme", &lowered.resources);
        String::from_utf8(files.into_iter().find(|file| file.path == "providers.tf").unwrap().contents)
            .unwrap()
    };
    let plain = text(|_| {});
    assert!(plain.starts_with("# poolwright: fleet acme, alibaba.hangzhou\n"));
    assert!(plain.contains("version = \"1.295.0\""));
    assert!(plain.contains("condition     = self.id == \"1234567890123456\""));
    let without = text(|fleet| {
        cloud(fleet).account = None;
        cloud(fleet).profile = Some("ml".into());
    });
    assert!(!without.contains("alicloud_account"));
    assert!(without.contains("profile = \"ml\""));
    // No pool, no file.
    assert_eq!(Alibaba.to_files(&fleet().targets[TARGET], "acme", &[]), []);
}

#[test]
fn what_is_not_a_node_pool_is_said() {
    let fleet = fleet();
    let file = |path: &str, text: &str| File { path: path.into(), contents: text.as_bytes().to_vec() };
    let pool = |label: &str, rest: &str| {
        format!(
            "resource \"alicloud_cs_kubernetes_node_pool\" \"{label}\" {{\n  node_pool_name = \"a\"\n{rest}}}\n"
        )
    };
    let (observed, faults) = Alibaba.from_files(
        &fleet.targets[TARGET],
        &[
            file("a.tf", &pool("a", "  image_id = var.image\n\n  management {\n    enable = true\n  }\n")),
            file("b.tf", &pool("a", "")),
            file("c.tf", "x = \ny = {\n"),
            file("d.tf", "variable \"x\" {}\n"),
            file("e.tf", &(pool("a", "") + &pool("b", ""))),
            file("providers.tf", "terraform {}\n"),
            file("broken/providers.tf", "terraform {"),
        ],
    );
    assert_eq!(observed.len(), 1);
    assert!(!observed[0].owned);
    assert_eq!(observed[0].body["image_id"], "${var.image}");
    assert_eq!(observed[0].body["management"], serde_json::json!([{ "enable": true }]));
    let said: Vec<_> = faults.iter().map(|fault| (fault.path.as_str(), fault.line)).collect();
    assert_eq!(
        said,
        [("b.tf", None), ("c.tf", Some(1)), ("d.tf", None), ("e.tf", None), ("broken/providers.tf", Some(1))]
    );
    assert_eq!(faults[0].message, "holds the node pool \"a\", which belongs in a.tf");
    let (_, faults) = Alibaba.from_files(&fleet.targets[TARGET], &[file("a.tf", &pool("b", ""))]);
    assert_eq!(faults[0].message, "calls its resource \"b\", the node pool \"a\" is \"a\"");
}
