//! Translation of ECMA-262 patterns, which JSON Schema uses, to the syntax of the crate `regex`.
//!
//! That crate matches in time linear to the text, so no pattern of a document can be used for a
//! denial of service. It has no look-around and no back references; patterns with these features
//! are not checked.

use std::fmt::Write as _;
use std::iter::Peekable;
use std::str::Chars;

/// Returns the pattern in the syntax of `regex`, or `None` if every text matches.
///
/// # Errors
/// Returns an error with the reason if the pattern has no equivalent.
pub(in crate::lower) fn translate(pattern: &str) -> Result<Option<String>, String> {
    if matches!(pattern, "" | "^" | "$" | ".*" | "^.*" | ".*$") {
        return Ok(None);
    }
    if pattern.starts_with("/^") {
        return Err("the slashes around it are part of it".to_owned());
    }
    let mut out = String::with_capacity(pattern.len());
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => escape(&mut chars, &mut out, false)?,
            '[' => class(&mut chars, &mut out)?,
            // ECMA-262 has four line terminators.
            '.' => out.push_str(r"[^\n\r\u{2028}\u{2029}]"),
            '(' => group(&chars, &mut out)?,
            '{' if !is_quantifier(chars.clone()) => out.push_str(r"\{"),
            c => out.push(c),
        }
    }
    match regex::Regex::new(&out) {
        Ok(_) => Ok(Some(out)),
        Err(regex::Error::CompiledTooBig(_)) => Err("it is too large".to_owned()),
        Err(error) => {
            // The last line of the error has the reason: `error: unclosed group`.
            let text = error.to_string();
            let reason = text.rsplit("error: ").next().unwrap_or_default();
            Err(format!("invalid regular expression: {}", reason.trim()))
        }
    }
}

/// Translates the characters after an opening parenthesis, which decide whether the group is
/// supported.
fn group(rest: &Peekable<Chars<'_>>, out: &mut String) -> Result<(), String> {
    let start: String = rest.clone().take(3).collect();
    let around = ["?=", "?!", "?<=", "?<!"];
    if around.iter().any(|mark| start.starts_with(mark)) {
        return Err("look-around is not supported".to_owned());
    }
    out.push('(');
    Ok(())
}

/// Returns whether `{` begins `{2}`, `{2,}` or `{2,3}`. Otherwise it is a literal.
fn is_quantifier(mut rest: Peekable<Chars<'_>>) -> bool {
    let mut digits = 0;
    let mut commas = 0;
    loop {
        match rest.next() {
            Some(c) if c.is_ascii_digit() => digits += 1,
            Some(',') if digits > 0 && commas == 0 => commas += 1,
            Some('}') => return digits > 0,
            _ => return false,
        }
    }
}

/// Translates the characters after a backslash.
fn escape(chars: &mut Peekable<Chars<'_>>, out: &mut String, in_class: bool) -> Result<(), String> {
    let Some(c) = chars.next() else {
        return Err("invalid regular expression: backslash at the end".to_owned());
    };
    match c {
        'd' if in_class => out.push_str("0-9"),
        'd' => out.push_str("[0-9]"),
        'D' => out.push_str("[^0-9]"),
        'w' if in_class => out.push_str("A-Za-z0-9_"),
        'w' => out.push_str("[A-Za-z0-9_]"),
        'W' => out.push_str("[^A-Za-z0-9_]"),
        's' if in_class => out.push_str(r"\s\u{FEFF}"),
        's' => out.push_str(r"[\s\u{FEFF}]"),
        'S' => out.push_str(r"[^\s\u{FEFF}]"),
        'b' if in_class => out.push_str(r"\x08"),
        'b' => out.push_str(r"(?-u:\b)"),
        'B' => out.push_str(r"\B"),
        // A Unicode property.
        'p' | 'P' => {
            out.push('\\');
            out.push(c);
            property(chars, out);
        }
        // Perl escapes, which documents of other tools contain; in ECMA-262 they are letters.
        'A' if !in_class => out.push('^'),
        'z' | 'Z' if !in_class => out.push('$'),
        'n' | 'r' | 't' | 'f' | 'v' => {
            out.push('\\');
            out.push(c);
        }
        '0' if !chars.peek().is_some_and(char::is_ascii_digit) => out.push_str(r"\x00"),
        '1'..='9' if !in_class => return Err("back references are not supported".to_owned()),
        'k' if chars.peek() == Some(&'<') => {
            return Err("back references are not supported".to_owned());
        }
        'c' => match chars.next_if(char::is_ascii_alphabetic) {
            Some(letter) => literal(char::from(letter as u8 & 0x1F), out),
            None => out.push_str(r"\\c"),
        },
        'x' => match hex(chars, 2) {
            Some(code) => literal(char::from_u32(code).unwrap_or('x'), out),
            None => out.push('x'),
        },
        'u' => literal(unicode(chars)?, out),
        // The escape is valid in the other syntax too.
        c if c.is_ascii_punctuation() && !matches!(c, '_' | '<' | '>') => {
            out.push('\\');
            out.push(c);
        }
        c => literal(c, out),
    }
    Ok(())
}

