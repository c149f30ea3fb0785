//! The macros of operations.

/// Describes a request: its operation, its constructor, and one line for each parameter.
///
/// ```
/// # use bothends_runtime::{NoError, Outcome, ResponseDecoder, ResponseEncoder, DecodeError};
/// # #[derive(Debug, Clone, PartialEq)]
/// # pub struct ShowPetResponse;
/// # impl Outcome for ShowPetResponse {
/// #     fn encode(&self, response: &mut ResponseEncoder) { response.status(204).empty() }
/// #     fn decode(_: &ResponseDecoder) -> Option<Result<Self, DecodeError>> { Some(Ok(Self)) }
/// # }
/// #[derive(Debug, Clone, PartialEq)]
/// pub struct ShowPetRequest {
///     pub pet_id: String,
///     pub tags: Option<Vec<String>>,
/// }
/// bothends_runtime::operation! {
///     "showPet": "GET" "/pets/{petId}"
///     ShowPetRequest(pet_id: String) -> ShowPetResponse, NoError {
///         path "petId" => pet_id,
///         query[pipe] "tags" => tags?,
///     }
///     security {
///         ["bearer": ["read"], "apiKey"],
///     }
/// }
/// ```
///
/// A line is a place (`path`, `query`, `header`, `cookie`, `body`), the words of its style in
/// brackets, the name on the wire (of a body: its media type), and the field; `?` says that it
/// may be left out. The words are the methods of [`Style`](crate::Style). `where [maximum(100)]`
/// has the [rules](crate::rules) of the value, which a server checks as soon as it has read it.
/// `or limit_or_default: i64 = 20` makes an accessor that puts the default in for an absent value; of a
/// string it returns a `&str`.
///
/// `server` has a URL, for what is served elsewhere than the rest.
///
/// Each line of `security` is one way to be let in: schemes that all have to be shown, each with the
/// scopes it takes, as a Security Requirement Object has them (OpenAPI 3.1, 4.8.30). `[]` lets
/// everybody in. `by body` narrows them: a line has a pattern of the field, and the alternatives that
/// a request with this value accepts.
#[macro_export]
macro_rules! operation {
    (
        $id:literal : $method:literal $path:literal
        $Type:ident
        $( () $($unit:lifetime)? )?
        $( ( $($param:ident : $Param:ty),+ $(,)? ) )?
        -> $Response:ty, $Error:ty
        {
            $($place:ident $([$($style:ident)+])? $key:literal $(with [$($part:expr),*])?
                => $field:ident $(? $($opt:lifetime)?)? $(where [$($rule:expr),*])?
                $(or $accessor:ident : $Accessed:ty = $default:expr)?),* $(,)?
        }
        $(server $server:literal)?
        $(security {
            $([$($scheme:literal $(: [$($scope:literal),+])?),*]),+ $(,)?
        })?
        $(by $by:ident {
            $($variant:pat => [
                $([$($by_scheme:literal $(: [$($by_scope:literal),+])?),*]),+ $(,)?
            ]),+ $(,)?
        })?
        $(streams {
            $($media:literal : $live:literal),+ $(,)?
        })?
    ) => {
        $crate::__constructor! {
            $Type $( () $($unit)? )? $( ( $($param : $Param),+ ) )?
            { $( $( $field $($opt)? , )? )* }
        }

        $crate::__defaults! { $Type { $($( $field $accessor $Accessed, $default; )?)* } }

        impl $crate::Operation for $Type {
            type Response = $Response;
            type Error = $Error;

            const META: &'static $crate::OperationMeta = &$crate::OperationMeta {
                id: $id,
                method: $method,
                path: $path,
                server: {
                    let server: ::core::option::Option<&'static str> = ::core::option::Option::None;
                    $(let server = {
                        let _ = server;
                        ::core::option::Option::Some($server)
                    };)?
                    server
                },
                parameters: &[$((::core::stringify!($place), $key)),*],
                security: &[$($(
                    &[$($crate::Requirement::new($scheme, &[$($($scope),+)?])),*]
                ),+)?],
                streams: &[$($(($media, $live)),+)?],
            };

            $(#[allow(deprecated)]
            fn security(&self) -> &'static [&'static [$crate::Requirement]] {
                match &self.$by {
                    $($variant => const { &[$(
                        &[$($crate::Requirement::new($by_scheme, &[$($($by_scope),+)?])),*]
                    ),+] },)+
                    #[allow(unreachable_patterns)]
                    _ => Self::META.security,
                }
            })?

            #[allow(deprecated)]
            fn encode(&self, request: &mut $crate::RequestEncoder) {
                let _ = &request;
                $($crate::Style::$place() $($(.$style())+)?
                    $(.with($crate::__parts![$($part),*]))? $(.optional() $($opt)?)?
                    .encode($key, &self.$field, request);)*
            }

            #[allow(deprecated)]
            fn decode(request: &mut $crate::RequestDecoder<'_>) -> ::core::option::Option<Self> {
                let _ = &request;
                $(
                    let $field = $crate::Style::$place() $($(.$style())+)?
                        $(.with($crate::__parts![$($part),*]))? $(.optional() $($opt)?)?
                        .decode($key, request);
                    $(request.check(
                        ::core::stringify!($place),
                        $key,
                        &$field,
                        $crate::__rules![$($rule),*],
                    );)?
                )*
                ::core::option::Option::Some(Self { $($field: $field?),* })
            }
        }

        $crate::__validate_parts! {
            $Type { $( $( $place $key $field [$($rule),*] )? )* }
        }
    };
}

/// Accessors of parameters with defaults.
#[doc(hidden)]
#[macro_export]
macro_rules! __defaults {
    ($Type:ident {}) => {};
    ($Type:ident { $($field:ident $accessor:ident $Accessed:ty, $default:expr;)+ }) => {
        #[allow(deprecated, clippy::approx_constant)]
        impl $Type {
            $(
                #[doc = ::core::concat!(
                    "`", ::core::stringify!($field), "`, or its default: `",
                    ::core::stringify!($default), "`."
                )]
                pub fn $accessor(&self) -> $Accessed {
                    $crate::private::OrDefault::or_default(&self.$field, || $default)
                }
            )+
        }
    };
}

/// What is said of the properties of a form or of parts, with their constructors in scope.
#[doc(hidden)]
#[macro_export]
macro_rules! __parts {
    ($($part:expr),* $(,)?) => {{
        #[allow(unused_imports)]
        use $crate::parts::*;
        const PARTS: &[$crate::Part] = &[$($part),*];
        PARTS
    }};
}

/// `Validate` of a request: nothing where no part has a rule.
#[doc(hidden)]
#[macro_export]
macro_rules! __validate_parts {
    ($Type:ident {}) => {
        impl $crate::Validate for $Type {}
    };
    ($Type:ident { $($place:ident $key:literal $field:ident [$($rule:expr),*])* }) => {
        #[allow(deprecated)]
        impl $crate::Validate for $Type {
            fn check(&self, _: &[$crate::Rule], checker: &mut $crate::private::Checker) {
                $(checker.part(
                    ::core::stringify!($place),
                    $key,
                    &self.$field,
                    $crate::__rules![$($rule),*],
                );)*
            }
        }
    };
}

/// Makes an enum of error responses an error.
///
/// Its text names the operation and the status: `showPet answered 404 Not Found`.
#[macro_export]
macro_rules! operation_error {
    ($Type:ident $id:literal) => {
        impl ::core::fmt::Display for $Type {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::private::answered(f, $id, $crate::Outcome::status(self))
            }
        }

        impl ::std::error::Error for $Type {}
    };
}
