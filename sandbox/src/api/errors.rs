//! Error responses of operations.

use crate::model::Settings;
use crate::outcome::{Code, ERROR_HEADER, Outcome, RESULT_HEADER};
use crate::tasks::TaskError;
use bothends_runtime::Map;
use bothends_runtime::server::{Body, Context, Error, Rejection, RejectionBody, Response};
use financial_data::server::rejections::{service_unavailable, unauthorized};
use financial_data::types::{CodeId, ErrorBody, ErrorBodyInit};
use http::header::CONTENT_TYPE;
use http::{HeaderValue, StatusCode};
use serde::Serialize;

/// Returns the service's own name of an operation. That of the token endpoint is documented, the
/// others are choices.
pub(super) fn name_of(operation: &str) -> &'static str {
    match operation {
        "createToken" => "oauth_token_post",
        "startOpenBankingRefresh" => "open_banking_refresh_post",
        "getOpenBankingRefreshStatus" => "open_banking_refresh_get",
        _ => "unknown",
    }
}

/// Returns a response with a JSON body and any status.
pub(super) fn json<E>(status: u16, body: &impl Serialize) -> Result<Response, Error<E>> {
    let body = serde_json::to_vec(body).map_err(Error::internal)?;
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = StatusCode::from_u16(status).map_err(Error::internal)?;
    let media_type = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, media_type);
    Ok(response)
}

/// Returns the failure of an operation with a code. The documented 401 responses are sent as they
/// are documented.
pub(super) fn failure<E>(code: &'static Code, operation: &str, settings: &Settings) -> Error<E> {
    let status = code.status_in(settings);
    let generic = generic(code.id).filter(|generic| generic.status == status);
    if let Some(generic) = generic {
        return generic.into();
    }
    let name = name_of(operation).to_owned();
    let mut body = ErrorBody::from(ErrorBodyInit {
        operation_id: name,
        code_id: CodeId::from(code.id),
        message: code.message.to_owned(),
    });
    if code.id == "failed_validation" {
        body.metadata = Some(Map::new());
    }
    body.errors = Some(Map::new());
    match json(status, &body) {
        Ok(response) => response.into(),
        Err(error) => error,
    }
}

/// Returns the documented 401 response with a code.
fn generic(code: &str) -> Option<RejectionBody> {
    match code {
        "token_expired" => Some(unauthorized::TOKEN_EXPIRED),
        "token_invalid" => Some(unauthorized::TOKEN_INVALID),
        "customer_not_found" => Some(unauthorized::CUSTOMER_NOT_FOUND),
        "unauthorized_scope" => Some(unauthorized::UNAUTHORIZED_SCOPE),
        _ => None,
    }
}

/// Returns the failure of an operation that starts a task.
pub(super) fn task_failure<E>(error: TaskError, operation: &str, settings: &Settings) -> Error<E> {
    match error {
        TaskError::Code(code) => failure(code, operation, settings),
        TaskError::Conflict => service_unavailable::UNAVAILABLE.into(),
        error => Error::internal(error),
    }
}

/// Returns the code that the header `X-Sandbox-Error` demands.
///
/// # Errors
/// Returns an error if the header is not a code.
pub(super) fn demanded_error(context: &Context) -> Result<Option<&'static Code>, Rejection> {
    let demanded = word(context, ERROR_HEADER)?;
    demanded
        .map(|word| Code::find(word).ok_or_else(|| not_a_code(ERROR_HEADER)))
        .transpose()
}

/// Returns the outcome that the header `X-Sandbox-Result` demands.
///
/// # Errors
/// Returns an error if the header is neither a code nor `success`.
pub(super) fn demanded_result(context: &Context) -> Result<Option<Outcome>, Rejection> {
    let demanded = word(context, RESULT_HEADER)?;
    demanded
        .map(|word| Outcome::parse(word).ok_or_else(|| not_a_code(RESULT_HEADER)))
        .transpose()
}

fn word<'c>(context: &'c Context, header: &str) -> Result<Option<&'c str>, Rejection> {
    let value = context.headers().get(header);
    value
        .map(|value| value.to_str().map_err(|_| not_a_code(header)))
        .transpose()
}

fn not_a_code(header: &str) -> Rejection {
    Rejection::field(header, "is not a code of the service")
}
