//! What is behind the errors of a client: `source()` to the end, and no sentence twice.
#![cfg(all(feature = "client", feature = "server"))]
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::panic)]

use crate::petstore;

use bothends_runtime::EncodeError;
use bothends_runtime::client::{
    Body, ClientCore, Error, Grant, TokenError, TokenErrorKind, Transport, TransportError,
};
use bothends_runtime::http::{Request, Response};
use petstore::operations::{ShowPetByIdError, ShowPetByIdRequest};
use petstore::types::PetId;

/// Answers 200 with a body.
struct Says(&'static str);

impl Transport for Says {
    async fn send(&self, _: Request<Body>) -> Result<Response<Body>, TransportError> {
        Ok(Response::new(Body::from(self.0)))
    }
}

/// The errors behind an error, outermost first.
fn sources(error: &dyn std::error::Error) -> Vec<String> {
    std::iter::successors(error.source(), |error| error.source())
        .map(ToString::to_string)
        .collect()
}

/// An error with a source, as transports have them.
#[derive(Debug)]
struct Outer(std::io::Error);

impl std::fmt::Display for Outer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("cannot connect")
    }
}

impl std::error::Error for Outer {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

#[tokio::test]
async fn every_error_has_its_sources_and_says_nothing_twice() {
    type Failed = Error<ShowPetByIdError>;
    let ask = async |body: &'static str| -> Failed {
        let core = ClientCore::new("https://api.example.com", Says(body)).unwrap();
        let request = ShowPetByIdRequest::new(PetId("1".to_owned()));
        core.call(&request).await.unwrap_err()
    };
    let decode = ask("{\"id\": \"x\"}").await;
    let broken = ask("{").await;
    let io = || std::io::Error::other("refused");
    let cases: [(Failed, &str, &[&str]); 6] = [
        (
            decode,
            "the server responded 200 OK, which cannot be read",
            &["id: must be an integer"],
        ),
        (
            broken,
            "the server responded 200 OK, which cannot be read",
            &["body: is not JSON: the text ends early at line 1 column 1"],
        ),
        (
            Error::Encode(EncodeError::new("id", "it is empty")),
            "the request cannot be written",
            &["id cannot be sent: it is empty"],
        ),
        (
            Error::Transport(TransportError::new(Outer(io()))),
            "the transport failed: cannot connect",
            &["refused"],
        ),
        (
            Error::Token(TokenError::new(
                Grant::RefreshToken,
                TokenErrorKind::Transport(TransportError::new(Outer(io()))),
            )),
            "there is no token for the operation",
            &[
                "no token by refresh_token: the endpoint was not reached, or its response is incomplete",
                "the transport failed: cannot connect",
                "refused",
            ],
        ),
        (
            Error::Token(TokenError::new(
                Grant::ClientCredentials,
                TokenErrorKind::Timeout(std::time::Duration::from_secs(2)),
            )),
            "there is no token for the operation",
            &["no token by client_credentials: the endpoint took longer than 2 s"],
        ),
    ];
    for (error, message, behind) in cases {
        assert_eq!(error.to_string(), message);
        assert_eq!(sources(&error), behind);
        let whole = [&[message], behind].concat().join(": ");
        assert_eq!(format!("{error:#}"), whole);
    }
}
