//! Paths with variables in braces.
//!
//! Some documents distinguish operations by text that a path cannot contain: `/jobs?action=start`
//! and `/jobs#started`. The text after `?` belongs to the query, and the text after `#` is never
//! sent (RFC 3986, section 3.5).

use super::percent;
use super::query::Pairs;
use crate::message::wire::percent::push_runs;
use std::borrow::Cow;

/// Returns the path of a template, and its query.
pub(crate) fn parts(template: &'static str) -> (&'static str, &'static str) {
    // Most paths have neither, and are short: a loop is faster than two searches.
    if !template.bytes().any(|byte| matches!(byte, b'?' | b'#')) {
        return (template, "");
    }
    let template = template.split('#').next().unwrap_or(template);
    template.split_once('?').unwrap_or((template, ""))
}

/// Splits a segment into alternating literals and variables, beginning with a literal.
fn pieces(segment: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let mut rest = Some(segment);
    std::iter::from_fn(move || {
        let text = rest?;
        match text.split_once('{').and_then(|(literal, after)| {
            after
                .split_once('}')
                .map(|(name, after)| (literal, name, after))
        }) {
            Some((literal, name, after)) => {
                rest = Some(after);
                Some((literal, Some(name)))
            }
            None => {
                rest = None;
                Some((text, None))
            }
        }
    })
}

/// Returns the segment of a variable, if the segment contains other text.
pub(crate) fn crowded_segment(template: &'static str, name: &str) -> Option<&'static str> {
    let has = |segment: &&str| pieces(segment).any(|(_, variable)| variable == Some(name));
    let segment = template.split('/').find(has)?;
    (segment.len() != name.len() + 2).then_some(segment)
}

/// Returns whether the first segment with a variable has nothing else, as [`crowded_segment`] finds
/// out, too, but slower. `false` may be wrong.
pub(crate) fn is_segment(template: &str, name: &str) -> bool {
    for segment in template.as_bytes().split(|byte| *byte == b'/') {
        match segment {
            [b'{', inner @ .., b'}'] if inner == name.as_bytes() => return true,
            // Any other segment with variables may have this one.
            [b'{', inner @ .., b'}'] if !inner.contains(&b'{') => {}
            segment if segment.contains(&b'{') => return false,
            _ => {}
        }
    }
    false
}

/// Fills a template; `value` returns the encoded value of a variable.
///
/// # Errors
///
/// Returns the name of a variable without a value.
pub(crate) fn fill<'a>(
    out: &mut String,
    template: &str,
    value: impl Fn(&str) -> Option<&'a str>,
) -> Result<(), String> {
    fill_with(out, template, is_literal, value)
}

/// Fills the query of a template.
pub(crate) fn fill_query<'a>(
    out: &mut String,
    template: &str,
    value: impl Fn(&str) -> Option<&'a str>,
) -> Result<(), String> {
    fill_with(
        out,
        template,
        |byte| byte == b'?' || is_literal(byte),
        value,
    )
}

fn fill_with<'a>(
    out: &mut String,
    template: &str,
    keeps: impl Fn(u8) -> bool,
    value: impl Fn(&str) -> Option<&'a str>,
) -> Result<(), String> {
    // As `pieces` does, but in one pass.
    let (mut start, mut open) = (0, None);
    for (index, byte) in template.bytes().enumerate() {
        match (byte, open) {
            (b'{', None) => open = Some(index),
            (b'}', Some(brace)) => {
                push_runs(
                    out,
                    template.get(start..brace).unwrap_or_default(),
                    |_, byte| keeps(byte),
                );
                let name = template.get(brace + 1..index).unwrap_or_default();
                out.push_str(value(name).ok_or_else(|| name.to_owned())?);
                (start, open) = (index + 1, None);
            }
            _ => {}
        }
    }
    push_runs(out, template.get(start..).unwrap_or_default(), |_, byte| {
        keeps(byte)
    });
    Ok(())
}

/// Returns whether a path can contain a byte of a documented path.
const fn is_literal(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'-' | b'.'
                | b'_'
                | b'~'
                | b'!'
                | b'$'
                | b'&'
                | b'\''
                | b'('
                | b')'
                | b'*'
                | b'+'
                | b','
                | b';'
                | b'='
                | b':'
                | b'@'
                | b'/'
                | b'%'
        )
}

/// The encoding of a received segment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// As it was sent: an encoded byte is one character.
    Raw,
    /// Decoded: a `%` is a character.
    Decoded,
}

