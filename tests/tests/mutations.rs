//! Bad input on the wire: requests that fit the documents are broken in every way, as bytes, and go
//! through a real HTTP parser to generated servers. Whatever comes, the answer is a success or a
//! documented refusal; never a 5xx, never a panic.
//!
//! `BOTHENDS_MUTATIONS` is how many; `BOTHENDS_SEED` begins another series.

use std::convert::Infallible;

use bothends_runtime::Json;
use bothends_runtime::server::{Body, Context, Error, Router};
use bothends_tests::in_process::block_on;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

mod constraints {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/constraints.rs"));
}
mod bodies {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/bodies.rs"));
}
mod parameters {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/parameters.rs"));
}

/// How many requests, where nothing else is said: `.ci/run` asks for 100,000.
const MUTATIONS: usize = 20_000;

/// Lets every request through that was read.
struct Taken;

fn taken<T, E>() -> Result<T, Error<E>> {
    let mut response = bothends_runtime::server::Response::default();
    *response.status_mut() = http::StatusCode::NO_CONTENT;
    Err(response.into())
}

macro_rules! handlers {
    ($module:ident $Trait:ident { $($name:ident $Request:ident $Response:ident $Error:ty;)* }) => {
        impl $module::server::$Trait for Taken {
            $(async fn $name(
                &self,
                _: Context,
                _: $module::operations::$Request,
            ) -> Result<$module::operations::$Response, Error<$Error>> {
                taken()
            })*
        }
    };
}

handlers! { constraints ShelvesApi {
    list_books ListBooksRequest ListBooksResponse constraints::operations::ListBooksError;
    add_book AddBookRequest AddBookResponse constraints::operations::AddBookError;
    add_notes AddNotesRequest AddNotesResponse constraints::operations::AddNotesError;
} }
handlers! { parameters DefaultApi {
    find_rooms FindRoomsRequest FindRoomsResponse bothends_runtime::NoError;
} }
handlers! { bodies DefaultApi {
    send_json SendJsonRequest SendJsonResponse bothends_runtime::NoError;
    send_optional SendOptionalRequest SendOptionalResponse bothends_runtime::NoError;
    send_form SendFormRequest SendFormResponse bothends_runtime::NoError;
    send_multipart SendMultipartRequest SendMultipartResponse bothends_runtime::NoError;
    send_text SendTextRequest SendTextResponse bothends_runtime::NoError;
    send_bytes SendBytesRequest SendBytesResponse bothends_runtime::NoError;
    send_any_of_three SendAnyOfThreeRequest SendAnyOfThreeResponse bothends_runtime::NoError;
} }
handlers! { financial_data OauthApi {
    create_token CreateTokenRequest CreateTokenResponse financial_data::operations::CreateTokenError;
} }
handlers! { financial_data OpenBankingApi {
    start_open_banking_refresh StartOpenBankingRefreshRequest StartOpenBankingRefreshResponse
        financial_data::operations::StartOpenBankingRefreshError;
    get_open_banking_refresh_status GetOpenBankingRefreshStatusRequest
        GetOpenBankingRefreshStatusResponse financial_data::operations::GetOpenBankingRefreshStatusError;
} }

