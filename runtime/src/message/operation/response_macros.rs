//! The macros of responses.

/// Describes an enum of documented responses: a row for each status, for both directions.
///
/// ```
/// use bothends_runtime::StatusCode;
///
/// #[derive(Debug, Clone, PartialEq)]
/// pub enum PutPetBody {
///     Ok(String),
///     NoContent,
///     Success { status: StatusCode, body: String },
/// }
/// bothends_runtime::responses! {
///     PutPetBody {
///         200 => Ok(json String),
///         204 => NoContent,
///         2XX => Success { status, body(text String) },
///     }
/// }
/// ```
///
/// A row consists of the status as the document writes it (`200`, `2XX`, `default`), the variant,
/// and the body in parentheses: its format (`json`, `form`, `multipart`, `text`, `bytes`, `chunks`,
/// `lines`, `sequence`, `events`, or `any` for one of several media types), its media type if it is
/// not the default one, and its type. `[with …]` after the type lists the parts of a form that have
/// an encoding of their own, `[until "[DONE]"]` the data that ends a stream of events.
///
/// `where [min_items(1)]` after the type adds the [rules](crate::rules) of the body, which a check of
/// responses evaluates.
///
/// Braces contain a variable `status`, and `body(…)`. Codes are listed first, then ranges, then
/// `default`: the first row that contains a status counts.
#[macro_export]
macro_rules! responses {
    (
        $Type:ident {
            $($status:tt => $Variant:ident
                $( ( $codec:ident $($media:literal)? $Body:ty $([$($more:tt)*])? $(where $rules:tt)? ) )?
                $( {
                    $(status $($vary:lifetime)? $(,)?)?
                    $(body (
                        $ncodec:ident $($nmedia:literal)? $NBody:ty $([$($nmore:tt)*])?
                        $(where $nrules:tt)?
                    ) $(,)?)?
                } )?
            ),* $(,)?
        }
    ) => {
        const _: () = {
            $crate::private::distinct_of("status", &[$(::core::stringify!($status)),*]);
            $crate::private::distinct_of("variant", &[$(::core::stringify!($Variant)),*]);
        };

        impl $crate::ResponseSet for $Type {
            const ROWS: &'static [$crate::private::Row] = &[$(
                $crate::__row!($status
                    $( $codec [$($media)?] $Body $([$($more)*])? )?
                    $( $( $ncodec [$($nmedia)?] $NBody $([$($nmore)*])? )? )?
                )
            ),*];

            #[inline]
            fn status(&self) -> u16 {
                match self {
                    $(Self::$Variant { $( $( $($vary)? status, )? )? .. } => {
                        $crate::__status!($status $( $( $($vary)? status )? )?)
                    })*
                }
            }

            #[inline]
            #[allow(deprecated)]
            fn encode(&self, response: &mut $crate::ResponseEncoder) {
                match self {
                    $(Self::$Variant
                        $( ( $crate::__first!(value $codec) ) )?
                        $( {
                            $( $($vary)? status, )?
                            $( body: $crate::__first!(value $ncodec), )?
                        } )?
                    => {
                        response.status_of(
                            const { $crate::private::Statuses::parse(::core::stringify!($status)) },
                        );
                        $( $( $($vary)? response.status(status.as_u16()); )? )?
                        $( response.write::<$crate::private::codec::$codec, $Body>(
                            const { &$crate::__row!($status $codec [$($media)?] $Body $([$($more)*])?) },
                            value,
                        ); )?
                        $( $( response.write::<$crate::private::codec::$ncodec, $NBody>(
                            const {
                                &$crate::__row!($status $ncodec [$($nmedia)?] $NBody $([$($nmore)*])?)
                            },
                            value,
                        ); )? )?
                    })*
                }
            }

            #[inline]
            #[allow(deprecated)]
            fn read(
                response: &$crate::ResponseDecoder,
            ) -> ::core::result::Result<::core::option::Option<Self>, $crate::DecodeError> {
                $(
                    if const { $crate::private::Statuses::parse(::core::stringify!($status)) }
                        .contains(response.status())
                    {
                        return ::core::result::Result::Ok(::core::option::Option::Some(
                            Self::$Variant
                            $( (
                                response.read::<$crate::private::codec::$codec, $Body>(const {
                                    &$crate::__row!(
                                        $status $codec [$($media)?] $Body $([$($more)*])?
                                        $(where $rules)?
                                    )
                                })?
                            ) )?
                            $( {
                                $( $($vary)? status: response.status_code(), )?
                                $( body: response.read::<$crate::private::codec::$ncodec, $NBody>(
                                    const {
                                        &$crate::__row!(
                                            $status $ncodec [$($nmedia)?] $NBody $([$($nmore)*])?
                                            $(where $nrules)?
                                        )
                                    }
                                )?, )?
                            } )?
                        ));
                    }
                )*
                ::core::result::Result::Ok(::core::option::Option::None)
            }
        }
    };
}

