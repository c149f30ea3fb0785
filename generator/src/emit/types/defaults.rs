//! Accessors that return the document's default for an absent property.

use super::super::docs::{Text, code};
use super::super::scope::Scope;
use super::enums::{float, integer};
use crate::ir::{Api, DefaultValue, Field, Name, Object, Primitive, TypeKind, TypeRef};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{ImplItem, Item, parse_quote};

/// Returns `impl Name { … }` with an accessor for each default, or `None` without defaults.
pub(super) fn accessors(scope: &Scope<'_>, ident: &Ident, object: &Object) -> Option<Item> {
    let items: Vec<ImplItem> = object
        .fields
        .iter()
        .filter_map(|field| accessor(scope, field))
        .collect();
    (!items.is_empty()).then(|| parse_quote!(impl #ident { #(#items)* }))
}

fn accessor(scope: &Scope<'_>, field: &Field) -> Option<ImplItem> {
    let default = field.default.as_ref()?;
    let api = scope.cx.api;
    let name = scope.name(&field.name);
    let (maybe, inner) = match &field.ty {
        TypeRef::Option(inner) => (false, &**inner),
        TypeRef::Nullable(inner) => (true, &**inner),
        _ => return None,
    };
    let value = value(scope, default, inner)?;
    let plain = name.to_string();
    let plain = plain.strip_prefix("r#").unwrap_or(&plain);
    let method = Ident::new(&format!("{plain}_or_default"), Span::call_site());
    let (ty, body) = if is_string(api, inner) {
        let value = text(default)?;
        let get = if maybe {
            quote!(value().map(String::as_str))
        } else {
            quote!(as_deref())
        };
        (quote!(&str), quote!(self.#name.#get.unwrap_or(#value)))
    } else {
        let ty = scope.ty(inner);
        let get = match (inner.traits(&api.types).copy, maybe) {
            (true, false) => quote!(self.#name),
            (true, true) => quote!(self.#name.value().copied()),
            (false, false) => quote!(self.#name.clone()),
            (false, true) => quote!(self.#name.value().cloned()),
        };
        let or = match default {
            DefaultValue::EmptyList => quote!(unwrap_or_default()),
            DefaultValue::List(_) => quote!(unwrap_or_else(|| #value)),
            _ => quote!(unwrap_or(#value)),
        };
        (quote!(#ty), quote!(#get.#or))
    };
    let field_name = code(plain);
    let doc = match shown(api, default) {
        Some(default) => format!("{field_name}, or its default: {}.", code(&default)),
        None => format!("{field_name}, or its default."),
    };
    let mut attrs = Text::line(doc).attrs();
    if field.doc.deprecated {
        attrs.push(parse_quote!(#[deprecated]));
    }
    if holds_float(default) {
        attrs.push(parse_quote!(#[allow(clippy::approx_constant)]));
    }
    // The name is that of the property: `from_or_default` is no constructor.
    if plain.starts_with("from") || plain.starts_with("into") {
        attrs.push(parse_quote!(#[allow(clippy::wrong_self_convention)]));
    }
    Some(parse_quote!(#(#attrs)* pub fn #method(&self) -> #ty { #body }))
}

/// Returns `limit_or_default = 20`, the accessor of an optional value with a default, with the type that it
/// returns where this is not that of the value, or where the default is neither a literal nor a variant.
pub(in crate::emit) fn default_of(
    scope: &Scope<'_>,
    name: &Name,
    default: Option<&DefaultValue>,
    ty: &TypeRef,
) -> Option<TokenStream> {
    let (TypeRef::Option(inner), Some(default)) = (ty, default) else {
        return None;
    };
    let name = scope.name(name).to_string();
    let plain = name.strip_prefix("r#").unwrap_or(&name);
    let accessor = Ident::new(&format!("{plain}_or_default"), Span::call_site());
    if is_string(scope.cx.api, inner) {
        let text = text(default)?;
        return Some(quote!(#accessor: &str = #text));
    }
    let value = value(scope, default, inner)?;
    // A setter, which states the type, is missing only for this name.
    if plain != "new" {
        if let DefaultValue::Variant(id, index) = default
            && matches!(&**inner, TypeRef::Named(named) if named == id)
        {
            let variant = scope.cx.ident(&variant(scope.cx.api, *id, *index)?.rust);
            return Some(quote!(#accessor = #variant));
        }
        if value.clone().into_iter().count() == 1 {
            return Some(quote!(#accessor = #value));
        }
    }
    let ty = scope.ty(inner);
    Some(quote!(#accessor: #ty = #value))
}

/// Returns a default as an expression of a type, or `None` if the two are incompatible.
fn value(scope: &Scope<'_>, default: &DefaultValue, ty: &TypeRef) -> Option<TokenStream> {
    if let TypeRef::Named(id) = ty {
        match &scope.cx.api.type_def(*id).kind {
            TypeKind::Alias(inner) => return value(scope, default, inner),
            TypeKind::Newtype(inner, _) => {
                let inner = value(scope, default, inner)?;
                let path = scope.type_path(*id);
                return Some(quote!(#path(#inner)));
            }
            _ => {}
        }
    }
    Some(match (default, ty) {
        (DefaultValue::Bool(value), TypeRef::Primitive(Primitive::Bool)) => quote!(#value),
        (DefaultValue::Int(value), TypeRef::Primitive(Primitive::Number(name))) => {
            if name.starts_with('f') {
                return None;
            }
            integer(*value)
        }
        (DefaultValue::Float(value), TypeRef::Primitive(Primitive::Number("f32" | "f64"))) => {
            float(*value)
        }
        (DefaultValue::String(value), TypeRef::Primitive(Primitive::String)) => {
            quote!(#value.to_owned())
        }
        (DefaultValue::Variant(id, index), TypeRef::Named(named)) if id == named => {
            let variant = variant(scope.cx.api, *id, *index)?;
            let (path, variant) = (scope.type_path(*id), scope.cx.ident(&variant.rust));
            quote!(#path::#variant)
        }
        (DefaultValue::EmptyList, TypeRef::Vec(_)) => quote!(Vec::new()),
        (DefaultValue::List(values), TypeRef::Vec(item)) => {
            let values: Option<Vec<TokenStream>> = values
                .iter()
                .map(|default| value(scope, default, item))
                .collect();
            let values = values?;
            quote!(vec![#(#values),*])
        }
        _ => return None,
    })
}

fn variant(api: &Api, id: crate::ir::TypeId, index: usize) -> Option<&crate::ir::Name> {
    match &api.type_def(id).kind {
        TypeKind::StringEnum(string_enum) => {
            string_enum.variants.get(index).map(|variant| &variant.name)
        }
        TypeKind::LiteralEnum(literal_enum) => literal_enum
            .variants
            .get(index)
            .map(|variant| &variant.name),
        _ => None,
    }
}

fn is_string(api: &Api, ty: &TypeRef) -> bool {
    let mut ty = ty;
    for _ in 0..16 {
        match ty {
            TypeRef::Primitive(Primitive::String) => return true,
            TypeRef::Named(id) => match &api.type_def(*id).kind {
                TypeKind::Alias(inner) => ty = inner,
                _ => return false,
            },
            _ => return false,
        }
    }
    false
}

fn text(default: &DefaultValue) -> Option<&str> {
    match default {
        DefaultValue::String(text) => Some(text),
        _ => None,
    }
}

fn shown(api: &Api, default: &DefaultValue) -> Option<String> {
    Some(match default {
        DefaultValue::Bool(value) => value.to_string(),
        DefaultValue::Int(value) => value.to_string(),
        DefaultValue::Float(value) => value.to_string(),
        DefaultValue::String(value) => value.clone(),
        DefaultValue::Variant(id, index) => variant(api, *id, *index)?.wire.clone(),
        DefaultValue::EmptyList => "[]".to_owned(),
        DefaultValue::List(_) => return None,
    })
}

fn holds_float(default: &DefaultValue) -> bool {
    match default {
        DefaultValue::Float(_) => true,
        DefaultValue::List(values) => values.iter().any(holds_float),
        _ => false,
    }
}
