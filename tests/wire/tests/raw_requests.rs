//! Requests as strangers write them: bytes over a socket to the generated server. What is expected is
//! by RFC 6265, RFC 6570, RFC 6839, RFC 9110 and RFC 9112, and by OpenAPI's own words.

use std::net::SocketAddr;
use std::process::Command;
use std::sync::{Arc, Mutex};

use bothends_runtime::server::{AuthError, Authenticate, Context, Error, Secret};
use bothends_runtime::{NoError, Response, SecurityRequirement};
use bothends_wire_tests::of_lenient_wire as wire;
use bothends_wire_tests::raw::{get, post, serve};

type Answer<T> = Result<T, Error<NoError>>;

/// Notes what each handler was called with.
#[derive(Clone, Default)]
struct Api(Arc<Mutex<Vec<String>>>);

impl Api {
    fn note(&self, what: impl std::fmt::Debug) {
        self.0.lock().expect("no panic").push(format!("{what:?}"));
    }

    fn last(&self) -> Option<String> {
        self.0.lock().expect("no panic").pop()
    }
}

impl wire::server::DefaultApi for Api {
    async fn list_fields(
        &self,
        _: Context,
        request: wire::operations::ListFieldsRequest,
    ) -> Answer<wire::operations::ListFieldsResponse> {
        let wire::operations::ListFieldsRequest {
            fields,
            ids,
            kinds,
            pipes,
            spaces,
            flag,
            level,
            ..
        } = request;
        self.note((fields, ids, kinds, pipes, spaces, flag, level));
        Ok(().into())
    }

    async fn get_report(
        &self,
        _: Context,
        _: wire::operations::GetReportRequest,
    ) -> Answer<wire::operations::GetReportResponse> {
        let body = wire::operations::GetReportOkContent::Text("report".to_owned());
        Ok(body.into())
    }

    async fn post_report(
        &self,
        _: Context,
        request: wire::operations::PostReportRequest,
    ) -> Answer<wire::operations::PostReportResponse> {
        match request.body {
            wire::operations::PostReportContent::Json(report) => self.note(report.title),
            wire::operations::PostReportContent::Bytes(body) => {
                self.note(body.collect(100).await.expect("bytes"));
            }
            _ => {}
        }
        Ok(().into())
    }

    async fn get_picture(
        &self,
        _: Context,
        _: wire::operations::GetPictureRequest,
    ) -> Answer<wire::operations::GetPictureResponse> {
        let body = wire::operations::GetPictureOkContent::ImagePng("png".into());
        Ok(body.into())
    }

    async fn post_text(
        &self,
        _: Context,
        request: wire::operations::PostTextRequest,
    ) -> Answer<wire::operations::PostTextResponse> {
        self.note(request.body);
        Ok(().into())
    }

    async fn post_bytes(
        &self,
        _: Context,
        request: wire::operations::PostBytesRequest,
    ) -> Answer<wire::operations::PostBytesResponse> {
        self.note(request.body.collect(100).await.expect("bytes"));
        Ok(().into())
    }

    async fn maybe_post(
        &self,
        _: Context,
        request: wire::operations::MaybePostRequest,
    ) -> Answer<wire::operations::MaybePostResponse> {
        self.note(request.body);
        Ok(().into())
    }

    async fn post_point(
        &self,
        _: Context,
        request: wire::operations::PostPointRequest,
    ) -> Answer<wire::operations::PostPointResponse> {
        self.note(request.body.at);
        Ok(().into())
    }

    async fn open_session(
        &self,
        _: Context,
        _: wire::operations::OpenSessionRequest,
    ) -> Answer<wire::operations::OpenSessionResponse> {
        let expires = "b=2; Expires=Wed, 21 Oct 2015 07:28:00 GMT".to_owned();
        let basic = "Basic realm=\"a, b\", charset=\"UTF-8\"".to_owned();
        let headers = wire::operations::OpenSessionResponseHeaders::new()
            .set_cookie(vec!["a=1".to_owned(), expires])
            .www_authenticate(vec![basic, "Bearer".to_owned()])
            .x_left(3);
        let body = wire::operations::OpenSessionResponseBody::Ok;
        Ok(Response::with_headers(body, headers))
    }

    async fn open_session_as_text(
        &self,
        _: Context,
        _: wire::operations::OpenSessionAsTextRequest,
    ) -> Answer<wire::operations::OpenSessionAsTextResponse> {
        let headers = wire::operations::OpenSessionAsTextResponseHeaders::new("a=1".to_owned());
        Ok(Response::with_headers((), headers))
    }
}

/// Knows one key, with signs that would be others if anything were decoded.
struct Users;

const KEY: &str = "a/b%20c==";

impl Authenticate for Users {
    type Credentials = wire::server::Credentials;
    type Principal = ();

    async fn authenticate(
        &self,
        shown: Self::Credentials,
        _: &'static [SecurityRequirement],
        _: &Context,
    ) -> Result<(), AuthError> {
        match shown.session.as_ref().map(Secret::expose) {
            Some(KEY) => Ok(()),
            _ => Err(AuthError::Unauthenticated),
        }
    }
}

