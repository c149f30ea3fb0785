//! Items, fields, variants, attributes.

use super::ident::id;
use super::path::static_path;
use proc_macro2::{Ident, Span, TokenStream};
use syn::{
    AttrStyle, Attribute, Expr, ExprLit, Field, Fields, FieldsNamed, FieldsUnnamed, Generics, Item,
    ItemEnum, ItemMacro, ItemStruct, ItemType, Lit, LitStr, Macro, MacroDelimiter, Meta, MetaList,
    MetaNameValue, Path, Type, Variant, Visibility, WhereClausePlacement,
};

/// Returns `pub`.
pub(in crate::emit) fn public() -> Visibility {
    Visibility::Public(Default::default())
}

/// Returns `#[name]`.
pub(in crate::emit) fn word_attr(name: &'static str) -> Attribute {
    attribute(Meta::Path(Path::from(id(name))))
}

/// Returns `#[name(tokens)]`.
pub(in crate::emit) fn list_attr(name: &'static str, tokens: TokenStream) -> Attribute {
    attribute(Meta::List(MetaList {
        path: Path::from(id(name)),
        delimiter: MacroDelimiter::Paren(Default::default()),
        tokens,
    }))
}

/// Returns `/// line`. A line break, which would end the comment, is replaced by a space.
pub(in crate::emit) fn doc_attr(line: &str) -> Attribute {
    let broken = line.contains(['\n', '\r']);
    let mended = broken.then(|| line.replace(['\n', '\r'], " "));
    let line = mended.as_deref().unwrap_or(line);
    attribute(Meta::NameValue(MetaNameValue {
        path: Path::from(id("doc")),
        eq_token: Default::default(),
        value: Expr::Lit(ExprLit {
            attrs: Vec::new(),
            lit: Lit::Str(LitStr::new(line, Span::call_site())),
        }),
    }))
}

fn attribute(meta: Meta) -> Attribute {
    Attribute {
        pound_token: Default::default(),
        style: AttrStyle::Outer,
        bracket_token: Default::default(),
        meta,
    }
}

/// Returns a field, or a tuple field if it has no name.
pub(in crate::emit) fn field(
    attrs: Vec<Attribute>,
    vis: Visibility,
    ident: Option<Ident>,
    ty: Type,
) -> Field {
    Field {
        attrs,
        vis,
        modifiers: Default::default(),
        colon_token: ident.is_some().then(Default::default),
        ident,
        ty,
        default: None,
    }
}

/// Returns `{ a: A, b: B }`.
pub(in crate::emit) fn named_fields(fields: impl IntoIterator<Item = Field>) -> Fields {
    Fields::Named(FieldsNamed {
        brace_token: Default::default(),
        named: fields.into_iter().collect(),
    })
}

/// Returns `(A, B)`.
pub(in crate::emit) fn tuple_fields(fields: impl IntoIterator<Item = Field>) -> Fields {
    Fields::Unnamed(FieldsUnnamed {
        paren_token: Default::default(),
        unnamed: fields.into_iter().collect(),
    })
}

/// Returns `pub struct Name { … }`.
pub(in crate::emit) fn item_struct(attrs: Vec<Attribute>, ident: Ident, fields: Fields) -> Item {
    let semi_token = (!matches!(fields, Fields::Named(_))).then(Default::default);
    Item::Struct(ItemStruct {
        attrs,
        vis: public(),
        struct_token: Default::default(),
        ident,
        generics: Generics::default(),
        fields,
        semi_token,
    })
}

/// Returns a variant of an enum.
pub(in crate::emit) fn variant(attrs: Vec<Attribute>, ident: Ident, fields: Fields) -> Variant {
    Variant {
        attrs,
        ident,
        fields,
        discriminant: None,
    }
}

/// Returns `pub enum Name { … }`.
pub(in crate::emit) fn item_enum(
    attrs: Vec<Attribute>,
    ident: Ident,
    variants: impl IntoIterator<Item = Variant>,
) -> Item {
    Item::Enum(ItemEnum {
        attrs,
        vis: public(),
        enum_token: Default::default(),
        ident,
        generics: Generics::default(),
        brace_token: Default::default(),
        variants: variants.into_iter().collect(),
    })
}

/// Returns `pub type Name = T;`.
pub(in crate::emit) fn item_alias(attrs: Vec<Attribute>, ident: Ident, ty: Type) -> Item {
    Item::Type(ItemType {
        attrs,
        vis: public(),
        modifiers: Default::default(),
        type_token: Default::default(),
        ident,
        generics: Generics::default(),
        eq_token: Default::default(),
        ty: Box::new(ty),
        semi_token: Default::default(),
        where_clause_placement: WhereClausePlacement::Early,
    })
}

/// Returns `bothends_runtime::name! { tokens }`.
pub(in crate::emit) fn table(name: &'static str, tokens: TokenStream) -> Item {
    Item::Macro(ItemMacro {
        attrs: Vec::new(),
        ident: None,
        mac: Macro {
            path: static_path(&["bothends_runtime", name]),
            bang_token: Default::default(),
            delimiter: MacroDelimiter::Brace(Default::default()),
            tokens,
        },
        semi_token: None,
    })
}
