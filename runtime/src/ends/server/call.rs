//! One request on its way to its handler, and the response on its way back.

use super::content;
use super::settings::{Reached, Settings};
use super::unimplemented::NotImplemented;
use super::{Body, Context, Error, Rejection, RejectionKind, Response};
#[cfg(feature = "test")]
use crate::ends::server::Probe;
use crate::message::media::Reading;
use crate::message::operation::body::BodyDecoder;
#[cfg(feature = "check-responses")]
use crate::message::operation::checked::{self, CheckOf};
use crate::message::operation::negotiate;
use crate::message::operation::{Row, SuccessSet};
use crate::message::payload::{Exceeded, coding};
use crate::message::wire::captures::Captures;
use crate::message::wire::header;
use crate::message::wire::template::Variables;
use crate::message::{
    NoError, Operation, OperationMeta, RequestDecoder, Requirement, ResponseEncoder, ResponseSet,
};
use http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use http::request::Parts;
use http::{HeaderName, HeaderValue};
use http_body::Body as _;
use std::marker::PhantomData;
use std::sync::Arc;
#[cfg(feature = "test")]
use std::sync::OnceLock;

/// A request that is routed to its operation.
pub struct Call<A> {
    pub(super) api: Arc<A>,
    pub(super) settings: Arc<Settings>,
    pub(super) parts: Box<Parts>,
    pub(super) body: Body,
    /// Receives the operation, for the report of a panic.
    pub(super) operation: Reached,
    /// The segments that the variables of the path match.
    pub(super) captures: Captures,
    /// Whether only the operation is asked for.
    pub(super) is_lookup: bool,
    /// Receives what a contract test needs to know of the operation.
    #[cfg(feature = "test")]
    pub(super) probe: Option<Arc<OnceLock<Probe>>>,
}

/// A decoded request, and what is needed to respond to it.
pub struct Begun<A, O> {
    /// The implementation of the server trait.
    pub api: Arc<A>,
    /// The request without its parameters.
    pub context: Context,
    /// The decoded parameters.
    pub request: O,
    /// Creates the response.
    pub finish: Responder<O>,
}

/// The conversion of a handler's result to the response of the operation `O`.
pub struct Responder<O> {
    finish: Finish,
    operation: PhantomData<fn() -> O>,
}

/// The conversion of a handler's result to a response, independent of the operation's type.
pub struct Finish {
    settings: Arc<Settings>,
    meta: &'static OperationMeta,
    /// Whether a streamed body has exceeded the limit.
    exceeded: Exceeded,
    /// The header `Accept`, by which one of several media types of a response is chosen.
    accept: Option<HeaderValue>,
    /// Whether the caller accepts gzip; `None` if responses are not compressed.
    #[cfg(feature = "gzip")]
    gzip: Option<bool>,
    /// Checks the response of the handler.
    #[cfg(feature = "check-responses")]
    pub(super) check: Option<CheckOf>,
}

impl<A> Call<A> {
    /// Authenticates and decodes the request.
    ///
    /// # Errors
    ///
    /// Returns the response of a rejected request.
    pub fn begin<O: Operation + Send>(self) -> impl Future<Output = Result<Begun<A, O>, Response>> {
        #[cfg(feature = "tracing")]
        if !self.is_lookup {
            crate::ends::trace::operation(O::META);
        }
        // A call begins once, so the cell is empty.
        let _ = self.operation.set(O::META);
        #[cfg(feature = "test")]
        if let Some(probe) = &self.probe {
            let _ = probe.set(Probe::of::<O>());
        }
        let (api, settings) = (self.api, self.settings);
        let (body, captures) = (self.body, self.captures);
        let is_lookup = self.is_lookup;
        let mut context = Context::new(self.parts, O::META);
        // Not an `async fn`: its future would contain the request twice.
        async move {
            if is_lookup {
                return Err(Response::default());
            }
            let mut request = None;
            let decode = &mut |decoder: &mut RequestDecoder<'_>| {
                request = O::decode(decoder);
                request.as_ref().map(O::security)
            };
            let offered = O::Success::rows(O::META);
            let finish = begin(&settings, &mut context, body, &captures, offered, decode).await;
            match (request, finish) {
                (Some(request), Ok(finish)) => Ok(Begun {
                    api,
                    context,
                    request,
                    finish: Responder::new(finish),
                }),
                (None, Ok(finish)) => Err(finish.error(unread())),
                (_, Err(response)) => Err(response),
            }
        }
    }
}

