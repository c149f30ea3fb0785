//! The table of the router: the methods of each path.

use super::scope::Scope;
use super::syntax::{id, local, table};
use crate::ir::{Operation, Segment};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use std::collections::BTreeMap;
use syn::{Item, parse_quote};

/// A path and its methods.
pub(super) struct Route {
    segments: Vec<Segment>,
    methods: Vec<(String, Ident)>,
}

/// Returns the routes of operations: one for each shape of path, the more specific first.
pub(super) fn of_operations(scope: &Scope<'_>, operations: &[Operation]) -> Vec<Route> {
    let mut routes: Vec<Route> = Vec::new();
    let mut known = BTreeMap::new();
    for operation in operations {
        let shape: Vec<Segment> = operation.segments.iter().map(shape).collect();
        let index = *known.entry(shape).or_insert(routes.len());
        if index == routes.len() {
            routes.push(Route {
                segments: operation.segments.clone(),
                methods: Vec::new(),
            });
        }
        let Some(route) = routes.get_mut(index) else {
            continue;
        };
        if !route
            .methods
            .iter()
            .any(|(method, _)| *method == operation.method)
        {
            route
                .methods
                .push((operation.method.clone(), scope.name(&operation.name)));
        }
    }
    routes.sort_by_cached_key(|route| route.segments.iter().map(rank).collect::<Vec<u8>>());
    routes
}

/// Returns a segment without the names of its variables.
fn shape(segment: &Segment) -> Segment {
    match segment {
        Segment::Static(text) => Segment::Static(text.clone()),
        Segment::Variable(_) => Segment::Variable(String::new()),
        Segment::Mixed(template) => {
            let mut plain = String::new();
            let mut inside = false;
            for c in template.chars() {
                inside &= c != '}';
                if !inside {
                    plain.push(c);
                }
                inside |= c == '{';
            }
            Segment::Mixed(plain)
        }
    }
}

fn rank(segment: &Segment) -> u8 {
    match segment {
        Segment::Static(_) => 0,
        Segment::Mixed(_) => 1,
        Segment::Variable(_) => 2,
    }
}

/// The number of paths from which paths of each length have a separate function: a request is then
/// compared with paths of its own length only.
const MANY: usize = 100;

/// Returns `fn find`, with a line for each path.
pub(super) fn find(
    scope: &Scope<'_>,
    handler: &Ident,
    bound: &Ident,
    routes: &[Route],
) -> Vec<Item> {
    if routes.len() < MANY {
        let routes: Vec<&Route> = routes.iter().collect();
        return vec![matcher(scope, &id("find"), handler, bound, &routes)];
    }
    let mut lengths: BTreeMap<usize, Vec<&Route>> = BTreeMap::new();
    for route in routes {
        lengths.entry(route.segments.len()).or_default().push(route);
    }
    let methods = scope.runtime_in("server", "Methods");
    let name = |length: usize| local(&format!("find_{length}"));
    let arms = lengths.keys().map(|length| {
        let name = name(*length);
        let length = proc_macro2::Literal::usize_unsuffixed(*length);
        quote!(#length => #name(segments),)
    });
    let mut items = vec![parse_quote! {
        fn find<#handler: #bound>(segments: &[&str]) -> Option<#methods<#handler>> {
            match segments.len() {
                #(#arms)*
                _ => None,
            }
        }
    }];
    items.extend(
        lengths
            .iter()
            .map(|(length, routes)| matcher(scope, &name(*length), handler, bound, routes)),
    );
    items
}

/// Returns a function of that name with a row for each route.
///
/// The function is not a `match`: rustc's exhaustiveness check takes exponential time for lists of
/// strings, minutes for fifty long paths with the same beginning.
fn matcher(
    scope: &Scope<'_>,
    name: &Ident,
    handler: &Ident,
    bound: &Ident,
    routes: &[&Route],
) -> Item {
    let rows = routes.iter().map(|route| row(scope, route));
    table("routes", quote!(#name<#handler: #bound> { #(#rows,)* }))
}

fn row(scope: &Scope<'_>, route: &Route) -> TokenStream {
    let mut guards: Vec<TokenStream> = Vec::new();
    let patterns: Vec<TokenStream> = route
        .segments
        .iter()
        .map(|segment| match segment {
            Segment::Static(text) => quote!(#text),
            Segment::Variable(_) => quote!(_),
            Segment::Mixed(template) => {
                let fits = scope.runtime_in("server", "fits");
                let name = local(
                    ["a", "b", "c", "d"]
                        .get(guards.len())
                        .copied()
                        .unwrap_or("e"),
                );
                guards.push(quote!(#fits(#name, #template)));
                quote!(#name)
            }
        })
        .collect();
    let guard = (!guards.is_empty()).then(|| quote!(if #(#guards)&&*));
    let rows = route
        .methods
        .iter()
        .map(|(method, name)| quote!(#method => #name));
    quote!([#(#patterns),*] #guard => { #(#rows),* })
}
