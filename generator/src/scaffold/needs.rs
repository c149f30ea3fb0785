//! Which features of the runtime an API needs.

use crate::emit::Serde;
use crate::ir::{Api, Operation, Payload, Primitive, TypeKind, TypeRef, Unknown};

/// Features of the runtime that types of the API need, by name.
#[must_use]
pub fn runtime_features(api: &Api, serde: Serde) -> Vec<&'static str> {
    let mut needs = Needs::default();
    for def in &api.types {
        match &def.kind {
            TypeKind::Object(object) => {
                object.fields.iter().for_each(|field| needs.look(&field.ty));
                if let Unknown::Kept(_, ty) = &object.unknown {
                    needs.look(ty);
                }
            }
            TypeKind::Union(of) => of.variants.iter().for_each(|variant| needs.look(&variant.ty)),
            TypeKind::Newtype(ty, _) | TypeKind::Alias(ty) => needs.look(ty),
            TypeKind::Pending | TypeKind::StringEnum(_) | TypeKind::LiteralEnum(_) => {}
        }
    }
    for operation in api.operations.iter().chain(&api.webhooks) {
        needs.look_at(operation);
    }
    let mut features = Vec::new();
    features.extend((serde == Serde::Derive).then_some("derive"));
    features.extend(needs.jiff.then_some("jiff"));
    features.extend(needs.uuid.then_some("uuid"));
    features
}

#[derive(Default)]
struct Needs {
    jiff: bool,
    uuid: bool,
}

impl Needs {
    fn look_at(&mut self, operation: &Operation) {
        operation.params.iter().for_each(|param| self.look(&param.ty));
        if let Some(body) = &operation.body {
            self.look_into(&body.payload);
        }
        for response in operation.successes.iter().chain(&operation.errors) {
            response.headers.iter().for_each(|header| self.look(&header.ty));
            if let Some(payload) = &response.payload {
                self.look_into(payload);
            }
        }
    }

    fn look_into(&mut self, payload: &Payload) {
        match payload {
            Payload::One(media) => self.look(&media.ty),
            Payload::Many(_, all) => all.iter().for_each(|(_, media)| self.look(&media.ty)),
        }
    }

    fn look(&mut self, ty: &TypeRef) {
        match ty {
            TypeRef::Boxed(inner)
            | TypeRef::Vec(inner)
            | TypeRef::Map(inner)
            | TypeRef::Option(inner)
            | TypeRef::Maybe(inner) => self.look(inner),
            TypeRef::Tuple(items) => items.iter().for_each(|item| self.look(item)),
            TypeRef::Primitive(Primitive::Uuid) => self.uuid = true,
            TypeRef::Primitive(Primitive::Timestamp | Primitive::Date) => self.jiff = true,
            TypeRef::Primitive(_) | TypeRef::Named(_) => {}
        }
    }
}
