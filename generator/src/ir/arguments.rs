//! The arguments of constructors.

use std::collections::HashSet;

use super::{Api, Operation, Payload, Primitive, Replaced, TypeKind, TypeRef};

/// The aliases and wrappers that are looked through; more of them are a cycle.
const DEEPEST: usize = 16;

impl Api {
    /// Returns whether a constructor takes its values by name, in a struct of these values: whether
    /// two of them could be exchanged in a call by position, which compiles nevertheless.
    ///
    /// Such a call changes its meaning without an error when the document renames a property.
    pub fn takes_names<'t>(&self, types: impl IntoIterator<Item = &'t TypeRef>) -> bool {
        let forms: Vec<TypeRef> = types.into_iter().map(|ty| self.form(ty, 0)).collect();
        let mut known = HashSet::new();
        // `.into()` converts every value of Rust to JSON.
        let is_json = |form: &TypeRef| *form == TypeRef::Primitive(Primitive::Json);
        let is_named = |form: &TypeRef| matches!(form, TypeRef::Named(_));
        let json = forms.iter().any(is_json);
        json && forms.iter().filter(|form| !is_named(form)).count() > 1
            || forms.iter().any(|form| !known.insert(form))
    }

    /// Returns whether a request takes its values by name.
    #[must_use]
    pub fn request_takes_names(&self, operation: &Operation) -> bool {
        let body = operation.body.as_ref().filter(|body| !body.optional);
        let body = body.and_then(|body| match &body.payload {
            Payload::One(media) if !media.codec.is_stream() => Some(&media.ty),
            // The type of a stream, and an enum, are the types of this body only.
            _ => None,
        });
        let params = operation.required().into_iter().map(|param| &param.ty);
        self.takes_names(params.chain(body))
    }

    /// Returns a type that is equal for types with common arguments: for aliases, and for types to
    /// which `.into()` converts the same values without an error, or of which a literal is a value.
    fn form(&self, ty: &TypeRef, depth: usize) -> TypeRef {
        if depth > DEEPEST {
            return ty.clone();
        }
        let form = |ty: &TypeRef| self.form(ty, depth + 1);
        match ty {
            TypeRef::Named(id) => match &self.type_def(*id).kind {
                TypeKind::Alias(inner) | TypeKind::Newtype(inner, _) => form(inner),
                // Whether the enum is open or closed depends on the rest of the document.
                TypeKind::StringEnum(_) => TypeRef::Primitive(Primitive::String),
                _ => ty.clone(),
            },
            TypeRef::Boxed(inner)
            | TypeRef::Option(inner)
            | TypeRef::Nullable(inner)
            | TypeRef::JsonText(inner) => form(inner),
            TypeRef::Vec(inner) => TypeRef::Vec(Box::new(form(inner))),
            TypeRef::Map(inner) => TypeRef::Map(Box::new(form(inner))),
            TypeRef::Primitive(Primitive::Number(_)) => {
                TypeRef::Primitive(Primitive::Number("f64"))
            }
            TypeRef::Primitive(Primitive::Base64 | Primitive::Binary) => {
                TypeRef::Primitive(Primitive::Bytes)
            }
            TypeRef::Replaced(form) => TypeRef::Replaced(Box::new(Replaced {
                path: form.path.clone(),
                schema: None,
            })),
            other => other.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Api, Primitive, Replaced, TypeRef};

    const TEXT: TypeRef = TypeRef::Primitive(Primitive::String);
    const SMALL: TypeRef = TypeRef::Primitive(Primitive::Number("i32"));
    const LARGE: TypeRef = TypeRef::Primitive(Primitive::Number("f64"));
    const DATE: TypeRef = TypeRef::Primitive(Primitive::Date);
    const JSON: TypeRef = TypeRef::Primitive(Primitive::Json);

    fn takes_names(types: &[TypeRef]) -> bool {
        Api::default().takes_names(types)
    }

    #[test]
    fn values_that_could_be_exchanged_are_named() {
        let list = || TypeRef::Vec(Box::new(TEXT));
        let option = || TypeRef::Option(Box::new(TEXT));
        assert!(takes_names(&[TEXT, DATE, TEXT]));
        assert!(takes_names(&[SMALL, LARGE]));
        assert!(takes_names(&[option(), TEXT]));
        assert!(takes_names(&[list(), list()]));
        assert!(takes_names(&[TEXT, JSON]));
        let own = |schema| {
            let path = "crate::Code".to_owned();
            TypeRef::Replaced(Box::new(Replaced { path, schema }))
        };
        assert!(takes_names(&[own(None), own(Some(TEXT))]));
    }

    #[test]
    fn values_of_different_kinds_are_passed_by_position() {
        let list = TypeRef::Vec(Box::new(TEXT));
        assert!(!takes_names(&[]));
        assert!(!takes_names(&[TEXT]));
        assert!(!takes_names(&[TEXT, SMALL, DATE, list]));
    }
}
