//! The enum of error codes, and the way to it in each error body.

use crate::ir::{Api, Payload, Response, TypeId, TypeKind, TypeRef};
use crate::source::Value;

use super::Lowering;

/// The schema marked with `x-bothends-role: error-code`.
pub(super) fn find(lowering: &Lowering<'_>) -> Option<TypeId> {
    let marked = |(key, value): &(String, Value)| {
        key == "x-bothends-role" && matches!(value, Value::String(role) if role == "error-code")
    };
    let named = &lowering.model.named_schemas;
    let index = named
        .iter()
        .position(|(_, id)| lowering.schema(*id).extensions.iter().any(marked))?;
    let id = TypeId(u32::try_from(index).ok()?);
    super::schema::is_string_enum(&lowering.types[index]).then_some(id)
}

/// Finds the code in the body of every error.
pub(super) fn settle(api: &mut Api) {
    let Some(code) = api.error_code else { return };
    let mut operations = std::mem::take(&mut api.operations);
    for response in operations
        .iter_mut()
        .flat_map(|operation| &mut operation.errors)
    {
        response.code_path = path(api, response, code);
    }
    api.operations = operations;
}

fn path(api: &Api, response: &Response, code: TypeId) -> Option<Vec<(usize, bool)>> {
    let Some(Payload::One(media)) = &response.payload else {
        return None;
    };
    in_type(api, &media.ty, code, 2)
}

/// The shortest way, at most `depth` fields long.
fn in_type(api: &Api, ty: &TypeRef, code: TypeId, depth: u8) -> Option<Vec<(usize, bool)>> {
    let TypeRef::Named(id) = ty else { return None };
    let object = match &api.type_def(*id).kind {
        TypeKind::Alias(ty) => return in_type(api, ty, code, depth),
        TypeKind::Object(object) => object,
        _ => return None,
    };
    let present = |ty: &TypeRef| match ty {
        TypeRef::Option(ty) => ((**ty).clone(), true),
        other => (other.clone(), false),
    };
    let direct = object.fields.iter().enumerate().find_map(|(index, field)| {
        let (ty, optional) = present(&field.ty);
        (ty == TypeRef::Named(code)).then(|| vec![(index, optional)])
    });
    if direct.is_some() || depth <= 1 {
        return direct;
    }
    object.fields.iter().enumerate().find_map(|(index, field)| {
        let (ty, optional) = present(&field.ty);
        let mut rest = in_type(api, &ty, code, depth - 1)?;
        rest.insert(0, (index, optional));
        Some(rest)
    })
}
