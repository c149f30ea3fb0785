//! Requests and the table of an operation.

use super::super::docs::{Text, code};
use super::super::rules;
use super::super::scope::Scope;
use super::super::syntax::{
    field, id, item_struct, list_attr, named_fields, option, public, table, word_attr,
};
use super::super::types::{constructor, default_of, deprecated, row, setter};
use super::naming::{call_of, type_name};
use super::responses::{error_clause, success_clause};
use super::words::{place_word, style_word};
use super::{content, parts};
use crate::ir::{
    Body, Codec, Only, Operation, Param, Payload, Requirement, Retries, TypeId, TypeKind, TypeRef,
    Union,
};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use syn::{Field, Item, Type};

/// Returns `struct {base}Request` and `operation!`.
pub(super) fn emit(scope: &Scope<'_>, operation: &Operation) -> Vec<Item> {
    let ident = type_name(scope.cx, operation, "Request");
    let mut attrs = docs(scope, operation).attrs();
    attrs.push(list_attr("derive", quote!(Debug, Clone, PartialEq)));
    attrs.push(word_attr("non_exhaustive"));
    let body = operation
        .body
        .as_ref()
        .map(|body| (body, body_type(scope, body)));
    let mut fields: Vec<Field> = operation
        .params
        .iter()
        .map(|param| {
            let attrs = Text::new(&param.doc).attrs();
            field(
                attrs,
                public(),
                Some(scope.name(&param.name)),
                scope.ty(&param.ty),
            )
        })
        .collect();
    if let Some((body, ty)) = &body {
        let attrs = Text::new(&body.doc).attrs();
        fields.push(field(
            attrs,
            public(),
            Some(scope.name(&body.name)),
            ty.clone(),
        ));
    }
    let mut items = vec![
        item_struct(attrs, ident.clone(), named_fields(fields)),
        operation_table(scope, operation, &ident, body.as_ref().map(|(_, ty)| ty)),
    ];
    if let Some(body) = &operation.body {
        items.extend(content::emit(scope, &body.payload));
    }
    items
}

/// Returns the operation's text, with a paragraph for its request line, and for its JSON pointer if
/// that does not consist of the path and the method. Where a client or a server has a method for the
/// operation, the description is there, and the summary here.
fn docs(scope: &Scope<'_>, operation: &Operation) -> Text {
    let parts = scope.cx.options.parts;
    let has_method = operation.webhook.is_none() && (parts.client || parts.server);
    let text = match has_method {
        true => Text::summary(&operation.doc, operation.summary.as_deref()),
        false => Text::new(&operation.doc),
    };
    let mut text = text.in_words();
    let mut line = call_of(operation);
    let (path, method) = (&operation.path, &operation.method);
    let path = path.replace('~', "~0").replace('/', "~1");
    let usual = format!("#/paths/{path}/{}", method.to_lowercase());
    if let Some(pointer) = operation.doc.pointer.as_ref().filter(|it| **it != usual) {
        line.push_str(", ");
        line.push_str(&code(pointer));
    }
    text.paragraph(line);
    if let Some(server) = &operation.server {
        text.paragraph(format!("Served at {}.", code(server)));
    }
    text
}

fn body_type(scope: &Scope<'_>, body: &Body) -> Type {
    let ty = content::payload_type(scope, &body.payload);
    if body.optional { option(ty) } else { ty }
}

