//! Every shipped row is complete, consistent, and agrees with the independent table of facts.

use std::collections::BTreeSet;

use poolwright_catalog as catalog;
use poolwright_expression::Number;
use poolwright_expression::quantity::{Bandwidth, Bytes, Version};

#[test]
fn every_row_can_be_read() {
    assert_eq!(catalog::faults(), []);
    let lines = |text: &str| text.lines().count() - 2;
    assert_eq!(catalog::vendors().len(), lines(include_str!("../data/vendors.csv")));
    assert_eq!(catalog::accelerators().len(), lines(include_str!("../data/accelerators.csv")));
    assert_eq!(catalog::instances().len(), lines(include_str!("../data/instances.csv")));
    assert_eq!(catalog::fabrics().len(), lines(include_str!("../data/fabrics.csv")));
    let partitions: usize = catalog::accelerators().iter().map(|facts| facts.partitions.len()).sum();
    assert_eq!(partitions, lines(include_str!("../data/partitions.csv")));
    let placed = catalog::instances().iter().filter(|facts| !facts.zones.is_empty()).count();
    assert_eq!(placed, lines(include_str!("../data/zones.csv")));
    assert_eq!(catalog::version().to_string(), "2026-12-01");
}

#[test]
fn names_are_unique_and_found() {
    let names: BTreeSet<_> = catalog::accelerators().iter().map(|facts| &facts.name).collect();
    assert_eq!(names.len(), catalog::accelerators().len());
    for facts in catalog::accelerators() {
        assert_eq!(catalog::accelerator(&facts.name), Some(facts));
        let (vendor, gres) = facts.name.split_once('-').unwrap();
        assert_eq!(
            (vendor, gres),
            (facts.vendor.as_str(), facts.gres_type.as_str()),
            "gres type: name without vendor"
        );
    }
    for facts in catalog::instances() {
        assert_eq!(catalog::instance(&facts.provider, &facts.instance_type), Some(facts));
        assert!(catalog::accelerator(&facts.accelerator).is_some(), "{}", facts.accelerator);
        assert!(catalog::PROVIDERS.contains(&facts.provider.as_str()), "{}", facts.provider);
    }
    let used: BTreeSet<_> = catalog::instances().iter().map(|facts| facts.provider.as_str()).collect();
    assert_eq!(used.into_iter().collect::<Vec<_>>(), catalog::PROVIDERS);
    assert_eq!(catalog::accelerator("nvidia-a100"), None);
    assert_eq!(catalog::instance("alibaba", "p4d.24xlarge"), None);
}

#[test]
fn every_row_has_a_source_and_a_date_that_is_not_in_the_future() {
    let accelerators = catalog::accelerators().iter();
    let partitions = accelerators.clone().flat_map(|facts| &facts.partitions);
    let all: Vec<_> = catalog::vendors()
        .iter()
        .map(|facts| &facts.provenance)
        .chain(accelerators.map(|facts| &facts.provenance))
        .chain(partitions.map(|facts| &facts.provenance))
        .chain(catalog::instances().iter().map(|facts| &facts.provenance))
        .chain(catalog::fabrics().iter().map(|facts| &facts.provenance))
        .collect();
    for provenance in all {
        assert!(provenance.source.len() > 10, "{}", provenance.source);
        assert!((2020..=2026).contains(&provenance.date.year), "{}", provenance.source);
        assert!(provenance.date <= catalog::version(), "{}", provenance.source);
        // What nobody but us says is not checked.
        let guessed =
            ["general knowledge", "by the rule of"].iter().any(|word| provenance.source.contains(word));
        assert!(!(guessed && provenance.verified), "{}", provenance.source);
    }
}

#[expect(clippy::unwrap_used, reason = "a product of two whole numbers exists")]
fn times(bytes: &Bytes, count: u32) -> Number {
    bytes.0.checked_mul(&Number::from(i64::from(count))).unwrap()
}