/// Decodes a request, and returns the alternatives of credentials that it accepts.
type Decode<'d> = &'d mut (
            dyn FnMut(&mut RequestDecoder<'_>) -> Option<&'static [&'static [Requirement]]> + Send
        );

/// Runs all steps before the handler. Not generic, so compiled once and not for each operation. One future, because each
/// further one would be copied into the next.
async fn begin(
    settings: &Arc<Settings>,
    context: &mut Context,
    body: Body,
    captures: &Captures,
    offered: &[Row],
    decode: Decode<'_>,
) -> Result<Finish, Response> {
    let opened = settings.open(context, body, captures, offered).await;
    let decoded = opened.and_then(|(body, exceeded)| {
        let security = settings.decode(context, captures, body, decode)?;
        Ok((security, exceeded))
    });
    let (security, exceeded) = match decoded {
        Ok(decoded) => decoded,
        Err(error) => {
            return Err(Finish::of(Arc::clone(settings), context.operation()).error(error));
        }
    };
    // The accepted credentials may depend on the decoded request.
    if !context.narrow(security)
        && let Err(error) = settings.admission.admit(context).await
    {
        return Err(Finish::of(Arc::clone(settings), context.operation()).error(error));
    }
    Ok(Finish::with(Arc::clone(settings), context, exceeded))
}

impl Settings {
    /// Returns the raw values of the variables in the path; `None` if one of them is empty.
    fn variables<'c>(&self, context: &'c Context, captures: &Captures) -> Option<Variables<'c>> {
        let path = self.below_base(context.uri().path())?;
        captures.bind(path, context.operation().path)
    }

    /// Decodes the request.
    fn decode(
        &self,
        context: &Context,
        captures: &Captures,
        body: BodyDecoder,
        decode: Decode<'_>,
    ) -> Result<&'static [&'static [Requirement]], Error<NoError>> {
        let mut decoder = RequestDecoder::with_variables(
            context.operation(),
            self.variables(context, captures).unwrap_or_default(),
            context.uri().query(),
            context.headers(),
            body,
        );
        if self.keep_encoded_commas {
            decoder = decoder.keep_encoded_commas();
        }
        let mut decoder = decoder.strict(self.leniencies);
        let security = decode(&mut decoder);
        match (security, outcome(&mut decoder)) {
            (Some(security), None) => Ok(security),
            (_, Some(rejection)) => Err(rejection.into()),
            (None, None) => Err(unread()),
        }
    }

    /// Runs the steps before the request is decoded.
    async fn open(
        &self,
        context: &mut Context,
        body: Body,
        captures: &Captures,
        offered: &[Row],
    ) -> Result<(BodyDecoder, Exceeded), Error<NoError>> {
        let meta = context.operation();
        // A path variable is never empty, which the router does not check.
        let is_bound = match captures.is_partial() {
            true => self.variables(context, captures).is_some(),
            false => !captures.has_empty(),
        };
        if !is_bound {
            return Err(Rejection::not_found().into());
        }
        if let Some(name) = header::repeated(context.headers(), self.admission.key_headers()) {
            return Err(Rejection::repeated_header(name).into());
        }
        self.admission.admit(context).await?;
        if self.enforce_accept && !content::is_acceptable(context, offered) {
            return Err(Rejection::new(RejectionKind::NotAcceptable).into());
        }
        let content_type = header::text(context.headers(), CONTENT_TYPE);
        let is_live = negotiate::is_live(meta.streams, content_type, Reading::of(self.leniencies));
        // Decided by the head: a caller that expects `100 Continue` is not asked for a body that is
        // rejected (RFC 9110, section 10.1.1).
        if !body.is_end_stream() {
            content::check_documented(meta, content_type, self.leniencies)?;
        }
        let content_type = content_type.map(str::to_owned);
        let body = match is_live {
            true => body.paused_at_most(self.stream_idle_timeout),
            false => body.received_within(self.body_timeout),
        };
        let sent = match coding::is_wrapped(context.headers()) {
            Ok(false) => body,
            // An operation that declares `Content-Encoding` decodes the body itself.
            _ if declares(meta, &CONTENT_ENCODING) => body,
            Ok(true) => coding::unwrapped(body, is_live, Reading::Strict),
            Err(coding::UnknownCoding) => return Err(unknown_coding().into()),
        };
        let limit = self.body_limit_of(meta);
        if is_live && !sent.is_end_stream() {
            // A declared length above the limit is rejected before the body is received.
            let announced = sent.size_hint().lower();
            if usize::try_from(announced).is_ok_and(|length| length > limit) {
                return Err(Rejection::new(RejectionKind::TooLarge).into());
            }
            let (body, exceeded) = sent.limited(limit);
            return Ok((BodyDecoder::live(content_type, body), exceeded));
        }
        match sent.collect(limit).await {
            Ok(bytes) => Ok((BodyDecoder::new(content_type, bytes), Exceeded::default())),
            Err(error) => Err(Rejection::of_body(&error).into()),
        }
    }
}

