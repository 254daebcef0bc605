//! Functions that people know from OpenTofu and that this language has not, each with the reason.

/// A function that there is not.
#[derive(Clone, Copy, Debug)]
pub struct Excluded {
    /// Its name elsewhere.
    pub name: &'static str,
    /// Why it is not here.
    pub why: &'static str,
    /// What to do instead.
    pub instead: &'static str,
}

const CLOCK: &str = "the language has no clock: same files, same plan";
const MACHINE: &str = "a plan must not depend on the machine that makes it";
const CHANCE: &str = "the language has no chance: same files, same plan";

const EXCLUDED: &[Excluded] = &[
    row("timestamp", CLOCK, "write the time as text, or let a policy compare with `now`"),
    row("plantimestamp", CLOCK, "write the time as text, or let a policy compare with `now`"),
    row("uuid", CHANCE, "`uuidv5(\"dns\", name)` gives the same id for the same name"),
    row("bcrypt", CHANCE, "make the hash outside, and refer to the secret by its name"),
    row(
        "rsadecrypt",
        "secrets never enter a plan, only references to them",
        "refer to the secret by its name",
    ),
    row("abspath", MACHINE, "paths are relative to the fleet's folder"),
    row("pathexpand", MACHINE, "paths are relative to the fleet's folder"),
    row("env", MACHINE, "declare a variable and give its value on the command line"),
    row("getenv", MACHINE, "declare a variable and give its value on the command line"),
    row("ephemeralasnull", "no value is ephemeral here", "leave the call out"),
    row("list", "a list is written in brackets", "write `[a, b]`"),
    row("map", "a map is written in braces", "write `{ a = 1 }`"),
    row(
        "defaults",
        "types have defaults themselves",
        "write `optional(type, default)` in the variable's type",
    ),
    row("gunzipbase64", "its name is `base64gunzip`", "call `base64gunzip`"),
];

const fn row(name: &'static str, why: &'static str, instead: &'static str) -> Excluded {
    Excluded { name, why, instead }
}

/// All of them.
#[must_use]
pub fn excluded() -> &'static [Excluded] {
    EXCLUDED
}
