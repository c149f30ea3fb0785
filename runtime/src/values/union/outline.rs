//! Outlines: what is known of the values of a type, for selecting variants of a union.

use crate::values::table::Meta;
use crate::values::{Base64, Binary, Bytes, Json, Map, Nullable};

/// The outline of the values of a type.
#[derive(Debug, Clone, Copy)]
pub enum Outline {
    /// Any value.
    Any,
    /// Null.
    Null,
    /// A boolean.
    Bool,
    /// An integer.
    Integer,
    /// A number.
    Number,
    /// A string.
    String,
    /// A string of a format, which the function checks.
    Formatted(fn(&str) -> bool),
    /// A listed string.
    Values {
        /// The listed strings.
        known: &'static [&'static str],
        /// Whether unlisted strings are accepted.
        open: bool,
    },
    /// A listed scalar.
    Literals {
        /// The listed scalars.
        known: fn() -> Vec<Json>,
        /// Whether unlisted scalars are accepted.
        open: bool,
    },
    /// An array with this outline of its items.
    List(fn() -> Outline),
    /// An array of this length.
    Tuple(usize),
    /// An object with a table.
    Object(&'static Meta),
    /// Any object.
    AnyObject,
    /// An object of any keys with this outline of its values.
    Map(fn() -> Outline),
    /// An object with a discriminator property.
    Tagged {
        /// The property.
        key: &'static str,
        /// The values of each variant.
        values: &'static [&'static [&'static str]],
        /// For each variant, 1 if it accepts unlisted values.
        others: &'static [u8],
        /// Whether an object with an unlisted value is kept.
        open: bool,
    },
    /// Null, or a value with this outline.
    Nullable(fn() -> Outline),
    /// A value with one of these outlines.
    OneOf(fn() -> Vec<Outline>),
}

/// A type whose outline is known.
///
/// The macros implement this trait for every type they describe.
pub trait Shape {
    /// Returns the outline.
    fn outline() -> Outline;
}

/// Returns the outline of a variant's type.
pub fn shape_of<T: Shape, E>(_: fn(T) -> E) -> Outline {
    T::outline()
}

macro_rules! shapes {
    ($($outline:ident: $($Type:ty),*;)*) => {
        $($(impl Shape for $Type {
            fn outline() -> Outline {
                Outline::$outline
            }
        })*)*
    };
}

shapes! {
    Null: ();
    Bool: bool;
    Integer: i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize;
    Number: f32, f64;
    String: String, Binary, Bytes;
    Any: Json;
}

impl Shape for Base64 {
    fn outline() -> Outline {
        Outline::Formatted(|text| Self::parse(text).is_ok())
    }
}

impl<T: Shape> Shape for Option<T> {
    fn outline() -> Outline {
        Outline::Nullable(T::outline)
    }
}

impl<T: Shape> Shape for Nullable<T> {
    fn outline() -> Outline {
        Outline::Nullable(T::outline)
    }
}

// A `Box` makes types recursive only through an enum, a list or an option, all of which compute the
// inner outline lazily.
impl<T: Shape> Shape for Box<T> {
    fn outline() -> Outline {
        T::outline()
    }
}

impl<T: Shape> Shape for Vec<T> {
    fn outline() -> Outline {
        Outline::List(T::outline)
    }
}

impl<T: Shape> Shape for Map<T> {
    fn outline() -> Outline {
        Outline::Map(T::outline)
    }
}

macro_rules! tuples {
    ($($count:literal: $($T:ident)*;)*) => {
        $(impl<$($T),*> Shape for ($($T,)*) {
            fn outline() -> Outline {
                Outline::Tuple($count)
            }
        })*
    };
}

tuples! {
    1: A;
    2: A B;
    3: A B C;
    4: A B C D;
    5: A B C D E;
    6: A B C D E F;
    7: A B C D E F G;
    8: A B C D E F G H;
    9: A B C D E F G H I;
    10: A B C D E F G H I J;
    11: A B C D E F G H I J K;
    12: A B C D E F G H I J K L;
}

macro_rules! addresses {
    ($($Type:ty),*) => {
        $(impl Shape for $Type {
            fn outline() -> Outline {
                Outline::Formatted(|text| text.parse::<Self>().is_ok())
            }
        })*
    };
}

addresses!(std::net::IpAddr, std::net::Ipv4Addr, std::net::Ipv6Addr);

#[cfg(feature = "uuid")]
impl Shape for uuid::Uuid {
    fn outline() -> Outline {
        Outline::Formatted(|text| Self::try_parse(text).is_ok())
    }
}

#[cfg(feature = "jiff")]
mod jiff_types {
    use super::{Outline, Shape};

    macro_rules! formatted {
        ($($Type:ty),*) => {
            $(impl Shape for $Type {
                fn outline() -> Outline {
                    Outline::Formatted(|text| text.parse::<Self>().is_ok())
                }
            })*
        };
    }

    formatted!(
        crate::values::DateTime,
        jiff::Timestamp,
        jiff::Zoned,
        jiff::Span,
        jiff::SignedDuration,
        jiff::civil::Date,
        jiff::civil::Time,
        jiff::civil::DateTime
    );
}
