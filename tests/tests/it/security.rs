//! Who is let in: credentials go where an operation asks for them and nowhere else, and handlers know
//! who calls.

use bothends_runtime::client::{self, InProcess};
use bothends_runtime::server::{AuthError, Authenticate, Body, Context, Error, Secret};
use bothends_runtime::{SecurityRequirement, http};
use bothends_tests::in_process::{block_on, call};
use generated::client::{Client, Credentials};
use generated::operations;
use generated::server::{DefaultApi, router};
use http::header::WWW_AUTHENTICATE;
use http::{HeaderMap, Request};
use std::sync::{Arc, Mutex};

mod generated {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/security.rs"));
}

/// Who calls: the fields that were shown, by name.
#[derive(Debug, Clone, PartialEq)]
struct Caller(Vec<&'static str>);

/// Knows everybody whose secrets are `good`, and lets nobody who is `read only` write.
struct Users;

impl Authenticate for Users {
    type Credentials = generated::server::Credentials;
    type Principal = Caller;

    async fn authenticate(
        &self,
        shown: Self::Credentials,
        needed: &'static [SecurityRequirement],
        _: &Context,
    ) -> Result<Caller, AuthError> {
        let mut fields = Vec::new();
        let basic = shown.basic.as_ref().map(|basic| basic.password());
        for (name, secret) in [
            ("basic", basic),
            ("bearer", shown.bearer.as_ref()),
            ("oauth", shown.oauth.as_ref()),
            ("digest", shown.digest.as_ref()),
            ("header_key", shown.header_key.as_ref()),
            ("query_key", shown.query_key.as_ref()),
            ("cookie_key", shown.cookie_key.as_ref()),
        ] {
            match secret.map(Secret::expose) {
                Some("good") => fields.push(name),
                Some("read")
                    if needed
                        .iter()
                        .any(|requirement| requirement.scopes.contains(&"write")) =>
                {
                    return Err(AuthError::Forbidden);
                }
                Some(_) => return Err(AuthError::Unauthenticated),
                None => {}
            }
        }
        Ok(Caller(fields))
    }
}

/// What the handlers were called with.
type Seen = Arc<Mutex<Vec<(Option<Caller>, HeaderMap, String)>>>;

struct Api(Seen);

impl Api {
    fn note(&self, context: &Context) {
        let query = context.uri().query().unwrap_or_default().to_owned();
        let caller = context.principal().cloned();
        let seen = (caller, context.headers().clone(), query);
        self.0.lock().expect("no panic").push(seen);
    }
}

macro_rules! handlers {
    ($($name:ident $Request:ident $Response:ident $Error:ty;)*) => {
        impl DefaultApi for Api {
            $(async fn $name(
                &self,
                context: Context,
                _: operations::$Request,
            ) -> Result<operations::$Response, Error<$Error>> {
                self.note(&context);
                Ok(operations::$Response::new(()))
            })*
        }
    };
}

handlers! {
    inherited InheritedRequest InheritedResponse bothends_runtime::NoError;
    none NoneRequest NoneResponse bothends_runtime::NoError;
    optional OptionalRequest OptionalResponse bothends_runtime::NoError;
    either EitherRequest EitherResponse bothends_runtime::NoError;
    both BothRequest BothResponse bothends_runtime::NoError;
    scoped ScopedRequest ScopedResponse bothends_runtime::NoError;
    certificate CertificateRequest CertificateResponse bothends_runtime::NoError;
    word WordRequest WordResponse bothends_runtime::NoError;
    unknown UnknownRequest UnknownResponse bothends_runtime::NoError;
}

/// Credentials for everything.
fn everything(word: &str) -> Credentials {
    Credentials {
        basic: Some(client::Basic::new("ann", word)),
        bearer: Some(word.into()),
        digest: Some(word.into()),
        header_key: Some(word.into()),
        query_key: Some(word.into()),
        cookie_key: Some(word.into()),
        oauth: Some(word.into()),
        certificate: Some(client::MutualTls),
        secret: Some(client::MutualTls),
    }
}

type InProcessClient = Client<InProcess<bothends_runtime::server::Router<Api>>>;

fn client(seen: &Seen, credentials: Credentials) -> InProcessClient {
    let service = router(Api(Arc::clone(seen))).guard(Users);
    let client = Client::with_transport("http://localhost", InProcess::new(service));
    client.expect("an address").with_credentials(credentials)
}

#[test]
fn each_operation_gets_what_it_asks_for_and_nothing_else() {
    let seen = Seen::default();
    let client = client(&seen, everything("good"));
    block_on(async {
        client.inherited().await.expect("bearer");
        client.none().await.expect("nothing");
        client.optional().await.expect("bearer");
        client.either().await.expect("basic");
        client.both().await.expect("two keys");
        client.scoped().await.expect("oauth");
        client.certificate().await.expect("transport");
        client.word().await.expect("digest");
    });
    let bearer = "Bearer good";
    let expected = [
        (Some(vec!["bearer"]), Some(bearer), None, ""),
        (None, None, None, ""),
        (Some(vec!["bearer"]), Some(bearer), None, ""),
        (Some(vec!["basic"]), Some("Basic YW5uOmdvb2Q="), None, ""),
        (
            Some(vec!["header_key", "query_key"]),
            None,
            Some("good"),
            "api_key=good",
        ),
        (Some(vec!["oauth"]), Some(bearer), None, ""),
        (Some(vec![]), None, None, ""),
        (Some(vec!["digest"]), Some("digest good"), None, ""),
    ];
    let seen = seen.lock().expect("no panic");
    assert_eq!(seen.len(), expected.len());
    for ((caller, headers, query), (fields, authorization, key, asked)) in seen.iter().zip(expected)
    {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        assert_eq!(caller.clone().map(|caller| caller.0), fields);
        assert_eq!(text("authorization"), authorization);
        assert_eq!(text("x-api-key"), key);
        assert_eq!(text("cookie"), None);
        assert_eq!(query, asked);
    }
}

/// The status, and the challenges.
fn ask(target: &str, headers: &[(&str, &str)]) -> (u16, Vec<String>) {
    let service = router(Api(Seen::default())).guard(Users);
    let mut request = Request::get(target);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Body::empty()).expect("a request");
    let (parts, _) = block_on(call(&service, request));
    let challenges = parts.headers.get_all(WWW_AUTHENTICATE).iter();
    let challenges = challenges.map(|challenge| challenge.to_str().expect("a text").to_owned());
    (parts.status.as_u16(), challenges.collect())
}

