//! An authority that issues certificates, as files.

use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};

/// An authority that a client may trust.
pub(crate) struct Authority {
    name: String,
    issuer: Issuer<'static, KeyPair>,
    certificate: Vec<u8>,
}

/// A certificate and its key.
pub(crate) struct Files {
    pub(crate) certificate: PathBuf,
    pub(crate) key: PathBuf,
}

impl Authority {
    pub(crate) fn new(name: &str) -> Self {
        let key = KeyPair::generate().expect("a key");
        let mut params = named(name, Vec::new());
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let certificate = params.self_signed(&key).expect("a certificate");
        Self {
            name: name.to_owned(),
            certificate: certificate.der().to_vec(),
            issuer: Issuer::new(params, key),
        }
    }

    /// Its own certificate, as a file for who trusts it.
    pub(crate) fn file(&self, dir: &Path) -> PathBuf {
        let path = dir.join(format!("{}.pem", self.name));
        fs::write(&path, pem("CERTIFICATE", &self.certificate)).expect("written");
        path
    }

    /// A certificate for a host.
    pub(crate) fn issue(&self, dir: &Path, host: &str) -> Files {
        let key = KeyPair::generate().expect("a key");
        let params = named(host, vec![host.to_owned()]);
        let certificate = params.signed_by(&key, &self.issuer).expect("a certificate");
        let files = Files {
            certificate: dir.join("server.pem"),
            key: dir.join("server.key"),
        };
        let text = pem("CERTIFICATE", certificate.der());
        fs::write(&files.certificate, text).expect("written");
        fs::write(&files.key, pem("PRIVATE KEY", &key.serialize_der())).expect("written");
        files
    }
}

/// What goes into a certificate, with a name that is not that of another one.
fn named(name: &str, hosts: Vec<String>) -> CertificateParams {
    let mut params = CertificateParams::new(hosts).expect("names");
    params.distinguished_name.push(DnType::CommonName, name);
    params
}

/// RFC 7468.
fn pem(label: &str, der: &[u8]) -> String {
    let mut text = format!("-----BEGIN {label}-----\n");
    for line in STANDARD.encode(der).as_bytes().chunks(64) {
        text.push_str(&String::from_utf8_lossy(line));
        text.push('\n');
    }
    text.push_str(&format!("-----END {label}-----\n"));
    text
}
