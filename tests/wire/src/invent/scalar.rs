//! Scalars and texts.

use super::values::DEEP;
use super::{At, Inventor, JSON};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bothends::ir::Primitive;
use bothends_runtime::Json;
use serde_json::{Number, json};

/// What a text may hold: the simplest first.
const LETTERS: &[char] = &[
    'a', 'b', 'Z', '0', '-', ' ', '.', '_', '~', '/', '?', '#', '%', '&', '=', '+', ',', ';', ':',
    '|', '[', ']', '{', '}', '"', '\'', '\\', '<', '!', '*', '(', '@', '$', '^', '`', 'é', '中',
    '😀', '\t', '\n', '\r', '\u{1}', '\u{7f}', '\u{a0}', '\u{feff}',
];
/// Those of them, at the beginning, that a header or a cookie can hold.
const PLAIN_LETTERS: u32 = 5;

impl Inventor<'_> {
    pub(super) fn primitive(&mut self, primitive: &Primitive, at: At, depth: u32) -> Json {
        match primitive {
            Primitive::Bool => Json::Bool(!self.coin()),
            Primitive::Number(name) => self.number(name),
            Primitive::String | Primitive::Custom(_) => Json::String(self.string(at)),
            Primitive::Null => Json::Null,
            Primitive::Json if at.json => self.json(depth),
            Primitive::Json => Json::String(format!("x{}", self.text(At { plain: true, ..at }))),
            Primitive::Uuid => {
                let high = u64::from(self.next()) << 32 | u64::from(self.next());
                json!(uuid::Uuid::from_u64_pair(high, u64::from(self.next())))
            }
            Primitive::Ipv4 => json!(std::net::Ipv4Addr::from(self.next())),
            Primitive::Ipv6 => {
                let words = [(); 4].map(|()| u128::from(self.next()));
                let bits = words.into_iter().fold(0, |all, word| all << 32 | word);
                json!(std::net::Ipv6Addr::from(bits))
            }
            Primitive::DateTime => {
                let second = i64::from(self.next() as i32) * 30;
                let nanosecond = (self.below(3) * 1_500_000) as i32;
                json!(jiff::Timestamp::new(second, nanosecond).unwrap_or_default())
            }
            Primitive::Date => {
                let year = 1 + self.below(9999) as i16;
                let [month, day] = [self.below(12), self.below(28)].map(|index| 1 + index as i8);
                json!(jiff::civil::Date::new(year, month, day).unwrap_or_default())
            }
            Primitive::Base64 => {
                let count = self.below(4);
                let bytes: Vec<u8> = (0..count).map(|_| self.next() as u8).collect();
                json!(STANDARD.encode(bytes))
            }
            Primitive::Binary => Json::String(self.text(JSON)),
            Primitive::Bytes => {
                let count = self.below(6);
                (0..count).map(|_| json!(self.next() as u8)).collect()
            }
        }
    }

    fn number(&mut self, name: &str) -> Json {
        let wide = i64::from(self.next() as i32);
        let all = match self.below(4) {
            0 => wide % 100,
            1 => wide,
            _ if self.plain => wide << 20,
            2 => wide << 32 | i64::from(self.next()),
            _ => [0, i64::MAX, i64::MIN][self.below(3) as usize],
        };
        match name {
            // Larger ones are written like integers, which a union reads as such.
            "f64" => json!((all >> 11) as f64 / f64::from(1 << self.below(20))),
            "f32" => json!(all as f32 / 8.0),
            "i8" => json!(all as i8),
            "i16" => json!(all as i16),
            "i32" => json!(all as i32),
            "u8" => json!(all as u8),
            "u16" => json!(all as u16),
            "u32" => json!(all as u32),
            "u64" | "u128" => json!(all as u64),
            _ => json!(all),
        }
    }

    /// Any JSON value.
    fn json(&mut self, depth: u32) -> Json {
        match self.below(if depth > DEEP { 4 } else { 6 }) {
            0 => Json::Null,
            1 => Json::Bool(true),
            2 => Json::Number(Number::from(self.next())),
            3 => Json::String(self.text(JSON)),
            4 => (0..self.below(3)).map(|_| self.json(depth + 1)).collect(),
            _ => Json::Object(
                (0..self.below(3))
                    .map(|_| (self.text(JSON), self.json(depth + 1)))
                    .collect(),
            ),
        }
    }

    fn string(&mut self, at: At) -> String {
        let text = self.text(at);
        if at.plainly_text {
            format!("x{text}")
        } else {
            text
        }
    }

    pub(super) fn text(&mut self, at: At) -> String {
        let count = self.below(6).max(u32::from(at.filled));
        let letters = if at.plain {
            PLAIN_LETTERS
        } else {
            LETTERS.len() as u32
        };
        (0..count)
            .filter_map(|_| LETTERS.get(self.below(letters) as usize))
            .collect()
    }
}
