//! `signing`: the headers of signatures, and the algorithm.

use crate::ir::{KeySigning, SigningRules, TokenSigning};

use super::part::{Part, Reader};

/// The maximum length of a token that a document may request, in characters.
const LONGEST: u32 = 4096;

/// The algorithms of RFC 7518, section 3.1, and RFC 8037 whose keys can be published.
const PUBLIC: &[&str] = &[
    "ES256", "ES384", "EdDSA", "PS256", "PS384", "PS512", "RS256", "RS384", "RS512",
];

/// Reads the part.
pub(super) fn read(reader: &mut Reader<'_>, part: &Part<'_>) -> SigningRules {
    reader.known(part, &["token", "key"]);
    let token = reader.part(part, "token");
    let key = reader.part(part, "key");
    SigningRules {
        token: token.and_then(|part| self::token(reader, &part)),
        key: key.and_then(|part| self::key(reader, &part)),
    }
}

fn token(reader: &mut Reader<'_>, part: &Part<'_>) -> Option<TokenSigning> {
    let keys = [
        "header",
        "algorithm",
        "encoding",
        "signs",
        "token-longer-than",
    ];
    reader.known(part, &keys);
    reader.word(part, "algorithm", &["hmac-sha256"]);
    reader.word(part, "encoding", &["lower-case hexadecimal"]);
    reader.word(part, "signs", &["body"]);
    let longer_than = reader.whole(part, "token-longer-than", LONGEST);
    Some(TokenSigning {
        header: needed(reader, part, "token", "header")?,
        longer_than,
    })
}

fn key(reader: &mut Reader<'_>, part: &Part<'_>) -> Option<KeySigning> {
    let keys = [
        "header",
        "key-id-header",
        "algorithm",
        "jwt-algorithm",
        "signs",
        "public-keys",
    ];
    reader.known(part, &keys);
    reader.word(part, "algorithm", &["jwt"]);
    reader.word(part, "signs", &["body"]);
    let algorithm = reader.word(part, "jwt-algorithm", PUBLIC);
    let public_keys = reader.text(part, "public-keys");
    if let Some(url) = &public_keys
        && !(url.starts_with("https://") || url.starts_with("http://"))
    {
        let message = "expected a URL that begins with `https://` for `public-keys`".to_owned();
        reader.wrong(part.origin.child("public-keys"), message);
    }
    Some(KeySigning {
        header: needed(reader, part, "key", "header")?,
        key_id_header: needed(reader, part, "key", "key-id-header")?,
        algorithm,
        public_keys,
    })
}

/// Returns a header that the other keys of the part require.
fn needed(reader: &mut Reader<'_>, part: &Part<'_>, text: &str, key: &str) -> Option<String> {
    if part.value(key).is_none() {
        reader.wrong(part.origin.clone(), format!("missing `{key}` of `{text}`"));
    }
    reader.header(part, key)
}
