//! Responses: enums for several documented responses, and the tables that client and server read.

use super::super::context::Context;
use super::super::docs::{Text, code};
use super::super::rules;
use super::super::scope::{Place, Scope};
use super::super::syntax::{
    field, id, item_alias, item_enum, item_struct, list_attr, named_fields, path_type, public,
    simple_type, table, tuple, tuple_fields, variant, word_attr,
};
use super::super::types::{constructor, setter};
use super::naming::type_name;
use super::words::style_word;
use super::{content, error_paths};
use crate::ir::{
    Condition, Doc, ErrorSet, Header, HeaderSet, Module, Operation, Payload, Response, StatusSpec,
};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens as _, quote};
use syn::{Fields, Item, Type, Variant, Visibility, parse_quote};

/// Returns the items for the successful responses of an operation. A single response without
/// headers has no items.
pub(super) fn success(scope: &Scope<'_>, operation: &Operation) -> Vec<Item> {
    let name = code(&operation.name.wire);
    let mut items = Vec::new();
    if let [_, _, ..] = operation.successes.as_slice() {
        let ident = type_name(scope.cx, operation, "ResponseBody");
        let doc = format!("Successful responses of {name}.");
        items.push(enumeration(
            scope,
            &ident,
            Text::line(doc),
            &operation.successes,
            Side::Success,
        ));
        let rows = rows(scope, &operation.successes, &[], Side::Success);
        items.push(table("responses", quote!(#ident { #(#rows,)* })));
    }
    let owner = code(&operation.name.wire);
    let doc = format!("Documented headers of the successful responses of {owner}.");
    let ident = type_name(scope.cx, operation, "ResponseHeaders");
    let set = operation.header_set;
    match set.and_then(|set| scope.cx.api.header_sets.get(set)) {
        Some(set) => items.push(alias(scope, ident, doc, operation, set)),
        None => {
            let headers = &operation.success_headers;
            let required = Header::required(headers).into_iter();
            let init = scope.cx.api.takes_names(required.map(|header| &header.ty));
            let init = init.then(|| type_name(scope.cx, operation, "ResponseHeadersInit"));
            items.extend(self::headers(scope, ident, init, doc, headers));
        }
    }
    let payloads = operation
        .successes
        .iter()
        .filter_map(|success| success.payload.as_ref());
    items.extend(payloads.flat_map(|payload| content::emit(scope, payload)));
    items
}

/// Returns the alias of headers that several operations share, with the texts that the others do not
/// have.
fn alias(
    scope: &Scope<'_>,
    ident: Ident,
    doc: String,
    operation: &Operation,
    set: &HeaderSet,
) -> Item {
    let mut text = Text::line(doc);
    for header in &operation.success_headers {
        let shared = (set.headers.iter()).find(|shared| shared.name.wire == header.name.wire);
        if shared.is_some_and(|shared| shared.doc.text != header.doc.text) {
            let doc = Doc {
                text: header.doc.text.clone(),
                ..Doc::default()
            };
            text.append(Text::labelled(&code(&header.name.wire), &doc));
        }
    }
    let path = scope.in_types(&set.name);
    item_alias(text.attrs(), ident, path_type(path))
}

/// Returns the structs of headers that several operations share.
pub(in crate::emit) fn header_sets(scope: &Scope<'_>) -> Vec<Item> {
    let (cx, always) = (scope.cx, Condition::new());
    let sets = cx.api.header_sets.iter().enumerate();
    let items = sets.flat_map(|(index, set)| {
        let doc = "Documented headers of successful responses.".to_owned();
        let init = set.init.as_ref().map(|name| cx.ident(name));
        let items = headers(scope, scope.name(&set.name), init, doc, &set.headers);
        cx.behind(&cx.api.conditions.header_sets, index, &always, items)
    });
    items.collect()
}

/// Returns the struct of documented headers.
fn headers(
    scope: &Scope<'_>,
    ident: Ident,
    init: Option<Ident>,
    doc: String,
    headers: &[Header],
) -> Vec<Item> {
    if headers.is_empty() {
        return Vec::new();
    }
    let mut attrs = Text::line(doc).attrs();
    attrs.push(list_attr("derive", quote!(Debug, Clone, PartialEq)));
    attrs.push(word_attr("non_exhaustive"));
    let fields = headers.iter().map(|header| {
        let attrs = Text::new(&header.doc).attrs();
        field(
            attrs,
            public(),
            Some(scope.name(&header.name)),
            scope.ty(&header.ty),
        )
    });
    let parameters = Header::required(headers)
        .into_iter()
        .map(|header| (scope.name(&header.name), scope.ty(&header.ty)));
    let head = constructor(&ident, init, parameters);
    let rows = headers.iter().map(|header| {
        let (style, wire) = (style(scope, header), &header.name.wire);
        let (name, mark) = (scope.name(&header.name), header.optional.then(|| quote!(?)));
        let ty = setter(scope, &header.name, &header.ty, &header.doc);
        let rules = rules::clause(&header.rules).filter(|_| !scope.cx.api.is_foreign(&header.ty));
        quote!(header #style #wire #ty => #name #mark #rules,)
    });
    vec![
        item_struct(attrs, ident, named_fields(fields)),
        table("response_headers", quote!(#head { #(#rows)* })),
    ]
}

/// Returns `[explode]` for a header whose style is not the default, and `[unchecked]` for a type of
/// the user.
fn style(scope: &Scope<'_>, header: &Header) -> Option<TokenStream> {
    let words = header.style.iter();
    let mut words: Vec<Ident> = words.map(|word| id(style_word(*word))).collect();
    if scope.cx.api.is_foreign(&header.ty) {
        words.push(id("unchecked"));
    }
    (!words.is_empty()).then(|| quote!([#(#words)*]))
}

/// Returns the error type of an operation, if the operation has errors that it does not share.
pub(super) fn error(scope: &Scope<'_>, operation: &Operation) -> Vec<Item> {
    if operation.errors.is_empty() || operation.error_set.is_some() {
        return Vec::new();
    }
    let ident = type_name(scope.cx, operation, "Error");
    let subject = format!("responses of {}", code(&operation.name.wire));
    let docs = [
        format!("Documented error {subject}."),
        format!("Documented headers of the error {subject}."),
    ];
    errors(
        scope,
        &ident,
        docs,
        &operation.errors,
        &operation.error_headers,
    )
}

/// Returns the names of the types of errors that several operations share.
pub(in crate::emit) fn names_of_set(set: &ErrorSet) -> [String; 2] {
    ["", "Headers"].map(|end| format!("{}{end}", set.name.rust))
}

/// Returns errors that several operations share.
pub(in crate::emit) fn error_set(scope: &Scope<'_>, (index, set): (usize, &ErrorSet)) -> Vec<Item> {
    let statuses = set.responses.iter().map(|response| short(response.status));
    let statuses = statuses.collect::<Vec<_>>().join(", ");
    let docs = [
        format!("Documented error responses: {statuses}."),
        format!("Documented headers of the error responses: {statuses}."),
    ];
    let name = scope.name(&set.name);
    let items = errors(scope, &name, docs, &set.responses, &set.headers);
    let conditions = &scope.cx.api.conditions.error_sets;
    scope.cx.behind(conditions, index, &Condition::new(), items)
}

fn errors(
    scope: &Scope<'_>,
    ident: &Ident,
    [doc, doc_of_headers]: [String; 2],
    responses: &[Response],
    of_headers: &[Header],
) -> Vec<Item> {
    let doc = Text::line(doc);
    let mut items = vec![enumeration(scope, ident, doc, responses, Side::Error)];
    let name_of_headers = scope.cx.ident(&format!("{ident}Headers"));
    let headers_clause = (!of_headers.is_empty()).then(|| quote!([#name_of_headers]));
    let error_clauses: Vec<Option<TokenStream>> = responses
        .iter()
        .map(|response| error_paths::paths(scope, response))
        .collect();
    let rows = rows(scope, responses, &error_clauses, Side::Error);
    let code = scope.cx.api.error_code;
    let code = code.map(|code| scope.type_path(code).into_token_stream());
    let code = code.map(|code| quote!(: #code));
    items.push(table(
        "errors",
        quote!(#ident #headers_clause #code { #(#rows,)* }),
    ));
    items.extend(headers(
        scope,
        name_of_headers,
        None,
        doc_of_headers,
        of_headers,
    ));
    let payloads = responses
        .iter()
        .filter_map(|response| response.payload.as_ref());
    items.extend(payloads.flat_map(|payload| content::emit(scope, payload)));
    items
}

/// Returns the error type in the table of an operation: `ShowPetError = errors::Error404`, with an
/// alias of the headers (`ShowPetError[ShowPetErrorHeaders] = …`) if there are any.
pub(super) fn error_clause(scope: &Scope<'_>, operation: &Operation) -> TokenStream {
    let ident = type_name(scope.cx, operation, "Error");
    let shared = match operation.error_set {
        Some(index) => scope.error_set(index),
        None if operation.errors.is_empty() => scope.runtime("NoError"),
        None => return quote!(#ident),
    };
    let headers = (!operation.error_headers.is_empty())
        .then(|| type_name(scope.cx, operation, "ErrorHeaders"))
        .map(|headers| quote!([#headers]));
    quote!(#ident #headers = #shared)
}

/// Returns the success in the table of an operation: `ShowPetResponse { 200 => json types::Pet }`.
pub(super) fn success_clause(scope: &Scope<'_>, operation: &Operation) -> TokenStream {
    let ident = type_name(scope.cx, operation, "Response");
    let headers = (!operation.success_headers.is_empty())
        .then(|| type_name(scope.cx, operation, "ResponseHeaders"))
        .map(|headers| quote!([#headers]));
    if let [response] = operation.successes.as_slice() {
        let status = status(response.status);
        let body = response.payload.as_ref().map(|payload| {
            let body = body(scope, payload);
            quote!(=> #body)
        });
        return quote!(#ident #headers { #status #body });
    }
    let body = type_name(scope.cx, operation, "ResponseBody");
    quote!(#ident #headers = #body)
}

/// Returns the type of a successful response in full, as its operation's module writes it:
/// `Response<types::Pet, ShowPetResponseHeaders>`.
pub(in crate::emit) fn returned_type(cx: &Context<'_>, operation: &Operation) -> String {
    let place = operation
        .tag
        .map_or(Place::Errors, |tag| Place::Of(Module::Tag(tag)));
    let scope = Scope::new(cx, place, std::iter::empty());
    let body = match operation.successes.as_slice() {
        [success] => success
            .payload
            .as_ref()
            .map(|payload| content::payload_type(&scope, payload)),
        _ => Some(simple_type(type_name(cx, operation, "ResponseBody"))),
    };
    let headers = (!operation.success_headers.is_empty())
        .then(|| simple_type(type_name(cx, operation, "ResponseHeaders")));
    let ty = match (body.unwrap_or_else(|| tuple([])), headers) {
        (body, None) => quote!(Response<#body>),
        (body, Some(headers)) => quote!(Response<#body, #headers>),
    };
    ty.to_string().replace(' ', "").replace(',', ", ")
}

/// The kind of the responses in an enum. An enum never contains both kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Success,
    Error,
}

/// Returns whether a variant has named fields, because its status varies. For a success, `Response`
/// contains the status next to the body.
fn is_named(response: &Response, side: Side) -> bool {
    side == Side::Error && !matches!(response.status, StatusSpec::Code(_))
}

fn enumeration(
    scope: &Scope<'_>,
    ident: &Ident,
    doc: Text,
    responses: &[Response],
    side: Side,
) -> Item {
    let mut attrs = doc.attrs();
    attrs.push(list_attr("derive", quote!(Debug, Clone, PartialEq)));
    attrs.push(word_attr("non_exhaustive"));
    let variants = responses
        .iter()
        .map(|response| response_variant(scope, response, side));
    let variants: Vec<Variant> = variants.collect();
    item_enum(attrs, ident.clone(), variants)
}

fn response_variant(scope: &Scope<'_>, response: &Response, side: Side) -> Variant {
    let attrs = Text::labelled(&label(response.status), &response.doc).attrs();
    let plain = |name: Option<Ident>, ty: Type| field(Vec::new(), Visibility::Inherited, name, ty);
    let body = response.payload.as_ref();
    let body = body.map(|payload| content::payload_type(scope, payload));
    let fields = if is_named(response, side) {
        let status = plain(Some(id("status")), path_type(scope.runtime("StatusCode")));
        let body = body.map(|ty| plain(Some(id("body")), ty));
        named_fields([status].into_iter().chain(body))
    } else {
        body.map_or(Fields::Unit, |ty| tuple_fields([plain(None, ty)]))
    };
    variant(attrs, scope.name(&response.name), fields)
}

/// Returns a row for each response: codes first, then ranges, then the default.
fn rows(
    scope: &Scope<'_>,
    responses: &[Response],
    error_clauses: &[Option<TokenStream>],
    side: Side,
) -> Vec<TokenStream> {
    let mut sorted: Vec<(usize, &Response)> = responses.iter().enumerate().collect();
    sorted.sort_by_key(|(_, response)| response.status.rank());
    let rows = sorted.into_iter().map(|(index, response)| {
        let (status, name) = (status(response.status), scope.name(&response.name));
        let body = response
            .payload
            .as_ref()
            .map(|payload| body(scope, payload));
        let clause = error_clauses.get(index).cloned().flatten();
        if !is_named(response, side) {
            let body = body.map(|body| quote!((#body)));
            return quote!(#status => #name #body #clause);
        }
        let body = body.map(|body| quote!(, body(#body)));
        quote!(#status => #name { status #body } #clause)
    });
    rows.collect()
}

/// Returns a body: `json types::Pet`, `text "text/csv" String`, `events T [until "[DONE]"]`.
fn body(scope: &Scope<'_>, payload: &Payload) -> TokenStream {
    let ty = content::payload_type(scope, payload);
    match payload {
        Payload::Many(..) => quote!(any #ty),
        Payload::One(media) => {
            let word = content::codec_word(scope, media);
            let key = media.key();
            let name = (key != content::usual(media.codec)).then_some(key);
            let further = content::further(media);
            // The rules of several media types are in the table of their enum.
            let rules = rules::clause(&media.rules);
            let rules = rules.filter(|_| !scope.cx.api.is_foreign(&media.ty));
            quote!(#word #name #ty #further #rules)
        }
    }
}

/// Returns a status: `200`, `4XX`, `default`.
fn status(status: StatusSpec) -> TokenStream {
    let text = match status {
        StatusSpec::Code(code) => code.to_string(),
        StatusSpec::Range(first) => format!("{first}XX"),
        StatusSpec::Default => return quote!(default),
    };
    match text.parse::<Literal>() {
        Ok(literal) => quote!(#literal),
        Err(_) => parse_quote!(default),
    }
}

/// Returns the statuses of a response as a part of a list.
pub(in crate::emit) fn short(status: StatusSpec) -> String {
    match status {
        StatusSpec::Default => "any other".to_owned(),
        other => label(other),
    }
}

/// Returns the statuses of a response in words.
pub(in crate::emit) fn label(status: StatusSpec) -> String {
    match status {
        StatusSpec::Code(code) => code.to_string(),
        StatusSpec::Range(first) => format!("{first}XX"),
        StatusSpec::Default => "Any other status".to_owned(),
    }
}
