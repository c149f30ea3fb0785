//! The header `User-Agent` (RFC 9110, section 10.1.5).

use http::HeaderValue;

/// The product of this crate.
const PRODUCT: &str = "bothends";

/// Returns the header of a program: `NAME/VERSION bothends`, as far as the name and the version are
/// known and a header can contain them. Generated clients call this for the crate that they are in.
pub fn user_agent(name: Option<&str>, version: Option<&str>) -> HeaderValue {
    let product = match (name, version) {
        (Some(name), Some(version)) => format!("{name}/{version} {PRODUCT}"),
        (Some(name), None) => format!("{name} {PRODUCT}"),
        (None, _) => return usual(),
    };
    HeaderValue::try_from(product).unwrap_or_else(|_| usual())
}

/// Returns the header of a client that is not generated.
pub(super) const fn usual() -> HeaderValue {
    HeaderValue::from_static(PRODUCT)
}

/// Returns the header `User-Agent` of the crate that contains the call: `NAME/VERSION bothends`.
#[macro_export]
macro_rules! user_agent {
    () => {
        $crate::client::user_agent(
            ::core::option_env!("CARGO_PKG_NAME"),
            ::core::option_env!("CARGO_PKG_VERSION"),
        )
    };
}