/// Returns the offsets in a text at which a character begins, and its end.
fn boundaries(text: &str, form: Form) -> impl Iterator<Item = usize> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let at = next?;
        let rest = text.get(at..)?;
        next = match rest.chars().next() {
            Some('%') if form == Form::Raw && rest.is_char_boundary(3.min(rest.len())) => {
                Some(at + 3.min(rest.len()))
            }
            Some(character) => Some(at + character.len_utf8()),
            None => None,
        };
        Some(at)
    })
}

/// Returns whether an unencoded character of the text is also a literal of the segment.
pub(crate) fn clashes(text: &str, segment: &str) -> bool {
    let literal = |at: usize| {
        let byte = text.as_bytes().get(at);
        byte.is_some_and(|byte| percent::in_literals(segment, *byte))
    };
    boundaries(text, Form::Raw).any(literal)
}

/// Returns the values of a segment's variables, in their order; `None` if it does not match.
///
/// A variable ends at the first occurrence of the next literal; the last one ends with the segment.
fn match_segment<'p, 't>(
    segment: &'p str,
    template: &'t str,
    form: Form,
) -> Option<Vec<(&'t str, &'p str)>> {
    let mut found = Vec::new();
    let mut rest = segment;
    let mut open: Option<&'t str> = None;
    let mut parts = pieces(template).peekable();
    while let Some((literal, variable)) = parts.next() {
        rest = match open.take() {
            None => rest.strip_prefix(literal)?,
            Some(name) => {
                let end = if parts.peek().is_none() {
                    let end = rest.len().checked_sub(literal.len())?;
                    boundaries(rest, form).find(|at| *at == end && rest.ends_with(literal))?
                } else if literal.is_empty() {
                    boundaries(rest, form).nth(1)?
                } else {
                    let fits = |at: &usize| {
                        rest.get(*at..)
                            .is_some_and(|rest| rest.starts_with(literal))
                    };
                    boundaries(rest, form).skip(1).find(fits)?
                };
                let (value, after) = rest.split_at_checked(end)?;
                if value.is_empty() {
                    return None;
                }
                found.push((name, value));
                after.get(literal.len()..)?
            }
        };
        open = variable;
    }
    rest.is_empty().then_some(found)
}

/// Returns whether a decoded segment matches a template with several variables, or with a variable
/// and text.
#[cfg(feature = "server")]
pub fn fits(segment: &str, template: &str) -> bool {
    match_segment(segment, template, Form::Decoded).is_some()
}

/// Names of variables and their raw values.
pub(crate) type Variables<'p> = Vec<(&'static str, Cow<'p, str>)>;

/// Returns the raw values of a template's variables in a raw path.
///
/// Segments are split before they are decoded. A segment with encoded literals is decoded first;
/// its values are then decoded already, and are encoded again to mark this.
pub(crate) fn variables<'p>(path: &'p str, template: &'static str) -> Option<Variables<'p>> {
    let (template, _) = parts(template);
    let mut found = Vec::new();
    let mut segments = path.split('/');
    for template in template.split('/') {
        let segment = segments.next()?;
        if !template.contains('{') {
            continue;
        }
        match match_segment(segment, template, Form::Raw) {
            Some(values) => {
                let values = values.into_iter();
                found.extend(values.map(|(name, value)| (name, Cow::Borrowed(value))));
            }
            None => {
                let decoded = percent::decode(segment, false).ok()?;
                let encode = |text| percent::encode(text, percent::Keep::UNRESERVED);
                let values = match_segment(&decoded, template, Form::Decoded)?.into_iter();
                found.extend(values.map(|(name, value)| (name, Cow::Owned(encode(value)))));
            }
        }
    }
    segments.next().is_none().then_some(found)
}