/// Returns whether an operation has a parameter for a header.
fn declares(meta: &OperationMeta, header: &HeaderName) -> bool {
    let mut parameters = meta.parameters.iter();
    parameters.any(|(place, name)| *place == "header" && name.eq_ignore_ascii_case(header.as_str()))
}

/// The cause of a 500 if a decoder fails without a field error.
const UNREAD: &str = "the request could not be decoded, and its decoder reported no error";

fn unread() -> Error<NoError> {
    Rejection::internal().with_cause(UNREAD).into()
}

/// Returns the rejection of a body in an unknown coding, with the accepted codings (RFC 9110,
/// section 15.5.16).
fn unknown_coding() -> Rejection {
    let taken = HeaderValue::from_static(coding::ACCEPTED);
    Rejection::new(RejectionKind::UnsupportedMediaType).header(ACCEPT_ENCODING, taken)
}

/// Returns the rejection for the errors of a decoder, if there are any.
fn outcome(decoder: &mut RequestDecoder<'_>) -> Option<Rejection> {
    if decoder.wrong_media() {
        return Some(content::undocumented(decoder.meta()));
    }
    let field_errors = decoder.take_field_errors();
    (!field_errors.is_empty())
        .then(|| Rejection::validation(field_errors).accepted_by(decoder.leniencies()))
}

impl<O> Responder<O> {
    pub(crate) const fn new(finish: Finish) -> Self {
        Self {
            finish,
            operation: PhantomData,
        }
    }

    pub(crate) const fn settings(&self) -> &Arc<Settings> {
        self.finish.settings()
    }
}

impl<O: Operation> Responder<O> {
    /// Converts the result of a handler to a response.
    pub fn response(self, result: Result<O::Response, Error<O::Error>>) -> Response {
        #[cfg(feature = "check-responses")]
        let finish = self.finish.checked_by(checked::check::<O>);
        #[cfg(not(feature = "check-responses"))]
        let finish = self.finish;
        // The handler has seen a truncated body, so its result is discarded.
        if finish.exceeded.is_set() {
            return finish.rejection(&Rejection::new(RejectionKind::TooLarge));
        }
        match result {
            Ok(response) => {
                let mut encoder = finish.encoder();
                O::Success::encode(O::META, &response, &mut encoder);
                finish.written(encoder)
            }
            Err(error) => finish.error(error),
        }
    }
}

impl Finish {
    pub(super) const fn settings(&self) -> &Arc<Settings> {
        &self.settings
    }

