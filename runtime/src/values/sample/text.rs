//! Texts: by format, by pattern, or any.

use super::format::of_format;
use super::random::{Dice, some};
use super::unmet::Unmet;
use crate::values::Rule;
use crate::values::check::{Checker, check_text};
use regex_syntax::hir::{Class, Hir, HirKind};

/// The number of texts that are drawn until one satisfies all rules.
const TRIES: usize = 100;
/// The maximum length of a text without rules that ask for more, in characters.
const USUAL: usize = 40;
/// The maximum length of a text, in characters.
const LONGEST: usize = 10_000;
/// The number of repetitions that are drawn where an expression allows any.
const REPEATED: usize = 8;

const FREE: &str =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_.,/'\"\\äß漢🙂";

const PLAIN: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// Draws a text that satisfies all rules.
pub(super) fn draw(rules: &[Rule], dice: &mut Dice<'_>) -> Result<String, Unmet> {
    let lengths = Lengths::new(rules)?;
    let source = Source::new(rules)?;
    for _ in 0..TRIES {
        let Some(text) = source.draw(lengths, dice) else {
            continue;
        };
        let text = lengths.fill(text, rules);
        if is_valid(&text, rules) {
            return Ok(text);
        }
    }
    Err(source.unmet())
}

/// Returns whether a text satisfies all rules.
pub(super) fn is_valid(text: &str, rules: &[Rule]) -> bool {
    let mut checker = Checker::default();
    check_text(text, rules, &mut checker);
    checker.is_empty()
}

/// The number of characters.
#[derive(Clone, Copy)]
struct Lengths {
    least: usize,
    most: usize,
}

impl Lengths {
    fn new(rules: &[Rule]) -> Result<Self, Unmet> {
        let mut lengths = Self {
            least: 0,
            most: usize::MAX,
        };
        for rule in rules {
            let size = |limit: u64| usize::try_from(limit).unwrap_or(usize::MAX);
            match *rule {
                Rule::MinLength(least) => lengths.least = lengths.least.max(size(least)),
                Rule::MaxLength(most) => lengths.most = lengths.most.min(size(most)),
                _ => {}
            }
        }
        match lengths.least <= lengths.most.min(LONGEST) {
            true => Ok(lengths),
            false => Err(Unmet::rule("minLength")),
        }
    }

    /// Draws a length: often a bound.
    fn draw(self, dice: &mut Dice<'_>) -> usize {
        let usual = self.most.min(self.least.saturating_add(USUAL));
        match dice.below(6) {
            0 => self.least,
            1 if self.most <= LONGEST => self.most,
            2 => usual.min(self.least.saturating_add(1)),
            _ => dice.evenly(self.least, usual),
        }
    }

    /// Appends characters to a text that is too short, if it stays valid otherwise.
    fn fill(self, text: String, rules: &[Rule]) -> String {
        let missing = self.least.saturating_sub(text.chars().count());
        if missing == 0 {
            return text;
        }
        let fills = ["a", "0", "A", " "].map(|fill| fill.repeat(missing));
        let mut ends = fills
            .iter()
            .flat_map(|fill| [text.clone() + fill, fill.clone() + &text]);
        ends.find(|text| is_valid(text, rules)).unwrap_or(text)
    }
}

