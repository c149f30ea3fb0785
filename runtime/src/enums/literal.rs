//! Enums of JSON scalars that are not all strings.

use super::UnknownValue;
use crate::Json;
use crate::decimal::Decimal;
use crate::union::Buffered;
use crate::wire::{Node, WireError, expect};
use crate::wire::read::one_of;
use serde::de::Deserializer;

/// An enum that [`literal_enum!`](crate::literal_enum) describes.
pub trait LiteralEnum: Copy + 'static {
    /// The Rust name of the type.
    const NAME: &'static str;
    /// All of them.
    const ALL: &'static [Self];
    /// The value on the wire.
    fn json(self) -> Json;
}

/// What can be written as a literal.
pub trait Literal {
    /// As JSON.
    fn json(self) -> Json;
}

impl Literal for i128 {
    fn json(self) -> Json {
        if let Ok(small) = i64::try_from(self) {
            Json::from(small)
        } else if let Ok(large) = u64::try_from(self) {
            Json::from(large)
        } else {
            #[allow(clippy::cast_precision_loss)]
            Json::from(self as f64)
        }
    }
}

impl Literal for f64 {
    fn json(self) -> Json {
        Json::from(self)
    }
}

impl Literal for bool {
    fn json(self) -> Json {
        Json::from(self)
    }
}

impl Literal for &str {
    fn json(self) -> Json {
        Json::from(self)
    }
}

impl Literal for () {
    fn json(self) -> Json {
        Json::Null
    }
}

/// A literal as JSON.
pub fn literal(value: impl Literal) -> Json {
    value.json()
}

/// The text of a scalar: that of a string without quotes.
pub fn literal_text(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The value whose text this is; a number however it is written.
fn find_text<T: LiteralEnum>(text: &str) -> Option<T> {
    let exact = |of: &&T| literal_text(&of.json()) == text;
    let same = |of: &&T| same_text(&of.json(), text);
    let found = T::ALL.iter().find(exact);
    found.or_else(|| T::ALL.iter().find(same)).copied()
}

/// The value whose text this is.
pub fn parse_literal<T: LiteralEnum>(text: &str) -> Result<T, UnknownValue> {
    find_text(text).ok_or_else(|| UnknownValue::new(T::NAME, text, &[]))
}

/// Reads a value; where everything is text, as in a query, the text counts.
pub fn read_literal<'de, T: LiteralEnum, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    // No object is one.
    expect(Vec::new);
    let held = Buffered::read(deserializer)?;
    let found = match held.node() {
        Node::Text(text) if held.is_text() => find_text(text),
        node => {
            let is = |of: &&T| node.is_literal(&of.json(), false);
            T::ALL.iter().find(is).copied()
        }
    };
    found.ok_or_else(|| {
        let known = T::ALL.iter().map(|value| value.json());
        held.error(WireError::new(one_of(known)).into())
    })
}

/// Whether two scalars are the same: a number is its value, however it is written.
pub(crate) fn same(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Number(one), Json::Number(other)) => {
            one == other || Decimal::parse(&one.to_string()) == Decimal::parse(&other.to_string())
        }
        _ => one == other,
    }
}

/// Whether a text is a number, and this one.
pub(crate) fn same_text(one: &Json, text: &str) -> bool {
    let Json::Number(number) = one else {
        return false;
    };
    let number = Decimal::parse(&number.to_string());
    number.is_some() && number == Decimal::parse(text)
}

/// Describes an enum of JSON scalars that are not all strings.
///
/// ```
/// use bothends_runtime::literal_enum;
///
/// #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
/// pub enum Level {
///     One,
///     Half,
///     On,
///     Word,
///     Nothing,
/// }
/// literal_enum! { Level { One => 1, Half => -2.5, On => true, Word => "x", Nothing => null } }
///
/// assert_eq!(serde_json::from_str::<Level>("-2.5").unwrap(), Level::Half);
/// assert_eq!("1".parse(), Ok(Level::One));
/// assert_eq!(Level::On.to_json(), true);
/// ```
#[macro_export]
macro_rules! literal_enum {
    ($Type:ident { $($Variant:ident => $value:expr),* $(,)? }) => {
        impl $Type {
            /// The values that the document lists.
            #[allow(deprecated)]
            pub const VALUES: &'static [Self] = &[$(Self::$Variant),*];

            /// The value as it is on the wire.
            #[allow(deprecated, non_upper_case_globals, unused)]
            pub fn to_json(&self) -> $crate::Json {
                const null: () = ();
                match self {
                    $(Self::$Variant => $crate::private::literal($value),)*
                }
            }
        }

        impl $crate::private::LiteralEnum for $Type {
            const NAME: &'static str = ::core::stringify!($Type);
            const ALL: &'static [Self] = Self::VALUES;

            fn json(self) -> $crate::Json {
                self.to_json()
            }
        }

        impl ::core::fmt::Display for $Type {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(&$crate::private::literal_text(&self.to_json()))
            }
        }

        impl ::core::str::FromStr for $Type {
            type Err = $crate::UnknownValue;

            fn from_str(text: &str) -> ::core::result::Result<Self, $crate::UnknownValue> {
                $crate::private::parse_literal(text)
            }
        }

        impl $crate::serde::Serialize for $Type {
            fn serialize<S: $crate::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::serde::Serialize::serialize(&self.to_json(), serializer)
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $Type {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                $crate::private::read_literal(deserializer)
            }
        }

        impl $crate::Validate for $Type {}

        impl $crate::private::Shape for $Type {
            fn outline() -> $crate::private::Outline {
                $crate::private::Outline::Literals(|| {
                    Self::VALUES.iter().map(Self::to_json).collect()
                })
            }
        }
    };
}
