//! The language's function `decide` (LANGUAGE §5.6).

use std::collections::BTreeMap;
use std::sync::Arc;

use poolwright_diagnostics::{Code, Diagnostic, Span, suggestion_help};
use poolwright_expression::quantity::{CountUnit, Duration, Money, Quantity};
use poolwright_expression::{Number, Type, Value};
use poolwright_model::fleet::{Class, Queue, Tenant};
use poolwright_model::money::per_unit_hour;
use poolwright_model::{Address, Fleet, Prices};

use crate::codes;
use crate::decide::{Decision, decide};
use crate::explain::dearest;
use crate::facts::{Job, JobClock, LastRun, Opened, PlaceState, World};
use crate::ladder::Ladder;

const KEYS: [&str; 12] = [
    "queue",
    "tenant",
    "gpus",
    "nodes",
    "class",
    "waited",
    "no_quota",
    "no_capacity",
    "price",
    "attempt",
    "lost",
    "open",
];

/// `decide({ queue, tenant, gpus, nodes, class, waited, no_quota, no_capacity, price, attempt, lost, open })`: what the
/// router would do. `queue`, `gpus` and `waited` are required. `lost` are the pools under which the nodes of the
/// attempt before went away, `open` those of the steps that are open on the job already; `attempt` is 1, or 2 with
/// `lost`. A price not given is the dearest of the pool's lots in `prices`. Fractions of a second are not counted.
///
/// # Errors
/// What is wrong with the arguments; `span` is where they were written.
pub fn decide_call(
    arguments: &Value,
    fleet: &Fleet,
    prices: &Prices,
    span: Span,
) -> Result<Value, Box<Diagnostic>> {
    let (arguments, sensitive) = arguments.clone().unmark_deep();
    if arguments.is_unknown() {
        return Ok(Value::Unknown(Type::Any).marked(sensitive));
    }
    let call = Call { fleet, prices, span, arguments: call_arguments(&arguments, span)? };
    call.run().map(|value| value.marked(sensitive))
}

fn call_arguments(value: &Value, span: Span) -> Result<BTreeMap<Arc<str>, Value>, Box<Diagnostic>> {
    let Value::Object(object) = value else {
        let found = value.type_name();
        return Err(Box::new(
            Diagnostic::error(codes::DECIDE_ARGUMENT, format!("decide() takes one object, not {found}"))
                .at(span, "not an object")
                .with_help("decide({ queue = queue.…, gpus = 8, waited = \"15m\" })"),
        ));
    };
    for key in object.keys() {
        if !KEYS.contains(&&**key) {
            let mut fault = Diagnostic::error(codes::DECIDE_ARGUMENT, format!("decide() knows no \"{key}\""))
                .at(span, "given here");
            if let Some(help) = suggestion_help("argument", key, KEYS) {
                fault = fault.with_help(help);
            }
            return Err(Box::new(fault.with_help(format!("it takes {}", KEYS.join(", ")))));
        }
    }
    Ok(object
        .iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect())
}

struct Call<'a> {
    fleet: &'a Fleet,
    prices: &'a Prices,
    span: Span,
    arguments: BTreeMap<Arc<str>, Value>,
}

