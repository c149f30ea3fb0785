//! The grammar of RFC 9535.

use super::{Query, Segment, Selector, Slice};

mod filter;

/// An error in the text of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct ParseError {
    /// The problem, such as "expected `]`".
    pub(in super::super) message: String,
    /// The number of the character, from 1.
    pub(in super::super) character: usize,
}

/// The depth of nested filters: evaluation recurses.
const FILTERS: usize = 8;
/// The largest index: integers of JSON that are exact as a double.
const LARGEST: i64 = (1 << 53) - 1;

type Parsed<T> = Result<T, ParseError>;

struct Parser<'t> {
    text: &'t str,
    at: usize,
    filters: usize,
    parentheses: usize,
}

impl Query {
    pub(in super::super) fn parse(text: &str) -> Parsed<Self> {
        let mut parser = Parser {
            text,
            at: 0,
            filters: 0,
            parentheses: 0,
        };
        parser.expect("$")?;
        let segments = parser.segments()?;
        if parser.rest().is_empty() {
            Ok(Self {
                text: text.to_owned(),
                segments,
            })
        } else {
            parser.expected("`.`, `..` or `[`")
        }
    }
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take(&mut self) -> Option<char> {
        let char = self.peek()?;
        self.at += char.len_utf8();
        Some(char)
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn expect(&mut self, token: &str) -> Parsed<()> {
        if self.eat(token) {
            Ok(())
        } else {
            self.expected(&format!("`{token}`"))
        }
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        let text = rest.trim_start_matches([' ', '\t', '\n', '\r']);
        self.at += rest.len() - text.len();
    }

    fn fail<T>(&self, message: impl Into<String>) -> Parsed<T> {
        Err(ParseError {
            message: message.into(),
            character: self.text[..self.at].chars().count() + 1,
        })
    }

    fn expected<T>(&self, what: &str) -> Parsed<T> {
        self.fail(format!("expected {what}"))
    }

    /// Returns the longest prefix of characters that a predicate accepts.
    fn while_(&mut self, accepts: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|char| !accepts(char)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn segments(&mut self) -> Parsed<Vec<Segment>> {
        let mut segments = Vec::new();
        loop {
            let before = self.at;
            self.blanks();
            let descendant = self.eat("..");
            let selectors = if self.peek() == Some('[') {
                self.bracketed()?
            } else if descendant || self.eat(".") {
                vec![self.dotted()?]
            } else {
                self.at = before;
                return Ok(segments);
            };
            segments.push(Segment {
                descendant,
                selectors,
                end: self.at,
            });
        }
    }

    /// Parses `*` or a name without quotes.
    fn dotted(&mut self) -> Parsed<Selector> {
        if self.eat("*") {
            return Ok(Selector::Wildcard);
        }
        let starts = |char: char| char.is_ascii_alphabetic() || char == '_' || !char.is_ascii();
        if !self.peek().is_some_and(starts) {
            return self.expected("a name or `*`; other names are written as `['name']`");
        }
        let name = self.while_(|char| starts(char) || char.is_ascii_digit());
        Ok(Selector::Name(name.to_owned()))
    }

    fn bracketed(&mut self) -> Parsed<Vec<Selector>> {
        self.expect("[")?;
        let mut selectors = Vec::new();
        loop {
            self.blanks();
            selectors.push(self.selector()?);
            self.blanks();
            if self.eat("]") {
                return Ok(selectors);
            }
            if !self.eat(",") {
                return self.expected("`,` or `]`");
            }
        }
    }

    fn selector(&mut self) -> Parsed<Selector> {
        match self.peek() {
            Some('\'' | '"') => self.string().map(Selector::Name),
            Some('*') => {
                self.take();
                Ok(Selector::Wildcard)
            }
            Some('?') => {
                self.take();
                if self.filters == FILTERS {
                    return self.fail(format!("more than {FILTERS} nested filters"));
                }
                self.filters += 1;
                self.blanks();
                let filter = self.or();
                self.filters -= 1;
                filter.map(Selector::Filter)
            }
            _ => self.index_or_slice(),
        }
    }

    fn index_or_slice(&mut self) -> Parsed<Selector> {
        let start = self.index()?;
        let after = self.at;
        self.blanks();
        if !self.eat(":") {
            self.at = after;
            return match start {
                Some(index) => Ok(Selector::Index(index)),
                None => self.expected("a name in quotes, an index, a slice, `*` or `?`"),
            };
        }
        self.blanks();
        let end = self.index()?;
        let before = self.at;
        self.blanks();
        let mut step = None;
        if self.eat(":") {
            self.blanks();
            step = self.index()?;
        } else {
            self.at = before;
        }
        Ok(Selector::Slice(Slice {
            start,
            end,
            step: step.unwrap_or(1),
        }))
    }

    /// Parses an integer of a selector, if there is one.
    fn index(&mut self) -> Parsed<Option<i64>> {
        let start = self.at;
        let negative = self.eat("-");
        let digits = self.while_(|char| char.is_ascii_digit());
        if digits.is_empty() && !negative {
            return Ok(None);
        }
        let value = digits.parse::<i64>().ok();
        let value = value.filter(|value| *value <= LARGEST);
        let canonical = digits == "0" && !negative || !digits.starts_with('0');
        match value.filter(|_| canonical) {
            Some(value) => Ok(Some(if negative { -value } else { value })),
            None => {
                self.at = start;
                self.expected("an integer without leading zeros, of at most 2^53 - 1")
            }
        }
    }

    fn string(&mut self) -> Parsed<String> {
        let quote = self.take();
        let mut text = String::new();
        loop {
            match self.take() {
                None => return self.fail("a string without its closing quote"),
                end if end == quote => return Ok(text),
                Some('\\') => text.push(self.escape(quote)?),
                Some(char) if char < ' ' => return self.fail("a control character in a string"),
                Some(char) => text.push(char),
            }
        }
    }

    fn escape(&mut self, quote: Option<char>) -> Parsed<char> {
        match self.take() {
            Some('b') => Ok('\u{8}'),
            Some('f') => Ok('\u{c}'),
            Some('n') => Ok('\n'),
            Some('r') => Ok('\r'),
            Some('t') => Ok('\t'),
            Some(char @ ('/' | '\\')) => Ok(char),
            Some('u') => {
                let first = self.hex()?;
                let low = match first {
                    0xd800..=0xdbff if self.eat("\\u") => Some(self.hex()?),
                    _ => None,
                };
                let units: Vec<u16> = std::iter::once(first).chain(low).collect();
                let mut decoded = char::decode_utf16(units);
                match (decoded.next(), decoded.next()) {
                    (Some(Ok(char)), None) => Ok(char),
                    _ => self.fail("half of a surrogate pair in a string"),
                }
            }
            Some(char) if Some(char) == quote => Ok(char),
            _ => self.fail("an unknown escape in a string"),
        }
    }

    fn hex(&mut self) -> Parsed<u16> {
        let digits = self.rest().get(..4);
        let digits = digits.filter(|it| it.bytes().all(|byte| byte.is_ascii_hexdigit()));
        match digits.and_then(|digits| u16::from_str_radix(digits, 16).ok()) {
            Some(unit) => {
                self.at += 4;
                Ok(unit)
            }
            None => self.expected("four hexadecimal digits"),
        }
    }
}
