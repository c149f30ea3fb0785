//! One request on its way to its handler, and the answer on its way back.

use super::router::{Reached, Settings};
use super::unimplemented::NotImplemented;
use super::{Body, CollectError, Context, Error, Rejection, RejectionKind, Response};
use crate::operation::body::{BODY, BodyDecoder};
use crate::operation::negotiate;
use crate::operation::{Row, SuccessSet};
use crate::payload::{Exceeded, coding};
use crate::wire::media::Reading;
use crate::wire::template::{self, Variables};
use crate::wire::{header, strictly};
use crate::{NoError, Operation, OperationMeta, RequestDecoder, ResponseEncoder, ResponseSet};
use http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE};
use http::request::Parts;
use http::{HeaderValue, Method};
use http_body::Body as _;
use std::marker::PhantomData;
use std::sync::Arc;

/// A request on its way to its handler.
pub struct Call<A> {
    pub(super) api: Arc<A>,
    pub(super) settings: Arc<Settings>,
    pub(super) parts: Parts,
    pub(super) body: Body,
    /// Is told which operation this is.
    pub(super) operation: Reached,
    /// The path without what the router stands under.
    pub(super) path: String,
}

/// A request that is read, and what it takes to answer it.
pub struct Begun<A, O> {
    /// What has the handler.
    pub api: Arc<A>,
    /// What is known beside the parameters.
    pub context: Context,
    /// The parameters.
    pub request: O,
    /// Makes the response.
    pub finish: Responder<O>,
}

/// Makes the response of the operation `O`.
pub struct Responder<O> {
    finish: Finish,
    operation: PhantomData<fn() -> O>,
}

/// Makes the response.
pub struct Finish {
    settings: Arc<Settings>,
    meta: &'static OperationMeta,
    /// Whether a body that the handler reads as it comes is too large.
    exceeded: Exceeded,
    /// Whether the caller takes gzip, where answers are wrapped in it.
    #[cfg(feature = "gzip")]
    gzip: Option<bool>,
}

/// What is read of a request before its operation is asked.
struct Open {
    context: Context,
    variables: Variables,
    body: BodyDecoder,
    exceeded: Exceeded,
}

impl<A> Call<A> {
    /// Lets the request in and reads it, or answers it right away.
    pub async fn begin<O: Operation>(self) -> Result<Begun<A, O>, Response> {
        #[cfg(feature = "tracing")]
        crate::trace::operation(O::META);
        // It is told once: a call begins once.
        let _ = self.operation.set(O::META);
        let (api, settings) = (Arc::clone(&self.api), Arc::clone(&self.settings));
        let open = match self.open(O::META, O::Success::rows(O::META)).await {
            Ok(open) => open,
            Err(error) => return Err(Finish::of(settings, O::META).error(error)),
        };
        let Open {
            mut context,
            variables,
            body,
            exceeded,
        } = open;
        #[cfg(feature = "gzip")]
        let gzip = settings
            .compressed
            .then(|| coding::takes_gzip(context.headers()));
        let mut decoder = RequestDecoder::with_variables(
            O::META,
            variables,
            context.uri().query(),
            context.headers(),
            body,
        );
        if settings.keep_encoded_commas {
            decoder = decoder.keep_encoded_commas();
        }
        let request = strictly(|| O::decode(&mut decoder));
        let request = match (request, outcome(decoder)) {
            (Some(request), None) => request,
            (_, rejection) => {
                let rejection =
                    rejection.unwrap_or_else(|| Rejection::internal().with_cause(UNREAD));
                return Err(Finish::of(settings, O::META).rejection(&rejection));
            }
        };
        // Which credentials are good may depend on what is asked for.
        if !context.narrow(request.security())
            && let Err(error) = settings.admission.admit(&mut context).await
        {
            return Err(Finish::of(settings, O::META).error(error));
        }
        Ok(Begun {
            api,
            context,
            request,
            finish: Responder::new(Finish {
                settings,
                meta: O::META,
                exceeded,
                #[cfg(feature = "gzip")]
                gzip,
            }),
        })
    }

    /// What does not depend on the type of the request.
    async fn open(
        self,
        meta: &'static OperationMeta,
        offered: &[Row],
    ) -> Result<Open, Error<NoError>> {
        // A variable is never empty, which the matcher of segments does not look at.
        let variables =
            template::variables(&self.path, meta.path).ok_or_else(Rejection::not_found)?;
        let mut context = Context::new(self.parts, meta);
        self.settings.admission.admit(&mut context).await?;
        if !self.settings.ignore_accept && !is_acceptable(&context, offered) {
            return Err(Rejection::new(RejectionKind::NotAcceptable).into());
        }
        let content_type = header::text(context.headers(), CONTENT_TYPE.as_str());
        let is_live = negotiate::is_live(meta.streams, content_type, Reading::Strict);
        let content_type = content_type.map(str::to_owned);
        // Whoever declares the header looks after it.
        let own = |(place, name): &(&str, &str)| {
            *place == "header" && name.eq_ignore_ascii_case(CONTENT_ENCODING.as_str())
        };
        let sent = if meta.parameters.iter().any(own) {
            self.body
        } else {
            match coding::is_wrapped(context.headers()) {
                Ok(true) => coding::unwrapped(self.body, is_live),
                Ok(false) => self.body,
                Err(coding::UnknownCoding) => return Err(unknown_coding().into()),
            }
        };
        let limit = self.settings.body_limit;
        let too_large = || Rejection::new(RejectionKind::TooLarge);
        let (body, exceeded) = if is_live && !sent.is_end_stream() {
            // What is announced need not be waited for.
            let announced = sent.size_hint().lower();
            if usize::try_from(announced).is_ok_and(|length| length > limit) {
                return Err(too_large().into());
            }
            let (body, exceeded) = sent.limited(limit);
            (BodyDecoder::live(content_type, body), exceeded)
        } else {
            let bytes = match sent.collect(limit).await {
                Ok(bytes) => bytes,
                Err(CollectError::TooLarge { .. }) => return Err(too_large().into()),
                Err(CollectError::Broken(_)) => {
                    return Err(Rejection::field("body", "broke off").into());
                }
            };
            (BodyDecoder::new(content_type, bytes), Exceeded::default())
        };
        Ok(Open {
            context,
            variables,
            body,
            exceeded,
        })
    }
}

