//! Top-level blocks in another order and in other files: the same fleet, the same objects, the same remarks.

use std::collections::BTreeMap;

use poolwright_diagnostics::FileId;
use poolwright_driver::ENDING;
use poolwright_model::canonical;
use rayon::prelude::*;

use crate::fleets::{Fleet, examples};

/// How many orders of each fleet are tried.
const ORDERS: u64 = 4;

/// Each top-level block of a text with what stands before it: comments belong to what follows them.
fn blocks(text: &str) -> Vec<String> {
    let (file, faults) = poolwright_syntax::parse(FileId(0), text);
    assert!(faults.is_empty(), "{faults:?}");
    assert_eq!(file.body.attributes().count(), 0, "attributes outside of blocks");
    let mut start = 0;
    let mut all = Vec::new();
    for block in file.body.blocks() {
        let end = block.span.end as usize;
        let end = end + text[end..].find('\n').map_or(text.len() - end, |at| at + 1);
        all.push(text[start..end].to_owned());
        start = end;
    }
    all
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}

/// The fleet with the blocks of its root folder in another order, in up to four files.
fn shuffled(fleet: &Fleet, seed: u64) -> Fleet {
    let mut dice = Dice(seed);
    let is_root = |file: &str| file.ends_with(ENDING) && !file.contains('/');
    let (root, mut files): (BTreeMap<_, _>, BTreeMap<_, _>) =
        fleet.files.clone().into_iter().partition(|(file, _)| is_root(file));
    let mut all: Vec<String> = root.values().flat_map(|text| blocks(text)).collect();
    dice.shuffle(&mut all);
    let count = 1 + dice.below(4);
    for block in all {
        let file = format!("part-{}{ENDING}", dice.below(count));
        files.entry(file).or_default().push_str(&block);
    }
    // A module's files have an order as little as those of the root.
    for (file, text) in files.iter_mut().filter(|(file, _)| file.ends_with(ENDING) && file.contains('/')) {
        let mut all = blocks(text);
        dice.shuffle(&mut all);
        *text = all.concat();
        assert!(!text.is_empty(), "{file}");
    }
    Fleet { name: fleet.name.clone(), files, broken: Default::default() }
}

/// Everything that a run gives but places: the fleet, the objects and the remarks.
fn outcome(fleet: &Fleet) -> String {
    let found = fleet.run().unwrap();
    let mut said: Vec<String> = found
        .diagnostics
        .iter()
        .map(|it| format!("{} {} {:?} {:?}", it.severity.as_str(), it.message, it.notes, it.helps))
        .collect();
    said.sort();
    let Some(compiled) = found.compiled else { return said.join("\n") };
    let mut all = vec![canonical::to_string(&compiled.fleet).unwrap()];
    for (target, objects) in &compiled.objects {
        for object in objects {
            all.push(format!(
                "{target} {} {} {} {:?}",
                object.address,
                object.kind,
                canonical::to_string(&object.body).unwrap(),
                object.depends_on
            ));
        }
    }
    all.extend(said);
    all.join("\n")
}

#[test]
fn blocks_have_no_order() {
    let wrong: Vec<String> = examples()
        .par_iter()
        .filter_map(|fleet| {
            let wanted = outcome(fleet);
            let seed = (1..=ORDERS).find(|seed| outcome(&shuffled(fleet, *seed)) != wanted)?;
            let other = outcome(&shuffled(fleet, seed));
            let (one, two) = wanted.lines().zip(other.lines()).find(|(a, b)| a != b)?;
            Some(format!("{} in order {seed}:\n  {one}\n  {two}", fleet.name))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
