//! One request on its way to its handler, and the response on its way back.

use super::content;
use super::settings::Settings;
use super::unimplemented::NotImplemented;
use super::{Body, Context, Error, Rejection, RejectionKind, Response};
#[cfg(feature = "test")]
use crate::ends::server::Probe;
use crate::message::media::{self, Reading};
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
    NoError, Operation, OperationMeta, RequestDecoder, ResponseEncoder, ResponseSet,
    SecurityRequirement,
};
use http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use http::request::Parts;
use http::{HeaderName, HeaderValue};
use http_body::Body as _;
use std::borrow::Cow;
use std::marker::PhantomData;
use std::sync::Arc;

/// A request that is routed to a path and a method.
pub struct Call<A> {
    pub(super) api: Arc<A>,
    pub(super) settings: Arc<Settings>,
    pub(super) parts: Box<Parts>,
    pub(super) body: Body,
    /// The segments that the variables of the path match.
    pub(super) captures: Captures,
}

/// The operation that a request reaches.
#[derive(Default)]
pub struct Reached {
    pub(super) operation: Option<&'static OperationMeta>,
    /// What a contract test needs to know of the operation.
    #[cfg(feature = "test")]
    pub(super) probe: Option<Probe>,
}

/// A request that is routed to the operation `O`.
pub struct OperationCall<A, O> {
    api: Arc<A>,
    received: Received,
    operation: PhantomData<fn() -> O>,
}

/// A request before it is decoded.
struct Received {
    settings: Arc<Settings>,
    context: Context,
    body: Body,
    captures: Captures,
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
    /// Routes the request to the operation `O`, and states it.
    pub fn reach<O: Operation>(self, reached: &mut Reached) -> OperationCall<A, O> {
        reached.operation = Some(O::META);
        #[cfg(feature = "test")]
        {
            reached.probe = Some(Probe::new::<O>());
        }
        OperationCall {
            api: self.api,
            received: Received {
                settings: self.settings,
                context: Context::new(self.parts, O::META),
                body: self.body,
                captures: self.captures,
            },
            operation: PhantomData,
        }
    }
}

impl<A: Send + Sync, O: Operation + Send> OperationCall<A, O> {
    /// Authenticates and decodes the request, and returns it with what creates the response.
    ///
    /// # Errors
    ///
    /// Returns the response of a rejected request.
    pub async fn begin(&mut self) -> Result<(O, Responder<O>), Response> {
        #[cfg(feature = "tracing")]
        crate::ends::trace::operation(O::META);
        let mut request = None;
        let decode = &mut |decoder: &mut RequestDecoder<'_>| {
            request = O::decode(decoder);
            request.as_ref().map(O::security)
        };
        let offered = O::Success::rows(O::META);
        let finish = begin(&mut self.received, offered, decode).await?;
        match request {
            Some(request) => Ok((request, Responder::new(finish))),
            None => Err(finish.error(unread())),
        }
    }

    /// Returns the implementation of the server trait, and the request without its parameters.
    pub fn into_parts(self) -> (Arc<A>, Context) {
        (self.api, self.received.context)
    }
}

