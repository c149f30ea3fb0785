//! JSON, read at a cursor.
use crate::reader::{Failed, Reader};
use std::borrow::Cow;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// The highest bit of each byte that ends a run of plain characters. Exact for the lowest.
#[inline]
const fn special(eight: u64) -> u64 {
    let quote = eight ^ (ONES * b'"' as u64);
    let backslash = eight ^ (ONES * b'\\' as u64);
    let control = eight.wrapping_sub(ONES * 0x20) & !eight;
    let quote = quote.wrapping_sub(ONES) & !quote;
    let backslash = backslash.wrapping_sub(ONES) & !backslash;
    (control | quote | backslash) & HIGHS
}

impl<'a> Reader<'a> {
    #[inline]
    pub(crate) fn byte(&self) -> u8 {
        // NUL is no byte of JSON, and ends it.
        match self.bytes.get(self.at) {
            Some(byte) => *byte,
            None => 0,
        }
    }

    /// Returns the next byte that is not white space.
    #[inline]
    pub(crate) fn peek(&mut self) -> u8 {
        let byte = self.byte();
        if byte > b' ' {
            return byte;
        }
        self.peek_slow()
    }

    fn peek_slow(&mut self) -> u8 {
        while matches!(self.byte(), b' ' | b'\n' | b'\r' | b'\t') {
            self.at += 1;
        }
        self.byte()
    }

    pub fn end(&mut self) -> Result<(), Failed> {
        if self.node.is_some() {
            return Ok(());
        }
        self.peek();
        match self.at == self.bytes.len() {
            true => Ok(()),
            false => Err(self.broken("trailing characters")),
        }
    }

    /// Consumes a text if it is next.
    #[inline]
    pub(crate) fn takes(&mut self, text: &[u8]) -> bool {
        match self.bytes.get(self.at..) {
            Some(rest) if rest.starts_with(text) => {
                self.at += text.len();
                true
            }
            _ => false,
        }
    }

