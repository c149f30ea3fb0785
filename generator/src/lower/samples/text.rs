//! Texts: by format, by pattern, or any.

use regex::Regex;
use regex_syntax::hir::{Class, Hir, HirKind};

use crate::lower::schema::pattern;
use crate::lower::schema::shape::Shape;
use crate::vocabulary::is_base64;

use super::random::Random;

/// The maximum length of a text, in characters.
const LONGEST: usize = 2_000;
/// The number of texts that are drawn until one meets all keywords.
const TRIES: usize = 200;

const FREE: &str =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_.,/'\"\\äß漢🙂";
const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const HEX: &str = "0123456789abcdef";
const DIGITS: &str = "0123456789";
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz";

/// The texts of a schema.
pub(super) struct Texts {
    source: Source,
    patterns: Vec<Regex>,
    lengths: (usize, usize),
}

enum Source {
    Format(String),
    Pattern(Hir),
    Free,
}

impl Texts {
    /// Returns the texts of a schema.
    ///
    /// # Errors
    /// Returns the reason if texts cannot be drawn.
    pub(super) fn new(shape: &Shape) -> Result<Self, String> {
        let constraints = &shape.constraints;
        let mut patterns = Vec::new();
        for text in &constraints.pattern {
            let unusable = |reason| format!("its pattern is not usable: {reason}");
            if let Some(own) = pattern::translate(text).map_err(unusable)? {
                let compiled =
                    Regex::new(&own).map_err(|_| unusable("it is too large".to_owned()))?;
                patterns.push(compiled);
            }
        }
        let is_base64 = shape.content_encoding.as_deref().is_some_and(is_base64);
        let format = match shape.format.as_deref() {
            None if is_base64 => Some("byte"),
            Some("password" | "string" | "text" | "binary") => None,
            other => other,
        };
        let known = format.filter(|format| of_format(format, &mut Random::new("")).is_some());
        let source = match (known, patterns.first(), format) {
            (Some(format), ..) => Source::Format(format.to_owned()),
            (None, Some(pattern), _) => {
                let hir = regex_syntax::Parser::new().parse(pattern.as_str());
                Source::Pattern(hir.map_err(|_| "its pattern is not usable".to_owned())?)
            }
            (None, None, Some(_)) => return Err("its format is not known".to_owned()),
            (None, None, None) => Source::Free,
        };
        let length =
            |limit: Option<u64>| limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
        let least = length(constraints.min_length).unwrap_or(0);
        let most = length(constraints.max_length).unwrap_or(usize::MAX);
        if least > LONGEST {
            return Err(format!("a text has at least {least} characters"));
        }
        Ok(Self {
            source,
            patterns,
            lengths: (least, most),
        })
    }

    /// Draws a text that meets all keywords.
    pub(super) fn draw(&self, random: &mut Random) -> Result<String, String> {
        for _ in 0..TRIES {
            let text = match &self.source {
                Source::Format(format) => of_format(format, random),
                Source::Pattern(hir) => {
                    let mut text = String::new();
                    matching(hir, random, &mut text).map(|()| text)
                }
                Source::Free => Some(self.free(random)),
            };
            let (least, most) = self.lengths;
            let fits = |text: &String| {
                (least..=most).contains(&text.chars().count())
                    && self.patterns.iter().all(|pattern| pattern.is_match(text))
            };
            if let Some(text) = text.filter(fits) {
                return Ok(text);
            }
        }
        Err("no text was found that meets its pattern, its format and its lengths".to_owned())
    }

    fn free(&self, random: &mut Random) -> String {
        let (least, most) = self.lengths;
        let count = match random.below(4) {
            0 => least,
            1 => most.min(LONGEST),
            2 => least.saturating_add(1),
            _ => least.saturating_add(random.below(20)),
        };
        // The longest text is short unless the schema has a length.
        let most = if most > LONGEST { least + 20 } else { most };
        some(FREE, count.min(most), random)
    }
}

fn some(alphabet: &str, count: usize, random: &mut Random) -> String {
    let all: Vec<char> = alphabet.chars().collect();
    (0..count).filter_map(|_| random.pick(&all)).collect()
}

