//! The standard traits that types implement.

use super::{Primitive, TypeDef, TypeRef};

/// Traits that only some types implement. All types implement `Debug`, `Clone` and `PartialEq`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Traits {
    /// `Copy`
    pub copy: bool,
    /// `Default`, derived
    pub default: bool,
    /// `Eq`
    pub eq: bool,
    /// `PartialOrd` and `Ord`
    pub ord: bool,
    /// `Hash`
    pub hash: bool,
}

impl Traits {
    /// All traits except `Default`.
    pub const ALL: Self = Self {
        copy: true,
        ..Self::ORDERED
    };
    /// `Eq`, `Ord` and `Hash`.
    pub const ORDERED: Self = Self {
        ord: true,
        ..Self::HASHED
    };
    /// `Eq` and `Hash`.
    pub const HASHED: Self = Self {
        hash: true,
        ..Self::COMPARED
    };
    /// `Eq`.
    pub const COMPARED: Self = Self {
        eq: true,
        ..Self::NONE
    };
    /// No traits.
    pub const NONE: Self = Self {
        copy: false,
        default: false,
        eq: false,
        ord: false,
        hash: false,
    };

    /// Returns the traits that are in both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            copy: self.copy && other.copy,
            default: self.default && other.default,
            eq: self.eq && other.eq,
            ord: self.ord && other.ord,
            hash: self.hash && other.hash,
        }
    }
}

impl Primitive {
    /// Returns the traits of the Rust type. The traits of a user's type are unknown.
    #[must_use]
    pub fn traits(&self) -> Traits {
        match self {
            Self::Bool | Self::Null | Self::Uuid | Self::DateTime | Self::Date => Traits::ALL,
            Self::Ipv4 | Self::Ipv6 => Traits::ALL,
            Self::Number(name) if name.starts_with('f') => Traits {
                copy: true,
                ..Traits::NONE
            },
            Self::Number(_) => Traits::ALL,
            Self::String | Self::Base64 | Self::Bytes => Traits::ORDERED,
            Self::Json | Self::Binary => Traits::HASHED,
            Self::Custom(_) => Traits::NONE,
        }
    }
}

impl TypeRef {
    /// Returns the traits of the type, from the traits of the named types. A [`super::TypeId`] is
    /// an index into `types`.
    #[must_use]
    pub fn traits(&self, types: &[TypeDef]) -> Traits {
        let all = |parts: &mut dyn Iterator<Item = &Self>| {
            parts.fold(Traits::ALL, |all, ty| all.and(ty.traits(types)))
        };
        match self {
            Self::Named(id) => types
                .get(id.0 as usize)
                .map_or(Traits::NONE, |def| def.traits),
            Self::Primitive(primitive) => primitive.traits(),
            Self::Option(ty) | Self::Nullable(ty) | Self::JsonText(ty) => ty.traits(types),
            Self::Boxed(ty) | Self::Vec(ty) => ty.traits(types).and(Traits::ORDERED),
            Self::Map(ty) => ty.traits(types).and(Traits::COMPARED),
            Self::Tuple(parts) => all(&mut parts.iter()),
            Self::Prefix(prefix) => all(&mut prefix.parts()).and(Traits::HASHED),
            Self::Replaced(_) => Traits::NONE,
        }
    }
}
