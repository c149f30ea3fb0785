//! Operations that return a list in pages.

use super::{Api, Expression, Field, Object, Operation, Payload, Place, TypeKind, TypeRef};

/// The pages of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pages {
    /// How the next page is requested.
    pub next: NextPage,
    /// The JSON pointer of the items in the body, if the document specifies it or the body has one list.
    pub items: Option<String>,
    /// The path to the items in the body: field indices, and whether each field may be absent. `None` if
    /// they are not a list of a type.
    pub item_path: Option<Vec<(usize, bool)>>,
    /// The JSON pointer of a value that is `false` in the last page.
    pub has_more: Option<String>,
    /// The JSON pointer of the number of pages.
    pub pages: Option<String>,
    /// The parameter with the size of a page.
    pub limit: Option<PageParam>,
    /// The parameters of the query that requests for other pages repeat; `None` for all.
    pub kept: Option<Vec<String>>,
}

/// A parameter with the position of a page: its location and its name. `None` is a member of a JSON
/// body, whose name is a JSON pointer.
pub type PageParam = (Option<Place>, String);

/// How the next page of a list is requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextPage {
    /// By values of the last response.
    Values(Vec<(PageParam, Expression)>),
    /// By the URL that the last response contains.
    Url(Expression),
    /// By the number of the page, counted from this one.
    Page(PageParam, u64),
    /// By the number of items before the page.
    Offset(PageParam),
}

impl Field {
    /// Returns the type of a value that is present, and whether the value may be absent.
    #[must_use]
    pub fn present(&self) -> (&TypeRef, bool) {
        match &self.ty {
            TypeRef::Option(ty) | TypeRef::Nullable(ty) => (ty, true),
            other => (other, false),
        }
    }
}

impl Api {
    /// Returns the object that a type is, possibly through an alias.
    #[must_use]
    pub fn object_of(&self, ty: &TypeRef) -> Option<&Object> {
        match ty {
            TypeRef::Boxed(ty) => self.object_of(ty),
            TypeRef::Named(id) => match &self.type_def(*id).kind {
                TypeKind::Alias(ty) => self.object_of(ty),
                TypeKind::Object(object) => Some(object),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the type of the items of a list, possibly through an alias or a newtype.
    #[must_use]
    pub fn item_of<'a>(&'a self, ty: &'a TypeRef) -> Option<&'a TypeRef> {
        match ty {
            TypeRef::Vec(item) => Some(item),
            TypeRef::Named(id) => match &self.type_def(*id).kind {
                TypeKind::Alias(ty) | TypeKind::Newtype(ty, _) => self.item_of(ty),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the type of a page, and that of an item.
    #[must_use]
    pub fn items_of<'a>(&'a self, operation: &'a Operation) -> Option<(&'a TypeRef, &'a TypeRef)> {
        let path = operation.pages.as_ref()?.item_path.as_ref()?;
        let Some(Payload::One(media)) = &operation.successes.first()?.payload else {
            return None;
        };
        let list = path.iter().try_fold(&media.ty, |ty, (index, _)| {
            let field = self.object_of(ty)?.fields.get(*index)?;
            Some(field.present().0)
        });
        Some((&media.ty, self.item_of(list?)?))
    }
}
