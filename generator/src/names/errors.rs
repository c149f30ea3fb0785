//! Names of errors that operations share: the rule is in the documentation of the parent module.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Api, ErrorSet, Payload, Primitive, Response, StatusSpec, TypeRef};
use crate::position::Origin;

use super::casing::Case;
use super::ident;
use super::scope::{Ask, Namer, Rule};
use super::types::TYPE;
use super::unicode::Lookalikes;
use super::words::{Ends, Words};
use super::{Scopes, status};

/// The rule for the name of an error type, from which that of its headers is derived.
const ERRORS: Rule = Rule {
    derived: &["", "Headers"],
    ..TYPE
};

/// The limit for a name in characters.
const LONGEST: usize = 42;

/// The limit for a list of statuses. A longer list is less clear than words.
const LONGEST_LIST: usize = 5;

/// Statuses that most operations can have. In words, the others come first.
const USUAL: &[u16] = &[400, 401, 403, 405, 406, 407, 408, 429];

/// The word for a response without a body.
const EMPTY: &str = "Empty";

/// Gives operations whose errors have a configured name an error type of their own: a configured
/// name applies to one operation, and a shared type belongs to others too. Removes types without
/// operations.
pub(super) fn release(api: &mut Api) {
    for operation in api.operations.iter_mut().chain(&mut api.webhooks) {
        if operation
            .errors
            .iter()
            .any(|error| error.name.wanted.is_some())
        {
            operation.error_set = None;
        }
    }
    let operations = api.operations.iter().chain(&api.webhooks);
    let used: BTreeSet<usize> = operations
        .filter_map(|operation| operation.error_set)
        .collect();
    let sets = std::mem::take(&mut api.error_sets).into_iter().enumerate();
    let sets = sets.filter(|(index, _)| used.contains(index));
    api.error_sets = sets.map(|(_, set)| set).collect();
    for operation in api.operations.iter_mut().chain(&mut api.webhooks) {
        let before = operation.error_set;
        operation.error_set =
            before.and_then(|index| used.iter().position(|known| *known == index));
    }
}

/// Names the shared errors, and writes down their content. Their order does not change.
pub(super) fn name(api: &mut Api, scopes: &mut Scopes, namer: &mut Namer<'_>) {
    for of_webhooks in [false, true] {
        let mut words = words_of_all(api, of_webhooks);
        // The content decides who gets a number.
        words.sort_by(|(_, word), (_, other)| word.cmp(other));
        let scope = match of_webhooks {
            true => &mut scopes.webhooks,
            false => &mut scopes.operations,
        };
        for (index, (words, content)) in words {
            let ask = Ask {
                wire: words.clone(),
                wanted: Some(words),
                prefix: String::new(),
                origin: Origin::default(),
            };
            // No configuration can name the type, so a warning could not say what to do.
            let rust = namer.quietly(|namer| scope.assign_one(&ERRORS, ask, namer));
            if let Some(set) = api.error_sets.get_mut(index) {
                set.name.rust = rust;
                set.content = content;
            }
        }
    }
}

/// Returns the words and the content of each set, by its index. Headers distinguish sets with equal
/// words.
fn words_of_all(api: &Api, of_webhooks: bool) -> Vec<(usize, (String, String))> {
    let sets = || {
        let all = api.error_sets.iter().enumerate();
        all.filter(|(_, set)| set.of_webhooks == of_webhooks)
    };
    let mut forms: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (_, set) in sets() {
        let words = words(api, set);
        let form = with_headers(&words, set);
        forms.entry(words).or_default().insert(form);
    }
    let named = sets().map(|(index, set)| {
        let mut words = words(api, set);
        if forms.get(&words).is_some_and(|forms| forms.len() > 1) {
            words = with_headers(&words, set);
        }
        (index, (words, content(api, set)))
    });
    named.collect()
}

/// Appends `WithRetryAfter` for a header, or `WithHeader` in a long name; `WithHeaders` for several.
fn with_headers(words: &str, set: &ErrorSet) -> String {
    let with_header = |wire: &str| {
        let header = Words::split(wire).plain(Ends::Dropped);
        let header = ident::join(&header, Case::Pascal, &mut Lookalikes::default());
        format!("{words}With{header}")
    };
    match set.headers.as_slice() {
        [] => words.to_owned(),
        [header] => Some(with_header(&header.name.wire))
            .filter(|name| name.len() <= LONGEST)
            .unwrap_or_else(|| format!("{words}WithHeader")),
        _ => format!("{words}WithHeaders"),
    }
}

/// Returns the words of a set: its bodies with their statuses, or its statuses, or their phrases.
fn words(api: &Api, set: &ErrorSet) -> String {
    if set.responses.len() > LONGEST_LIST {
        return phrases(&set.responses);
    }
    let name = bodies(api, set);
    if name.len() <= LONGEST {
        return name;
    }
    let mut name = "Errors".to_owned();
    let statuses: Vec<StatusSpec> = set
        .responses
        .iter()
        .map(|response| response.status)
        .collect();
    push_statuses(&mut name, &statuses);
    name
}

/// Returns the bodies in the order of their first status, each with all of its statuses.
fn bodies(api: &Api, set: &ErrorSet) -> String {
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
        push_statuses(&mut name, statuses);
    }
    name
}

/// Appends `404_409`, `4xx` or `Default`. rustc accepts an underscore between two digits only.
fn push_statuses(name: &mut String, statuses: &[StatusSpec]) {
    for status in statuses {
        let word = match status {
            StatusSpec::Code(code) => code.to_string(),
            StatusSpec::Range(first) => format!("{first}xx"),
            StatusSpec::Default => "Default".to_owned(),
        };
        let is_digit = |at: char| at.is_ascii_digit();
        if name.ends_with(is_digit) && word.starts_with(is_digit) {
            name.push('_');
        }
        name.push_str(&word);
    }
}

