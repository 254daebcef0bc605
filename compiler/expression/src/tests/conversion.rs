//! Values brought to types.

use std::sync::Arc;

use super::run;
use crate::{Field, ObjectType, Type, Value, codes, convert};

fn words(words: &[&str]) -> Arc<[Arc<str>]> {
    words.iter().map(|word| Arc::from(*word)).collect()
}

fn field(name: &str, ty: Type, required: bool) -> Field {
    Field { name: name.into(), ty, required }
}

fn list(ty: Type) -> Type {
    Type::List(Box::new(ty))
}

/// The converted value of an expression as text, or all faults as `path: message | help`.
fn converted(text: &str, ty: &Type) -> String {
    match convert(&run(text).unwrap(), ty) {
        Ok(value) => value.to_string(),
        Err(faults) => {
            let line = |fault: &crate::ConvertFault| {
                let help = fault.help.as_ref().map(|help| format!(" | {help}")).unwrap_or_default();
                format!("{}: {}{help}", fault.path_text(), fault.message)
            };
            faults.iter().map(line).collect::<Vec<_>>().join("\n")
        }
    }
}

fn table(ty: &Type, rows: &[(&str, &str)]) {
    for (text, wanted) in rows {
        assert_eq!(converted(text, ty), *wanted, "{text} as {ty:?}");
    }
}

#[test]
fn plain_types() {
    table(&Type::Bool, &[("\"true\"", "true"), ("1", ": a bool is wanted, not a number: 1")]);
    table(
        &Type::Number,
        &[("\"1.5\"", "1.5"), ("gpus(8)", "8"), ("\"x\"", ": a number is wanted, not text: \"x\"")],
    );
    let integer = Type::Integer { min: Some(1), max: Some(8) };
    table(
        &integer,
        &[
            ("8", "8"),
            ("\"8\"", "8"),
            ("9", ": a whole number from 1 to 8 is wanted, not 9"),
            ("1.5", ": a whole number from 1 to 8 is wanted, not 1.5"),
        ],
    );
    table(
        &Type::Integer { min: None, max: None },
        &[("0 - 1", ": a whole number is wanted, not -1"), ("0", "0")],
    );
    table(
        &Type::String,
        &[
            ("5", "\"5\""),
            ("true", "\"true\""),
            ("duration(\"1h\")", "\"1h\""),
            ("gpus(8)", "\"8\""),
            ("pool.a", ": text is wanted, not a reference to a pool: pool.a | use its `.name` or `.address`"),
            ("[1]", ": text is wanted, not a list"),
        ],
    );
    let name_help = " | names are lower-case letters, digits and single hyphens, a letter first, at most 40";
    table(
        &Type::Name,
        &[
            ("\"aws-a100-spot\"", "\"aws-a100-spot\""),
            ("\"Aws\"", &format!(": \"Aws\" is not a name: `A` is upper case{name_help}")),
            ("\"a_b\"", &format!(": \"a_b\" is not a name: `_` may not stand in it; use `-`{name_help}")),
            (
                "\"a--b\"",
                &format!(": \"a--b\" is not a name: `--` joins names and may not stand in one{name_help}"),
            ),
            ("\"1a\"", &format!(": \"1a\" is not a name: it does not start with a letter{name_help}")),
            ("\"a-\"", &format!(": \"a-\" is not a name: it ends with a hyphen{name_help}")),
        ],
    );
    assert!(convert(&Value::string(&"a".repeat(41)), &Type::Name).is_err());
    assert!(convert(&Value::string(&"a".repeat(40)), &Type::Name).is_ok());
    table(
        &Type::Path,
        &[
            ("\"live/eks\"", "\"live/eks\""),
            ("\"/etc\"", ": \"/etc\" is not a relative path: it begins at the root"),
        ],
    );
    table(
        &Type::Enum(words(&["spot", "on-demand", "owned"])),
        &[
            ("\"spot\"", "\"spot\""),
            (
                "\"ondemand\"",
                ": one of \"spot\", \"on-demand\", \"owned\" is wanted, not \"ondemand\" | a word with a similar name exists: `on-demand`",
            ),
        ],
    );
}