impl Call<'_> {
    fn run(&self) -> Result<Value, Box<Diagnostic>> {
        let queue = self.queue()?;
        let (tenant, class) = (self.tenant(queue)?, self.class(queue)?);
        let ladder = Ladder::of(self.fleet, queue, tenant, class);
        let waited = self.duration("waited")?;
        let lost = self.pools("lost", &ladder)?;
        let open = self.pools("open", &ladder)?;
        let attempt = self.count("attempt")?.unwrap_or(if lost.is_empty() { 1 } else { 2 });
        if attempt < 2 && !lost.is_empty() {
            return Err(self.wrong(
                "attempt",
                "1, though \"lost\" says that there was one before",
                "leave it out, or write 2",
            ));
        }
        let job = Job {
            gpus: self.required_count("gpus")?,
            nodes: self.count("nodes")?,
            clock: JobClock {
                first_seen: 0,
                start: Some(0),
                attempt: u32::try_from(attempt).unwrap_or(u32::MAX),
                ran: 0,
            },
            opened: (!open.is_empty()).then(|| Opened { start: 0, steps: steps_of(&ladder, &open) }),
            last: steps_of(&ladder, &lost).pop().map(|step| LastRun { step, lost: true }),
            running: None,
        };
        let world = self.world(&ladder)?;
        Ok(result(&ladder, &decide(&ladder, &job, waited, &world)))
    }

    fn world(&self, ladder: &Ladder) -> Result<World, Box<Diagnostic>> {
        let (no_quota, no_capacity) = (self.pools("no_quota", ladder)?, self.pools("no_capacity", ladder)?);
        let given = self.given_prices(ladder)?;
        let mut world = World::default();
        for place in ladder.rungs.iter().flat_map(|rung| &rung.places) {
            let within = |named: &[Address]| {
                named.iter().any(|pool| *pool == place.pool || *pool == place.pool.pool())
            };
            let price = match given.get(&place.pool).or_else(|| given.get(&place.pool.pool())) {
                Some(price) => Some(price.clone()),
                None => {
                    let named = [place.pool.clone()];
                    let lots = self.fleet.lots_of(&named).map(|(_, lot)| lot);
                    dearest(self.prices, lots, |price| price.price.as_ref())
                }
            };
            let state = PlaceState {
                quota: !within(&no_quota),
                capacity: !within(&no_capacity),
                price,
                ..PlaceState::default()
            };
            world.places.insert(place.pool.clone(), state);
        }
        Ok(world)
    }

    /// `price`: money by the pool's name.
    fn given_prices(&self, ladder: &Ladder) -> Result<BTreeMap<Address, Money>, Box<Diagnostic>> {
        let mut given = BTreeMap::new();
        let Some(value) = self.arguments.get("price") else { return Ok(given) };
        let Value::Object(prices) = value else {
            return Err(self.wrong(
                "price",
                &value.type_name(),
                "it is a map: price = { aliyun-a100 = \"$3.30/gpu/h\" }",
            ));
        };
        for (name, value) in prices.iter() {
            let is_called = |pool: &Address| {
                let own = self.fleet.pools.get(pool).map(|pool| pool.meta.name.as_str());
                own == Some(&**name) || pool.label() == &**name || pool.as_str() == &**name
            };
            let place = pools_of(ladder).into_iter().find(is_called);
            let place = place.ok_or_else(|| self.not_reached("price", name, ladder))?;
            let money = match value {
                Value::Quantity(Quantity::Money(money)) => money.clone(),
                Value::String(text) => Money::parse(text).map_err(|error| {
                    self.wrong(
                        &format!("price.{name}"),
                        &error.message,
                        error.help.as_deref().unwrap_or_default(),
                    )
                })?,
                other => {
                    return Err(self.wrong(
                        &format!("price.{name}"),
                        &other.type_name(),
                        "write money: \"$3.30/gpu/h\"",
                    ));
                }
            };
            let named = [place.clone()];
            let gpus = self.fleet.lots_of(&named).next().map_or(0, |(_, lot)| lot.node.gpus);
            let money = per_unit_hour(&money, gpus, self.fleet.currency).map_err(|why| {
                self.wrong(&format!("price.{name}"), &why, "write money per GPU-hour: \"$3.30/gpu/h\"")
            })?;
            given.insert(place, money);
        }
        Ok(given)
    }

    fn queue(&self) -> Result<&Queue, Box<Diagnostic>> {
        let value = self.required("queue")?;
        let address = self.block("queue", value, &["queue"])?;
        self.fleet.queues.get(&address).ok_or_else(|| {
            self.wrong("queue", &format!("{address}, which does not exist"), "name a queue of this fleet")
        })
    }

    fn tenant(&self, queue: &Queue) -> Result<Option<&Tenant>, Box<Diagnostic>> {
        let Some(value) = self.arguments.get("tenant") else { return Ok(None) };
        let address = self.block("tenant", value, &["tenant"])?;
        if !queue.tenants.contains(&address) {
            return Err(self.not_allowed(queue, &address, "tenant", &queue.tenants));
        }
        Ok(self.fleet.tenants.get(&address))
    }

    fn class(&self, queue: &Queue) -> Result<&Class, Box<Diagnostic>> {
        let address = match self.arguments.get("class") {
            None => queue.class.clone(),
            Some(value) => self.block("class", value, &["class"])?,
        };
        let allowed: Vec<Address> = std::iter::once(&queue.class).chain(&queue.allow).cloned().collect();
        let class = self.fleet.classes.get(&address).filter(|_| allowed.contains(&address));
        class.ok_or_else(|| self.not_allowed(queue, &address, "class", &allowed))
    }

    /// Pools or lots, as a list or alone. Each must be on the ladder, or be the pool of a lot that is.
    fn pools(&self, key: &str, ladder: &Ladder) -> Result<Vec<Address>, Box<Diagnostic>> {
        let Some(value) = self.arguments.get(key) else { return Ok(Vec::new()) };
        let values = value.elements().map_or_else(|| vec![value.clone()], <[Value]>::to_vec);
        let mut pools = Vec::new();
        for value in &values {
            let address = self.block(key, value, &["pool", "lot"])?;
            let known = pools_of(ladder).into_iter().any(|place| place == address || place.pool() == address);
            if !known {
                return Err(self.not_reached(key, address.as_str(), ladder));
            }
            pools.push(address);
        }
        Ok(pools)
    }

    fn block(&self, key: &str, value: &Value, kinds: &[&str]) -> Result<Address, Box<Diagnostic>> {
        match value {
            Value::Block(block) if kinds.contains(&&*block.kind) => Ok(Address::new(block.address.clone())),
            Value::Block(block) => {
                Err(self.wrong(key, &block.address, &format!("name a {}", kinds.join(" or a "))))
            }
            other => {
                let kind = kinds.first().copied().unwrap_or_default();
                Err(self.wrong(key, &other.type_name(), &format!("name a block: {kind}.…")))
            }
        }
    }

    fn duration(&self, key: &str) -> Result<u64, Box<Diagnostic>> {
        let value = self.required(key)?;
        let duration = match value {
            Value::Quantity(Quantity::Duration(duration)) => duration.clone(),
            Value::String(text) => Duration::parse(text).map_err(|error| {
                self.wrong(key, &error.message, error.help.as_deref().unwrap_or_default())
            })?,
            other => return Err(self.wrong(key, &other.type_name(), "write a duration: \"15m\"")),
        };
        duration
            .0
            .floor()
            .to_u64()
            .ok_or_else(|| self.wrong(key, &duration.to_string(), "a job waits 0 s or longer"))
    }

    fn required_count(&self, key: &str) -> Result<u64, Box<Diagnostic>> {
        self.required(key)?;
        Ok(self.count(key)?.unwrap_or(0))
    }

    fn count(&self, key: &str) -> Result<Option<u64>, Box<Diagnostic>> {
        let Some(value) = self.arguments.get(key) else { return Ok(None) };
        let number: Option<&Number> = match value {
            Value::Number(number) => Some(number),
            Value::Quantity(Quantity::Count(count)) => {
                let unit = if count.unit == CountUnit::Gpus { "gpus" } else { "nodes" };
                (unit == key).then_some(&count.number)
            }
            _ => None,
        };
        match number.and_then(Number::to_u64) {
            Some(number) => Ok(Some(number)),
            None => Err(self.wrong(
                key,
                &format!("{value} ({})", value.type_name()),
                "write a whole number, 0 or more",
            )),
        }
    }

    fn required(&self, key: &str) -> Result<&Value, Box<Diagnostic>> {
        self.arguments.get(key).ok_or_else(|| {
            Box::new(
                Diagnostic::error(codes::DECIDE_MISSING, format!("decide() needs \"{key}\""))
                    .at(self.span, format!("has no \"{key}\""))
                    .with_help(
                        "decide({ queue = queue.…, gpus = 8, waited = \"15m\" }): these three are required",
                    ),
            )
        })
    }

    fn wrong(&self, key: &str, found: &str, help: &str) -> Box<Diagnostic> {
        let fault = Diagnostic::error(codes::DECIDE_ARGUMENT, format!("\"{key}\" of decide() is {found}"))
            .at(self.span, "");
        Box::new(if help.is_empty() { fault } else { fault.with_help(help) })
    }

    fn not_reached(&self, key: &str, name: &str, ladder: &Ladder) -> Box<Diagnostic> {
        let known = pools_of(ladder);
        let message = format!("\"{key}\" of decide() names {name}, which the queue does not reach");
        self.suggest(codes::DECIDE_PLACE, message, "pool", name, known.iter().map(Address::as_str))
    }

    fn not_allowed(&self, queue: &Queue, who: &Address, what: &str, allowed: &[Address]) -> Box<Diagnostic> {
        let message = format!("{who} may not use {}", queue.meta.address);
        let fault =
            self.suggest(codes::DECIDE_WHO, message, what, who.as_str(), allowed.iter().map(Address::as_str));
        Box::new(
            fault.also(queue.meta.origin.of(if what == "tenant" { "tenants" } else { "class" }), "who may"),
        )
    }

    fn suggest<'a>(
        &self,
        code: Code,
        message: String,
        what: &str,
        name: &str,
        known: impl Iterator<Item = &'a str>,
    ) -> Box<Diagnostic> {
        let fault = Diagnostic::error(code, message).at(self.span, "");
        Box::new(match suggestion_help(what, name, known) {
            Some(help) => fault.with_help(help),
            None => fault,
        })
    }
}

