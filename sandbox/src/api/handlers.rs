//! The handlers of the three operations.

use super::auth::{self, Caller};
use super::errors::{demanded_error, demanded_result, failure, json, task_failure};
use super::tokens::{self, Refused, TokenError};
use super::trace::Trace;
use crate::app::Shared;
use crate::model::{Task, TaskKind, TaskState};
use crate::outcome::Code;
use crate::tasks::{self, TaskRequest};
use bothends_runtime::server::{Context, Error, Rejection};
use bothends_runtime::{Json, Map, Response};
use financial_data::operations::{
    CreateTokenError, CreateTokenRequest, CreateTokenResponse, GetOpenBankingRefreshStatusError,
    GetOpenBankingRefreshStatusRequest, GetOpenBankingRefreshStatusResponse,
    StartOpenBankingRefreshError, StartOpenBankingRefreshRequest, StartOpenBankingRefreshResponse,
};
use financial_data::server::rejections::{service_unavailable, unauthorized};
use financial_data::server::{OauthApi, OpenBankingApi};
use financial_data::types::{RefreshRequest, Token, TokenInit, TokenRequest, TokenResponse};
use http::HeaderValue;
use http::header::CACHE_CONTROL;

/// The service, behind the generated router.
pub(super) struct Service(pub(super) Shared);

/// A call that has been authenticated and decoded.
struct Accepted<'c> {
    caller: &'c Caller,
    operation: &'static str,
    trace: Trace,
}

impl<'c> Accepted<'c> {
    /// Begins the work of a handler. A code that the request demands ends it at once.
    fn new<E>(context: &'c Context) -> Result<Self, Error<E>> {
        let caller = context.principal::<Caller>();
        let caller = caller.ok_or_else(|| Error::internal("the call has no caller"))?;
        let accepted = Self {
            caller,
            operation: context.operation().id,
            trace: Trace::from_extensions(context.extensions()),
        };
        if let Some(code) = demanded_error(context)? {
            return Err(accepted.refuse("X-Sandbox-Error", code, "the request demands the code"));
        }
        Ok(accepted)
    }

    /// Records the check that rejects the call, and returns the response.
    fn refuse<E>(&self, check: &'static str, code: &'static Code, reason: &str) -> Error<E> {
        self.trace.fail(check, format!("{}: {reason}", code.id));
        failure(code, self.operation, &self.caller.project.settings)
    }
}

impl OauthApi for Service {
    async fn create_token(
        &self,
        context: Context,
        request: CreateTokenRequest,
    ) -> Result<CreateTokenResponse, Error<CreateTokenError>> {
        let accepted = Accepted::new(&context)?;
        let (project, credential) = (&accepted.caller.project, &accepted.caller.credential);
        let issued = match &request.body {
            TokenRequest::ClientCredentialsGrant(_) => {
                tokens::issue(&self.0, project, credential).await
            }
            TokenRequest::RefreshTokenGrant(grant) => {
                let family = tokens::family_of(&self.0.store, &grant.refresh_token).await;
                let family = family.map_err(Error::internal)?;
                if family.is_some_and(|family| family.client_id == credential.client_id) {
                    let injected = auth::inject(&self.0, &context, project).await;
                    if let Some(with) = injected.map_err(Error::internal)? {
                        return Err(with.into());
                    }
                }
                tokens::refresh(&self.0, project, credential, &grant.refresh_token).await
            }
            _ => return Err(Rejection::field("grant_type", "is not a supported grant").into()),
        };
        let issued = issued.map_err(|error| match error {
            TokenError::Refused(refused) => {
                let (reason, response) = match refused {
                    Refused::Invalid(reason) => (reason, unauthorized::TOKEN_INVALID),
                    Refused::Expired(reason) => (reason, unauthorized::TOKEN_EXPIRED),
                };
                accepted.trace.fail("refresh token", reason);
                response.into()
            }
            TokenError::Conflict => service_unavailable::UNAVAILABLE.into(),
            TokenError::Storage(error) => Error::internal(error),
            TokenError::Randomness(error) => Error::internal(error),
        })?;
        accepted.trace.attribute(project, &credential.client_id);
        accepted.trace.pass("grant", "new tokens were issued");
        let lifetime = i64::from(project.settings.token_lifetime);
        let token = Token::from(TokenInit {
            access_token: issued.access_token,
            expires_in: lifetime,
            refresh_token: issued.refresh_token,
        });
        let mut response = Response::new(TokenResponse::new(token));
        let no_store = HeaderValue::from_static("no-store");
        response.headers_mut().insert(CACHE_CONTROL, no_store);
        Ok(response)
    }
}