#[test]
fn quantities() {
    table(
        &Type::Duration,
        &[
            ("\"15m\"", "15m"),
            ("duration(\"15m\")", "15m"),
            (
                "15",
                ": a duration such as \"15m\" is wanted, not a number: 15 | a bare number has no unit: write \"15s\", \"15m\" or \"15h\"",
            ),
            (
                "\"15min\"",
                ": \"15min\" is not a duration: \"min\" is no unit of it | minutes are written \"m\": \"15m\"",
            ),
            ("\"-15m\"", ": a duration may not be negative here: -15m"),
            ("money(\"$5\")", ": a duration such as \"15m\" is wanted, not money: $5.00"),
        ],
    );
    table(&Type::Bytes, &[("\"80GB\"", "80GB")]);
    table(
        &Type::Money(words(&["gpu/h", "node/h"])),
        &[
            ("\"$2.10/gpu/h\"", "$2.1000/gpu/h"),
            (
                "\"$2.10\"",
                ": money such as \"$2.10/gpu/h\" or \"$16.80/node/h\" is wanted, not money that is a total: $2.10 | write \"$2.10/gpu/h\" or \"$2.10/node/h\"",
            ),
            (
                "\"$2.10/month\"",
                ": money such as \"$2.10/gpu/h\" or \"$16.80/node/h\" is wanted, not money that is per month: $2.10/month | write `/gpu/h` or `/node/h`",
            ),
        ],
    );
    table(&Type::Money(words(&[])), &[("\"$2.10\"", "$2.10"), ("\"-$2.10/h\"", "-$2.10/h")]);
    table(
        &Type::Percent,
        &[
            ("\"15%\"", "15%"),
            (
                "0.15",
                ": a percentage such as \"15%\" is wanted, not a number: 0.15 | a plain number is no percentage: write \"15%\"",
            ),
        ],
    );
    table(
        &Type::Range,
        &[
            ("\"0..16\"", "0..16"),
            ("16", "16"),
            ("gpus(4)", "4"),
            ("0.5", ": a range goes over whole numbers from 0, not 0.5"),
        ],
    );
    table(&Type::Hosts, &[("\"n[1-2]\"", "n[1-2]"), ("[\"n[1-2]\", \"n3\"]", "n[1-3]")]);
    table(
        &Type::Version,
        &[
            ("\"1.30\"", "1.30"),
            (
                "1.30",
                ": a version such as \"0.19\" is wanted, not a number: 1.3 | write it in quotes: as a number 1.30 would be 1.3",
            ),
        ],
    );
    table(&Type::Constraint, &[("\">= 0.1\"", "\">= 0.1\"")]);
    table(&Type::Date, &[("\"2027-01-31\"", "2027-01-31")]);
    table(&Type::Taint, &[("\"k=v:NoSchedule\"", "k=v:NoSchedule")]);
    table(&Type::Pattern, &[("\"eu-*\"", "eu-*")]);
}

#[test]
fn every_fault_has_its_path() {
    let object = ObjectType {
        fields: vec![
            field("gpus", Type::Range, true),
            field("pools", list(Type::Block(words(&["pool"]))), false),
            field("run_time", Type::Duration, false),
        ],
    };
    let ty = list(Type::Object(Arc::new(object)));
    assert_eq!(
        converted(
            "[{ gpus = \"0..4\", run_time = null }, { gpu = 4, run_time = \"1x\" }, { gpus = null, pools = [pool.a, \"b\"] }]",
            &ty
        ),
        "[1].gpu: there is no key `gpu` here | a key with a similar name exists: `gpus`\n\
         [1].run_time: \"1x\" is not a duration: \"x\" is no unit of it | units of a duration: w, d, h, m, s\n\
         [1]: the key `gpus` is missing: a range such as \"0..16\" or a whole number\n\
         [2].gpus: a range such as \"0..16\" or a whole number is wanted here, not null\n\
         [2].pools[1]: a reference to a `pool` is wanted, not text: \"b\" | a reference is written without quotes: `pool.b`"
    );
    assert_eq!(converted("[{ gpus = 4 }]", &ty), "[{ gpus = 4 }]");
}