#[test]
fn numbers_are_positive_and_belong_together() {
    let none = Number::from(0_i64);
    for facts in catalog::accelerators() {
        assert!(facts.memory.0 > none && facts.domain > 0, "{}", facts.name);
        let vendor = catalog::vendor(&facts.vendor).unwrap();
        assert_eq!(facts.resource, vendor.resource, "{}", facts.name);
        assert!(facts.products.is_empty() || vendor.product_label.is_some(), "{}", facts.name);
        let forms: BTreeSet<_> = facts.partitions.iter().map(|partition| &partition.form).collect();
        assert_eq!(forms.len(), facts.partitions.len(), "{}", facts.name);
        for partition in &facts.partitions {
            let name = format!("{} {}", facts.name, partition.form);
            assert!(partition.memory.0 > none && partition.per_gpu > 0, "{name}");
            assert!(times(&partition.memory, partition.per_gpu) <= facts.memory.0, "{name}");
        }
    }
    for facts in catalog::instances() {
        let name = &facts.instance_type;
        assert!(facts.gpus > 0 && facts.vcpus != Some(0), "{name}");
        assert!(facts.memory.as_ref().is_none_or(|memory| memory.0 > none), "{name}");
        // A host's memory feeds its accelerators: less than an eighth of theirs is a slip of the unit.
        let own = catalog::accelerator(&facts.accelerator).unwrap();
        let fed =
            facts.memory.as_ref().is_none_or(|memory| times(memory, 8) >= times(&own.memory, facts.gpus));
        assert!(fed, "{name}");
    }
}

/// Bits and bytes: the stated total is rate times rails, fits the network of its instance types, and is what a host
/// can have at all.
#[test]
fn the_ports_of_a_fabric_add_up_to_its_total() {
    for facts in catalog::fabrics() {
        let name = format!("{} {}", facts.provider, facts.name);
        let sum = facts.rate.0.checked_mul(&Number::from(i64::from(facts.rails))).unwrap();
        assert_eq!(sum, facts.total.0, "{name}");
        let most = Bandwidth::parse("1600Gbps").unwrap();
        assert!(facts.rate >= Bandwidth::parse("10Gbps").unwrap() && facts.rate <= most, "{name}");
        assert!(catalog::PROVIDERS.contains(&facts.provider.as_str()), "{name}");
        assert!(["infiniband", "roce", "efa", "tcpx"].contains(&facts.kind.as_str()), "{name}");
        assert_eq!(facts.resource.is_some(), facts.per_node.is_some(), "{name}");
        assert!(!facts.instance_types.is_empty(), "{name}");
        for instance_type in &facts.instance_types {
            let instance = catalog::instance(&facts.provider, instance_type).unwrap();
            if let Some(network) = &instance.network {
                assert!(facts.total <= *network, "{name}: {} of {network}", facts.total);
            }
            if facts.kind == "efa" {
                assert_eq!(instance.network.as_ref(), Some(&facts.total), "{name}");
                assert_eq!(instance.efa.map(|efa| efa.interfaces), Some(facts.rails), "{name}");
                assert_eq!(facts.per_node, Some(facts.rails), "{name}");
            }
            assert!(catalog::fabrics_of(&facts.provider, instance_type).any(|found| found == facts));
        }
    }
    assert_eq!(catalog::fabrics_of("aws", "p5.48xlarge").count(), 1);
    assert_eq!(catalog::fabrics_of("nebius", "gpu-h100-sxm_1gpu-16vcpu-200gb").count(), 0);
}

#[test]
fn slices_are_spelt_as_the_device_plugins_spell_them() {
    let nvidia = catalog::vendor("nvidia").unwrap();
    assert_eq!(nvidia.slice_resource("1g.10gb").as_deref(), Some("nvidia.com/mig-1g.10gb"));
    assert_eq!(nvidia.slice_resource("1g.10gb+me").as_deref(), Some("nvidia.com/mig-1g.10gb.me"));
    assert_eq!(nvidia.slice_product("NVIDIA-H100-80GB-HBM3", "1g.10gb"), "NVIDIA-H100-80GB-HBM3-MIG-1g.10gb");
    let amd = catalog::vendor("amd").unwrap();
    assert_eq!(amd.slice_resource("cpx-nps4").as_deref(), Some("amd.com/cpx_nps4"));
    assert_eq!(amd.slice_product("AMD_Instinct_MI300X_OAM", "cpx-nps4"), "AMD_Instinct_MI300X_OAM");
    assert_eq!(catalog::vendor("habana").unwrap().slice_resource("half"), None);
    for (name, form, per_gpu, memory) in [
        ("nvidia-a100-40gb", "1g.5gb", 7, "5GiB"),
        ("nvidia-a100-40gb", "1g.10gb", 4, "10GiB"),
        ("nvidia-h100-80gb-sxm", "1g.10gb", 7, "10GiB"),
        ("nvidia-h100-80gb-sxm", "3g.40gb", 2, "40GiB"),
        ("nvidia-h200-141gb-sxm", "3g.71gb", 2, "72192MiB"),
        ("amd-mi300x", "spx-nps1", 1, "192GiB"),
        ("amd-mi300x", "cpx-nps4", 8, "24GiB"),
        ("aws-trainium2", "neuroncore", 8, "12GiB"),
    ] {
        let facts = catalog::accelerator(name).unwrap();
        let found = facts.partitions.iter().find(|partition| partition.form == form).unwrap();
        assert_eq!(
            (found.per_gpu, &found.memory),
            (per_gpu, &Bytes::parse(memory).unwrap()),
            "{name} {form}"
        );
    }
}

