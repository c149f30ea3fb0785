//! The provider of cryptography for rustls.

use super::TransportError;
use rustls::crypto::CryptoProvider;
use std::sync::Arc;

/// Returns the provider that the program has installed as the default of the process, or else the
/// one of a feature: aws-lc-rs (`rustls`), or ring (`rustls-ring`).
///
/// # Errors
///
/// Returns an error if there is no provider.
pub(super) fn provider() -> Result<Arc<CryptoProvider>, TransportError> {
    if let Some(installed) = CryptoProvider::get_default() {
        return Ok(Arc::clone(installed));
    }
    compiled_in().map(Arc::new)
}

/// Installs the provider for reqwest, which panics without one.
///
/// # Errors
///
/// Returns an error if there is no provider.
#[cfg(all(feature = "reqwest", not(feature = "rustls")))]
pub(super) fn install() -> Result<(), TransportError> {
    if CryptoProvider::get_default().is_none() {
        // Another thread may be faster.
        let _ = compiled_in()?.install_default();
    }
    Ok(())
}

#[cfg(feature = "rustls")]
#[allow(clippy::unnecessary_wraps, reason = "another feature has no provider")]
fn compiled_in() -> Result<CryptoProvider, TransportError> {
    Ok(rustls::crypto::aws_lc_rs::default_provider())
}

#[cfg(all(feature = "rustls-ring", not(feature = "rustls")))]
#[allow(clippy::unnecessary_wraps, reason = "another feature has no provider")]
fn compiled_in() -> Result<CryptoProvider, TransportError> {
    Ok(rustls::crypto::ring::default_provider())
}

#[cfg(not(any(feature = "rustls", feature = "rustls-ring")))]
fn compiled_in() -> Result<CryptoProvider, TransportError> {
    Err(TransportError::new(
        "rustls has no provider of cryptography: enable the feature `rustls` or `rustls-ring` of \
         bothends-runtime, or call `CryptoProvider::install_default` first",
    ))
}