fn started() -> (Api, SocketAddr) {
    let api = Api::default();
    let address = serve(wire::server::router(api.clone()).guard(Users));
    (api, address)
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

/// What the handler of `/fields` was called with.
fn fields(api: &Api, to: SocketAddr, query: &str) -> String {
    let answer = get(to, &format!("/fields?{query}"), "");
    match api.last() {
        Some(note) => note,
        None => answer,
    }
}

const NONE: &str = "None";

/// The values of `/fields`, in the order of the document.
fn values(texts: [&str; 7]) -> String {
    format!("({})", texts.join(", "))
}

#[test]
fn a_key_in_a_cookie_is_read_as_it_is() {
    let (_, to) = started();
    let ask = |cookie: &str| post(to, "/sessions", &format!("Cookie: {cookie}\r\n"), "");
    assert_eq!(status(&ask(&format!("x=1; sid={KEY}"))), "200");
    assert_eq!(status(&ask("sid=a%2Fb%2520c%3D%3D")), "401");
}

#[test]
fn cookies_and_challenges_are_sent_line_by_line() {
    let (_, to) = started();
    let answer = post(to, "/sessions", &format!("Cookie: sid={KEY}\r\n"), "");
    let lines = |name: &str| -> Vec<String> {
        let lines = answer.lines().filter_map(|line| line.split_once(": "));
        let lines = lines.filter(|(key, _)| key.eq_ignore_ascii_case(name));
        lines.map(|(_, value)| value.to_owned()).collect()
    };
    assert_eq!(
        lines("set-cookie"),
        ["a=1", "b=2; Expires=Wed, 21 Oct 2015 07:28:00 GMT"]
    );
    assert_eq!(
        lines("www-authenticate"),
        ["Basic realm=\"a, b\", charset=\"UTF-8\"", "Bearer"]
    );
    assert_eq!(lines("x-left"), ["3"]);
}

#[test]
fn encoded_commas_stand_between_items() {
    let (api, to) = started();
    for (query, first) in [
        ("fields=id,name", r#"Some(["id", "name"])"#),
        ("fields=id%2Cname", r#"Some(["id", "name"])"#),
        ("fields=id%2cname", r#"Some(["id", "name"])"#),
        // By RFC 6570, where any comma is there as it is.
        ("fields=a%2Cb,c", r#"Some(["a,b", "c"])"#),
        ("fields=id", r#"Some(["id"])"#),
        ("fields=", r#"Some([""])"#),
    ] {
        let expected = values([first, NONE, NONE, NONE, NONE, NONE, NONE]);
        assert_eq!(fields(&api, to, query), expected, "{query}");
    }
    for (query, ids) in [("ids=1,2", "Some([1, 2])"), ("ids=1%2C2", "Some([1, 2])")] {
        let expected = values([NONE, ids, NONE, NONE, NONE, NONE, NONE]);
        assert_eq!(fields(&api, to, query), expected, "{query}");
    }
    // The type of the items says what a comma is.
    for (query, kinds) in [
        ("kinds=plain%2Cplain", "Some([Plain, Plain])"),
        ("kinds=with%2Ccomma", "Some([WithComma])"),
        ("kinds=with%2Ccomma,plain", "Some([WithComma, Plain])"),
    ] {
        let expected = values([NONE, NONE, kinds, NONE, NONE, NONE, NONE]);
        assert_eq!(fields(&api, to, query), expected, "{query}");
    }
    for pipes in ["a|b", "a%7Cb", "a%7cb"] {
        let expected = values([NONE, NONE, NONE, r#"Some(["a", "b"])"#, NONE, NONE, NONE]);
        assert_eq!(
            fields(&api, to, &format!("pipes={pipes}")),
            expected,
            "{pipes}"
        );
    }
    for spaces in ["a+b", "a%20b"] {
        let expected = values([NONE, NONE, NONE, NONE, r#"Some(["a", "b"])"#, NONE, NONE]);
        assert_eq!(
            fields(&api, to, &format!("spaces={spaces}")),
            expected,
            "{spaces}"
        );
    }
    let refused = get(to, "/fields?ids=1%2Cx", "");
    assert_eq!(status(&refused), "400");
    assert!(refused.contains(r#""ids[1]""#), "{refused}");
}

#[test]
fn a_setting_leaves_encoded_commas_in_texts() {
    let api = Api::default();
    let router = wire::server::router(api.clone()).allow_unauthenticated();
    let to = serve(router.keep_encoded_commas());
    let expected = values([
        r#"Some(["a,b"])"#,
        "Some([1, 2])",
        NONE,
        NONE,
        NONE,
        NONE,
        NONE,
    ]);
    assert_eq!(fields(&api, to, "fields=a%2Cb&ids=1%2C2"), expected);
}

/// `urllib` and `http.client` of Python, as they encode a query by themselves.
#[test]
fn what_python_sends_is_two_items() {
    if !bothends_test_environment::has_python("what_python_sends_is_two_items") {
        return;
    }
    let (api, to) = started();
    let script = format!(
        "import urllib.parse, urllib.request\n\
         query = urllib.parse.urlencode({{'fields': 'id,name', 'pipes': 'a|b', 'spaces': 'a b'}})\n\
         urllib.request.urlopen('http://{to}/fields?' + query)\n"
    );
    let run = Command::new("python3").args(["-c", &script]).output();
    let run = run.expect("python3 runs");
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    let list = |a: &str, b: &str| format!("Some([{a:?}, {b:?}])");
    let (names, letters) = (list("id", "name"), list("a", "b"));
    let expected = values([&names, NONE, NONE, &letters, &letters, NONE, NONE]);
    assert_eq!(api.last(), Some(expected));
}

#[test]
fn empty_values_are_taken_where_the_document_allows_them() {
    let (api, to) = started();
    for (query, flag, level) in [
        ("flag", "Some(true)", NONE),
        ("flag=", "Some(true)", NONE),
        ("flag=false&level=", "Some(false)", NONE),
        ("level=5", NONE, "Some(5)"),
    ] {
        let expected = values([NONE, NONE, NONE, NONE, NONE, flag, level]);
        assert_eq!(fields(&api, to, query), expected, "{query}");
    }
    for query in ["strict", "strict=", "level=x", "flag=2"] {
        assert_eq!(
            status(&get(to, &format!("/fields?{query}"), "")),
            "400",
            "{query}"
        );
    }
}

#[test]
fn suffixes_are_known_and_other_media_types_refused() {
    let (api, to) = started();
    let ask = |media: &str| {
        let body = r#"{"title":"t"}"#;
        let head = format!(
            "Content-Type: {media}\r\nContent-Length: {}\r\n",
            body.len()
        );
        let answer = post(to, "/reports", &head, body);
        (status(&answer).to_owned(), api.last())
    };
    let title = Some(r#""t""#.to_owned());
    for media in [
        "application/json",
        "application/vnd.x+json",
        "text/json; charset=utf-8",
    ] {
        assert_eq!(ask(media), ("204".to_owned(), title.clone()), "{media}");
    }
    let (_, bytes) = ask("application/octet-stream");
    assert_eq!(bytes.as_deref(), Some(r#"b"{\"title\":\"t\"}""#));
    for media in [
        "text/plain",
        "application/x-unknown",
        "image/png",
        "application/xml",
    ] {
        assert_eq!(ask(media), ("415".to_owned(), None), "{media}");
    }
}

#[test]
fn no_bytes_are_a_value_of_texts_and_bytes_and_of_nothing_else() {
    let (api, to) = started();
    // A type, or a length of zero (RFC 9112, section 6), says that there is a body.
    for (target, media) in [
        ("/texts", "text/plain"),
        ("/bytes", "application/octet-stream"),
    ] {
        for head in [
            format!("Content-Type: {media}\r\nContent-Length: 0\r\n"),
            format!("Content-Type: {media}\r\n"),
            "Content-Length: 0\r\n".to_owned(),
        ] {
            let answer = post(to, target, &head, "");
            assert_eq!(status(&answer), "204", "{target} {head}");
            assert!(
                api.last().is_some_and(|note| note.ends_with("\"\"")),
                "{target} {head}"
            );
        }
        let answer = post(to, target, "", "");
        assert_eq!(status(&answer), "400", "{target}");
        assert!(answer.contains("is required"), "{answer}");
    }
    let chunked = "Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n";
    assert_eq!(status(&post(to, "/texts", chunked, "0\r\n\r\n")), "204");
    assert_eq!(api.last().as_deref(), Some("\"\""));
    // Where the body is optional, JSON of no bytes is none.
    for head in [
        "",
        "Content-Length: 0\r\n",
        "Content-Type: application/json\r\nContent-Length: 0\r\n",
        "Content-Type: application/json\r\n",
    ] {
        assert_eq!(status(&post(to, "/maybe", head, "")), "204", "{head}");
        assert_eq!(api.last().as_deref(), Some("None"), "{head}");
    }
    let empty = "Content-Type: application/json\r\nContent-Length: 0\r\n";
    let answer = post(to, "/points", empty, "");
    assert_eq!(status(&answer), "400");
    assert!(answer.contains("is empty"), "{answer}");
}

#[test]
fn a_tuple_of_a_wrong_length_is_told_at_its_field() {
    let (api, to) = started();
    let ask = |body: &str| {
        let length = body.len();
        let head = format!("Content-Type: application/json\r\nContent-Length: {length}\r\n");
        post(to, "/points", &head, body)
    };
    assert_eq!(status(&ask(r#"{"at": [1, 2]}"#)), "204");
    assert_eq!(api.last().as_deref(), Some("(1.0, 2.0)"));
    let answer = ask(r#"{"at": [1, 2, 3], "name": 5}"#);
    assert_eq!(status(&answer), "400");
    assert!(
        answer.contains(r#""at":"must have 2 items, and has 3""#),
        "{answer}"
    );
    assert!(answer.contains(r#""name":"must be a string""#), "{answer}");
    let answer = ask(r#"{"at": [1]}"#);
    assert_eq!(status(&answer), "400");
    assert!(answer.contains(r#""at"#), "{answer}");
}