/// Returns the phrases of the statuses that are not usual, as many as the limit permits, and words
/// for the others: `NotFoundOrOtherErrors`, `ConflictOrClientErrors`, `ClientOrServerErrors`.
fn phrases(responses: &[Response]) -> String {
    let is_special = |status: &StatusSpec| match status {
        StatusSpec::Code(code) => *code < 500 && !USUAL.contains(code),
        StatusSpec::Range(_) | StatusSpec::Default => false,
    };
    let statuses = || responses.iter().map(|response| response.status);
    let special: Vec<StatusSpec> = statuses().filter(is_special).collect();
    let mut named = special.len();
    loop {
        let first = special.get(..named).unwrap_or_default();
        let phrases: String = first.iter().map(|status| status::words(*status)).collect();
        let rest: Vec<StatusSpec> = statuses()
            .filter(|status| !first.contains(status))
            .collect();
        let name = match (phrases.is_empty(), rest.is_empty()) {
            (true, _) => others(&rest, "All", "ClientOrServer"),
            (false, true) => phrases,
            (false, false) => format!("{phrases}Or{}", others(&rest, "Other", "Other")),
        };
        if named == 0 || name.len() <= LONGEST {
            return name;
        }
        named -= 1;
    }
}

/// Returns the word of the errors with some statuses, with words for those of any class and for
/// those of several classes.
fn others(statuses: &[StatusSpec], any: &str, several: &str) -> String {
    let class = |status: &StatusSpec| match status {
        StatusSpec::Code(code) => code / 100,
        StatusSpec::Range(class) => u16::from(*class),
        StatusSpec::Default => 0,
    };
    let classes: BTreeSet<u16> = statuses.iter().map(class).collect();
    let word = match classes.iter().copied().collect::<Vec<_>>().as_slice() {
        [4] => "Client",
        [5] => "Server",
        [0, ..] => any,
        _ => several,
    };
    format!("{word}Errors")
}

fn body(api: &Api, response: &Response) -> String {
    match &response.payload {
        Some(Payload::One(media)) => word_of(api, &media.ty),
        Some(Payload::Many(name, _)) => name.name.rust.clone(),
        None => EMPTY.to_owned(),
    }
}

/// Returns a type as a word of a name.
fn word_of(api: &Api, ty: &TypeRef) -> String {
    match ty {
        TypeRef::Named(id) => ident::unraw(&api.type_def(*id).name.rust).to_owned(),
        TypeRef::Primitive(Primitive::Json) => "Json".to_owned(),
        TypeRef::Primitive(Primitive::String) => "Text".to_owned(),
        TypeRef::Primitive(Primitive::Bytes | Primitive::Binary) => "Bytes".to_owned(),
        TypeRef::Primitive(_) => "Scalar".to_owned(),
        TypeRef::Vec(inner) => format!("{}List", word_of(api, inner)),
        TypeRef::Map(inner) => format!("{}Map", word_of(api, inner)),
        TypeRef::Boxed(inner)
        | TypeRef::Option(inner)
        | TypeRef::Nullable(inner)
        | TypeRef::JsonText(inner) => word_of(api, inner),
        TypeRef::Tuple(_) | TypeRef::Prefix(_) => "List".to_owned(),
        TypeRef::Replaced(_) => "Scalar".to_owned(),
    }
}

/// Returns a complete textual form of a type.
fn whole(api: &Api, ty: &TypeRef) -> String {
    match ty {
        TypeRef::Named(_) => word_of(api, ty),
        TypeRef::Primitive(primitive) => format!("{primitive:?}"),
        TypeRef::Boxed(inner) => whole(api, inner),
        TypeRef::Vec(inner) => format!("[{}]", whole(api, inner)),
        TypeRef::Map(inner) => format!("{{{}}}", whole(api, inner)),
        TypeRef::Option(inner) => format!("{}?", whole(api, inner)),
        TypeRef::Nullable(inner) => format!("{}??", whole(api, inner)),
        TypeRef::JsonText(inner) => format!("text {}", whole(api, inner)),
        TypeRef::Replaced(replaced) => format!("`{}`", replaced.path),
        TypeRef::Tuple(items) => list(api, items),
        TypeRef::Prefix(prefix) => {
            let rest: Vec<TypeRef> = prefix.rest.iter().cloned().collect();
            [&prefix.required, &prefix.optional, &rest]
                .map(|items| list(api, items))
                .concat()
        }
    }
}

fn list(api: &Api, items: &[TypeRef]) -> String {
    let items: Vec<String> = items.iter().map(|item| whole(api, item)).collect();
    format!("({})", items.join(", "))
}

/// Returns a textual form of all parts of a set by which it differs from others.
fn content(api: &Api, set: &ErrorSet) -> String {
    let responses = set.responses.iter().map(|response| {
        let mut text = format!("{:?} {}", response.status, body(api, response));
        if let Some(Payload::One(media)) = &response.payload {
            let (codec, parts, end) = (media.codec, &media.parts, &media.end);
            let (key, ty) = (media.key(), whole(api, &media.ty));
            text.push_str(&format!(" {codec:?} {key} {parts:?} {end:?} {ty}"));
        }
        text
    });
    let headers = set.headers.iter().map(|header| {
        let (name, style, ty) = (&header.name.wire, &header.style, whole(api, &header.ty));
        format!("{name} {style:?} {ty}")
    });
    responses.chain(headers).collect::<Vec<_>>().join("\n")
}
