//! Structs.

use super::super::docs::Text;
use super::super::options::Serde;
use super::super::rules;
use super::super::scope::Scope;
use super::super::syntax::{field, item_struct, named_fields, public, table};
use super::enums::literal;
use super::head::head;
use super::row::{extra, head_of, row, setter};
use super::{defaults, derive};
use crate::ir::{self, Object, Row, TypeDef, TypeRef, Unknown};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Field, Item};

/// Returns the struct, its table, and the accessors of its defaults.
pub(super) fn emit(scope: &Scope<'_>, def: &TypeDef, object: &Object) -> Vec<Item> {
    let ident = scope.name(&def.name);
    let derived = scope.cx.options.serde == Serde::Derive;
    let attrs = if derived {
        derive::head(def)
    } else {
        head(def)
    };
    let mut items = vec![
        item_struct(
            attrs,
            ident.clone(),
            named_fields(fields(scope, object, derived)),
        ),
        wire_table(scope, &ident, object, def),
    ];
    items.extend(defaults::accessors(scope, &ident, object));
    items
}

fn fields(scope: &Scope<'_>, object: &Object, derived: bool) -> Vec<Field> {
    let mut fields: Vec<Field> = object
        .fields
        .iter()
        .map(|property| {
            let mut attrs = Text::new(&property.doc).attrs();
            if derived {
                attrs.extend(derive::field_attr(property));
            }
            field(
                attrs,
                public(),
                Some(scope.name(&property.name)),
                scope.ty(&property.ty),
            )
        })
        .collect();
    if let Unknown::Kept(name, ty) = &object.unknown {
        let mut attrs = Text::line("Properties that the document does not name.").attrs();
        if derived {
            attrs.push(derive::flatten());
        }
        let ty = scope.ty(&TypeRef::Map(Box::new(ty.clone())));
        fields.push(field(attrs, public(), Some(scope.name(name)), ty));
    }
    fields
}

fn wire_table(scope: &Scope<'_>, ident: &Ident, object: &Object, def: &TypeDef) -> Item {
    let head = head_of(scope, ident, object);
    let closed = matches!(object.unknown, Unknown::Refused).then(|| quote!(closed));
    let rows = object.rows().map(|row_of| {
        let field = match row_of {
            Row::Field(field) => field,
            Row::Constant(constant) => {
                let (wire, value) = (&constant.wire, literal(&constant.value));
                return quote!(#wire = #value,);
            }
        };
        let wire = &field.name.wire;
        let (name, rules) = (
            scope.name(&field.name),
            rules::value_clause(scope, &field.ty, &field.rules, def.input),
        );
        let ty = setter(scope, &field.name, &field.ty, &field.doc).filter(|_| field.optional);
        row(quote!(#wire #ty), &name, mark(field), rules)
    });
    let extra = extra(scope, object, def.input);
    let derived = (scope.cx.options.serde == Serde::Derive).then(|| quote!(derived));
    let whole = rules::clause(&def.rules);
    table(
        "object",
        quote!(#head #closed #derived #whole { #(#rows)* #extra }),
    )
}

/// Returns the mark after a field in a table: `?` for an optional field, `!` for a field with a
/// single value, `or none` for a field whose invalid values are read as absent.
fn mark(field: &ir::Field) -> Option<TokenStream> {
    let mark = match (field.optional, field.fixed) {
        (true, _) => Some(quote!(?)),
        (false, true) => Some(quote!(!)),
        (false, false) => None,
    };
    match field.or_none {
        true => Some(quote!(#mark or none)),
        false => mark,
    }
}
