//! Names of errors that operations share.
//!
//! The names consist of the body types and the statuses (`ErrorBody401_404`, `Error4xx5xx`), so
//! that neither the order nor the number of operations changes them. Where these words do not
//! distinguish two types (headers, other media types, bodies without a type of their own), digits
//! of a hash of the remaining parts follow.

use std::collections::BTreeSet;

use crate::ir::{Api, Codec, ErrorSet, Payload, Primitive, Response, StatusSpec, TypeRef};
use crate::position::Origin;

use super::scope::{Ask, Namer, Rule};
use super::types::TYPE;
use super::{Scopes, ident};

/// The rule for the name of an error type, from which that of its headers is derived.
const ERRORS: Rule = Rule {
    derived: &["", "Headers"],
    ..TYPE
};

/// The limit for names of bodies and statuses. A longer name is less clear than the statuses alone.
const LONGEST: usize = 48;

/// The limit for a list of statuses. A longer list is less clear than the first and the last
/// status.
const LONGEST_LIST: usize = 80;

/// The word for a response without a body.
const EMPTY: &str = "Empty";

/// Gives operations whose errors have a configured name an error type of their own: a configured
/// name applies to one operation, and a shared type belongs to others too. Removes types without
/// operations.
pub(super) fn release(api: &mut Api) {
    for operation in api.operations.iter_mut().chain(&mut api.webhooks) {
        if operation.errors.iter().any(|of| of.name.wanted.is_some()) {
            operation.error_set = None;
        }
    }
    let operations = api.operations.iter().chain(&api.webhooks);
    let used: BTreeSet<usize> = operations.filter_map(|of| of.error_set).collect();
    let sets = std::mem::take(&mut api.error_sets).into_iter().enumerate();
    let sets = sets.filter(|(index, _)| used.contains(index));
    api.error_sets = sets.map(|(_, set)| set).collect();
    for operation in api.operations.iter_mut().chain(&mut api.webhooks) {
        let before = operation.error_set;
        operation.error_set =
            before.and_then(|index| used.iter().position(|known| *known == index));
    }
}

/// Names the shared errors. Their order does not change.
pub(super) fn name(api: &mut Api, scopes: &mut Scopes, namer: &mut Namer<'_>) {
    let mut sets = std::mem::take(&mut api.error_sets);
    for set in &mut sets {
        let words = words(api, set);
        let ask = Ask {
            wire: words.clone(),
            wanted: Some(words),
            prefix: String::new(),
            origin: set
                .responses
                .first()
                .map_or_else(Origin::default, |of| of.origin.clone()),
        };
        let scope = match set.of_webhooks {
            true => &mut scopes.webhooks,
            false => &mut scopes.operations,
        };
        set.name.rust = scope.one(&ERRORS, ask, namer);
    }
    api.error_sets = sets;
}

fn words(api: &Api, set: &ErrorSet) -> String {
    // Bodies in the order of their first status, each with all of its statuses.
    let mut groups: Vec<(String, Vec<StatusSpec>)> = Vec::new();
    for response in &set.responses {
        let body = body(api, response);
        match groups.iter_mut().find(|(known, _)| *known == body) {
            Some((_, statuses)) => statuses.push(response.status),
            None => groups.push((body, vec![response.status])),
        }
    }
    let mut name = String::new();
    for (body, statuses) in &groups {
        name.push_str(body);
        for status in statuses {
            match status {
                StatusSpec::Default => name.push_str("Default"),
                StatusSpec::Range(first) => name.push_str(&format!("{first}xx")),
                StatusSpec::Code(_) => {}
            }
        }
        let codes = statuses.iter().filter_map(|status| match status {
            StatusSpec::Code(code) => Some(code.to_string()),
            _ => None,
        });
        name.push_str(&codes.collect::<Vec<_>>().join("_"));
    }
    let plain = set.responses.iter().all(|of| is_plain(api, of));
    if plain && set.headers.is_empty() && name.len() <= LONGEST {
        return name;
    }
    let rest = set.responses.iter().map(|response| content(api, response));
    let headers = set.headers.iter().map(|header| {
        let (name, style, ty) = (&header.name.wire, &header.style, whole(api, &header.ty));
        format!("{name} {style:?} {ty}")
    });
    let rest: Vec<String> = rest.chain(headers).collect();
    let hash = hash(&format!("{name}\n{}", rest.join("\n")));
    if name.len() > LONGEST {
        name = statuses(&set.responses);
    }
    push_number(&mut name, &format!("{hash:06}"));
    name
}

/// Returns `Errors400_401_5xx`, or `Errors400To5xx` for very many statuses.
fn statuses(responses: &[Response]) -> String {
    let mut name = "Errors".to_owned();
    for response in responses {
        push_number(&mut name, &word(response.status));
    }
    match responses {
        [first, .., last] if name.len() > LONGEST_LIST => {
            format!("Errors{}To{}", word(first.status), word(last.status))
        }
        _ => name,
    }
}

