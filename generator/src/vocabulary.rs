//! Media types and extension keys that several stages know.

/// The keys of the names for the values of an enum.
pub(crate) const ENUM_NAMES: [&str; 3] = ["x-enum-varnames", "x-enumNames", "x-enum-names"];

/// The keys of the texts for the values of an enum.
pub(crate) const ENUM_TEXTS: [&str; 3] =
    ["x-enum-descriptions", "x-enumDescriptions", "x-enum-docs"];
