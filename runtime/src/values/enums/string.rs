//! Enums of strings.

use super::{Unrecognized, UnrecognizedError};
use crate::values::outline::Outline;
use crate::values::read::{Kind, State};
use serde::de::{Deserializer, Error, Unexpected, Visitor};
use std::fmt;

/// An enum that [`string_enum!`](crate::string_enum) describes.
pub trait StringEnum: Sized {
    /// The Rust name of the type.
    const NAME: &'static str;
    /// The listed values.
    const KNOWN: &'static [&'static str];
    /// Returns the variant of a listed value.
    fn known(text: &str) -> Option<Self>;
}

/// An open enum: keeps unlisted values.
pub trait OpenEnum: StringEnum {
    /// Creates the variant of an unlisted value.
    fn unrecognized(value: Unrecognized) -> Self;
}

/// Converts a text to a value of an open enum.
pub fn open_from<T: OpenEnum>(text: &str) -> T {
    T::known(text).unwrap_or_else(|| T::unrecognized(Unrecognized(text.into())))
}

/// Parses a text as a value of a closed enum.
pub fn parse_closed<T: StringEnum>(text: &str) -> Result<T, UnrecognizedError> {
    T::known(text).ok_or_else(|| UnrecognizedError::new(T::NAME, text, T::KNOWN))
}

/// The kind of a closed enum.
#[derive(Debug)]
pub enum Words {}

impl<T: StringEnum> Kind<T> for Words {
    fn decode<'de, D: Deserializer<'de>>(
        deserializer: D,
        state: &State<'_>,
    ) -> Result<T, D::Error> {
        deserializer.deserialize_str(EnumVisitor {
            known: T::KNOWN,
            find: T::known,
            other: None,
            state,
        })
    }

    fn outline() -> Outline {
        Outline::Values {
            known: T::KNOWN,
            open: false,
        }
    }
}

/// The kind of an open enum.
#[derive(Debug)]
pub enum OpenWords {}

impl<T: OpenEnum> Kind<T> for OpenWords {
    const IS_OPEN: bool = true;

    fn decode<'de, D: Deserializer<'de>>(
        deserializer: D,
        state: &State<'_>,
    ) -> Result<T, D::Error> {
        deserializer.deserialize_str(EnumVisitor {
            known: T::KNOWN,
            find: T::known,
            other: Some(T::unrecognized),
            state,
        })
    }

    fn outline() -> Outline {
        Outline::Values {
            known: T::KNOWN,
            open: true,
        }
    }
}

/// The visitor of a listed string, or of any string of an open enum.
struct EnumVisitor<'s, 't, T, F> {
    known: &'static [&'static str],
    find: F,
    other: Option<fn(Unrecognized) -> T>,
    state: &'s State<'t>,
}

impl<T, F: Fn(&str) -> Option<T>> Visitor<'_> for EnumVisitor<'_, '_, T, F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        match ((self.find)(text), self.other) {
            (Some(known), _) => Ok(known),
            (None, Some(other)) => {
                // Another variant of a union may list the value.
                self.state.lose_unlisted();
                Ok(other(Unrecognized(text.into())))
            }
            (None, None) => Err(E::unknown_variant(text, self.known)),
        }
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<T, E> {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.visit_str(text),
            Err(_) => Err(E::invalid_value(Unexpected::Bytes(bytes), &self)),
        }
    }
}

/// Deserializes one of the listed strings.
pub(crate) fn read_word<'de, D: Deserializer<'de>>(
    deserializer: D,
    state: &State<'_>,
    known: &'static [&'static str],
) -> Result<(), D::Error> {
    deserializer.deserialize_str(EnumVisitor {
        known,
        find: |text: &str| known.contains(&text).then_some(()),
        other: None,
        state,
    })
}

