//! What a type refers to.

use super::{Prefix, Primitive, Replaced, TypeDef, TypeId, TypeKind, TypeRef, Unknown};
use std::collections::BTreeSet;

impl TypeRef {
    /// Calls `visit` with each named type and each primitive that the type is or contains, without
    /// looking into named types.
    pub fn leaves<'t>(&'t self, visit: &mut dyn FnMut(&'t Self)) {
        match self {
            Self::Named(_) | Self::Primitive(_) | Self::Replaced(_) => visit(self),
            Self::Boxed(ty)
            | Self::Vec(ty)
            | Self::Map(ty)
            | Self::Option(ty)
            | Self::Nullable(ty)
            | Self::JsonText(ty) => ty.leaves(visit),
            Self::Tuple(parts) => parts.iter().for_each(|ty| ty.leaves(visit)),
            Self::Prefix(prefix) => prefix.parts().for_each(|ty| ty.leaves(visit)),
        }
    }

    /// Returns `true` if the type is or contains a primitive, without looking into named types.
    #[must_use]
    pub fn holds(&self, primitive: &Primitive) -> bool {
        let mut found = false;
        self.leaves(&mut |leaf| {
            found |= match leaf {
                Self::Primitive(own) => own == primitive,
                Self::Replaced(replaced) => replaced
                    .schema
                    .as_ref()
                    .is_some_and(|ty| ty.holds(primitive)),
                _ => false,
            }
        });
        found
    }

    /// Returns `true` if the type is or contains a type of the user, possibly through aliases. A
    /// [`TypeId`] is an index into `types`.
    #[must_use]
    pub fn is_foreign(&self, types: &[TypeDef]) -> bool {
        let (mut open, mut seen) = (vec![self], BTreeSet::new());
        let mut found = false;
        while let Some(ty) = open.pop() {
            ty.leaves(&mut |leaf| match leaf {
                Self::Primitive(Primitive::Custom(_)) | Self::Replaced(_) => found = true,
                Self::Named(id) if seen.insert(*id) => {
                    let def = types.get(id.0 as usize);
                    if let Some(TypeKind::Alias(inner)) = def.map(|def| &def.kind) {
                        open.push(inner);
                    }
                }
                _ => {}
            });
        }
        found
    }

    /// Returns the named types that the type is or contains, without looking into them.
    #[must_use]
    pub fn named(&self) -> Vec<TypeId> {
        let mut found = Vec::new();
        self.leaves(&mut |leaf| match leaf {
            Self::Named(id) => found.push(*id),
            Self::Replaced(replaced) => found.extend(replaced.schema.iter().flat_map(Self::named)),
            _ => {}
        });
        found
    }

    /// Returns the type without the options, lists, maps and boxes around it.
    #[must_use]
    pub fn inner(&self) -> &Self {
        match self {
            Self::Boxed(ty)
            | Self::Vec(ty)
            | Self::Map(ty)
            | Self::Option(ty)
            | Self::Nullable(ty) => ty.inner(),
            ty => ty,
        }
    }

    /// Calls `visit` with each type of the user in place of a schema's that the type is or
    /// contains.
    pub fn each_replaced_mut(&mut self, visit: &mut dyn FnMut(&mut Replaced)) {
        match self {
            Self::Named(_) | Self::Primitive(_) => {}
            Self::Replaced(replaced) => visit(replaced),
            Self::Boxed(ty)
            | Self::Vec(ty)
            | Self::Map(ty)
            | Self::Option(ty)
            | Self::Nullable(ty)
            | Self::JsonText(ty) => ty.each_replaced_mut(visit),
            Self::Tuple(parts) => parts.iter_mut().for_each(|ty| ty.each_replaced_mut(visit)),
            Self::Prefix(prefix) => {
                let parts = prefix.required.iter_mut().chain(&mut prefix.optional);
                let parts = parts.chain(&mut prefix.rest);
                parts.for_each(|ty| ty.each_replaced_mut(visit));
            }
        }
    }

    /// Calls `visit` with each named type that the type is or contains, without looking into them.
    pub fn each_named_mut(&mut self, visit: &mut dyn FnMut(&mut TypeId)) {
        match self {
            Self::Named(id) => visit(id),
            Self::Primitive(_) => {}
            Self::Replaced(replaced) => {
                let schema = replaced.schema.iter_mut();
                schema.for_each(|ty| ty.each_named_mut(visit));
            }
            Self::Boxed(ty)
            | Self::Vec(ty)
            | Self::Map(ty)
            | Self::Option(ty)
            | Self::Nullable(ty)
            | Self::JsonText(ty) => ty.each_named_mut(visit),
            Self::Tuple(parts) => parts.iter_mut().for_each(|ty| ty.each_named_mut(visit)),
            Self::Prefix(prefix) => {
                let Prefix {
                    required,
                    optional,
                    rest,
                } = &mut **prefix;
                let parts = required.iter_mut().chain(optional).chain(rest);
                parts.for_each(|ty| ty.each_named_mut(visit));
            }
        }
    }

    /// Calls `visit` with the path of each user's type that the type is or contains, without
    /// looking into named types.
    pub fn each_custom(&self, visit: &mut dyn FnMut(&str)) {
        self.leaves(&mut |leaf| match leaf {
            Self::Primitive(Primitive::Custom(path)) => visit(path),
            Self::Replaced(replaced) => visit(&replaced.path),
            _ => {}
        });
    }
}

impl TypeKind {
    /// Calls `visit` with each type that the definition refers to.
    pub fn parts(&self, visit: &mut dyn FnMut(&TypeRef)) {
        match self {
            Self::Object(object) => {
                object.fields.iter().for_each(|field| visit(&field.ty));
                if let Unknown::Kept(_, ty) = &object.unknown {
                    visit(ty);
                }
            }
            Self::Union(union) => union.variants.iter().for_each(|variant| visit(&variant.ty)),
            Self::Newtype(ty, _) | Self::Alias(ty) => visit(ty),
            Self::StringEnum(_) | Self::LiteralEnum(_) | Self::Pending => {}
        }
    }

    /// Calls `visit` with each type that the definition refers to, mutably.
    pub fn parts_mut(&mut self, visit: &mut dyn FnMut(&mut TypeRef)) {
        match self {
            Self::Object(object) => {
                object
                    .fields
                    .iter_mut()
                    .for_each(|field| visit(&mut field.ty));
                if let Unknown::Kept(_, ty) = &mut object.unknown {
                    visit(ty);
                }
            }
            Self::Union(union) => {
                let variants = union.variants.iter_mut();
                variants.for_each(|variant| visit(&mut variant.ty));
            }
            Self::Newtype(ty, _) | Self::Alias(ty) => visit(ty),
            Self::StringEnum(_) | Self::LiteralEnum(_) | Self::Pending => {}
        }
    }
}
