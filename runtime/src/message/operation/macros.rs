//! The macros of operations.

/// Describes an operation: its request with a row for each parameter, its success, and its errors.
///
/// ```
/// use bothends_runtime::NoError;
///
/// #[derive(Debug, Clone, PartialEq)]
/// pub struct ShowPetRequest {
///     pub pet_id: String,
///     pub tags: Option<Vec<String>>,
/// }
/// bothends_runtime::operation! {
///     "showPet": "GET" "/pets/{petId}"
///     ShowPetRequest(pet_id: String | &str) {
///         path "petId" => pet_id,
///         query[pipe] "tags": Vec<String> => tags?,
///     }
///     -> ShowPetResponse { 200 => json String }, ShowPetError = NoError
///     security {
///         ["bearer": ["read"], "apiKey"],
///     }
/// }
///
/// let request = ShowPetRequest::new("7".to_owned()).tags(vec!["small".to_owned()]);
/// assert_eq!(ShowPetRequest::from("7").tags, None);
/// # assert!(request.tags.is_some());
/// ```
///
/// A row consists of a location (`path`, `query`, `header`, `cookie`, `body`), the style in
/// brackets, the name on the wire (for a body: its media type), and the field. `?` marks an
/// optional parameter, and a type in front of it adds a setter with the field's name. The words of
/// a style are the methods of [`ParameterStyle`](crate::ParameterStyle). `where [maximum(100)]` adds the
/// [rules](crate::rules) of the value, which a server checks as soon as it has decoded it. `unchecked`
/// marks a type that has only serde's traits; with `as (String where [max_length(50)])` a server checks the
/// value as this type, by these rules, before it reads the type of the field.
/// `or limit_or_default = 20` adds an accessor that returns the default for an absent value: a literal, a variant of
/// an enum, or, with the type that the accessor returns, an expression: `or after_or_default: &str = "start"`. An
/// attribute such as `#[deprecated]` before the type, or before the name of the accessor, is one of the setter, or of
/// the accessor.
///
/// `ShowPetRequest from ShowPetRequestInit(…)` takes the required values by name, as in
/// [`object!`](crate::object).
///
/// A request with one required parameter can be converted from its type, and from the one after `|`.
///
/// The arrow is followed by the alias of the response, with the type of its documented headers in
/// brackets if there are any, and by the row of the success (see [`responses!`](crate::responses)),
/// or by `= X`, an enum of several successes. The last part is the error type, or an alias of a
/// type that several operations share, with an alias of its documented headers in brackets if there
/// are any.
///
/// `server` states a URL, for operations that are not served by the server of the API.
///
/// Each line of `security` is one alternative: schemes that are all required, each with its scopes,
/// as in a Security Requirement Object (OpenAPI 3.1, section 4.8.30). `[]` accepts every caller.
/// `by body` restricts the alternatives: a line has a pattern of the field, and the alternatives
/// that a request with this value accepts.
///
/// `retries` lists what the document states about retries, by the methods of
/// [`RetryRules`](crate::RetryRules). `idempotency_key` names the header for which a client creates a
/// key, one for each call, if the caller sets none.
#[macro_export]
macro_rules! operation {
    (
        $id:literal : $method:literal $path:literal
        $Type:ident $(from $Init:ident)?
        $( () $($unit:lifetime)? )?
        $( ( $($param:ident : $Param:ty $(| $Text:ty)?),+ $(,)? ) )?
        $(from [$($From:ty),+ $(,)?])?
        {
            $($place:ident $([$($style:ident)+])? $key:literal $(with [$($part:expr),*])?
                $(: $(#[$old:meta])? $Optional:ty)?
                => $field:ident $(? $($opt:lifetime)?)? $(unchecked $($un:lifetime)?)?
                $(as ($Own:ty $(where [$($own:expr),*])?))? $(where [$($rule:expr),*])?
                $(or $(#[$old_default:meta])? $accessor:ident $(= $value:tt)?
                    $(: $Accessed:ty = $default:expr)?)?),* $(,)?
        }
        -> $Response:ident $([$Headers:ty])? $(= $Enum:ty)?
        $({
            $status:tt $(=> $codec:ident $($media:literal)? $Body:ty $([$($more:tt)*])?
                $(where $rules:tt)?)?
        })?
        , $Error:ident $($([$ErrorHeaders:ident])? = $($shared:ident)::+)?
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
            $($live_media:literal : $live:literal),+ $(,)?
        })?
        $(retries {
            $($retry:ident ( $($retry_value:expr),* $(,)? )),* $(,)?
        })?
        $(idempotency_key $key_header:literal)?
    ) => {
        $crate::__constructor! {
            $Type $(from $Init)? $( () $($unit)? )? $( ( $($param : $Param),+ ) )?
            { $( $( $field $($opt)? , )? )* }
            { $( $( $field: $(#[$old])? $Optional, )? )* }
        }

        $crate::__conversions! {
            $Type [$($($param : $Param $(| $Text)?),+)?] $([$($From),+])?
        }

        $crate::__defaults! {
            $Type { $(
                $field [$($Optional)?]
                [$($(#[$old_default])? $accessor $(= $value)? $(: $Accessed = $default)?)?]
            )* }
        }

        #[doc = ::core::concat!("Successful response of `", $id, "`.")]
        pub type $Response = $crate::Response<
            $crate::__body_type!($($Enum)? $($($Body)?)?),
            $crate::__headers_type!($($Headers)?)
        >;

        $(
            #[doc = ::core::concat!("Documented error responses of `", $id, "`.")]
            pub type $Error = $($shared)::+;

            $(
                #[doc = ::core::concat!(
                    "Documented headers of the error responses of `", $id, "`."
                )]
                pub type $ErrorHeaders = <$Error as $crate::OperationError>::Headers;
            )?
        )?

        impl $crate::Operation for $Type {
            type Response = $Response;
            type Success = $crate::__success_type!(
                $($Enum)? $([$($codec)?])?
            );
            type Error = $Error;

            const META: &'static $crate::OperationMeta = &$crate::OperationMeta {
                id: $id,
                method: $method,
                path: $path,
                server: $crate::__option!($($server)?),
                parameters: $crate::private::distinct_parameters(
                    &[$((::core::stringify!($place), $key)),*],
                ),
                security: &[$($(
                    &[$($crate::SecurityRequirement::new($scheme, &[$($($scope),+)?])),*]
                ),+)?],
                streams: &[$($(($live_media, $live)),+)?],
                success: &[$(
                    $crate::__row!($status $(
                        $codec [$($media)?] $Body $([$($more)*])? $(where $rules)?
                    )?)
                )?],
                retries: $crate::__retries!($({ $($retry($($retry_value),*)),* })?),
                idempotency_key: $crate::__option!($($key_header)?),
            };

            $crate::__sampled! {
                #[allow(deprecated)]
                const PARTS: &'static [$crate::private::RequestPart] = &[$(
                    $crate::__request_part!(
                        $place [$($($style)+)?] $key [$(with [$($part),*])?] [$(? $($opt)?)?] $field (
                            $field $(? $($opt)?)? $(unchecked $($un)?)?
                            $(as ([$Own] [$($($own),*)?]))? [$($($rule),*)?]
                        )
                    )
                ),*];
            }

            $(#[allow(deprecated)]
            fn security(&self) -> &'static [&'static [$crate::SecurityRequirement]] {
                match &self.$by {
                    $($variant => const { &[$(
                        &[$($crate::SecurityRequirement::new($by_scheme, &[$($($by_scope),+)?])),*]
                    ),+] },)+
                    #[allow(unreachable_patterns)]
                    _ => Self::META.security,
                }
            })?

            #[inline]
            #[allow(deprecated)]
            fn encode(&self, request: &mut $crate::RequestEncoder) {
                let _ = &request;
                $($crate::ParameterStyle::$place() $($(.$style())+)?
                    $(.with($crate::__parts![$($part),*]))?
                    $(.unchecked() $($un)?)? $(.optional() $($opt)?)?
                    .encode($key, &self.$field, request);)*
            }

            $crate::__reads! {
                #[inline]
                #[allow(deprecated)]
                fn decode(
                    request: &mut $crate::RequestDecoder<'_>,
                ) -> ::core::option::Option<Self> {
                    let _ = &request;
                    $(
                        let $field = $crate::ParameterStyle::$place() $($(.$style())+)?
                            $(.with($crate::__parts![$($part),*]))?
                            $(.unchecked() $($un)?)?
                            $(.schema($crate::__schema!([$Own] [$($($own),*)?])))?
                            $(.optional() $($opt)?)?
                            .decode($key, request);
                        $crate::__check_part! {
                            $($($un)? unchecked)? request $place $key $field [$($($rule),*)?]
                        }
                    )*
                    ::core::option::Option::Some(Self { $($field: $field?),* })
                }
            }
        }

        $crate::__validate_parts! {
            $Type { $( $place $key $field $($($un)? unchecked)? [$($($rule),*)?] )* }
        }
    };
}

/// The type of a body; `()` for none.
#[doc(hidden)]
#[macro_export]
macro_rules! __body_type {
    () => {
        ()
    };
    ($Body:ty) => {
        $Body
    };
}

/// The type of the documented headers; `()` for none.
#[doc(hidden)]
#[macro_export]
macro_rules! __headers_type {
    () => {
        ()
    };
    ($Headers:ty) => {
        $Headers
    };
}

/// The encoding of a success.
#[doc(hidden)]
#[macro_export]
macro_rules! __success_type {
    ([]) => { $crate::private::Empty };
    ([$codec:ident]) => { $crate::private::One<$crate::private::codec::$codec> };
    ($Enum:ty) => { $crate::private::Several };
}

/// An optional literal.
#[doc(hidden)]
#[macro_export]
macro_rules! __option {
    () => {
        ::core::option::Option::None
    };
    ($value:literal) => {
        ::core::option::Option::Some($value)
    };
}

/// Optional rules of retries.
#[doc(hidden)]
#[macro_export]
macro_rules! __retries {
    () => {
        ::core::option::Option::None
    };
    ({ $($retry:ident ( $($value:expr),* )),* }) => {
        ::core::option::Option::Some($crate::RetryRules::new() $(.$retry($($value),*))*)
    };
}

#[cfg(any(feature = "server", feature = "links"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __reads {
    ($($item:tt)*) => { $($item)* };
}

/// Decoding of requests, which servers need, and tasks, whose requests are derived from links.
#[cfg(not(any(feature = "server", feature = "links")))]
#[doc(hidden)]
#[macro_export]
macro_rules! __reads {
    ($($item:tt)*) => {};
}

/// Conversions into a request with one required value.
#[doc(hidden)]
#[macro_export]
macro_rules! __conversions {
    ($Type:ident [$param:ident : $Param:ty $(| $Text:ty)?]) => {
        $crate::__conversions! { $Type [] [$Param $(, $Text)?] }
    };
    ($Type:ident [$($parameters:tt)*]) => {};
    ($Type:ident [$($parameters:tt)*] [$($From:ty),+]) => {
        $(
            impl ::core::convert::From<$From> for $Type {
                #[inline]
                fn from(value: $From) -> Self {
                    Self::new(::core::convert::Into::into(value))
                }
            }
        )+
    };
}

/// Accessors of parameters with defaults.
#[doc(hidden)]
#[macro_export]
macro_rules! __defaults {
    ($Type:ident { $($field:ident [$($Optional:ty)?] [])* }) => {};
    ($Type:ident { $($field:ident [$($Optional:ty)?] [$($accessor:tt)*])* }) => {
        #[allow(deprecated, clippy::approx_constant, clippy::wrong_self_convention)]
        impl $Type {
            $($crate::__default! { $field [$($Optional)?] $($accessor)* })*
        }
    };
}

/// The accessor of a parameter; nothing without a default.
#[doc(hidden)]
#[macro_export]
macro_rules! __default {
    ($field:ident [$($Optional:ty)?]) => {};
    ($field:ident [$Optional:ty] $(#[$old:meta])? $accessor:ident = $value:literal) => {
        $crate::__default! { $value; $field $(#[$old])? $accessor: $Optional = $value }
    };
    ($field:ident [$Optional:ty] $(#[$old:meta])? $accessor:ident = $variant:ident) => {
        $crate::__default! { $variant; $field $(#[$old])? $accessor: $Optional = <$Optional>::$variant }
    };
    (
        $field:ident [$($Optional:ty)?]
        $(#[$old:meta])? $accessor:ident : $Accessed:ty = $default:expr
    ) => {
        $crate::__default! { $default; $field $(#[$old])? $accessor: $Accessed = $default }
    };
    (
        $shown:expr; $field:ident
        $(#[$old:meta])? $accessor:ident : $Accessed:ty = $default:expr
    ) => {
        #[doc = ::core::concat!(
            "`", ::core::stringify!($field), "`, or its default: `", ::core::stringify!($shown), "`."
        )]
        $(#[$old])?
        #[inline]
        pub fn $accessor(&self) -> $Accessed {
            $crate::private::OrDefault::or_default(&self.$field, || $default)
        }
    };
}

/// The encodings of the properties of a form or a multipart body, with their constructors in scope.
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

/// Checks of requests: see `__validate`.
#[cfg(not(any(feature = "server", feature = "validate")))]
mod checks {
    #[doc(hidden)]
    #[macro_export]
    macro_rules! __validate_parts {
        ($Type:ident $($rest:tt)*) => {
            impl $crate::Validate for $Type {}
        };
    }

    #[doc(hidden)]
    #[macro_export]
    macro_rules! __check_part {
        ($($rest:tt)*) => {};
    }
}

/// Checks of requests.
#[cfg(any(feature = "server", feature = "validate"))]
mod checks {
    #[doc(hidden)]
    #[macro_export]
    macro_rules! __validate_parts {
        ($Type:ident {}) => {
            impl $crate::Validate for $Type {}
        };
        (
            $Type:ident {
                $($place:ident $key:literal $field:ident $(unchecked $($un:lifetime)?)?
                    [$($rule:expr),*])*
            }
        ) => {
            #[allow(deprecated)]
            impl $crate::Validate for $Type {
                #[inline]
                fn check(&self, _: &[$crate::Rule], checker: &mut $crate::private::Checker) {
                    let _ = &checker;
                    $($crate::__check! {
                        $($($un)? unchecked)?
                        checker.part(
                            ::core::stringify!($place),
                            $key,
                            &self.$field,
                            $crate::__rules![$($rule),*],
                        )
                    })*
                }
            }
        };
    }

    #[doc(hidden)]
    #[macro_export]
    macro_rules! __check_part {
        (unchecked $($rest:tt)*) => {};
        ($request:ident $place:ident $key:literal $field:ident [$($rule:expr),*]) => {
            $request.check(
                ::core::stringify!($place),
                $key,
                &$field,
                $crate::__rules![$($rule),*],
            );
        };
    }
}
