//! Laws of functions over random values.

use proptest::prelude::*;

use crate::evaluate::Limits;
use crate::functions::find;
use crate::{Number, Value};

use super::TestHost;

pub(super) fn call(name: &str, arguments: &[Value]) -> Result<Value, String> {
    let function = find(name).unwrap_or_else(|| panic!("no {name}"));
    crate::evaluate::invoke(function, arguments, &TestHost, &Limits::default()).map_err(|fault| fault.message)
}

fn text() -> impl Strategy<Value = Value> {
    prop_oneof!["[a-c,; \n\"'\\\\%<&-]{0,12}", "\\PC{0,8}"].prop_map(Value::from)
}

fn number() -> impl Strategy<Value = Value> {
    (any::<i64>(), 0_u32..30).prop_map(|(n, decimals)| {
        let scale = Number::from(10_u64).powi(decimals).unwrap();
        Value::Number(Number::from(n).checked_div(&scale).unwrap())
    })
}

/// What JSON and YAML can say.
fn data() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![Just(Value::Null), any::<bool>().prop_map(Value::Bool), number(), text()];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::list),
            prop::collection::vec((text(), inner), 0..4).prop_map(|entries| {
                Value::object(
                    entries.into_iter().map(|(key, value)| (key.as_str().unwrap().to_owned(), value)),
                )
            }),
        ]
    })
}

