//! Every shipped row is complete, consistent, and agrees with the independent table of facts.

use std::collections::BTreeSet;

use poolwright_catalog as catalog;
use poolwright_expression::quantity::{Bandwidth, Bytes};

#[test]
fn every_row_can_be_read() {
    assert_eq!(catalog::faults(), []);
    let lines = |text: &str| text.lines().count() - 1;
    assert_eq!(catalog::accelerators().len(), lines(include_str!("../data/accelerators.csv")));
    assert_eq!(catalog::instances().len(), lines(include_str!("../data/instances.csv")));
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
    let all = catalog::accelerators().iter().map(|facts| &facts.provenance);
    for provenance in all.chain(catalog::instances().iter().map(|facts| &facts.provenance)) {
        assert!(provenance.source.len() > 10, "{}", provenance.source);
        assert!((2020..=2026).contains(&provenance.date.year), "{}", provenance.source);
    }
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
    assert_eq!((p4d.gpus, p4d.vcpus, p4d.accelerator.as_str()), (8, 96, "nvidia-a100-40gb"));
    assert_eq!(p4d.memory, Bytes::parse("1152GiB").unwrap());
    assert!(p4d.provenance.verified);
    let gn7 = catalog::instance("alibaba", "ecs.gn7-c13g1.26xlarge").unwrap();
    assert_eq!((gn7.gpus, gn7.vcpus, gn7.accelerator.as_str()), (8, 104, "nvidia-a100-40gb"));
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
        assert_eq!(facts.vcpus.to_string(), cell("vcpus"), "{}", of("vCPUs"));
        assert_eq!(
            facts.memory,
            Bytes::parse(&format!("{}GiB", cell("mem_gib"))).unwrap(),
            "{}",
            of("memory")
        );
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
