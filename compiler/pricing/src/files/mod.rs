//! Price files: which form a text has, and its rows. Facts about forms: each module names its source.

mod aws;
mod opencost;
mod poolwright;
mod skypilot;

use std::collections::BTreeMap;

use poolwright_diagnostics::Diagnostic;
use poolwright_expression::Number;
use poolwright_expression::quantity::{Currency, Money, PerTime, PerUnit};
use poolwright_model::fleet::{BookFormat, PriceBook, PriceRow};

use crate::book::COLUMNS;
use crate::codes;

/// The book that comes with Poolwright: `source = "shipped"`.
pub(crate) const SHIPPED: &str = include_str!("../../data/shipped.csv");

/// Any provider: a file that does not say whose prices it has. Instance types are named differently everywhere.
pub(crate) const ANY: &str = "*";

/// A line of a file, or 1, and why it cannot be read.
pub(crate) type Problem = (usize, String);

/// How many lines of a file are told of one by one.
const TOLD: usize = 5;

/// Providers that a path may name: `prices/aws/vms.csv`, `prices/lambda.csv`.
const PROVIDERS: [&str; 14] = [
    "aws",
    "alibaba",
    "azure",
    "coreweave",
    "crusoe",
    "fluidstack",
    "gcp",
    "lambda",
    "nebius",
    "oci",
    "runpod",
    "vast",
    "verda",
    "on-premise",
];

/// Rows of a book's file: the shipped book, or a text that the caller has read.
pub(crate) fn rows(
    book: &PriceBook,
    source: &str,
    files: &BTreeMap<String, String>,
    currency: Currency,
    faults: &mut Vec<Diagnostic>,
) -> Vec<PriceRow> {
    let span = book.meta.origin.of("source");
    let text = if source == "shipped" { Some(SHIPPED) } else { files.get(source).map(String::as_str) };
    let Some(text) = text else {
        faults.push(
            Diagnostic::error(codes::PRICE_FILE, format!("the price file \"{source}\" is not there"))
                .at(span, "named here")
                .with_note("paths are relative to the fleet's folder")
                .with_help("add the file, or use the book that comes with Poolwright: source = \"shipped\""),
        );
        return Vec::new();
    };
    let format = book.format.unwrap_or_else(|| by_content(text));
    let reading = Reading { provider: provider(source), currency: book.currency.unwrap_or(currency) };
    let (rows, problems) = match format {
        BookFormat::Poolwright if is_json(text) => poolwright::json(text),
        BookFormat::Poolwright => poolwright::csv(text),
        BookFormat::Skypilot => skypilot::csv(text, &reading),
        BookFormat::Opencost => opencost::csv(text, &reading),
        BookFormat::AwsPriceList => aws::json(text),
    };
    let help = match format {
        BookFormat::Poolwright => format!(
            "its columns are {}; provider, instance_type and one price are required",
            COLUMNS.join(",")
        ),
        other => format!("it was read as `{}`: `format` says otherwise", other.as_str()),
    };
    let unread = !problems.is_empty();
    let more = problems.len().saturating_sub(TOLD);
    for (line, why) in problems.into_iter().take(TOLD) {
        let mut fault = Diagnostic::error(
            codes::PRICE_FILE,
            format!("line {line} of the price file \"{source}\" cannot be read: {why}"),
        )
        .at(span, "this file");
        if more > 0 {
            fault = fault.with_note(format!("and {more} more of its lines"));
        }
        faults.push(fault.with_help(help.clone()));
    }
    if rows.is_empty() && !unread {
        faults.push(
            Diagnostic::warning(
                codes::EMPTY_FILE,
                format!("the price file \"{source}\" has no price that can be used"),
            )
            .at(span, format!("read as `{}`", format.as_str()))
            .with_help("look at its columns; `format` says which form it has"),
        );
    }
    rows
}

/// What the reading of a file knows beside its text.
pub(crate) struct Reading {
    /// Whose prices they are: by the path, or [`ANY`].
    pub(crate) provider: String,
    /// The currency of numbers without one.
    pub(crate) currency: Currency,
}

impl Reading {
    /// A bare number as money of a node-hour; none: it is no price.
    pub(crate) fn node_hour(&self, text: &str) -> Option<Money> {
        money(text, self.currency)
    }
}

/// A bare number of some currency as money/node/h. Nothing, and less, is no price: such files write it for "unknown".
pub(crate) fn money(text: &str, currency: Currency) -> Option<Money> {
    let amount = Number::parse(text.trim()).ok().filter(|it| !it.is_negative() && !it.is_zero())?;
    Some(Money { amount, currency, per: Some(PerUnit::Node), time: Some(PerTime::Hour) })
}

