//! The default transport over TLS.

use super::api::*;
use bothends_runtime::StatusCode;
use bothends_runtime::client::{ClientCore, Error, HyperTransport};
use bothends_runtime::http::{Request, Response, Version};
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore, ServerConfig, crypto::aws_lc_rs};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// A certificate authority, and a server with a certificate for `localhost`.
pub struct Authority {
    certificate: CertificateDer<'static>,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    pub fn new() -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let certificate = params.self_signed(&key).unwrap().der().clone();
        Self {
            certificate,
            issuer: Issuer::new(params, key),
        }
    }

    /// Accepts connections of clients that trust this authority.
    pub fn acceptor(&self, protocols: &[&str]) -> TlsAcceptor {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(["localhost".to_owned()]).unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        acceptor(certificate.der(), &key, protocols)
    }

    /// Trusts this authority and no other.
    pub fn client(&self) -> ClientConfig {
        client_config(&self.certificate)
    }
}

/// Accepts connections with this certificate.
fn acceptor(
    certificate: &CertificateDer<'static>,
    key: &KeyPair,
    protocols: &[&str],
) -> TlsAcceptor {
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let mut config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.clone()], key)
        .unwrap();
    let protocols = protocols.iter().map(|name| name.as_bytes().to_vec());
    config.alpn_protocols = protocols.collect();
    TlsAcceptor::from(Arc::new(config))
}

/// Trusts this certificate and no other.
fn client_config(root: &CertificateDer<'static>) -> ClientConfig {
    let mut roots = RootCertStore::empty();
    roots.add(root.clone()).unwrap();
    ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth()
}

/// Listens, and returns the URL of the server with the name that its certificate has.
pub async fn listen() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, format!("https://localhost:{port}"))
}

/// Reads the head of a request, and responds with 204.
pub async fn respond(mut stream: TlsStream<TcpStream>) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    let response = b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";
    stream.write_all(response).await.unwrap();
    stream.shutdown().await.unwrap();
    String::from_utf8(head).unwrap()
}

fn trusting(authority: &Authority, url: &str) -> ClientCore<HyperTransport> {
    let builder = HyperTransport::builder().no_proxy();
    let transport = builder.tls_config(authority.client()).build().unwrap();
    ClientCore::new(url, transport).unwrap()
}

#[tokio::test]
async fn a_server_with_a_trusted_certificate_is_called_over_http_1() {
    for protocols in [&[][..], &["http/1.1"]] {
        let authority = Authority::new();
        let (listener, url) = listen().await;
        let acceptor = authority.acceptor(protocols);
        let server = tokio::spawn(async move {
            let (stream, _) = listener.accept().await.unwrap();
            respond(acceptor.accept(stream).await.unwrap()).await
        });
        let client = trusting(&authority, &url);
        client.call(&GetThingRequest::new()).await.unwrap();
        let head = server.await.unwrap();
        assert!(head.starts_with("GET /thing HTTP/1.1\r\n"), "{head}");
    }
}

#[tokio::test]
async fn a_certificate_that_is_not_trusted_is_an_error_that_says_so() {
    let authority = Authority::new();
    let (listener, url) = listen().await;
    let acceptor = authority.acceptor(&[]);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            drop(acceptor.accept(stream).await);
        }
    });
    let expected = "the transport failed: cannot connect to the server: ";
    let other = trusting(&Authority::new(), &url);
    // The certificates of the operating system do not include this one either.
    for client in [other, core(&url)] {
        let error = client.call(&GetThingRequest::new()).await.unwrap_err();
        let text = format!("{error:#}");
        assert!(matches!(error, Error::Transport(_)), "{text}");
        assert!(text.starts_with(expected), "{text}");
        assert!(text.contains("certificate"), "{text}");
        assert!(!error.is_retryable(), "{text}");
    }
    // The certificate is for another name.
    let address = url.replace("localhost", "127.0.0.1");
    let client = trusting(&authority, &address);
    let error = client.call(&GetThingRequest::new()).await.unwrap_err();
    assert!(format!("{error:#}").contains("certificate"), "{error:#}");
    assert!(!error.is_retryable());
}

#[tokio::test]
async fn a_server_whose_certificate_is_its_own_authority_is_refused_by_the_name_in_the_guide() {
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(["localhost".to_owned()]).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let certificate = params.self_signed(&key).unwrap().der().clone();
    let (listener, url) = listen().await;
    let acceptor = acceptor(&certificate, &key, &[]);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            drop(acceptor.accept(stream).await);
        }
    });
    let builder = HyperTransport::builder().no_proxy();
    let transport = builder
        .tls_config(client_config(&certificate))
        .build()
        .unwrap();
    let client: ClientCore<HyperTransport> = ClientCore::new(&url, transport).unwrap();
    let error = client.call(&GetThingRequest::new()).await.unwrap_err();
    let text = format!("{error:#}");
    let guide = include_str!("../../../../docs/guide/src/client/transport.md");
    let named = "invalid peer certificate: Other(OtherError(CaUsedAsEndEntity))";
    assert!(guide.contains(named));
    assert!(text.contains(named), "{text}");
}

#[tokio::test]
async fn a_server_that_offers_http_2_is_called_over_one_connection() {
    let authority = Authority::new();
    let (listener, url) = listen().await;
    let acceptor = authority.acceptor(&["h2", "http/1.1"]);
    let seen: Arc<Mutex<Vec<(usize, Version, bool)>>> = Arc::default();
    let log = seen.clone();
    tokio::spawn(async move {
        let mut connection = 0;
        while let Ok((stream, _)) = listener.accept().await {
            connection += 1;
            let stream = TokioIo::new(acceptor.accept(stream).await.unwrap());
            let log = log.clone();
            let service = hyper::service::service_fn(move |request: Request<Incoming>| {
                let has_host = request.headers().contains_key("host");
                let seen = (connection, request.version(), has_host);
                log.lock().unwrap().push(seen);
                async {
                    let mut response = Response::new(String::new());
                    *response.status_mut() = StatusCode::NO_CONTENT;
                    Ok::<_, std::convert::Infallible>(response)
                }
            });
            let server = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
            tokio::spawn(server.serve_connection(stream, service));
        }
    });
    let client = trusting(&authority, &url);
    client.call(&GetThingRequest::new()).await.unwrap();
    let request = GetThingRequest::new();
    let (first, second) = tokio::join!(client.call(&request), client.call(&request));
    first.unwrap();
    second.unwrap();
    let expected = vec![(1, Version::HTTP_2, false); 3];
    assert_eq!(*seen.lock().unwrap(), expected);
}
