//! Required properties with a single value: they have no field, and mostly no type.

use crate::ir::{Api, Constant, Field, Literal, Object, Primitive, TypeId, TypeKind, TypeRef};

/// Marks the required fields whose type has a single value. Runs after open enums are determined.
pub(in crate::lower) fn mark(api: &mut Api) {
    let constants = constants(api);
    for object in objects(api) {
        for field in &mut object.fields {
            let is_null = field.ty == TypeRef::Primitive(Primitive::Null);
            let is_constant = is_null || value(&constants, field).is_some();
            field.fixed = !field.optional && is_constant;
        }
    }
}

/// Replaces the marked fields by constants, and removes the inline types that only they have. `ids` are
/// ids of types to renumber.
pub(in crate::lower) fn remove_fields(api: &mut Api, ids: &mut Vec<TypeId>) {
    let constants = constants(api);
    let mut replaced = vec![false; api.types.len()];
    for object in objects(api) {
        let mut fields = Vec::with_capacity(object.fields.len());
        for field in std::mem::take(&mut object.fields) {
            match value(&constants, &field).filter(|_| field.fixed) {
                Some(value) => {
                    if let TypeRef::Named(id) = field.ty {
                        replaced[id.0 as usize] = true;
                    }
                    object.constants.push(Constant {
                        origin: field.origin,
                        wire: field.name.wire,
                        value: value.clone(),
                        index: fields.len(),
                        writer: field.writer,
                    });
                }
                None => fields.push(field),
            }
        }
        object.fields = fields;
    }
    let used = api.used_types();
    let defs = api.types.iter().zip(replaced).zip(used);
    let kept = defs.map(|((def, replaced), used)| used || !replaced || def.parent.is_none());
    let kept: Vec<bool> = kept.collect();
    ids.retain_mut(|id| {
        let index = id.0 as usize;
        let before = kept.iter().take(index).filter(|kept| **kept).count();
        id.0 = u32::try_from(before).unwrap_or(u32::MAX);
        kept.get(index) == Some(&true)
    });
    api.retain_types(&kept);
}

/// Returns the value of each type that has a single one.
fn constants(api: &Api) -> Vec<Option<Literal>> {
    api.types.iter().map(|def| def.kind.constant()).collect()
}

/// Returns the only value of a field.
fn value<'c>(constants: &'c [Option<Literal>], field: &Field) -> Option<&'c Literal> {
    match field.ty {
        TypeRef::Named(TypeId(id)) => constants.get(id as usize)?.as_ref(),
        _ => None,
    }
}

fn objects(api: &mut Api) -> impl Iterator<Item = &mut Object> {
    api.types.iter_mut().filter_map(|def| match &mut def.kind {
        TypeKind::Object(object) => Some(object),
        _ => None,
    })
}
