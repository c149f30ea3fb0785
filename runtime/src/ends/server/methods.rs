//! The operations of one path.

use super::{BoxFuture, Call, Response};

/// An operation of a path: its method and its handler.
pub struct Method<A: 'static> {
    /// The method, in capitals.
    pub name: &'static str,
    /// Runs the operation.
    pub run: fn(Call<A>) -> BoxFuture<'static, Response>,
}

/// The operations of one path.
pub struct Methods<A: 'static>(pub &'static [Method<A>]);

impl<A> Methods<A> {
    pub(super) fn find(&self, name: &str) -> Option<&'static Method<A>> {
        self.0.iter().find(|method| method.name == name)
    }

    /// Returns the methods of the path, for the header `Allow`.
    pub(super) fn allow(&self) -> String {
        let mut names: Vec<&str> = self.0.iter().map(|method| method.name).collect();
        if names.contains(&"GET") && !names.contains(&"HEAD") {
            names.push("HEAD");
        }
        if !names.contains(&"OPTIONS") {
            names.push("OPTIONS");
        }
        names.join(", ")
    }
}

/// Lists the operations of one path: a method and a handler in each row.
///
/// `methods! { A; "GET" => list_pets, "POST" => create_pets }` is what the router of `A` has for a
/// path; the handlers are methods of the trait that `A` implements.
#[macro_export]
macro_rules! methods {
    ($Api:ty; $($name:literal => $handler:ident),* $(,)?) => {
        $crate::server::Methods::<$Api>(const {
            &[$($crate::server::Method {
                name: $name,
                run: |call| ::std::boxed::Box::pin(async move {
                    match call.begin().await {
                        ::core::result::Result::Ok(begun) => {
                            let result = begun.api.$handler(begun.context, begun.request).await;
                            begun.finish.response(result)
                        }
                        ::core::result::Result::Err(response) => response,
                    }
                }),
            }),*]
        })
    };
}

/// Defines the function that finds the operations of a path: each row is a path, and the first
/// match counts.
///
/// `routes! { find<A: Api> { ["pets"] => { "GET" => list_pets }, ["pets", _] => { "GET" => get_pet } } }`
/// defines a [`Find`](crate::server::Find) for the handlers of `Api`.
#[macro_export]
macro_rules! routes {
    ($find:ident<$A:ident: $Api:path> {
        $($segments:pat $(if $guard:expr)? => { $($name:literal => $handler:ident),* $(,)? }),* $(,)?
    }) => {
        fn $find<$A: $Api>(
            segments: &[&str],
        ) -> ::core::option::Option<$crate::server::Methods<$A>> {
            $(
                // rustc needs exponential time to check one `match` with all rows.
                #[allow(clippy::single_match)]
                match segments {
                    $segments $(if $guard)? => {
                        return ::core::option::Option::Some(
                            $crate::methods! { $A; $($name => $handler),* }
                        );
                    }
                    _ => {}
                }
            )*
            ::core::option::Option::None
        }
    };
}
