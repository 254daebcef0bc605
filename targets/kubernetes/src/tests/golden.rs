//! The quickstart's files, byte by byte, and its names against the table of LANGUAGE §1.
//! `UPDATE_GOLDEN=1 cargo test` writes the files anew.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use poolwright_model::Address;
use poolwright_model::resource::File;
use poolwright_target::Target as _;

use super::{TARGETS, golden, objects, quickstart};
use crate::Kubernetes;

/// All files below a folder by their path in it.
fn tree(folder: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let mut left = vec![folder.to_owned()];
    while let Some(next) = left.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                left.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
                all.insert(name, fs::read_to_string(&path).unwrap());
            }
        }
    }
    all
}

/// Compares files with a folder, or writes them there.
fn agree(folder: &Path, files: Vec<File>) {
    let made: BTreeMap<String, String> =
        files.into_iter().map(|file| (file.path, String::from_utf8(file.contents).unwrap())).collect();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let _ = fs::remove_dir_all(folder);
        for (path, contents) in &made {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, contents).unwrap();
        }
    }
    let agreed = tree(folder);
    let paths = |tree: &BTreeMap<String, String>| tree.keys().cloned().collect::<Vec<_>>();
    assert_eq!(paths(&agreed), paths(&made), "{}", folder.display());
    for (path, contents) in &made {
        assert_eq!(&agreed[path], contents, "{}/{path}", folder.display());
    }
}

#[test]
fn files_are_as_agreed() {
    let (fleet, _) = quickstart();
    for name in TARGETS {
        let address = format!("target.kubernetes.{name}");
        let target = &fleet.targets[&Address::new(address.clone())];
        let files = Kubernetes.to_files(target, &fleet.meta.name, &objects(&address));
        agree(&golden(&format!("objects/kubernetes.{name}")), files);
    }
}

/// What the quickstart does not have: topology, groups, weights, several namespaces, a class with words.
#[test]
fn the_rest_is_as_agreed() {
    let (fleet, made) = super::lowering::everything();
    let target = &fleet.targets[&Address::new("target.kubernetes.eks")];
    let files = Kubernetes.to_files(target, &fleet.meta.name, &made);
    agree(&Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/everything"), files);
}

/// LANGUAGE §1, last table.
#[test]
fn names_are_those_of_the_language() {
    let worker = |flavor: &str| {
        vec![
            format!("ResourceFlavor {flavor}"),
            "AdmissionCheck provisioning".into(),
            "ProvisioningRequestConfig provisioning".into(),
        ]
    };
    let shared = [
        "Cohort acme",
        "Cohort acme--nlp",
        "Cohort acme--vision",
        "ClusterQueue cost-optimized--nlp",
        "ClusterQueue cost-optimized--vision",
        "LocalQueue nlp/cost-optimized",
        "LocalQueue vision/cost-optimized",
        "WorkloadPriorityClass interruptible",
        "PriorityClass interruptible",
        "Namespace nlp",
        "Namespace vision",
    ];
    let entry = [
        "ResourceFlavor onprem-gaudi",
        "ResourceFlavor dispatch--cost-optimized",
        "ClusterQueue inference--nlp",
        "LocalQueue nlp/inference",
        "AdmissionCheck cost-optimized",
        "MultiKueueConfig cost-optimized",
        "MultiKueueCluster eks",
        "MultiKueueCluster ack",
        "WorkloadPriorityClass inference",
        "PriorityClass inference",
    ];
    for (name, own) in [
        ("onprem", entry.map(str::to_owned).to_vec()),
        ("eks", worker("aws-a100-spot")),
        ("ack", worker("aliyun-a100")),
    ] {
        let mut expected: Vec<String> = shared.iter().map(|text| (*text).to_owned()).chain(own).collect();
        let mut made: Vec<String> = objects(&format!("target.kubernetes.{name}"))
            .into_iter()
            .map(|object| object.identity.split_once('/').unwrap().1.replacen('/', " ", 1))
            .collect();
        expected.sort();
        made.sort();
        assert_eq!(made, expected, "{name}");
    }
}

/// CONTRACT §5, and the numbers of LANGUAGE §4.3.
#[test]
fn the_eks_cluster_in_detail() {
    let all = objects("target.kubernetes.eks");
    let find = |address: &str| {
        all.iter().find(|object| object.address == address).unwrap_or_else(|| panic!("{address}"))
    };
    let queue = find("kubernetes.eks/kueue.x-k8s.io/ClusterQueue/cost-optimized--nlp");
    assert_eq!(queue.identity, "kueue.x-k8s.io/ClusterQueue/cost-optimized--nlp");
    assert_eq!(
        queue.depends_on,
        [
            "kubernetes.eks/kueue.x-k8s.io/AdmissionCheck/provisioning",
            "kubernetes.eks/kueue.x-k8s.io/Cohort/acme--nlp",
            "kubernetes.eks/kueue.x-k8s.io/ResourceFlavor/aws-a100-spot",
        ]
    );
    find("kubernetes.eks/kueue.x-k8s.io/LocalQueue/nlp/cost-optimized");
    find("kubernetes.eks/core/Namespace/nlp");
    let root = find("kubernetes.eks/kueue.x-k8s.io/Cohort/acme");
    assert_eq!(root.remark.as_deref(), Some("root of the cluster's quota"));
    let amounts = |address: &str, field: &str| {
        let resources =
            find(address).body.pointer("/spec/resourceGroups/0/flavors/0/resources").unwrap().clone();
        let list = resources.as_array().unwrap().iter();
        list.map(|entry| entry.get(field).map_or("-".into(), |text| text.as_str().unwrap().to_owned()))
            .collect::<Vec<_>>()
    };
    let cohort = |name: &str| format!("kubernetes.eks/kueue.x-k8s.io/Cohort/{name}");
    assert_eq!(amounts(&cohort("acme"), "nominalQuota"), ["376", "4246732Mi", "32"]);
    assert_eq!(amounts(&cohort("acme--nlp"), "nominalQuota"), ["752", "8493464Mi", "64"]);
    assert_eq!(amounts(&cohort("acme--nlp"), "borrowingLimit"), ["376", "4246732Mi", "32"]);
    assert_eq!(amounts(&cohort("acme--vision"), "nominalQuota"), ["376", "4246732Mi", "32"]);
    assert_eq!(amounts(&cohort("acme--vision"), "borrowingLimit"), ["376", "4246732Mi", "32"]);
    assert_eq!(amounts(&queue.address, "nominalQuota"), ["0", "0", "0"]);
}

#[test]
fn what_must_exist_before_is_there() {
    for name in TARGETS {
        let all = objects(&format!("target.kubernetes.{name}"));
        for object in &all {
            for needed in &object.depends_on {
                assert!(
                    all.iter().any(|other| other.address == *needed),
                    "{} needs {needed}",
                    object.address
                );
            }
        }
    }
}