/// Describes an enum of strings: closed, or open with a variant for unlisted values.
///
/// Values are in the order of their strings. A derived order would be that of the variants, which a
/// document may change without a change of its values.
///
/// ```
/// use bothends_runtime::{Unrecognized, string_enum};
///
/// #[derive(Debug, Clone, PartialEq, Hash)]
/// #[non_exhaustive]
/// pub enum Status {
///     Completed,
///     Failed,
///     Unrecognized(Unrecognized),
/// }
/// string_enum! { Status, Unrecognized { Completed => "Completed", Failed => "Failed" } }
///
/// assert_eq!(Status::from("Failed"), Status::Failed);
/// assert_eq!(Status::from("Held").as_str(), "Held");
///
/// #[derive(Debug, Clone, Copy, PartialEq, Hash)]
/// pub enum Color {
///     Red,
///     Blue,
/// }
/// string_enum! { Color { Red => "red", Blue => "blue" } }
///
/// assert_eq!("blue".parse(), Ok(Color::Blue));
/// assert!(Color::try_from("green").is_err());
/// assert_eq!(Color::VALUES, ["red", "blue"]);
/// assert!(Color::Blue < Color::Red);
/// ```
#[macro_export]
macro_rules! string_enum {
    ($Type:ident { $($Variant:ident => $value:literal),* $(,)? }) => {
        $crate::__string_enum! { $Type [&'static str] { $($Variant => $value,)* } }

        impl ::core::convert::TryFrom<&str> for $Type {
            type Error = $crate::UnrecognizedError;

            #[inline]
            fn try_from(text: &str) -> ::core::result::Result<Self, $crate::UnrecognizedError> {
                $crate::private::parse_closed(text)
            }
        }

        impl ::core::str::FromStr for $Type {
            type Err = $crate::UnrecognizedError;

            #[inline]
            fn from_str(text: &str) -> ::core::result::Result<Self, $crate::UnrecognizedError> {
                $crate::private::parse_closed(text)
            }
        }

        $crate::__read! { $Type as Words }

        impl $crate::Validate for $Type {}
    };
    (
        $Type:ident, $Other:ident $(where [$($rule:expr),*])?
        { $($Variant:ident => $value:literal),* $(,)? }
    ) => {
        $crate::__string_enum! { $Type [&str] { $($Variant => $value,)* } $Other }

        impl $crate::private::OpenEnum for $Type {
            #[inline]
            fn unrecognized(value: $crate::Unrecognized) -> Self {
                Self::$Other(value)
            }
        }

        impl ::core::convert::From<&str> for $Type {
            #[inline]
            fn from(text: &str) -> Self {
                $crate::private::open_from(text)
            }
        }

        impl ::core::convert::From<::std::string::String> for $Type {
            #[inline]
            fn from(text: ::std::string::String) -> Self {
                $crate::private::open_from(&text)
            }
        }

        impl ::core::str::FromStr for $Type {
            type Err = ::core::convert::Infallible;

            #[inline]
            fn from_str(text: &str) -> ::core::result::Result<Self, ::core::convert::Infallible> {
                ::core::result::Result::Ok($crate::private::open_from(text))
            }
        }

        $crate::__read! { $Type as OpenWords $(where [$($rule),*])? }

        impl $crate::Validate for $Type {
            $(#[inline]
            fn check(&self, _: &[$crate::Rule], checker: &mut $crate::private::Checker) {
                if let Self::$Other(_) = self {
                    checker.unknown($crate::__rules![$($rule),*]);
                }
            })?
        }
    };
}

/// The common implementation of open and closed enums.
#[doc(hidden)]
#[macro_export]
macro_rules! __string_enum {
    ($Type:ident [$Text:ty] { $($Variant:ident => $value:literal,)* } $($Other:ident)?) => {
        impl $Type {
            /// The values that the document lists.
            pub const VALUES: &'static [&'static str] = &[$($value),*];

            /// Returns the value on the wire.
            #[allow(deprecated)]
            #[inline]
            pub const fn as_str(&self) -> $Text {
                match self {
                    $(Self::$Variant => $value,)*
                    $(Self::$Other(value) => value.as_str(),)?
                }
            }
        }

        impl $crate::private::StringEnum for $Type {
            const NAME: &'static str = ::core::stringify!($Type);
            const KNOWN: &'static [&'static str] = Self::VALUES;

            #[allow(deprecated)]
            #[deny(unreachable_patterns)]
            #[inline]
            fn known(text: &str) -> ::core::option::Option<Self> {
                ::core::option::Option::Some(match text {
                    $($value => Self::$Variant,)*
                    _ => return ::core::option::Option::None,
                })
            }
        }

        impl ::core::cmp::Eq for $Type {}

        impl ::core::cmp::PartialOrd for $Type {
            #[inline]
            fn partial_cmp(&self, other: &Self) -> ::core::option::Option<::core::cmp::Ordering> {
                ::core::option::Option::Some(::core::cmp::Ord::cmp(self, other))
            }
        }

        impl ::core::cmp::Ord for $Type {
            #[inline]
            fn cmp(&self, other: &Self) -> ::core::cmp::Ordering {
                ::core::cmp::Ord::cmp(self.as_str(), other.as_str())
            }
        }

        impl ::core::fmt::Display for $Type {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl ::core::convert::AsRef<str> for $Type {
            #[inline]
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl $crate::serde::Serialize for $Type {
            #[inline]
            fn serialize<S: $crate::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    };
}
