//! The form of a type: what code that uses it depends on.

use crate::ir::{Field, Object, TypeKind, TypeRef, Union, Unknown};

/// The difference between the forms of a type in two documents.
#[derive(Debug)]
pub(super) struct Difference {
    /// The difference; `None` if one of the documents has no such type.
    pub(super) text: Option<String>,
    /// What to do, if that is known.
    pub(super) help: Option<&'static str>,
}

impl Difference {
    pub(super) const fn missing() -> Self {
        Self {
            text: None,
            help: None,
        }
    }

    fn new(text: impl Into<String>) -> Self {
        Self {
            text: Some(text.into()),
            help: None,
        }
    }

    /// Returns the difference of two types, of which one has a variant for unknown values.
    fn unknown_values(here: bool) -> Self {
        let message = match here {
            true => "it keeps unknown values here, and rejects them there",
            false => "it rejects unknown values here, and keeps them there",
        };
        Self {
            help: Some("set `unknown-values` to the same value for both modules"),
            ..Self::new(message)
        }
    }
}

/// Returns the difference between a type here and there, if they have other forms. That of the types
/// inside, and what follows from the direction of a type, is left out.
pub(super) fn difference(here: &TypeKind, there: &TypeKind) -> Option<Difference> {
    match (here, there) {
        (TypeKind::Object(here), TypeKind::Object(there)) => objects(here, there),
        (TypeKind::Union(here), TypeKind::Union(there)) => unions(here, there),
        (TypeKind::StringEnum(here), TypeKind::StringEnum(there)) => {
            let values = here.variants.iter().map(|variant| &variant.name.wire);
            match values.eq(there.variants.iter().map(|variant| &variant.name.wire)) {
                true => opens(here.fallback.is_some(), there.fallback.is_some()),
                false => Some(Difference::new("it has other values there")),
            }
        }
        (TypeKind::LiteralEnum(here), TypeKind::LiteralEnum(there)) => {
            let values = here.variants.iter().map(|variant| &variant.value);
            match values.eq(there.variants.iter().map(|variant| &variant.value)) {
                true => opens(here.fallback.is_some(), there.fallback.is_some()),
                false => Some(Difference::new("it has other values there")),
            }
        }
        (TypeKind::Newtype(here, _), TypeKind::Newtype(there, _))
        | (TypeKind::Alias(here), TypeKind::Alias(there)) => match same(here, there) {
            true => None,
            false => Some(Difference::new("it is an alias of another type there")),
        },
        _ => Some(Difference::new("it is of another kind there")),
    }
}

fn opens(here: bool, there: bool) -> Option<Difference> {
    (here != there).then(|| Difference::unknown_values(here))
}

fn objects(here: &Object, there: &Object) -> Option<Difference> {
    for field in &here.fields {
        let Some(other) = named(there, &field.name.wire) else {
            let wire = &field.name.wire;
            return Some(Difference::new(format!("it has no field `{wire}` there")));
        };
        if !same(present(&field.ty), present(&other.ty)) {
            let wire = &field.name.wire;
            return Some(Difference::new(format!(
                "its `{wire}` has another type there"
            )));
        }
    }
    let wires = |object: &Object| -> Vec<String> {
        object
            .fields
            .iter()
            .map(|field| field.name.wire.clone())
            .collect()
    };
    let constants = |object: &Object| -> Vec<_> {
        object
            .constants
            .iter()
            .map(|constant| constant.value.clone())
            .collect()
    };
    if wires(here) != wires(there) || constants(here) != constants(there) {
        return Some(Difference::new("it has other fields there"));
    }
    let unknown = match (&here.unknown, &there.unknown) {
        (Unknown::Kept(_, here), Unknown::Kept(_, there)) => same(here, there),
        (here, there) => std::mem::discriminant(here) == std::mem::discriminant(there),
    };
    match unknown {
        true => None,
        false => Some(Difference::new("it has other additional properties there")),
    }
}

/// Returns the first property that is optional in one of two objects, and whether it is optional here.
pub(super) fn one_sided<'t>(here: &'t TypeKind, there: &TypeKind) -> Option<(&'t str, bool)> {
    let (TypeKind::Object(here), TypeKind::Object(there)) = (here, there) else {
        return None;
    };
    here.fields.iter().find_map(|field| {
        let other = named(there, &field.name.wire)?;
        (field.optional != other.optional).then_some((field.name.wire.as_str(), field.optional))
    })
}

fn named<'o>(object: &'o Object, wire: &str) -> Option<&'o Field> {
    object.fields.iter().find(|field| field.name.wire == wire)
}

fn unions(here: &Union, there: &Union) -> Option<Difference> {
    let tags = |union: &Union| -> Vec<_> {
        let variants = union.variants.iter();
        variants
            .map(|variant| (variant.tags.clone(), variant.takes_others))
            .collect()
    };
    let types = here.variants.iter().zip(&there.variants);
    let is_same = here.tag == there.tag
        && here.by_event == there.by_event
        && here.several == there.several
        && tags(here) == tags(there)
        && types
            .into_iter()
            .all(|(here, there)| same(&here.ty, &there.ty));
    match is_same {
        true => opens(here.fallback.is_some(), there.fallback.is_some()),
        false => Some(Difference::new("it has other variants there")),
    }
}

/// Returns the type of a value that is present.
fn present(ty: &TypeRef) -> &TypeRef {
    match ty {
        TypeRef::Option(ty) | TypeRef::Nullable(ty) | TypeRef::Boxed(ty) => present(ty),
        ty => ty,
    }
}

/// Returns whether two types are the same, whatever types of the document they contain.
fn same(here: &TypeRef, there: &TypeRef) -> bool {
    let all = |here: &[TypeRef], there: &[TypeRef]| {
        here.len() == there.len()
            && here
                .iter()
                .zip(there)
                .all(|(here, there)| same(here, there))
    };
    match (here, there) {
        (TypeRef::Boxed(here), there) => same(here, there),
        (here, TypeRef::Boxed(there)) => same(here, there),
        (TypeRef::Named(_), TypeRef::Named(_)) => true,
        (TypeRef::Vec(here), TypeRef::Vec(there))
        | (TypeRef::Map(here), TypeRef::Map(there))
        | (TypeRef::Option(here), TypeRef::Option(there))
        | (TypeRef::Nullable(here), TypeRef::Nullable(there))
        | (TypeRef::JsonText(here), TypeRef::JsonText(there)) => same(here, there),
        (TypeRef::Tuple(here), TypeRef::Tuple(there)) => all(here, there),
        (TypeRef::Prefix(here), TypeRef::Prefix(there)) => {
            let rest = match (&here.rest, &there.rest) {
                (Some(here), Some(there)) => same(here, there),
                (here, there) => here.is_none() && there.is_none(),
            };
            rest && all(&here.required, &there.required) && all(&here.optional, &there.optional)
        }
        (here, there) => here == there,
    }
}
