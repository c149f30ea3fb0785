//! Which failures of a connection are permanent: the client does not trust the server's certificate.

use std::error::Error;

/// Returns whether an error is that of an untrusted certificate: it is expired, issued by an unknown
/// authority, or for another host. The same connection fails again until the server's certificate
/// or the client's configuration changes.
pub(super) fn is_untrusted(error: &(dyn Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        if is_certificate_error(error) {
            return true;
        }
        // An I/O error is not among the sources of itself: its own error is inside.
        let inner = error
            .downcast_ref::<std::io::Error>()
            .and_then(std::io::Error::get_ref);
        next = match inner {
            Some(inner) => Some(inner as &(dyn Error + 'static)),
            None => error.source(),
        };
    }
    false
}

fn is_certificate_error(error: &(dyn Error + 'static)) -> bool {
    #[cfg(feature = "rustls-no-provider")]
    if let Some(error) = error.downcast_ref::<rustls::Error>() {
        return matches!(error, rustls::Error::InvalidCertificate(_));
    }
    // The libraries of operating systems have no type for this error, and neither has a rustls that
    // a program brings by itself. The second text is that of OpenSSL: with `native-tls` on Windows
    // and macOS, whose texts differ by language, an untrusted certificate is not recognized.
    let text = error.to_string();
    text.starts_with("invalid peer certificate") || text.contains("certificate verify failed")
}
