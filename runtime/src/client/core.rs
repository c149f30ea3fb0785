//! The part of a client that all operations share.

use super::credentials::{Further, WithToken, choose, cookie_header};
use super::{
    Answer, Attempt, Body, CollectError, Credential, CredentialSource, Error, InvalidBase,
    MissingCredentials, NoCredentials, Retry, Secret, Timeout, TokenError, TokenProvider,
    Transport, TransportError,
};
use crate::operation::negotiate;
#[cfg(feature = "tracing")]
use crate::trace;
use crate::wire::{header, media};
use crate::{EncodeError, Operation, OperationMeta, Outcome, RequestEncoder, ResponseDecoder};
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode, Uri};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
#[cfg(feature = "tracing")]
use tracing::Instrument;

/// The most that a response may have, unless something else is said.
const BODY_LIMIT: usize = 64 << 20;

/// The part of a client that all operations share: where the server is, how it is reached, and
/// what is sent with every request.
#[derive(Clone)]
pub struct Core<T> {
    transport: T,
    base: Uri,
    credentials: Arc<dyn CredentialSource>,
    tokens: Option<Arc<dyn TokenProvider>>,
    headers: HeaderMap,
    body_limit: usize,
    timeout: Option<Timeout>,
    retry: Option<Arc<dyn Retry>>,
    checked: bool,
}

impl<T: fmt::Debug> fmt::Debug for Core<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Core")
            .field("base", &self.base)
            .field("transport", &self.transport)
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "reqwest")]
impl Core<super::Reqwest> {
    /// A client of the server at this address, over reqwest.
    pub fn reqwest(base: &str) -> Result<Self, super::BuildError> {
        Ok(Self::new(base, super::Reqwest::new()?)?)
    }
}

impl<T> Core<T> {
    /// A client of the server at this address, such as `https://api.example.com/v1`.
    pub fn new(base: &str, transport: T) -> Result<Self, InvalidBase> {
        let wrong = |why| InvalidBase {
            base: base.to_owned(),
            why,
        };
        let uri: Uri = base.parse().map_err(|_| wrong("it is no URL"))?;
        if !matches!(uri.scheme_str(), Some("http" | "https")) || uri.host().is_none() {
            return Err(wrong(
                "it has to begin with http:// or https://, and a host",
            ));
        }
        if uri.query().is_some() || base.contains('#') {
            return Err(wrong("it cannot have a query or a fragment"));
        }
        if uri
            .authority()
            .is_some_and(|authority| authority.as_str().contains('@'))
        {
            return Err(wrong("credentials are given apart from it"));
        }
        Ok(Self {
            transport,
            base: uri,
            credentials: Arc::new(NoCredentials),
            tokens: None,
            headers: HeaderMap::new(),
            body_limit: BODY_LIMIT,
            timeout: None,
            retry: None,
            checked: false,
        })
    }

    /// With credentials, which are sent where an operation asks for them.
    #[must_use]
    pub fn credentials(self, credentials: impl CredentialSource + 'static) -> Self {
        Self {
            credentials: Arc::new(credentials),
            ..self
        }
    }

    /// With credentials that go before those there are; those for other schemes stay.
    #[must_use]
    pub fn further_credentials(self, credentials: impl CredentialSource + 'static) -> Self {
        let credentials = Further {
            first: Arc::new(credentials),
            then: self.credentials,
        };
        Self {
            credentials: Arc::new(credentials),
            ..self
        }
    }

    /// With tokens that are got and replaced when an operation asks for their scheme.
    ///
    /// A credential that was given for the scheme itself goes before them. When an answer to the
    /// first try says that another token may do, the token is replaced and the operation is called
    /// once more.
    #[must_use]
    pub fn tokens(self, tokens: impl TokenProvider + 'static) -> Self {
        Self {
            tokens: Some(Arc::new(tokens)),
            ..self
        }
    }

    /// With a header on every request that does not have it itself.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// With another limit for the bodies of responses, in bytes.
    #[must_use]
    pub fn body_limit(self, body_limit: usize) -> Self {
        Self { body_limit, ..self }
    }

