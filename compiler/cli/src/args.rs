//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use poolwright_driver::VariableSource;

/// Infrastructure as code for GPU fleets: pools, tiers, queues and routes in one language, compiled to
/// Kubernetes/Kueue, cloud groups and Slurm.
#[derive(Parser, Debug)]
#[command(name = "poolwright", version, disable_help_subcommand = true, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Flags of every command.
#[derive(Args, Debug, Clone)]
pub(crate) struct Global {
    /// Value of a variable; counts before what files say
    #[arg(long = "var", global = true, value_name = "NAME=VALUE", action = clap::ArgAction::Append)]
    pub(crate) vars: Vec<String>,
    /// File of lines NAME = VALUE; later files count before earlier ones
    #[arg(long = "var-file", global = true, value_name = "FILE", action = clap::ArgAction::Append)]
    pub(crate) var_files: Vec<PathBuf>,
    /// Form of diagnostics
    #[arg(long, global = true, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
    /// When to colour diagnostics; NO_COLOR is honoured
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,
    /// Only errors
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Notes as well
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
}

impl Global {
    /// The flags of a run whose command line clap refuses as a whole: the form that its words ask for.
    pub(crate) fn of_words(words: impl Iterator<Item = OsString>) -> Self {
        Self {
            vars: Vec::new(),
            var_files: Vec::new(),
            format: Format::of_words(words),
            color: Color::Auto,
            quiet: false,
            verbose: false,
        }
    }

    /// Values of variables, in the order in which later ones count.
    pub(crate) fn variables(&self) -> Vec<VariableSource> {
        let file = |path: &PathBuf| {
            let text = std::fs::read_to_string(path).map_err(|error| error.to_string());
            VariableSource::File(path.display().to_string(), text)
        };
        let arguments = self.vars.iter().cloned().map(VariableSource::Argument);
        self.var_files.iter().map(file).chain(arguments).collect()
    }
}

/// Form of diagnostics.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    // For people: the source with what is wrong in it
    Human,
    // A line each
    Short,
    // One JSON document; its schema is `poolwright schema diagnostics`
    Json,
    // SARIF 2.1.0, for code scanning
    Sarif,
    // Workflow commands of GitHub Actions
    Github,
    // JUnit's XML: a test case a file
    Junit,
    // Of `graph` alone: for Graphviz
    #[value(skip)]
    Dot,
    // Of `graph` alone: for Mermaid
    #[value(skip)]
    Mermaid,
}

impl Format {
    /// Whether a run gives one document, however many steps found something.
    pub(crate) fn is_document(self) -> bool {
        matches!(self, Self::Json | Self::Sarif | Self::Junit)
    }

    /// What `graph` takes: its own forms. The flag is that of all commands, so that its value is of their type.
    fn of_graph() -> impl TypedValueParser<Value = Self> {
        PossibleValuesParser::new(["dot", "mermaid", "json"]).map(|word| match word.as_str() {
            "json" => Self::Json,
            "mermaid" => Self::Mermaid,
            _ => Self::Dot,
        })
    }

    fn of_words(words: impl Iterator<Item = OsString>) -> Self {
        let mut words = words.map(|word| word.to_string_lossy().into_owned());
        while let Some(word) = words.next() {
            let value = match word.strip_prefix("--format") {
                Some("") => words.next(),
                Some(rest) => rest.strip_prefix('=').map(str::to_owned),
                None => None,
            };
            if let Some(format) = value.and_then(|value| Self::from_str(&value, false).ok()) {
                return format;
            }
        }
        Self::Human
    }
}

/// When to colour.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