/// Describes an enum of documented errors: like [`responses!`](crate::responses), with an
/// implementation of `std::error::Error`.
///
/// ```
/// use bothends_runtime::{OperationError as _, ResponseSet as _};
///
/// #[derive(Debug, Clone, PartialEq)]
/// pub struct ErrorBody {
///     pub code: Code,
///     pub message: Option<String>,
/// }
/// # bothends_runtime::object! { ErrorBody(code: Code) { "code" => code, "message": String => message?, } }
/// #[derive(Debug, Clone, Copy, PartialEq, Hash)]
/// pub enum Code { Gone }
/// # bothends_runtime::string_enum! { Code { Gone => "gone", } }
/// #[derive(Debug, Clone, PartialEq)]
/// pub enum ErrorBody404 {
///     NotFound(ErrorBody),
/// }
/// bothends_runtime::errors! {
///     ErrorBody404: Code {
///         404 => NotFound(json ErrorBody) [code: code, message: message?],
///     }
/// }
/// let error = ErrorBody404::NotFound(ErrorBody::new(Code::Gone).message("it was here"));
/// assert_eq!(error.code_id(), Some(&Code::Gone));
/// assert_eq!(error.message(), Some("it was here"));
/// assert_eq!(error.to_string(), "404 Not Found, `gone`: it was here");
/// ```
///
/// The colon is followed by the type of the API's error codes, if the document has one, and the
/// name by the type of the documented headers in brackets, if there are any (see
/// [`response_headers!`](crate::response_headers)). A row is followed by the paths to the code and
/// to the message in its body; `?` marks a field that may be absent.
///
/// The headers are separate from the enum, so that a documented header more changes no pattern and
/// no expression.
#[macro_export]
macro_rules! errors {
    (
        $Type:ident $([$Headers:ty])? $(: $Code:ty)? {
            $($status:tt => $Variant:ident
                $( ($($tuple:tt)*) )? $( {$($named:tt)*} )? $( [$($path:tt)*] )?
            ),* $(,)?
        }
    ) => {
        $crate::responses! {
            $Type { $($status => $Variant $( ($($tuple)*) )? $( {$($named)*} )?),* }
        }

        impl ::core::fmt::Display for $Type {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let code = $crate::OperationError::code_id(self);
                $crate::private::write_error(
                    f,
                    $crate::ResponseSet::status(self),
                    code.map(|code| code as &dyn ::core::fmt::Display),
                    $crate::OperationError::message(self),
                )
            }
        }

        impl ::std::error::Error for $Type {}

        impl $crate::OperationError for $Type {
            type Code = $crate::__code_type!($($Code)?);
            type Headers = $crate::__headers_type!($($Headers)?);

            #[inline]
            #[allow(deprecated)]
            fn code_id(&self) -> ::core::option::Option<&Self::Code> {
                $($crate::__code! {
                    (self value $Variant) [$($($tuple)*)?] [$($($named)*)?] $($($path)*)?
                })*
                ::core::option::Option::None
            }

            #[inline]
            #[allow(deprecated)]
            fn message(&self) -> ::core::option::Option<&str> {
                $($crate::__message! {
                    (self value $Variant) [$($($tuple)*)?] [$($($named)*)?] $($($path)*)?
                })*
                ::core::option::Option::None
            }

            #[inline]
            #[allow(deprecated)]
            fn documented_body(&self) -> ::core::option::Option<&dyn ::core::any::Any> {
                $($crate::__on_body! {
                    (self value $Variant) [$($($tuple)*)?] [$($($named)*)?]
                    ::core::option::Option::Some(value)
                })*
                ::core::option::Option::None
            }
        }
    };
}