    /// With a limit for the time of each attempt at a call, which the transport keeps: reqwest
    /// does, and one of your own finds it among the request's extensions, as a [`Timeout`].
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self {
            timeout: Some(Timeout(timeout)),
            ..self
        }
    }

    /// With somebody who decides whether a call is tried again.
    #[must_use]
    pub fn retry(self, retry: impl Retry + 'static) -> Self {
        Self {
            retry: Some(Arc::new(retry)),
            ..self
        }
    }

    /// Checks each request by what the document asks of its values before it is sent; what is wrong
    /// with it then comes as [`Error::Invalid`], without the way to the server and back.
    #[must_use]
    pub fn checked(self) -> Self {
        Self {
            checked: true,
            ..self
        }
    }
}

#[cfg(feature = "tokens")]
impl<T: Transport + Clone + 'static> Core<T> {
    /// A source of tokens that asks the endpoint of a flow over the transport of this client.
    ///
    /// A relative URL of the flow is resolved against that of the server (RFC 3986 section 5.2, as
    /// OpenAPI has it for `tokenUrl`).
    ///
    /// # Errors
    ///
    /// When that comes to no URL.
    pub fn token_source(
        &self,
        flow: super::TokenFlow,
        client_id: impl Into<String>,
        client_secret: impl Into<Secret>,
    ) -> Result<super::TokenSource<super::OAuthEndpoint<T>>, InvalidBase> {
        let wrong = || InvalidBase {
            base: flow.url().to_owned(),
            why: "the `tokenUrl` is no URL",
        };
        let stated: Uri = match flow.url().parse() {
            Ok(uri) => uri,
            Err(_) => format!("/{}", flow.url()).parse().map_err(|_| wrong())?,
        };
        let url = if stated.scheme().is_some() {
            stated
        } else {
            let mut parts = self.base.clone().into_parts();
            let folder = match flow.url().strip_prefix('/') {
                Some(_) => "",
                None => self
                    .base
                    .path()
                    .rsplit_once('/')
                    .map_or("", |(folder, _)| folder),
            };
            let target = format!("{folder}/{}", flow.url().trim_start_matches('/'));
            parts.path_and_query = Some(target.parse().map_err(|_| wrong())?);
            Uri::from_parts(parts).map_err(|_| wrong())?
        };
        let endpoint =
            super::OAuthEndpoint::new(self.transport.clone(), url, flow, client_id, client_secret);
        Ok(super::TokenSource::new(flow, endpoint))
    }
}

impl<T: Transport> Core<T> {
    /// Calls an operation.
    pub async fn call<O: Operation>(&self, request: &O) -> Result<O::Response, Error<O::Error>> {
        if self.checked {
            request.validate().map_err(Error::Invalid)?;
        }
        let response = match self.answered(request).await {
            Ok(response) => response,
            Err(failure) => return Err(failure.into()),
        };
        let failed = match O::Response::decode(&response) {
            Some(Ok(value)) => return Ok(value),
            Some(Err(source)) => Some(source),
            None => match O::Error::decode(&response) {
                Some(Ok(error)) => return Err(Error::Api(error)),
                Some(Err(source)) => Some(source),
                None => None,
            },
        };
        let (status, headers, body) = response.into_parts();
        let answer = Box::new(Answer {
            status,
            headers,
            body,
        });
        Err(match failed {
            Some(source) => Error::Decode { answer, source },
            None => Error::Undocumented(answer),
        })
    }

    /// Sends a request, in a span of its own.
    #[cfg(feature = "tracing")]
    async fn answered<O: Operation>(&self, request: &O) -> Result<ResponseDecoder, Failure> {
        let span = trace::call(O::META, &self.base);
        let answer = self.authorized(request).instrument(span.clone()).await;
        match &answer {
            Ok(response) => trace::answered(&span, response.status_code(), true),
            Err(failure) => trace::failed(&span, failure.kind()),
        }
        answer
    }

    #[cfg(not(feature = "tracing"))]
    async fn answered<O: Operation>(&self, request: &O) -> Result<ResponseDecoder, Failure> {
        self.authorized(request).await
    }