    /// Reads a string whose quote is next.
    #[inline]
    pub(crate) fn quoted(&mut self) -> Result<Cow<'a, str>, Failed> {
        self.at += 1;
        let start = self.at;
        self.run();
        if self.byte() == b'"' {
            let found = self.text.get(start..self.at);
            self.at += 1;
            if let Some(found) = found {
                return Ok(Cow::Borrowed(found));
            }
        }
        self.escaped(start).map(Cow::Owned)
    }

    /// Moves to the next quote, backslash or control character, or to the end.
    #[inline]
    fn run(&mut self) {
        let mut at = self.at;
        while let Some(eight) = self.bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
            let found = special(u64::from_le_bytes(*eight));
            if found != 0 {
                self.at = at + (found.trailing_zeros() / 8) as usize;
                return;
            }
            at += 8;
        }
        while let Some(byte) = self.bytes.get(at) {
            if *byte < 0x20 || *byte == b'"' || *byte == b'\\' {
                break;
            }
            at += 1;
        }
        self.at = at;
    }

    #[inline(never)]
    fn escaped(&mut self, start: usize) -> Result<String, Failed> {
        let mut out = String::new();
        let mut from = start;
        loop {
            self.run();
            out.push_str(self.text.get(from..self.at).unwrap_or_default());
            match self.byte() {
                b'"' => {
                    self.at += 1;
                    return Ok(out);
                }
                b'\\' => {
                    self.at += 1;
                    let escape = self.escape()?;
                    out.push(escape);
                }
                _ => return Err(self.broken("invalid string")),
            }
            from = self.at;
        }
    }

    fn escape(&mut self) -> Result<char, Failed> {
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
            _ => return Err(self.broken("invalid escape")),
        })
    }

    fn unicode(&mut self) -> Result<char, Failed> {
        let first = self.hex()?;
        let code = match first {
            0xd800..=0xdbff => {
                if !self.takes(b"\\u") {
                    return Err(self.broken("lone surrogate"));
                }
                let second = self.hex()?;
                if !(0xdc00..=0xdfff).contains(&second) {
                    return Err(self.broken("lone surrogate"));
                }
                0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)
            }
            code => code,
        };
        char::from_u32(code).ok_or_else(|| self.broken("lone surrogate"))
    }

    fn hex(&mut self) -> Result<u32, Failed> {
        let digits = self.bytes.get(self.at..self.at + 4).unwrap_or_default();
        let mut code = 0;
        for digit in digits {
            match char::from(*digit).to_digit(16) {
                Some(digit) => code = code * 16 + digit,
                None => return Err(self.broken("invalid escape")),
            }
        }
        if digits.len() < 4 {
            return Err(self.broken("invalid escape"));
        }
        self.at += 4;
        Ok(code)
    }

    pub(crate) fn literal(&mut self, text: &[u8]) -> Result<(), Failed> {
        match self.takes(text) {
            true => Ok(()),
            false => Err(self.broken("invalid value")),
        }
    }

    /// Reads an unsigned run of digits: its value, unless it does not fit, and whether it is whole.
    #[inline]
    pub(crate) fn integer(&mut self) -> Result<Option<(bool, u64)>, Failed> {
        let start = self.at;
        let is_negative = self.byte() == b'-';
        self.at += usize::from(is_negative);
        let first = self.at;
        let mut value: u64 = 0;
        let mut fits = true;
        while let digit @ b'0'..=b'9' = self.byte() {
            let next = value
                .checked_mul(10)
                .and_then(|v| v.checked_add(u64::from(digit - b'0')));
            match next {
                Some(next) => value = next,
                None => fits = false,
            }
            self.at += 1;
        }
        let digits = self.at - first;
        if digits == 0 || (digits > 1 && self.bytes.get(first) == Some(&b'0')) {
            return Err(self.broken("invalid number"));
        }
        if matches!(self.byte(), b'.' | b'e' | b'E') {
            self.at = start;
            return self.whole();
        }
        Ok(fits.then_some((is_negative, value)))
    }

    /// Reads an integer that has a fraction or an exponent.
    #[cold]
    #[inline(never)]
    fn whole(&mut self) -> Result<Option<(bool, u64)>, Failed> {
        let value = self.float()?;
        let is_whole = value.fract() == 0.0 && value.abs() < 9_007_199_254_740_992.0;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        Ok(is_whole.then(|| (value < 0.0, value.abs() as u64)))
    }

    /// Reads a number.
    pub(crate) fn float(&mut self) -> Result<f64, Failed> {
        let start = self.at;
        let is_negative = self.byte() == b'-';
        self.at += usize::from(is_negative);
        let first = self.at;
        let (mut mantissa, mut scale): (u64, i32) = (0, 0);
        while let digit @ b'0'..=b'9' = self.byte() {
            mantissa = mantissa
                .wrapping_mul(10)
                .wrapping_add(u64::from(digit - b'0'));
            self.at += 1;
        }
        let mut digits = self.at - first;
        if digits == 0 || (digits > 1 && self.bytes.get(first) == Some(&b'0')) {
            return Err(self.broken("invalid number"));
        }
        if self.byte() == b'.' {
            self.at += 1;
            let from = self.at;
            while let digit @ b'0'..=b'9' = self.byte() {
                mantissa = mantissa
                    .wrapping_mul(10)
                    .wrapping_add(u64::from(digit - b'0'));
                self.at += 1;
            }
            let count = self.at - from;
            if count == 0 {
                return Err(self.broken("invalid number"));
            }
            digits += count;
            scale = -i32::try_from(count).unwrap_or(i32::MAX);
        }
        if matches!(self.byte(), b'e' | b'E') {
            self.at += 1;
            if matches!(self.byte(), b'+' | b'-') {
                self.at += 1;
            }
            let from = self.at;
            while self.byte().is_ascii_digit() {
                self.at += 1;
            }
            if self.at == from {
                return Err(self.broken("invalid number"));
            }
            digits = 99;
        }
        const POWERS: [f64; 23] = [
            1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
            1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
        ];
        if digits <= 15
            && let Some(power) = POWERS.get(scale.unsigned_abs() as usize)
        {
            // Both are exact, so one rounding is correct.
            #[allow(clippy::cast_precision_loss)]
            let value = mantissa as f64 / power;
            return Ok(if is_negative { -value } else { value });
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => Err(self.fail("is a number that is out of range")),
        }
    }

    /// Skips a value, which is validated, and counts its members as lost.
    pub fn ignore(&mut self) -> Result<(), Failed> {
        self.skip()
    }

    pub(crate) fn skip(&mut self) -> Result<(), Failed> {
        match self.peek() {
            b'"' => self.quoted().map(drop),
            b'{' => {
                self.enter()?;
                self.at += 1;
                if self.peek() == b'}' {
                    self.at += 1;
                    self.leave();
                    return Ok(());
                }
                loop {
                    if self.peek() != b'"' {
                        return Err(self.broken("a key must be a string"));
                    }
                    self.quoted()?;
                    if self.peek() != b':' {
                        return Err(self.broken("expected `:`"));
                    }
                    self.at += 1;
                    self.skip()?;
                    self.lost += 1;
                    if !self.more(b'}')? {
                        self.leave();
                        return Ok(());
                    }
                }
            }
            b'[' => {
                self.enter()?;
                self.at += 1;
                if self.peek() == b']' {
                    self.at += 1;
                    self.leave();
                    return Ok(());
                }
                loop {
                    self.skip()?;
                    if !self.more(b']')? {
                        self.leave();
                        return Ok(());
                    }
                }
            }
            b't' => self.literal(b"true"),
            b'f' => self.literal(b"false"),
            b'n' => self.literal(b"null"),
            b'-' | b'0'..=b'9' => {
                let mark = self.mark();
                match self.float() {
                    Err(Failed) if self.is_broken => Err(Failed),
                    // A number out of range is valid JSON.
                    Err(Failed) => {
                        self.forget(mark);
                        Ok(())
                    }
                    Ok(_) => Ok(()),
                }
            }
            _ => Err(self.broken("expected a value")),
        }
    }

    /// Reads what follows an item: a comma, or the end.
    #[inline]
    pub(crate) fn more(&mut self, end: u8) -> Result<bool, Failed> {
        let byte = self.peek();
        if byte == b',' {
            self.at += 1;
            return Ok(true);
        }
        if byte == end {
            self.at += 1;
            return Ok(false);
        }
        Err(self.broken("expected `,` or the end"))
    }
}
