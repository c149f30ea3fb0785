//! Where client and server leave what they have, so that it can be compared.

use std::any::Any;
use std::fmt::Debug;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use bothends_runtime::client::{ClientCore, Error, HyperTransport};
use bothends_runtime::private::SuccessSet as _;
use bothends_runtime::{
    ByteStream, Bytes, EncodedRequest, EncodedResponse, Json, Operation, RequestEncoder, Response,
    ResponseEncoder, ResponseSet as _, Validate, server,
};
use http::{HeaderMap, HeaderValue, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The values that a request and its outcome are put together from, in order.
pub struct Parts {
    values: std::vec::IntoIter<Json>,
    reread: bool,
}

impl Parts {
    /// Over the values. Where a union has to guess, a value is `reread`: what its own JSON is
    /// read as is what counts.
    #[must_use]
    pub fn new(values: Vec<Json>, reread: bool) -> Self {
        Self {
            values: values.into_iter(),
            reread,
        }
    }

    fn next(&mut self) -> Json {
        self.values.next().unwrap_or_default()
    }

    /// The next value, as what the generated code has there.
    ///
    /// # Errors
    /// When the type does not take the value.
    pub fn take<T: Serialize + DeserializeOwned>(&mut self, what: &str) -> Result<T, String> {
        let json = self.next();
        let read = |json: Json| {
            let text = json.to_string();
            serde_json::from_value::<T>(json)
                .map_err(|error| format!("{what} does not take {text}: {error}"))
        };
        let mut value = read(json)?;
        if self.reread {
            value = read(serde_json::to_value(&value).map_err(|error| error.to_string())?)?;
        }
        Ok(value)
    }

    /// The next value, as a body of bytes of a media type.
    ///
    /// # Errors
    /// When it is no list of bytes.
    pub fn bytes(&mut self, media: &str) -> Result<ByteStream, String> {
        let bytes: Vec<u8> = self.take("body")?;
        Ok(ByteStream::from(bytes).with_content_type(media.replace('*', "x-any")))
    }

    /// Which of several it is.
    pub fn index(&mut self) -> usize {
        let index = self.next().as_u64().unwrap_or_default();
        usize::try_from(index).unwrap_or_default()
    }

    /// Whether what comes now is left out.
    pub fn absent(&mut self) -> bool {
        self.next() == Json::Bool(true)
    }

    /// A status.
    ///
    /// # Errors
    /// When it is none.
    pub fn status(&mut self) -> Result<http::StatusCode, String> {
        let status = u16::try_from(self.index()).unwrap_or_default();
        http::StatusCode::from_u16(status).map_err(|error| error.to_string())
    }
}

/// What is there to be compared with: the request that the client sends, and the outcome that the
/// server is to answer.
#[derive(Clone, Default)]
pub struct Desk(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    outcome: Option<Box<dyn Any + Send>>,
    received: Option<Box<dyn Any + Send>>,
}

impl Desk {
    fn with<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What every method of the server does.
    ///
    /// # Errors
    /// The error that it is told to answer.
    pub fn answer<O>(&self, request: O) -> Result<O::Response, server::Error<O::Error>>
    where
        O: Operation + Send + 'static,
        O::Response: 'static,
        O::Error: 'static,
    {
        let outcome = self.with(|state| {
            state.received = Some(Box::new(request));
            state.outcome.take()
        });
        let outcome: Option<Box<Result<O::Response, O::Error>>> =
            outcome.and_then(|outcome| outcome.downcast().ok());
        match outcome {
            Some(outcome) => (*outcome).map_err(server::Error::Api),
            None => Err(server::Rejection::internal().into()),
        }
    }
}

/// What a case came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Both came out as they went in.
    Equal,
    /// One end refused to write its value, and said so; nothing was sent.
    Refused(String),
    /// Something else came out.
    Wrong(String),
}

type Running<'a> = Pin<Box<dyn Future<Output = Verdict> + 'a>>;

/// What takes in what comes in pieces.
pub type Settling<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

/// Takes in a body that comes in pieces, so that it can be compared.
pub async fn settle(body: &mut ByteStream) {
    let content_type = body.content_type().map(str::to_owned);
    let came = std::mem::take(body).collect(1 << 20).await;
    *body = match came {
        Ok(bytes) => ByteStream::from(bytes),
        // Equal to nothing that was sent.
        Err(error) => ByteStream::from(error.to_string()).with_content_type("x-broken"),
    };
    if let Some(content_type) = content_type {
        *body = std::mem::take(body).with_content_type(content_type);
    }
}

/// A successful response, of any operation.
pub trait Success: Debug + Clone + Send + 'static {
    /// Whether it is as it was sent, with this status: status, documented headers and body.
    fn came_of(&self, sent: &Self, status: StatusCode) -> bool;
}

impl<T, H> Success for Response<T, H>
where
    T: Debug + Clone + PartialEq + Send + 'static,
    H: Debug + Clone + PartialEq + Send + 'static,
{
    fn came_of(&self, sent: &Self, status: StatusCode) -> bool {
        self.status() == status
            && self.documented_headers() == sent.documented_headers()
            && self.body() == sent.body()
    }
}

type Run = Box<dyn for<'a> FnOnce(&'a ClientCore<HyperTransport>, &'a Desk) -> Running<'a>>;

/// A request and an outcome, ready to be sent.
pub struct Begun {
    run: Run,
    request: Result<EncodedRequest, String>,
    outcome: Result<EncodedResponse, String>,
}