/// Describes a body of several media types: an enum with a variant for each.
///
/// ```
/// #[derive(Debug, Clone, PartialEq)]
/// pub enum Report {
///     Json(Vec<i64>),
///     Text(String),
/// }
/// bothends_runtime::contents! {
///     Report {
///         "application/json" | "application/problem+json" => Json(json Vec<i64>),
///         "text/*" => Text(text String),
///     }
/// }
/// ```
///
/// The rows are matched in their order, so those with `*` are last. A media type may occur twice: a
/// range such as `application/*` is sent as one of its types. `where [max_length(50)]` adds
/// the [rules](crate::rules) of a body, which a server checks.
#[macro_export]
macro_rules! contents {
    (
        $Type:ident {
            $($media:literal $(| $also:literal)* => $Variant:ident
                ( $codec:ident $Body:ty $([$($more:tt)*])? )
                $(unchecked $($un:lifetime)?)? $(as ($Own:ty $(where [$($own:expr),*])?))?
                $(where [$($rule:expr),*])?
            ),* $(,)?
        }
    ) => {
        impl $crate::Body for $Type {
            $crate::__sampled! {
                const CONTENTS: &'static [$crate::private::Content] = &[$($crate::__content!(
                    [$codec] $media [$($($more)*)?] $crate::__place!(
                        : $Body, $(unchecked $($un)?)? $(as ([$Own] [$($($own),*)?]))? [$($($rule),*)?]
                    )
                )),*];
            }

            const MEDIA: &'static [&'static str] = &[$($media $(, $also)*),*];
            const STREAMS: &'static [(&'static str, bool)] = $crate::private::streams(&[$(
                ($media, $crate::private::is_live::<$crate::private::codec::$codec, $Body>())
                $(, (
                    $also, $crate::private::is_live::<$crate::private::codec::$codec, $Body>()
                ))*
            ),*]);

            #[inline]
            #[allow(deprecated)]
            fn encode(&self, body: &mut $crate::BodyEncoder) {
                match self {
                    $(Self::$Variant(value) => {
                        body.write::<$crate::private::codec::$codec, $Body>(
                            const {
                                &$crate::__row!(default $codec [$media] $Body $([$($more)*])?)
                            },
                            value,
                        )
                    })*
                }
            }

            #[inline]
            #[allow(deprecated)]
            fn decode(
                body: &$crate::BodyDecoder,
            ) -> ::core::option::Option<::core::result::Result<Self, $crate::DecodeError>> {
                let chosen = body.select(&[$(::core::concat!($media $(, ", ", $also)*)),*])?;
                let mut row = 0;
                $(
                    if chosen == row {
                        let decode =
                            $crate::private::Decode::<$crate::private::codec::$codec, $Body>::of_type()
                                $(.schema($crate::__schema!([$Own] [$($($own),*)?])))?;
                        let row = const {
                            &$crate::__row!(
                                default $codec [$media] $Body $([$($more)*])?
                                $(where [$($rule),*])?
                            )
                        };
                        let read = decode.read(row, body);
                        return ::core::option::Option::Some(read.map(Self::$Variant));
                    }
                    row += 1;
                )*
                let _ = row;
                ::core::option::Option::None
            }
        }

        $crate::__validate_variants! {
            $Type { $( $Variant $($($un)? unchecked)? [$($($rule),*)?] )* }
        }
    };
}

/// Describes the documented headers of the successful responses of an operation, or of its errors.
///
/// Every header of an error is optional: the headers of all error responses are one type, and an
/// error may be sent by a gateway, which does not send what the document requires of the server.
///
/// `where [minimum(0)]` after the field adds the [rules](crate::rules) of a value, which a check of responses
/// evaluates.
///
/// ```
/// #[derive(Debug, Clone, PartialEq)]
/// pub struct ListPetsResponseHeaders {
///     pub total: i64,
///     pub link: Option<String>,
/// }
/// bothends_runtime::response_headers! {
///     ListPetsResponseHeaders(total: i64) {
///         header "X-Total" => total,
///         header "Link": String => link?,
///     }
/// }
/// ```
#[macro_export]
macro_rules! response_headers {
    (
        $Type:ident $(from $Init:ident)?
        $( () $($unit:lifetime)? )?
        $( ( $($param:ident : $Param:ty),+ $(,)? ) )?
        {
            $(header $([$($style:ident)+])? $key:literal $(: $(#[$old:meta])? $Optional:ty)?
                => $field:ident $(? $($opt:lifetime)?)? $(where $rules:tt)?),* $(,)?
        }
    ) => {
        $crate::__constructor! {
            $Type $(from $Init)? $( () $($unit)? )? $( ( $($param : $Param),+ ) )?
            { $( $( $field $($opt)? , )? )* }
            { $( $( $field: $(#[$old])? $Optional, )? )* }
        }

        const _: () = $crate::private::distinct_headers(&[$($key),*]);

        #[allow(deprecated)]
        impl $crate::ResponseHeaders for $Type {
            #[inline]
            fn encode(&self, response: &mut $crate::ResponseEncoder) {
                $(response.header_as(
                    $crate::ParameterStyle::header() $($(.$style())+)?, $key, &self.$field,
                );)*
            }

            #[inline]
            fn decode(
                response: &$crate::ResponseDecoder,
            ) -> ::core::result::Result<Self, $crate::DecodeError> {
                ::core::result::Result::Ok(Self {
                    $($field: response $(.under($crate::__rules! $rules))? .header_as(
                        $crate::ParameterStyle::header() $($(.$style())+)?, $key,
                    )?,)*
                })
            }
        }
    };
}