#[test]
fn lists_sets_maps() {
    table(
        &list(Type::Number),
        &[
            ("[\"1\", 2]", "[1, 2]"),
            ("toset([1])", "[1]"),
            ("5", ": a list (each element a number) is wanted, not a number: 5 | write it in brackets: [5]"),
            (
                "{ a = 1 }",
                ": a list (each element a number) is wanted, not an object | `values(x)` is the list of its values",
            ),
        ],
    );
    table(&Type::Set(Box::new(Type::String)), &[("[1, \"1\"]", "toset([\"1\"])")]);
    table(
        &Type::Map(Box::new(Type::Duration)),
        &[
            ("{ a = \"15m\" }", "{ a = 15m }"),
            (
                "{ a = 5 }",
                "a: a duration such as \"15m\" is wanted, not a number: 5 | a bare number has no unit: write \"5s\", \"5m\" or \"5h\"",
            ),
        ],
    );
}

#[test]
fn references() {
    let target = Value::object([("k", Value::block("target", "module.edge[\"a.b\"].target.kubernetes.eks"))]);
    let kubernetes = Type::Block(words(&["target.kubernetes"]));
    let block = target.get("k").unwrap();
    assert_eq!(convert(block, &kubernetes).as_ref(), Ok(block));
    assert_eq!(convert(block, &Type::Block(words(&["target"]))).as_ref(), Ok(block));
    assert!(convert(block, &Type::Block(words(&["target.slurm"]))).is_err());
    table(&Type::Block(words(&["tier"])), &[("pool.a", ": a reference to a `tier` is wanted, not `pool.a`")]);
    table(&Type::Block(words(&["tier", "pool"])), &[("pool.a", "pool.a"), ("null", "null")]);
}

#[test]
fn one_of_several() {
    let all_or_range = Type::OneOf(Arc::new([Type::Enum(words(&["all"])), Type::Range]));
    table(
        &all_or_range,
        &[
            ("\"all\"", "\"all\""),
            ("\"0..4\"", "0..4"),
            ("4", "4"),
            (
                "\"al\"",
                ": \"all\" or a range such as \"0..16\" or a whole number is wanted, not text: \"al\" | a word with a similar name exists: `all`",
            ),
            ("true", ": \"all\" or a range such as \"0..16\" or a whole number is wanted, not a bool: true"),
        ],
    );
    let object = Type::Object(Arc::new(ObjectType { fields: vec![field("gpus", Type::Range, true)] }));
    let range_or_object = Type::OneOf(Arc::new([Type::Range, object]));
    table(
        &range_or_object,
        &[
            ("{ gpus = 4 }", "{ gpus = 4 }"),
            (
                "{ gpus = \"x\" }",
                "gpus: \"x\" is not a range | a range is written \"0..16\", \"4..\", \"..16\" or \"16\"; both ends belong to it",
            ),
        ],
    );
}

#[test]
fn unknown_and_sensitive_values() {
    assert_eq!(convert(&Value::Unknown(Type::Any), &Type::Duration), Ok(Value::Unknown(Type::Duration)));
    let secret = Value::string("15m").sensitive();
    assert_eq!(converted("secret_number", &Type::String), "(sensitive)");
    assert!(matches!(convert(&secret, &Type::Duration), Ok(Value::Sensitive(_))));
    let faults =
        convert(&Value::list([Value::string("hunter2").sensitive()]), &list(Type::Duration)).unwrap_err();
    assert_eq!(faults[0].code, codes::BAD_QUANTITY);
    assert!(!format!("{faults:?}").contains("hunter2"));
    let any = Type::OneOf(Arc::new([Type::Duration, Type::Number]));
    let faults = convert(&Value::string("hunter2").sensitive(), &any).unwrap_err();
    assert!(!format!("{faults:?}").contains("hunter2"));
}
