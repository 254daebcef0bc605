//! From the text of a catalogue file to typed rows.
//!
//! A file begins with `# version YYYY-MM-DD`; then comes a header, and one row a line. An empty cell is a fact that
//! nobody states; lists in a cell are separated by `|`.

use poolwright_diagnostics::{Diagnostic, Span};
use poolwright_expression::quantity::{Bandwidth, Bytes, Date, Version};

use crate::codes;
use crate::facts::{
    AcceleratorFacts, DriverFacts, Efa, FabricFacts, FeedingFacts, InstanceFacts, PartitionFacts, Provenance,
    VariableFacts, VendorFacts, ZoneFacts,
};

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

    fn list(&self, column: &str) -> Result<Vec<String>, String> {
        Ok(self.cell(column)?.split('|').filter(|part| !part.is_empty()).map(str::to_owned).collect())
    }

    fn number(&self, column: &str) -> Result<u32, String> {
        let cell = self.cell(column)?;
        cell.parse().map_err(|_| format!("\"{column}\" is \"{cell}\", which is no whole number"))
    }

    fn bytes(&self, column: &str) -> Result<Bytes, String> {
        Bytes::parse(self.cell(column)?).map_err(|error| error.message)
    }

    fn bandwidth(&self, column: &str) -> Result<Bandwidth, String> {
        Bandwidth::parse(self.cell(column)?).map_err(|error| error.message)
    }

    /// What a cell says, if it says anything.
    fn maybe<T>(
        &self,
        column: &str,
        read: impl Fn(&Self, &str) -> Result<T, String>,
    ) -> Result<Option<T>, String> {
        match self.cell(column)? {
            "" => Ok(None),
            _ => read(self, column).map(Some),
        }
    }

    fn version(&self, column: &str) -> Result<Version, String> {
        Version::parse(self.cell(column)?).map_err(|error| error.message)
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

/// Reads files, and keeps what is wrong with them.
#[derive(Default)]
pub(crate) struct Reader {
    youngest: Option<Date>,
    faults: Vec<Diagnostic>,
}

impl Reader {
    /// Every row of a file that can be read; the others become faults.
    pub(crate) fn table<T>(
        &mut self,
        file: &str,
        text: &str,
        read: impl Fn(&Row<'_>) -> Result<T, String>,
    ) -> Vec<T> {
        let mut rows = Vec::new();
        let first = text.lines().next().unwrap_or_default();
        match first.strip_prefix("# version ").map(Date::parse) {
            Some(Ok(date)) => self.youngest = self.youngest.max(Some(date)),
            _ => self.fault(file, 1, "it does not begin with `# version YYYY-MM-DD`"),
        }
        let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
        let header = match reader.headers() {
            Ok(header) => header.clone(),
            Err(error) => {
                self.fault(file, 2, &error.to_string());
                return rows;
            }
        };
        for (index, record) in reader.records().enumerate() {
            // The version is line 1, the header line 2.
            let result = record.map_err(|error| error.to_string());
            match result.and_then(|record| read(&Row { header: &header, record: &record })) {
                Ok(row) => rows.push(row),
                Err(why) => self.fault(file, index + 3, &why),
            }
        }
        rows
    }

    /// A row that is about something that no other file has.
    pub(crate) fn stray(&mut self, file: &str, what: &str) {
        self.push(format!("the shipped {file} has a row of \"{what}\", which no other file has"));
    }

    fn fault(&mut self, file: &str, line: usize, why: &str) {
        self.push(format!("line {line} of the shipped {file} cannot be read: {why}"));
    }

    fn push(&mut self, message: String) {
        self.faults.push(
            Diagnostic::error(codes::CATALOGUE_ROW, message)
                .at(Span::default(), "")
                .with_help("this is a fault of Poolwright: please report it"),
        );
    }

    /// The day of the youngest file, and everything that was wrong.
    pub(crate) fn finish(self) -> (Date, Vec<Diagnostic>) {
        (self.youngest.unwrap_or(Date { year: 1970, month: 1, day: 1 }), self.faults)
    }
}

pub(crate) fn vendor(row: &Row<'_>) -> Result<VendorFacts, String> {
    let spelling = |row: &Row<'_>, column: &str| {
        let cell = row.cell(column)?;
        let mut both = cell.chars();
        match (both.next(), both.next(), both.next()) {
            (Some(from), Some(to), None) => Ok((from, to)),
            _ => Err(format!("\"{column}\" is \"{cell}\", not two characters")),
        }
    };
    Ok(VendorFacts {
        name: row.text("vendor")?,
        resource: row.text("resource")?,
        product_label: row.maybe("product_label", Row::text)?,
        slice_resource: row.maybe("slice_resource", Row::text)?,
        slice_product: row.maybe("slice_product", Row::text)?,
        slice_spelling: row.maybe("slice_spelling", spelling)?,
        provenance: row.provenance()?,
    })
}

pub(crate) fn accelerator(row: &Row<'_>) -> Result<AcceleratorFacts, String> {
    Ok(AcceleratorFacts {
        name: row.text("name")?,
        vendor: row.text("vendor")?,
        memory: row.bytes("memory")?,
        resource: row.text("resource")?,
        products: row.list("products")?,
        gres_type: row.text("gres_type")?,
        domain: row.number("domain")?,
        cuda: row.maybe("cuda", Row::version)?,
        last_driver: row.maybe("last_driver", Row::version)?,
        partitions: Vec::new(),
        provenance: row.provenance()?,
    })
}

pub(crate) fn partition(row: &Row<'_>) -> Result<PartitionFacts, String> {
    Ok(PartitionFacts {
        accelerator: row.text("accelerator")?,
        form: row.text("form")?,
        per_gpu: row.number("per_gpu")?,
        memory: row.bytes("memory")?,
        resource: row.maybe("resource", Row::text)?,
        provenance: row.provenance()?,
    })
}

pub(crate) fn instance(row: &Row<'_>) -> Result<InstanceFacts, String> {
    let interfaces = row.number("efa_interfaces")?;
    let cards = row.maybe("network_cards", Row::number)?;
    let first_card = row.maybe("first_efa_card", Row::number)?;
    Ok(InstanceFacts {
        provider: row.text("provider")?,
        instance_type: row.text("instance_type")?,
        accelerator: row.text("accelerator")?,
        gpus: row.number("gpus")?,
        vcpus: row.maybe("vcpus", Row::number)?,
        threads_per_core: row.maybe("threads_per_core", Row::number)?,
        memory: row.maybe("memory", Row::bytes)?,
        network: row.maybe("network", Row::bandwidth)?,
        network_cards: cards,
        efa: match (interfaces, first_card) {
            (0, None) => None,
            (1.., Some(first_card)) => Some(Efa { interfaces, first_card }),
            _ => return Err("\"efa_interfaces\" and \"first_efa_card\" disagree".to_owned()),
        },
        zones: Vec::new(),
        provenance: row.provenance()?,
    })
}

pub(crate) fn zones(row: &Row<'_>) -> Result<ZoneFacts, String> {
    row.provenance()?;
    Ok(ZoneFacts {
        provider: row.text("provider")?,
        instance_type: row.text("instance_type")?,
        zones: row.list("zones")?,
    })
}

pub(crate) fn driver(row: &Row<'_>) -> Result<DriverFacts, String> {
    Ok(DriverFacts {
        cuda: row.version("cuda")?,
        driver: row.version("driver")?,
        provenance: row.provenance()?,
    })
}

pub(crate) fn feeding(row: &Row<'_>) -> Result<FeedingFacts, String> {
    Ok(FeedingFacts {
        accelerator_memory: row.bytes("accelerator_memory")?,
        cores: row.number("cores")?,
        memory: row.bytes("memory")?,
        provenance: row.provenance()?,
    })
}

pub(crate) fn variables(row: &Row<'_>) -> Result<VariableFacts, String> {
    Ok(VariableFacts {
        prefix: row.text("prefix")?,
        reader: row.text("reader")?,
        closed: match row.cell("closed")? {
            "yes" => true,
            "no" => false,
            other => return Err(format!("\"closed\" is \"{other}\", not \"yes\" or \"no\"")),
        },
        names: row.list("names")?,
        provenance: row.provenance()?,
    })
}

pub(crate) fn fabric(row: &Row<'_>) -> Result<FabricFacts, String> {
    Ok(FabricFacts {
        provider: row.text("provider")?,
        name: row.text("name")?,
        instance_types: row.list("instance_types")?,
        kind: row.text("kind")?,
        rails: row.number("rails")?,
        rate: row.bandwidth("rate")?,
        total: row.bandwidth("total")?,
        resource: row.maybe("resource", Row::text)?,
        per_node: row.maybe("per_node", Row::number)?,
        labels: row.list("labels")?,
        provenance: row.provenance()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_faulty_row_is_named_and_the_others_are_kept() {
        let text = "# version 2026-01-31\n\
                    name,vendor,memory,resource,products,gres_type,domain,cuda,last_driver,source,date,verified,note\n\
                    a,v,1GiB,r,P|Q,a,8,9.0,580,s,2026-01-31,yes,\n\
                    b,v,1GB/s,r,,b,8,,,s,2026-01-31,yes,\n\
                    c,v,1GiB,r,,c,8,,,,2026-01-31,yes,\n\
                    d,v,1GiB,r,,d,8,,,s,2026-01-31,perhaps,\n";
        let mut reader = Reader::default();
        let rows = reader.table("accelerators.csv", text, accelerator);
        let (version, faults) = reader.finish();
        assert_eq!(version.to_string(), "2026-01-31");
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].products, ["P", "Q"]);
        assert_eq!(rows[0].cuda, Some(Version::parse("9.0").unwrap()));
        let messages: Vec<&str> = faults.iter().map(|fault| fault.message.as_str()).collect();
        assert_eq!(messages.len(), 3);
        assert!(messages[0].starts_with("line 4 of the shipped accelerators.csv"), "{}", messages[0]);
        assert!(messages[1].contains("\"source\" is empty"), "{}", messages[1]);
        assert!(messages[2].contains("\"verified\" is \"perhaps\""), "{}", messages[2]);
    }

    #[test]
    fn a_file_without_a_version_is_a_fault() {
        let mut reader = Reader::default();
        let rows = reader.table("zones.csv", "provider,instance_type\n", zones);
        assert!(rows.is_empty());
        let (_, faults) = reader.finish();
        assert_eq!(faults.len(), 1);
        assert!(faults[0].message.contains("# version YYYY-MM-DD"), "{}", faults[0].message);
    }

    #[test]
    fn the_version_is_that_of_the_youngest_file() {
        let mut reader = Reader::default();
        for day in ["2026-02-01", "2026-03-01", "2026-01-01"] {
            let _ = reader.table("zones.csv", &format!("# version {day}\nprovider\n"), zones);
        }
        assert_eq!(reader.finish().0.to_string(), "2026-03-01");
    }
}