/// Places of the ladder, as it names them, and the pools of its lots.
fn pools_of(ladder: &Ladder) -> Vec<Address> {
    ladder.rungs.iter().flat_map(|rung| &rung.places).map(|place| place.pool.clone()).collect()
}

/// Names of the steps that these pools belong to, in the order of the ladder.
fn steps_of(ladder: &Ladder, pools: &[Address]) -> Vec<String> {
    let named = |pool: &Address| pools.iter().any(|named| named == pool || *named == pool.pool());
    let steps = ladder.rungs.iter().filter(|rung| rung.places.iter().any(|place| named(&place.pool)));
    steps.map(|rung| rung.name.clone()).collect()
}

fn result(ladder: &Ladder, decision: &Decision) -> Value {
    let block = |address: &Address| {
        let kind = if address.pool() == *address { "pool" } else { "lot" };
        Value::block(kind, address.as_str())
    };
    let open = decision.open.iter().filter_map(|step| ladder.rungs.get(*step)).flat_map(|rung| &rung.places);
    let mut pools: Vec<Value> = Vec::new();
    for place in open.map(|place| block(&place.pool)) {
        if !pools.contains(&place) {
            pools.push(place);
        }
    }
    Value::object([
        ("open", Value::list(pools)),
        ("admit", decision.admit.as_ref().map_or(Value::Null, |admit| block(&admit.pool))),
        ("reason", decision.reason.as_ref().map_or(Value::Null, |why| Value::string(&why.text()))),
        ("next", decision.next.map_or(Value::Null, |next| Value::quantity(Duration::from_seconds(next)))),
    ])
}
