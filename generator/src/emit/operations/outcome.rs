//! What an operation answers: an enum with a variant for each documented status.

use super::super::docs::{Text, code};
use super::super::scope::{Place, Scope};
use super::super::syntax::{
    arm, field, generic, id, item_enum, list_attr, named_fields, option, path_type, simple_type,
    static_path, table, tuple_fields, variant, wild,
};
use super::{codes, content, decode, encode, type_name};
use crate::ir::{Media, Module, Operation, Payload, Response, StatusSpec};
use proc_macro2::Ident;
use quote::quote;
use syn::{Arm, Fields, ImplItem, Item, ItemImpl, Path, Type, Variant, Visibility, parse_quote};

/// How a variant is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// `NoContent`
    Unit,
    /// `Ok(T)`
    Tuple,
    /// `Accepted { location, body }`, with `status` first where it may vary.
    Named {
        /// Whether it carries the status.
        status: bool,
    },
}

/// How the variant of a response is written.
pub(super) fn shape(response: &Response) -> Shape {
    let status = !matches!(response.status, StatusSpec::Code(_));
    if status || !response.headers.is_empty() {
        Shape::Named { status }
    } else if response.payload.is_some() {
        Shape::Tuple
    } else {
        Shape::Unit
    }
}

/// The fields of a variant with named ones.
pub(super) fn members(scope: &Scope<'_>, response: &Response, status: bool) -> Vec<Ident> {
    let status = status.then(|| id("status"));
    let headers = response
        .headers
        .iter()
        .map(|header| scope.name(&header.name));
    let body = response.payload.as_ref().map(|_| id("body"));
    status.into_iter().chain(headers).chain(body).collect()
}

/// `{base}Response` and all that belongs to it.
pub(super) fn success(scope: &Scope<'_>, operation: &Operation) -> Vec<Item> {
    let ident = type_name(scope.cx, operation, "Response");
    let doc = format!("What {} answers.", code(&operation.name.wire));
    let mut items = enumeration(scope, &ident, doc, &operation.successes);
    items.extend(into_inner(scope, &ident, &operation.successes));
    items.push(outcome(scope, &ident, &operation.successes));
    items.extend(contents(scope, &operation.successes));
    items
}

