//! User data: a tera template of the target, rendered per node group.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use poolwright_diagnostics::Diagnostic;
use poolwright_target_cloud::Group;
use tera::{Context, Tera};

use crate::codes;

/// Bytes that EC2 takes before they are encoded (EC2 user guide, "Run commands when you launch an EC2 instance").
const MOST_BYTES: usize = 16 * 1024;

/// The name that faults have before they get the file's.
const NAME: &str = "__poolwright_user_data";

/// A target's template, parsed once for all of its groups; an error is said by each group that it keeps from rendering.
pub(crate) struct Template(Result<Tera, String>);

impl Template {
    pub(crate) fn parse(text: &str) -> Self {
        let mut tera = Tera::default();
        // A shell script is no HTML.
        tera.autoescape_on(Vec::<&'static str>::new());
        Self(tera.add_raw_template(NAME, text).map(|()| tera).map_err(|error| error.to_string()))
    }

    fn render(&self, context: &Context) -> Result<String, String> {
        let tera = self.0.as_ref().map_err(String::clone)?;
        tera.render(NAME, context).map_err(|error| error.to_string())
    }
}

/// The rendered template in base64, as launch templates hold it.
pub(crate) fn render(group: &Group<'_>, template: &Template) -> Result<String, Box<Diagnostic>> {
    let at = group.target().meta.origin.of("user_data");
    let path = group.cloud.user_data.as_deref().unwrap_or("the template");
    let mut context = Context::new();
    context.insert("pool", &group.pool.meta.name);
    context.insert("lot", &group.lot.meta.name);
    context.insert("cluster_id", &group.layout.cluster_id);
    context.insert("node_labels", &group.layout.node_labels);
    let taints: Vec<String> = group.pool.taints.iter().map(ToString::to_string).collect();
    context.insert("taints", &taints);

    let text = template.render(&context).map_err(|error| {
        let report = error.replace(NAME, path);
        let first = report.lines().next().unwrap_or_default();
        let what = first.strip_prefix("error: ").unwrap_or(first);
        Box::new(
            Diagnostic::error(
                codes::USER_DATA,
                format!("{path} does not render for `{}`: {what}", group.name()),
            )
            .at(at, "this template")
            .also(group.lot.meta.origin.header, "rendered for this lot")
            .with_note(report.trim_end().to_owned())
            .with_help(
                "a template sees `pool`, `lot`, `cluster_id`, `node_labels` (a map) and `taints` (a list)",
            ),
        )
    })?;
    if text.len() > MOST_BYTES {
        let message =
            format!("user data of `{}` has {} bytes, EC2 takes {MOST_BYTES}", group.name(), text.len());
        return Err(Box::new(
            Diagnostic::error(codes::USER_DATA_SIZE, message)
                .at(at, format!("{} bytes too many", text.len().saturating_sub(MOST_BYTES)))
                .with_help("let the template fetch the rest when the node starts, or put it into the image"),
        ));
    }
    Ok(STANDARD.encode(text))
}
