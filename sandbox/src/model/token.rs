//! Access tokens and refresh tokens.

use super::Millis;
use crate::store::Document;
use serde::{Deserialize, Serialize};

/// The tokens that descend from one use of the client credentials. Every refresh adds an access
/// token and replaces the refresh token. All tokens contain the id of the family, so that one read
/// decides about a token, and hashes are all that is stored of them.
///
/// The tokens of each issue have its number. Refresh tokens also have a secret that all of the family
/// share: one with this secret and an earlier number was issued before, and is spent.
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
    /// The access tokens of the latest issues. Those before them are [`AccessTokens`].
    pub access: Vec<AccessToken>,
    /// How many times tokens were issued.
    #[serde(default)]
    pub issues: u32,
    /// The end of the validity of all access tokens, by the clock of the project.
    #[serde(default)]
    pub valid_until: Millis,
    /// The SHA-256 hash of the secret that the refresh tokens share, in hexadecimal.
    #[serde(default)]
    pub shared_hash: String,
    /// The SHA-256 hash of the refresh token that is valid, in hexadecimal.
    pub refresh_hash: String,
    /// When the family was revoked, by the clock of the project: its tokens are no longer accepted.
    #[serde(default)]
    pub revoked_at: Option<Millis>,
}

/// Access tokens of earlier issues of a family, so that the family stays small however often its tokens
/// are refreshed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessTokens {
    /// The project.
    pub project: String,
    /// The id: see [`AccessTokens::id_of`].
    pub id: String,
    /// The family.
    pub family: String,
    /// The tokens.
    pub tokens: Vec<AccessToken>,
}

impl AccessTokens {
    /// How many issues are in one document.
    pub const ISSUES: u32 = 16;

    /// Returns the id of the document with the access token of an issue. The order is that of time.
    pub fn id_of(family: &str, issue: u32) -> String {
        format!("{family}.{:010}", issue / Self::ISSUES)
    }
}

impl Document for AccessTokens {
    const KIND: &'static str = "access-tokens";

    fn project(&self) -> &str {
        &self.project
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn parent(&self) -> Option<&str> {
        Some(&self.family)
    }
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
}