/// Returns a text of a format, or `None` if the format is not known. Each text is in the form in which
/// types of common crates write it.
fn of_format(format: &str, random: &mut Random) -> Option<String> {
    let mut number = |first: i128, last: i128| random.within(first, last);
    let date = |number: &mut dyn FnMut(i128, i128) -> i128| {
        let (year, month, day) = (number(1970, 2100), number(1, 12), number(1, 28));
        format!("{year}-{month:02}-{day:02}")
    };
    let time = |number: &mut dyn FnMut(i128, i128) -> i128| {
        let (hour, minute, second) = (number(0, 23), number(0, 59), number(0, 59));
        format!("{hour:02}:{minute:02}:{second:02}Z")
    };
    Some(match format {
        "date" => date(&mut number),
        "time" => time(&mut number),
        "date-time" => format!("{}T{}", date(&mut number), time(&mut number)),
        "duration" => format!("P{}DT{}H", number(1, 30), number(1, 23)),
        "ipv4" | "ip" => {
            let parts: Vec<String> = (0..4).map(|_| number(0, 255).to_string()).collect();
            parts.join(".")
        }
        "ipv6" => format!("2001:db8::{:x}:{:x}", number(1, 0xffff), number(1, 0xffff)),
        "int64" => number(i64::MIN.into(), i64::MAX.into()).to_string(),
        "int32" => number(i32::MIN.into(), i32::MAX.into()).to_string(),
        "uint64" => number(0, u64::MAX.into()).to_string(),
        "decimal" => format!("{}.{:02}", number(-999_999, 999_999), number(0, 99)),
        "uuid" => {
            let mut hex = |count: usize| some(HEX, count, random);
            format!("{}-{}-4{}-a{}-{}", hex(8), hex(4), hex(3), hex(3), hex(12))
        }
        "byte" | "base64" => {
            let groups = random.below(6) + 1;
            some(BASE64, 4 * groups, random)
        }
        "email" | "idn-email" => format!("{}@example.com", word(random)),
        "hostname" | "idn-hostname" => format!("{}.example.com", word(random)),
        "uri" | "url" | "iri" | "uri-reference" | "iri-reference" => {
            format!(
                "https://example.com/{}/{}",
                word(random),
                some(DIGITS, 3, random)
            )
        }
        _ => return None,
    })
}

fn word(random: &mut Random) -> String {
    let count = random.below(10) + 1;
    some(LETTERS, count, random)
}

/// Appends a text that an expression matches. Returns `None` if the text becomes too long.
fn matching(hir: &Hir, random: &mut Random, out: &mut String) -> Option<()> {
    if out.len() > 4 * LONGEST {
        return None;
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(Class::Unicode(class)) => {
            let ranges: Vec<(char, char)> = class
                .iter()
                .map(|range| (range.start(), range.end()))
                .collect();
            let ascii = |(start, end): &(char, char)| {
                let (start, end) = ((*start).max(' '), (*end).min('~'));
                (start <= end).then_some((start, end))
            };
            let plain: Vec<(char, char)> = ranges.iter().filter_map(ascii).collect();
            let all = if plain.is_empty() || random.once_in(16) {
                &ranges
            } else {
                &plain
            };
            let (start, end) = *random.pick(all)?;
            let code = random.within(u32::from(start).into(), u32::from(end).into());
            let code = u32::try_from(code).ok().and_then(char::from_u32);
            out.push(code.unwrap_or(start));
        }
        HirKind::Class(Class::Bytes(class)) => {
            let range = class.iter().find(|range| range.start().is_ascii())?;
            out.push(char::from(range.start()));
        }
        HirKind::Repetition(repetition) => {
            let least = usize::try_from(repetition.min).ok()?;
            let more = repetition
                .max
                .map_or(8, |most| most.saturating_sub(repetition.min).min(8));
            let count = least + random.below(usize::try_from(more).ok()? + 1);
            for _ in 0..count {
                matching(&repetition.sub, random, out)?;
            }
        }
        HirKind::Capture(capture) => matching(&capture.sub, random, out)?,
        HirKind::Concat(all) => {
            for each in all {
                matching(each, random, out)?;
            }
        }
        HirKind::Alternation(all) => matching(random.pick(all)?, random, out)?,
    }
    Some(())
}