/// The folder of `*.pool.hcl` files.
#[derive(Args, Debug, Clone)]
pub(crate) struct Folder {
    /// Folder of the fleet's *.pool.hcl files
    #[arg(default_value = ".", value_name = "DIR")]
    pub(crate) folder: PathBuf,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Write a commented fleet to start from
    Init(Folder),
    /// Check the fleet: syntax, names, types, rules, what targets can express
    Validate(Folder),
    /// Lay the fleet's files out in one style; values and comments stay
    Fmt {
        /// Files, or folders of *.pool.hcl files; - for standard input
        #[arg(default_value = ".", value_name = "PATH")]
        paths: Vec<PathBuf>,
        /// Write nothing; exit 2 when a file differs, and show where
        #[arg(long)]
        check: bool,
        /// The folders in folders as well
        #[arg(long)]
        recursive: bool,
    },
    /// Carry out the safe fixes of what `validate` finds
    Fix {
        #[command(flatten)]
        folder: Folder,
        /// Write nothing; exit 2 when there is something to fix, and show it
        #[arg(long)]
        dry_run: bool,
        /// The fixes that should be looked at as well
        #[arg(long = "unsafe")]
        unsafe_too: bool,
    },
    /// Write the files of all targets
    Compile {
        #[command(flatten)]
        folder: Folder,
        /// Where to write; each target gets OUT/KIND/NAME
        #[arg(long, value_name = "OUT")]
        out: PathBuf,
        /// Only this target, such as kubernetes.eks
        #[arg(long, value_name = "KIND.NAME")]
        target: Option<String>,
        /// Write nothing; exit 2 when a file differs
        #[arg(long)]
        check: bool,
    },
    /// Show what would change on each target, what it costs and what policies say
    Plan {
        #[command(flatten)]
        folder: Folder,
        /// Save the plan; - for standard output
        #[arg(short, long, value_name = "PLAN")]
        output: Option<PathBuf>,
        /// The plan as JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        guards: Guards,
    },
    /// Show a saved plan
    Show {
        /// The saved plan; - for standard input
        plan: PathBuf,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Carry out a plan: a saved one, or the one that a folder has now
    Apply {
        /// A saved plan, or the fleet's folder
        #[arg(default_value = ".", value_name = "PLAN | DIR")]
        what: PathBuf,
        /// The fleet's folder, when a saved plan is given
        #[arg(long, value_name = "DIR", default_value = ".")]
        dir: PathBuf,
        /// Do not ask
        #[arg(long, conflicts_with = "approved")]
        auto_approve: bool,
        /// Apply only if the plan has this digest
        #[arg(long, value_name = "sha256:…")]
        approved: Option<String>,
        #[command(flatten)]
        guards: Guards,
    },
    /// The value of expressions: a prompt, or a line in and a line out
    Console {
        #[command(flatten)]
        folder: Folder,
        /// Answers as JSON: {"value": …} or {"error": {code, message}}
        #[arg(long)]
        json: bool,
    },
    /// Pin modules from Git in poolwright.lock, and fetch them
    Lock {
        #[command(flatten)]
        folder: Folder,
        /// Take what branches and tags are today
        #[arg(long)]
        update: bool,
    },
    /// What pools, queues and tenants cost a month
    Cost {
        #[command(flatten)]
        folder: Folder,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Draw the fleet's blocks and what refers to what
    Graph {
        #[command(flatten)]
        folder: Folder,
        /// Form of the graph: for Graphviz, for Mermaid, or as JSON
        #[arg(long, value_parser = Format::of_graph(), default_value = "dot")]
        format: Format,
    },
    /// Run the fleet's test blocks
    Test(Folder),
    /// policy test: run the tests inside policies
    #[command(subcommand)]
    Policy(PolicyCommand),
    /// route explain: when each step of a queue's route opens, what it has, what it costs
    #[command(subcommand)]
    Route(RouteCommand),
    /// Accelerators, instance types and fabrics that are known
    Catalog {
        /// What to list; everything when nothing is named
        #[arg(value_enum)]
        what: Option<CatalogPart>,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the JSON Schema of an output or a block; without a name, list the names
    Schema {
        /// plan, cost, … or a block: pool, target.kubernetes; "block pool" says the same
        #[arg(num_args = 0..=2)]
        name: Vec<String>,
    },
    /// Say what a code means, with an example and its repair; without a code, list all codes
    Explain {
        /// A code such as PW4120; 4120 says the same
        code: Option<String>,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the version
    Version {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Help on a command, or on exit-codes
    Help {
        /// A command, or exit-codes
        topic: Vec<String>,
    },
    /// What the contract names and this version does not have
    #[command(external_subcommand)]
    Other(Vec<String>),
}

/// Guards against a plan that removes too much.
#[derive(Args, Debug, Clone)]
pub(crate) struct Guards {
    /// Refuse a plan that destroys more objects than this
    #[arg(long, value_name = "N")]
    pub(crate) allow_destroy: Option<usize>,
    /// Allow a plan that leaves nothing
    #[arg(long)]
    pub(crate) allow_empty: bool,
}

#[derive(Subcommand, Debug)]
pub(crate) enum PolicyCommand {
    /// Run the tests inside policies
    Test(Folder),
    /// What the contract names and this version does not have
    #[command(external_subcommand)]
    Other(Vec<String>),
}

#[derive(Subcommand, Debug)]
pub(crate) enum RouteCommand {
    /// Show a queue's ladder: when each step opens, what it has, what it costs
    Explain {
        /// The queue
        queue: String,
        #[command(flatten)]
        folder: Folder,
    },
    /// What the contract names and this version does not have
    #[command(external_subcommand)]
    Other(Vec<String>),
}

/// Parts of the catalogue.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CatalogPart {
    Accelerators,
    Instances,
    Fabrics,
    /// Of the contract, and not built yet.
    #[value(hide = true)]
    Refresh,
}

/// Commands of CONTRACT §1 that are not built yet, with their group where they have one.
pub(crate) const PLANNED: [&str; 17] = [
    "destroy",
    "drift",
    "reconcile",
    "resume",
    "state",
    "adopt",
    "import",
    "report",
    "simulate",
    "fabric",
    "permissions",
    "lsp",
    "completions",
    "policy coverage",
    "policy explain",
    "route run",
    "catalog refresh",
];

/// Flags of CONTRACT §1 that are not built yet.
pub(crate) const PLANNED_FLAGS: [&str; 8] =
    ["--only", "--offline", "--snapshot", "--against", "--approval", "--allow-job-loss", "--json", "--from"];
