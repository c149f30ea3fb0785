//! The module `client`: a method for each operation, and the credentials.

use super::context::Context;
use super::credentials::credentials;
use super::docs::{Text, code};
use super::operations::{error_type, returned_type, type_name};
use super::output::{OutputModule, module};
use super::scope::{Place, Scope};
use super::syntax::{borrowing, id, path_type, simple_type};
use super::{links, methods, needs, pages, tasks};
use crate::ir::{ClientAuthentication, Condition, Operation, Scheme, Tag, condition};
use crate::names::flow_constant;
use syn::{
    Attribute, Expr, FnArg, GenericArgument, Ident, ImplItem, ImplItemFn, Item, ItemImpl, Path,
    PathArguments, ReturnType, Stmt, Type, TypeParamBound, parse_quote,
};

/// Returns the module `client`.
pub(super) fn emit(cx: &Context<'_>) -> OutputModule {
    let schemes = &cx.api.schemes;
    let scope = Scope::new(
        cx,
        Place::End,
        ["Client".to_owned(), "Credentials".to_owned()],
    );
    let mut items = Vec::new();
    items.extend(base_url(cx));
    items.extend(
        schemes
            .iter()
            .filter_map(|scheme| token_flow(&scope, scheme)),
    );
    let (conditions, always) = (&cx.api.conditions, Condition::new());
    for (index, operation) in cx.api.operations.iter().enumerate() {
        let task = tasks::constant_of(&scope, operation);
        let described = task.into_iter().chain(pages::row_of(&scope, operation));
        let described = described.chain(links::constants(&scope, operation));
        let described = described.collect();
        items.extend(cx.behind(&conditions.operations, index, &always, described));
    }
    items.extend(client(&scope, cx, !schemes.is_empty()));
    for (index, tag) in cx.api.tags.iter().enumerate() {
        let around = condition(&conditions.tags, index);
        let operations = cx.operations_of(index, around);
        let methods = vec![methods(&scope, tag, operations)];
        items.extend(cx.behind(&conditions.tags, index, &always, methods));
    }
    if !schemes.is_empty() {
        let docs = "Credentials, by security scheme.";
        items.extend(credentials(&scope, "client", docs, "credentials"));
    }
    module(
        &scope,
        &["client"],
        Text::line("The client: a method for each operation."),
        items,
    )
    .needs("client")
    .requires(&needs::client_features(cx.api))
}

fn base_url(cx: &Context<'_>) -> Option<Item> {
    let url = cx.api.base_url.as_ref()?;
    Some(parse_quote! {
        /// Where the document says that the API is served.
        pub const BASE_URL: &str = #url;
    })
}