/// `{base}Error` and all that belongs to it; nothing when no error is documented.
pub(super) fn error(scope: &Scope<'_>, operation: &Operation) -> Vec<Item> {
    if operation.errors.is_empty() {
        return Vec::new();
    }
    let ident = type_name(scope.cx, operation, "Error");
    let name = &operation.name.wire;
    let doc = format!("How {} fails.", code(name));
    let mut items = enumeration(scope, &ident, doc, &operation.errors);
    items.push(outcome(scope, &ident, &operation.errors));
    items.push(table("operation_error", quote!(#ident #name)));
    if operation.tag.is_some()
        || operation
            .errors
            .iter()
            .any(|error| error.code_path.is_some())
    {
        items.extend(codes::emit(scope, &ident, &operation.errors));
    }
    items.extend(contents(scope, &operation.errors));
    items
}

/// The type of an operation's errors.
pub(in crate::emit) fn error_type(scope: &Scope<'_>, operation: &Operation) -> Path {
    if operation.errors.is_empty() {
        scope.runtime("NoError")
    } else {
        Path::from(type_name(scope.cx, operation, "Error"))
    }
}

fn enumeration(scope: &Scope<'_>, ident: &Ident, doc: String, responses: &[Response]) -> Vec<Item> {
    let mut attrs = Text::line(doc).attrs();
    attrs.push(list_attr("derive", quote!(Debug, Clone, PartialEq)));
    let variants: Vec<Variant> = responses.iter().map(|of| one(scope, of)).collect();
    vec![item_enum(attrs, ident.clone(), variants)]
}

fn one(scope: &Scope<'_>, response: &Response) -> Variant {
    let attrs = Text::labelled(&label(response.status), &response.doc).attrs();
    let plain = |name: Option<Ident>, ty: Type| field(Vec::new(), Visibility::Inherited, name, ty);
    let body = response
        .payload
        .as_ref()
        .map(|payload| content::payload_type(scope, payload));
    let fields = match (shape(response), body) {
        (Shape::Named { status }, body) => {
            let status =
                status.then(|| plain(Some(id("status")), path_type(scope.runtime("StatusCode"))));
            let headers = response.headers.iter().map(|header| {
                let attrs = Text::of(&header.doc).attrs();
                let name = Some(scope.name(&header.name));
                field(attrs, Visibility::Inherited, name, scope.ty(&header.ty))
            });
            let body = body.map(|ty| plain(Some(id("body")), ty));
            named_fields(status.into_iter().chain(headers).chain(body))
        }
        (_, Some(ty)) => tuple_fields([plain(None, ty)]),
        (_, None) => Fields::Unit,
    };
    variant(attrs, scope.name(&response.name), fields)
}

fn label(status: StatusSpec) -> String {
    match status {
        StatusSpec::Code(code) => code.to_string(),
        StatusSpec::Range(first) => format!("{first}XX"),
        StatusSpec::Default => "Any other status".to_owned(),
    }
}

/// `into_inner`, where there is but one answer with but a body.
fn into_inner(scope: &Scope<'_>, ident: &Ident, responses: &[Response]) -> Option<Item> {
    let [response] = responses else { return None };
    let payload = response
        .payload
        .as_ref()
        .filter(|_| shape(response) == Shape::Tuple)?;
    let ty = content::payload_type(scope, payload);
    let variant = scope.name(&response.name);
    Some(parse_quote! {
        impl #ident {
            /// The body.
            pub fn into_inner(self) -> #ty {
                let Self::#variant(body) = self;
                body
            }
        }
    })
}

fn contents(scope: &Scope<'_>, responses: &[Response]) -> Vec<Item> {
    let payloads: Vec<&Payload> = responses
        .iter()
        .filter_map(|response| response.payload.as_ref())
        .collect();
    payloads
        .into_iter()
        .flat_map(|payload| content::emit(scope, payload))
        .collect()
}

/// `impl Outcome for Name`
fn outcome(scope: &Scope<'_>, ident: &Ident, responses: &[Response]) -> Item {
    let mut item = skeleton(scope);
    *item.self_ty = simple_type(ident.clone());
    let bodies = [
        encode::body(scope, responses),
        decode::body(scope, responses),
    ];
    for (member, body) in item.items.iter_mut().zip(bodies) {
        if let ImplItem::Fn(function) = member {
            function.block = body;
        }
    }
    item.items.splice(0..0, media(scope, responses));
    item.items.extend(streams(responses));
    Item::Impl(item)
}

/// `fn streams`, where a body is read as it comes.
fn streams(responses: &[Response]) -> Option<ImplItem> {
    let mut sorted: Vec<&Response> = responses.iter().collect();
    sorted.sort_by_key(|response| decode::rank(response.status));
    let rows = sorted.iter().map(|response| match &response.payload {
        // Where there is but one, it is read as that whatever its type.
        Some(Payload::One(media)) if media.codec.is_stream() => vec![("*/*".to_owned(), true)],
        Some(payload) => content::streams(payload),
        None => Vec::new(),
    });
    let rows: Vec<_> = rows.collect();
    let last = rows.iter().rposition(|row| !row.is_empty())?;
    let mut arms: Vec<Arm> = Vec::new();
    for (response, row) in sorted.iter().zip(&rows).take(last + 1) {
        // What comes before a range or the rest is not of it.
        let needed = !row.is_empty() || sorted.iter().any(|of| is_wider(of, response));
        if needed {
            let row = row.iter().map(|(media, live)| quote!((#media, #live)));
            let row = parse_quote!(&[#(#row),*]);
            arms.push(arm(decode::pattern(response.status), row));
        }
    }
    if sorted[last].status != StatusSpec::Default {
        arms.push(arm(wild(), parse_quote!(&[])));
    }
    Some(parse_quote! {
        fn streams(status: u16) -> &'static [(&'static str, bool)] {
            match status { #(#arms)* }
        }
    })
}

/// Whether the statuses of a response hold those of another.
fn is_wider(wide: &Response, of: &Response) -> bool {
    match (wide.status, of.status) {
        (StatusSpec::Range(first), StatusSpec::Code(code)) => code / 100 == u16::from(first),
        (StatusSpec::Default, StatusSpec::Code(_) | StatusSpec::Range(_)) => true,
        _ => false,
    }
}

/// The media types of all bodies, each once.
fn media_names(responses: &[Response]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    let payloads = responses.iter().filter_map(|of| of.payload.as_ref());
    for name in payloads.flat_map(Payload::media).flat_map(Media::names) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// `const MEDIA`, where it is not JSON alone. A webhook's answer is not negotiated.
fn media(scope: &Scope<'_>, responses: &[Response]) -> Option<ImplItem> {
    if scope.is(Place::Of(Module::Webhooks)) {
        return None;
    }
    let names = media_names(responses);
    (names != ["application/json"])
        .then(|| parse_quote!(const MEDIA: &'static [&'static str] = &[#(#names),*];))
}

/// The impl with empty functions. Parsed once a module, then copied.
fn skeleton(scope: &Scope<'_>) -> ItemImpl {
    let outcome = scope.runtime("Outcome");
    let encoder = scope.runtime("ResponseEncoder");
    let decoder = scope.runtime("ResponseDecoder");
    let error = scope.runtime("DecodeError");
    let make = || {
        let answer = option(generic(
            static_path(&["Result"]),
            [simple_type(id("Self")), path_type(error.clone())],
        ));
        parse_quote! {
            impl #outcome for () {
                fn encode(&self, response: &mut #encoder) {}
                fn decode(response: &#decoder) -> #answer {}
            }
        }
    };
    scope.outcome.get_or_init(make).clone()
}
