//! What values of a type look like, as far as it takes to tell types apart.

use crate::table::Meta;
use crate::{Base64, Binary, Bytes, Json, Map, Nullable};

/// What values of a type look like.
#[derive(Debug, Clone, Copy)]
pub enum Outline {
    /// Anything at all.
    Any,
    /// Null.
    Null,
    /// True or false.
    Bool,
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// Any string.
    String,
    /// A string of a format, which the function checks.
    Formatted(fn(&str) -> bool),
    /// One of some strings.
    Values {
        /// The strings.
        known: &'static [&'static str],
        /// Whether others are taken too.
        open: bool,
    },
    /// One of some scalars.
    Literals {
        /// The scalars.
        known: fn() -> Vec<Json>,
        /// Whether others are taken too.
        open: bool,
    },
    /// A list of this.
    List(fn() -> Outline),
    /// A list of so many.
    Tuple(usize),
    /// An object with a table.
    Object(&'static Meta),
    /// An object of which nothing is known.
    AnyObject,
    /// An object of any keys with these values.
    Map(fn() -> Outline),
    /// An object with a tag.
    Tagged {
        /// The property.
        key: &'static str,
        /// Its values.
        values: &'static [&'static [&'static str]],
        /// For each variant, 1 when it takes other values too.
        others: &'static [u8],
        /// Whether an object with another tag is kept as it is.
        open: bool,
    },
    /// Null, or this.
    Nullable(fn() -> Outline),
    /// One of these.
    OneOf(fn() -> Vec<Outline>),
}

/// A type of which it is known what its values look like.
///
/// The macros implement it for every type they describe.
pub trait Shape {
    /// What they look like.
    fn outline() -> Outline;
}

/// The outline of what a variant holds.
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

// A box is how types recur, and only an enum, a list or an option can stand between: each of
// those asks for the rest later.
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
        crate::DateTime,
        jiff::Timestamp,
        jiff::Zoned,
        jiff::Span,
        jiff::SignedDuration,
        jiff::civil::Date,
        jiff::civil::Time,
        jiff::civil::DateTime
    );
}
