//! Bodies of several media types: an enum with a variant for each.

use super::super::docs::{Text, code};
use super::super::scope::Scope;
use super::super::syntax::{field, item_enum, list_attr, simple_type, tuple_fields, variant};
use crate::ir::{Media, Name, Payload};
use quote::quote;
use syn::{Item, Type, Variant, Visibility};

/// The type of a body.
pub(super) fn payload_type(scope: &Scope<'_>, payload: &Payload) -> Type {
    match payload {
        Payload::One(media) => scope.ty(&media.ty),
        Payload::Many(name, _) => simple_type(scope.name(name)),
    }
}

/// The enum of a body with several media types.
pub(super) fn emit(scope: &Scope<'_>, payload: &Payload) -> Vec<Item> {
    let Payload::Many(name, media) = payload else {
        return Vec::new();
    };
    let mut attrs = Text::line("A body, by media type.").attrs();
    attrs.push(list_attr("derive", quote!(Debug, Clone, PartialEq)));
    let variants: Vec<Variant> = media
        .iter()
        .map(|(name, of)| one(scope, name, of))
        .collect();
    vec![item_enum(attrs, scope.name(name), variants)]
}

fn one(scope: &Scope<'_>, name: &Name, media: &Media) -> Variant {
    let attrs = Text::line(code(&media.name)).attrs();
    let inner = field(Vec::new(), Visibility::Inherited, None, scope.ty(&media.ty));
    variant(attrs, scope.name(name), tuple_fields([inner]))
}