    /// Sends a request, and sends it again when another token may make a difference.
    async fn authorized<O: Operation>(&self, request: &O) -> Result<ResponseDecoder, Failure> {
        let Some(tokens) = self.tokens_for(O::META) else {
            return self
                .exchange(
                    CallOf::of::<O>(),
                    self.request(request, &*self.credentials)?,
                )
                .await;
        };
        let mut with = WithToken {
            source: &*self.credentials,
            scheme: tokens.scheme(),
            token: match tokens.current() {
                Some(token) => token,
                None => tokens.obtain().await?,
            },
        };
        let response = self
            .exchange(CallOf::of::<O>(), self.request(request, &with)?)
            .await?;
        if !tokens.is_curable(response.status_code(), response.raw()) {
            return Ok(response);
        }
        let token = tokens.replace(with.token.clone()).await?;
        if token == with.token {
            return Ok(response);
        }
        with.token = token;
        self.exchange(CallOf::of::<O>(), self.request(request, &with)?)
            .await
    }

    /// The tokens, when this operation is to be called with one.
    fn tokens_for(&self, meta: &OperationMeta) -> Option<&dyn TokenProvider> {
        let tokens = self.tokens.as_deref()?;
        let marker = Secret::from("");
        let with = WithToken {
            source: &*self.credentials,
            scheme: tokens.scheme(),
            token: marker.clone(),
        };
        let chosen = choose(meta, &with).ok()?;
        chosen
            .contains(&Credential::Bearer(marker))
            .then_some(tokens)
    }

    /// Sends a request, as often as it takes.
    async fn exchange(
        &self,
        call: CallOf,
        mut request: Request<Body>,
    ) -> Result<ResponseDecoder, Failure> {
        let Some(retry) = self.retry.as_deref() else {
            return self.exchange_once(call, request).await;
        };
        let mut number = 1;
        loop {
            let again = copy(&request);
            let came = self.exchange_once(call, request).await;
            let attempt = Attempt {
                operation: call.meta,
                number,
                answer: match &came {
                    Ok(response) => Some((response.status_code(), response.headers())),
                    Err(_) => None,
                },
                error: match &came {
                    Err(Failure::Transport(error)) => Some(error),
                    _ => None,
                },
            };
            let (Some(next), Some(wait)) = (again, retry.after(&attempt)) else {
                return came;
            };
            wait.await;
            request = next;
            number += 1;
        }
    }

    /// Sends a request and takes the whole response.
    async fn exchange_once(
        &self,
        call: CallOf,
        request: Request<Body>,
    ) -> Result<ResponseDecoder, Failure> {
        let response = self
            .transport
            .send(request)
            .await
            .map_err(Failure::Transport)?;
        let (parts, body) = response.into_parts();
        let status = parts.status;
        if call.is_streamed(&parts.headers) {
            return Ok(ResponseDecoder::live(status, parts.headers, body));
        }
        let body = body
            .collect(self.body_limit)
            .await
            .map_err(|error| match error {
                CollectError::TooLarge { limit } => Failure::TooLarge { status, limit },
                CollectError::Broken(error) => Failure::Transport(TransportError::new(error)),
            })?;
        Ok(ResponseDecoder::new(status, parts.headers, body))
    }

    fn request<O: Operation>(
        &self,
        request: &O,
        credentials: &dyn CredentialSource,
    ) -> Result<Request<Body>, Failure> {
        let mut encoder = RequestEncoder::new(O::META);
        request.encode(&mut encoder);
        let accepted = [O::Response::MEDIA, O::Error::MEDIA];
        self.finish(O::META, encoder, accepted, credentials)
    }