/// Returns the token flow of a scheme.
fn token_flow(scope: &Scope<'_>, scheme: &Scheme) -> Option<Item> {
    let flow = scheme.token.as_ref()?;
    let (name, wire, url) = (
        scope.cx.ident(&flow_constant(&scheme.name.rust)),
        &scheme.name.wire,
        &flow.url,
    );
    let flow_type = scope.runtime_in("client", "TokenFlow");
    let mut value: Expr = parse_quote!(#flow_type::new(#wire, #url));
    if let Some(url) = &flow.refresh_url {
        value = parse_quote!(#value.refresh_url(#url));
    }
    if !flow.envelope.is_empty() {
        let envelope = &flow.envelope;
        value = parse_quote!(#value.envelope(#envelope));
    }
    if let Some((obtain, refresh)) = &flow.authentication {
        let authentication_type = scope.runtime_in("client", "ClientAuthentication");
        let [obtain, refresh] = [obtain, refresh].map(|authentication| -> Expr {
            match authentication {
                ClientAuthentication::Basic => parse_quote!(#authentication_type::Basic),
                ClientAuthentication::IdHeader(name) => {
                    parse_quote!(#authentication_type::IdHeader(#name))
                }
            }
        });
        value = parse_quote!(#value.authentication(#obtain, #refresh));
    }
    if let Some((pointer, codes)) = &flow.non_refreshable_codes {
        value = parse_quote!(#value.non_refreshable_codes(#pointer, &[#(#codes),*]));
    }
    let doc = Text::line(format!(
        "Token endpoint of the OAuth 2.0 scheme {}.",
        code(wire)
    ))
    .attrs();
    Some(parse_quote!(#(#doc)* pub const #name: #flow_type = #value;))
}

/// Returns the struct and its constructors.
fn client(scope: &Scope<'_>, cx: &Context<'_>, credentials: bool) -> Vec<Item> {
    let [core, transport, default, provided, error, options, boxed] = [
        "ClientCore",
        "Transport",
        "DefaultTransport",
        "ProvidedTransport",
        "BuildError",
        "CallOptions",
        "BoxTransport",
    ]
    .map(|name| scope.runtime_in("client", name));
    let doc = Text::line("A client for the API.").attrs();
    let with_credentials: Option<ImplItem> = credentials.then(|| {
        parse_quote! {
            /// Returns this client with these credentials.
            pub fn with_credentials(self, credentials: Credentials) -> Self {
                Self { core: self.core.credentials(credentials) }
            }
        }
    });
    let further: Option<ImplItem> = credentials.then(|| {
        parse_quote! {
            /// Returns this client with credentials that take precedence over its own, for calls on
            /// behalf of one customer or user.
            pub fn with_credential_overrides(self, credentials: Credentials) -> Self {
                Self { core: self.core.credential_overrides(credentials) }
            }
        }
    });
    let with_tokens: Option<ImplItem> = cx
        .api
        .schemes
        .iter()
        .any(|scheme| scheme.token.is_some())
        .then(|| {
            let provider = scope.runtime_in("client", "TokenProvider");
            parse_quote! {
                /// Returns this client with a provider of tokens, which obtains and refreshes them.
                pub fn with_tokens(self, tokens: impl #provider + 'static) -> Self {
                    Self { core: self.core.tokens(tokens) }
                }
            }
        });
    let with_retries: Option<ImplItem> = cx.api.documents_retries().then(|| {
        parse_quote! {
            /// Returns this client with retries as the document states them, within a budget that its
            /// clones share.
            pub fn with_documented_retries(self) -> Self {
                Self { core: self.core.documented_retries() }
            }
        }
    });
    let follow = links::method(scope);
    vec![
        parse_quote! {
            #(#doc)*
            #[derive(Debug, Clone)]
            pub struct Client<T = #default> {
                core: #core<T>,
            }
        },
        parse_quote! {
            impl Client {
                /// Creates a client of the API at a URL, over the default transport. A call
                /// does not compile without the feature `rustls`, `native-tls` or `hyper` of
                /// `bothends-runtime`, which provide the transport.
                ///
                /// # Errors
                ///
                /// Returns an error if `base_url` is not the URL of a server, if it is an https URL
                /// and neither `rustls` nor `native-tls` is enabled, or if the transport cannot be
                /// set up.
                pub fn new(base_url: &str) -> Result<Self, #error>
                where
                    for<'a> #default: #provided,
                {
                    Self::with_transport(base_url, <#default as #provided>::provide(base_url)?)
                }
            }
        },
        parse_quote! {
            impl<T: #transport + Clone> Client<T> {
                /// Returns a cheap copy of this client with options for its calls:
                /// `client.with(options).operation(request)`.
                pub fn with(&self, options: #options) -> Self {
                    Self { core: self.core.with(options) }
                }
            }
        },
        parse_quote! {
            impl<T: #transport + 'static> Client<T> {
                /// Returns this client over a boxed transport, for application state without a type
                /// parameter.
                pub fn boxed(self) -> Client<#boxed> {
                    Client::from_core(self.core.boxed())
                }
            }
        },
        parse_quote! {
            impl<T: #transport> Client<T> {
                /// Creates a client of the API at a URL, over a transport.
                ///
                /// # Errors
                ///
                /// Returns an error if `base_url` is not a valid URL.
                pub fn with_transport(base_url: &str, transport: T) -> Result<Self, #error> {
                    let core = #core::new(base_url, transport)?;
                    Ok(Self { core: core.user_agent(bothends_runtime::user_agent!()) })
                }

                #with_credentials

                #further

                #with_tokens

                #with_retries

                #follow

                /// Creates a client from a core, which has the headers of every request, limits and
                /// retries.
                pub fn from_core(core: #core<T>) -> Self {
                    Self { core }
                }

                /// Returns the core through which the methods send requests.
                pub fn core(&self) -> &#core<T> {
                    &self.core
                }
            }
        },
    ]
}

/// Returns `impl Client` with the operations of a tag.
fn methods<'a>(
    scope: &Scope<'_>,
    tag: &Tag,
    operations: impl Iterator<Item = (&'a Operation, Option<Attribute>)>,
) -> Item {
    let transport = scope.runtime_in("client", "Transport");
    let doc = Text::line(format!("The operations of {}.", code(&tag.name.wire))).attrs();
    let mut item: ItemImpl = parse_quote!(#(#doc)* impl<T: #transport> Client<T> {});
    let skeletons = skeletons();
    for (operation, cfg) in operations {
        let start = item.items.len();
        let names = (scope.name(&operation.name), operation.with_request.as_ref());
        match names {
            (name, None) if operation.is_bare() => {
                item.items
                    .push(call(scope, operation, name, &skeletons.bare));
            }
            (name, None) => item
                .items
                .push(call(scope, operation, name, &skeletons.request)),
            (name, Some(with)) => {
                let docs = methods::of_client_with(scope, operation);
                item.items
                    .push(call(scope, operation, name, &skeletons.bare));
                let with = scope.cx.ident(with);
                let mut with = call(scope, operation, with, &skeletons.request);
                if let ImplItem::Fn(with) = &mut with {
                    with.attrs = docs.attrs();
                }
                item.items.push(with);
            }
        }
        item.items.extend(tasks::methods(scope, operation));
        for method in item.items.iter_mut().skip(start) {
            if let ImplItem::Fn(method) = method {
                method.attrs.extend(cfg.clone());
            }
        }
    }
    Item::Impl(item)
}

/// Methods of operations without their names and types. They are parsed once and then copied.
struct Skeletons {
    bare: ImplItemFn,
    request: ImplItemFn,
}

fn skeletons() -> Skeletons {
    Skeletons {
        bare: parse_quote! {
            pub fn x(&self) -> X {
                self.core.send(X::new())
            }
        },
        request: parse_quote! {
            pub fn x(&self, request: impl Into<X>) -> X {
                self.core.send(request.into())
            }
        },
    }
}

/// Returns a method of the client.
fn call(scope: &Scope<'_>, operation: &Operation, name: Ident, skeleton: &ImplItemFn) -> ImplItem {
    let request = type_name(scope.cx, operation, "Request");
    // The method of the core that makes the call.
    let method = match operation.pages {
        Some(_) => "paged",
        None if operation.has_events() => "stream",
        None => "send",
    };
    let mut function = skeleton.clone();
    let returned = (method == "send").then(|| returned_type(scope.cx, operation));
    function.attrs = methods::of_client(scope, operation, &request, returned).attrs();
    function.sig.ident = name;
    for argument in function.sig.inputs.iter_mut().skip(1) {
        if let FnArg::Typed(argument) = argument
            && let Type::ImplTrait(into) = &mut *argument.ty
            && let Some(TypeParamBound::Trait(into)) = into.bounds.first_mut()
        {
            named(&mut into.path, &request);
        }
    }
    // `self.core.send(X::new())`
    for statement in &mut function.block.stmts {
        let Stmt::Expr(Expr::MethodCall(send), _) = statement else {
            continue;
        };
        send.method = id(method);
        if let Some(Expr::Call(new)) = send.args.first_mut()
            && let Expr::Path(new) = &mut *new.func
            && let Some(first) = new.path.segments.first_mut()
        {
            first.ident = request.clone();
        }
    }
    let (returned, arguments) = match method {
        "send" => {
            let response = simple_type(type_name(scope.cx, operation, "Response"));
            let documented = path_type(error_type(scope, operation));
            ("ResponseFuture", [response, documented])
        }
        "stream" => ("StreamCall", [simple_type(id("T")), simple_type(request)]),
        _ => ("PagedCall", [simple_type(id("T")), simple_type(request)]),
    };
    let output = borrowing(scope.runtime_in("client", returned), arguments);
    function.sig.output = ReturnType::Type(Default::default(), Box::new(output));
    ImplItem::Fn(function)
}

/// Replaces the only argument of a path by a type.
fn named(path: &mut Path, ident: &Ident) {
    if let Some(last) = path.segments.last_mut()
        && let PathArguments::AngleBracketed(arguments) = &mut last.arguments
    {
        let ty = GenericArgument::Type(simple_type(ident.clone()));
        arguments.args = std::iter::once(ty).collect();
    }
}
