//! The language's function `decide`.

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::Value;
use poolwright_expression::quantity::{Count, Duration, Money};
use poolwright_model::Fleet;
use poolwright_model::fleet::{Reason, Return};
use poolwright_router::{codes, decide_call};

use crate::setting::{ALIYUN, SPOT, duration, fleet, fleet_with, prices};

fn pool(address: &str) -> Value {
    Value::block("pool", address)
}

fn waited(text: &str) -> Value {
    Value::quantity(Duration::parse(text).unwrap())
}

/// The quickstart's queue, 8 GPUs, and more.
fn call_in(fleet: &Fleet, more: Vec<(&str, Value)>) -> Result<Value, Box<Diagnostic>> {
    let mut arguments = vec![
        ("queue", Value::block("queue", "queue.cost-optimized")),
        ("gpus", Value::number(8)),
        ("waited", waited("0s")),
    ];
    arguments.extend(more);
    decide_call(&Value::object(arguments), fleet, &prices(), Span::default())
}

fn call(more: Vec<(&str, Value)>) -> [Value; 4] {
    parts(&call_in(&fleet(), more).unwrap())
}

fn parts(value: &Value) -> [Value; 4] {
    ["open", "admit", "reason", "next"].map(|key| value.get(key).unwrap().clone())
}

fn fault(more: Vec<(&str, Value)>) -> Diagnostic {
    *call_in(&fleet(), more).unwrap_err()
}

/// The two assertions of the quickstart's own test block.
#[test]
fn fifteen_minutes_on_spot_then_alibaba_as_well() {
    let blocked = || ("no_capacity", Value::list([pool(SPOT)]));
    let [open, admit, reason, next] = call(vec![("waited", waited("899s")), blocked()]);
    assert_eq!(open, Value::list([pool(SPOT)]));
    assert_eq!((admit, reason, next), (Value::Null, Value::string("no-capacity"), waited("900s")));
    let [open, admit, reason, next] = call(vec![("waited", waited("900s")), blocked()]);
    assert_eq!(open, Value::list([pool(SPOT), pool(ALIYUN)]));
    assert_eq!((admit, reason, next), (pool(ALIYUN), Value::Null, Value::Null));
}

#[test]
fn what_is_not_named_has_room_and_the_books_price() {
    let [_, admit, _, _] = call(vec![]);
    assert_eq!(admit, pool(SPOT));
    let blocked = || vec![("waited", Value::string("15m")), ("no_quota", pool(SPOT))];
    let [_, admit, _, _] = call(blocked());
    assert_eq!(admit, pool(ALIYUN));
    let price = |money: &str| {
        [blocked(), vec![("price", Value::object([("aliyun-a100", Value::string(money))]))]].concat()
    };
    let [open, admit, reason, _] = call(price("$3.30/gpu/h"));
    assert_eq!(
        (open, admit, reason),
        (Value::list([pool(SPOT), pool(ALIYUN)]), Value::Null, Value::string("price-above"))
    );
    let [_, admit, _, _] = call(price("$24.80/node/h"));
    assert_eq!(admit, pool(ALIYUN), "$3.10 a GPU-hour");
    let typed = Value::object([("aliyun-a100", Value::quantity(Money::parse("$3.11/gpu/h").unwrap()))]);
    assert_eq!(call([blocked(), vec![("price", typed)]].concat())[1], Value::Null);
}

#[test]
fn an_unknown_price_blocks_where_there_is_a_cap() {
    let mut prices = prices();
    for lot in prices.lots.values_mut() {
        lot.price = None;
    }
    let ask = |waited_for: &str, no_quota: Vec<Value>| {
        let arguments = Value::object([
            ("queue", Value::block("queue", "queue.cost-optimized")),
            ("gpus", Value::quantity(Count::gpus(8_u64))),
            ("waited", waited(waited_for)),
            ("no_quota", Value::list(no_quota)),
        ]);
        parts(&decide_call(&arguments, &fleet(), &prices, Span::default()).unwrap())
    };
    assert_eq!(ask("0s", vec![])[1], pool(SPOT), "no cap there");
    assert_eq!(ask("15m", vec![pool(SPOT)])[2], Value::string("price-above"));
}

