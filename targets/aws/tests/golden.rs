//! The quickstart's documents, byte for byte, and back.

#[cfg(test)]
mod common;

use common::{TARGET, cloud, efa, fleet, golden, layout, lot, lower, lower_with, pool};
use poolwright_expression::quantity::{Money, Range};
use poolwright_model::Fleet;
use poolwright_model::fleet::{Allocation, Placement};
use poolwright_model::resource::{File, Ownership};
use poolwright_target::Target as _;
use poolwright_target_aws::Aws;

#[cfg(test)]
fn files_on_disk(root: &std::path::Path, below: &str, files: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(root.join(below)) else { return };
    for entry in entries.map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        if entry.file_type().unwrap().is_dir() {
            files_on_disk(root, &path, files);
        } else {
            files.push(path);
        }
    }
}

/// Compares files with those below a folder, or writes them with `UPDATE_GOLDEN=1`.
#[cfg(test)]
fn compare(root: &std::path::Path, files: &[File]) {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let _ = std::fs::remove_dir_all(root);
        for file in files {
            let path = root.join(&file.path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, &file.contents).unwrap();
        }
    }
    let mut on_disk = Vec::new();
    files_on_disk(root, "", &mut on_disk);
    on_disk.sort();
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, on_disk, "run with UPDATE_GOLDEN=1 after a wanted change");
    for file in files {
        let wanted = std::fs::read_to_string(root.join(&file.path)).unwrap();
        assert_eq!(String::from_utf8(file.contents.clone()).unwrap(), wanted, "{}", file.path);
    }
}

#[test]
fn documents_of_the_quickstart() {
    let fleet = fleet();
    let lowered = lower_with(&fleet, &layout());
    assert_eq!(lowered.diagnostics, []);
    let files = Aws.to_files(&fleet.targets[TARGET], &fleet.meta.name, &lowered.resources);
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "auto-scaling-group/aws-a100-spot--az2.json",
            "auto-scaling-group/aws-a100-spot--az4.json",
            "launch-template/aws-a100-spot--az2.json",
            "launch-template/aws-a100-spot--az4.json",
        ]
    );
    compare(&golden("objects/aws.use1"), &files);
}

/// What the quickstart does not use, so that the referee of `tests/e2e/aws` sees every field that can be written.
#[test]
fn documents_for_the_referee() {
    let mut all = Vec::new();
    for (case, change) in CASES {
        let lowered = lower(|fleet| {
            pool(fleet).lots.truncate(1);
            change(fleet);
        });
        assert!(
            !lowered.diagnostics.iter().any(poolwright_diagnostics::Diagnostic::is_error),
            "{case}: {lowered:#?}"
        );
        let files = Aws.to_files(&fleet().targets[TARGET], "acme", &lowered.resources);
        all.extend(files.into_iter().map(|file| File { path: format!("{case}/{}", file.path), ..file }));
    }
    all.sort_by(|a, b| a.path.cmp(&b.path));
    compare(&golden("../../e2e/aws/cases"), &all);
}

