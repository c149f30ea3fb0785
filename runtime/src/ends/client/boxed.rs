//! A transport whose type is erased.

use super::{Body, ClientCore, Transport, TransportError};
#[cfg(feature = "hyper")]
use super::{BuildError, HyperTransport, ProvidedTransport};
use http::{Request, Response};
use std::any::Any;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

/// Any transport behind one type: for application state that contains a client over a socket in
/// production and one over a router in tests, without a type parameter.
///
/// Clones share the transport. Time limits, streaming and errors are those of the inner transport;
/// each call costs one more allocation.
///
/// ```ignore
/// struct App {
///     pets: Client<BoxTransport>,
/// }
///
/// let transport = BoxTransport::new(HyperTransport::new()?);
/// let app = App { pets: Client::with_transport("https://api.example.com", transport)? };
/// let transport = BoxTransport::new(InProcess::new(router));
/// let in_test = App { pets: Client::with_transport("http://localhost", transport)? };
/// ```
#[derive(Clone)]
pub struct BoxTransport(Arc<dyn Erased>);

impl BoxTransport {
    /// Boxes a transport. A transport that is already boxed is not boxed again.
    pub fn new(transport: impl Transport + 'static) -> Self {
        match (&transport as &dyn Any).downcast_ref::<Self>() {
            Some(boxed) => boxed.clone(),
            None => Self(Arc::new(transport)),
        }
    }
}

impl fmt::Debug for BoxTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BoxTransport(…)")
    }
}

impl Transport for BoxTransport {
    fn send(
        &self,
        request: Request<Body>,
    ) -> impl Future<Output = Result<Response<Body>, TransportError>> + Send {
        self.0.send_boxed(request)
    }
}

/// A boxed `HyperTransport`.
#[cfg(feature = "hyper")]
impl ProvidedTransport for BoxTransport {
    fn provide(base_url: &str) -> Result<Self, BuildError> {
        HyperTransport::provide(base_url).map(Self::new)
    }
}

/// [`Transport`] with a boxed future, which makes the trait dyn-compatible.
trait Erased: Send + Sync {
    fn send_boxed(&self, request: Request<Body>) -> Sending<'_>;
}

type Sending<'a> =
    Pin<Box<dyn Future<Output = Result<Response<Body>, TransportError>> + Send + 'a>>;

impl<T: Transport> Erased for T {
    fn send_boxed(&self, request: Request<Body>) -> Sending<'_> {
        Box::pin(self.send(request))
    }
}

impl<T: Transport + 'static> ClientCore<T> {
    /// Returns the same client over an erased transport: see [`BoxTransport`].
    #[must_use]
    pub fn boxed(self) -> ClientCore<BoxTransport> {
        ClientCore {
            transport: BoxTransport::new(self.transport),
            servers: self.servers,
            credentials: self.credentials,
            tokens: self.tokens,
            options: self.options,
            trusted: self.trusted,
            body_limit: self.body_limit,
            user_agent: self.user_agent,
            #[cfg(feature = "validate")]
            checked: self.checked,
            #[cfg(feature = "gzip")]
            compressed: self.compressed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fails;

    impl Transport for Fails {
        async fn send(&self, _: Request<Body>) -> Result<Response<Body>, TransportError> {
            Err(TransportError::new("no way"))
        }
    }

    #[test]
    fn boxed_transports_are_not_boxed_again() {
        let once = BoxTransport::new(Fails);
        let core = ClientCore::new("http://h", once.clone()).expect("a core");
        assert!(Arc::ptr_eq(&once.0, &core.boxed().transport.0));
        assert_eq!(format!("{once:?}"), "BoxTransport(…)");
    }

    #[cfg(feature = "hyper")]
    #[test]
    fn missing_tls_is_reported_as_missing_tls() {
        use std::task::{Context, Poll, Waker};

        if cfg!(any(feature = "rustls-no-provider", feature = "native-tls")) {
            assert!(BoxTransport::provide("https://h").is_ok());
            return;
        }
        let provided = BoxTransport::provide("https://h/v1");
        assert!(
            matches!(&provided, Err(BuildError::MissingTls(missing)) if missing.url() == "https://h/v1"),
            "{provided:?}"
        );
        let transport = BoxTransport::provide("http://h").expect("a transport");
        let request = Request::get("https://h/a").body(Body::empty());
        let sending = std::pin::pin!(transport.send(request.expect("a request")));
        let Poll::Ready(Err(error)) = sending.poll(&mut Context::from_waker(Waker::noop())) else {
            unreachable!("nothing is sent");
        };
        assert_eq!(
            error.into_missing_tls().expect("typed").url(),
            "https://h/a"
        );
    }
}
