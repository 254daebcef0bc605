//! Random expressions: the same seed, the same expressions. Most are sound; some have a value of the wrong kind in
//! the wrong place, and some a character too few or too many.

use std::collections::BTreeMap;

use serde_json::Value as Json;

/// What a place takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Text,
    Bool,
    List,
    Object,
}

const KINDS: [Kind; 5] = [Kind::Number, Kind::Text, Kind::Bool, Kind::List, Kind::Object];

/// The names of the expressions, by what they hold, and their values.
pub(crate) const NAMES: &[(&str, &str)] = &[
    ("n", "5"),
    ("zero", "0"),
    ("frac", "{\"$number\": \"0.1\"}"),
    ("big", "{\"$number\": \"98765432109876543210\"}"),
    ("digits", "\"12\""),
    ("word", "\"rack\""),
    ("empty", "\"\""),
    ("yes", "true"),
    ("no", "false"),
    ("said", "\"true\""),
    ("absent", "null"),
    ("absent_text", "{\"$null\": \"string\"}"),
    ("absent_number", "{\"$null\": \"number\"}"),
    ("absent_list", "{\"$null\": \"list(string)\"}"),
    ("words", "{\"$list\": [\"red\", \"green\", \"blue\"]}"),
    ("counts", "{\"$list\": [1, 2, 3]}"),
    ("nothing", "{\"$list\": [], \"of\": \"string\"}"),
    ("mixed", "[1, \"x\", true]"),
    ("set", "{\"$set\": [\"b\", \"a\"]}"),
    ("pools", "{\"$list\": [{\"kind\": \"h100\", \"gpus\": 8}, {\"kind\": \"l4\", \"gpus\": 1}]}"),
    ("map", "{\"$map\": {\"a\": \"1\", \"b\": \"2\"}}"),
    ("object", "{\"a\": 1, \"b\": \"x\", \"c\": [1, 2], \"d\": {\"e\": true}}"),
    ("later_number", "{\"$unknown\": \"number\"}"),
    ("later_text", "{\"$unknown\": \"string\"}"),
    ("later_bool", "{\"$unknown\": \"bool\"}"),
    ("later", "{\"$unknown\": \"any\"}"),
    ("later_list", "{\"$unknown\": \"list(string)\"}"),
    ("later_map", "{\"$unknown\": \"map(number)\"}"),
    ("later_object", "{\"$unknown\": \"object({a = string})\"}"),
    ("secret", "{\"$sensitive\": \"mellon\"}"),
    ("secret_number", "{\"$sensitive\": 3}"),
    ("secret_bool", "{\"$sensitive\": true}"),
    ("secret_list", "{\"$sensitive\": {\"$list\": [\"p\", \"q\"]}}"),
    ("secret_object", "{\"$sensitive\": {\"a\": 1, \"b\": {\"$sensitive\": \"y\"}}}"),
];

/// Names and their values, read.
pub(crate) fn parsed(names: &[(&str, &str)]) -> BTreeMap<String, Json> {
    names.iter().map(|(name, text)| ((*name).to_owned(), serde_json::from_str(text).unwrap())).collect()
}

/// A generator of expressions.
pub(crate) struct Generator {
    state: u64,
    /// Names that a `for` around the place binds.
    bound: Vec<String>,
    /// Whether the place is inside of a quoted text, where a line cannot end.
    quoted: bool,
}