/// Appends a word, after an underscore if two digits would meet: rustc accepts an underscore at no
/// other place in the name of a type.
fn push_number(name: &mut String, word: &str) {
    let digits_meet = name.ends_with(|c: char| c.is_ascii_digit())
        && word.starts_with(|c: char| c.is_ascii_digit());
    if digits_meet {
        name.push('_');
    }
    name.push_str(word);
}

fn word(status: StatusSpec) -> String {
    match status {
        StatusSpec::Code(code) => code.to_string(),
        StatusSpec::Range(first) => format!("{first}xx"),
        StatusSpec::Default => "Default".to_owned(),
    }
}

/// Returns whether a response has no body, or a JSON body of a named type.
fn is_plain(api: &Api, response: &Response) -> bool {
    let json = |payload: &Payload| match payload {
        Payload::One(media) => {
            let is_json = media.codec == Codec::Json && media.key() == "application/json";
            is_json && has_name(api, &media.ty)
        }
        Payload::Many(..) => false,
    };
    response.payload.as_ref().is_none_or(json)
}

/// Returns whether the word of a type is unambiguous: a list of `Error` has the word `ErrorList`,
/// which may also be the name of a type.
fn has_name(api: &Api, ty: &TypeRef) -> bool {
    match ty {
        TypeRef::Named(_) => of(api, ty) != EMPTY,
        TypeRef::Boxed(of) => has_name(api, of),
        _ => false,
    }
}

fn body(api: &Api, response: &Response) -> String {
    match &response.payload {
        Some(Payload::One(media)) => of(api, &media.ty),
        Some(Payload::Many(name, _)) => name.name.rust.clone(),
        None => EMPTY.to_owned(),
    }
}

/// Returns a type as a word of a name.
fn of(api: &Api, ty: &TypeRef) -> String {
    match ty {
        TypeRef::Named(id) => ident::unraw(&api.type_def(*id).name.rust).to_owned(),
        TypeRef::Primitive(Primitive::Json) => "Json".to_owned(),
        TypeRef::Primitive(Primitive::String) => "Text".to_owned(),
        TypeRef::Primitive(Primitive::Bytes | Primitive::Binary) => "Bytes".to_owned(),
        TypeRef::Primitive(_) => "Scalar".to_owned(),
        TypeRef::Vec(of_) => format!("{}List", of(api, of_)),
        TypeRef::Map(of_) => format!("{}Map", of(api, of_)),
        TypeRef::Boxed(of_)
        | TypeRef::Option(of_)
        | TypeRef::Nullable(of_)
        | TypeRef::JsonText(of_) => of(api, of_),
        TypeRef::Tuple(_) | TypeRef::Prefix(_) => "List".to_owned(),
    }
}

/// Returns a complete textual form of a type.
fn whole(api: &Api, ty: &TypeRef) -> String {
    match ty {
        TypeRef::Named(_) => of(api, ty),
        TypeRef::Primitive(primitive) => format!("{primitive:?}"),
        TypeRef::Boxed(of) => whole(api, of),
        TypeRef::Vec(of) => format!("[{}]", whole(api, of)),
        TypeRef::Map(of) => format!("{{{}}}", whole(api, of)),
        TypeRef::Option(of) => format!("{}?", whole(api, of)),
        TypeRef::Nullable(of) => format!("{}??", whole(api, of)),
        TypeRef::JsonText(of) => format!("text {}", whole(api, of)),
        TypeRef::Tuple(items) => list(api, items),
        TypeRef::Prefix(of) => {
            let rest: Vec<TypeRef> = of.rest.iter().cloned().collect();
            [&of.required, &of.optional, &rest]
                .map(|items| list(api, items))
                .concat()
        }
    }
}

fn list(api: &Api, items: &[TypeRef]) -> String {
    let items: Vec<String> = items.iter().map(|of| whole(api, of)).collect();
    format!("({})", items.join(", "))
}

/// Returns a textual form of all parts of a response.
fn content(api: &Api, response: &Response) -> String {
    let mut text = format!("{:?} {}", response.status, body(api, response));
    if let Some(Payload::One(media)) = &response.payload {
        text.push_str(&format!(
            " {:?} {} {:?} {:?}",
            media.codec,
            media.key(),
            media.parts,
            media.end
        ));
        if !has_name(api, &media.ty) {
            text.push_str(&format!(" {}", whole(api, &media.ty)));
        }
    }
    text
}

/// Returns six digits of FNV-1a: the same on any machine and in any version.
fn hash(text: &str) -> u64 {
    let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, fold) % 1_000_000
}
