//! Requests for the cases of servers, and reading of their responses.

use crate::cases::drive;
use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderValue, USER_AGENT};
use http::{HeaderMap, Method, Request, Response, Uri};
use http_body::Body;
use http_body_util::{BodyExt, Full};

/// The path of the case `GET`, with one path and two query parameters.
pub const GET_SUMMARY: &str = "/accounts/acct-0193/summary?limit=50&order=oldest";
/// The path of the case `GET` with many parameters, with two path and five query parameters.
pub const GET_ENTRY: &str = "/accounts/acct-0193/entries/42?limit=50&order=newest&search=rent%20may&archived=false&min_amount=12.5";
/// The path of the case `POST`.
pub const POST_ENTRY: &str = "/accounts/acct-0193/entries";
/// The body of the case `POST`, which has seven rules.
pub const NEW_ENTRY: &str = r#"{"title":"Rent for May","amount":125000,"currency":"EUR","category":"housing","labels":["home","monthly","fixed"],"memo":"paid by standing order"}"#;

/// A request that can be sent repeatedly.
#[derive(Debug, Clone)]
pub struct Template {
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
}

impl Template {
    /// Creates a request with the headers that clients usually send; `body` is JSON.
    ///
    /// # Panics
    ///
    /// Panics if the path is invalid.
    pub fn new(method: Method, path: &str, body: impl Into<Bytes>) -> Self {
        let body = body.into();
        let mut headers = HeaderMap::new();
        headers.insert(HOST, HeaderValue::from_static("127.0.0.1:8080"));
        headers.insert(USER_AGENT, HeaderValue::from_static("bench/1.0"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        if !body.is_empty() {
            let json = HeaderValue::from_static("application/json");
            headers.insert(CONTENT_TYPE, json);
            headers.insert(CONTENT_LENGTH, HeaderValue::from(body.len()));
        }
        let uri = path.parse().expect("the paths of the benchmark are valid");
        Self {
            method,
            uri,
            headers,
            body,
        }
    }

    /// Returns this request with another header.
    #[must_use]
    pub fn header(mut self, name: &'static str, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// Returns a copy of the request.
    pub fn request(&self) -> Request<Full<Bytes>> {
        let mut request = Request::new(Full::new(self.body.clone()));
        *request.method_mut() = self.method.clone();
        *request.uri_mut() = self.uri.clone();
        *request.headers_mut() = self.headers.clone();
        request
    }
}

/// Reads a response to its end and returns the number of bytes of its body.
pub fn drain<B: Body<Data = Bytes> + Unpin>(response: Response<B>) -> usize {
    let mut body = response.into_body();
    let mut length = 0;
    while let Some(Ok(frame)) = drive(body.frame()) {
        length += frame.data_ref().map_or(0, Bytes::len);
    }
    length
}

/// Returns the status, the media type and the body of a response; of an error, the status only.
pub fn shown<B: Body<Data = Bytes> + Unpin>(response: Response<B>) -> String {
    let status = response.status();
    let media = response.headers().get(CONTENT_TYPE).cloned();
    let mut body = response.into_body();
    let mut bytes = Vec::new();
    while let Some(Ok(frame)) = drive(body.frame()) {
        bytes.extend_from_slice(frame.data_ref().map_or(b"", |data| data));
    }
    if status.as_u16() >= 400 {
        return format!("{}\n", status.as_u16());
    }
    let body = String::from_utf8_lossy(&bytes);
    format!("{} {media:?} {body}\n", status.as_u16())
}

/// The requests of the case `GET`: a valid one, and one for each check.
pub fn get_requests() -> Vec<Template> {
    let long = "a".repeat(37);
    let paths = [
        GET_SUMMARY.to_owned(),
        "/accounts/acct-0193/summary?limit=1".to_owned(),
        "/accounts/acct-0193/summary".to_owned(),
        "/accounts/acct-0193/summary?limit=501".to_owned(),
        "/accounts/acct-0193/summary?limit=0".to_owned(),
        "/accounts/acct-0193/summary?limit=x".to_owned(),
        "/accounts/acct-0193/summary?limit=50&order=sideways".to_owned(),
        format!("/accounts/{long}/summary?limit=50"),
        "/accounts/acct-0193/nothing".to_owned(),
    ];
    templates(&paths)
}

/// Returns a request for each path, and requests with another `Accept` or method.
fn templates(paths: &[String]) -> Vec<Template> {
    let get = |path: &String| Template::new(Method::GET, path, "");
    let accepting = |range| get(&paths[0]).header("accept", HeaderValue::from_static(range));
    let other = [
        accepting("text/html"),
        accepting("text/html, application/*;q=0.5"),
        Template::new(Method::DELETE, &paths[0], ""),
    ];
    paths.iter().map(get).chain(other).collect()
}

/// The requests of the case `GET` with many parameters: a valid one, and one for each check.
pub fn get_many_requests() -> Vec<Template> {
    let long = "a".repeat(101);
    let paths = [
        GET_ENTRY.to_owned(),
        "/accounts/acct-0193/entries/42?limit=50".to_owned(),
        "/accounts/acct-0193/entries/42".to_owned(),
        "/accounts/acct-0193/entries/0?limit=50".to_owned(),
        "/accounts/acct-0193/entries/x?limit=50".to_owned(),
        "/accounts/acct-0193/entries/42?limit=501".to_owned(),
        "/accounts/acct-0193/entries/42?limit=0".to_owned(),
        "/accounts/acct-0193/entries/42?limit=x".to_owned(),
        "/accounts/acct-0193/entries/42?limit=50&order=sideways".to_owned(),
        "/accounts/acct-0193/entries/42?limit=50&archived=perhaps".to_owned(),
        "/accounts/acct-0193/entries/42?limit=50&min_amount=x".to_owned(),
        format!("/accounts/acct-0193/entries/42?limit=50&search={long}"),
        format!("/accounts/{long}/entries/42?limit=50"),
        "/accounts/acct-0193/nothing".to_owned(),
    ];
    templates(&paths)
}

/// The requests of the case `POST`: a valid one, and one for each rule.
pub fn post_requests() -> Vec<Template> {
    let long = "a".repeat(121);
    let labels = vec!["\"x\""; 17].join(",");
    let new = |title: &str, amount: i64, currency: &str, category: &str, labels: &str| {
        format!(
            r#"{{"title":"{title}","amount":{amount},"currency":"{currency}","category":"{category}","labels":[{labels}]}}"#
        )
    };
    let bodies = [
        NEW_ENTRY.to_owned(),
        new("Rent", 1, "EUR", "home", "\"a\""),
        new("", 1, "EUR", "home", "\"a\""),
        new(&long, 1, "EUR", "home", "\"a\""),
        new("Rent", 0, "EUR", "home", "\"a\""),
        new("Rent", 1_000_000_001, "EUR", "home", "\"a\""),
        new("Rent", 1, "EU", "home", "\"a\""),
        new("Rent", 1, "EUR", &long, "\"a\""),
        new("Rent", 1, "EUR", "home", &labels),
        new("Rent", 1, "EUR", "home", "1"),
        r#"{"title":"Rent"}"#.to_owned(),
        "{".to_owned(),
    ];
    (bodies.into_iter())
        .map(|body| Template::new(Method::POST, POST_ENTRY, body))
        .collect()
}
