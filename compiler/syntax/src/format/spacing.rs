//! What stands between two pieces of a line: a space or nothing.

use super::pieces::{Piece, What};
use crate::source::Source;
use crate::token::Kind;

/// The part that a piece plays on its line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Name,
    Number,
    Text,
    /// `for`, `in` and `if` of a `for` expression.
    Keyword,
    Open(Kind),
    Close,
    CloseBrace,
    Comma,
    /// `.` and `::`
    Joint,
    /// `*` of `.*` and `[*]`
    Splat,
    /// `-` and `!` before their operand.
    Unary,
    Ellipsis,
    /// Operators and signs between two operands.
    Between,
    Comment,
}

impl Role {
    /// Whether it is the end of an operand.
    fn ends_value(self) -> bool {
        matches!(self, Self::Name | Self::Number | Self::Text | Self::Close | Self::CloseBrace | Self::Splat)
    }
}

/// How far a `for` expression in a bracket has been read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing stands in the bracket yet.
    Fresh,
    /// There is no `for` expression.
    Plain,
    /// Before `in`.
    Names,
    /// Before `:`.
    Collection,
    /// Before `if`.
    Result,
}

/// Reads roles off the pieces, which have to come in order.
#[derive(Default)]
pub(super) struct Roles {
    /// The open brackets.
    around: Vec<State>,
    /// The last piece that is neither a comment nor the end of a line.
    before: Option<Role>,
}

impl Roles {
    /// The role of a piece; `next` is the piece after it.
    pub(super) fn of(&mut self, source: &Source, piece: Piece, next: Option<Piece>) -> Role {
        let role = self.role(source, piece, next);
        match role {
            Role::Comment => return role,
            Role::Open(_) => {
                self.settle();
                self.around.push(State::Fresh);
            }
            Role::Close | Role::CloseBrace => {
                self.around.pop();
            }
            Role::Keyword => {}
            _ => self.settle(),
        }
        self.before = Some(role);
        role
    }

    /// The bracket has something in it that is no `for`.
    fn settle(&mut self) {
        if let Some(state) = self.around.last_mut()
            && *state == State::Fresh
        {
            *state = State::Plain;
        }
    }

    fn role(&mut self, source: &Source, piece: Piece, next: Option<Piece>) -> Role {
        let kind = match piece.what {
            What::LineComment | What::BlockComment => return Role::Comment,
            What::Text => return Role::Text,
            What::Newline => return Role::Between,
            What::Token(kind) => kind,
        };
        let text = source.slice(piece.start, piece.end);
        match kind {
            Kind::Ident if self.before != Some(Role::Joint) && self.keyword(text, next) => Role::Keyword,
            Kind::Ident => Role::Name,
            Kind::Number => Role::Number,
            Kind::LeftBrace | Kind::LeftBracket | Kind::LeftParen => Role::Open(kind),
            Kind::RightBrace => Role::CloseBrace,
            Kind::RightBracket | Kind::RightParen => Role::Close,
            Kind::Comma => Role::Comma,
            Kind::Dot | Kind::DoubleColon => Role::Joint,
            Kind::Ellipsis => Role::Ellipsis,
            Kind::Colon => {
                if let Some(state) = self.around.last_mut()
                    && *state == State::Collection
                {
                    *state = State::Result;
                }
                Role::Between
            }
            Kind::Operator if text == "*" && self.is_splat(next) => Role::Splat,
            Kind::Operator if matches!(text, "-" | "!") && !self.before.is_some_and(Role::ends_value) => {
                Role::Unary
            }
            _ => Role::Between,
        }
    }

    /// Whether a word is a keyword here; if so, the `for` expression goes on.
    fn keyword(&mut self, text: &str, next: Option<Piece>) -> bool {
        let Some(state) = self.around.last_mut() else { return false };
        let begins = text == "for" && next.is_some_and(|next| next.what == What::Token(Kind::Ident));
        *state = match (*state, text) {
            (State::Fresh, "for") if begins => State::Names,
            (State::Names, "in") => State::Collection,
            (State::Result, "if") => State::Plain,
            _ => return false,
        };
        true
    }

    fn is_splat(&self, next: Option<Piece>) -> bool {
        match self.before {
            Some(Role::Joint) => true,
            Some(Role::Open(Kind::LeftBracket)) => {
                next.is_some_and(|next| next.what == What::Token(Kind::RightBracket))
            }
            _ => false,
        }
    }
}

/// Whether a space stands between two pieces; none where what is there has to stay.
pub(super) fn space(before: Role, after: Role) -> Option<bool> {
    use Role::{Close, CloseBrace, Comma, Comment, Ellipsis, Joint, Name, Number, Open, Splat, Unary};
    Some(match (before, after) {
        (Open(Kind::LeftBrace), CloseBrace) => false,
        (Open(Kind::LeftBrace), _) | (_, CloseBrace) => true,
        (Open(_), _) | (_, Close | Comma) => false,
        (Comment, _) | (_, Comment) => true,
        // A dot and digits may be one number, or two.
        (Number, Joint | Ellipsis) | (Joint, Number) => return None,
        (Unary | Joint, _) | (_, Joint | Ellipsis) => false,
        (Name | Role::Text | Number | Close | CloseBrace | Splat, Open(Kind::LeftBracket)) => false,
        (Name, Open(Kind::LeftParen)) => false,
        _ => true,
    })
}
