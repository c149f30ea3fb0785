//! The module `server`: a trait for each tag, and the router.

use super::context::Context;
use super::credentials::credentials;
use super::docs::{Text, code};
use super::examples::raw;
use super::operations::{error_type, type_name};
use super::output::{OutputModule, module};
use super::scope::{Place, Scope};
use super::syntax::{generic, id, local, path_type, simple_type, static_path, table};
use super::{links, methods, rejections, routes};
use crate::ir::{Condition, FieldErrorFormat, FieldErrorPart, Operation, Rejection, condition};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote};
use syn::{
    Attribute, Expr, FnArg, Item, ItemTrait, ReturnType, TraitItem, TraitItemFn, parse_quote,
};

/// Returns the module `server`, and `server::rejections` if the document has such responses.
pub(super) fn emit(cx: &Context<'_>) -> Vec<OutputModule> {
    let traits = cx.api.tags.iter().map(|tag| tag.trait_name.clone());
    let own = [
        "Api",
        "BASE_PATH",
        "Credentials",
        "LINKS",
        "REJECTION_BODIES",
    ]
    .map(str::to_owned);
    let scope = Scope::new(cx, Place::End, traits.chain(own));
    let mut items = Vec::new();
    items.extend(base_path(cx));
    let methods = match cx.options.unimplemented_handlers {
        true => Methods::Unimplemented,
        false => Methods::Required,
    };
    for (index, tag) in cx.api.tags.iter().enumerate() {
        let around = condition(&cx.api.conditions.tags, index);
        let operations = cx.operations_of(index, around);
        let mut text = Text::line(format!("The operations of {}.", code(&tag.name.wire)));
        text.append(Text::new(&tag.doc));
        items.push(handler(
            &scope,
            &cx.ident(&tag.trait_name),
            (text, cx.cfg(around, &Condition::new())),
            operations,
            methods,
        ));
    }
    items.extend(all(cx));
    if !cx.api.schemes.is_empty() {
        let docs = "Credentials that a caller presents, by security scheme.";
        items.extend(credentials(&scope, "server", docs, "presented_credentials"));
    }
    let links = links::stated(&scope);
    items.push(api_router(&scope, links.is_some()));
    items.extend(links);
    let routes = routes::of_operations(&scope);
    items.push(routes::find(&scope, &id("A"), &id("Api"), &routes));
    items.push(rejection_bodies(&scope));
    let docs =
        Text::line("The server: a trait for each tag, and a router over its implementation.");
    let mut modules = vec![
        module(&scope, &["server"], docs, items)
            .needs("server")
            .requires(&["server"]),
    ];
    modules.extend(rejections::emit(cx));
    modules
}

fn base_path(cx: &Context<'_>) -> Option<Item> {
    let path = Some(&cx.api.base_path).filter(|path| !path.is_empty())?;
    Some(parse_quote! {
        /// The path of the document's first server, for [`Router::base_path`](bothends_runtime::server::Router::base_path).
        pub const BASE_PATH: &str = #path;
    })
}

/// Whether a handler must implement every method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Methods {
    Required,
    /// The router's hook handles webhooks whose method is not implemented.
    Optional,
    /// A method without an implementation responds with 501.
    Unimplemented,
}

