//! The lexer: a cursor over a JSON text.

use super::Rejected;
use super::brackets::Brackets;
use crate::values::escape::{need_escapes, needs_escape};
use std::borrow::Cow;

/// Limit for the depth of arrays and objects, as that of serde_json.
pub(crate) const DEEPEST: u8 = 128;

/// The bytes that a string reserves for what follows its first escape.
const RESERVED: usize = 32;

/// A place in a JSON text. Methods read what is next, and move behind it.
pub(crate) struct Cursor<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    /// How many more arrays and objects may be entered.
    depth: u8,
    pub(super) brackets: Brackets,
}

impl<'t> Cursor<'t> {
    /// Returns whether arrays and objects are nested as deeply as they may be.
    pub(crate) const fn is_deepest(&self) -> bool {
        self.depth == 0
    }

    /// Creates a cursor at the start of a text.
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            depth: DEEPEST,
            brackets: Brackets::default(),
        }
    }

    /// Returns the text behind the place, as bytes.
    #[inline]
    pub(super) fn rest(&self) -> &'t [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// Returns the next byte; NUL, which is no part of JSON, at the end.
    #[inline]
    pub(super) fn byte(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    /// Returns the next byte that is not whitespace; NUL at the end.
    #[inline]
    pub(crate) fn peek(&mut self) -> u8 {
        match self.byte() {
            byte @ b'!'.. => byte,
            _ => self.peek_behind_whitespace(),
        }
    }

    fn peek_behind_whitespace(&mut self) -> u8 {
        while matches!(self.byte(), b' ' | b'\n' | b'\r' | b'\t') {
            self.at += 1;
        }
        self.byte()
    }

    /// Consumes a byte if it is next, after whitespace.
    #[inline]
    fn takes(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == byte;
        self.at += usize::from(is_next);
        is_next
    }

    /// Consumes a byte, after whitespace.
    #[inline]
    pub(crate) fn take(&mut self, byte: u8) -> Result<(), Rejected> {
        match self.takes(byte) {
            true => Ok(()),
            false => Err(Rejected),
        }
    }

    /// Consumes a text if it is next.
    #[inline]
    fn takes_text(&mut self, text: &str) -> bool {
        let rest = self.rest();
        let is_next = rest.starts_with(text.as_bytes());
        if is_next {
            self.at += text.len();
        }
        is_next
    }

    /// Consumes `true`, `false` or `null`.
    pub(crate) fn take_word(&mut self, word: &str) -> Result<(), Rejected> {
        match self.takes_text(word) {
            true => Ok(()),
            false => Err(Rejected),
        }
    }

    /// Consumes a quoted name that needs no escapes, if it is next.
    #[inline]
    pub(super) fn takes_name(&mut self, name: &str) -> bool {
        let rest = self.rest();
        let end = name.len() + 1;
        let is_next = rest.get(1..end) == Some(name.as_bytes())
            && rest.first() == Some(&b'"')
            && rest.get(end) == Some(&b'"');
        if is_next {
            self.at += end + 1;
        }
        is_next
    }

    /// Consumes whitespace at the end of the text.
    pub(crate) fn end(&mut self) -> Result<(), Rejected> {
        self.peek();
        match self.at == self.text.len() {
            true => Ok(()),
            false => Err(Rejected),
        }
    }

    /// Enters an array or an object, whose bracket is next.
    #[inline]
    pub(crate) fn enter(&mut self) -> Result<(), Rejected> {
        self.depth = self.depth.checked_sub(1).ok_or(Rejected)?;
        self.at += 1;
        Ok(())
    }

    /// Consumes the bracket that ends an array or an object.
    #[inline]
    pub(crate) fn leave(&mut self, bracket: u8) -> Result<(), Rejected> {
        self.depth += 1;
        self.take(bracket)
    }

    /// Moves to the next item of an array, or member of an object; returns whether there is one.
    #[inline]
    pub(crate) fn goes_on(&mut self, is_first: bool, bracket: u8) -> Result<bool, Rejected> {
        match self.peek() {
            byte if byte == bracket => Ok(false),
            _ if is_first => Ok(true),
            b',' => {
                self.at += 1;
                // A comma is not followed by the end.
                match self.peek() == bracket {
                    true => Err(Rejected),
                    false => Ok(true),
                }
            }
            _ => Err(Rejected),
        }
    }

    /// Reads a string.
    #[inline]
    pub(crate) fn string(&mut self) -> Result<Cow<'t, str>, Rejected> {
        self.take(b'"')?;
        let start = self.at;
        self.skip_run();
        if self.byte() == b'"'
            && let Some(found) = self.text.get(start..self.at)
        {
            self.at += 1;
            return Ok(Cow::Borrowed(found));
        }
        self.escaped(start).map(Cow::Owned)
    }

    /// Moves to the next quote, backslash or control character, or to the end.
    #[inline]
    fn skip_run(&mut self) {
        let mut rest = self.rest();
        while let Some((eight, others)) = rest.split_first_chunk::<8>() {
            let found = need_escapes(u64::from_le_bytes(*eight));
            if found != 0 {
                self.at += (found.trailing_zeros() / 8) as usize;
                return;
            }
            self.at += 8;
            rest = others;
        }
        self.at += rest.iter().take_while(|byte| !needs_escape(**byte)).count();
    }

    /// Reads the rest of a string that contains escapes and starts at `from`.
    #[inline(never)]
    fn escaped(&mut self, mut from: usize) -> Result<String, Rejected> {
        let mut out = String::with_capacity(self.at - from + RESERVED);
        loop {
            self.skip_run();
            out.push_str(self.text.get(from..self.at).unwrap_or_default());
            match self.byte() {
                b'"' => {
                    self.at += 1;
                    return Ok(out);
                }
                b'\\' => {
                    self.at += 1;
                    out.push(self.escape()?);
                }
                _ => return Err(Rejected),
            }
            from = self.at;
        }
    }

    fn escape(&mut self) -> Result<char, Rejected> {
        let byte = self.byte();
        self.at += 1;
        Ok(match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\x08',
            b'f' => '\x0c',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => return Err(Rejected),
        })
    }

    /// Reads the digits of a `\u`, and the second half of a surrogate pair (RFC 8259, section 7).
    fn unicode(&mut self) -> Result<char, Rejected> {
        let first = self.four_digits()?;
        if !(0xd800..=0xdbff).contains(&first) {
            return char::from_u32(first).ok_or(Rejected);
        }
        if !self.takes_text("\\u") {
            return Err(Rejected);
        }
        let second = self.four_digits()?.checked_sub(0xdc00).ok_or(Rejected)?;
        match second {
            0..0x400 => char::from_u32(0x10000 + ((first - 0xd800) << 10) + second).ok_or(Rejected),
            _ => Err(Rejected),
        }
    }

    fn four_digits(&mut self) -> Result<u32, Rejected> {
        let digits = self.rest();
        let digits = digits.first_chunk::<4>().ok_or(Rejected)?;
        self.at += 4;
        digits.iter().try_fold(0, |code, digit| {
            let digit = char::from(*digit).to_digit(16).ok_or(Rejected)?;
            Ok(code * 16 + digit)
        })
    }

    /// Moves behind a value, and returns its text.
    pub(crate) fn skip(&mut self) -> Result<&'t str, Rejected> {
        self.peek();
        let start = self.at;
        self.skip_value()?;
        self.text.get(start..self.at).ok_or(Rejected)
    }

    /// Moves behind a string. As for serde_json, a surrogate without its other half is valid in a string that is skipped.
    #[inline]
    pub(super) fn skip_string(&mut self) -> Result<(), Rejected> {
        self.take(b'"')?;
        loop {
            self.skip_run();
            match self.byte() {
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => self.skip_escape()?,
                _ => return Err(Rejected),
            }
        }
    }

    fn skip_escape(&mut self) -> Result<(), Rejected> {
        self.at += 1;
        let byte = self.byte();
        self.at += 1;
        match byte {
            b'u' => self.four_digits().map(drop),
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Ok(()),
            _ => Err(Rejected),
        }
    }

    fn skip_value(&mut self) -> Result<(), Rejected> {
        match self.peek() {
            b'"' => self.skip_string(),
            b'{' => self.skip_parts(b'}', |cursor| {
                cursor.skip_string()?;
                cursor.take(b':')?;
                cursor.skip_value()
            }),
            b'[' => self.skip_parts(b']', Self::skip_value),
            b't' => self.take_word("true"),
            b'f' => self.take_word("false"),
            b'n' => self.take_word("null"),
            _ => self.number().map(drop),
        }
    }

    #[inline]
    fn skip_parts(
        &mut self,
        bracket: u8,
        skip: impl Fn(&mut Self) -> Result<(), Rejected>,
    ) -> Result<(), Rejected> {
        self.enter()?;
        let mut is_first = true;
        while self.goes_on(is_first, bracket)? {
            is_first = false;
            skip(self)?;
        }
        self.leave(bracket)
    }
}