/// Decodes a request, and returns the alternatives of credentials that it accepts.
type Decode<'d> = &'d mut (
            dyn FnMut(&mut RequestDecoder<'_>) -> Option<&'static [&'static [SecurityRequirement]]>
                + Send
        );

/// Runs all steps before the handler. Not generic, so compiled once and not for each operation.
async fn begin(
    received: &mut Received,
    offered: &[Row],
    decode: Decode<'_>,
) -> Result<Finish, Response> {
    match prepare(received, offered, decode).await {
        Ok(exceeded) => Ok(Finish::with(received, exceeded)),
        Err(error) => {
            let (settings, meta) = (&received.settings, received.context.operation());
            Err(Finish::new(Arc::clone(settings), meta).error(error))
        }
    }
}

/// Authenticates and decodes a request, and returns whether its streamed body has exceeded the limit.
async fn prepare(
    received: &mut Received,
    offered: &[Row],
    decode: Decode<'_>,
) -> Result<Exceeded, Error<NoError>> {
    let (body, exceeded) = received.open(offered).await?;
    let Received {
        settings,
        context,
        captures,
        ..
    } = received;
    let security = settings.decode(context, captures, body, decode)?;
    // The accepted credentials may depend on the decoded request.
    if !context.narrow(security) {
        settings.admission.admit(context).await?;
    }
    Ok(exceeded)
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
    ) -> Result<&'static [&'static [SecurityRequirement]], Error<NoError>> {
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
}

impl Received {
    /// Runs the steps before the request is decoded.
    async fn open(&mut self, offered: &[Row]) -> Result<(BodyDecoder, Exceeded), Error<NoError>> {
        let Self {
            settings,
            context,
            body,
            captures,
        } = self;
        let meta = context.operation();
        // A path variable is never empty, which the router does not check.
        let is_bound = match captures.is_partial() {
            true => settings.variables(context, captures).is_some(),
            false => !captures.has_empty(),
        };
        if !is_bound {
            return Err(Rejection::not_found().into());
        }
        if let Some(name) = header::repeated(context.headers(), settings.admission.key_headers()) {
            return Err(Rejection::repeated_header(name).into());
        }
        settings.admission.admit(context).await?;
        let body = std::mem::take(body);
        if settings.enforce_accept && !content::is_acceptable(context, offered) {
            return Err(Rejection::new(RejectionKind::NotAcceptable).into());
        }
        let content_type = header::text(context.headers(), CONTENT_TYPE);
        let is_live = negotiate::is_live(
            meta.streams,
            content_type,
            Reading::new(settings.leniencies),
        );
        // Decided by the head: a caller that expects `100 Continue` is not asked for a body that is
        // rejected (RFC 9110, section 10.1.1).
        if !body.is_end_stream() {
            content::check_documented(meta, content_type, settings.leniencies)?;
        }
        let content_type = content_type.map(media::owned);
        let body = match is_live {
            true => body.paused_at_most(settings.stream_idle_timeout),
            false => body.received_within(settings.body_timeout),
        };
        let sent = match coding::is_wrapped(context.headers()) {
            Ok(false) => body,
            // An operation that declares `Content-Encoding` decodes the body itself.
            _ if declares(meta, &CONTENT_ENCODING) => body,
            Ok(true) => coding::unwrapped(body, is_live, Reading::Strict),
            Err(coding::UnknownCoding) => return Err(unknown_coding().into()),
        };
        let limit = settings.body_limit_of(meta);
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
    #[cfg_attr(
        not(feature = "check-responses"),
        allow(unused_mut, reason = "the check is set")
    )]
    pub fn response(mut self, result: Result<O::Response, Error<O::Error>>) -> Response {
        #[cfg(feature = "check-responses")]
        self.finish.check_by(checked::check::<O>);
        let finish = &self.finish;
        // The handler has seen a truncated body, so its result is discarded.
        if finish.exceeded.is_set() {
            return finish.rejection(&Rejection::new(RejectionKind::TooLarge));
        }
        match result {
            Ok(ref response) => {
                let mut encoder = ResponseEncoder::default();
                encoder.body().negotiate(finish.accept.clone());
                O::Success::encode(O::META, response, &mut encoder);
                finish.written(&mut encoder)
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

    pub(crate) fn new(settings: Arc<Settings>, meta: &'static OperationMeta) -> Self {
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

    fn with(received: &Received, exceeded: Exceeded) -> Self {
        let (settings, context) = (&received.settings, &received.context);
        #[cfg(feature = "gzip")]
        let gzip = settings
            .compressed
            .then(|| coding::takes_gzip(context.headers()));
        Self {
            settings: Arc::clone(settings),
            meta: context.operation(),
            exceeded,
            accept: content::accept(context.headers()).map(Cow::into_owned),
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

    fn error<E: ResponseSet>(&self, error: Error<E>) -> Response {
        match error {
            Error::Api(error) => {
                let mut encoder = ResponseEncoder::default();
                encoder.body().negotiate(self.accept.clone());
                error.encode(&mut encoder);
                self.written(&mut encoder)
            }
            Error::WithHeaders(error, headers) => {
                let mut encoder = headers.into_encoder();
                encoder.body().negotiate(self.accept.clone());
                error.encode(&mut encoder);
                self.written(&mut encoder)
            }
            Error::Rejection(rejection) => self.rejection(&rejection),
            #[cfg(feature = "check-responses")]
            Error::Raw(response) => self.checked(*response),
            #[cfg(not(feature = "check-responses"))]
            Error::Raw(response) => *response,
        }
    }

    fn written(&self, encoder: &mut ResponseEncoder) -> Response {
        let mut response = Response::default();
        if let Err(error) = encoder.write_to(&mut response, |body| {
            self.settings.on_failure.watch(self.meta, body)
        }) {
            return self.rejection(&Rejection::internal().with_cause(error));
        }
        if encoder.body().varies() {
            (response.headers_mut()).append(VARY, HeaderValue::from_static("accept"));
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
