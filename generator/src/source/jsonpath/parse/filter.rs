//! The grammar of filters.

use std::cell::OnceCell;

use super::super::{Comparison, Logical, Match, Nested, Operand};
use super::{Parsed, Parser};
use crate::source::{Number, Value};

/// The depth of parentheses and of functions within each other: evaluation recurses.
const PARENTHESES: usize = 32;

impl Parser<'_> {
    pub(super) fn or(&mut self) -> Parsed<Logical> {
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
                Operand::Match(Box::new(Match {
                    value,
                    pattern,
                    whole,
                    compiled: OnceCell::new(),
                }))
            }
            _ => return self.fail(format!("unknown function `{word}`")),
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