    #[cfg(feature = "check-responses")]
    pub(super) const fn meta(&self) -> &'static OperationMeta {
        self.meta
    }

    pub(crate) fn of(settings: Arc<Settings>, meta: &'static OperationMeta) -> Self {
        Self {
            settings,
            meta,
            exceeded: Exceeded::default(),
            accept: None,
            #[cfg(feature = "gzip")]
            gzip: None,
            #[cfg(feature = "check-responses")]
            check: None,
        }
    }

    fn with(settings: Arc<Settings>, context: &Context, exceeded: Exceeded) -> Self {
        #[cfg(feature = "gzip")]
        let gzip = settings
            .compressed
            .then(|| coding::takes_gzip(context.headers()));
        Self {
            settings,
            meta: context.operation(),
            exceeded,
            accept: content::accept(context.headers()),
            #[cfg(feature = "gzip")]
            gzip,
            #[cfg(feature = "check-responses")]
            check: None,
        }
    }

    /// Returns the response to a rejection, and reports a failure of the server.
    fn rejection(&self, rejection: &Rejection) -> Response {
        let on_failure = &self.settings.on_failure;
        match rejection.kind() {
            RejectionKind::Internal => on_failure.report(self.meta, rejection.cause()),
            RejectionKind::NotImplemented => {
                on_failure.report(
                    self.meta,
                    Some(rejection.cause().unwrap_or(&NotImplemented)),
                );
            }
            #[cfg(feature = "tracing")]
            RejectionKind::Validation
            | RejectionKind::NotAcceptable
            | RejectionKind::UnsupportedMediaType
            | RejectionKind::TooLarge => crate::ends::trace::rejected(
                self.meta,
                rejection.kind().status(),
                rejection.leniencies(),
            ),
            _ => {}
        }
        self.settings.rejection_of(rejection, Some(self.meta))
    }

    /// Returns the encoder of a response to the caller.
    fn encoder(&self) -> ResponseEncoder {
        let mut encoder = ResponseEncoder::default();
        encoder.body().negotiate(self.accept.clone());
        encoder
    }

    fn error<E: ResponseSet>(&self, error: Error<E>) -> Response {
        match error {
            Error::Api(error) => {
                let mut encoder = self.encoder();
                error.encode(&mut encoder);
                self.written(encoder)
            }
            Error::WithHeaders(error, headers) => {
                let mut encoder = headers.into_encoder();
                encoder.body().negotiate(self.accept.clone());
                error.encode(&mut encoder);
                self.written(encoder)
            }
            Error::Rejection(rejection) => self.rejection(&rejection),
            #[cfg(feature = "check-responses")]
            Error::Raw(response) => self.checked(*response),
            #[cfg(not(feature = "check-responses"))]
            Error::Raw(response) => *response,
        }
    }

    fn written(&self, mut encoder: ResponseEncoder) -> Response {
        let (stream, varies) = (encoder.take_stream(), encoder.body().varies());
        let written = match encoder.finish() {
            Ok(written) => written,
            Err(error) => return self.rejection(&Rejection::internal().with_cause(error)),
        };
        let mut response = Response::default();
        *response.status_mut() = written.status;
        *response.headers_mut() = written.headers;
        if varies {
            (response.headers_mut()).append(VARY, HeaderValue::from_static("accept"));
        }
        if let Some((content_type, body)) = stream {
            response.headers_mut().insert(CONTENT_TYPE, content_type);
            *response.body_mut() = self.settings.on_failure.watch(self.meta, body);
        } else if let Some((content_type, bytes)) = written.body {
            response.headers_mut().insert(CONTENT_TYPE, content_type);
            *response.body_mut() = Body::from(bytes);
        }
        #[cfg(feature = "check-responses")]
        let response = self.checked(response);
        #[cfg(feature = "gzip")]
        let response = self.wrapped(response);
        response
    }

    /// Compresses a response if the caller accepts it. `Vary` is set in either case.
    #[cfg(feature = "gzip")]
    fn wrapped(&self, mut response: Response) -> Response {
        let Some(taken) = self.gzip else {
            return response;
        };
        let varies = HeaderValue::from_static("accept-encoding");
        response.headers_mut().append(VARY, varies);
        if taken {
            let body = std::mem::take(response.body_mut());
            let body = coding::wrapped(response.headers_mut(), body);
            *response.body_mut() = body;
        }
        response
    }
}