#[test]
fn others_are_told_what_would_let_them_in() {
    let bearer = r#"Bearer realm="api""#;
    let basic = r#"Basic realm="api", charset="UTF-8""#;
    let key = |place: &str, name: &str| format!(r#"ApiKey in="{place}", name="{name}""#);
    for (target, headers, status, challenges) in [
        ("/inherited", vec![], 401, vec![bearer.to_owned()]),
        ("/none", vec![], 204, vec![]),
        ("/optional", vec![], 204, vec![]),
        // Who shows something that is wrong is not taken for somebody who shows nothing.
        (
            "/optional",
            vec![("authorization", "Bearer bad")],
            401,
            vec![format!(r#"{bearer}, error="invalid_token""#)],
        ),
        (
            "/either",
            vec![],
            401,
            vec![basic.to_owned(), key("cookie", "session")],
        ),
        (
            "/either",
            vec![("cookie", "a=b; session=good")],
            204,
            vec![],
        ),
        (
            "/either",
            vec![("authorization", "basic YW5uOmdvb2Q=")],
            204,
            vec![],
        ),
        (
            "/either",
            vec![("authorization", "Basic ??")],
            401,
            vec![basic.to_owned(), key("cookie", "session")],
        ),
        (
            "/both",
            vec![("x-api-key", "good")],
            401,
            vec![key("header", "X-Api-Key"), key("query", "api_key")],
        ),
        (
            "/both?api_key=g%6Fod",
            vec![("x-api-key", "good")],
            204,
            vec![],
        ),
        (
            "/scoped",
            vec![("authorization", "Bearer read")],
            403,
            vec![
                r#"Bearer realm="api", error="insufficient_scope", scope="read write""#.to_owned(),
            ],
        ),
        (
            "/word",
            vec![],
            401,
            vec![r#"digest realm="api""#.to_owned()],
        ),
    ] {
        assert_eq!(
            ask(target, &headers),
            (status, challenges),
            "{target} {headers:?}"
        );
    }
}

#[test]
fn without_credentials_nothing_is_sent() {
    let seen = Seen::default();
    let client = client(&seen, Credentials::default());
    let error = block_on(client.both()).expect_err("no credentials");
    assert_eq!(
        error.to_string(),
        "both needs credentials: headerKey, queryKey"
    );
    assert!(seen.lock().expect("no panic").is_empty());
}

#[test]
fn credentials_are_not_shown() {
    let shown = format!("{:?}", everything("s3cret"));
    assert!(!shown.contains("s3cret"), "{shown}");
}

#[test]
fn without_an_authenticator_what_asks_for_credentials_is_closed() {
    let ask = |service: &bothends_runtime::server::Router<Api>, target: &str| {
        // Credentials that are good where somebody says so.
        let request = Request::get(target)
            .header("authorization", "Bearer good")
            .header("cookie", "session=good");
        let request = request.body(Body::empty()).expect("a request");
        let (parts, _) = block_on(call(service, request));
        let challenges = parts.headers.get_all(WWW_AUTHENTICATE).iter().count();
        (parts.status.as_u16(), challenges)
    };
    for (target, closed) in [
        ("/inherited", (401, 1)),
        ("/none", (204, 0)),
        ("/optional", (204, 0)),
        ("/either", (401, 2)),
        ("/both", (401, 2)),
        ("/scoped", (401, 1)),
        // No header can ask for a certificate.
        ("/certificate", (401, 0)),
        ("/word", (401, 1)),
        ("/unknown", (401, 0)),
    ] {
        let seen = Seen::default();
        let service = router(Api(Arc::clone(&seen)));
        assert_eq!(ask(&service, target), closed, "{target}");
        assert_eq!(seen.lock().expect("no panic").is_empty(), closed.0 == 401);
        let service = service.allow_unauthenticated();
        assert_eq!(ask(&service, target), (204, 0), "{target}");
    }
}
