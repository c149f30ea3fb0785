//! What is told apart by a guess.

use super::Inventor;
use bothends::ir::{Operation, TypeId, TypeKind, TypeRef};

impl Inventor<'_> {
    /// Whether some value of these types can be taken for another variant of a union.
    #[must_use]
    pub fn is_ambiguous(&self, operation: &Operation) -> bool {
        let mut seen = Vec::new();
        let mut found = false;
        operation.parts(&mut |ty| found |= self.has_guesses(ty, &mut seen));
        found
    }

    fn has_guesses(&self, ty: &TypeRef, seen: &mut Vec<TypeId>) -> bool {
        match ty {
            TypeRef::Primitive(_) => false,
            TypeRef::Boxed(ty)
            | TypeRef::Vec(ty)
            | TypeRef::Map(ty)
            | TypeRef::Option(ty)
            | TypeRef::Nullable(ty)
            | TypeRef::JsonText(ty) => self.has_guesses(ty, seen),
            TypeRef::Tuple(parts) => parts.iter().any(|ty| self.has_guesses(ty, seen)),
            TypeRef::Prefix(prefix) => prefix.parts().any(|ty| self.has_guesses(ty, seen)),
            TypeRef::Replaced(replaced) => {
                replaced.schema.iter().any(|ty| self.has_guesses(ty, seen))
            }
            TypeRef::Named(id) if seen.contains(id) => false,
            TypeRef::Named(id) => {
                seen.push(*id);
                let kind = &self.api.type_def(*id).kind;
                if matches!(kind, TypeKind::Union(union) if union.tag.is_none()) {
                    return true;
                }
                let mut found = false;
                kind.parts(&mut |ty| found |= self.has_guesses(ty, seen));
                found
            }
        }
    }
}
