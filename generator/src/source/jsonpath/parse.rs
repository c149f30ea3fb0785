//! The grammar of RFC 9535.

use super::{Comparison, Logical, Match, Nested, Operand, Query, Segment, Selector, Slice, regex};
use crate::source::{Number, Value};

/// An error in the text of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct ParseError {
    /// The problem, such as "expected `]`".
    pub(in super::super) message: String,
    /// The number of the character, from 1.
    pub(in super::super) character: usize,
}

/// The depth of filters within filters, and that of parentheses: evaluation recurses.
const FILTERS: usize = 8;
const PARENTHESES: usize = 32;
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
                    return self.fail(format!("more than {FILTERS} filters within each other"));
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

    fn or(&mut self) -> Parsed<Logical> {
        self.joined("||", Self::and, Logical::Or)
    }

    fn and(&mut self) -> Parsed<Logical> {
        self.joined("&&", Self::basic, Logical::And)
    }

    fn joined(
        &mut self,
        operator: &str,
        part: impl Fn(&mut Self) -> Parsed<Logical>,
        join: impl Fn(Vec<Logical>) -> Logical,
    ) -> Parsed<Logical> {
        let first = part(self)?;
        let mut parts = vec![first];
        loop {
            let before = self.at;
            self.blanks();
            if !self.eat(operator) {
                self.at = before;
                break;
            }
            self.blanks();
            parts.push(part(self)?);
        }
        Ok(match parts.len() {
            1 => parts.remove(0),
            _ => join(parts),
        })
    }

    fn basic(&mut self) -> Parsed<Logical> {
        if self.eat("!") {
            self.blanks();
            let negated = if self.peek() == Some('(') {
                self.parenthesized()?
            } else {
                let operand = self.operand()?;
                self.test(operand)?
            };
            return Ok(Logical::Not(Box::new(negated)));
        }
        if self.peek() == Some('(') {
            return self.parenthesized();
        }
        let left = self.operand()?;
        let before = self.at;
        self.blanks();
        let Some(comparison) = self.comparison() else {
            self.at = before;
            return self.test(left);
        };
        self.blanks();
        let right = self.operand()?;
        let left = self.value(left)?;
        let right = self.value(right)?;
        Ok(Logical::Compare(Box::new((left, comparison, right))))
    }

    fn parenthesized(&mut self) -> Parsed<Logical> {
        if self.parentheses == PARENTHESES {
            return self.fail(format!("more than {PARENTHESES} parentheses"));
        }
        self.parentheses += 1;
        self.expect("(")?;
        self.blanks();
        let inner = self.or()?;
        self.blanks();
        self.expect(")")?;
        self.parentheses -= 1;
        Ok(inner)
    }

    fn comparison(&mut self) -> Option<Comparison> {
        [
            ("==", Comparison::Equal),
            ("!=", Comparison::NotEqual),
            ("<=", Comparison::LessOrEqual),
            (">=", Comparison::GreaterOrEqual),
            ("<", Comparison::Less),
            (">", Comparison::Greater),
        ]
        .into_iter()
        .find_map(|(token, comparison)| self.eat(token).then_some(comparison))
    }

    /// Returns the condition that an operand is by itself.
    fn test(&self, operand: Operand) -> Parsed<Logical> {
        match operand {
            Operand::Query(query) => Ok(Logical::Exists(query)),
            Operand::Match(function) => Ok(Logical::Match(function)),
            _ => self.expected("a comparison"),
        }
    }

    /// Returns an operand that is a value or absent.
    fn value(&self, operand: Operand) -> Parsed<Operand> {
        match operand {
            Operand::Query(query) if !query.is_singular() => {
                self.fail("a query that may select several nodes is not a value")
            }
            Operand::Match(_) => self.fail("`match` and `search` are not values"),
            value => Ok(value),
        }
    }

    fn operand(&mut self) -> Parsed<Operand> {
        match self.peek() {
            Some('@' | '$') => self.query().map(Operand::Query),
            Some('\'' | '"') => Ok(Operand::Literal(Value::String(self.string()?))),
            Some('-' | '0'..='9') => self.number(),
            Some('a'..='z') => self.word(),
            _ => self.expected("`@`, `$`, a literal or a function"),
        }
    }

    fn query(&mut self) -> Parsed<Nested> {
        let absolute = match self.take() {
            Some('$') => true,
            Some('@') => false,
            _ => return self.expected("`@` or `$`"),
        };
        let segments = self.segments()?;
        Ok(Nested { absolute, segments })
    }

    fn number(&mut self) -> Parsed<Operand> {
        let start = self.at;
        self.eat("-");
        let whole = self.while_(|char| char.is_ascii_digit());
        let mut valid = !whole.is_empty() && (whole == "0" || !whole.starts_with('0'));
        let end = self.at;
        if self.eat(".") {
            valid &= !self.while_(|char| char.is_ascii_digit()).is_empty();
        }
        if self.eat("e") || self.eat("E") {
            let _ = self.eat("-") || self.eat("+");
            valid &= !self.while_(|char| char.is_ascii_digit()).is_empty();
        }
        let text = &self.text[start..self.at];
        let integer = text.parse().ok().filter(|_| self.at == end);
        let number = integer.map(Number::Int);
        match number.or_else(|| text.parse().ok().map(Number::Float)) {
            Some(number) if valid => Ok(Operand::Literal(Value::Number(number))),
            _ => self.fail("an invalid number"),
        }
    }

    /// Parses `true`, `false`, `null` or a function.
    fn word(&mut self) -> Parsed<Operand> {
        let accepts =
            |char: char| char.is_ascii_lowercase() || char.is_ascii_digit() || char == '_';
        let word = self.while_(accepts);
        if !self.eat("(") {
            return Ok(Operand::Literal(match word {
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                "null" => Value::Null,
                _ => return self.expected("`true`, `false`, `null` or a function"),
            }));
        }
        self.blanks();
        let function = match word {
            "length" => Operand::Length(Box::new(self.argument()?)),
            "count" => Operand::Count(self.query()?),
            "value" => Operand::Value(self.query()?),
            "match" | "search" => {
                let value = self.argument()?;
                self.blanks();
                self.expect(",")?;
                self.blanks();
                let pattern = self.argument()?;
                let whole = word == "match";
                let compiled = match &pattern {
                    Operand::Literal(Value::String(text)) => Some(regex(text, whole)),
                    _ => None,
                };
                Operand::Match(Box::new(Match {
                    value,
                    pattern,
                    whole,
                    compiled,
                }))
            }
            _ => return self.fail(format!("there is no function `{word}`")),
        };
        self.blanks();
        self.expect(")")?;
        Ok(function)
    }

    /// Parses an argument that is a value. Functions as arguments count as filters.
    fn argument(&mut self) -> Parsed<Operand> {
        if self.parentheses == PARENTHESES {
            return self.fail(format!("more than {PARENTHESES} parentheses"));
        }
        self.parentheses += 1;
        let operand = self.operand()?;
        self.parentheses -= 1;
        self.value(operand)
    }
}
