//! The sender and the receiver of each type, and the consequences: properties that only one side
//! writes, and dates that may be absent. Also marks open enums and unions, independently of the
//! direction.

use std::collections::{HashMap, HashSet};

use crate::ir::{Api, Name, Operation, Primitive, Rule, TypeId, TypeKind, TypeRef, Writer};

use crate::lower::Openness;
use crate::lower::passes::requested::KeptRules;

/// Marks every type, and opens enums and unions: all except those that the document closes, or with
/// `reject` only those that the document opens. Returns which types no operation uses.
pub(in crate::lower) fn mark_directions(
    api: &mut Api,
    openness: &HashMap<TypeId, Openness>,
    reject: bool,
) -> Vec<bool> {
    let mut marks = Marks {
        input: vec![false; api.types.len()],
        output: vec![false; api.types.len()],
    };
    for operation in &api.operations {
        mark(api, operation, &mut marks.input, &mut marks.output);
    }
    for webhook in &api.webhooks {
        // The service sends a webhook: its request is output of the service.
        mark(api, webhook, &mut marks.output, &mut marks.input);
    }
    for (index, def) in api.types.iter_mut().enumerate() {
        // Types that no operation uses may be used in both directions.
        let unused = !marks.input[index] && !marks.output[index];
        def.input = marks.input[index] || unused;
        def.output = marks.output[index] || unused;
        let id = TypeId(u32::try_from(index).unwrap_or(u32::MAX));
        let takes_others = match &def.kind {
            TypeKind::Union(union) => union.variants.iter().any(|variant| variant.takes_others),
            _ => false,
        };
        // Independent of the users of the type: an additional operation must not change the type.
        let open = match openness.get(&id) {
            Some(Openness::Open) => true,
            Some(Openness::Closed) => false,
            _ => !reject,
        };
        if let Some(fallback) = def.kind.fallback_mut() {
            *fallback = (open && !takes_others).then(|| Name::new("unrecognized"));
        }
    }
    let both = marks.input.iter().zip(&marks.output);
    both.map(|(input, output)| !input && !output).collect()
}

/// Makes properties optional that only the other side writes: a required `readOnly` property is not
/// required in a request, and a required `writeOnly` property not in a response (OpenAPI 3.0.4,
/// 4.7.24). In a type for both directions, the property is always optional. A rule still requires a
/// `writeOnly` property in requests; handlers are responsible for the `readOnly` properties that
/// the server writes.
///
/// Types that no operation uses stay as they are declared, as if they had one direction: most types
/// with such properties are responses, and the removal of the last user must not change them.
///
/// If the rules of responses are kept, one of them requires a `readOnly` property in responses.
pub(in crate::lower) fn free_one_sided(api: &mut Api, unused: &[bool], kept: KeptRules) {
    let of_responses = kept == KeptRules::Responses;
    let used = api.types.iter_mut().zip(unused);
    for (def, _) in used.filter(|(_, unused)| !**unused) {
        let (input, output) = (def.input, def.output);
        let TypeKind::Object(object) = &mut def.kind else {
            continue;
        };
        for field in object.fields.iter_mut().filter(|field| !field.optional) {
            let absent = match field.writer {
                Writer::Server => input,
                Writer::Client => output,
                Writer::Both => false,
            };
            if absent {
                if field.writer == Writer::Client && input {
                    field.rules.insert(0, Rule::Required);
                }
                if field.writer == Writer::Server && output && of_responses {
                    field.rules.insert(0, Rule::Returned);
                }
                field.optional = true;
                field.ty = match std::mem::replace(&mut field.ty, TypeRef::Tuple(Vec::new())) {
                    TypeRef::Option(ty) => TypeRef::Nullable(ty),
                    ty => TypeRef::Option(Box::new(ty)),
                };
            }
        }
    }
}

/// Marks optional dates in output of the service: an unreadable date is read as absent, so that the
/// rest of the response stays readable. Runs after optional properties are determined.
pub(in crate::lower) fn free_dates(api: &mut Api) {
    let dates = dates(api);
    let is_date = |ty: &TypeRef| match ty {
        TypeRef::Primitive(Primitive::Date | Primitive::DateTime) => true,
        TypeRef::Named(id) => dates.contains(id),
        _ => false,
    };
    for def in api.types.iter_mut().filter(|def| def.output) {
        if let TypeKind::Object(object) = &mut def.kind {
            for field in &mut object.fields {
                field.or_none = match &field.ty {
                    TypeRef::Option(ty) | TypeRef::Nullable(ty) => is_date(ty),
                    _ => false,
                };
            }
        }
    }
}

/// Returns the named types that are dates: newtypes and aliases, also of each other.
fn dates(api: &Api) -> HashSet<TypeId> {
    let inner = |id: TypeId| match &api.type_def(id).kind {
        TypeKind::Newtype(ty, _) | TypeKind::Alias(ty) => Some(ty),
        _ => None,
    };
    let (mut dates, mut seen) = (HashSet::new(), HashSet::new());
    for index in 0..api.types.len() {
        let mut at = TypeId(u32::try_from(index).unwrap_or(u32::MAX));
        let mut passed = Vec::new();
        // Each type is visited once, whatever refers to it.
        let is_date = loop {
            if !seen.insert(at) {
                break dates.contains(&at);
            }
            passed.push(at);
            match inner(at) {
                Some(TypeRef::Named(next)) => at = *next,
                Some(TypeRef::Primitive(Primitive::Date | Primitive::DateTime)) => break true,
                _ => break false,
            }
        };
        if is_date {
            dates.extend(passed);
        }
    }
    dates
}

struct Marks {
    input: Vec<bool>,
    output: Vec<bool>,
}

fn mark(api: &Api, operation: &Operation, request: &mut [bool], response: &mut [bool]) {
    operation
        .params
        .iter()
        .for_each(|param| reach(api, &param.ty, request));
    if let Some(body) = &operation.body {
        body.payload.parts(&mut |ty| reach(api, ty, request));
    }
    for answer in operation.successes.iter().chain(&operation.errors) {
        answer.parts(&mut |ty| reach(api, ty, response));
    }
    operation
        .response_headers()
        .for_each(|header| reach(api, &header.ty, response));
}

/// Marks every type that a value of `ty` may contain.
fn reach(api: &Api, ty: &TypeRef, seen: &mut [bool]) {
    let mut open = Vec::new();
    open.extend(ty.named());
    while let Some(id) = open.pop() {
        let Some(mark) = seen.get_mut(id.0 as usize) else {
            continue;
        };
        if !std::mem::replace(mark, true) {
            api.type_def(id)
                .kind
                .parts(&mut |ty| open.extend(ty.named()));
        }
    }
}
