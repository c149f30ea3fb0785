//! The operations of one path.

use super::{BoxFuture, Call, Response};

/// An operation of a path: its method, and what answers it.
pub struct Method<A: 'static> {
    /// The method, in capitals.
    pub name: &'static str,
    /// What answers it.
    pub run: fn(Call<A>) -> BoxFuture<'static, Response>,
}

/// The operations of one path.
pub struct Methods<A: 'static>(pub &'static [Method<A>]);

impl<A> Methods<A> {
    pub(super) fn find(&self, name: &str) -> Option<&'static Method<A>> {
        self.0.iter().find(|method| method.name == name)
    }

    /// What can be asked of the path, for the header `Allow`.
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

/// The operations of one path: a method and a handler in each line.
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

/// The function that finds the operations of a path: a row for each, the first that fits counts.
///
/// `routes! { find<A: Api> { ["pets"] => { "GET" => list_pets }, ["pets", _] => { "GET" => get_pet } } }`
/// makes a [`Find`](crate::server::Find) for the handlers of `Api`.
#[macro_export]
macro_rules! routes {
    ($find:ident<$A:ident: $Api:path> {
        $($segments:pat $(if $guard:expr)? => { $($name:literal => $handler:ident),* $(,)? }),* $(,)?
    }) => {
        fn $find<$A: $Api>(
            segments: &[&str],
        ) -> ::core::option::Option<$crate::server::Methods<$A>> {
            $(
                // One `match` over all of them would take rustc exponential time to check.
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
