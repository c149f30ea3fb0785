//! Access tokens and refresh tokens.

use super::Millis;
use crate::store::Document;
use serde::{Deserialize, Serialize};

/// The tokens that descend from one use of the client credentials. Every refresh adds an access
/// token and replaces the refresh token. All tokens contain the id of the family, so that one read
/// decides about a token, and hashes are all that is stored of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenFamily {
    /// The project.
    pub project: String,
    /// The id.
    pub id: String,
    /// The client that obtained the tokens.
    pub client_id: String,
    /// The scopes of the tokens.
    pub scopes: Vec<String>,
    /// The access tokens that have not expired long ago, the newest last.
    pub access: Vec<AccessToken>,
    /// The SHA-256 hash of the refresh token that is valid, in hexadecimal.
    pub refresh_hash: String,
    /// The hashes of refresh tokens that were used, the newest last.
    #[serde(default)]
    pub spent: Vec<String>,
    /// When the family was revoked, by the clock of the project: its tokens are no longer accepted.
    #[serde(default)]
    pub revoked_at: Option<Millis>,
}

/// An access token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessToken {
    /// The SHA-256 hash, in hexadecimal.
    pub hash: String,
    /// The end of its validity, by the clock of the project.
    pub expires_at: Millis,
}

impl Document for TokenFamily {
    const KIND: &'static str = "token-family";

    fn project(&self) -> &str {
        &self.project
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn tag(&self) -> Option<String> {
        Some(self.id.clone())
    }

    fn parent(&self) -> Option<&str> {
        Some(&self.client_id)
    }
}