/// Adds the raw values of the variables in a template's query.
pub(crate) fn query_variables<'p>(
    pairs: &Pairs<'p>,
    template: &'static str,
    found: &mut Variables<'p>,
) {
    // Hardly any template has a query.
    if !template.as_bytes().contains(&b'?') {
        return;
    }
    let (_, query) = parts(template);
    for pair in query.split('&') {
        let Some((name, value)) = pair.split_once('=') else {
            continue;
        };
        let variable = value
            .strip_prefix('{')
            .and_then(|text| text.strip_suffix('}'));
        let pair = pairs.iter().find(|(known, _)| known == name);
        if let (Some(variable), Some((_, value))) = (variable, pair) {
            found.push((variable, Cow::Borrowed(*value)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_and_fragments_are_separated_from_the_path() {
        assert_eq!(parts("/a/{b}?c=d&e={f}#g?h"), ("/a/{b}", "c=d&e={f}"));
        let value = |name: &str| (name == "f").then_some("1%202");
        let mut out = String::new();
        assert_eq!(fill_query(&mut out, "c=d e&e={f}", value), Ok(()));
        assert_eq!(out, "c=d%20e&e=1%202");
        assert_eq!(
            variables("/a/1", "/a/{b}?e={f}"),
            Some(vec![("b", "1".into())])
        );
        let mut found = Vec::new();
        query_variables(
            &crate::message::wire::query::pairs("x=1&e=2"),
            "/a?e={f}",
            &mut found,
        );
        assert_eq!(found, vec![("f", Cow::Borrowed("2"))]);
    }

    #[test]
    fn segments_match_with_literals_around_variables() {
        let found = |segment, template| match_segment(segment, template, Form::Raw);
        assert_eq!(found("a", "{x}"), Some(vec![("x", "a")]));
        assert_eq!(found("", "{x}"), None);
        assert_eq!(
            found("a.tar.gz", "{name}.{ext}"),
            Some(vec![("name", "a"), ("ext", "tar.gz")])
        );
        assert_eq!(
            found("a.json.json", "{id}.json"),
            Some(vec![("id", "a.json")])
        );
        assert_eq!(found("v1:cancel", "{id}:cancel"), Some(vec![("id", "v1")]));
        assert_eq!(found(":cancel", "{id}:cancel"), None);
        assert_eq!(
            found("x1-2y", "x{a}-{b}y"),
            Some(vec![("a", "1"), ("b", "2")])
        );
        assert_eq!(found("é1", "{a}{b}"), Some(vec![("a", "é"), ("b", "1")]));
        assert_eq!(found("%32", "{a}2"), None);
        assert_eq!(found("%3222", "{a}2"), Some(vec![("a", "%322")]));
        assert_eq!(
            found("%3222x", "{a}2{b}"),
            Some(vec![("a", "%32"), ("b", "2x")])
        );
        assert_eq!(found("pets", "pets"), Some(vec![]));
        // The value `%`, as it is sent and as a router receives it.
        assert_eq!(
            found("%2512a", "{a}12{b}"),
            Some(vec![("a", "%25"), ("b", "a")])
        );
        assert_eq!(
            match_segment("%12a", "{a}12{b}", Form::Decoded),
            Some(vec![("a", "%"), ("b", "a")])
        );
    }

    #[test]
    fn paths_are_matched_to_raw_values() {
        assert_eq!(
            variables("/pets/a%2Fb", "/pets/{id}"),
            Some(vec![("id", "a%2Fb".into())])
        );
        assert_eq!(
            variables("/f/a%2Eb.txt", "/f/{name}.{ext}"),
            Some(vec![("name", "a%2Eb".into()), ("ext", "txt".into())])
        );
        assert_eq!(
            variables("/f/a%2Etxt", "/f/{name}.{ext}"),
            Some(vec![("name", "a".into()), ("ext", "txt".into())])
        );
        assert_eq!(variables("/pets", "/pets/{id}"), None);
        assert_eq!(variables("/pets/1/2", "/pets/{id}"), None);
    }

    #[test]
    fn templates_are_filled_and_their_literals_encoded() {
        let value = |name: &str| (name == "id").then_some("7");
        let mut out = String::new();
        assert_eq!(fill(&mut out, "/a b/{id}.json", value), Ok(()));
        assert_eq!(out, "/a%20b/7.json");
        let missing = fill(&mut out, "/{other}", value);
        assert_eq!(missing, Err("other".to_owned()));
    }

    #[test]
    fn only_a_variable_with_literals_is_crowded() {
        for (template, name, alone) in [
            ("/a/{id}", "id", true),
            ("/{id}/a", "id", true),
            ("/{a}/{id}", "id", true),
            ("/{id2}/{id}", "id", true),
            ("/a/{n}.{e}", "n", false),
            ("/a/{n}.{e}", "e", false),
            ("/a/{id}?x=1", "id", false),
            ("/a/v{id}", "id", false),
            ("/a/v{id}/{id}", "id", false),
            ("/{id}/v{id}", "id", true),
            ("/a", "id", false),
        ] {
            assert_eq!(is_segment(template, name), alone, "{template} {name}");
        }
        assert_eq!(crowded_segment("/a/{id}", "id"), None);
        assert_eq!(crowded_segment("/a/{n}.{e}", "e"), Some("{n}.{e}"));
    }
}