#[test]
fn every_vendor_and_generation_is_there() {
    for name in [
        "nvidia-v100-16gb",
        "nvidia-a100-80gb-sxm",
        "nvidia-h100-80gb-sxm",
        "nvidia-h200-141gb-sxm",
        "nvidia-b200-180gb-sxm",
        "nvidia-b300-268gb-sxm",
        "nvidia-gb200-186gb",
        "nvidia-gb300-279gb",
        "amd-mi300x",
        "amd-mi325x",
        "amd-mi350x",
        "amd-mi355x",
        "habana-gaudi2",
        "habana-gaudi3",
        "intel-max-1550",
        "intel-flex-170",
        "aws-trainium2",
        "aws-inferentia2",
    ] {
        assert!(catalog::accelerator(name).is_some(), "{name}");
    }
    // A rack of 18 hosts with four each is one domain.
    assert_eq!(catalog::accelerator("nvidia-gb200-186gb").unwrap().domain, 72);
    let cuda = |name: &str| catalog::accelerator(name).unwrap().cuda.as_ref().map(ToString::to_string);
    assert_eq!(cuda("nvidia-h100-80gb-sxm").as_deref(), Some("11.8"));
    assert_eq!(cuda("nvidia-b200-180gb-sxm").as_deref(), Some("12.8"));
    assert_eq!(cuda("nvidia-b300-268gb-sxm"), None);
    for provider in ["aws", "gcp", "azure", "alibaba", "nebius", "crusoe", "coreweave", "lambda"] {
        assert!(
            catalog::instances().iter().filter(|facts| facts.provider == provider).count() >= 4,
            "{provider}"
        );
    }
    let zones = &catalog::instance("aws", "p6-b300.48xlarge").unwrap().zones;
    assert!(zones.contains(&"usw2-az2".to_owned()), "{zones:?}");
    // What no source says is not known: the names of Crusoe's types say model and count alone.
    let crusoe = catalog::instance("crusoe", "h100-80gb-sxm-ib.8x").unwrap();
    assert_eq!((crusoe.gpus, crusoe.vcpus, &crusoe.memory), (8, None, &None));
}

#[test]
fn efa_interfaces_fit_the_cards() {
    for facts in catalog::instances() {
        if let Some(efa) = facts.efa {
            assert!(
                efa.interfaces + efa.first_card <= facts.network_cards.unwrap(),
                "{}",
                facts.instance_type
            );
        }
    }
    let p6 = catalog::instance("aws", "p6-b300.48xlarge").unwrap();
    assert_eq!((p6.efa.unwrap().first_card, p6.network_cards), (1, Some(17)));
}

#[test]
fn the_quickstart_finds_what_it_needs() {
    let p4d = catalog::instance("aws", "p4d.24xlarge").unwrap();
    assert_eq!((p4d.gpus, p4d.vcpus, p4d.accelerator.as_str()), (8, Some(96), "nvidia-a100-40gb"));
    assert_eq!(p4d.memory, Some(Bytes::parse("1152GiB").unwrap()));
    assert!(p4d.provenance.verified);
    let gn7 = catalog::instance("alibaba", "ecs.gn7-c13g1.26xlarge").unwrap();
    assert_eq!((gn7.gpus, gn7.vcpus, gn7.accelerator.as_str()), (8, Some(104), "nvidia-a100-40gb"));
    assert!(!gn7.provenance.verified);
    for (name, memory, resource, products) in [
        ("nvidia-a100-40gb", "40GiB", "nvidia.com/gpu", vec!["NVIDIA-A100-SXM4-40GB"]),
        ("nvidia-h100-80gb-sxm", "80GiB", "nvidia.com/gpu", vec!["NVIDIA-H100-80GB-HBM3"]),
        ("habana-gaudi2", "96GiB", "habana.ai/gaudi", vec![]),
    ] {
        let facts = catalog::accelerator(name).unwrap();
        assert_eq!(facts.memory, Bytes::parse(memory).unwrap());
        assert_eq!((facts.resource.as_str(), facts.domain), (resource, 8));
        assert_eq!(facts.products, products);
    }
}