impl OpenBankingApi for Service {
    async fn start_open_banking_refresh(
        &self,
        context: Context,
        request: StartOpenBankingRefreshRequest,
    ) -> Result<StartOpenBankingRefreshResponse, Error<StartOpenBankingRefreshError>> {
        let accepted = Accepted::new(&context)?;
        let project = &accepted.caller.project;
        let settings = &project.settings;
        let body = request.body.unwrap_or_default();
        let customer_id = match &accepted.caller.customer {
            Some(customer) => customer.clone(),
            None => text(&body, "customer_id")?
                .ok_or_else(|| Rejection::field("customer_id", "is required"))?,
        };
        let wanted = TaskRequest {
            customer_id,
            provider: text(&body, "provider")?,
            outcome: demanded_result(&context)?,
            ..TaskRequest::default()
        };
        let started = tasks::start_refresh(&self.0, project, wanted).await;
        let task = started.map_err(|error| {
            accepted.trace.fail("consent", error.to_string());
            task_failure(error, accepted.operation, settings)
        })?;
        let reason = format!("task {} was started", task.id);
        accepted.trace.pass("consent", reason);
        let submission = Map::from_iter([(settings.task_id_field.clone(), Json::from(task.id))]);
        match settings.submit_status {
            // The document has this status only, so any other one is not in the generated types.
            200 => Ok(Response::new(submission)),
            status => Err(json(status, &submission)?.into()),
        }
    }

    async fn get_open_banking_refresh_status(
        &self,
        context: Context,
        request: GetOpenBankingRefreshStatusRequest,
    ) -> Result<GetOpenBankingRefreshStatusResponse, Error<GetOpenBankingRefreshStatusError>> {
        let accepted = Accepted::new(&context)?;
        let caller = accepted.caller;
        let (store, project) = (&self.0.store, &caller.project.id);
        let task = store.get_shared::<Task>(caller.look, project, &request.task_id);
        let task = task.await.map_err(Error::internal)?;
        let is_visible = |task: &Task| {
            let is_of_customer = caller.customer.is_none() || caller.customer == task.customer_id;
            task.kind == TaskKind::Refresh && is_of_customer
        };
        let Some(task) = task.filter(|task| is_visible(task)) else {
            let code = Code::find("task_not_found").ok_or_else(Rejection::not_found)?;
            let reason = "the client and customer have no such refresh task";
            return Err(accepted.refuse("task", code, reason));
        };
        accepted.trace.pass("task", "the task exists");
        Ok(Response::new(self.record(caller, &task)?))
    }
}

impl Service {
    /// Returns the record of a task: that of its webhook, with the words for running states.
    fn record<E>(&self, caller: &Caller, task: &Task) -> Result<Map<Json>, Error<E>> {
        let event = tasks::aggregation_event(&caller.project, task);
        let event = serde_json::to_value(&event).map_err(Error::internal)?;
        let Json::Object(event) = event else {
            return Err(Error::internal("the event is not an object"));
        };
        let mut record: Map<Json> = event.into_iter().collect();
        let words = &caller.project.settings.statuses;
        let status = match task.state {
            TaskState::Pending => Some(&words.pending),
            TaskState::Running => Some(&words.running),
            TaskState::Completed | TaskState::Failed => None,
        };
        if let Some(status) = status {
            record.insert("status".to_owned(), Json::from(status.as_str()));
            for known_later in ["result", "has_new_transactions", "reconnect_required"] {
                record.shift_remove(known_later);
            }
        }
        Ok(record)
    }
}

/// Returns a text in the body of a refresh, whose fields are a choice of the sandbox.
fn text(body: &RefreshRequest, field: &str) -> Result<Option<String>, Rejection> {
    match body.get(field) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(Rejection::field(field, "is not a string")),
    }
}