/// Characters that are literals in both syntaxes, inside and outside of a class.
const PLAIN: &str = "_ !\"#%',/:;<=>@`";

/// Writes a literal character, inside or outside of a class.
fn literal(c: char, out: &mut String) {
    if c.is_alphanumeric() || PLAIN.contains(c) {
        out.push(c);
    } else {
        // Writing to a string cannot fail.
        let _ = write!(out, r"\u{{{:X}}}", u32::from(c));
    }
}

/// Reads a number of hexadecimal digits, or returns `None`.
fn hex(chars: &mut Peekable<Chars<'_>>, count: usize) -> Option<u32> {
    let digits: String = chars.clone().take(count).collect();
    if digits.chars().count() < count || !digits.chars().all(|c| c.is_ascii_hexdigit()) {
        return None;
    }
    chars.by_ref().take(count).for_each(drop);
    u32::from_str_radix(&digits, 16).ok()
}

/// Reads the characters after `\u`: four digits, a pair of surrogates, or digits in braces.
fn unicode(chars: &mut Peekable<Chars<'_>>) -> Result<char, String> {
    let wrong = || "unpaired surrogate".to_owned();
    if chars.next_if_eq(&'{').is_some() {
        let digits: String = chars.by_ref().take_while(|c| *c != '}').collect();
        let code = u32::from_str_radix(&digits, 16).ok();
        return code.and_then(char::from_u32).ok_or_else(wrong);
    }
    let Some(first) = hex(chars, 4) else {
        return Ok('u');
    };
    if let Some(c) = char::from_u32(first) {
        return Ok(c);
    }
    let mut ahead = chars.clone();
    if ahead.next() == Some('\\')
        && ahead.next() == Some('u')
        && let Some(second) = hex(&mut ahead, 4)
        && let (0xD800..0xDC00, 0xDC00..0xE000) = (first, second)
    {
        *chars = ahead;
        let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        return char::from_u32(code).ok_or_else(wrong);
    }
    Err(wrong())
}

/// Translates a class after its opening bracket.
fn class(chars: &mut Peekable<Chars<'_>>, out: &mut String) -> Result<(), String> {
    let negated = chars.next_if_eq(&'^').is_some();
    if chars.next_if_eq(&']').is_some() {
        // `[^]` matches any character, and `[]` matches no character.
        out.push_str(if negated { r"[\s\S]" } else { r"[^\s\S]" });
        return Ok(());
    }
    out.push_str(if negated { "[^" } else { "[" });
    // Whether a range can begin: the last element is a single character.
    let mut single = false;
    while let Some(c) = chars.next() {
        match c {
            ']' => {
                out.push(']');
                return Ok(());
            }
            '-' => {
                let set = |c: Option<char>| matches!(c, Some('d' | 'D' | 'w' | 'W' | 's' | 'S'));
                let mut ahead = chars.clone();
                let next = ahead.next();
                let before_set = next == Some('\\') && set(ahead.next());
                if single && !matches!(next, Some(']') | None) && !before_set {
                    out.push('-');
                    single = false;
                    let Some(end) = chars.next() else { break };
                    match end {
                        '\\' => escape(chars, out, true)?,
                        end => literal(end, out),
                    }
                } else {
                    // At the end the hyphen is a literal in both syntaxes.
                    out.push_str(if next == Some(']') { "-" } else { r"\-" });
                    single = true;
                }
            }
            '\\' => {
                single = !matches!(
                    chars.peek(),
                    Some('d' | 'D' | 'w' | 'W' | 's' | 'S' | 'p' | 'P')
                );
                escape(chars, out, true)?;
            }
            c => {
                literal(c, out);
                single = true;
            }
        }
    }
    Err("invalid regular expression: unclosed character class".to_owned())
}