/// `gpu-facts.csv` was collected apart from the catalogue; where both have a number, it is the same number.
#[test]
fn numbers_agree_with_the_independent_facts() {
    let mut reader = csv::Reader::from_reader(include_str!("gpu-facts.csv").as_bytes());
    let header = reader.headers().unwrap().clone();
    let mut compared = 0;
    for record in reader.records() {
        let record = record.unwrap();
        let cell = |name: &str| record.get(header.iter().position(|column| column == name).unwrap()).unwrap();
        let Some(facts) = catalog::instance(cell("provider"), cell("instance_type")) else { continue };
        compared += 1;
        let of = |what: &str| format!("{what} of {}", facts.instance_type);
        assert_eq!(facts.gpus.to_string(), cell("gpu_count"), "{}", of("GPUs"));
        if let (Some(vcpus), Some(memory), true) = (facts.vcpus, &facts.memory, !cell("vcpus").is_empty()) {
            assert_eq!(vcpus.to_string(), cell("vcpus"), "{}", of("vCPUs"));
            let written = Bytes::parse(&format!("{}GiB", cell("mem_gib"))).unwrap();
            assert_eq!(*memory, written, "{}", of("memory"));
        }
        let accelerator = catalog::accelerator(&facts.accelerator).unwrap();
        assert_eq!(accelerator.vendor, cell("gpu_vendor"), "{}", of("vendor"));
        // Verda's catalogue alone says 262 GiB of the B300; the row's note says so.
        if (cell("provider"), cell("gpu_model")) != ("verda", "B300") {
            let memory = Bytes::parse(&format!("{}GiB", cell("gpu_mem_gib"))).unwrap();
            assert_eq!(accelerator.memory, memory, "{}", of("GPU memory"));
        }
        if let (Some(network), "EFA") = (&facts.network, cell("fabric")) {
            let rate = Bandwidth::parse(&format!("{}Gbps", cell("fabric_gbps"))).unwrap();
            assert_eq!(network, &rate, "{}", of("network"));
        }
    }
    assert!(compared >= 40, "only {compared} rows were compared");
}

#[test]
fn a_misspelt_name_is_answered_with_the_right_one() {
    let span = poolwright_diagnostics::Span::default();
    let fault = catalog::unknown_accelerator("nvidia-a100-40g", ["acme-npu"], span);
    assert_eq!(fault.code, catalog::codes::UNKNOWN_ACCELERATOR);
    assert!(fault.helps[0].contains("nvidia-a100-40gb"), "{:?}", fault.helps);
    let fault = catalog::unknown_instance("aws", "p4d.24xlarg", span);
    assert!(fault.helps[0].contains("p4d.24xlarge"), "{:?}", fault.helps);
    assert!(fault.helps[1].contains("node = {"), "{:?}", fault.helps);
}

/// NVIDIA, CUDA Compatibility, table 1, and its note on toolkits of 11 after 11.0.
#[test]
fn least_drivers_of_toolkits() {
    let least = |cuda: &str| {
        catalog::least_driver(&Version::parse(cuda).unwrap()).map(|facts| facts.driver.to_string())
    };
    for (cuda, driver) in [
        ("13.1", "580"),
        ("13.0", "580"),
        ("12.8", "525.60.13"),
        ("12.0", "525.60.13"),
        ("11.8", "450.80.02"),
        ("11.1", "450.80.02"),
        ("11.0", "450.51.05"),
    ] {
        assert_eq!(least(cuda), Some(Version::parse(driver).unwrap().to_string()), "{cuda}");
    }
    assert_eq!(least("10.2"), None);
}

/// What a cloud sells is never below what a host needs at least, but for the types whose row says why.
#[test]
fn what_feeds_an_accelerator() {
    let cores = |memory: &str| catalog::feeding(&Bytes::parse(memory).unwrap()).map(|facts| facts.cores);
    assert_eq!(cores("4GiB"), None);
    assert_eq!((cores("16GiB"), cores("24GiB"), cores("40GiB")), (Some(2), Some(2), Some(2)));
    assert_eq!((cores("80GiB"), cores("192GiB")), (Some(7), Some(7)));
    for facts in catalog::instances().iter().filter(|facts| facts.gpus > 0) {
        let accelerator = catalog::accelerator(&facts.accelerator).unwrap();
        let (Some(feeding), Some(vcpus)) = (catalog::feeding(&accelerator.memory), facts.vcpus) else {
            continue;
        };
        assert!(vcpus >= feeding.cores * facts.gpus, "{}", facts.instance_type);
    }
}
