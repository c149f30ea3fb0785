//! The enum of error codes, and its path in each error body.

use crate::ir::{Api, Field, Payload, TypeId, TypeKind, TypeRef};
use crate::source::Value;

use crate::lower::{Document, TypeTable};

/// Returns the schema marked with `x-bothends-role: error-code`.
pub(in crate::lower) fn find(document: &Document<'_>, types: &TypeTable) -> Option<TypeId> {
    let marked = |(key, value): &(String, Value)| {
        key == "x-bothends-role" && matches!(value, Value::String(role) if role == "error-code")
    };
    let named = &document.model.named_schemas;
    let index = named
        .iter()
        .position(|(_, id)| document.schema(*id).extensions.iter().any(marked))?;
    let id = TypeId(u32::try_from(index).ok()?);
    crate::lower::schema::is_string_enum(&types.defs[index]).then_some(id)
}

/// Finds the code and the message in the body of every error.
pub(crate) fn find_paths(api: &mut Api) {
    let code = api.error_code;
    let (mut operations, mut webhooks, mut sets) = (
        std::mem::take(&mut api.operations),
        std::mem::take(&mut api.webhooks),
        std::mem::take(&mut api.error_sets),
    );
    let of_operations = operations.iter_mut().chain(&mut webhooks);
    let of_operations = of_operations.flat_map(|operation| &mut operation.errors);
    let of_sets = sets.iter_mut().flat_map(|set| &mut set.responses);
    for response in of_operations.chain(of_sets) {
        let Some(Payload::One(media)) = &response.payload else {
            continue;
        };
        let is_code = |_: &Field, ty: &TypeRef| code.is_some_and(|id| *ty == TypeRef::Named(id));
        response.code_path = code.and_then(|_| in_type(api, &media.ty, &is_code, 2));
        response.message_path = MESSAGES.iter().find_map(|name| {
            let is_message =
                |field: &Field, ty: &TypeRef| field.name.wire == *name && api.is_text(ty);
            in_type(api, &media.ty, &is_message, 2)
        });
    }
    api.operations = operations;
    api.webhooks = webhooks;
    api.error_sets = sets;
}

/// The properties of messages for people: the name in most APIs, RFC 9457, RFC 6749, and the names
/// of others.
const MESSAGES: [&str; 10] = [
    "message",
    "detail",
    "error_description",
    "title",
    "description",
    "error_message",
    "errorMessage",
    "msg",
    "reason",
    "error",
];

/// Returns the shortest path to a field, of at most `depth` fields.
fn in_type(
    api: &Api,
    ty: &TypeRef,
    is: &dyn Fn(&Field, &TypeRef) -> bool,
    depth: u8,
) -> Option<Vec<(usize, bool)>> {
    let TypeRef::Named(id) = ty else { return None };
    let object = match &api.type_def(*id).kind {
        TypeKind::Alias(ty) => return in_type(api, ty, is, depth),
        TypeKind::Object(object) => object,
        _ => return None,
    };
    let present = |ty: &TypeRef| match ty {
        TypeRef::Option(ty) | TypeRef::Nullable(ty) => ((**ty).clone(), true),
        other => (other.clone(), false),
    };
    let direct = object.fields.iter().enumerate().find_map(|(index, field)| {
        let (ty, optional) = present(&field.ty);
        is(field, &ty).then(|| vec![(index, optional)])
    });
    if direct.is_some() || depth <= 1 {
        return direct;
    }
    object.fields.iter().enumerate().find_map(|(index, field)| {
        let (ty, optional) = present(&field.ty);
        let mut rest = in_type(api, &ty, is, depth - 1)?;
        rest.insert(0, (index, optional));
        Some(rest)
    })
}