/// Returns `handlers! { … }`: a trait with a method for each operation.
pub(super) fn handler<'a>(
    scope: &Scope<'_>,
    name: &Ident,
    (docs, cfg): (Text, Option<Attribute>),
    operations: impl Iterator<Item = (&'a Operation, Option<Attribute>)>,
    methods: Methods,
) -> Item {
    let mut attrs = docs.attrs();
    attrs.extend(cfg);
    let skeleton = skeleton(scope, methods);
    let mut item: ItemTrait = parse_quote!(#(#attrs)* pub trait #name: Send + Sync + 'static {});
    let methods = operations.map(|(operation, cfg)| method(scope, operation, cfg, &skeleton));
    item.items.extend(methods);
    table("handlers", item.to_token_stream())
}

/// Returns a method without its names. It is parsed once and then copied.
fn skeleton(scope: &Scope<'_>, methods: Methods) -> TraitItemFn {
    let [context, error] = ["Context", "Error"].map(|name| scope.runtime_in("server", name));
    let body = match methods {
        Methods::Required => quote!(;),
        Methods::Optional => {
            let unhandled = scope.runtime_in("webhook", "unhandled");
            quote!({ #unhandled(ctx, request).await })
        }
        Methods::Unimplemented => {
            let unimplemented = scope.runtime_in("server", "unimplemented");
            quote!({ #unimplemented(ctx, request).await })
        }
    };
    parse_quote! {
        async fn x(&self, ctx: #context, request: X) -> Result<X, #error<X>> #body
    }
}

fn method(
    scope: &Scope<'_>,
    operation: &Operation,
    cfg: Option<Attribute>,
    skeleton: &TraitItemFn,
) -> TraitItem {
    let [request, response] =
        ["Request", "Response"].map(|end| type_name(scope.cx, operation, end));
    let mut function = skeleton.clone();
    function.attrs = methods::of_server(scope, operation, &request)
        .in_words()
        .attrs();
    function.attrs.extend(cfg);
    function.sig.ident = scope.name(&operation.name);
    if let Some(FnArg::Typed(argument)) = function.sig.inputs.last_mut() {
        *argument.ty = simple_type(request);
    }
    let error = scope.runtime_in("server", "Error");
    let error = generic(error, [path_type(error_type(scope, operation))]);
    if let ReturnType::Type(_, output) = &mut function.sig.output {
        **output = generic(static_path(&["Result"]), [simple_type(response), error]);
    }
    TraitItem::Fn(function)
}

/// Returns `trait Api`: the traits of all tags together.
fn all(cx: &Context<'_>) -> Vec<Item> {
    let names: Vec<Ident> = cx
        .api
        .tags
        .iter()
        .map(|tag| cx.ident(&tag.trait_name))
        .collect();
    let tags = cx.api.conditions.tags.iter();
    let left_out = tags.zip(&names).filter_map(|(condition, name)| {
        let cfg = cx.cfg_not(condition)?;
        Some(parse_quote!(#cfg use bothends_runtime::server::NoOperations as #name;))
    });
    let mut items: Vec<Item> = left_out.collect();
    items.extend::<[Item; 2]>([
        parse_quote! {
            /// The whole API: a type that implements the trait of every tag.
            pub trait Api: #(#names)+* {}
        },
        parse_quote!(impl<T: #(#names)+*> Api for T {}),
    ]);
    items
}

/// Returns `pub fn router` for the operations.
fn api_router(scope: &Scope<'_>, has_links: bool) -> Item {
    let router = scope.runtime_in("server", "Router");
    let mut value: Expr = parse_quote!(#router::new(api, find::<A>, &REJECTION_BODIES));
    if has_links {
        value = parse_quote!(#value.links(LINKS));
    }
    let mut attrs = Text::line("A `tower::Service` that handles requests by calling a handler.");
    if !scope.cx.api.schemes.is_empty() {
        let presented = scope.runtime_in("server", "PresentedCredentials");
        value = parse_quote!(#value.schemes(<Credentials as #presented>::SCHEMES));
        attrs.paragraph(
            "Operations that require credentials respond 401 until the router has an authenticator \
             (`guard`, `authenticate`) or `allow_unauthenticated` is called."
                .to_owned(),
        );
    }
    let attrs = attrs.attrs();
    parse_quote! {
        #(#attrs)*
        pub fn router<A: Api>(api: A) -> #router<A> {
            #value
        }
    }
}

/// Returns `static REJECTION_BODIES`.
fn rejection_bodies(scope: &Scope<'_>) -> Item {
    let rejection_bodies = scope.runtime_in("server", "RejectionBodies");
    let bodies = &scope.cx.api.rejection_bodies;
    let stated = [
        ("not_found", &bodies.not_found),
        ("method_not_allowed", &bodies.method_not_allowed),
        ("validation", &bodies.validation),
        ("unauthorized", &bodies.unauthorized),
        ("forbidden", &bodies.forbidden),
        ("not_acceptable", &bodies.not_acceptable),
        ("unsupported_media_type", &bodies.unsupported_media_type),
        ("too_large", &bodies.too_large),
        ("internal", &bodies.internal),
        ("not_implemented", &bodies.not_implemented),
    ];
    let mut value: Expr = parse_quote!(#rejection_bodies::new());
    for (name, bodies) in stated {
        if let Some(bodies) = bodies {
            let (with, rejection) = (local(&format!("with_{name}")), rejection(scope, bodies));
            value = parse_quote!(#value.#with(#rejection));
        }
    }
    if !bodies.validation_of.is_empty() {
        let operations = &scope.cx.api.operations;
        let rows = bodies.validation_of.iter().map(|(indices, bodies)| {
            let known = indices.iter().filter_map(|index| operations.get(*index));
            let ids = known.map(|operation| &operation.name.wire);
            let rejection = rejection(scope, bodies);
            quote!((&[#(#ids),*], #rejection))
        });
        value = parse_quote!(#value.with_validation_of(&[#(#rows),*]));
    }
    parse_quote! {
        /// Responses to requests that are rejected before a handler is called.
        pub static REJECTION_BODIES: #rejection_bodies = #value;
    }
}

/// Returns a rejection body, such as `RejectionBody::new(422, "application/json",
/// "…").with_fields("/detail", FieldErrorFormat::Texts)`.
fn rejection(scope: &Scope<'_>, rejection: &Rejection) -> TokenStream {
    let rejection_body = scope.runtime_in("server", "RejectionBody");
    let Rejection {
        status,
        content_type,
        body,
        fields,
        fields_as,
    } = rejection;
    let (status, body) = (Literal::u16_unsuffixed(*status), raw(body));
    let place = fields.as_ref().map(|pointer| {
        let fields_as = written(scope, fields_as);
        quote!(.with_fields(#pointer, #fields_as))
    });
    quote!(#rejection_body::new(#status, #content_type, #body) #place)
}

/// Returns the format of field errors.
fn written(scope: &Scope<'_>, format: &FieldErrorFormat) -> TokenStream {
    let fields_as = scope.runtime_in("server", "FieldErrorFormat");
    let members = match format {
        FieldErrorFormat::Map => return quote!(#fields_as::Map),
        FieldErrorFormat::Lists => return quote!(#fields_as::Lists),
        FieldErrorFormat::Texts => return quote!(#fields_as::Texts),
        FieldErrorFormat::Objects(members) => members,
    };
    let part = scope.runtime_in("server", "FieldErrorPart");
    let members = members.iter().map(|(name, member)| {
        let part = match member {
            FieldErrorPart::Location => quote!(#part::Location),
            FieldErrorPart::LocationTexts => quote!(#part::LocationTexts),
            FieldErrorPart::Place => quote!(#part::Place),
            FieldErrorPart::Path => quote!(#part::Path),
            FieldErrorPart::Pointer => quote!(#part::Pointer),
            FieldErrorPart::Message => quote!(#part::Message),
            FieldErrorPart::Kind => quote!(#part::Kind),
            FieldErrorPart::Fixed(json) => quote!(#part::Fixed(#json)),
        };
        quote!((#name, #part))
    });
    quote!(#fields_as::Objects(&[#(#members),*]))
}
