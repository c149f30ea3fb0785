//! The service as a user of the generated code would write it: who is let in, and what is answered. Which
//! credentials belong to which grant is not in here: the router knows that from the document.

use bothends_runtime::server::{AuthError, Authenticate, Context, Error, Router};
use bothends_runtime::{Map, SecurityRequirement};
use financial_data::operations::*;
use financial_data::server::rejections::{not_found, service_unavailable, unauthorized};
use financial_data::server::{Credentials, OauthApi, OpenBankingApi, router};
use financial_data::types::{Token, TokenInit, TokenRequest, TokenResponse};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

/// Who calls: a customer with their secret, where the request has them.
#[derive(Debug, Clone, Default)]
struct Caller {
    customer: Option<String>,
    secret: Option<String>,
}

/// The tokens that were issued, by number.
#[derive(Clone, Default)]
pub(crate) struct Service {
    issued: Arc<Mutex<u32>>,
    /// How many more times a running task is asked for before it is over.
    pub(crate) running: Arc<Mutex<u32>>,
}

impl Service {
    pub(crate) fn router(&self) -> Router<Self> {
        router(self.clone()).guard(Users(self.clone()))
    }

    /// Serves over a socket for as long as the process runs.
    pub(crate) fn serve(&self) -> SocketAddr {
        serve(axum::Router::new().fallback_service(self.router()))
    }

    fn current(&self) -> u32 {
        *self.issued.lock().expect("no poison")
    }
}

/// Serves over a socket for as long as the process runs.
pub(crate) fn serve(app: axum::Router) -> SocketAddr {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    listener
        .set_nonblocking(true)
        .expect("a listener for tokio");
    std::thread::spawn(move || {
        bothends_tests::in_process::block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
            axum::serve(listener, app).await.expect("serving");
        });
    });
    address
}

struct Users(Service);

impl Authenticate for Users {
    type Credentials = Credentials;
    type Principal = Caller;

    async fn authenticate(
        &self,
        shown: Credentials,
        needed: &'static [SecurityRequirement],
        _: &Context,
    ) -> Result<Caller, AuthError> {
        if let Some(basic) = &shown.client_basic
            && (basic.user(), basic.password().expose()) != ("client-7", "secret-7")
        {
            return Err(AuthError::Unauthenticated);
        }
        if shown
            .client_id
            .as_ref()
            .is_some_and(|id| id.expose() != "client-7")
        {
            return Err(AuthError::Unauthenticated);
        }
        if needed
            .iter()
            .any(|requirement| requirement.scheme == "clientCredentials")
        {
            let token = shown
                .client_credentials
                .as_ref()
                .map(|token| token.expose());
            match token {
                Some("expired") => return Err(unauthorized::TOKEN_EXPIRED.into()),
                Some("narrow") => return Err(AuthError::Forbidden),
                Some(token) if token == format!("access-{}", self.0.current()) => {}
                _ => return Err(unauthorized::TOKEN_INVALID.into()),
            }
        }
        let text = |secret: &Option<_>| {
            let secret: Option<&bothends_runtime::server::Secret> = secret.as_ref();
            secret.map(|secret| secret.expose().to_owned())
        };
        let (customer, secret) = (text(&shown.customer_id), text(&shown.customer_secret));
        if customer
            .as_deref()
            .is_some_and(|customer| customer != "someone")
        {
            return Err(unauthorized::CUSTOMER_NOT_FOUND.into());
        }
        if secret.as_deref().is_some_and(|secret| secret != "s3cret") {
            return Err(AuthError::Unauthenticated);
        }
        Ok(Caller { customer, secret })
    }
}

impl OauthApi for Service {
    async fn create_token(
        &self,
        _: Context,
        request: CreateTokenRequest,
    ) -> Result<CreateTokenResponse, Error<CreateTokenError>> {
        let mut issued = self.issued.lock().expect("no poison");
        if let TokenRequest::RefreshTokenGrant(grant) = &request.body
            && grant.refresh_token != format!("refresh-{issued}")
        {
            return Err(unauthorized::TOKEN_INVALID.into());
        }
        *issued += 1;
        let (access, refresh) = (format!("access-{issued}"), format!("refresh-{issued}"));
        let token = Token::from(TokenInit {
            access_token: access,
            expires_in: 3600,
            refresh_token: refresh,
        });
        Ok(CreateTokenResponse::new(TokenResponse::new(token)))
    }
}

/// An object as a free-form body.
fn object(value: Value) -> Map<Value> {
    serde_json::from_value(value).expect("an object")
}

impl OpenBankingApi for Service {
    async fn start_open_banking_refresh(
        &self,
        context: Context,
        request: StartOpenBankingRefreshRequest,
    ) -> Result<StartOpenBankingRefreshResponse, Error<StartOpenBankingRefreshError>> {
        let caller: Caller = context.principal().cloned().unwrap_or_default();
        let body = json!({
            "task_id": "completes",
            "customer": caller.customer,
            "secret": caller.secret,
            "asked": Value::from_iter(request.body.unwrap_or_default()),
        });
        Ok(StartOpenBankingRefreshResponse::new(object(body)))
    }

    async fn get_open_banking_refresh_status(
        &self,
        _: Context,
        request: GetOpenBankingRefreshStatusRequest,
    ) -> Result<GetOpenBankingRefreshStatusResponse, Error<GetOpenBankingRefreshStatusError>> {
        let end = match request.task_id.as_str() {
            "completes" => "Completed",
            "fails" => "Failed",
            "busy" => return Err(service_unavailable::UNAVAILABLE.into()),
            "breaks" => return Err(Error::internal("the disk is full: /var/lib/secret")),
            _ => return Err(not_found::UNKNOWN.into()),
        };
        let mut running = self.running.lock().expect("no poison");
        let status = if *running > 0 { "Running" } else { end };
        *running = running.saturating_sub(1);
        let body = object(json!({ "status": status, "result": "success" }));
        Ok(GetOpenBankingRefreshStatusResponse::new(body))
    }
}
