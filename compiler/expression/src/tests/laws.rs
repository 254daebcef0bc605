//! Laws over random values.

use std::sync::Arc;

use poolwright_diagnostics::Span;
use proptest::prelude::*;

use super::{TestHost, scope};
use crate::expr::{ForExpr, ObjectItem, Step, TemplatePart};
use crate::quantity::*;
use crate::{
    BinaryOp, Expr, ExprKind, Number, Symbol, Type, UnaryOp, Value, convert, evaluate, functions, to_json,
};

fn number() -> impl Strategy<Value = Number> {
    let small = (any::<i32>(), 1_i64..1000).prop_map(|(n, d)| Number::ratio(n.into(), d).unwrap());
    let whole = any::<i64>().prop_map(Number::from);
    let big = ("[1-9][0-9]{0,40}", 0_usize..30).prop_map(|(digits, decimals)| {
        let scale = Number::from(10_u64).powi(decimals as u32).unwrap();
        Number::parse(&digits).unwrap().checked_div(&scale).unwrap()
    });
    prop_oneof![small, whole, big.clone(), big.prop_map(|n| n.neg())]
}

fn decimal(digits: u32) -> impl Strategy<Value = Number> {
    (0_i64..1_000_000_000_000)
        .prop_map(move |n| Number::from(n).checked_div(&Number::from(10_u64).powi(digits).unwrap()).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn numbers_form_a_field(a in number(), b in number(), c in number()) {
        let add = |a: &Number, b: &Number| a.checked_add(b).unwrap();
        let mul = |a: &Number, b: &Number| a.checked_mul(b).unwrap();
        prop_assert_eq!(add(&a, &b), add(&b, &a));
        prop_assert_eq!(add(&add(&a, &b), &c), add(&a, &add(&b, &c)));
        prop_assert_eq!(mul(&mul(&a, &b), &c), mul(&a, &mul(&b, &c)));
        prop_assert_eq!(mul(&a, &add(&b, &c)), add(&mul(&a, &b), &mul(&a, &c)));
        prop_assert_eq!(add(&a, &a.neg()), Number::ZERO);
        if !b.is_zero() {
            prop_assert_eq!(mul(&a.checked_div(&b).unwrap(), &b), a.clone());
            let rest = a.checked_rem(&b).unwrap();
            prop_assert!(rest.abs() < b.abs());
            prop_assert!(rest.is_zero() || rest.is_negative() == a.is_negative());
        }
        prop_assert_eq!(a.cmp(&b), a.checked_sub(&b).unwrap().cmp(&Number::ZERO));
        prop_assert!(a.floor() <= a && a <= a.ceil() && a.floor().is_integer());
    }

    #[test]
    fn numbers_survive_text_and_json(a in number()) {
        prop_assert_eq!(&Number::parse_exact(&a.to_exact_string()).unwrap(), &a);
        let json = serde_json::to_string(&a).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Number>(&json).unwrap(), &a);
        let rounded = a.round_half_even(3);
        prop_assert_eq!(Number::parse(&a.to_decimal_string(3)).unwrap(), rounded.clone());
        let half = Number::ratio(1, 2000).unwrap();
        prop_assert!(rounded.checked_sub(&a).unwrap().abs() <= half);
        let shown = Number::parse(&a.to_string()).unwrap();
        if a.decimals().is_some() {
            prop_assert_eq!(shown, a);
        } else {
            let relative = shown.checked_sub(&a).unwrap().checked_div(&a).unwrap().abs();
            prop_assert!(relative < Number::parse("1e-19").unwrap());
        }
    }

    #[test]
    fn parsing_never_panics(text in "\\PC{0,30}", units in "[-$€£¥A-Z0-9a-z./%:=\\[\\], ~><]{0,24}") {
        for text in [&text, &units] {
            let _ = Number::parse(text);
            let _ = Duration::parse(text);
            let _ = Bytes::parse(text);
            let _ = Bandwidth::parse(text);
            let _ = Power::parse(text);
            let _ = Energy::parse(text);
            let _ = Percent::parse(text);
            let _ = Money::parse(text);
            let _ = Range::parse(text);
            let _ = Hosts::parse(text);
            let _ = Date::parse(text);
            let _ = Version::parse(text);
            let _ = VersionConstraint::parse(text);
            let _ = Taint::parse(text);
            let _ = Pattern::parse(text).map(|pattern| pattern.matches(text));
        }
    }

    #[test]
    fn quantities_survive_text(n in decimal(3), min in any::<u64>(), span in proptest::option::of(0_u64..1000), money in decimal(2)) {
        let duration = Duration(n.clone());
        prop_assert_eq!(Duration::parse(&duration.to_string()).unwrap(), duration);
        let bytes = Bytes(n.floor());
        prop_assert_eq!(Bytes::parse(&bytes.to_string()).unwrap(), bytes);
        let bandwidth = Bandwidth(n.floor());
        prop_assert_eq!(Bandwidth::parse(&bandwidth.to_string()).unwrap(), bandwidth);
        let power = Power(n.clone());
        prop_assert_eq!(Power::parse(&power.to_string()).unwrap(), power);
        let energy = Energy(n.clone());
        prop_assert_eq!(Energy::parse(&energy.to_string()).unwrap(), energy);
        let percent = Percent(n);
        prop_assert_eq!(Percent::parse(&percent.to_string()).unwrap(), percent);
        let range = Range { min, max: span.map(|span| min.saturating_add(span)) };
        prop_assert_eq!(Range::parse(&range.to_string()).unwrap(), range);
        for (per, time) in [(None, None), (None, Some(PerTime::Month)), (Some(PerUnit::Gpu), Some(PerTime::Hour)), (Some(PerUnit::KilowattHour), None)] {
            for currency in [Currency::USD, Currency::EUR, Currency(*b"CNY")] {
                let money = Money { amount: money.clone(), currency, per, time };
                prop_assert_eq!(&Money::parse(&money.to_string()).unwrap(), &money);
                prop_assert_eq!(&Money::parse(&money.neg().to_string()).unwrap(), &money.neg());
                let json = serde_json::to_string(&money).unwrap();
                prop_assert_eq!(serde_json::from_str::<Money>(&json).unwrap(), money);
            }
        }
    }

    #[test]
    fn hosts_survive_folding(names in proptest::collection::btree_set("[a-b][0-9]{0,3}(-[c0-9]{0,3}[0-9])?", 0..30), order in any::<u64>()) {
        let mut names: Vec<String> = names.into_iter().collect();
        let length = names.len().max(1);
        names.rotate_left((order as usize) % length);
        if order % 2 == 0 {
            names.reverse();
        }
        let hosts = Hosts::from_names(names).unwrap();
        let folded = hosts.fold();
        prop_assert_eq!(&serde_json::from_str::<Hosts>(&serde_json::to_string(&folded).unwrap()).unwrap(), &hosts);
    }

    #[test]
    fn random_expressions_never_panic(expr in expression()) {
        let first = evaluate(&expr, &scope(), &TestHost);
        let again = evaluate(&expr, &scope(), &TestHost);
        prop_assert_eq!(&first, &again);
        match first {
            Ok(value) => {
                prop_assert!(!matches!(&value, Value::Sensitive(inner) if matches!(**inner, Value::Sensitive(_))));
                let _ = (value.to_string(), to_json(&value), value.type_name(), value.type_of());
                for ty in [Type::String, Type::Duration, Type::Range, Type::List(Box::new(Type::Number))] {
                    if let Ok(converted) = convert(&value, &ty) {
                        prop_assert_eq!(convert(&converted, &ty), Ok(converted));
                    }
                }
            }
            Err(diagnostic) => {
                let whole = format!("{diagnostic:?}");
                prop_assert!(!diagnostic.message.is_empty() && !whole.contains("hunter2"));
            }
        }
    }
}

