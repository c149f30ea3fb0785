//! The service of the document, as far as these tests need one.

use super::*;
use financial_data::types::{ErrorBodyInit, TokenInit, ValidationErrorBodyInit};

/// A service with one client, one pair of tokens at a time, and one task.
#[derive(Default)]
pub(crate) struct Service {
    issued: Mutex<u32>,
}

impl Service {
    fn refuse(code: CodeId, message: &str) -> ErrorBody {
        let mut body = ErrorBody::from(ErrorBodyInit {
            operation_id: "unknown".to_owned(),
            code_id: code,
            message: message.to_owned(),
        });
        body.errors = Some(Map::new());
        body
    }

    fn refuse_token(context: &Context) -> Option<ErrorBody> {
        let header = |name: &str| context.headers().get(name).and_then(|v| v.to_str().ok());
        match (header("authorization"), header("x-client-id")) {
            (Some("Bearer access-2"), Some("client")) => None,
            (Some("Bearer access-1"), _) => Some(Self::refuse(
                CodeId::TokenExpired,
                "The provided token is expired or is not valid.",
            )),
            (Some("Bearer narrow"), _) => Some(Self::refuse(
                CodeId::UnauthorizedScope,
                "The provided token lacks the required permissions for this endpoint.",
            )),
            (Some(_), _) => Some(Self::refuse(
                CodeId::TokenInvalid,
                "An invalid token was provided.",
            )),
            (None, _) => Some(Self::refuse(CodeId::Unknown, "Unauthorised request")),
        }
    }

    fn issue(&self) -> Token {
        let mut issued = self.issued.lock().expect("no poison");
        *issued += 1;
        Token::from(TokenInit {
            access_token: format!("access-{issued}"),
            expires_in: 3600,
            refresh_token: format!("refresh-{issued}"),
        })
    }
}

impl OauthApi for Service {
    async fn create_token(
        &self,
        context: Context,
        request: CreateTokenRequest,
    ) -> Result<CreateTokenResponse, Error<CreateTokenError>> {
        let header = |name: &str| context.headers().get(name).and_then(|v| v.to_str().ok());
        let known = match &request.body {
            TokenRequest::ClientCredentialsGrant(_) => header("authorization") == Some(BASIC),
            TokenRequest::RefreshTokenGrant(grant) => {
                let current = format!("refresh-{}", self.issued.lock().expect("no poison"));
                header("x-client-id") == Some("client")
                    && header("authorization").is_none()
                    && grant.refresh_token == current
            }
            _ => false,
        };
        if !known {
            let body = Self::refuse(CodeId::Unknown, "Unauthorised request");
            return Err(CreateTokenError::Unauthorized(body).into());
        }
        Ok(CreateTokenResponse::new(TokenResponse::new(self.issue())))
    }
}

impl OpenBankingApi for Service {
    async fn start_open_banking_refresh(
        &self,
        context: Context,
        request: StartOpenBankingRefreshRequest,
    ) -> Result<StartOpenBankingRefreshResponse, Error<StartOpenBankingRefreshError>> {
        if let Some(body) = Self::refuse_token(&context) {
            return Err(StartOpenBankingRefreshError::Unauthorized(body).into());
        }
        let asked = request.body.unwrap_or_default();
        if asked.get("boom").is_some() {
            let body = ServerErrorBody::new("Service unavailable".to_owned());
            return Err(StartOpenBankingRefreshError::ServiceUnavailable(body).into());
        }
        let customer = context
            .headers()
            .get("x-customer-id")
            .map(|id| id.to_str().expect("text"));
        let answer = [
            ("task_id".to_owned(), json!("7f1c")),
            ("customer".to_owned(), json!(customer)),
            ("asked".to_owned(), Json::from_iter(asked)),
        ];
        Ok(StartOpenBankingRefreshResponse::new(Map::from_iter(answer)))
    }

    async fn get_open_banking_refresh_status(
        &self,
        context: Context,
        request: GetOpenBankingRefreshStatusRequest,
    ) -> Result<GetOpenBankingRefreshStatusResponse, Error<GetOpenBankingRefreshStatusError>> {
        if let Some(body) = Self::refuse_token(&context) {
            return Err(GetOpenBankingRefreshStatusError::Unauthorized(body).into());
        }
        match request.task_id.as_str() {
            "7f1c" => Ok(GetOpenBankingRefreshStatusResponse::new(Map::from_iter([
                ("status".to_owned(), json!("Completed")),
            ]))),
            "a/b %" => Err(GetOpenBankingRefreshStatusError::BadRequest(
                ValidationErrorBody::from(ValidationErrorBodyInit {
                    operation_id: "v1_open_banking_refresh_get".to_owned(),
                    code_id: CodeId::FailedValidation,
                    message: "The id is odd.".to_owned(),
                }),
            )
            .into()),
            "stranger" => {
                let body = Self::refuse(
                    CodeId::CustomerNotFound,
                    "The customer in the request was not found.",
                );
                Err(GetOpenBankingRefreshStatusError::Unauthorized(body).into())
            }
            "panics" => Err(Error::Rejection(
                bothends_runtime::server::Rejection::internal(),
            )),
            _ => {
                let body = Self::refuse(CodeId::TaskNotFound, "Route or resource not found");
                Err(GetOpenBankingRefreshStatusError::NotFound(body).into())
            }
        }
    }
}
