//! Authentication: of clients by their credentials and tokens, and of customers by their headers.

use super::tokens::{self, Refused};
use super::trace::Trace;
use crate::app::{App, Shared};
use crate::faults;
use crate::ids;
use crate::model::{
    ApiFault, Credential, Customer, CustomerHeaders, FaultTarget, Project, TokenFamily,
};
use crate::outcome::Outcome;
use crate::store::{CommitError, Look, Stored};
use bothends_runtime::SecurityRequirement;
use bothends_runtime::server::{AuthError, Authenticate, Basic, Context, RejectionBody, Secret};
use financial_data::server::Credentials;
use financial_data::server::rejections::{
    internal_server_error, service_unavailable, unauthorized,
};
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

/// The authenticator of clients.
pub(super) struct Clients(pub(super) Shared);

/// The client of a call.
#[derive(Debug, Clone)]
pub(super) struct Caller {
    pub(super) project: Arc<Stored<Project>>,
    pub(super) credential: Arc<Stored<Credential>>,
    /// The customer of `X-Customer-Id`, who exists.
    pub(super) customer: Option<String>,
    /// The look at the database, after the call was received.
    pub(super) look: Look,
}

/// Returns the scope that an operation requires.
pub(super) fn scope_of(operation: &str) -> Option<&'static str> {
    match operation {
        "startOpenBankingRefresh" => Some("open-banking:write"),
        "getOpenBankingRefreshStatus" => Some("open-banking:read"),
        _ => None,
    }
}

impl Authenticate for Clients {
    type Credentials = Credentials;
    type Principal = Caller;

    async fn authenticate(
        &self,
        shown: Credentials,
        _: &'static [SecurityRequirement],
        context: &Context,
    ) -> Result<Caller, AuthError> {
        let trace = Trace::from_extensions(context.extensions());
        trace.restart();
        let attempt = Attempt {
            app: &self.0,
            context,
            trace,
            look: self.0.store.look().await.map_err(AuthError::internal)?,
        };
        let caller = match (&shown.client_basic, &shown.client_id) {
            (Some(basic), _) => attempt.by_secret(basic).await?,
            (None, Some(id)) => attempt.by_id(id).await?,
            (None, None) => return Err(AuthError::Unauthenticated),
        };
        let caller = match &shown.client_credentials {
            Some(token) => attempt.by_token(caller, token, &shown).await?,
            None => caller,
        };
        // A client id alone is no proof: its refresh token is looked at before the faults are.
        if shown.client_basic.is_some() || shown.client_credentials.is_some() {
            let injected = inject(&self.0, context, &caller.project).await;
            if let Some(with) = injected.map_err(AuthError::internal)? {
                return Err(with.into());
            }
        }
        Ok(caller)
    }
}

/// One authentication.
struct Attempt<'a> {
    app: &'a App,
    context: &'a Context,
    trace: Trace,
    look: Look,
}

