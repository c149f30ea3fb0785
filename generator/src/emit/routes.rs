//! The table of the router: the methods of each path.

use super::scope::Scope;
use super::syntax::{local, table};
use crate::ir::{Condition, Segment, any_of, condition};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use std::collections::BTreeMap;
use syn::Item;

/// A path and its methods.
pub(super) struct Route {
    segments: Vec<Segment>,
    methods: Vec<Method>,
}

struct Method {
    name: String,
    handler: Ident,
    condition: Condition,
}

/// Returns the routes of operations: one for each shape of path, the more specific first.
pub(super) fn of_operations(scope: &Scope<'_>) -> Vec<Route> {
    let api = scope.cx.api;
    let mut routes: Vec<Route> = Vec::new();
    let mut known = BTreeMap::new();
    for (index_of, operation) in api.operations.iter().enumerate() {
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
            .any(|method| method.name == operation.method)
        {
            route.methods.push(Method {
                name: operation.method.clone(),
                handler: scope.name(&operation.name),
                condition: condition(&api.conditions.operations, index_of).clone(),
            });
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
    let whole = any_of(route.methods.iter().map(|method| &method.condition));
    let rows = route.methods.iter().map(|method| {
        let (name, handler) = (&method.name, &method.handler);
        let cfg = scope.cx.cfg(&method.condition, &whole);
        quote!(#cfg #name => #handler)
    });
    let cfg = scope.cx.cfg(&whole, &Condition::new());
    quote!(#cfg [#(#patterns),*] #guard => { #(#rows),* })
}
