//! The keys that sign webhooks. They are in the store, so that all instances sign with the same
//! ones. The newest key signs; some earlier ones remain published, because receivers may verify
//! webhooks that they signed.

use crate::app::App;
use crate::ids;
use crate::model::Millis;
use crate::request_error::RequestError;
use crate::store::{Changes, Document, Page, StorageError, Stored};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bothends_delivery::{KeyRing, SigningKey};
use financial_data::webhooks::SIGNING;
use serde::{Deserialize, Serialize};

/// The number of keys that are published.
const PUBLISHED: u32 = 5;

/// An algorithm of signatures. The interface document leaves it open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyAlgorithm {
    /// `ES256`, which most libraries know.
    #[default]
    Es256,
    /// `EdDSA` with Ed25519.
    EdDsa,
}

/// A signing key as stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct StoredKey {
    /// The id, which is the value of `X-Signing-ID`. Its order is that of time.
    id: String,
    algorithm: KeyAlgorithm,
    /// The private key in PKCS #8, as PEM. It has to be stored as it is: a hash cannot sign.
    pem: String,
    /// By the system clock.
    created_at: Millis,
}

impl Document for StoredKey {
    const KIND: &'static str = "signing-key";

    fn project(&self) -> &'static str {
        ""
    }

    fn id(&self) -> &str {
        &self.id
    }
}

/// A key, without its private part.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedKey {
    /// The value of `X-Signing-ID`.
    pub id: String,
    /// The algorithm.
    pub algorithm: KeyAlgorithm,
    /// The creation time, by the system clock.
    pub created_at: Millis,
    /// Whether the key signs now.
    pub signs: bool,
    /// The public key as a JSON Web Key.
    pub jwk: serde_json::Value,
}

impl StoredKey {
    fn new(algorithm: KeyAlgorithm) -> Result<Self, StorageError> {
        Ok(Self {
            id: ids::ordered(),
            algorithm,
            pem: private_key(algorithm)?,
            created_at: App::system_now(),
        })
    }

    fn signing_key(&self) -> Result<SigningKey, StorageError> {
        signing_key(&self.id, self.algorithm, &self.pem)
    }
}

/// Makes a private key. Returns it in PKCS #8, as PEM.
fn private_key(algorithm: KeyAlgorithm) -> Result<String, StorageError> {
    let random = SystemRandom::new();
    let key = match algorithm {
        KeyAlgorithm::Es256 => {
            EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random)
        }
        KeyAlgorithm::EdDsa => Ed25519KeyPair::generate_pkcs8(&random),
    };
    let key = key.map_err(|_| StorageError::new("the system cannot make a signing key"))?;
    Ok(format!(
        "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n",
        STANDARD.encode(key.as_ref())
    ))
}

fn signing_key(id: &str, algorithm: KeyAlgorithm, pem: &str) -> Result<SigningKey, StorageError> {
    match algorithm {
        KeyAlgorithm::Es256 => SigningKey::es256(id, pem),
        KeyAlgorithm::EdDsa => SigningKey::ed25519(id, pem),
    }
    .map_err(StorageError::new)
}

/// Returns a key with the id and the algorithm of another, whose signatures are therefore wrong.
pub(crate) fn wrong(id: &str, algorithm: KeyAlgorithm) -> Result<SigningKey, StorageError> {
    signing_key(id, algorithm, &private_key(algorithm)?)
}

/// Reads the keys, the newest first. Makes the first key.
async fn load(app: &App) -> Result<Vec<Stored<StoredKey>>, StorageError> {
    loop {
        let keys = app.store.list("", Page::last(PUBLISHED)).await?;
        if !keys.is_empty() {
            return Ok(keys);
        }
        // Another instance may do the same now. Then both keys are published, and the newer one
        // signs.
        add(app, KeyAlgorithm::default()).await?;
    }
}

async fn add(app: &App, algorithm: KeyAlgorithm) -> Result<String, StorageError> {
    let key = StoredKey::new(algorithm)?;
    let mut changes = Changes::new();
    changes.insert(&key);
    app.store.commit(changes).await.map_err(StorageError::new)?;
    Ok(key.id)
}

fn ring(keys: &[Stored<StoredKey>]) -> Result<KeyRing, StorageError> {
    let mut ring = KeyRing::new();
    for (index, key) in keys.iter().enumerate() {
        let key = key.signing_key()?;
        ring = match index {
            0 => ring.sign_with(key),
            _ => ring.publish(key),
        };
    }
    ring.rules(&SIGNING).map_err(StorageError::new)
}

/// Signs with the newest key of the store from now on.
pub(super) async fn follow(app: &App) -> Result<(), StorageError> {
    let newest = app.store.list::<StoredKey>("", Page::last(1)).await?;
    let current = app.hooks.keys.load();
    let known = current.current().map(SigningKey::id);
    if known.is_some() && known == newest.first().map(|key| key.id.as_str()) {
        return Ok(());
    }
    app.hooks.keys.store(ring(&load(app).await?)?);
    Ok(())
}

/// Returns the published keys, the newest first.
///
/// # Errors
/// Returns an error of the database.
pub async fn list(app: &App) -> Result<Vec<PublishedKey>, StorageError> {
    let keys = load(app).await?;
    let published = keys.iter().enumerate().map(|(index, key)| {
        Ok(PublishedKey {
            id: key.id.clone(),
            algorithm: key.algorithm,
            created_at: key.created_at,
            signs: index == 0,
            jwk: key.signing_key()?.public_jwk(),
        })
    });
    published.collect()
}

/// Makes a new key, which signs from now on. Returns its id. The key is in the store, and therefore
/// published by all instances, before one of them signs with it.
///
/// # Errors
/// Returns an error of the database.
pub async fn rotate(app: &App, algorithm: KeyAlgorithm) -> Result<String, RequestError> {
    let id = add(app, algorithm).await?;
    app.store.trim::<StoredKey>("", PUBLISHED).await?;
    follow(app).await?;
    Ok(id)
}

/// Returns the public keys as a JSON Web Key Set, for `/.well-known/jwks.json`. They are read from
/// the store, so that a receiver finds the key of a webhook at every instance.
///
/// # Errors
/// Returns an error of the database.
pub async fn jwks(app: &App) -> Result<serde_json::Value, StorageError> {
    Ok(ring(&load(app).await?)?.public_jwks())
}
