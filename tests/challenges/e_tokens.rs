//! "Fifty-five countable tokens on ten clusters, exceptions per cluster, five rollout rings. -> Kueue"

use std::collections::BTreeMap;

use crate::compiled::{compiled, refused, remarks};

#[test]
fn fifty_five_tokens_on_ten_clusters() {
    let fleet = compiled("05-tokens").fleet;
    assert_eq!(fleet.pools.len(), 10);
    for pool in fleet.pools.values() {
        assert_eq!(pool.tokens.as_ref().unwrap().len(), 55, "{}", pool.meta.address);
        let of = |kind: &str| {
            pool.tokens
                .iter()
                .flatten()
                .map(|(token, _)| token)
                .filter(|token| token.starts_with(kind))
                .count()
        };
        assert_eq!((of("machine/class-"), of("licence/seat-"), of("net/ip-block-")), (40, 10, 5));
    }
    let queue = &fleet.queues["queue.pipelines"];
    assert_eq!((queue.tokens.len(), queue.pools.len(), queue.shared), (10, 0, true));
}

/// 200 of each, but for what the exceptions say of two clusters.
#[test]
fn exceptions_are_of_their_cluster() {
    let fleet = compiled("05-tokens").fleet;
    let mut others = BTreeMap::new();
    for pool in fleet.pools.values() {
        for (token, count) in pool.tokens.iter().flatten().filter(|(_, count)| **count != 200) {
            others.insert(format!("{} {token}", pool.cluster), *count);
        }
    }
    let wanted = [
        ("target.kubernetes.c[\"c03\"] licence/seat-01", 12),
        ("target.kubernetes.c[\"c07\"] machine/class-05", 0),
        ("target.kubernetes.c[\"c07\"] net/ip-block-2", 16),
    ];
    assert_eq!(others, wanted.into_iter().map(|(place, count)| (place.to_owned(), count)).collect());
}

#[test]
fn five_rings() {
    let fleet = compiled("05-tokens").fleet;
    let mut rings: BTreeMap<u8, Vec<&str>> = BTreeMap::new();
    for target in fleet.targets.values() {
        rings.entry(target.ring).or_default().push(&target.meta.name);
    }
    let wanted: [(u8, Vec<&str>); 5] = [
        (0, vec!["c01"]),
        (1, vec!["c02", "c03"]),
        (2, vec!["c04", "c05", "c06"]),
        (3, vec!["c07", "c08"]),
        (4, vec!["c09", "c10"]),
    ];
    assert_eq!(rings, wanted.into_iter().collect());
}

/// Its own check, "no token is missing anywhere", holds: there is no remark.
#[test]
fn tokens_and_the_shared_queue_come_later_and_nothing_else() {
    assert_eq!(
        refused("05-tokens"),
        [
            "pool.tokens[\"c01\"].tokens, 9 more blocks of this place",
            "queue.pipelines.tokens",
            "queue.pipelines.shared"
        ]
    );
    assert_eq!(remarks(&compiled("05-tokens")), Vec::<String>::new());
}