/// Reads the name of a Unicode property.
fn property(chars: &mut Peekable<Chars<'_>>, out: &mut String) {
    if chars.next_if_eq(&'{').is_some() {
        out.push('{');
        for c in chars.by_ref() {
            out.push(c);
            if c == '}' {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::translate;

    fn matches(pattern: &str, text: &str) -> bool {
        let translated = translate(pattern).unwrap_or_else(|why| panic!("{pattern}: {why}"));
        let translated = translated.expect("one that asks");
        regex::Regex::new(&translated)
            .expect("a regex")
            .is_match(text)
    }

    #[test]
    fn patterns_mean_what_they_mean_in_ecma_262() {
        for (pattern, yes, no) in [
            ("^[a-z]+$", "abc", "aBc"),
            (r"^\d{3}$", "123", "١٢٣"),
            (r"^\w+$", "a_1", "é"),
            (r"^[\w.-]+$", "a.b-c", "a b"),
            (r"^[\w-.]+$", "a-b.c", "a+b"),
            (r"^[a-z-]+$", "a-b", "a+b"),
            (r"^[^/]+$", "ab", "a/b"),
            (r"^\/a\/$", "/a/", "a"),
            (r"^[[a]+$", "[a", "b"),
            (r"^[a&&b]+$", "&a", "c"),
            (r"^a{,5}$", "a{,5}", "aaa"),
            (r"^a{2,3}$", "aaa", "a"),
            (r"^{a}$", "{a}", "a"),
            (r"^\u0041\x42\cJ$", "AB\n", "AB"),
            (r"^\uD83D\uDE00$", "😀", "x"),
            (r"^\p{Lu}+$", "ÄB", "äb"),
            (r"^[\p{L} ]+$", "ä b", "1"),
            (r"^.$", "a", "\u{2028}"),
            (r"^[^]$", "\n", ""),
            (r"^\S+$", "a", "\u{FEFF}"),
            (r"\bcat\b", "a cat.", "concat"),
            (r"^(?<year>\d{4})$", "2024", "24"),
            (r"^\-\_\@\ $", "-_@ ", "-"),
        ] {
            assert!(matches(pattern, yes), "{pattern} on {yes}");
            assert!(!matches(pattern, no), "{pattern} on {no}");
        }
    }

    #[test]
    fn unsupported_patterns_are_rejected_with_a_reason() {
        for pattern in [
            "(?=a)b",
            "(?!a)b",
            "(?<=a)b",
            "(?<!a)b",
            r"(a)\1",
            r"(?<a>b)\k<a>",
            "[a",
            "(",
            "*",
            r"\",
            r"\uD83D",
            "/^a$/",
            "((a{500}){500}){500}",
        ] {
            assert!(translate(pattern).is_err(), "{pattern}");
        }
        assert_eq!(translate(".*"), Ok(None));
    }

    #[test]
    fn the_reason_is_that_of_the_parser() {
        let reason = |pattern| translate(pattern).expect_err("an error");
        assert_eq!(reason("(a"), "invalid regular expression: unclosed group");
        assert_eq!(reason("(?=a)"), "look-around is not supported");
    }
}