type Case = (&'static str, fn(&mut Fleet));

const CASES: [Case; 6] = [
    ("efa-p4d", |fleet| efa(fleet, 4)),
    ("efa-p6-b300", |fleet| {
        efa(fleet, 16);
        lot(fleet).instance_types = vec!["p6-b300.48xlarge".into()];
    }),
    ("on-demand-fixed", |fleet| {
        lot(fleet).tier = "tier.on-demand".into();
        lot(fleet).allocation = Allocation::Price;
        lot(fleet).nodes = Range::exactly(3);
        pool(fleet).meta.protect = true;
    }),
    ("on-demand-several-types-and-zones", |fleet| {
        lot(fleet).tier = "tier.on-demand".into();
        lot(fleet).allocation = Allocation::Preference;
        lot(fleet).instance_types = vec!["p4de.24xlarge".into(), "p4d.24xlarge".into()];
        lot(fleet).zones = vec!["use1-az4".into(), "use1-az2".into()];
        cloud(fleet).instance_profile = Some("arn:aws:iam::111122223333:instance-profile/node".into());
    }),
    ("spot-cheapest-with-cap", |fleet| {
        lot(fleet).allocation = Allocation::Price;
        lot(fleet).max_price = Money::parse("$1.60/gpu/h").ok();
        lot(fleet).node.threads = Some(1);
        lot(fleet).node.cpus = 48;
    }),
    ("spot-in-a-named-placement-group", |fleet| {
        lot(fleet).allocation = Allocation::Preference;
        lot(fleet).placement = Placement::Group("theirs".into());
    }),
];

#[test]
fn files_read_back_are_what_was_wanted() {
    let fleet = fleet();
    let lowered = lower_with(&fleet, &layout());
    let target = &fleet.targets[TARGET];
    let files = Aws.to_files(target, &fleet.meta.name, &lowered.resources);
    let (observed, faults) = Aws.from_files(target, &files);
    assert_eq!(faults, []);
    assert_eq!(observed.len(), 4);
    for (wanted, found) in lowered.resources.iter().zip(&observed) {
        let mut body = wanted.body.clone();
        Aws.normalise(&wanted.kind, &mut body);
        assert_eq!(
            (&wanted.address, &wanted.kind, &wanted.identity, &body),
            (&found.address, &found.kind, &found.identity, &found.body)
        );
        assert!(found.owned);
        assert!(found.precondition.as_ref().unwrap().starts_with("sha256:"));
    }
}

#[test]
fn addresses_order_and_ownership() {
    let fleet = fleet();
    let lowered = lower_with(&fleet, &layout());
    let group = lowered
        .resources
        .iter()
        .find(|resource| resource.address == "aws.use1/autoscaling/AutoScalingGroup/aws-a100-spot--az2")
        .unwrap();
    assert_eq!(group.depends_on, ["aws.use1/ec2/LaunchTemplate/aws-a100-spot--az2"]);
    assert_eq!(group.ownership["/DesiredCapacity"], Ownership::Seed("cluster-autoscaler".into()));
    assert_eq!(group.block.as_str(), "pool.aws-a100-spot.lot.az2");
    assert_eq!(group.remark, None);
    assert!(!group.protected);
    // Every path with an origin that this body has is a real pointer into some document of its kind.
    for resource in &lowered.resources {
        assert!(
            resource.field_origins.keys().filter(|path| resource.body.pointer(path).is_some()).count() >= 3
        );
    }
}

#[test]
fn what_is_not_a_document_is_said() {
    let fleet = fleet();
    let target = &fleet.targets[TARGET];
    let file = |path: &str, text: &str| File { path: path.into(), contents: text.as_bytes().to_vec() };
    let (observed, faults) = Aws.from_files(
        target,
        &[
            file("notes.txt", "hello"),
            file("launch-template/a.json", "{\n  \"x\": ,\n}"),
            file("launch-template/b.json", "{}"),
            file("launch-template/c.json", "{\"LaunchTemplateName\": \"d\"}"),
            file("auto-scaling-group/e.json", "{\"AutoScalingGroupName\": \"e\", \"MinSize\": \"1\"}"),
        ],
    );
    let said: Vec<_> =
        faults.iter().map(|fault| (fault.path.as_str(), fault.line, fault.message.as_str())).collect();
    assert_eq!(said.len(), 4);
    assert_eq!(said[0].0, "notes.txt");
    assert_eq!((said[1].0, said[1].1), ("launch-template/a.json", Some(2)));
    assert_eq!(said[2].2, "has no \"LaunchTemplateName\": the LaunchTemplate has no name");
    assert_eq!(said[3].2, "holds \"LaunchTemplateName\": \"d\", which belongs in launch-template/d.json");
    // Somebody else's group: seen, never owned.
    assert_eq!(observed.len(), 1);
    assert!(!observed[0].owned);
    assert_eq!(observed[0].body["MinSize"], 1);
}
