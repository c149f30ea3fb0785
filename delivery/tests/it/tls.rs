//! Receivers over TLS: whom to trust, and what there is to tell of those who are not trusted.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does so fails"
)]

use crate::common;

use bothends_delivery::send::Resolve;
use bothends_delivery::{AttemptEnd, DeliveryStore, Destinations, HttpSender, State};
use common::bench::Bench;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

/// Every name is that of this machine.
struct Here;

impl Resolve for Here {
    fn resolve(
        &self,
        _: String,
    ) -> Pin<Box<dyn Future<Output = std::io::Result<Vec<IpAddr>>> + Send>> {
        Box::pin(std::future::ready(Ok(vec![[127, 0, 0, 1].into()])))
    }
}

/// An authority that a sender may trust, and what it issues.
struct Authority {
    issuer: Issuer<'static, KeyPair>,
    certificate: CertificateDer<'static>,
}

impl Authority {
    fn new(name: &str) -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = named(name, Vec::new());
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let certificate = params.self_signed(&key).unwrap().der().clone();
        Self {
            issuer: Issuer::new(params, key),
            certificate,
        }
    }

    /// A certificate for this name, until then.
    fn issue(&self, name: &str, until: Option<i32>) -> Box<ServerConfig> {
        let key = KeyPair::generate().unwrap();
        let mut params = named(name, vec![name.to_owned()]);
        if let Some(year) = until {
            params.not_after = rcgen::date_time_ymd(year, 1, 1);
        }
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        config(certificate.der().clone(), &key)
    }
}

/// What goes into a certificate, with a name that is not that of another one.
fn named(name: &str, hosts: Vec<String>) -> CertificateParams {
    let mut params = CertificateParams::new(hosts).unwrap();
    params.distinguished_name.push(DnType::CommonName, name);
    params
}

fn config(certificate: CertificateDer<'static>, key: &KeyPair) -> Box<ServerConfig> {
    let key = PrivateKeyDer::Pkcs8(key.serialize_der().into());
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    Box::new(config)
}

/// What a receiver does with a connection.
enum Tls {
    /// Takes it, and answers 200 to each request.
    Speaks(Box<ServerConfig>),
    /// Ends it as soon as it was greeted.
    Closes,
    /// Says something that is no TLS.
    Plain,
}

/// Listens on a port, which it returns, until the test ends.
async fn listen(tls: Tls) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let tls = Arc::new(match tls {
        Tls::Speaks(config) => Ok(TlsAcceptor::from(Arc::new(*config))),
        Tls::Closes => Err(&b""[..]),
        Tls::Plain => Err(&b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n"[..]),
    });
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let tls = Arc::clone(&tls);
            tokio::spawn(async move {
                let mut greeting = [0; 1024];
                match &*tls {
                    Ok(acceptor) => {
                        let mut stream = acceptor.accept(stream).await?;
                        while stream.read(&mut greeting).await? > 0 {
                            let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
                            stream.write_all(answer).await?;
                        }
                    }
                    Err(answer) => {
                        if stream.read(&mut greeting).await? > 0 {
                            stream.write_all(answer).await?;
                        }
                    }
                }
                std::io::Result::Ok(())
            });
        }
    });
    port
}

#[tokio::test]
async fn who_is_not_trusted_is_told_apart_and_nobody_waits() {
    let bench = Bench::new().await;
    let (known, unknown) = (Authority::new("known"), Authority::new("unknown"));
    let key = KeyPair::generate().unwrap();
    let itself = named("itself", vec!["itself.example".to_owned()]);
    let itself = itself.self_signed(&key).unwrap();
    let receivers = [
        (
            "trusted",
            Tls::Speaks(known.issue("trusted.example", None)),
            None,
        ),
        (
            "itself",
            Tls::Speaks(config(itself.der().clone(), &key)),
            Some("UnknownIssuer"),
        ),
        (
            "stranger",
            Tls::Speaks(unknown.issue("stranger.example", None)),
            Some("UnknownIssuer"),
        ),
        (
            "misnamed",
            Tls::Speaks(known.issue("other.example", None)),
            Some("not valid for"),
        ),
        (
            "expired",
            Tls::Speaks(known.issue("expired.example", Some(2001))),
            Some("expired"),
        ),
        ("plain", Tls::Plain, Some("corrupt message")),
        ("closes", Tls::Closes, Some("eof")),
    ];
    let mut expected = Vec::new();
    for (kind, tls, detail) in receivers {
        let port = listen(tls).await;
        bench
            .subscribe(kind, &format!("https://{kind}.example:{port}/"))
            .await;
        bench.enqueue(kind).await;
        expected.push((kind, detail));
    }
    let _good = bench.bystander("127.0.0.1").await;
    let mut roots = RootCertStore::empty();
    roots.add(known.certificate.clone()).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let tls = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let sender = HttpSender::builder()
        .resolver(Here)
        .destinations(Destinations::public().allow_loopback())
        .tls(tls);
    let worker = bench.worker().sender(sender.build().unwrap()).build();
    bench.attempt_all(worker, |_| false).await;
    for (kind, detail) in expected {
        let (delivery, attempt) = bench.attempt_of(kind).await;
        let Some(detail) = detail else {
            assert!(
                matches!(delivery.state, State::Delivered { .. }),
                "{kind}: {attempt:?}"
            );
            continue;
        };
        // What went wrong may be put right, so it is sent again.
        assert!(
            matches!(delivery.state, State::Pending { .. }),
            "{kind}: {delivery:?}"
        );
        // A connection that is closed says nothing of trust.
        let end = if kind == "closes" {
            AttemptEnd::Broken
        } else {
            AttemptEnd::Tls
        };
        assert_eq!(attempt.end, end, "{kind}: {attempt:?}");
        assert!(
            attempt.detail.contains(detail),
            "{kind}: {}",
            attempt.detail
        );
    }
    bench.nobody_waited().await;
}

#[tokio::test]
async fn without_roots_of_ones_own_a_self_made_certificate_is_refused() {
    let bench = Bench::new().await;
    let port = listen(Tls::Speaks(
        Authority::new("own").issue("own.example", None),
    ))
    .await;
    bench
        .subscribe("own", &format!("https://own.example:{port}/"))
        .await;
    bench.enqueue("own").await;
    let sender = HttpSender::builder()
        .resolver(Here)
        .destinations(Destinations::public().allow_loopback());
    let worker = bench.worker().sender(sender.build().unwrap()).build();
    bench.attempt_all(worker, |_| false).await;
    let (delivery, attempt) = bench.attempt_of("own").await;
    assert_eq!(attempt.end, AttemptEnd::Tls, "{attempt:?}");
    assert!(matches!(delivery.state, State::Pending { .. }));
    let all = bench.store.attempts(delivery.id).await.unwrap();
    assert_eq!(all.len(), 1, "the word for it is kept");
}