impl Attempt<'_> {
    /// Records the check that rejects the call.
    fn refuse(
        &self,
        check: &'static str,
        reason: impl Into<Cow<'static, str>>,
        with: RejectionBody,
    ) -> AuthError {
        self.trace.fail(check, reason);
        with.into()
    }

    /// Finds credentials and their project. Their secret is not logged from here on.
    async fn find(&self, client_id: &str) -> Result<Option<Caller>, AuthError> {
        let found = self.app.store.find_shared(self.look, client_id).await;
        let found: Option<Arc<Stored<Credential>>> = found.map_err(AuthError::internal)?;
        let Some(credential) = found else {
            return Ok(None);
        };
        let project = self
            .app
            .shared_project(self.look, &credential.project)
            .await;
        let Some(project) = project.map_err(AuthError::internal)? else {
            return Ok(None);
        };
        self.trace.hide(&credential.secret_hash);
        Ok(Some(Caller {
            project,
            credential,
            customer: None,
            look: self.look,
        }))
    }

    /// Authenticates a client by HTTP Basic.
    async fn by_secret(&self, basic: &Basic) -> Result<Caller, AuthError> {
        let check = "client credentials";
        let Some(caller) = self.find(basic.user()).await? else {
            let reason = "no credentials have this client id";
            return Err(self.refuse(check, reason, unauthorized::UNKNOWN));
        };
        self.require_valid(check, &caller)?;
        if ids::hash(basic.password().expose()) != caller.credential.secret_hash {
            let reason = "the client secret is wrong";
            return Err(self.refuse(check, reason, unauthorized::UNKNOWN));
        }
        self.trace.attribute(&caller.project, basic.user());
        self.trace.pass(check, "the client secret is right");
        Ok(caller)
    }

    /// Finds a client by `X-Client-Id`. The token decides whether the client is authentic.
    async fn by_id(&self, id: &Secret) -> Result<Caller, AuthError> {
        let check = "client id";
        let Some(caller) = self.find(id.expose()).await? else {
            let reason = "no credentials have the id in X-Client-Id";
            let with = match self.context.operation().id {
                "createToken" => unauthorized::UNKNOWN,
                _ => unauthorized::TOKEN_INVALID,
            };
            return Err(self.refuse(check, reason, with));
        };
        self.require_valid(check, &caller)?;
        self.trace
            .pass(check, "X-Client-Id is a client of the project");
        Ok(caller)
    }

    fn require_valid(&self, check: &'static str, caller: &Caller) -> Result<(), AuthError> {
        if caller.credential.revoked_at.is_some() {
            let reason = "the credentials were revoked in the console";
            return Err(self.refuse(check, reason, unauthorized::UNKNOWN));
        }
        Ok(())
    }

    /// Checks the access token, the customer and the scope.
    async fn by_token(
        &self,
        caller: Caller,
        token: &Secret,
        shown: &Credentials,
    ) -> Result<Caller, AuthError> {
        let now = App::now(&caller.project);
        let check = "access token";
        let family = tokens::check(self.app, self.look, &caller.credential, token, now).await;
        let family = match family.map_err(AuthError::internal)? {
            Ok(family) => family,
            Err(Refused::Invalid(reason)) => {
                return Err(self.refuse(check, reason, unauthorized::TOKEN_INVALID));
            }
            Err(Refused::Expired(reason)) => {
                return Err(self.refuse(check, reason, unauthorized::TOKEN_EXPIRED));
            }
        };
        let client_id = &caller.credential.client_id;
        self.trace.attribute(&caller.project, client_id);
        self.trace.pass(check, "the token is valid");
        let customer = self.customer(&caller.project, shown).await?;
        self.scope(&family)?;
        Ok(Caller { customer, ..caller })
    }

    /// Checks the customer headers. A header that is present is checked, even where the operation
    /// does not require it.
    async fn customer(
        &self,
        project: &Project,
        shown: &Credentials,
    ) -> Result<Option<String>, AuthError> {
        let (app, operation) = (self.app, self.context.operation().id);
        let required = project.settings.customer_headers.get(operation).copied();
        let required = required.unwrap_or(CustomerHeaders::None);
        let refuse = |reason: &'static str| {
            Err(self.refuse("customer", reason, unauthorized::CUSTOMER_NOT_FOUND))
        };
        let is_sent = |name: &str| {
            let value = self.context.headers().get(name);
            value.is_some_and(|value| !value.is_empty())
        };
        let Some(id) = &shown.customer_id else {
            if is_sent("X-Customer-Id") {
                return refuse("X-Customer-Id is not text");
            }
            if is_sent("X-Customer-Secret") {
                return refuse("X-Customer-Secret was sent without X-Customer-Id");
            }
            if required != CustomerHeaders::None {
                return refuse("the operation requires X-Customer-Id");
            }
            return Ok(None);
        };
        let id = id.expose();
        let is_reserved = Outcome::of_customer(id).is_some();
        let customer = app.store.get_shared::<Customer>(self.look, &project.id, id);
        let customer = customer.await.map_err(AuthError::internal)?;
        if customer.is_none() && !is_reserved {
            return refuse("the project has no customer with the id in X-Customer-Id");
        }
        match (&shown.customer_secret, customer) {
            (None, _) if is_sent("X-Customer-Secret") => {
                return refuse("X-Customer-Secret is not text");
            }
            (None, _) if required == CustomerHeaders::IdAndSecret => {
                return refuse("the operation requires X-Customer-Secret");
            }
            (Some(secret), Some(customer)) => {
                self.trace.hide(&customer.secret_hash);
                if ids::hash(secret.expose()) != customer.secret_hash {
                    return refuse("X-Customer-Secret is wrong");
                }
            }
            // Every secret of a reserved customer is right.
            (None, _) | (Some(_), None) => {}
        }
        self.trace.pass("customer", "the customer exists");
        Ok(Some(id.to_owned()))
    }

    fn scope(&self, family: &TokenFamily) -> Result<(), AuthError> {
        let Some(needed) = scope_of(self.context.operation().id) else {
            return Ok(());
        };
        if family.scopes.iter().any(|scope| scope == needed) {
            self.trace.pass("scope", format!("the token has {needed}"));
            return Ok(());
        }
        let reason = format!("the token lacks {needed}");
        Err(self.refuse("scope", reason, unauthorized::UNAUTHORIZED_SCOPE))
    }
}

/// Considers the faults of a client's project, once for each call. Returns the response of the fault that
/// is injected instead of that of the call.
pub(super) async fn inject(
    app: &App,
    context: &Context,
    project: &Project,
) -> Result<Option<RejectionBody>, CommitError> {
    let trace = Trace::from_extensions(context.extensions());
    if std::mem::replace(&mut trace.findings().is_considered, true) {
        return Ok(None);
    }
    let called = context.operation().id;
    let applies = |target: &FaultTarget| match target {
        FaultTarget::Api { operation, .. } => operation
            .as_deref()
            .is_none_or(|operation| operation == called),
        FaultTarget::Webhook { .. } => false,
    };
    let hit = match faults::consider(app, project, applies).await {
        Ok(hit) => hit,
        Err(CommitError::Conflict) => return Ok(Some(service_unavailable::UNAVAILABLE)),
        Err(error) => return Err(error),
    };
    let Some(hit) = hit else { return Ok(None) };
    let FaultTarget::Api { fault, .. } = hit.target else {
        return Ok(None);
    };
    let reason = format!("fault {} was injected", hit.id);
    trace.findings().fault = Some(hit.id);
    let with = match fault {
        ApiFault::Latency { milliseconds } => {
            trace.findings().latency = Duration::from_millis(milliseconds);
            return Ok(None);
        }
        ApiFault::TruncatedBody => {
            trace.findings().is_truncated = true;
            return Ok(None);
        }
        ApiFault::TokenExpired => unauthorized::TOKEN_EXPIRED,
        ApiFault::InternalError => internal_server_error::INTERNAL,
        ApiFault::Unavailable => service_unavailable::UNAVAILABLE,
    };
    trace.fail("fault", reason);
    Ok(Some(with))
}
