//! Names of the members of types and operations.

use crate::ir::{Api, Header, Name, Object, Operation, Payload, Response, TypeKind, Unknown};
use crate::position::Origin;

use super::casing::Case;
use super::reserved;
use super::scope::{Ask, Namer, PLAIN, Rule, Scope};
use super::status;
use super::words::Ends;

const FIELD: Rule = PLAIN;
/// Names of constants. No name in capitals is a keyword.
const CONSTANT: Rule = Rule {
    alone: false,
    ..PLAIN
};
const VARIANT: Rule = Rule {
    case: Case::Pascal,
    ends: Ends::Spelled,
    reserved: &[reserved::VARIANTS],
    ..PLAIN
};

/// Names the fields and variants of all types.
pub(super) fn of_types(api: &mut Api, namer: &mut Namer<'_>) {
    for def in &mut api.types {
        match &mut def.kind {
            TypeKind::Object(object) => fields(object, def.origin.clone(), namer),
            TypeKind::StringEnum(string_enum) => {
                let variants = string_enum
                    .variants
                    .iter_mut()
                    .map(|v| &mut v.name)
                    .collect();
                variants_or(string_enum.fallback.as_mut(), variants, &def.origin, namer);
            }
            TypeKind::LiteralEnum(literal_enum) => {
                let variants = literal_enum
                    .variants
                    .iter_mut()
                    .map(|v| &mut v.name)
                    .collect();
                variants_or(literal_enum.fallback.as_mut(), variants, &def.origin, namer);
            }
            TypeKind::Union(union) => {
                let variants = union
                    .variants
                    .iter_mut()
                    .map(|v| &mut v.name)
                    .collect::<Vec<_>>();
                if union.several {
                    let names = variants.into_iter().map(|name| (name, def.origin.clone()));
                    Scope::default().name(&FIELD, names, namer);
                } else {
                    variants_or(union.fallback.as_mut(), variants, &def.origin, namer);
                }
            }
            TypeKind::Pending | TypeKind::Newtype(..) | TypeKind::Alias(_) => {}
        }
    }
}

/// Names variants, the fallback variant for unlisted values first: a new value must not rename it.
fn variants_or(
    fallback: Option<&mut Name>,
    variants: Vec<&mut Name>,
    origin: &Origin,
    namer: &mut Namer<'_>,
) {
    let mut scope = Scope::default();
    let here = |name| (name, origin.clone());
    scope.name(&VARIANT, fallback.map(here), namer);
    scope.name(&VARIANT, variants.into_iter().map(here), namer);
}

fn fields(object: &mut Object, origin: Origin, namer: &mut Namer<'_>) {
    let mut scope = Scope::default();
    let names = object
        .fields
        .iter_mut()
        .map(|field| (&mut field.name, field.origin.clone()));
    scope.name(&FIELD, names, namer);
    if let Unknown::Kept(name, _) = &mut object.unknown {
        quietly(&mut scope, &FIELD, name, origin, namer);
    }
}

/// Names an item without a name in the document. No warning is reported when the name is changed.
fn quietly(scope: &mut Scope, rule: &Rule, name: &mut Name, origin: Origin, namer: &mut Namer<'_>) {
    namer.quietly(|namer| scope.name(rule, [(name, origin)], namer));
}

/// Names the variants of responses. Successes and errors each have a scope of their own.
pub(super) fn responses(api: &mut Api, namer: &mut Namer<'_>) {
    for operation in api.operations.iter_mut().chain(&mut api.webhooks) {
        variants_of(&mut operation.successes, namer);
        variants_of(&mut operation.errors, namer);
    }
    for set in &mut api.error_sets {
        variants_of(&mut set.responses, namer);
    }
}

fn variants_of(responses: &mut [Response], namer: &mut Namer<'_>) {
    let ask = |response: &Response| Ask {
        wire: status::words(response.status),
        wanted: response.name.wanted.clone(),
        prefix: String::new(),
        origin: response.origin.clone(),
    };
    let asks: Vec<Ask> = responses.iter().map(ask).collect();
    let names = Scope::default().assign(&VARIANT, &asks, namer);
    for (response, rust) in responses.iter_mut().zip(names) {
        response.name.rust = rust;
    }
}

/// Names the fields of requests and headers, and the variants of bodies.
pub(super) fn of_operations(api: &mut Api, namer: &mut Namer<'_>) {
    for (origin, payload) in &mut api.contents {
        media(Some(payload), origin, namer);
    }
    for operation in api.operations.iter_mut().chain(&mut api.webhooks) {
        request(operation, namer);
        let body = operation.body.as_mut().map(|body| &mut body.payload);
        media(body, &operation.origin, namer);
        headers(&mut operation.success_headers, &operation.origin, namer);
        headers(&mut operation.error_headers, &operation.origin, namer);
        for response in operation.successes.iter_mut().chain(&mut operation.errors) {
            media(response.payload.as_mut(), &response.origin, namer);
        }
    }
    for set in &mut api.header_sets {
        headers(&mut set.headers, &Origin::default(), namer);
    }
    for set in &mut api.error_sets {
        let origin = set
            .responses
            .first()
            .map(|response| response.origin.clone());
        headers(&mut set.headers, &origin.unwrap_or_default(), namer);
    }
}

fn headers(headers: &mut [Header], origin: &Origin, namer: &mut Namer<'_>) {
    let names = headers
        .iter_mut()
        .map(|header| (&mut header.name, origin.clone()));
    Scope::default().name(&FIELD, names, namer);
}

fn request(operation: &mut Operation, namer: &mut Namer<'_>) {
    let mut scope = Scope::default();
    let names = operation
        .params
        .iter_mut()
        .map(|param| (&mut param.name, param.origin.clone()));
    scope.name(&FIELD, names, namer);
    if let Some(body) = &mut operation.body {
        quietly(
            &mut scope,
            &FIELD,
            &mut body.name,
            operation.origin.clone(),
            namer,
        );
    }
}

fn media(payload: Option<&mut Payload>, origin: &Origin, namer: &mut Namer<'_>) {
    if let Some(Payload::Many(_, variants)) = payload {
        let names = variants.iter_mut().map(|(name, _)| (name, origin.clone()));
        Scope::default().name(&VARIANT, names, namer);
    }
}

/// Names the predefined error responses: a module for each response, with a constant for each
/// example.
pub(super) fn rejections(api: &mut Api, namer: &mut Namer<'_>) {
    let modules = api.rejections.iter_mut();
    let modules = modules.map(|module| (&mut module.name, Origin::default()));
    Scope::default().name(&PLAIN, modules, namer);
    for rejections in &mut api.rejections {
        let named = rejections.bodies.iter_mut().map(|(name, _)| name);
        let named = named.filter(|name| !name.wire.is_empty());
        let named = named.map(|name| (name, Origin::default()));
        Scope::default().name(&CONSTANT, named, namer);
    }
}

/// Names the constants of the servers. No warning reports appended numbers, because many servers
/// have the same description or no description.
pub(super) fn servers(api: &mut Api, namer: &mut Namer<'_>) {
    let mut scope = Scope::default();
    for server in &mut api.servers {
        let name = &mut server.name;
        quietly(&mut scope, &CONSTANT, name, Origin::default(), namer);
    }
}

/// Names the fields of the credentials.
pub(super) fn schemes(api: &mut Api, namer: &mut Namer<'_>) {
    let names = api
        .schemes
        .iter_mut()
        .map(|scheme| (&mut scheme.name, Origin::default()));
    Scope::default().name(&FIELD, names, namer);
}
