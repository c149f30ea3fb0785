//! Links of responses, as the document states them.

use super::Expression;
#[cfg(feature = "test")]
use http::StatusCode;

/// A link of the successful responses of an operation: a row of generated code, which contract tests follow.
#[derive(Debug)]
#[cfg_attr(
    not(feature = "test"),
    allow(dead_code, reason = "contract tests follow links")
)]
pub struct StatedLink {
    /// The id of the operation.
    pub(crate) from: &'static str,
    /// The statuses of the responses: `201`, `2XX` or `default`.
    statuses: &'static [&'static str],
    /// The name of the link.
    pub(crate) name: &'static str,
    /// The id of the linked operation.
    pub(crate) to: &'static str,
    /// Parameters of the linked operation, as location, name and expression.
    pub(crate) parameters: &'static [(&'static str, &'static str, Expression)],
}

impl StatedLink {
    /// Creates a link from the responses of an operation with these statuses to another operation.
    pub const fn new(
        from: &'static str,
        statuses: &'static [&'static str],
        name: &'static str,
        to: &'static str,
        parameters: &'static [(&'static str, &'static str, Expression)],
    ) -> Self {
        Self {
            from,
            statuses,
            name,
            to,
            parameters,
        }
    }

    /// Returns whether a response with this status has the link.
    #[cfg(feature = "test")]
    pub(crate) fn is_of(&self, status: StatusCode) -> bool {
        let is_same = |stated: &&str| match *stated {
            "2XX" | "default" => status.is_success(),
            code => code == status.as_str(),
        };
        self.statuses.iter().any(is_same)
    }
}

/// Defines the links of an API: the id of an operation, the statuses of its responses, the name of the link, the id of
/// the linked operation, and the parameters of that with the expressions of their values, or the name of
/// [`link_values!`](crate::link_values).
///
/// ```
/// use bothends_runtime::Expression;
///
/// bothends_runtime::links! {
///     LINKS {
///         "addPet" "201": "pet" => "getPet"[("path", "id", Expression::ResponseBody("/id"))],
///     }
/// }
/// assert_eq!(LINKS.len(), 1);
/// ```
#[macro_export]
macro_rules! links {
    ($name:ident {
        $($from:literal $($status:literal)|+: $link:literal => $to:literal $values:tt,)*
    }) => {
        const $name: &[$crate::server::StatedLink] = &[
            $($crate::server::StatedLink::new(
                $from, &[$($status),*], $link, $to, $crate::links!(@values $values)
            )),*
        ];
    };
    (@values [$($row:expr),*]) => {
        &[$($row),*]
    };
    (@values $name:ident) => {
        $name
    };
}

/// Defines the values of links that the client and the server of an API have: the parameters of the linked operations
/// with the expressions of their values.
///
/// ```
/// mod operations {
///     use bothends_runtime::Expression;
///
///     bothends_runtime::link_values! {
///         pub(super) {
///             ADD_PET_PET_VALUES = [("path", "id", Expression::ResponseBody("/id"))],
///         }
///     }
/// }
/// assert_eq!(operations::ADD_PET_PET_VALUES.len(), 1);
/// ```
#[macro_export]
macro_rules! link_values {
    (pub(super) { $($name:ident = [$($row:expr),*],)* }) => {
        $(
            #[allow(dead_code, reason = "features enable the client and the server")]
            pub(super) const $name: &[(&str, &str, $crate::Expression)] = &[$($row),*];
        )*
    };
}