#[test]
fn attempts_and_open_steps_are_told() {
    let fleet = fleet_with(|route| route.steps[0].on.push(Reason::Lost));
    let ask = |more| parts(&call_in(&fleet, more).unwrap());
    assert_eq!(ask(vec![("lost", pool(SPOT))])[0], Value::list([pool(ALIYUN)]));
    assert_eq!(ask(vec![("attempt", Value::number(2))])[0], Value::list([pool(SPOT)]));
    // What is open on the job stays open.
    let both = ("open", Value::list([pool(SPOT), pool(ALIYUN)]));
    assert_eq!(ask(vec![("no_quota", pool(SPOT)), both.clone()])[0], Value::list([pool(SPOT), pool(ALIYUN)]));
    let moving = fleet_with(|route| route.returns = Return::Never);
    let late = vec![("waited", waited("900s")), ("no_quota", Value::list([pool(SPOT), pool(ALIYUN)]))];
    assert_eq!(parts(&call_in(&moving, late).unwrap())[0], Value::list([pool(ALIYUN)]));
}

#[test]
fn tenants_and_classes_limit() {
    let tenant = || ("tenant", Value::block("tenant", "tenant.vision"));
    let gpus = |gpus: u64| ("gpus", Value::number(gpus));
    assert_eq!(call(vec![gpus(100)])[1], pool(SPOT), "without a tenant, quotas limit nothing");
    let [open, _, reason, _] = call(vec![gpus(100), tenant()]);
    assert_eq!((open, reason), (Value::list([]), Value::string("no step can hold it")));
    let mut fleet = fleet();
    fleet.classes.get_mut("class.interruptible").unwrap().limits.wait = duration("1h");
    let [_, admit, reason, _] = parts(&call_in(&fleet, vec![("waited", waited("1h"))]).unwrap());
    assert_eq!((admit, reason), (Value::Null, Value::string("WaitLimit")));
}

#[test]
fn what_is_wrong_is_said_with_the_next_step() {
    let check = |fault: Diagnostic, code, message: &str, help: &str| {
        assert_eq!((fault.code, fault.message.as_str()), (code, message));
        assert!(fault.helps.iter().any(|line| line.contains(help)), "{:?}", fault.helps);
    };
    check(
        fault(vec![("wated", Value::Null)]),
        codes::DECIDE_ARGUMENT,
        "decide() knows no \"wated\"",
        "`waited`",
    );
    check(fault(vec![("gpus", Value::Null)]), codes::DECIDE_MISSING, "decide() needs \"gpus\"", "required");
    check(
        fault(vec![("gpus", Value::number(-1))]),
        codes::DECIDE_ARGUMENT,
        "\"gpus\" of decide() is -1 (a number)",
        "whole number",
    );
    check(
        fault(vec![("waited", Value::string("15min"))]),
        codes::DECIDE_ARGUMENT,
        "\"waited\" of decide() is \"15min\" is not a duration: \"min\" is no unit of it",
        "15m",
    );
    check(
        fault(vec![("no_quota", Value::list([pool("pool.hpc-h100")]))]),
        codes::DECIDE_PLACE,
        "\"no_quota\" of decide() names pool.hpc-h100, which the queue does not reach",
        "pool.aws-a100-spot",
    );
    check(
        fault(vec![("price", Value::object([("aliyun-a10", Value::string("$1/gpu/h"))]))]),
        codes::DECIDE_PLACE,
        "\"price\" of decide() names aliyun-a10, which the queue does not reach",
        "pool.aliyun-a100",
    );
    check(
        fault(vec![("tenant", Value::block("tenant", "tenant.visio"))]),
        codes::DECIDE_WHO,
        "tenant.visio may not use queue.cost-optimized",
        "tenant.vision",
    );
    check(
        fault(vec![("queue", pool(SPOT))]),
        codes::DECIDE_ARGUMENT,
        "\"queue\" of decide() is pool.aws-a100-spot",
        "name a queue",
    );
    check(
        fault(vec![("lost", pool(SPOT)), ("attempt", Value::number(1))]),
        codes::DECIDE_ARGUMENT,
        "\"attempt\" of decide() is 1, though \"lost\" says that there was one before",
        "write 2",
    );
    let whole = decide_call(&Value::number(1), &fleet(), &prices(), Span::default()).unwrap_err();
    check(*whole, codes::DECIDE_ARGUMENT, "decide() takes one object, not a number", "waited");
}

#[test]
fn unknown_stays_unknown_and_sensitive_stays_sensitive() {
    let unknown =
        call_in(&fleet(), vec![("gpus", Value::Unknown(poolwright_expression::Type::Number))]).unwrap();
    assert!(unknown.is_unknown());
    let secret = call_in(&fleet(), vec![("gpus", Value::number(8).sensitive())]).unwrap();
    assert!(secret.is_sensitive());
}