impl Begun {
    /// Of one operation.
    pub fn new<O>(
        request: O,
        outcome: Result<O::Response, O::Error>,
        collect: for<'a> fn(&'a mut O::Response) -> Settling<'a>,
    ) -> Self
    where
        O: Operation + Validate + Debug + PartialEq + Send + 'static,
        O::Response: Success,
        O::Error: PartialEq + Clone,
    {
        let answer = written::<O>(&outcome);
        let mut sent = RequestEncoder::new(O::META);
        request.encode(&mut sent);
        let sent = sent.finish().map_err(|error| error.to_string());
        Self {
            run: Box::new(move |core, desk| {
                Box::pin(exchange(core, desk, request, outcome, collect))
            }),
            request: sent,
            outcome: answer,
        }
    }

    /// The request as bytes: the target, the headers, an empty line, the body.
    ///
    /// # Errors
    /// When it cannot be written, with the reason.
    pub fn request(&self) -> Result<String, String> {
        let sent = self.request.as_ref().map_err(String::clone)?;
        let mut text = sent.path.clone();
        if !sent.query.is_empty() {
            text.push('?');
            text.push_str(&sent.query);
        }
        if !sent.cookies.is_empty() {
            text.push_str("\nCookie: ");
            text.push_str(&sent.cookies);
        }
        Ok(message(text, &sent.headers, sent.body.as_ref()))
    }

    /// The answer as bytes: the status, the headers, an empty line, the body.
    ///
    /// # Errors
    /// When it cannot be written, with the reason.
    pub fn outcome(&self) -> Result<String, String> {
        let answer = self.outcome.as_ref().map_err(String::clone)?;
        let status = answer.status.as_u16().to_string();
        Ok(message(status, &answer.headers, answer.body.as_ref()))
    }

    /// Sends it, and compares.
    pub async fn run(self, core: &ClientCore<HyperTransport>, desk: &Desk) -> Verdict {
        (self.run)(core, desk).await
    }
}

fn message(first: String, headers: &HeaderMap, body: Option<&(HeaderValue, Bytes)>) -> String {
    let mut text = first;
    let types = body.iter().map(|(media, _)| ("content-type", media));
    for (name, value) in headers
        .iter()
        .map(|(name, value)| (name.as_str(), value))
        .chain(types)
    {
        text.push_str(&format!(
            "\n{name}: {}",
            String::from_utf8_lossy(value.as_bytes())
        ));
    }
    if let Some((_, bytes)) = body {
        text.push_str("\n\n");
        text.push_str(&String::from_utf8_lossy(bytes));
    }
    text
}

/// An outcome as a server writes it.
fn written<O: Operation>(
    outcome: &Result<O::Response, O::Error>,
) -> Result<EncodedResponse, String> {
    let mut written = ResponseEncoder::new();
    match outcome {
        Ok(response) => O::Success::encode(O::META, response, &mut written),
        Err(error) => error.encode(&mut written),
    }
    written.finish().map_err(|error| error.to_string())
}

async fn exchange<O>(
    core: &ClientCore<HyperTransport>,
    desk: &Desk,
    request: O,
    outcome: Result<O::Response, O::Error>,
    collect: for<'a> fn(&'a mut O::Response) -> Settling<'a>,
) -> Verdict
where
    O: Operation + Validate + Debug + PartialEq + Send + 'static,
    O::Response: Success,
    O::Error: PartialEq + Clone,
{
    let status = match written::<O>(&outcome) {
        Err(error) => return Verdict::Refused(format!("response: {error}")),
        // Not a final response: HTTP itself deals with it.
        Ok(written) if written.status.is_informational() => {
            return Verdict::Refused("response: not a final one".to_owned());
        }
        Ok(written) => written.status,
    };
    let reported: Box<dyn Any + Send> = Box::new(outcome.clone());
    desk.with(|state| {
        state.outcome = Some(reported);
        state.received = None;
    });
    let mut answer = core.call(&request).await;
    if let Ok(response) = &mut answer {
        collect(response).await;
    }
    let received = desk.with(|state| state.received.take());
    let received = received.and_then(|received| received.downcast::<O>().ok());
    // The client creates the key that a request lacks, which the server reads where it is a parameter.
    let lacks = |name: &str| {
        let mut parameters = O::META.parameters.iter();
        if !parameters.any(|(_, known)| known.eq_ignore_ascii_case(name)) {
            return false;
        }
        let mut encoder = RequestEncoder::new(O::META);
        request.encode(&mut encoder);
        let sent = encoder.finish();
        sent.is_ok_and(|sent| !sent.headers.contains_key(name))
    };
    if O::META.idempotency_key.is_some_and(lacks) {
        return Verdict::Refused("request: without an idempotency key".to_owned());
    }
    if let Err(invalid) = request.validate() {
        return match (received, answer) {
            (None, Err(_)) => Verdict::Refused(format!("request: {invalid}")),
            _ => Verdict::Wrong(format!(
                "{request:#?}\nreached the handler, though {invalid}"
            )),
        };
    }
    let Some(received) = received else {
        return match answer {
            Err(Error::Encode(error)) => Verdict::Refused(format!("request: {error}")),
            other => Verdict::Wrong(format!(
                "{request:#?}\nwas not read by the server: {other:#?}"
            )),
        };
    };
    if *received != request {
        return Verdict::Wrong(format!("{request:#?}\ncame as\n{received:#?}"));
    }
    let same = match (&answer, &outcome) {
        (Ok(came), Ok(sent)) => came.came_of(sent, status),
        (Err(Error::Api { error: came, .. }), Err(sent)) => came == sent,
        _ => false,
    };
    if same {
        Verdict::Equal
    } else {
        Verdict::Wrong(format!("{outcome:#?}\ncame as\n{answer:#?}"))
    }
}
