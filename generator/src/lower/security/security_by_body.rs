//! Security requirements for each variant of a request body: `x-bothends-security`.
//!
//! OpenAPI's `security` applies to an operation as a whole. If one operation accepts several kinds
//! of requests, such as the grants of a token endpoint, each kind may need different credentials.

use crate::diagnostic::codes;
use crate::ir::{Operation, Payload, Requirement, TypeKind, TypeRef, Union};
use crate::model;
use crate::position::Origin;
use crate::source::Value;

use crate::lower::{Lowering, TypeTable};

const KEY: &str = "x-bothends-security";

/// A problem of the extension, and its location.
type Wrong = (Origin, String);

/// Reads the extension of an operation, whose body and security are already lowered.
pub(in crate::lower) fn lower(
    lowering: &mut Lowering<'_>,
    operation: &model::Operation,
    lowered: &mut Operation,
) {
    let stated = operation.extensions.iter().find(|(key, _)| key == KEY);
    let Some((_, stated)) = stated else { return };
    let origin = operation.origin.child(KEY);
    match read(&lowering.types, lowered, stated, &origin) {
        Ok(rows) => lowered.security_by_body = rows,
        Err((origin, reason)) => {
            lowering.document
                .diagnostics
                .report(codes::SECURITY_BY_BODY, &origin, reason)
                .help("the page `reference/extensions` of the guide lists the keys of `x-bothends-security` and their values");
        }
    }
}

type Rows = Vec<(usize, Vec<Vec<Requirement>>)>;

fn read(
    types: &TypeTable,
    operation: &Operation,
    stated: &Value,
    origin: &Origin,
) -> Result<Rows, Wrong> {
    let wrong = |reason: &str| Err((origin.clone(), reason.to_owned()));
    let Value::Object(stated) = stated else {
        return wrong("expected an object for `x-bothends-security`");
    };
    let mut entries = stated.iter();
    let (Some((property, values)), None) = (entries.next(), entries.next()) else {
        return wrong("`x-bothends-security` does not contain exactly one property of the body");
    };
    let Some(union) = body_union(types, operation) else {
        return wrong("the request body is not a `oneOf` whose variants a property distinguishes");
    };
    if union.tag.as_deref() != Some(property.as_str()) {
        let reason = format!("`{property}` is not the property that distinguishes the variants");
        return Err((origin.child(property), reason));
    }
    let origin = origin.child(property);
    let Value::Object(values) = values else {
        return Err((origin, format!("expected an object for `{property}`")));
    };
    let mut rows: Rows = Vec::new();
    for (value, alternatives) in values {
        let origin = origin.child(value);
        let tagged = |tags: &Vec<String>| tags.iter().any(|tag| tag == value);
        let index = union
            .variants
            .iter()
            .position(|variant| tagged(&variant.tags));
        let Some(index) = index else {
            return Err((origin, format!("no variant has the `{property}` `{value}`")));
        };
        let alternatives = accepted(operation, alternatives, &origin)?;
        // Several values of one variant must have the same requirements.
        match rows.iter().find(|(known, _)| *known == index) {
            Some((_, known)) if *known != alternatives => {
                let reason = format!("another value of the same variant as `{value}` differs");
                return Err((origin, reason));
            }
            Some(_) => {}
            None => rows.push((index, alternatives)),
        }
    }
    Ok(rows)
}

/// Returns the union of the body.
fn body_union<'a>(types: &'a TypeTable, operation: &Operation) -> Option<&'a Union> {
    let Payload::One(media) = &operation.body.as_ref()?.payload else {
        return None;
    };
    let mut ty = &media.ty;
    // An alias may refer to an alias. Cycles have already been reported.
    for _ in 0..16 {
        let TypeRef::Named(id) = ty else { return None };
        match &types.defs[id.0 as usize].kind {
            TypeKind::Alias(to) => ty = to,
            TypeKind::Union(union) if !union.several => return Some(union),
            _ => return None,
        }
    }
    None
}

/// Reads a list in the form of `security`, with alternatives of the operation.
fn accepted(
    operation: &Operation,
    stated: &Value,
    origin: &Origin,
) -> Result<Vec<Vec<Requirement>>, Wrong> {
    let Value::Array(stated) = stated else {
        return Err((origin.clone(), "expected a list of alternatives".to_owned()));
    };
    if stated.is_empty() {
        let reason = "the list is empty, so no request would be accepted";
        return Err((origin.clone(), reason.to_owned()));
    }
    let mut all = Vec::with_capacity(stated.len());
    for (index, alternative) in stated.iter().enumerate() {
        let Some(needed) = requirements(alternative) else {
            let reason = "expected an object from the name of a scheme to a list of scopes";
            return Err((origin.item(index), reason.to_owned()));
        };
        if !operation.security.contains(&needed) {
            let reason = "the `security` of the operation does not have this alternative";
            return Err((origin.item(index), reason.to_owned()));
        }
        all.push(needed);
    }
    Ok(all)
}

/// Reads a Security Requirement Object (OpenAPI 3.1.1, section 4.8.30).
fn requirements(stated: &Value) -> Option<Vec<Requirement>> {
    let Value::Object(stated) = stated else {
        return None;
    };
    let needed = stated.iter().map(|(scheme, scopes)| {
        let Value::Array(scopes) = scopes else {
            return None;
        };
        let scopes = scopes.iter().map(|scope| scope.as_str().map(str::to_owned));
        Some(Requirement {
            scheme: scheme.clone(),
            scopes: scopes.collect::<Option<_>>()?,
        })
    });
    needed.collect()
}
