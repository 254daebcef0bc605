//! From the text of a catalogue file to typed rows.

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::quantity::{Bandwidth, Bytes, Date};

use crate::codes;
use crate::{AcceleratorFacts, Efa, InstanceFacts, Provenance};

/// A row by the names of its columns.
pub(crate) struct Row<'a> {
    header: &'a csv::StringRecord,
    record: &'a csv::StringRecord,
}

impl Row<'_> {
    fn cell(&self, column: &str) -> Result<&str, String> {
        let at = self.header.iter().position(|name| name == column);
        at.and_then(|at| self.record.get(at)).ok_or_else(|| format!("there is no column \"{column}\""))
    }

    fn text(&self, column: &str) -> Result<String, String> {
        match self.cell(column)? {
            "" => Err(format!("\"{column}\" is empty")),
            text => Ok(text.to_owned()),
        }
    }

    fn number(&self, column: &str) -> Result<u32, String> {
        let cell = self.cell(column)?;
        cell.parse().map_err(|_| format!("\"{column}\" is \"{cell}\", which is no whole number"))
    }

    fn maybe<T>(&self, column: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<Option<T>, String> {
        match self.cell(column)? {
            "" => Ok(None),
            text => read(text).map(Some),
        }
    }

    fn provenance(&self) -> Result<Provenance, String> {
        Ok(Provenance {
            source: self.text("source")?,
            date: Date::parse(self.cell("date")?).map_err(|error| error.message)?,
            verified: match self.cell("verified")? {
                "yes" => true,
                "no" => false,
                other => return Err(format!("\"verified\" is \"{other}\", not \"yes\" or \"no\"")),
            },
            note: self.cell("note")?.to_owned(),
        })
    }
}

/// Every row of a file that can be read, and a diagnostic for each that cannot.
pub(crate) fn table<T>(
    file: &str,
    text: &str,
    read: impl Fn(&Row<'_>) -> Result<T, String>,
) -> (Vec<T>, Vec<Diagnostic>) {
    let fault = |line: usize, why: &str| {
        Diagnostic::error(
            codes::CATALOGUE_ROW,
            format!("line {line} of the shipped {file} cannot be read: {why}"),
        )
        .at(Span::default(), "")
        .with_help("this is a fault of Poolwright: please report it")
    };
    let (mut rows, mut faults) = (Vec::new(), Vec::new());
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = match reader.headers() {
        Ok(header) => header.clone(),
        Err(error) => return (rows, vec![fault(1, &error.to_string())]),
    };
    for (index, record) in reader.records().enumerate() {
        // The header is line 1.
        let result = record.map_err(|error| error.to_string());
        match result.and_then(|record| read(&Row { header: &header, record: &record })) {
            Ok(row) => rows.push(row),
            Err(why) => faults.push(fault(index + 2, &why)),
        }
    }
    (rows, faults)
}

pub(crate) fn accelerator(row: &Row<'_>) -> Result<AcceleratorFacts, String> {
    Ok(AcceleratorFacts {
        name: row.text("name")?,
        vendor: row.text("vendor")?,
        memory: Bytes::parse(row.cell("memory")?).map_err(|error| error.message)?,
        resource: row.text("resource")?,
        products: row
            .cell("products")?
            .split('|')
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect(),
        gres_type: row.text("gres_type")?,
        domain: row.number("domain")?,
        provenance: row.provenance()?,
    })
}

pub(crate) fn instance(row: &Row<'_>) -> Result<InstanceFacts, String> {
    let whole = |text: &str| text.parse::<u32>().map_err(|_| format!("\"{text}\" is no whole number"));
    let interfaces = row.number("efa_interfaces")?;
    let cards = row.maybe("network_cards", whole)?;
    let first_card = row.maybe("first_efa_card", whole)?;
    Ok(InstanceFacts {
        provider: row.text("provider")?,
        instance_type: row.text("instance_type")?,
        accelerator: row.text("accelerator")?,
        gpus: row.number("gpus")?,
        vcpus: row.number("vcpus")?,
        threads_per_core: row.maybe("threads_per_core", whole)?,
        memory: Bytes::parse(row.cell("memory")?).map_err(|error| error.message)?,
        network: row.maybe("network", |text| Bandwidth::parse(text).map_err(|error| error.message))?,
        network_cards: cards,
        efa: match (interfaces, first_card) {
            (0, None) => None,
            (1.., Some(first_card)) => Some(Efa { interfaces, first_card }),
            _ => return Err("\"efa_interfaces\" and \"first_efa_card\" disagree".to_owned()),
        },
        provenance: row.provenance()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_faulty_row_is_named_and_the_others_are_kept() {
        let text = "name,vendor,memory,resource,products,gres_type,domain,source,date,verified,note\n\
                    a,v,1GiB,r,P|Q,a,8,s,2026-01-31,yes,\n\
                    b,v,1GB/s,r,,b,8,s,2026-01-31,yes,\n\
                    c,v,1GiB,r,,c,8,,2026-01-31,yes,\n\
                    d,v,1GiB,r,,d,8,s,2026-01-31,perhaps,\n";
        let (rows, faults) = table("accelerators.csv", text, accelerator);
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].products, ["P", "Q"]);
        let messages: Vec<&str> = faults.iter().map(|fault| fault.message.as_str()).collect();
        assert_eq!(messages.len(), 3);
        assert!(messages[0].starts_with("line 3 of the shipped accelerators.csv"), "{}", messages[0]);
        assert!(messages[1].contains("\"source\" is empty"), "{}", messages[1]);
        assert!(messages[2].contains("\"verified\" is \"perhaps\""), "{}", messages[2]);
    }
}