fn operation_table(
    scope: &Scope<'_>,
    operation: &Operation,
    ident: &Ident,
    body: Option<&Type>,
) -> Item {
    let (name, method, path) = (&operation.name.wire, &operation.method, &operation.path);
    let parameters = parameters(scope, operation, body);
    let init = scope.cx.api.request_takes_names(operation);
    let init = init.then(|| type_name(scope.cx, operation, "RequestInit"));
    let head = constructor(ident, init, parameters.into_iter());
    let success = success_clause(scope, operation);
    let error = error_clause(scope, operation);
    let rows = operation.params.iter().map(|param| param_row(scope, param));
    let body = operation.body.as_ref().map(|body| body_row(scope, body));
    let security = security(&operation.security);
    let by_body = security_by_body(scope, operation);
    let streams = operation
        .body
        .iter()
        .flat_map(|body| body.payload.streams());
    let streams: Vec<TokenStream> = streams.map(|(media, live)| quote!(#media: #live)).collect();
    let streams = (!streams.is_empty()).then(|| quote!(streams { #(#streams),* }));
    let server = operation.server.as_ref().map(|url| quote!(server #url));
    let retries = operation.retries.as_ref().map(retries);
    let key = operation.idempotency_key.as_ref();
    let key = key.map(|name| quote!(idempotency_key #name));
    table(
        "operation",
        quote! {
            #name: #method #path #head { #(#rows)* #body }
            -> #success, #error #server #security #by_body #streams #retries #key
        },
    )
}

/// Returns the name and the type of each required value, with a `&str` beside the type of an only text.
fn parameters(
    scope: &Scope<'_>,
    operation: &Operation,
    body: Option<&Type>,
) -> Vec<(Ident, TokenStream)> {
    let text = match operation.only_required() {
        Some(Only::Param(param)) => Some(&param.ty),
        Some(Only::Body(body)) => match &body.payload {
            Payload::One(media) if !media.codec.is_stream() => Some(&media.ty),
            _ => None,
        },
        None => None,
    };
    let text = text.filter(|ty| scope.cx.api.is_text(ty));
    let text = text.map(|_| quote!(| &str));
    let mut parameters: Vec<(Ident, TokenStream)> = (operation.required().into_iter())
        .map(|param| {
            let ty = scope.ty(&param.ty);
            (scope.name(&param.name), quote!(#ty #text))
        })
        .collect();
    if let (Some(request_body), Some(ty)) = (&operation.body, body)
        && !request_body.optional
    {
        parameters.push((scope.name(&request_body.name), quote!(#ty #text)));
    }
    parameters
}

fn param_row(scope: &Scope<'_>, param: &Param) -> TokenStream {
    let place = id(place_word(param.place));
    let words = param.style.iter().map(|word| id(style_word(*word)));
    let style = (!param.style.is_empty()).then(|| quote!([#(#words)*]));
    let wire = &param.name.wire;
    let default = default_of(scope, &param.name, param.default.as_ref(), &param.ty);
    let old = deprecated(&param.doc);
    let default = default.map(|accessor| quote!(or #old #accessor));
    let rules = rules::value_clause(scope, &param.ty, &param.rules, true);
    let ty = setter(scope, &param.name, &param.ty, &param.doc).filter(|_| param.optional);
    row(
        quote!(#place #style #wire #ty),
        &scope.name(&param.name),
        param.optional.then(|| quote!(?)),
        Some(quote!(#rules #default)),
    )
}

fn body_row(scope: &Scope<'_>, body: &Body) -> TokenStream {
    // All media types, so that an unsupported one can be rejected with the list.
    let names: Vec<String> = body
        .payload
        .media()
        .iter()
        .map(|media| media.key())
        .collect();
    let all = names.join(", ");
    let (codec, rules) = match &body.payload {
        Payload::One(media) => (
            codec(media.codec),
            rules::value_clause(scope, &media.ty, &media.rules, true),
        ),
        Payload::Many(..) => (quote!(any), None),
    };
    let with = match &body.payload {
        Payload::One(media) => parts::clause(media),
        Payload::Many(..) => None,
    };
    let ty = body
        .optional
        .then(|| content::payload_type(scope, &body.payload));
    let ty = ty.map(|ty| quote!(: #ty));
    row(
        quote!(body[#codec] #all #with #ty),
        &scope.name(&body.name),
        body.optional.then(|| quote!(?)),
        rules,
    )
}

fn codec(codec: Codec) -> TokenStream {
    match codec {
        Codec::Json => quote!(json),
        Codec::Form => quote!(form),
        Codec::Multipart => quote!(multipart),
        Codec::Text => quote!(text),
        Codec::Bytes => quote!(bytes),
        Codec::Chunks => quote!(chunks),
        Codec::Lines => quote!(lines),
        Codec::Sequence => quote!(sequence),
        Codec::Events => quote!(events),
    }
}

/// Returns `retries { statuses(&[(500, 599)]), initial_delay(500) }`.
fn retries(retries: &Retries) -> TokenStream {
    let Retries {
        disabled,
        idempotent,
        statuses,
        only_responses,
        initial_delay,
        max_delay,
        factor,
        max_elapsed,
    } = retries;
    let number = |word: &'static str, value: &Option<u64>| {
        let (word, value) = (id(word), Literal::u64_unsuffixed((*value)?));
        Some(quote!(#word(#value)))
    };
    let statuses = statuses.as_ref().map(|all| {
        let ranges = all.iter().map(|(first, last)| {
            let [first, last] = [*first, *last].map(Literal::u16_unsuffixed);
            quote!((#first, #last))
        });
        quote!(statuses(&[#(#ranges),*]))
    });
    let factor = factor.map(Literal::f64_unsuffixed);
    let words = [
        disabled.then(|| quote!(disabled())),
        idempotent.then(|| quote!(idempotent())),
        statuses,
        only_responses.then(|| quote!(only_responses())),
        number("initial_delay", initial_delay),
        number("max_delay", max_delay),
        factor.map(|factor| quote!(factor(#factor))),
        number("max_elapsed", max_elapsed),
    ];
    let words = words.into_iter().flatten();
    quote!(retries { #(#words),* })
}

/// Returns the alternative security requirements, one per row.
fn security(alternatives: &[Vec<Requirement>]) -> Option<TokenStream> {
    if alternatives.is_empty() {
        return None;
    }
    let alternatives = alternatives.iter().map(|needed| alternative(needed));
    Some(quote!(security { #(#alternatives),* }))
}

/// Returns an alternative: `["bearer": ["read"], "apiKey"]`.
fn alternative(needed: &[Requirement]) -> TokenStream {
    let needed = needed.iter().map(|needed| {
        let (scheme, scopes) = (&needed.scheme, &needed.scopes);
        let scopes = (!scopes.is_empty()).then(|| quote!(: [#(#scopes),*]));
        quote!(#scheme #scopes)
    });
    quote!([#(#needed),*])
}

/// Returns the accepted alternatives for each variant of the body: `by body { Variant(_) =>
/// [["apiKey"]] }`.
fn security_by_body(scope: &Scope<'_>, operation: &Operation) -> Option<TokenStream> {
    let body = operation.body.as_ref()?;
    let Payload::One(media) = &body.payload else {
        return None;
    };
    if operation.security_by_body.is_empty() {
        return None;
    }
    let (id, union) = union_of(scope, &media.ty)?;
    let path = scope.type_path(id);
    let rows = operation.security_by_body.iter();
    let rows = rows.filter_map(|(index, alternatives)| {
        let name = scope.name(&union.variants.get(*index)?.name);
        let variant = quote!(#path::#name(_));
        let variant = if body.optional {
            quote!(Some(#variant))
        } else {
            variant
        };
        let alternatives = alternatives.iter().map(|needed| alternative(needed));
        Some(quote!(#variant => [#(#alternatives),*]))
    });
    let field = scope.name(&body.name);
    Some(quote!(by #field { #(#rows),* }))
}

/// Returns the union of a type, with aliases resolved.
fn union_of<'a>(scope: &Scope<'a>, ty: &TypeRef) -> Option<(TypeId, &'a Union)> {
    let mut ty = ty;
    for _ in 0..16 {
        let TypeRef::Named(id) = ty else { return None };
        match &scope.cx.api.type_def(*id).kind {
            TypeKind::Alias(to) => ty = to,
            TypeKind::Union(union) if !union.several => return Some((*id, union)),
            _ => return None,
        }
    }
    None
}
