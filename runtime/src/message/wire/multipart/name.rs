//! Names of parts and of files, in quotes, as browsers write them (RFC 7578, section 2). Non-ASCII
//! characters are plain UTF-8.

use crate::message::wire::percent::decode;

/// The characters that a quoted name cannot contain, and their triples. The `%` of a name that
/// contains such a triple is encoded, too.
const ESCAPES: [(char, &str); 5] = [
    ('"', "22"),
    ('\r', "0D"),
    ('\n', "0A"),
    ('\\', "5C"),
    ('%', "25"),
];

pub(super) fn escaped(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for (at, character) in name.char_indices() {
        let plain_percent = || {
            let digits = name.get(at + 1..at + 3);
            !ESCAPES
                .iter()
                .any(|(_, triple)| digits.is_some_and(|digits| digits.eq_ignore_ascii_case(triple)))
        };
        match ESCAPES.iter().find(|(mark, _)| *mark == character) {
            Some(('%', _)) if plain_percent() => out.push('%'),
            Some((_, triple)) => {
                out.push('%');
                out.push_str(triple);
            }
            None => out.push(character),
        }
    }
    out
}

pub(super) fn unescaped(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        let digits = after.get(..2);
        let mark = ESCAPES
            .iter()
            .find(|(_, triple)| digits.is_some_and(|digits| digits.eq_ignore_ascii_case(triple)));
        match mark {
            Some((mark, _)) => {
                out.push(*mark);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                out.push('%');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// Parses `filename*` of RFC 5987, which is forbidden in a part (RFC 7578, section 4.2) but used by
/// some clients.
pub(super) fn extended(value: &str) -> Option<String> {
    let (charset, rest) = value.split_once('\'')?;
    let (_, encoded) = rest.split_once('\'')?;
    let utf8 = charset.eq_ignore_ascii_case("utf-8");
    let text = utf8.then(|| decode(encoded, false).ok())??;
    Some(text.into_owned())
}
