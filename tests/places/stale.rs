//! Saved plans whose targets came, went or were protected since.

use super::{directory, remove_block, with_extra};
use crate::support::{base, poolwright, tree};

#[test]
fn a_saved_plan_does_not_outlive_the_place_it_is_for() {
    // The target came back, somewhere else.
    let folder = with_extra();
    let path = folder.path();
    let block = std::fs::read_to_string(path.join("extra.pool.hcl")).unwrap();
    remove_block(path);
    poolwright(path, &["plan", "-o", "saved"]).expect(2);
    std::fs::write(path.join("extra.pool.hcl"), block.replace("live/extra", "live/y")).unwrap();
    poolwright(path, &["apply", "--auto-approve"]).expect(0);
    let before = tree(path);
    let run = poolwright(path, &["apply", "saved"]).expect(5);
    assert!(run.stderr.contains("PW6108"), "{}", run.all());
    assert_eq!(tree(path), before);

    // It went before the plan was applied: nothing is made to remove it.
    remove_block(path);
    poolwright(path, &["plan", "-o", "saved"]).expect(2);
    poolwright(path, &["apply", "saved"]).expect(0);
    let before = tree(path);
    poolwright(path, &["apply", "saved"]).expect(0);
    assert_eq!(tree(path), before);

    // A move whose target is gone.
    let folder = with_extra();
    let path = folder.path();
    directory(path, "live/extra", "live/y");
    poolwright(path, &["plan", "-o", "saved"]).expect(2);
    remove_block(path);
    let run = poolwright(path, &["apply", "saved"]).expect(5);
    assert!(run.stderr.contains("PW6108"), "{}", run.all());
}

/// A saved plan destroys what it lists, and nothing that came or was protected since.
#[test]
fn a_saved_plan_stops_at_what_was_protected_since() {
    let folder = with_extra();
    let path = folder.path();
    let block = std::fs::read_to_string(path.join("extra.pool.hcl")).unwrap();
    remove_block(path);
    poolwright(path, &["plan", "-o", "saved"]).expect(2);
    let more = "\nqueue \"more\" {\n  class   = class.batch\n  tenants = [tenant.nlp]\n  pools   = [pool.extra]\n  protect = true\n}\n";
    std::fs::write(path.join("extra.pool.hcl"), format!("{block}{more}")).unwrap();
    poolwright(path, &["apply", "--auto-approve"]).expect(0);
    remove_block(path);
    let before = tree(path);
    let run = poolwright(path, &["apply", "saved"]).expect(5);
    assert!(run.stderr.contains("appeared since"), "{}", run.all());
    assert_eq!(tree(path), before);

    // On Slurm only the manifest knows of protection.
    let folder = base();
    let path = folder.path();
    let people = path.join("people.pool.hcl");
    poolwright(path, &["apply", "--auto-approve"]).expect(0);
    let with = std::fs::read_to_string(&people).unwrap();
    let without = with.split("queue \"batch\"").next().unwrap().to_owned();
    std::fs::write(&people, &without).unwrap();
    poolwright(path, &["plan", "-o", "saved"]).expect(2);
    std::fs::write(&people, with.replace("queue \"batch\" {", "queue \"batch\" {\n  protect = true"))
        .unwrap();
    poolwright(path, &["apply", "--auto-approve"]).expect(0);
    std::fs::write(&people, without).unwrap();
    let run = poolwright(path, &["apply", "saved"]).expect(5);
    assert!(run.stderr.contains("is protected since"), "{}", run.all());
}

#[test]
fn a_saved_move_of_what_is_gone_is_stale() {
    let folder = with_extra();
    let path = folder.path();
    directory(path, "live/extra", "live/y");
    poolwright(path, &["plan", "-o", "saved"]).expect(2);
    std::fs::remove_dir_all(path.join("live/extra")).unwrap();
    let run = poolwright(path, &["apply", "saved"]).expect(5);
    assert!(run.stderr.contains("is not where it was"), "{}", run.all());
}
