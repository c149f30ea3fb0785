//! The routes of a router: paths and their operations.

use super::{BoxFuture, Call, Condition, Reached, Response, Segment};

/// An operation of a path: its method and its handler.
pub struct Method<A: 'static> {
    /// The method, in capitals.
    pub name: &'static str,
    /// Returns the future of the response, and states the operation.
    pub run: fn(Call<A>, &mut Reached) -> BoxFuture<'static, Response>,
}

/// A path and its operations.
pub struct Route<A: 'static> {
    /// The segments of the path.
    pub segments: &'static [Segment],
    /// The conditions of the mixed segments, in their order.
    pub conditions: &'static [Condition],
    /// The operations.
    pub methods: &'static [Method<A>],
}

impl<A> Route<A> {
    pub(super) fn find(&self, name: &str) -> Option<&'static Method<A>> {
        self.methods.iter().find(|method| method.name == name)
    }

    /// Returns the methods of the path, for the header `Allow`.
    pub(super) fn allow(&self) -> String {
        let mut names: Vec<&str> = self.methods.iter().map(|method| method.name).collect();
        if names.contains(&"GET") && !names.contains(&"HEAD") {
            names.push("HEAD");
        }
        if !names.contains(&"OPTIONS") {
            names.push("OPTIONS");
        }
        names.join(", ")
    }
}

/// Defines the function that returns the routes of a router: each row is a path, and the first
/// match counts.
///
/// `routes! { find<A: Api> { ["pets"] => { "GET" => list_pets }, ["pets", _] => { "GET" => get_pet } } }`
/// defines a [`Find`](crate::server::Find) for the handlers of `Api`, which are methods of the
/// trait that `A` implements. A segment is a text, `_` for a variable, or a name: for a segment with
/// several variables, or with a variable and text, which a function and a template in the condition
/// of the row describe (`["files", file] if fits(file, "{name}.{ext}") => …`).
///
/// A row and a method may have attributes: `#[cfg(feature = "pets")] ["pets"] => { … }`.
///
/// `routes! { find: Shop { … } }` defines the function for one type.
#[macro_export]
macro_rules! routes {
    ($find:ident<$A:ident: $Api:path> { $($rows:tt)* }) => {
        fn $find<$A: $Api>() -> &'static [$crate::server::Route<$A>] {
            $crate::__routes! { $($rows)* }
        }
    };
    ($find:ident: $Api:ty { $($rows:tt)* }) => {
        fn $find() -> &'static [$crate::server::Route<$Api>] {
            $crate::__routes! { $($rows)* }
        }
    };
}

/// The routes of [`routes!`](crate::routes) as a constant.
#[doc(hidden)]
#[macro_export]
macro_rules! __routes {
    ($(
        $(#[$of_route:meta])*
        [$($($text:literal)? $(_ $($var:lifetime)?)? $($mixed:ident)?),* $(,)?]
        $(if $($($fits:ident)::+ ($named:ident, $template:literal))&&+)?
        => { $($(#[$of_method:meta])* $name:literal => $handler:ident),* $(,)? }
    ),* $(,)?) => {{
        const _: () = {
            $crate::private::distinct_of("path", &[$(::core::stringify!(
                [$($($text)? $(_ $($var)?)? $($mixed)?),*] $(if $($($fits)::+ ($named, $template))&&+)?
            )),*]);
            $($crate::private::distinct_of("method", &[$($name),*]);)*
        };

        const {
            &[$($(#[$of_route])* $crate::server::Route {
                segments: &[$(
                    $($crate::server::Segment::Static($text))?
                    $($($var)? $crate::server::Segment::Variable)?
                    $($crate::server::Segment::Mixed(::core::stringify!($mixed)))?
                ),*],
                conditions: &[$($(($($fits)::+, $template)),+)?],
                methods: &[$($(#[$of_method])* $crate::server::Method {
                    name: $name,
                    run: |call, reached| {
                        let mut call = call.reach(reached);
                        ::std::boxed::Box::pin(async move {
                            match call.begin().await {
                                ::core::result::Result::Ok((request, finish)) => {
                                    let (api, context) = call.into_parts();
                                    finish.response(api.$handler(context, request).await)
                                }
                                ::core::result::Result::Err(response) => response,
                            }
                        })
                    },
                }),*],
            }),*]
        }
    }};
}