/// What the texts are drawn by.
enum Source {
    Listed(&'static [&'static str]),
    Format(&'static str),
    Pattern(Hir, &'static str),
    Free,
}

impl Source {
    fn new(rules: &[Rule]) -> Result<Self, Unmet> {
        let listed = rules.iter().find_map(|rule| match *rule {
            Rule::Enum(all) => Some(Self::Listed(all)),
            _ => None,
        });
        let format = || {
            rules.iter().find_map(|rule| match *rule {
                Rule::Format(name) => Some(Self::Format(name)),
                _ => None,
            })
        };
        if let Some(source) = listed.or_else(format) {
            return Ok(source);
        }
        let patterns = rules.iter().filter_map(|rule| match *rule {
            Rule::Pattern { regex, shown } => Some((regex, shown)),
            _ => None,
        });
        // The longest pattern is the most specific one.
        match patterns.max_by_key(|(regex, _)| regex.len()) {
            None => Ok(Self::Free),
            Some((regex, shown)) => match regex_syntax::Parser::new().parse(regex) {
                Ok(hir) => Ok(Self::Pattern(hir, shown)),
                Err(_) => Err(Unmet::rule("pattern").with_value(shown)),
            },
        }
    }

    fn draw(&self, lengths: Lengths, dice: &mut Dice<'_>) -> Option<String> {
        match self {
            Self::Listed(all) => dice.pick(all).map(|text| (*text).to_owned()),
            Self::Format(name) => of_format(name, dice),
            Self::Pattern(hir, _) => {
                let repeated = match dice.below(4) {
                    0 => 0,
                    1 => lengths.draw(dice).min(LONGEST),
                    _ => REPEATED,
                };
                let mut text = String::new();
                matching(hir, repeated, dice, &mut text)?;
                Some(text)
            }
            Self::Free => {
                let alphabet = if dice.is_plain { PLAIN } else { FREE };
                Some(some(alphabet, lengths.draw(dice), dice))
            }
        }
    }

    /// Returns the error that no text was found.
    fn unmet(&self) -> Unmet {
        match self {
            Self::Listed(_) => Unmet::rule("enum"),
            Self::Format(name) => Unmet::rule("format").with_value(name),
            Self::Pattern(_, shown) => Unmet::rule("pattern").with_value(shown),
            Self::Free => Unmet::rule("minLength"),
        }
    }
}

/// Appends a text that an expression matches, with at most so many repetitions beyond those that it requires.
/// Returns `None` if the text becomes too long.
fn matching(hir: &Hir, repeated: usize, dice: &mut Dice<'_>, out: &mut String) -> Option<()> {
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
            out.push(character(&ranges, dice)?);
        }
        HirKind::Class(Class::Bytes(class)) => {
            let ascii = |range: &&regex_syntax::hir::ClassBytesRange| range.start().is_ascii();
            let ranges = class.iter().filter(ascii);
            let ranges: Vec<(char, char)> = ranges
                .map(|range| (char::from(range.start()), char::from(range.end().min(0x7f))))
                .collect();
            out.push(character(&ranges, dice)?);
        }
        HirKind::Repetition(repetition) => {
            let least = usize::try_from(repetition.min).ok()?;
            let most = repetition.max.map_or(usize::MAX, |most| {
                usize::try_from(most).unwrap_or(usize::MAX)
            });
            let more = most.saturating_sub(least).min(repeated);
            let count = match dice.below(3) {
                0 => least,
                1 => least + more,
                _ => dice.evenly(least, least + more),
            };
            for _ in 0..count {
                matching(&repetition.sub, repeated, dice, out)?;
            }
        }
        HirKind::Capture(capture) => matching(&capture.sub, repeated, dice, out)?,
        HirKind::Concat(all) => {
            for part in all {
                matching(part, repeated, dice, out)?;
            }
        }
        HirKind::Alternation(all) => matching(dice.pick(all)?, repeated, dice, out)?,
    }
    Some(())
}

/// Draws a character of a class: mostly a visible one of ASCII, if the class has one.
fn character(ranges: &[(char, char)], dice: &mut Dice<'_>) -> Option<char> {
    let ascii = |(start, end): &(char, char)| {
        let (start, end) = ((*start).max(' '), (*end).min('~'));
        (start <= end).then_some((start, end))
    };
    let plain: Vec<(char, char)> = ranges.iter().filter_map(ascii).collect();
    let all = match plain.is_empty() || !dice.is_plain && dice.once_in(16) {
        true => ranges,
        false => &plain,
    };
    let (start, end) = *dice.pick(all)?;
    let code = dice.within(u32::from(start).into(), u32::from(end).into());
    let code = u32::try_from(code).ok().and_then(char::from_u32);
    Some(code.unwrap_or(start))
}