    fn finish(
        &self,
        meta: &'static OperationMeta,
        mut encoder: RequestEncoder,
        accepted: [&[&str]; 2],
        credentials: &dyn CredentialSource,
    ) -> Result<Request<Body>, Failure> {
        let stream = encoder.take_stream();
        let mut written = encoder.finish()?;
        let credentials = choose(meta, credentials).map_err(|schemes| {
            Failure::MissingCredentials(MissingCredentials {
                operation: meta.id,
                schemes,
            })
        })?;
        let headers = &mut written.headers;
        for credential in &credentials {
            credential.apply(headers, &mut written.query, &mut written.cookies)?;
        }
        if let Some((name, value)) = cookie_header(&written.cookies)? {
            headers.insert(name, value);
        }
        for (name, value) in &self.headers {
            if !headers.contains_key(name) {
                headers.insert(name.clone(), value.clone());
            }
        }
        if let Some(accepted) = negotiate::accept(accepted) {
            headers.entry(ACCEPT).or_insert(accepted);
        }
        let body = stream.or(written
            .body
            .map(|(content_type, bytes)| (content_type, Body::from(bytes))));
        let body = body.map_or_else(Body::empty, |(content_type, body)| {
            headers.insert(CONTENT_TYPE, content_type);
            body
        });
        let mut request = Request::new(body);
        *request.method_mut() = Method::from_bytes(meta.method.as_bytes())
            .map_err(|_| EncodeError::new("method", "it is none"))?;
        *request.uri_mut() = self.uri(&written.path, &written.query)?;
        *request.headers_mut() = written.headers;
        if let Some(timeout) = self.timeout {
            request.extensions_mut().insert(timeout);
        }
        Ok(request)
    }

    fn uri(&self, path: &str, query: &str) -> Result<Uri, EncodeError> {
        let mut target = self.base.path().trim_end_matches('/').to_owned();
        target.push_str(path);
        if !query.is_empty() {
            target.push('?');
            target.push_str(query);
        }
        let mut parts = self.base.clone().into_parts();
        parts.path_and_query = target.parse().ok();
        match parts.path_and_query {
            Some(_) => {
                Uri::from_parts(parts).map_err(|error| EncodeError::new("url", error.to_string()))
            }
            None => Err(EncodeError::new("url", "it is too long, or is none")),
        }
    }
}

/// What is to be known of a call on its way.
#[derive(Clone, Copy)]
struct CallOf {
    meta: &'static OperationMeta,
    /// The media types of bodies that come item by item.
    streams: [&'static [&'static str]; 2],
}

impl CallOf {
    const fn of<O: Operation>() -> Self {
        Self {
            meta: O::META,
            streams: [O::Response::STREAMS, O::Error::STREAMS],
        }
    }

    fn is_streamed(self, headers: &HeaderMap) -> bool {
        let came = header::text(headers, CONTENT_TYPE.as_str());
        let of = |came| {
            self.streams
                .into_iter()
                .flatten()
                .any(|of| media::matches(of, came))
        };
        came.is_some_and(of)
    }
}

/// The same request once more; `None` when its body can be sent once only.
fn copy(request: &Request<Body>) -> Option<Request<Body>> {
    let body = request.body().try_clone()?;
    let mut copy = Request::new(body);
    request.method().clone_into(copy.method_mut());
    request.uri().clone_into(copy.uri_mut());
    request.headers().clone_into(copy.headers_mut());
    request.extensions().clone_into(copy.extensions_mut());
    Some(copy)
}

/// What goes wrong whatever the operation is.
enum Failure {
    TooLarge { status: StatusCode, limit: usize },
    Transport(TransportError),
    Encode(EncodeError),
    MissingCredentials(MissingCredentials),
    Token(TokenError),
}

#[cfg(feature = "tracing")]
impl Failure {
    /// What kind of failure it is, for `error.type`.
    const fn kind(&self) -> &'static str {
        match self {
            Self::TooLarge { .. } => "too_large",
            Self::Transport(_) => "transport",
            Self::Encode(_) => "encode",
            Self::MissingCredentials(_) => "missing_credentials",
            Self::Token(_) => "token",
        }
    }
}

impl From<TokenError> for Failure {
    fn from(error: TokenError) -> Self {
        Self::Token(error)
    }
}

impl From<EncodeError> for Failure {
    fn from(error: EncodeError) -> Self {
        Self::Encode(error)
    }
}

impl<E> From<Failure> for Error<E> {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::TooLarge { status, limit } => Self::TooLarge { status, limit },
            Failure::Transport(error) => Self::Transport(error),
            Failure::Encode(error) => Self::Encode(error),
            Failure::MissingCredentials(missing) => Self::MissingCredentials(missing),
            Failure::Token(error) => Self::Token(error),
        }
    }
}
