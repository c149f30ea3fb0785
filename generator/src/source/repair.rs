//! Repair of common mistakes that the parsers reject, before parsing.
//!
//! YAML allows no control characters, and its `\u` escapes no surrogates, yet tools that write YAML
//! like JSON emit both. Tabs before comments are valid, and libyaml refuses them. Lines are preserved, and columns where possible, so that listings show the
//! right position.

use std::borrow::Cow;

/// Start of a private range of code points that replaces characters that a YAML parser rejects.
const DISGUISE: u32 = 0x0010_f800;

/// A text that a YAML parser accepts.
pub(super) struct Mended<'a> {
    pub(super) text: Cow<'a, str>,
    /// Whether strings must be passed through [`reveal`].
    pub(super) disguised: bool,
}

/// Repairs a YAML text. `tabs` are the bytes of tabs that become spaces, in order; `bad_escape`
/// returns the byte of the first escape that the parser rejects.
pub(super) fn yaml<'a>(
    text: &'a str,
    tabs: &[usize],
    bad_escape: impl Fn(&str) -> Option<usize>,
) -> Mended<'a> {
    /// The limit for repairs. Each repairs one scalar and costs one more pass over the text.
    const TRIES: usize = 100;
    let mut mended = disguise(with_spaces(text, tabs));
    if !may_hold_surrogates(text) {
        return mended;
    }
    for _ in 0..TRIES {
        let Some(digits) = bad_escape(&mended.text) else {
            break;
        };
        let Some(next) = mend_scalar(&mended.text, digits) else {
            break;
        };
        mended.text = Cow::Owned(next);
    }
    mended
}

/// Repairs lone surrogates in a JSON text. Returns `None` if the text has no lone surrogates.
pub(super) fn json(text: &str) -> Option<String> {
    may_hold_surrogates(text).then(|| mend_escapes(text, None).0)
}

fn may_hold_surrogates(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(4).any(|it| {
        matches!(
            it,
            [
                b'\\',
                b'u',
                b'd' | b'D',
                b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F',
            ]
        )
    })
}

/// Repairs the rest of a double-quoted scalar, from an escape whose hex digits begin at a byte.
fn mend_scalar(text: &str, digits: usize) -> Option<String> {
    let start = digits.checked_sub(2)?;
    let (before, rest) = (text.get(..start)?, text.get(start..)?);
    let (mended, length) = mend_escapes(rest, Some('"'));
    let after = &rest[length..];
    (mended != rest[..length]).then(|| [before, &mended, after].concat())
}

/// Repairs escapes up to a closing quote or the end. Returns the length of the text that was read
/// too.
///
/// If `close` is given, the escapes are those of YAML, where a pair of surrogates becomes one
/// escape.
fn mend_escapes(text: &str, close: Option<char>) -> (String, usize) {
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        if Some(char) == close {
            break;
        }
        let mut length = char.len_utf8();
        if char == '\\' {
            length += rest[1..].chars().next().map_or(0, char::len_utf8);
            if let Some(unit) = escaped_unit(rest) {
                let pair = escaped_unit(&rest[6..]).and_then(|low| join_surrogates(unit, low));
                match pair {
                    Some(pair) if close.is_some() => {
                        mended.push_str(&format!("\\U{:08X}", u32::from(pair)));
                        rest = &rest[12..];
                        continue;
                    }
                    Some(_) => length = 12,
                    None if (0xd800..0xe000).contains(&unit) => {
                        mended.push_str("\\uFFFD");
                        rest = &rest[6..];
                        continue;
                    }
                    None => length = 6,
                }
            }
        }
        mended.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    (mended, text.len() - rest.len())
}

/// Returns the value of the `\uXXXX` at the start of a text.
fn escaped_unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    digits
        .bytes()
        .all(|byte| byte.is_ascii_hexdigit())
        .then_some(())?;
    u32::from_str_radix(digits, 16).ok()
}

fn join_surrogates(high: u32, low: u32) -> Option<char> {
    if !(0xd800..0xdc00).contains(&high) || !(0xdc00..0xe000).contains(&low) {
        return None;
    }
    char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00))
}

/// Replaces the tabs at these bytes by spaces.
fn with_spaces<'a>(text: &'a str, tabs: &[usize]) -> Cow<'a, str> {
    if tabs.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut spaced = String::with_capacity(text.len());
    let mut from = 0;
    for tab in tabs {
        spaced.push_str(text.get(from..*tab).unwrap_or_default());
        spaced.push(' ');
        from = tab + 1;
    }
    spaced.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(spaced)
}

/// Replaces each character that a YAML parser rejects by a placeholder of one column.
fn disguise(text: Cow<'_, str>) -> Mended<'_> {
    let is_stand_in = |char: char| reveal_one(char) != char;
    if !text.chars().any(|char| disguise_one(char) != char) || text.chars().any(is_stand_in) {
        return Mended {
            text,
            disguised: false,
        };
    }
    Mended {
        text: Cow::Owned(text.chars().map(disguise_one).collect()),
        disguised: true,
    }
}

/// Restores the replaced characters.
pub(super) fn reveal(text: &str) -> String {
    text.chars().map(reveal_one).collect()
}

fn disguise_one(char: char) -> char {
    let place = match char {
        '\u{85}' => return char,
        '\u{7f}'..='\u{9f}' => u32::from(char),
        '\u{feff}' => 0x100,
        '\u{fffe}' => 0x101,
        '\u{ffff}' => 0x102,
        _ => return char,
    };
    char::from_u32(DISGUISE + place).unwrap_or(char)
}

fn reveal_one(char: char) -> char {
    let place = u32::from(char).wrapping_sub(DISGUISE);
    let real = match place {
        0x100 => 0xfeff,
        0x101 => 0xfffe,
        0x102 => 0xffff,
        0x7f..=0x9f => place,
        _ => return char,
    };
    char::from_u32(real).unwrap_or(char)
}