/// Requests that are answered with a success, by document: the first line and the headers, and the
/// body. The length is put in last.
const CONSTRAINTS: &[(&str, &str)] = &[
    (
        "GET /shelves/A1/books?limit=10&tags=a&tags=b HTTP/1.1\r\nX-Trace: 0123abcd\r\nCookie: visitor=me\r\n",
        "",
    ),
    (
        "POST /shelves/B22/books HTTP/1.1\r\nContent-Type: application/json\r\nAccept: application/json\r\n",
        r#"{"title": "A", "price": 1.25, "authors": [{"name": "Ann", "email": "a@b.c"}], "cover": {"front": "x"}, "ratings": {"a": 5}, "sequel": {"title": "B", "price": 2}}"#,
    ),
    (
        "POST /shelves/B22/books HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n",
        "title=A&price=1.5&authors=%7B%22name%22%3A%22Ann%22%7D",
    ),
    (
        "POST /notes HTTP/1.1\r\nContent-Type: application/json; charset=utf-8\r\n",
        r#"[{"text": "a"}, {"text": "\u00e9", "stars": 3}]"#,
    ),
];
const PARAMETERS: &[(&str, &str)] = &[(
    "GET /rooms/a,b/.c,d/;x=1;y=2?form=a&form=b&commas=a,b&spaces=a%20b&pipes=a%7Cb&deep%5Bx%5D=1&deep%5By%5D=2&point=x,1,y,2&count=3&filter=%7B%22x%22%3A1%2C%22y%22%3A2%7D HTTP/1.1\r\nX-Trace: abc\r\nX-Names: a,b\r\nCookie: session=s\r\n",
    "",
)];
const BODIES: &[(&str, &str)] = &[
    (
        "POST /json HTTP/1.1\r\nContent-Type: application/json\r\n",
        r#"{"text": "a", "stars": 1}"#,
    ),
    ("POST /optional HTTP/1.1\r\n", ""),
    (
        "POST /form HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n",
        "text=a+b&stars=1",
    ),
    (
        "POST /multipart HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=XX\r\n",
        "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\nabc\r\n--XX\r\nContent-Disposition: form-data; name=\"note\"\r\nContent-Type: application/json\r\n\r\n{\"text\":\"a\"}\r\n--XX\r\nContent-Disposition: form-data; name=\"labels\"\r\n\r\none\r\n--XX--\r\n",
    ),
    (
        "POST /text HTTP/1.1\r\nContent-Type: text/plain\r\n",
        "a text",
    ),
    (
        "POST /bytes HTTP/1.1\r\nContent-Type: application/octet-stream\r\n",
        "bytes",
    ),
    (
        "POST /any-of-three HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n",
        "text=a&stars=2",
    ),
];
const SERVICE: &[(&str, &str)] = &[
    (
        "POST /v1/oauth/token HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nAuthorization: Basic YTpi\r\n",
        "grant_type=refresh_token&refresh_token=r",
    ),
    (
        "POST /v1/open-banking/refresh HTTP/1.1\r\nContent-Type: application/json\r\nAuthorization: Bearer t\r\nX-Client-Id: c\r\n",
        r#"{"from": "2024-01-01", "accounts": ["a", 1, null]}"#,
    ),
    (
        "GET /v1/open-banking/refresh/7f3c HTTP/1.1\r\nAuthorization: Bearer t\r\nX-Client-Id: c\r\n",
        "",
    ),
];

/// A series of numbers that its seed settles (xorshift64*).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() >> 33).unwrap_or_default() % end.max(1)
    }

    fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }
}

/// What is put into requests: line ends, bytes that are no UTF-8, triples that are none, values of
/// other types, and what begins or ends something in one of the formats.
const SPLINTERS: &[&[u8]] = &[
    b"\r\n",
    b"\r\nX-Injected: 1\r\n",
    b"\n",
    b"\0",
    b"%00",
    b"%0d%0aX-Injected:%201",
    b"%",
    b"%zz",
    b"%ff%fe",
    b"\xff\xfe",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\\ud800",
    b"\"",
    b"{",
    b"}",
    b"[[[[[[[[[[[[[[[[",
    b"null",
    b"true",
    b"-1",
    b"1e999",
    b"99999999999999999999999999",
    b"0.1",
    b"[]",
    b"{}",
    b"&",
    b"=",
    b";",
    b",",
    b"/",
    b"..",
    b"?",
    b"#",
    b"--XX",
    b"--XX--",
    b"Content-Type: text/html\r\n",
    b"Content-Length: 1\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"Content-Encoding: gzip\r\n",
    b"Accept: text/html\r\n",
    b"Cookie: a=b; a=c\r\n",
    b"text=a&text=b",
    b"limit=1&limit=2",
    b" ",
];

