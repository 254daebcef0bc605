//! YAML, both ways: the only module that names the YAML crate. Strings that a YAML 1.1 reader (kubectl among them)
//! would take for something else are quoted by the crate's defaults; `yaml_12` would write a `%YAML` directive,
//! which kubectl refuses.

use serde_json::Value;

/// Why a text is no YAML document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct YamlFault {
    /// Line from 1, if known.
    pub(crate) line: Option<u32>,
    /// What is wrong, in one line.
    pub(crate) message: String,
}

/// A value as a YAML document, newline at the end.
pub(crate) fn write(value: &Value) -> Result<String, YamlFault> {
    serde_saphyr::to_string(value)
        .map_err(|fault| YamlFault { line: None, message: first_line(&fault.to_string()) })
}

/// All documents of a text. Numbers are read as kubectl reads them, `0755` as octal.
pub(crate) fn read(text: &str) -> Result<Vec<Value>, YamlFault> {
    let options = serde_saphyr::options! { legacy_octal_numbers: true };
    serde_saphyr::from_multiple_with_options(text, options).map_err(|fault| YamlFault {
        line: fault.location().and_then(|place| u32::try_from(place.line()).ok()).filter(|line| *line > 0),
        message: first_line(&fault.without_snippet().to_string()),
    })
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or("unreadable").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// What a YAML 1.1 reader (kubectl's, PyYAML) takes for a boolean, a number, null, a date or a merge.
    const TRAPS: &[&str] = &[
        "on",
        "off",
        "yes",
        "no",
        "y",
        "n",
        "Y",
        "N",
        "On",
        "OFF",
        "Yes",
        "NO",
        "true",
        "True",
        "null",
        "Null",
        "~",
        "",
        "1_000",
        "0x1F",
        "0o17",
        "0755",
        "007",
        "1e3",
        "1.",
        ".5",
        "+1",
        "-0",
        ".inf",
        "-.Inf",
        ".nan",
        "1:30",
        "190:20:30",
        "2026-11-30",
        "2026-11-30T10:00:00Z",
        "<<",
        "=",
        "a: b",
        "a #b",
        " lead",
        "trail ",
        "- x",
        "*x",
        "&x",
        "!x",
        "%x",
        "@x",
        "`x",
        "{x",
        "[x",
        "'",
        "\"",
        "a\nb",
        "a\n",
        "\t",
        "\u{85}",
        "\u{feff}x",
        "é",
        "---",
        "...",
    ];

    #[test]
    fn traps_come_back_as_the_strings_that_they_were() {
        for trap in TRAPS {
            let value = json!({ "key": trap, *trap: 1 });
            let text = write(&value).unwrap();
            assert_eq!(read(&text).unwrap(), [value], "{trap:?} was written as\n{text}");
        }
    }

    /// Reading back by the same crate would hide a scalar that only other readers misread.
    #[test]
    fn traps_of_yaml_1_1_are_quoted() {
        for trap in TRAPS.iter().take(38) {
            let text = write(&json!({ "key": trap })).unwrap();
            let scalar = text.trim_end().strip_prefix("key: ").unwrap();
            assert!(scalar.starts_with(['"', '\'']), "{trap:?} was written as {scalar}");
        }
    }

    #[test]
    fn numbers_and_booleans_stay_plain() {
        let text = write(&json!({ "a": 2_147_483_647, "b": false, "c": null, "d": [] , "e": {} })).unwrap();
        assert_eq!(text, "a: 2147483647\nb: false\nc: null\nd: []\ne: {}\n");
    }

    #[test]
    fn octal_is_read_as_kubectl_reads_it() {
        assert_eq!(read("a: 0755").unwrap(), [json!({ "a": 493 })]);
    }

    #[test]
    fn a_fault_has_its_line() {
        let fault = read("a: 1\nb: [1, 2\nc: 3\n").unwrap_err();
        assert!(fault.line.is_some_and(|line| line >= 2), "{fault:?}");
        let fault = read("a: 1\na: 2\n").unwrap_err();
        assert_eq!(fault.line, Some(2), "{fault:?}");
    }
}
