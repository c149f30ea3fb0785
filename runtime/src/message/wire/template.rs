//! Paths with variables in braces.
//!
//! Some documents distinguish operations by text that a path cannot contain: `/jobs?action=start`
//! and `/jobs#started`. The text after `?` belongs to the query, and the text after `#` is never
//! sent (RFC 3986, section 3.5).

/// Returns the path of a template, and its query.
pub(crate) fn parts(template: &'static str) -> (&'static str, &'static str) {
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

/// Fills a template; `value` returns the encoded value of a variable.
pub(crate) fn fill<'a>(
    template: &str,
    value: impl Fn(&str) -> Option<&'a str>,
) -> Result<String, String> {
    let mut out = String::with_capacity(template.len());
    for (literal, variable) in pieces(template) {
        for byte in literal.bytes() {
            push_literal(&mut out, byte);
        }
        if let Some(name) = variable {
            out.push_str(value(name).ok_or_else(|| name.to_owned())?);
        }
    }
    Ok(out)
}

/// Fills the query of a template.
pub(crate) fn fill_query<'a>(
    template: &str,
    value: impl Fn(&str) -> Option<&'a str>,
) -> Result<String, String> {
    let mut out = String::with_capacity(template.len());
    for (literal, variable) in pieces(template) {
        for byte in literal.bytes() {
            match byte {
                b'?' => out.push('?'),
                _ => push_literal(&mut out, byte),
            }
        }
        if let Some(name) = variable {
            out.push_str(value(name).ok_or_else(|| name.to_owned())?);
        }
    }
    Ok(out)
}

/// Appends a byte of a documented path; a byte that a path cannot contain is encoded.
fn push_literal(out: &mut String, byte: u8) {
    if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/%".contains(&byte) {
        out.push(char::from(byte));
    } else {
        crate::message::wire::percent::push_triple(out, byte);
    }
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
        byte.is_some_and(|byte| crate::message::wire::percent::in_literals(segment, *byte))
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
pub(crate) type Variables = Vec<(&'static str, String)>;

/// Returns the raw values of a template's variables in a raw path.
///
/// Segments are split before they are decoded. A segment with encoded literals is decoded first;
/// its values are then decoded already, and are encoded again to mark this.
pub(crate) fn variables(path: &str, template: &'static str) -> Option<Variables> {
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
                found.extend(
                    values
                        .into_iter()
                        .map(|(name, value)| (name, value.to_owned())),
                );
            }
            None => {
                let decoded = crate::message::wire::percent::decode(segment, false).ok()?;
                let encode = |text| {
                    crate::message::wire::percent::encode(
                        text,
                        crate::message::wire::percent::Keep::UNRESERVED,
                    )
                };
                let values = match_segment(&decoded, template, Form::Decoded)?;
                found.extend(
                    values
                        .into_iter()
                        .map(|(name, value)| (name, encode(value))),
                );
            }
        }
    }
    segments.next().is_none().then_some(found)
}

/// Adds the raw values of the variables in a template's query.
pub(crate) fn query_variables(
    pairs: &crate::message::wire::query::Pairs<'_>,
    template: &'static str,
    found: &mut Variables,
) {
    for pair in parts(template).1.split('&') {
        let Some((name, value)) = pair.split_once('=') else {
            continue;
        };
        let variable = value
            .strip_prefix('{')
            .and_then(|text| text.strip_suffix('}'));
        let pair = pairs.iter().find(|(known, _)| known == name);
        if let (Some(variable), Some((_, value))) = (variable, pair) {
            found.push((variable, (*value).to_owned()));
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
        assert_eq!(
            fill_query("c=d e&e={f}", value),
            Ok("c=d%20e&e=1%202".to_owned())
        );
        assert_eq!(
            variables("/a/1", "/a/{b}?e={f}"),
            Some(vec![("b", "1".to_owned())])
        );
        let mut found = Vec::new();
        query_variables(
            &crate::message::wire::query::pairs("x=1&e=2"),
            "/a?e={f}",
            &mut found,
        );
        assert_eq!(found, vec![("f", "2".to_owned())]);
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
            Some(vec![("id", "a%2Fb".to_owned())])
        );
        assert_eq!(
            variables("/f/a%2Eb.txt", "/f/{name}.{ext}"),
            Some(vec![
                ("name", "a%2Eb".to_owned()),
                ("ext", "txt".to_owned())
            ])
        );
        assert_eq!(
            variables("/f/a%2Etxt", "/f/{name}.{ext}"),
            Some(vec![("name", "a".to_owned()), ("ext", "txt".to_owned())])
        );
        assert_eq!(variables("/pets", "/pets/{id}"), None);
        assert_eq!(variables("/pets/1/2", "/pets/{id}"), None);
    }

    #[test]
    fn templates_are_filled_and_their_literals_encoded() {
        let value = |name: &str| (name == "id").then_some("7");
        assert_eq!(
            fill("/a b/{id}.json", value),
            Ok("/a%20b/7.json".to_owned())
        );
        assert_eq!(fill("/{other}", value), Err("other".to_owned()));
    }

    #[test]
    fn only_a_variable_with_literals_is_crowded() {
        assert_eq!(crowded_segment("/a/{id}", "id"), None);
        assert_eq!(crowded_segment("/a/{n}.{e}", "e"), Some("{n}.{e}"));
    }
}