/// Changes a text once or a few times.
fn mutate(bytes: &mut Vec<u8>, dice: &mut Dice) {
    for _ in 0..=dice.below(3) {
        let at = dice.below(bytes.len() + 1);
        let end = (at + 1 + dice.below(8)).min(bytes.len());
        match dice.below(8) {
            0 => bytes.truncate(at),
            1 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << dice.below(8);
                }
            }
            2 | 3 => drop(bytes.splice(at..at, dice.pick(SPLINTERS).to_vec())),
            4 => drop(bytes.splice(at..end, dice.pick(SPLINTERS).to_vec())),
            5 => drop(bytes.drain(at.min(end)..end)),
            // A piece of it once more.
            6 => {
                let piece = bytes.get(at..end).unwrap_or_default().to_vec();
                bytes.splice(at..at, piece);
            }
            _ => {
                let filler = vec![b'a'; dice.below(3000)];
                bytes.splice(at..at, filler);
            }
        }
    }
}

/// A request as bytes, broken in its head, its body or both; mostly with the length that it has.
fn request((head, body): (&str, &str), dice: &mut Dice) -> Vec<u8> {
    let (mut head, mut body) = (head.as_bytes().to_vec(), body.as_bytes().to_vec());
    match dice.below(4) {
        0 => mutate(&mut head, dice),
        1 if body.is_empty() => mutate(&mut head, dice),
        1 | 2 => mutate(&mut body, dice),
        _ => {
            mutate(&mut head, dice);
            mutate(&mut body, dice);
        }
    }
    // One in some hundreds is larger than the server takes.
    if dice.below(500) == 0 {
        body.resize(LIMIT + 1, b' ');
    }
    let length = match dice.below(20) {
        0 => dice.below(body.len() + 10),
        _ => body.len(),
    };
    head.extend_from_slice(b"Host: localhost\r\nConnection: close\r\n");
    if length > 0 || dice.below(2) == 0 {
        head.extend_from_slice(format!("Content-Length: {length}\r\n").as_bytes());
    }
    head.extend_from_slice(b"\r\n");
    head.extend_from_slice(&body);
    head
}

/// The most that a body may have here.
const LIMIT: usize = 16 << 10;

/// Sends bytes to a router over a connection of their own, and takes what comes back.
async fn exchange<A: Send + Sync + 'static>(router: Router<A>, bytes: &[u8]) -> Vec<u8> {
    let (mut near, far) = tokio::io::duplex(1 << 20);
    let service = TowerToHyperService::new(Incoming(router));
    let serve = hyper::server::conn::http1::Builder::new()
        .half_close(true)
        .serve_connection(TokioIo::new(far), service);
    let talk = async {
        let mut answer = Vec::new();
        // A server may hang up before it has read everything.
        let _ = near.write_all(bytes).await;
        let _ = near.shutdown().await;
        let _ = near.read_to_end(&mut answer).await;
        answer
    };
    // What the connection itself comes to is told by what was written to it.
    let (_, answer) = tokio::join!(serve, talk);
    answer
}

/// A router behind hyper.
struct Incoming<A: 'static>(Router<A>);