fn expr(kind: ExprKind) -> Expr {
    Expr { kind, span: Span::default() }
}

fn leaf() -> impl Strategy<Value = Expr> {
    let text = ["a", "15m", "$2.10/gpu/h", "50%", "400Gbps", "80GiB", "8kW", "1", "true", "0..4", ""];
    let names = [
        "self",
        "pool",
        "names",
        "objs",
        "limits",
        "t",
        "u",
        "un",
        "ud",
        "secret",
        "secret_number",
        "secret_flag",
        "v",
        "missing",
    ];
    let quantities = ["15m", "0s"]
        .map(|text| Value::from(Duration::parse(text).unwrap()))
        .into_iter()
        .chain(["$2/gpu/h", "€5", "$0.09/kWh", "$1/day"].map(|text| Value::from(Money::parse(text).unwrap())))
        .chain([
            Bytes::parse("1GiB").unwrap().into(),
            Bandwidth::parse("8Gbps").unwrap().into(),
            Power::parse("1kW").unwrap().into(),
            Energy::parse("1kWh").unwrap().into(),
            Percent::parse("50%").unwrap().into(),
            Count::gpus(8_u64).into(),
            Count::nodes(0_u64).into(),
            Range { min: 1, max: None }.into(),
            Date::parse("2027-01-31").unwrap().into(),
            Version::parse("1.2").unwrap().into(),
            Hosts::parse("n[1-2]").unwrap().into(),
        ])
        .collect::<Vec<Value>>();
    let literal = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        number().prop_map(Value::Number),
        (-3_i64..4).prop_map(Value::number),
        proptest::sample::select(text.to_vec()).prop_map(Value::string),
        proptest::sample::select(quantities),
    ];
    prop_oneof![
        3 => literal.prop_map(|value| expr(ExprKind::Literal(value))),
        1 => proptest::sample::select(names.to_vec()).prop_map(|name| expr(ExprKind::Symbol(Symbol::Scoped(name.into())))),
    ]
}

