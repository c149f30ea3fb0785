//! The macros of objects.

/// Describes a struct as a JSON object: its constructor, and one line a field.
///
/// ```
/// use bothends_runtime::{Json, Map, Maybe, object};
///
/// #[derive(Debug, Clone, PartialEq)]
/// pub struct Pet {
///     pub id: i64,
///     pub tag: Option<String>,
///     pub note: Maybe<String>,
///     pub extra: Map<Json>,
/// }
/// object! {
///     Pet(id: i64) {
///         "id" => id,
///         "tag" => tag?,
///         "note" => note?,
///         ..extra
///     }
/// }
///
/// let pet: Pet = serde_json::from_str(r#"{"id": 1, "note": null, "age": 3}"#).unwrap();
/// assert_eq!(pet.note, Maybe::Null);
/// assert_eq!(serde_json::to_string(&pet).unwrap(), r#"{"id":1,"note":null,"age":3}"#);
/// ```
///
/// - `Pet(id: i64)` gives `Pet::new(id)`; it names every field without a mark. `Pet()` gives `new()`
///   and `Default`; `Pet` alone gives no constructor.
/// - `?` after a field: it may be absent, and is `Option` or [`Maybe`](crate::Maybe).
/// - `!` after a field: its type has one value, its default, so `new` does not ask for it.
/// - `..extra` keeps unknown properties in a [`Map`](crate::Map).
/// - `Pet(id: i64) closed { … }` refuses unknown properties.
#[macro_export]
macro_rules! object {
    (
        $Type:ident
        $( () $($unit:lifetime)? )?
        $( ( $($param:ident : $Param:ty),+ $(,)? ) )?
        $($closed:ident)?
        {
            $($key:literal => $field:ident $(? $($opt:lifetime)?)? $(! $($fix:lifetime)?)?),*
            $(,)?
            $(.. $extra:ident $(,)?)?
        }
    ) => {
        $crate::__constructor! {
            $Type $( () $($unit)? )? $( ( $($param : $Param),+ ) )?
            { $( $( $field $($opt)? , )? $( $field $($fix)? , )? )* $($extra ,)? }
        }

        #[allow(deprecated)]
        impl $crate::private::Object for $Type {
            const META: &'static $crate::private::Meta = &$crate::private::Meta {
                name: ::core::stringify!($Type),
                keys: &[$($key),*],
                optional: &[$(0 $(| 1 $($opt)?)?),*],
                closed: &[$(::core::stringify!($closed))?],
                open: &[$(::core::stringify!($extra))?],
            };

            fn read<'de, A: $crate::serde::de::MapAccess<'de>>(
                map: A,
            ) -> ::core::result::Result<Self, A::Error> {
                $(let mut $field = ::core::option::Option::None;)*
                $(let mut $extra = $crate::Map::default();)?
                $crate::private::fill(
                    map,
                    Self::META,
                    &mut [$(&mut $field),*],
                    &mut [$(&mut $extra)?],
                )?;
                match ($($field $(.or_else($crate::private::some_default) $($opt)?)?,)*) {
                    ($(::core::option::Option::Some($field),)*) => {
                        ::core::result::Result::Ok(Self { $($field,)* $($extra,)? })
                    }
                    _ => ::core::result::Result::Err($crate::private::unfilled()),
                }
            }
        }

        impl $crate::private::Shape for $Type {
            fn outline() -> $crate::private::Outline {
                $crate::private::Outline::Object(<Self as $crate::private::Object>::META)
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $Type {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                $crate::private::read(deserializer)
            }
        }

        #[allow(deprecated)]
        impl $crate::serde::Serialize for $Type {
            fn serialize<S: $crate::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::private::write(serializer, <Self as $crate::private::Object>::META)
                    $(.rest(&self.$extra))?
                    .fields(&[$(&$($crate::private::May $($opt)?)? (&self.$field)),*])
            }
        }
    };
}

/// The constructor of a struct with serde's derive, as [`object!`](crate::object) would make it.
///
/// ```
/// use bothends_runtime::construct;
///
/// #[derive(Debug, Clone, PartialEq)]
/// pub struct Pet {
///     pub id: i64,
///     pub tag: Option<String>,
/// }
/// construct! { Pet(id: i64) { id, tag? } }
///
/// assert_eq!(Pet::new(1).tag, None);
/// ```
#[macro_export]
macro_rules! construct {
    (
        $Type:ident
        $( () $($unit:lifetime)? )?
        $( ( $($param:ident : $Param:ty),+ $(,)? ) )?
        { $($field:ident $(? $($opt:lifetime)?)?),* $(,)? }
    ) => {
        $crate::__constructor! {
            $Type $( () $($unit)? )? $( ( $($param : $Param),+ ) )?
            { $( $( $field $($opt)? , )? )* }
        }

        impl $crate::private::Shape for $Type {
            fn outline() -> $crate::private::Outline {
                $crate::private::Outline::AnyObject
            }
        }
    };
}

/// `new`, and `Default` where nothing is required.
#[doc(hidden)]
#[macro_export]
macro_rules! __constructor {
    ($Type:ident { $($rest:ident,)* }) => {};
    ($Type:ident () { $($rest:ident,)* }) => {
        impl $Type {
            /// With nothing set.
            #[allow(deprecated)]
            pub fn new() -> Self {
                Self { $($rest: ::core::default::Default::default(),)* }
            }
        }

        impl ::core::default::Default for $Type {
            fn default() -> Self {
                Self::new()
            }
        }
    };
    ($Type:ident ($($param:ident : $Param:ty),+) { $($rest:ident,)* }) => {
        impl $Type {
            /// With what is required, and nothing else set.
            #[allow(deprecated)]
            pub fn new($($param: $Param),+) -> Self {
                Self { $($param,)+ $($rest: ::core::default::Default::default(),)* }
            }
        }
    };
}