impl<A> Clone for Incoming<A> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<A: Send + Sync + 'static> tower_service::Service<http::Request<hyper::body::Incoming>>
    for Incoming<A>
{
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = bothends_runtime::server::RouteFuture;

    fn poll_ready(
        &mut self,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Result<(), Infallible>> {
        std::task::Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<hyper::body::Incoming>) -> Self::Future {
        self.0.call(request)
    }
}

/// What is wrong with what came back, if anything is. What is broken may be two requests.
fn fault(answers: &[u8], own_shape: bool) -> Option<String> {
    let text = String::from_utf8_lossy(answers);
    let mut rest: &str = &text;
    // Nothing at all: the server hung up, since there was no whole request.
    while !rest.is_empty() {
        let Some((head, after)) = rest.split_once("\r\n\r\n") else {
            return Some(format!("no end of the headers: {rest}"));
        };
        let head = head.to_lowercase();
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        let length = length.and_then(|length| length.parse().ok()).unwrap_or(0);
        let (body, after) = after.split_at_checked(length).unwrap_or((after, ""));
        if let Some(fault) = one_fault(&head, body, own_shape) {
            return Some(fault);
        }
        rest = after;
    }
    None
}

fn one_fault(head: &str, body: &str, own_shape: bool) -> Option<String> {
    let status = head
        .get(9..12)
        .and_then(|status| status.parse::<u16>().ok());
    let Some(status) = status else {
        return Some(format!("no status: {head}"));
    };
    if head.contains("x-injected") {
        return Some("a header was injected".to_owned());
    }
    match status {
        200..=299 => return None,
        400..=499 => {}
        _ => return Some(format!("status {status}")),
    }
    // hyper itself says no more of what is no HTTP.
    if !head.contains("content-type") {
        let known = matches!(status, 400 | 414 | 431);
        return (!known).then(|| format!("{status} without a body"));
    }
    let body: Json = match serde_json::from_str(body) {
        Ok(body) => body,
        Err(error) => return Some(format!("{status} with {error}")),
    };
    // The service documents these; for others it has no shape of its own.
    let own = own_shape && matches!(status, 400 | 401 | 404 | 405);
    let keys: &[&str] = if own {
        &["operation_id", "code_id", "message", "errors"]
    } else {
        &["type", "title", "status"]
    };
    let missing = keys.iter().find(|key| body.get(**key).is_none());
    missing.map(|key| format!("{status} without `{key}`: {body}"))
}

/// How many of each status.
type Count = std::collections::BTreeMap<String, usize>;

async fn drive<A: Send + Sync + 'static>(
    router: &Router<A>,
    requests: &[(&str, &str)],
    own_shape: bool,
    (dice, count): (&mut Dice, &mut Count),
) {
    let valid = requests[dice.below(requests.len())];
    let bytes = request(valid, dice);
    let answer = exchange(router.clone(), &bytes).await;
    let status = String::from_utf8_lossy(answer.get(9..12).unwrap_or_default()).into_owned();
    *count.entry(status).or_default() += 1;
    let shown = bytes.get(..2000).unwrap_or(&bytes).escape_ascii();
    assert_eq!(fault(&answer, own_shape), None, "{shown}");
}

fn number(name: &str, default: usize) -> usize {
    let said = std::env::var(name).ok().and_then(|text| text.parse().ok());
    said.unwrap_or(default)
}

#[test]
fn broken_requests_are_refused_and_nothing_breaks() {
    let mutations = number("BOTHENDS_MUTATIONS", MUTATIONS);
    let seed = number("BOTHENDS_SEED", 20_240_607);
    let mut dice = Dice((seed as u64).wrapping_mul(2).wrapping_add(1));
    let mut count = Count::new();
    let constraints = constraints::server::router(Taken).body_limit(LIMIT);
    let parameters = parameters::server::router(Taken).body_limit(LIMIT);
    let bodies = bodies::server::router(Taken).body_limit(LIMIT);
    let service = financial_data::server::router(Taken).body_limit(LIMIT);
    block_on(async {
        for index in 0..mutations {
            let series = (&mut dice, &mut count);
            match index % 4 {
                0 => drive(&constraints, CONSTRAINTS, false, series).await,
                1 => drive(&parameters, PARAMETERS, false, series).await,
                2 => drive(&bodies, BODIES, false, series).await,
                _ => drive(&service, SERVICE, true, series).await,
            }
        }
    });
    println!("seed {seed}, {mutations} requests: {count:?}");
    // The series is worth something: requests got through, and each refusal was met.
    if mutations >= MUTATIONS {
        for status in ["204", "400", "404", "405", "413", "415"] {
            assert!(count.contains_key(status), "no {status}: {count:?}");
        }
    }
}

#[test]
fn unbroken_requests_are_taken() {
    async fn all<A: Send + Sync + 'static>(router: Router<A>, requests: &[(&str, &str)]) {
        for (head, body) in requests {
            let length = body.len();
            let bytes = format!(
                "{head}Host: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
            );
            let answer = exchange(router.clone(), bytes.as_bytes()).await;
            let answer = String::from_utf8_lossy(&answer);
            assert!(answer.starts_with("HTTP/1.1 204"), "{bytes}\n---\n{answer}");
        }
    }
    block_on(async {
        all(constraints::server::router(Taken), CONSTRAINTS).await;
        all(parameters::server::router(Taken), PARAMETERS).await;
        all(bodies::server::router(Taken), BODIES).await;
        all(financial_data::server::router(Taken), SERVICE).await;
    });
}