/// A decoder that reads nothing and says nothing.
const UNREAD: &str = "the request was not read, and no reason was given";

/// A body that nobody here can unwrap, with what would be taken (RFC 9110, section 15.5.16).
fn unknown_coding() -> Rejection {
    let taken = HeaderValue::from_static(coding::ACCEPTED);
    Rejection::new(RejectionKind::UnsupportedMediaType).header(ACCEPT_ENCODING, taken)
}

/// What the decoder found to be wrong.
fn outcome(decoder: RequestDecoder<'_>) -> Option<Rejection> {
    if decoder.wrong_media() {
        // What would be taken (RFC 9110, section 15.5.16).
        let mut parts = decoder.meta().parameters.iter();
        let taken = parts
            .find(|(place, _)| *place == BODY)
            .map(|(_, media)| *media);
        let rejection = Rejection::new(RejectionKind::UnsupportedMediaType);
        return Some(match taken.map(HeaderValue::from_str) {
            Some(Ok(taken)) => rejection.header(ACCEPT, taken),
            _ => rejection,
        });
    }
    let rejection_bodies = decoder.into_field_errors();
    (!rejection_bodies.is_empty()).then(|| Rejection::validation(rejection_bodies))
}

/// Whether the caller takes one of the media types that the operation responds with. Only safe
/// methods are negotiated: a server may disregard `Accept` (RFC 9110, section 12.4.1), and callers of
/// others want their effect first.
fn is_acceptable(context: &Context, offered: &[Row]) -> bool {
    if !matches!(*context.method(), Method::GET | Method::HEAD) {
        return true;
    }
    let values = context.headers().get_all(ACCEPT).iter();
    let texts: Vec<&str> = values.filter_map(|value| value.to_str().ok()).collect();
    negotiate::is_acceptable(&texts.join(","), offered)
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
    /// The response to what the handler returns.
    pub fn response(self, result: Result<O::Response, Error<O::Error>>) -> Response {
        let finish = self.finish;
        // Whatever the handler made of the part that it saw.
        if finish.exceeded.is_so() {
            return finish.rejection(&Rejection::new(RejectionKind::TooLarge));
        }
        match result {
            Ok(response) => {
                let mut encoder = ResponseEncoder::default();
                O::Success::encode(O::META, &response, &mut encoder);
                finish.written(encoder)
            }
            Err(error) => finish.error(error),
        }
    }
}

impl Finish {
    const fn settings(&self) -> &Arc<Settings> {
        &self.settings
    }

    pub(crate) fn of(settings: Arc<Settings>, meta: &'static OperationMeta) -> Self {
        Self {
            settings,
            meta,
            exceeded: Exceeded::default(),
            #[cfg(feature = "gzip")]
            gzip: None,
        }
    }

    /// The response to a rejection; a failure of the server is reported.
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
            _ => {}
        }
        self.settings.rejection_of(rejection, Some(self.meta))
    }

    fn error<E: ResponseSet>(&self, error: Error<E>) -> Response {
        match error {
            Error::Api(error) => {
                let mut encoder = ResponseEncoder::default();
                error.encode(&mut encoder);
                self.written(encoder)
            }
            Error::Rejection(rejection) => self.rejection(&rejection),
            Error::Raw(response) => *response,
        }
    }

    fn written(&self, mut encoder: ResponseEncoder) -> Response {
        let stream = encoder.take_stream();
        let written = match encoder.finish() {
            Ok(written) => written,
            Err(error) => return self.rejection(&Rejection::internal().with_cause(error)),
        };
        let mut response = Response::default();
        *response.status_mut() = written.status;
        *response.headers_mut() = written.headers;
        if let Some((content_type, body)) = stream {
            response.headers_mut().insert(CONTENT_TYPE, content_type);
            *response.body_mut() = self.settings.on_failure.watch(self.meta, body);
        } else if let Some((content_type, bytes)) = written.body {
            response.headers_mut().insert(CONTENT_TYPE, content_type);
            *response.body_mut() = Body::from(bytes);
        }
        #[cfg(feature = "gzip")]
        self.wrap(&mut response);
        response
    }

    /// Wraps an answer, where that is wanted; what depends on it says so in any case.
    #[cfg(feature = "gzip")]
    fn wrap(&self, response: &mut Response) {
        let Some(taken) = self.gzip else { return };
        let varies = HeaderValue::from_static("accept-encoding");
        response.headers_mut().append(http::header::VARY, varies);
        if taken {
            let body = std::mem::take(response.body_mut());
            let body = coding::wrapped(response.headers_mut(), body);
            *response.body_mut() = body;
        }
    }
}