/// The cells of a CSV row by the names of its columns, whatever their order.
pub(crate) struct Cells<'a> {
    header: &'a csv::StringRecord,
    record: &'a csv::StringRecord,
}

impl Cells<'_> {
    /// A cell that is not empty.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let at = self.header.iter().position(|column| column.trim() == name)?;
        self.record.get(at).map(str::trim).filter(|cell| !cell.is_empty())
    }
}

/// Reads every record of a CSV text that must have some columns.
pub(crate) fn records(
    text: &str,
    needed: &[&str],
    mut read: impl FnMut(&Cells<'_>) -> Result<Option<PriceRow>, String>,
) -> (Vec<PriceRow>, Vec<Problem>) {
    let (mut rows, mut problems) = (Vec::new(), Vec::new());
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let header = match reader.headers() {
        Ok(header) => header.clone(),
        Err(error) => return (rows, vec![(1, error.to_string())]),
    };
    if let Some(lacks) = needed.iter().find(|name| !header.iter().any(|column| column.trim() == **name)) {
        return (rows, vec![(1, format!("it has no column \"{lacks}\""))]);
    }
    for (index, record) in reader.records().enumerate() {
        let found = record
            .map_err(|error| error.to_string())
            .and_then(|record| read(&Cells { header: &header, record: &record }));
        match found {
            Ok(row) => rows.extend(row),
            Err(why) => problems.push((index + 2, why)),
        }
    }
    (rows, problems)
}

fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

/// The form of a text that nobody names: by what only that form has.
fn by_content(text: &str) -> BookFormat {
    let start: String = text.trim_start().chars().take(2_000).collect();
    let header = start.lines().next().unwrap_or_default();
    if is_json(text) {
        let offer = start.contains("\"offerCode\"") || start.contains("\"formatVersion\"");
        return if offer { BookFormat::AwsPriceList } else { BookFormat::Poolwright };
    }
    if header.contains("MarketPriceHourly") {
        BookFormat::Opencost
    } else if header.contains("InstanceType") && header.contains("SpotPrice") {
        BookFormat::Skypilot
    } else {
        BookFormat::Poolwright
    }
}

/// Whose prices a file has, by the folders and the name on its path.
fn provider(source: &str) -> String {
    let parts = source.split('/').flat_map(|part| [part, part.split('.').next().unwrap_or(part)]);
    let mut named = parts.filter_map(|part| PROVIDERS.into_iter().find(|it| part.eq_ignore_ascii_case(it)));
    named.next_back().unwrap_or(ANY).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const USD: Currency = Currency(*b"USD");

    fn book(format: Option<BookFormat>) -> PriceBook {
        PriceBook {
            meta: poolwright_model::Meta::default(),
            source: None,
            prices: Vec::new(),
            format,
            currency: None,
            rates: BTreeMap::new(),
            discount: None,
            max_age: None,
        }
    }

    fn read(path: &str, text: &str, format: Option<BookFormat>) -> (Vec<String>, Vec<String>) {
        let files = BTreeMap::from([(path.to_owned(), text.to_owned())]);
        let mut faults = Vec::new();
        let rows = rows(&book(format), path, &files, USD, &mut faults);
        let price =
            |money: &Option<Money>| money.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string);
        let shown = |row: &PriceRow| {
            format!(
                "{} {} {} {} {} {} {} {}",
                row.provider,
                row.region.as_deref().unwrap_or("-"),
                row.zone.as_deref().unwrap_or("-"),
                row.instance_type,
                price(&row.on_demand),
                price(&row.spot),
                price(&row.reserved),
                row.date.map_or_else(|| "-".to_owned(), |date| date.to_string())
            )
        };
        (rows.iter().map(shown).collect(), faults.into_iter().map(|fault| fault.message).collect())
    }

    #[test]
    fn skypilot_catalogues_are_read_by_the_names_of_their_columns() {
        let text = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,AvailabilityZone\n\
                    p4d.24xlarge,A100,8,96,1152,\"{'Gpus': [{'Name': 'A100'}]}\",21.957642,9.5,us-east-1,us-east-1a\n\
                    p4d.24xlarge,A100,8,96,1152,,21.957642,,us-east-1,us-east-1b\n\
                    t3.micro,,,2,1,,,,us-east-1,us-east-1a\n";
        let (rows, faults) = read("prices/aws/vms.csv", text, None);
        assert_eq!(faults, Vec::<String>::new());
        assert_eq!(
            rows,
            [
                "aws us-east-1 - p4d.24xlarge $21.9576/node/h $9.5000/node/h - -",
                "aws us-east-1 - p4d.24xlarge $21.9576/node/h - - -",
            ]
        );
        let (rows, _) = read("prices/other.csv", text, None);
        assert!(rows[0].starts_with("* us-east-1 us-east-1a p4d.24xlarge"), "{rows:?}");
    }

    #[test]
    fn opencost_prices_are_those_of_nodes() {
        let text = "EndTimestamp,InstanceID,Region,AssetClass,InstanceIDField,InstanceType,MarketPriceHourly,Version\n\
                    2026-10-01 00:00:00 UTC,,us-west-2,node,spec.instanceType,p5.48xlarge,55.04,v1\n\
                    2026-10-01 00:00:00 UTC,NVIDIA-H100,us-west-2,gpu,nvidia.com/gpu.product,,4.10,v1\n\
                    2026-10-01 00:00:00 UTC,,us-west-2,node,spec.instanceType,p5.48xlarge,dear,v1\n";
        let (rows, faults) = read("opencost.csv", text, None);
        assert_eq!(rows, ["* us-west-2 - p5.48xlarge $55.0400/node/h - - 2026-10-01"]);
        assert_eq!(
            faults,
            [
                "line 4 of the price file \"opencost.csv\" cannot be read: \"MarketPriceHourly\" is \"dear\", which is no price"
            ]
        );
    }

    #[test]
    fn offers_of_aws_are_joined_with_their_products() {
        let attributes = |os: &str| {
            format!(
                r#"{{"instanceType":"p5.48xlarge","regionCode":"us-east-1","operatingSystem":"{os}","tenancy":"Shared","preInstalledSw":"NA","capacitystatus":"Used","marketoption":"OnDemand"}}"#
            )
        };
        let price = |usd: &str| {
            format!(r#"{{"priceDimensions":{{"d":{{"unit":"Hrs","pricePerUnit":{{"USD":"{usd}"}}}}}}}}"#)
        };
        let text = format!(
            r#"{{"formatVersion":"v1.0","offerCode":"AmazonEC2","publicationDate":"2026-10-07T18:00:00Z",
                "products":{{"A":{{"productFamily":"Compute Instance","attributes":{}}},"B":{{"productFamily":"Compute Instance","attributes":{}}}}},
                "terms":{{"OnDemand":{{"A":{{"A.o":{}}},"B":{{"B.o":{}}}}},
                "Reserved":{{"A":{{"A.r":{{"priceDimensions":{{"d":{{"unit":"Hrs","pricePerUnit":{{"USD":"33.1"}}}}}},"termAttributes":{{"LeaseContractLength":"1yr","OfferingClass":"standard","PurchaseOption":"No Upfront"}}}}}}}}}}}}"#,
            attributes("Linux"),
            attributes("Windows"),
            price("55.04"),
            price("60")
        );
        let (rows, faults) = read("aws.json", &text, None);
        assert_eq!(faults, Vec::<String>::new());
        assert_eq!(rows, ["aws us-east-1 - p5.48xlarge $55.0400/node/h - $33.1000/node/h 2026-10-07"]);
    }

    #[test]
    fn our_own_form_is_csv_or_json() {
        let json = r#"[{"provider":"lambda","instance_type":"gpu_8x_h100_sxm5","on_demand":"$2.99/gpu/h","date":"2026-11-01"},
                      {"provider":"lambda","instance_type":"x","price":"$1/gpu/h"}]"#;
        let (rows, faults) = read("lambda.json", json, None);
        assert_eq!(rows, ["lambda - - gpu_8x_h100_sxm5 $2.9900/gpu/h - - 2026-11-01"]);
        assert_eq!(
            faults,
            [
                "line 1 of the price file \"lambda.json\" cannot be read: row 2: there is no key \"price\" in a price file"
            ]
        );
        let (_, faults) = read("x.csv", "a,b\n1,2\n", Some(BookFormat::Skypilot));
        assert_eq!(
            faults,
            ["line 1 of the price file \"x.csv\" cannot be read: it has no column \"InstanceType\""]
        );
        let (_, faults) = read("x.json", "{", None);
        assert_eq!(faults.len(), 1);
        assert!(faults[0].starts_with("line 1 of the price file"), "{faults:?}");
    }
}
