//! TLS of the transport over hyper: rustls, or the library of the operating system, or none.

use crate::ends::client::TransportError;

/// Whether the transport supports `https`.
pub(super) const IS_COMPILED_IN: bool =
    cfg!(any(feature = "rustls-no-provider", feature = "native-tls"));

#[cfg(feature = "rustls-no-provider")]
pub(super) use with_rustls::{Https, Tls};

#[cfg(feature = "rustls-no-provider")]
mod with_rustls {
    use super::TransportError;
    use crate::ends::client::crypto;
    use hyper_rustls::{ConfigBuilderExt, HttpsConnectorBuilder};
    use rustls::ClientConfig;

    /// A connector with TLS over another connector.
    pub(in super::super) type Https<C> = hyper_rustls::HttpsConnector<C>;

    /// The TLS configuration of a transport.
    pub(in super::super) struct Tls {
        config: ClientConfig,
        http2: bool,
    }

    impl Tls {
        /// Takes a configuration; the default trusts the root certificates of the operating
        /// system.
        pub(in super::super) fn new(config: Option<ClientConfig>) -> Result<Self, TransportError> {
            let mut config = match config {
                Some(config) => config,
                None => ClientConfig::builder_with_provider(crypto::provider()?)
                    .with_safe_default_protocol_versions()
                    .and_then(ConfigBuilderExt::try_with_platform_verifier)
                    .map_err(TransportError::new)?
                    .with_no_client_auth(),
            };
            config.alpn_protocols.clear();
            let http2 = true;
            Ok(Self { config, http2 })
        }

        /// Returns the configuration for proxies, which are spoken to in HTTP/1.1.
        pub(in super::super) fn without_http2(&self) -> Self {
            Self {
                config: self.config.clone(),
                http2: false,
            }
        }

        pub(in super::super) fn over<C>(self, connector: C) -> Https<C> {
            let builder = HttpsConnectorBuilder::new()
                .with_tls_config(self.config)
                .https_or_http();
            if self.http2 {
                builder.enable_all_versions().wrap_connector(connector)
            } else {
                builder.enable_http1().wrap_connector(connector)
            }
        }
    }
}

#[cfg(all(feature = "native-tls", not(feature = "rustls-no-provider")))]
pub(super) use with_native_tls::{Https, Tls};

#[cfg(all(feature = "native-tls", not(feature = "rustls-no-provider")))]
mod with_native_tls {
    use super::TransportError;
    use native_tls::TlsConnector;

    /// A connector with TLS over another connector.
    pub(in super::super) type Https<C> = hyper_tls::HttpsConnector<C>;

    /// The TLS configurations of a transport.
    pub(in super::super) struct Tls {
        server: TlsConnector,
        proxy: TlsConnector,
    }

    impl Tls {
        pub(in super::super) fn new() -> Result<Self, TransportError> {
            let with = |protocols: &[&str]| {
                let mut builder = TlsConnector::builder();
                let built = builder.request_alpns(protocols).build();
                built.map_err(TransportError::new)
            };
            Ok(Self {
                server: with(&["h2", "http/1.1"])?,
                proxy: with(&["http/1.1"])?,
            })
        }

        /// Returns the configuration for proxies, which are spoken to in HTTP/1.1.
        pub(in super::super) fn without_http2(&self) -> Self {
            Self {
                server: self.proxy.clone(),
                proxy: self.proxy.clone(),
            }
        }

        pub(in super::super) fn over<C>(self, connector: C) -> Https<C> {
            Https::from((connector, self.server.into()))
        }
    }
}

#[cfg(not(any(feature = "rustls-no-provider", feature = "native-tls")))]
pub(super) use without::{Https, Tls};

#[cfg(not(any(feature = "rustls-no-provider", feature = "native-tls")))]
mod without {
    use super::TransportError;

    /// A connector without TLS.
    pub(in super::super) type Https<C> = C;

    /// The absent TLS configuration.
    pub(in super::super) struct Tls;

    #[allow(clippy::unnecessary_wraps, clippy::unused_self)]
    impl Tls {
        pub(in super::super) const fn new() -> Result<Self, TransportError> {
            Ok(Self)
        }

        pub(in super::super) const fn without_http2(&self) -> Self {
            Self
        }

        pub(in super::super) fn over<C>(self, connector: C) -> Https<C> {
            connector
        }
    }
}
