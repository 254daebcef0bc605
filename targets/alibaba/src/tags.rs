//! Tags of a pool's instances: whose they are, and what the fleet's people write.
//!
//! Limits: Alibaba Cloud ECS documentation, "Tag overview" (20 tags, 128 characters each), and the provider's `tags`.

use std::collections::BTreeMap;

use poolwright_diagnostics::Diagnostic;
use poolwright_target_cloud::Group;
use poolwright_target_cloud::tags::{ADDRESS, FLEET};

use crate::{codes, names};

const MOST_TAGS: usize = 20;
const MOST_CHARACTERS: usize = 128;

/// Labels and ownership; the digest is added to the finished body.
pub(crate) fn tags(group: &Group<'_>, diagnostics: &mut Vec<Diagnostic>) -> BTreeMap<String, String> {
    let fleet = group.input.fleet;
    let mut tags = group.labels();
    let at = group.pool.meta.origin.of("labels");
    let refuse = |what: String, help: &str| {
        Diagnostic::error(codes::TAGS, format!("`{}`: {what}", group.name()))
            .at(at, "labels become tags of its instances")
            .with_help(help.to_owned())
    };
    for (key, value) in &tags {
        let reserved = ["aliyun", "acs:", "poolwright:"].into_iter().find(|prefix| key.starts_with(prefix));
        if let Some(prefix) = reserved {
            diagnostics.push(refuse(
                format!("the label \"{key}\" begins with \"{prefix}\", which is reserved"),
                "use another label key",
            ));
        }
        if value.starts_with("aliyun") || value.starts_with("acs:") {
            diagnostics.push(refuse(
                format!("the value \"{value}\" of label \"{key}\" begins with a reserved word"),
                "use another value",
            ));
        }
        for part in [key, value] {
            if part.contains("http://") || part.contains("https://") {
                diagnostics.push(refuse(
                    format!("the label \"{key}\" = \"{value}\" holds a URL"),
                    "tags may not hold http:// or https://",
                ));
            }
            let characters = part.chars().count();
            if characters > MOST_CHARACTERS {
                diagnostics
                    .push(refuse(format!("\"{part}\" has {characters} characters"), "tags hold 128 at most"));
            }
        }
    }
    tags.insert(FLEET.to_owned(), fleet.meta.name.clone());
    tags.insert(ADDRESS.to_owned(), names::address(group.target(), group.name()));
    // The digest comes last, when the body is finished.
    let count = tags.len() + 1;
    if count > MOST_TAGS {
        diagnostics.push(refuse(
            format!("{count} tags, Alibaba Cloud takes {MOST_TAGS}"),
            "leave out labels that nothing reads",
        ));
    }
    tags
}
