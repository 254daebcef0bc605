//! A strict reader of DOT, after the grammar in Graphviz's manual ("DOT Language"), of what the program may write:
//! a `digraph`, attribute statements, node and edge statements, subgraphs. Anything else is a fault.

use super::Said;

#[derive(Debug, Clone, PartialEq)]
enum Token {
    /// A bare name or number, or a quoted text as it stands between its quotes.
    Id(String),
    Sign(&'static str),
}

fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            ' ' | '\n' => {}
            '"' => {
                let mut inside = String::new();
                loop {
                    match rest.next().unwrap() {
                        '"' => break,
                        '\n' => panic!("a line ends in quotes: {inside}"),
                        '\\' => inside.extend(['\\', rest.next().unwrap()]),
                        other => inside.push(other),
                    }
                }
                found.push(Token::Id(inside));
            }
            '-' => {
                assert_eq!(rest.next(), Some('>'), "the edges of a digraph are `->`");
                found.push(Token::Sign("->"));
            }
            '{' | '}' | '[' | ']' | '=' | ';' | ',' => {
                let signs = ["{", "}", "[", "]", "=", ";", ","];
                found.push(Token::Sign(signs.iter().find(|sign| sign.starts_with(character)).unwrap()));
            }
            first if first.is_ascii_alphanumeric() || first == '_' => {
                let mut word = first.to_string();
                while let Some(next) = rest.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
                    word.push(next);
                }
                // A name does not begin with a digit, and a number has nothing else.
                let number = word.chars().all(|c| c.is_ascii_digit());
                assert!(number || !first.is_ascii_digit(), "`{word}` has to be quoted");
                found.push(Token::Id(word));
            }
            other => panic!("`{other}` outside of quotes"),
        }
    }
    found
}

/// A name: only quotes and backslashes are escaped in it.
fn name(raw: &str) -> String {
    let mut found = String::new();
    let mut rest = raw.chars();
    while let Some(character) = rest.next() {
        match character {
            '\\' => match rest.next().unwrap() {
                escaped @ ('"' | '\\') => found.push(escaped),
                other => panic!("`\\{other}` means something in a label"),
            },
            other => found.push(other),
        }
    }
    found
}

/// The lines of a label. An entity is of `&` alone.
fn lines(raw: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut rest = raw.chars();
    while let Some(character) = rest.next() {
        let line = lines.last_mut().unwrap();
        match character {
            '\\' => match rest.next().unwrap() {
                'n' => lines.push(String::new()),
                other => line.extend(['\\', other]),
            },
            other => line.push(other),
        }
    }
    let plain = |line: &String| {
        assert_eq!(line.matches('&').count(), line.matches("&amp;").count(), "{line}");
        name(&line.replace("&amp;", "&"))
    };
    lines.iter().map(plain).collect()
}

struct Reader {
    tokens: std::iter::Peekable<std::vec::IntoIter<Token>>,
    said: Said,
    subgraphs: Vec<String>,
}

pub(super) fn read(text: &str) -> Said {
    let tokens = tokens(text).into_iter().peekable();
    let mut reader = Reader { tokens, said: Said::default(), subgraphs: Vec::new() };
    assert_eq!(reader.id(), "digraph");
    reader.id();
    reader.sign("{");
    reader.statements(&mut Vec::new());
    assert_eq!(reader.tokens.next(), None, "text after the graph");
    for (from, to, _) in &reader.said.edges {
        for end in [from, to] {
            assert!(reader.said.nodes.contains_key(end), "{end} is drawn without being declared");
        }
    }
    reader.said
}

impl Reader {
    fn id(&mut self) -> String {
        match self.tokens.next() {
            Some(Token::Id(id)) => id,
            other => panic!("a name is wanted, {other:?} found"),
        }
    }

    fn sign(&mut self, sign: &'static str) {
        assert_eq!(self.tokens.next(), Some(Token::Sign(sign)));
    }

    fn takes(&mut self, sign: &'static str) -> bool {
        self.tokens.next_if_eq(&Token::Sign(sign)).is_some()
    }

    fn attributes(&mut self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        self.sign("[");
        loop {
            let key = self.id();
            self.sign("=");
            found.push((key, self.id()));
            if self.takes("]") {
                return found;
            }
            self.sign(",");
        }
    }

    /// Statements up to the brace that ends them. `frames` are the labels of the subgraphs around them.
    fn statements(&mut self, frames: &mut Vec<String>) {
        while !self.takes("}") {
            let first = self.id();
            if first == "subgraph" {
                let name = self.id();
                assert!(name.starts_with("cluster"), "only these have a frame");
                assert!(!self.subgraphs.contains(&name), "two subgraphs of one name would be one");
                self.subgraphs.push(name);
                self.sign("{");
                assert_eq!(self.id(), "label");
                self.sign("=");
                frames.push(lines(&self.id()).join("\n"));
                self.sign(";");
                self.statements(frames);
                frames.pop();
                continue;
            }
            if self.takes("->") {
                let to = self.id();
                let attributes = self.attributes();
                let label = &attributes.iter().find(|(key, _)| key == "label").unwrap().1;
                let label = lines(label).join("\n");
                self.said.edges.push((name(&first), name(&to), label));
            } else if self.takes("=") {
                self.id();
            } else {
                let attributes = self.attributes();
                if first != "node" && first != "edge" {
                    let label = &attributes.iter().find(|(key, _)| key == "label").unwrap().1;
                    let before = self.said.nodes.insert(name(&first), (lines(label), frames.clone()));
                    assert_eq!(before, None, "{first} twice");
                }
            }
            self.sign(";");
        }
    }
}
