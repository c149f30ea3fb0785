//! Leniencies: deviations from the document that a server can accept.

#![cfg_attr(
    not(feature = "server"),
    allow(unreachable_pub, reason = "public in a server")
)]

use std::fmt;

/// A deviation of a request from the document that a server can accept, because widely used clients send it:
/// [`Router::leniency`](crate::server::Router::leniency).
///
/// A leniency applies only where the request has no other meaning by the document. Clients and receivers of webhooks
/// need no such settings: they accept these deviations in what they read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Leniency {
    /// Accepts `1`, `t`, `T`, `TRUE` and `True` for `true`, and `0`, `f`, `F`, `FALSE` and `False` for `false`, where
    /// the type is a boolean: in parameters and headers, forms and parts of multipart bodies.
    ///
    /// Go's `strconv.ParseBool` accepts the same texts. In a union, a variant that accepts the text as it is takes
    /// precedence. JSON bodies stay strict.
    BooleanTexts,
    /// Accepts null for an optional property, or an additional property, whose schema does not permit null. The
    /// property is then absent. Null for a required property stays an error.
    NullAsAbsent,
    /// Accepts a body of any media type where the document has no other type for it than `application/octet-stream`:
    /// the bytes are as they are, and `ByteStream::content_type` returns the type of the request.
    MediaTypeOfBytes,
}

impl Leniency {
    /// All leniencies, which [`Router::lenient`](crate::server::Router::lenient) enables.
    pub const ALL: &'static [Self] = &[
        Self::BooleanTexts,
        Self::NullAsAbsent,
        Self::MediaTypeOfBytes,
    ];

    const fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// Parses a boolean of [`Leniency::BooleanTexts`].
pub(crate) fn boolean_of(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "TRUE" | "True" => Some(true),
        "0" | "f" | "F" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}

/// A set of leniencies.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Leniencies(u32);

impl Leniencies {
    pub(crate) const fn with(self, leniency: Leniency) -> Self {
        Self(self.0 | leniency.bit())
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn contains(self, leniency: Leniency) -> bool {
        self.0 & leniency.bit() != 0
    }

    /// Returns the leniency of a set with one.
    pub(crate) fn only(self) -> Option<Leniency> {
        let mut all = Leniency::ALL.iter().copied();
        all.find(|leniency| self == Self::default().with(*leniency))
    }

    #[cfg(all(feature = "server", feature = "tracing"))]
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// Writes the leniencies as they are named in code: `Leniency::BooleanTexts, Leniency::NullAsAbsent`.
impl fmt::Display for Leniencies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let contained = Leniency::ALL
            .iter()
            .filter(|leniency| self.contains(**leniency));
        for (index, leniency) in contained.enumerate() {
            let mark = if index == 0 { "" } else { ", " };
            write!(f, "{mark}Leniency::{leniency:?}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Leniencies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// How strictly a value is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Strictness {
    /// As a client reads a response, and a receiver a webhook: their sender would send the same message again, so
    /// whatever has one meaning is accepted.
    #[default]
    Lenient,
    /// As a server reads a request: by the document, except for the leniencies that are enabled.
    #[cfg_attr(not(feature = "server"), allow(dead_code))]
    Strict(Leniencies),
    /// As a response is checked on request: by the document.
    #[cfg_attr(not(feature = "check-responses"), allow(dead_code))]
    Response,
}

impl Strictness {
    /// Returns whether the document is enforced.
    pub(crate) const fn is_strict(self) -> bool {
        !matches!(self, Self::Lenient)
    }

    /// Returns whether a response is checked.
    pub(crate) const fn is_response(self) -> bool {
        matches!(self, Self::Response)
    }

    /// Returns whether a deviation is accepted.
    pub(crate) const fn accepts(self, leniency: Leniency) -> bool {
        match self {
            Self::Lenient => true,
            Self::Strict(enabled) => enabled.contains(leniency),
            Self::Response => false,
        }
    }
}
