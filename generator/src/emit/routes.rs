//! The table of the router: the methods of each path.

use super::scope::Scope;
use super::syntax::{local, table};
use crate::ir::{Operation, Segment};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use std::collections::BTreeMap;
use syn::Item;

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

/// Returns `fn find`, with a line for each path.
pub(super) fn find(scope: &Scope<'_>, handler: &Ident, bound: &Ident, routes: &[Route]) -> Item {
    let rows = routes.iter().map(|route| row(scope, route));
    table("routes", quote!(find<#handler: #bound> { #(#rows,)* }))
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