fn expression() -> impl Strategy<Value = Expr> {
    leaf().prop_recursive(6, 48, 4, |inner| {
        let operators = [
            BinaryOp::Or, BinaryOp::And, BinaryOp::Equal, BinaryOp::NotEqual, BinaryOp::Less, BinaryOp::GreaterOrEqual,
            BinaryOp::Add, BinaryOp::Subtract, BinaryOp::Multiply, BinaryOp::Divide, BinaryOp::Remainder,
        ];
        // `nonsensitive` shows what it is given: that is what it is for.
        let functions: Vec<Arc<str>> = functions::all()
            .map(|function| function.name.into())
            .filter(|name: &Arc<str>| &**name != "nonsensitive")
            .chain(["nonsense".into()])
            .collect();
        let step = prop_oneof![
            proptest::sample::select(vec!["name", "gpus", "max", "x"]).prop_map(|name| Step::Attribute(name.into(), Span::default())),
            inner.clone().prop_map(Step::Index),
            (0_u64..3).prop_map(|index| Step::LegacyIndex(index, Span::default())),
            Just(Step::AttributeSplat(Span::default())),
            Just(Step::FullSplat(Span::default())),
        ];
        let many = || proptest::collection::vec(inner.clone(), 0..4);
        prop_oneof![
            1 => many().prop_map(|items| expr(ExprKind::List(items))),
            1 => proptest::collection::vec((inner.clone(), inner.clone()), 0..3).prop_map(|items| {
                expr(ExprKind::Object(items.into_iter().map(|(key, value)| ObjectItem { key, value }).collect()))
            }),
            1 => (inner.clone(), proptest::collection::vec(step, 1..4)).prop_map(|(base, steps)| expr(ExprKind::Traversal(Box::new(base), steps))),
            4 => (proptest::sample::select(functions), many(), any::<bool>()).prop_map(|(name, arguments, expand)| {
                expr(ExprKind::Call(name, Span::default(), arguments, expand))
            }),
            1 => (any::<bool>(), inner.clone()).prop_map(|(not, operand)| {
                expr(ExprKind::Unary(if not { UnaryOp::Not } else { UnaryOp::Negate }, Box::new(operand)))
            }),
            4 => (proptest::sample::select(operators.to_vec()), inner.clone(), inner.clone()).prop_map(|(op, left, right)| {
                expr(ExprKind::Binary(op, Span::default(), Box::new((left, right))))
            }),
            1 => (inner.clone(), inner.clone(), inner.clone()).prop_map(|parts| expr(ExprKind::Conditional(Box::new(parts)))),
            1 => (inner.clone(), inner.clone(), proptest::option::of(inner.clone()), proptest::option::of(inner.clone()), any::<bool>()).prop_map(
                |(collection, result, key_result, condition, grouping)| {
                    expr(ExprKind::For(Box::new(ForExpr {
                        key: grouping.then(|| "k".into()), value: "v".into(), collection, key_result, result, condition, grouping,
                    })))
                }
            ),
            1 => (inner.clone(), inner.clone()).prop_map(|(condition, body)| {
                expr(ExprKind::Template(vec![
                    TemplatePart::Literal("x".into()),
                    TemplatePart::If(condition, vec![TemplatePart::Interpolation(body.clone())], vec![]),
                    TemplatePart::For(None, "v".into(), body, vec![TemplatePart::Literal("y".into())]),
                ]))
            }),
        ]
    })
}
