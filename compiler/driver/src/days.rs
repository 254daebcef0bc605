//! Lots with a first or a last day, against today: what is bought for no day of now has no nodes (LANGUAGE §3.3).

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::quantity::Date;
use poolwright_model::Fleet;
use poolwright_model::fleet::Lot;

use crate::codes;

/// How many days ahead an end is told of.
const AHEAD: i64 = 30;

/// What is wrong with the days of lots, and which end soon.
pub(crate) fn check(fleet: &Fleet, today: Option<Date>) -> Vec<Diagnostic> {
    let Some(today) = today else { return Vec::new() };
    let lots = fleet.pools.values().flat_map(|pool| &pool.lots);
    lots.filter_map(|lot| one(lot, today)).collect()
}

fn one(lot: &Lot, today: Date) -> Option<Diagnostic> {
    let origin = &lot.meta.origin;
    let address = lot.meta.address.as_str();
    let address = address.strip_suffix(".lot.main").unwrap_or(address);
    let nodes = lot.nodes.max.unwrap_or(lot.nodes.min);
    let outside = |path: &str, message: String, text: &str| {
        Diagnostic::error(codes::OUTSIDE_ITS_DAYS, message)
            .at(origin.of(path), text)
            .also(origin.of("nodes"), format!("{nodes} nodes"))
            .with_help("set `nodes = 0` outside its days, or correct them")
    };
    if let Some(from) = lot.from.filter(|from| today < *from && nodes > 0) {
        return Some(outside(
            "from",
            format!("`{address}` begins on {from}, and has nodes today, {today}"),
            "its first day",
        ));
    }
    let until = lot.until?;
    if today > until {
        return (nodes > 0).then(|| {
            outside(
                "until",
                format!("`{address}` ended on {until}, and has nodes today, {today}"),
                "its last day",
            )
        });
    }
    let left = until.days_since(today).filter(|left| *left <= AHEAD && nodes > 0)?;
    let when = match left {
        0 => "today".to_owned(),
        1 => "tomorrow".to_owned(),
        days => format!("in {days} days"),
    };
    Some(
        Diagnostic::warning(codes::ENDS_SOON, format!("`{address}` ends {when}, on {until}"))
            .at(origin.of("until"), "its last day")
            .with_help("renew it, or move its jobs and set `nodes = 0` after that day"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The quickstart with days on its first lot, and what is said of it on a day.
    fn said(from: Option<&str>, until: Option<&str>, nodes: u64, today: &str) -> Vec<(&'static str, String)> {
        let day = |text: &str| Date::parse(text).unwrap();
        let text = include_str!("../../../tests/golden/quickstart/fleet.json");
        let mut fleet: Fleet = serde_json::from_str(text).unwrap();
        let lot = &mut fleet.pools.get_mut("pool.aws-a100-spot").unwrap().lots[0];
        (lot.from, lot.until) = (from.map(day), until.map(day));
        lot.nodes = poolwright_expression::quantity::Range::exactly(nodes);
        let found = check(&fleet, Some(day(today)));
        found.into_iter().map(|found| (found.code.0, found.message)).collect()
    }

    #[test]
    fn nodes_stand_on_the_days_of_their_lot_only() {
        let lot = "`pool.aws-a100-spot.lot.az2`";
        assert_eq!(
            said(Some("2027-02-01"), None, 2, "2027-01-31"),
            [("PW4592", format!("{lot} begins on 2027-02-01, and has nodes today, 2027-01-31"))]
        );
        assert_eq!(said(Some("2027-02-01"), None, 0, "2027-01-31"), []);
        assert_eq!(said(Some("2027-02-01"), Some("2027-12-31"), 2, "2027-02-01"), []);
        assert_eq!(
            said(None, Some("2027-01-31"), 2, "2027-02-01"),
            [("PW4592", format!("{lot} ended on 2027-01-31, and has nodes today, 2027-02-01"))]
        );
        assert_eq!(said(None, Some("2027-01-31"), 0, "2027-02-01"), []);
    }

    #[test]
    fn an_end_is_told_of_thirty_days_ahead() {
        let lot = "`pool.aws-a100-spot.lot.az2`";
        for (today, words) in [
            ("2027-01-31", Some("today")),
            ("2027-01-30", Some("tomorrow")),
            ("2027-01-01", Some("in 30 days")),
            ("2026-12-31", None),
        ] {
            let wanted: Vec<(&str, String)> = words
                .map(|words| ("PW4593", format!("{lot} ends {words}, on 2027-01-31")))
                .into_iter()
                .collect();
            assert_eq!(said(None, Some("2027-01-31"), 2, today), wanted, "{today}");
        }
    }
}