fn map() -> impl Strategy<Value = Value> {
    prop::collection::btree_map("[a-d]", number(), 0..4).prop_map(Value::object)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn joined_is_what_was_split(whole in text(), separator in "[,;a]{1,2}") {
        let separator = Value::from(separator);
        let parts = call("split", &[separator.clone(), whole.clone()]).unwrap();
        prop_assert_eq!(call("join", &[separator, parts]), Ok(whole));
    }

    #[test]
    fn decoded_is_what_was_encoded(whole in text()) {
        for (encode, decode) in
            [("base64encode", "base64decode"), ("base64gzip", "base64gunzip"), ("urlencode", "urldecode"), ("jsonencode", "jsondecode"), ("yamlencode", "yamldecode")]
        {
            let encoded = call(encode, std::slice::from_ref(&whole)).unwrap();
            prop_assert_eq!(call(decode, &[encoded]), Ok(whole.clone()), "{}", encode);
        }
        for set in ["UTF-8", "UTF-16LE", "UTF-16BE", "gb18030"] {
            let encoded = call("textencodebase64", &[whole.clone(), set.into()]).unwrap();
            prop_assert_eq!(call("textdecodebase64", &[encoded, set.into()]), Ok(whole.clone()), "{}", set);
        }
    }

    #[test]
    fn json_and_yaml_keep_data(value in data()) {
        for (encode, decode) in [("jsonencode", "jsondecode"), ("yamlencode", "yamldecode")] {
            let encoded = call(encode, std::slice::from_ref(&value)).unwrap();
            prop_assert_eq!(call(decode, std::slice::from_ref(&encoded)), Ok(value.clone()), "{}", encoded);
        }
        // JSON is YAML.
        let encoded = call("jsonencode", std::slice::from_ref(&value)).unwrap();
        if let Ok(decoded) = call("yamldecode", std::slice::from_ref(&encoded)) {
            prop_assert_eq!(decoded, value);
        }
    }

    #[test]
    fn quoted_text_reads_back(whole in text()) {
        let quoted = call("format", &["%q".into(), whole.clone()]).unwrap();
        prop_assert_eq!(call("jsondecode", &[quoted]), Ok(whole));
    }

    #[test]
    fn sorting_twice_is_sorting_once(items in prop::collection::vec(text(), 0..8)) {
        let sorted = call("sort", &[Value::list(items)]).unwrap();
        prop_assert_eq!(call("sort", std::slice::from_ref(&sorted)), Ok(sorted.clone()));
        let turned = call("reverse", std::slice::from_ref(&sorted)).unwrap();
        prop_assert_eq!(call("reverse", &[turned]), Ok(sorted));
    }

    #[test]
    fn merging_is_associative(a in map(), b in map(), c in map()) {
        let merge = |a: &Value, b: &Value| call("merge", &[a.clone(), b.clone()]).unwrap();
        prop_assert_eq!(merge(&merge(&a, &b), &c), merge(&a, &merge(&b, &c)));
        prop_assert_eq!(merge(&a, &a), a.clone());
        prop_assert_eq!(merge(&a, &Value::object::<&str>([])), a);
    }

    #[test]
    fn zipped_is_what_was_taken_apart(map in map()) {
        let keys = call("keys", std::slice::from_ref(&map)).unwrap();
        let values = call("values", std::slice::from_ref(&map)).unwrap();
        prop_assert_eq!(call("zipmap", &[keys, values]), Ok(map));
    }

    #[test]
    fn chunks_flatten_to_the_list(items in prop::collection::vec(number(), 0..20), size in 1_u64..6) {
        let list = Value::list(items);
        let chunks = call("chunklist", &[list.clone(), Value::number(size)]).unwrap();
        prop_assert_eq!(call("flatten", &[chunks]), Ok(list));
    }

    #[test]
    fn text_turned_twice_is_itself(whole in "[a-z\u{e4}\u{1f600} ]{0,12}") {
        let whole = Value::from(whole);
        let turned = call("strrev", std::slice::from_ref(&whole)).unwrap();
        prop_assert_eq!(call("strrev", &[turned]), Ok(whole));
    }

    #[test]
    fn digits_read_back_in_every_base(n in any::<i64>(), base in 2_u32..37) {
        let number = Number::from(n);
        let digits = number.to_radix(base).unwrap();
        prop_assert_eq!(Number::from_radix(&digits, base), Ok(number));
    }

    /// The logarithm of a power is the exponent, and a root's power is the number, to twenty digits.
    #[test]
    fn logarithms_and_roots_undo_powers(base in 2_i64..40, exponent in -30_i64..30, root in 2_i64..9) {
        let (base, exponent) = (Number::from(base), Number::from(exponent));
        let power = base.pow(&exponent).unwrap().unwrap();
        prop_assert_eq!(power.log(&base), Ok(exponent));
        let whole = base.powi(root as u32).unwrap();
        prop_assert_eq!(whole.pow(&Number::ratio(1, root).unwrap()), Ok(Some(base)));
    }

    #[test]
    fn rounded_values_are_within_half_a_digit(n in 2_i64..1_000_000, d in 1_i64..1000) {
        let number = Number::ratio(n, d).unwrap();
        prop_assume!(number != Number::ONE);
        let half = Number::ratio(1, 2).unwrap();
        let root = number.pow(&half).unwrap().unwrap();
        // The square of the root is the number, but for 1 in 10^19.
        let off = root.checked_mul(&root).unwrap().checked_sub(&number).unwrap().abs();
        let least = number.checked_div(&Number::from(10_u64).powi(19).unwrap()).unwrap();
        prop_assert!(off <= least, "{} {}", number, root);
        prop_assert!((number.log(&Number::from(10_u64)).unwrap().to_f64() - number.to_f64().log10()).abs() < 1e-9);
    }

    #[test]
    fn exponent_form_reads_back(n in any::<i64>(), d in 1_u32..1_000_000) {
        let number = Number::from(n).checked_div(&Number::from(d)).unwrap();
        let written = call("format", &["%.30e".into(), Value::Number(number.clone())]).unwrap();
        let back = Number::parse(written.as_str().unwrap()).unwrap();
        let off = back.checked_sub(&number).unwrap().abs();
        prop_assert!(off <= number.abs().checked_div(&Number::from(10_u64).powi(29).unwrap()).unwrap());
    }

    #[test]
    fn parts_of_a_network_lie_in_it(a in any::<u32>(), prefix in 1_u32..25, bits in 0_u32..8, n in any::<u32>()) {
        let network = Value::from(format!("{}/{prefix}", std::net::Ipv4Addr::from(a)));
        let part = call("cidrsubnet", &[network.clone(), Value::number(bits), Value::number(n % (1 << bits))]).unwrap();
        prop_assert_eq!(call("cidrcontains", &[network, part.clone()]), Ok(Value::Bool(true)));
        let host = call("cidrhost", &[part.clone(), Value::number(0_u32)]).unwrap();
        prop_assert_eq!(call("cidrcontains", &[part, host]), Ok(Value::Bool(true)));
    }

    #[test]
    fn time_added_and_taken_away_is_none(days in 0_i64..10_000, seconds in -100_000_000_i64..100_000_000) {
        let start = Value::from("2027-01-31T08:00:00+05:30");
        let start = call("timeadd", &[start, format!("{}h", days * 24).into()]).unwrap();
        let later = call("timeadd", &[start.clone(), format!("{seconds}s").into()]).unwrap();
        prop_assert_eq!(call("timecmp", &[later.clone(), start.clone()]), Ok(Value::number(seconds.signum())));
        prop_assert_eq!(call("timeadd", &[later, format!("{}s", -seconds).replace("--", "").into()]), Ok(start));
    }

    /// Any function with any arguments gives a value or a fault with words.
    #[test]
    fn no_function_panics(
        name in prop::sample::select(crate::functions::all().map(|function| function.name).collect::<Vec<_>>()),
        arguments in prop::collection::vec(data(), 0..4),
    ) {
        match call(name, &arguments) {
            Ok(value) => prop_assert!(!value.to_string().is_empty()),
            Err(message) => prop_assert!(!message.is_empty()),
        }
    }
}