impl Generator {
    /// One that begins at a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed, bound: Vec::new(), quoted: false }
    }

    /// The next expression.
    pub(crate) fn expression(&mut self) -> String {
        let kind = self.pick(&KINDS);
        let depth = 1 + self.below(4);
        let text = self.of(kind, depth);
        if self.one_in(25) { self.broken(&text) } else { text }
    }

    /// `splitmix64`: small, and the same everywhere.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    /// A character less, twice, or another one in its place. Never a bracket more: the text is put in parentheses.
    fn broken(&mut self, text: &str) -> String {
        let chars: Vec<char> = text.chars().collect();
        let at = self.below(chars.len().max(1) as u64) as usize;
        let (before, after) = chars.split_at(at.min(chars.len()));
        let rest = after.get(1..).unwrap_or_default();
        let middle = match self.below(3) {
            0 => String::new(),
            1 if !matches!(after.first(), Some('(' | ')')) => after.iter().take(1).cycle().take(2).collect(),
            _ => self
                .pick(&["+", "*", ",", ".", "?", ":", "\"", "=", "!", "~", "$", "x", "7", " ", "&&", ">"])
                .to_owned(),
        };
        before.iter().chain(middle.chars().collect::<Vec<_>>().iter()).chain(rest).collect()
    }

    /// An expression of a kind, or now and then of another one.
    fn of(&mut self, kind: Kind, depth: u64) -> String {
        let kind = if self.one_in(30) { self.pick(&KINDS) } else { kind };
        if self.one_in(40) {
            return self.odd();
        }
        if depth == 0 {
            return self.leaf(kind);
        }
        let depth = depth - 1;
        match (self.below(12), kind) {
            (0, _) => {
                let (condition, then, otherwise) =
                    (self.of(Kind::Bool, depth), self.of(kind, depth), self.of(kind, depth));
                if self.quoted || self.one_in(2) {
                    format!("({condition} ? {then} : {otherwise})")
                } else {
                    format!("({condition}\n  ? {then}\n  : {otherwise})")
                }
            }
            (1, _) => format!("({})", self.of(kind, depth)),
            (2, _) => format!("try({}, {})", self.of(kind, depth), self.of(kind, depth)),
            (3 | 4, _) => self.leaf(kind),
            (_, Kind::Number) => self.number(depth),
            (_, Kind::Text) => self.text(depth),
            (_, Kind::Bool) => self.bool(depth),
            (_, Kind::List) => self.list(depth),
            (_, Kind::Object) => self.object(depth),
        }
    }

    fn any(&mut self, depth: u64) -> String {
        let kind = self.pick(&KINDS);
        self.of(kind, depth)
    }

    /// Null, and what is known of nobody.
    fn odd(&mut self) -> String {
        self.pick(&["null", "absent", "absent_text", "absent_number", "absent_list", "later", "nobody"])
            .to_owned()
    }

    fn leaf(&mut self, kind: Kind) -> String {
        if !self.bound.is_empty() && self.one_in(3) {
            let at = self.below(self.bound.len() as u64) as usize;
            return self.bound[at].clone();
        }
        match kind {
            Kind::Number => self.pick(&[
                "0",
                "1",
                "2",
                "3",
                "7",
                "10",
                "64",
                "0.5",
                "1.25",
                "0.1",
                "3.14",
                "1e3",
                "2.5e-2",
                "1E2",
                "007",
                "98765432109876543210",
                "0.000001",
                "n",
                "zero",
                "frac",
                "big",
                "digits",
                "later_number",
                "secret_number",
                "object.a",
                "counts[1]",
                "pools[0].gpus",
            ]),
            Kind::Text => self.pick(&[
                "\"\"",
                "\"a\"",
                "\"rack 7\"",
                "\"12\"",
                "\"1.50\"",
                "\"true\"",
                "\"tab\\there\"",
                "\"caf\u{e9}\"",
                "\"cafe\u{301}\"",
                "\"\\u00e9\"",
                "\"\\U0001F600\"",
                "\"say \\\"hi\\\"\"",
                "\"back\\\\slash\"",
                "\"$${x} %%{y}\"",
                "\"$\"",
                "\"%\"",
                "word",
                "empty",
                "digits",
                "later_text",
                "secret",
                "object.b",
                "map.a",
                "map[\"b\"]",
                "words[0]",
                "words.1",
                "pools[1].kind",
                "pools.0.kind",
            ]),
            Kind::Bool => {
                self.pick(&["true", "false", "yes", "no", "said", "later_bool", "secret_bool", "object.d.e"])
            }
            Kind::List => self.pick(&[
                "[]",
                "[1, 2]",
                "[\"a\", \"b\"]",
                "[true]",
                "words",
                "counts",
                "nothing",
                "mixed",
                "set",
                "pools",
                "object.c",
                "later_list",
                "secret_list",
                "pools[*].kind",
                "pools.*.gpus",
                "[[1], [2, 3]]",
            ]),
            Kind::Object => self.pick(&[
                "{}",
                "{ a = 1 }",
                "{ a = \"x\", b = \"y\" }",
                "{ \"a b\": 1 }",
                "map",
                "object",
                "object.d",
                "pools[0]",
                "later_map",
                "later_object",
                "secret_object",
            ]),
        }
        .to_owned()
    }

    fn number(&mut self, depth: u64) -> String {
        match self.below(10) {
            0..=4 => {
                let sign = self.pick(&["+", "-", "*", "/", "%", "+", "*"]);
                let space = self.pick(&[" ", "", "  "]);
                let space = if sign == "-" { " " } else { space };
                format!("{}{space}{sign}{space}{}", self.operand(depth), self.operand(depth))
            }
            5 => format!("-{}", self.operand(depth)),
            6 => format!("length({})", self.of(Kind::List, depth)),
            7 => format!(
                "{}({}, {})",
                self.pick(&["min", "max"]),
                self.of(Kind::Number, depth),
                self.of(Kind::Number, depth)
            ),
            8 => format!("{}({})", self.pick(&["abs", "tonumber"]), self.of(Kind::Number, depth)),
            _ => format!("{}[{}]", self.list_base(depth), self.of(Kind::Number, 0)),
        }
    }

    /// In parentheses now and then, so that the order of operators counts.
    fn operand(&mut self, depth: u64) -> String {
        let inner = self.of(Kind::Number, depth);
        if self.one_in(3) { format!("({inner})") } else { inner }
    }

    fn list_base(&mut self, depth: u64) -> String {
        let inner = self.of(Kind::List, depth);
        if inner.starts_with(['[', '(']) || !inner.contains(' ') { inner } else { format!("({inner})") }
    }

    fn text(&mut self, depth: u64) -> String {
        match self.below(10) {
            0..=3 => self.quoted_template(depth),
            4 if !self.quoted => self.heredoc(depth),
            4 | 5 => format!(
                "{}({})",
                self.pick(&["upper", "lower", "tostring", "lab::upper"]),
                self.of(Kind::Text, depth)
            ),
            6 => format!("join(\", \", {})", self.of(Kind::List, depth)),
            7 => format!("tostring({})", self.of(Kind::Number, depth)),
            8 => format!("{}[{}]", self.list_base(depth), self.of(Kind::Number, 0)),
            _ => format!(
                "{}.{}",
                self.pick(&["object", "map", "pools[0]", "secret_object", "later_object"]),
                self.pick(&["a", "b", "kind"])
            ),
        }
    }

    fn quoted_template(&mut self, depth: u64) -> String {
        let outer = std::mem::replace(&mut self.quoted, true);
        let parts: String = (0..1 + self.below(3)).map(|_| self.template_part(depth, false)).collect();
        self.quoted = outer;
        format!("\"{parts}\"")
    }

    fn template_part(&mut self, depth: u64, lines: bool) -> String {
        let depth = depth.saturating_sub(1);
        let (left, right) = (self.pick(&["", "", "", "~"]), self.pick(&["", "", "", "~"]));
        match self.below(8) {
            0..=2 => self.pick(&["x", " ", " a ", "  two  ", "$", "%", "$$", "#", "'"]).to_owned(),
            3 | 4 => {
                let kind = self.pick(&[Kind::Text, Kind::Number, Kind::Bool]);
                format!("${{{left}{}{right}}}", self.of(kind, depth))
            }
            5 => {
                let condition = self.of(Kind::Bool, 0);
                let (then, otherwise) = (self.template_part(depth, lines), self.template_part(depth, lines));
                let end = if lines { "\n" } else { "" };
                if self.one_in(2) {
                    format!(
                        "%{{{left} if {condition} {right}}}{end}{then}%{{ else }}{otherwise}%{{ endif {right}}}"
                    )
                } else {
                    format!("%{{ if {condition} {right}}}{then}%{{{left} endif }}")
                }
            }
            6 => {
                let list = self.of(Kind::List, 0);
                self.bound.push("each".to_owned());
                let body = self.template_part(depth, lines);
                self.bound.pop();
                format!("%{{{left} for each in {list} {right}}}{body}%{{ endfor {right}}}")
            }
            _ => format!("{}${{{}}}", self.pick(&["a", "  ", "-"]), self.of(Kind::Text, depth)),
        }
    }

    fn heredoc(&mut self, depth: u64) -> String {
        let flush = self.pick(&["", "-"]);
        let indent = self.pick(&["", "  ", "    "]);
        let mut lines = String::new();
        for _ in 0..self.below(4) {
            let more = self.pick(&["", "", "  ", "\t"]);
            let outer = std::mem::replace(&mut self.quoted, true);
            let parts: String = (0..self.below(3)).map(|_| self.template_part(depth, false)).collect();
            self.quoted = outer;
            lines.push_str(&format!("{indent}{more}{parts}\n"));
        }
        format!("(<<{flush}TEXT\n{lines}{indent}TEXT\n)")
    }

    fn bool(&mut self, depth: u64) -> String {
        match self.below(11) {
            0 | 1 => {
                let sign = self.pick(&["<", "<=", ">", ">="]);
                format!("({} {sign} {})", self.of(Kind::Number, depth), self.of(Kind::Number, depth))
            }
            2 | 3 => {
                let kind = self.pick(&KINDS);
                let sign = self.pick(&["==", "!="]);
                format!("({} {sign} {})", self.of(kind, depth), self.of(kind, depth))
            }
            4 => format!("({} == {})", self.any(depth), self.any(depth)),
            5..=7 => {
                let sign = self.pick(&["&&", "||"]);
                format!("({} {sign} {})", self.of(Kind::Bool, depth), self.of(Kind::Bool, depth))
            }
            8 => format!("!{}", self.of(Kind::Bool, depth)),
            9 => format!("can({})", self.any(depth)),
            _ => format!("contains({}, {})", self.of(Kind::List, depth), self.of(Kind::Text, 0)),
        }
    }

    fn list(&mut self, depth: u64) -> String {
        match self.below(11) {
            0 | 1 => {
                let kind = self.pick(&KINDS);
                let items: Vec<String> = (0..self.below(4)).map(|_| self.of(kind, depth)).collect();
                let comma = if !items.is_empty() && self.one_in(6) { "," } else { "" };
                let line = if self.quoted || self.one_in(2) { "" } else { "\n" };
                format!("[{line}{}{comma}{line}]", items.join(", "))
            }
            2 => {
                let items: Vec<String> = (0..self.below(4)).map(|_| self.any(depth)).collect();
                format!("[{}]", items.join(", "))
            }
            3..=5 => self.for_list(depth),
            6 => format!("{}[*]{}", self.list_base(depth), self.pick(&["", ".kind", ".gpus", "[0]", ".a"])),
            7 => format!(
                "{}.*{}",
                self.list_base(depth),
                self.pick(&["", ".kind", ".gpus", "[0]", ".0", ".a"])
            ),
            8 => format!("concat({}, {})", self.of(Kind::List, depth), self.of(Kind::List, depth)),
            9 => format!(
                "{}({})",
                self.pick(&["reverse", "flatten", "tolist", "toset"]),
                self.of(Kind::List, depth)
            ),
            _ => format!("{}({})", self.pick(&["keys", "values"]), self.of(Kind::Object, depth)),
        }
    }

    fn for_names(&mut self) -> (String, Vec<String>) {
        if self.one_in(2) {
            ("at, each".to_owned(), vec!["at".to_owned(), "each".to_owned()])
        } else {
            ("each".to_owned(), vec!["each".to_owned()])
        }
    }

    fn source(&mut self, depth: u64) -> String {
        let kind = self.pick(&[Kind::List, Kind::List, Kind::Object]);
        self.of(kind, depth)
    }

    fn for_list(&mut self, depth: u64) -> String {
        let (names, bound) = self.for_names();
        let source = self.source(depth);
        self.bound.extend(bound.iter().cloned());
        let result = self.any(depth);
        let condition =
            if self.one_in(2) { format!(" if {}", self.of(Kind::Bool, depth)) } else { String::new() };
        self.bound.truncate(self.bound.len() - bound.len());
        format!("[for {names} in {source} : {result}{condition}]")
    }

    fn object(&mut self, depth: u64) -> String {
        match self.below(8) {
            0..=2 => {
                let mut items = Vec::new();
                for key in ["a", "b", "\"c d\"", "(word)", "\"k${n}\"", "true"] {
                    if self.one_in(2) {
                        let sign = self.pick(&["=", ":"]);
                        items.push(format!("{key} {sign} {}", self.any(depth)));
                    }
                }
                let line = if self.quoted || self.one_in(2) { " " } else { "\n" };
                let between = if line == "\n" { self.pick(&[",\n", "\n"]) } else { ", " };
                format!("{{{line}{}{line}}}", items.join(between))
            }
            3..=5 => {
                let (names, bound) = self.for_names();
                let source = self.source(depth);
                self.bound.extend(bound.iter().cloned());
                let key = match self.below(4) {
                    0 => self.of(Kind::Text, depth),
                    1 => "\"${each}\"".to_owned(),
                    _ => bound[0].clone(),
                };
                let result = self.any(depth);
                let group = self.pick(&["", "", "..."]);
                let condition = if self.one_in(3) {
                    format!(" if {}", self.of(Kind::Bool, depth))
                } else {
                    String::new()
                };
                self.bound.truncate(self.bound.len() - bound.len());
                format!("{{for {names} in {source} : {key} => {result}{group}{condition}}}")
            }
            6 => format!("merge({}, {})", self.of(Kind::Object, depth), self.of(Kind::Object, depth)),
            _ => format!("tomap({})", self.of(Kind::Object, depth)),
        }
    }
}
