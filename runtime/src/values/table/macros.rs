//! The macros of objects.

/// Describes a struct as a JSON object: its constructor, and a row for each field.
///
/// ```
/// use bothends_runtime::{Json, Map, Nullable, object};
///
/// #[derive(Debug, Clone, PartialEq)]
/// pub struct Pet {
///     pub id: i64,
///     pub tag: Option<String>,
///     pub note: Nullable<String>,
///     pub extra: Map<Json>,
/// }
/// object! {
///     Pet(id: i64) {
///         "id" => id,
///         "tag": String => tag?,
///         "note": String => note?,
///         ..extra
///     }
/// }
///
/// let pet: Pet = serde_json::from_str(r#"{"id": 1, "note": null, "age": 3}"#).unwrap();
/// assert_eq!(pet.note, Nullable::Null);
/// assert_eq!(serde_json::to_string(&pet).unwrap(), r#"{"id":1,"note":null,"age":3}"#);
/// ```
///
/// - `Pet(id: i64)` adds `Pet::new(id)`; it lists every field without a mark. `Pet()` adds `new()`
///   and `Default`; `Pet` alone adds no constructor.
/// - `Pet from PetInit(id: i64, age: i64)` adds the struct `PetInit`, whose fields are those without
///   a mark, and `From<PetInit>`: a call states the name of each value, so that no two of one type
///   are exchanged.
/// - `?` after a field: the field is optional, and is an `Option` or [`Nullable`](crate::Nullable).
///   With a type before the arrow, `"tag": String => tag?`, it has a setter:
///   `Pet::new(1).tag("x")`. An attribute before the type, `"tag": #[deprecated] String => tag?`, is
///   one of the setter.
/// - `or none` after a field: the field is a date, and is absent if a response contains an invalid
///   date.
/// - `"object" = "list"`: the property always has this value, a string, a number or a boolean. It has
///   no field; another value is an error.
/// - `!` after a field: its type has one value, its default, so the field is no parameter of `new`.
/// - `unchecked` after a field: its type has only serde's traits. With `as (String where [max_length(50)])` a
///   server checks the value as this type, by these rules, before the type of the field is read.
/// - `..extra` keeps unknown properties in a [`Map`](crate::Map).
/// - `Pet(id: i64) closed { … }` rejects unknown properties.
/// - `Pet(id: i64) derived { … }`: the traits of serde are derived, and the table serves this crate.
/// - `where [max_length(50)]` after a field: the [rules](crate::rules) that
///   [`Validate`](crate::Validate) checks. The rules of additional properties follow `..extra`, and
///   those of the object as a whole precede the rows:
///   `Pet(id: i64) where [min_properties(1)] { … }`.
#[macro_export]
macro_rules! object {
    (
        $Type:ident $(from $Init:ident)?
        $( () $($unit:lifetime)? )?
        $( ( $($param:ident : $Param:ty),+ $(,)? ) )?
        $(closed $($closed:lifetime)?)?
        $(derived $($derived:lifetime)?)?
        $(where [$($whole:expr),*])?
        {
            $($key:literal $(= $constant:literal)? $($(: $(#[$old:meta])? $Optional:ty)?
                => $field:ident $(? $($opt:lifetime)?)? $(! $($fix:lifetime)?)?
                $(or $or:ident)? $(unchecked $($un:lifetime)?)?
                $(as ($Own:ty $(where [$($own:expr),*])?))? $(where [$($rule:expr),*])?)?),*
            $(,)?
            $(.. $extra:ident $(unchecked $($une:lifetime)?)?
                $(as ($OwnEach:ty $(where [$($own_each:expr),*])?))?
                $(where [$($each:expr),*])? $(,)?)?
        }
    ) => {
        $crate::__constructor! {
            $Type $(from $Init)? $( () $($unit)? )? $( ( $($param : $Param),+ ) )?
            { $($( $( $field $($opt)? , )? $( $field $($fix)? , )? )?)* $($extra ,)? }
            { $($( $( $field: $(#[$old])? $Optional, )? )?)* }
        }

        #[allow(deprecated)]
        impl $crate::private::Object for $Type {
            const META: &'static $crate::private::Meta = &$crate::private::Meta {
                name: ::core::stringify!($Type),
                keys: $crate::private::distinct(&[$($key),*]),
                plain: $crate::private::are_plain(&[$($key),*]),
                constants: &[$($(
                    ($key, $crate::private::text_of(::core::stringify!($constant))),
                )?)*],
                optional: &[$(0 $($(| 1 $($opt)?)?)?),*],
                closed: &[$("closed" $($closed)?)?],
                open: &[$(::core::stringify!($extra))?],
                derived: false $(|| true $($derived)?)?,
            };

            $crate::__sampled! {
                const ROWS: &'static $crate::private::Rows = &$crate::private::Rows {
                    rows: &[$(
                        $($crate::__place!(= $constant))?
                        $($crate::__place!(
                            $field $(? $($opt)?)? $(unchecked $($un)?)?
                            $(as ([$Own] [$($($own),*)?]))? [$($($rule),*)?]
                        ))?
                    ),*],
                    rest: &[$($crate::__place!(
                        .. $extra $(unchecked $($une)?)?
                        $(as ([$OwnEach] [$($($own_each),*)?]))? [$($($each),*)?]
                    ))?],
                    whole: $crate::__rules![$($($whole),*)?],
                };
            }

            #[inline]
            #[allow(unused_mut)]
            fn read<'de, A: $crate::serde::de::MapAccess<'de>>(
                map: A,
                state: &$crate::private::State<'_>,
            ) -> ::core::result::Result<Self, A::Error> {
                $($(let mut $field = ::core::option::Option::None;)?)*
                // The slots below are checked sooner if the compiler knows the types here.
                $($(let mut $param: ::core::option::Option<$Param> = $param;)+)?
                $(let mut $extra = $crate::Map::default();)?
                let whole = $crate::private::fill(
                    map,
                    Self::META,
                    &mut [$(
                        $(&mut $crate::private::constant(&[$constant]))?
                        $(&mut $($crate::private::$or)? (
                            $($crate::private::Unchecked $($un)?)? (
                                $($crate::private::Leave $($opt)?)? (&mut $field)
                            ) $(.schema($crate::__schema!([$Own] [$($($own),*)?])))?
                        ))?
                    ),*],
                    &mut [$(
                        &mut $($crate::private::Unchecked $($une)?)? (&mut $extra)
                            $(.schema($crate::__schema!([$OwnEach] [$($($own_each),*)?])))?
                    )?],
                    state,
                )?;
                let whole = $crate::__check_fields! {
                    whole state
                    { $($( $key $field $($($un)? unchecked)? [$($($rule),*)?] )?)* }
                    $( $extra $($($une)? unchecked)? [$($($each),*)?] )?
                };
                match ($($($(::core::option::Option::Some $($opt)?)? ($field $(.unwrap_or_default() $($opt)?)?),)?)*) {
                    ($($(::core::option::Option::Some($field),)?)*) => {
                        let value = Self { $($($field,)?)* $($extra,)? };
                        $crate::__check_whole! { whole state value $([$($whole),*])? }
                        ::core::result::Result::Ok(value)
                    }
                    _ => ::core::result::Result::Err($crate::private::unfilled()),
                }
            }

            #[inline]
            fn emit<W: $crate::private::Sink>(&self, sink: W) -> W::Out {
                $crate::private::Sink::fields(
                    sink $(.rest(&self.$extra))?,
                    &[$(
                        $(&$crate::private::constant(&[$constant]))?
                        $(&$($crate::private::May $($opt)?)? (&self.$field))?
                    ),*],
                )
            }
        }

        impl $crate::private::Value for $Type {
            type Kind = $crate::private::Table;
        }

        $crate::__validate! {
            $Type $([$($whole),*])?
            { $($( $key $field $($($un)? unchecked)? [$($($rule),*)?] )?)* }
            $( $extra $($($une)? unchecked)? [$($($each),*)?] )?
        }

        $crate::__serde! { $Type $(derived $($derived)?)? }
    };
}

/// `Deserialize` of a type that implements `Value`, and `Value` itself if a kind is named.
#[doc(hidden)]
#[macro_export]
macro_rules! __read {
    ($Type:ident as $Kind:ident $(where [$($rule:expr),*])?) => {
        $crate::__read! { $Type }

        impl $crate::private::Value for $Type {
            type Kind = $crate::private::$Kind;

            $($crate::__sampled! {
                const RULES: &'static [$crate::Rule] = $crate::__rules![$($rule),*];
            })?
        }
    };
    ($Type:ident) => {
        impl<'de> $crate::serde::Deserialize<'de> for $Type {
            #[inline]
            fn deserialize<D: $crate::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                $crate::private::read(deserializer)
            }
        }
    };
}

/// The traits of serde, unless they are derived.
#[doc(hidden)]
#[macro_export]
macro_rules! __serde {
    ($Type:ident derived) => {};
    ($Type:ident) => {
        $crate::__read! { $Type }

        impl $crate::serde::Serialize for $Type {
            #[inline]
            fn serialize<S: $crate::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::private::write(self, serializer)
            }
        }
    };
}

/// `new`, `Default` if no field is required, and a setter for each field that has a type.
#[doc(hidden)]
#[macro_export]
macro_rules! __constructor {
    ($Type:ident { $($rest:ident,)* } { $($set:tt)* }) => {
        $crate::__setters! { $Type { $($set)* } }
    };
    ($Type:ident () { $($rest:ident,)* } { $($set:tt)* }) => {
        impl $Type {
            /// Creates an empty value: every field is optional.
            #[inline]
            #[allow(deprecated)]
            pub fn new() -> Self {
                Self { $($rest: ::core::default::Default::default(),)* }
            }
        }

        impl ::core::default::Default for $Type {
            #[inline]
            fn default() -> Self {
                Self::new()
            }
        }

        $crate::__setters! { $Type { $($set)* } }
    };
    (
        $Type:ident from $Init:ident ($($param:ident : $Param:ty),+)
        { $($rest:ident,)* } { $($set:tt)* }
    ) => {
        #[doc = ::core::concat!(
            "The required fields of [`", ::core::stringify!($Type), "`], which is created from them."
        )]
        pub struct $Init {
            $(
                #[doc = ::core::concat!(
                    "The value of [`", ::core::stringify!($param), "`](", ::core::stringify!($Type),
                    "#structfield.", ::core::stringify!($param), ")."
                )]
                pub $param: $Param,
            )+
        }

        impl ::core::convert::From<$Init> for $Type {
            #[inline]
            #[allow(deprecated)]
            fn from(init: $Init) -> Self {
                Self {
                    $($param: init.$param,)+
                    $($rest: ::core::default::Default::default(),)*
                }
            }
        }

        $crate::__setters! { $Type { $($set)* } }
    };
    (
        $Type:ident ($first:ident : $First:ty $(, $param:ident : $Param:ty)*)
        { $($rest:ident,)* } { $($set:tt)* }
    ) => {
        impl $Type {
            #[doc = ::core::concat!(
                "Creates a value from [`", ::core::stringify!($first), "`](#structfield.",
                ::core::stringify!($first), ")", $(
                    ", [`", ::core::stringify!($param), "`](#structfield.",
                    ::core::stringify!($param), ")",
                )*
                ". Setters set the optional fields."
            )]
            #[inline]
            #[allow(deprecated, clippy::too_many_arguments)]
            pub fn new($first: $First $(, $param: $Param)*) -> Self {
                Self { $first, $($param,)* $($rest: ::core::default::Default::default(),)* }
            }
        }

        $crate::__setters! { $Type { $($set)* } }
    };
}

/// Setters of optional fields.
#[doc(hidden)]
#[macro_export]
macro_rules! __setters {
    ($Type:ident {}) => {};
    ($Type:ident { $($field:ident : $(#[$old:meta])? $Optional:ty,)+ }) => {
        #[allow(deprecated)]
        impl $Type {
            $(
                #[doc = ::core::concat!(
                    "Sets [`", ::core::stringify!($field), "`](#structfield.",
                    ::core::stringify!($field), ")."
                )]
                $(#[$old])?
                #[must_use]
                #[inline]
                pub fn $field(mut self, $field: impl ::core::convert::Into<$Optional>) -> Self {
                    self.$field = ::core::convert::From::<$Optional>::from(
                        ::core::convert::Into::into($field),
                    );
                    self
                }
            )+
        }
    };
}
