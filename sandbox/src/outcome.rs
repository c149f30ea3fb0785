//! Outcomes that a request decides by itself: the codes, and the reserved identities that reach
//! them, so that parallel test runs need no setup.

use crate::model::Settings;

/// An error code of the service, with the values that the sandbox has chosen for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code {
    /// The `code_id`.
    pub id: &'static str,
    /// The HTTP status of an operation that fails with the code, unless the settings of the project
    /// have another.
    pub status: u16,
    /// The `message` of the error body.
    pub message: &'static str,
}

const fn code(id: &'static str, status: u16, message: &'static str) -> Code {
    Code {
        id,
        status,
        message,
    }
}

/// The codes of the interface document, in the order of its table. Their statuses are a choice,
/// except those of the generic responses and of `failed_validation`.
pub const CODES: [Code; 29] = [
    code(
        "failed_validation",
        400,
        "The request payload is not valid.",
    ),
    code("request_validation", 400, "The request is not valid."),
    code(
        "invalid_login",
        401,
        "The credentials are not sufficient to log in.",
    ),
    code("resource_not_found", 404, "The record was not found."),
    code("unique_constraint", 409, "The record already exists."),
    code("task_not_found", 404, "The task was not found."),
    code("account_not_found", 404, "The account was not found."),
    code("internal_error", 400, "An unexpected error occurred."),
    code("internal_timeout", 408, "The task timed out."),
    code(
        "internal_transient_error",
        409,
        "An unexpected transient error occurred.",
    ),
    code("auth_denied", 403, "The authorisation was cancelled."),
    code("auth_expired", 410, "The authorisation URL has expired."),
    code(
        "connection_not_found",
        404,
        "There is no active connection with the provider.",
    ),
    code(
        "connection_expired",
        403,
        "The consent of the connection has expired.",
    ),
    code(
        "connection_revoked",
        403,
        "The consent of the connection was revoked.",
    ),
    code(
        "connection_status",
        409,
        "The status of the consent does not allow the action.",
    ),
    code(
        "connection_permission",
        403,
        "The consent does not cover the resource.",
    ),
    code("provider_not_found", 404, "The provider is unknown."),
    code("provider_failure", 424, "The provider failed unexpectedly."),
    code(
        "provider_timeout",
        424,
        "The provider did not respond in time.",
    ),
    code(
        "provider_maintenance",
        424,
        "The provider is unavailable for maintenance.",
    ),
    code(
        "provider_request_limit",
        429,
        "The rate limit of the provider was exceeded.",
    ),
    code(
        "provider_endpoint_unimplemented",
        422,
        "The provider does not offer the endpoint.",
    ),
    code(
        "provider_endpoint_deprecated",
        410,
        "The provider has retired the endpoint.",
    ),
    code(
        "provider_reauthenticate",
        403,
        "The provider requires a new authentication.",
    ),
    code(
        "token_expired",
        401,
        "The provided token is expired or is not valid.",
    ),
    code("token_invalid", 401, "An invalid token was provided."),
    code(
        "customer_not_found",
        401,
        "The customer in the request was not found.",
    ),
    code(
        "unauthorized_scope",
        401,
        "The provided token lacks the required permissions for this endpoint.",
    ),
];

/// The word for a success: the `result` of a task, and the value of the request header.
pub const SUCCESS: &str = "success";
/// The amount that selects the first code; the following amounts select the following codes.
pub const FIRST_AMOUNT: i64 = 900_001;
/// The header of a request that decides how its task ends: a code, or `success`.
pub const RESULT_HEADER: &str = "X-Sandbox-Result";
/// The header of a request that lets the call itself fail with a code.
pub const ERROR_HEADER: &str = "X-Sandbox-Error";
/// The codes that describe the consent. For reserved customers and providers, the call fails at
/// once and starts no task.
pub const CONSENT_CODES: [&str; 5] = [
    "connection_not_found",
    "connection_expired",
    "connection_revoked",
    "connection_status",
    "connection_permission",
];
/// The codes after which the customer has to connect again.
const RECONNECT_CODES: [&str; 3] = [
    "connection_expired",
    "connection_revoked",
    "provider_reauthenticate",
];

/// The end of a task or payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Success.
    Success,
    /// A failure with a code.
    Failure(&'static Code),
}

impl Outcome {
    /// Returns the outcome that a word selects: `success`, or a code.
    pub fn parse(word: &str) -> Option<Self> {
        if word == SUCCESS {
            return Some(Self::Success);
        }
        Code::find(word).map(Self::Failure)
    }

    /// Returns the word: `success`, or the code.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Success => SUCCESS,
            Self::Failure(code) => code.id,
        }
    }

    /// Returns the code of a failure.
    pub const fn failure(self) -> Option<&'static str> {
        match self {
            Self::Success => None,
            Self::Failure(code) => Some(code.id),
        }
    }

    /// Returns the outcome that a reserved customer has. `None` for other customers.
    pub fn of_customer(id: &str) -> Option<Self> {
        Self::reserved(id, "customer-")
    }

    /// Returns the outcome that a reserved provider has. `None` for other providers.
    pub fn of_provider(name: &str) -> Option<Self> {
        Self::reserved(name, "provider-")
    }

    /// Returns the outcome that a reserved amount has. `None` for other amounts.
    pub fn of_amount(amount: i64) -> Option<Self> {
        let position = usize::try_from(amount.checked_sub(FIRST_AMOUNT)?).ok()?;
        CODES.get(position).map(Self::Failure)
    }

    /// Returns the outcome in a reserved name, such as `customer-provider-timeout+run-7`. The part
    /// after the first `+` distinguishes identities with the same outcome.
    fn reserved(name: &str, prefix: &str) -> Option<Self> {
        let rest = name.strip_prefix(prefix)?;
        let word = rest.split_once('+').map_or(rest, |(word, _)| word);
        if word.contains('_') {
            return None;
        }
        Self::parse(&word.replace('-', "_"))
    }
}

impl Code {
    /// Returns the code with this id.
    pub fn find(id: &str) -> Option<&'static Self> {
        CODES.iter().find(|code| code.id == id)
    }

    /// Returns `true` if the code describes the consent instead of the work of a task.
    pub fn is_of_consent(&self) -> bool {
        CONSENT_CODES.contains(&self.id)
    }

    /// Returns `true` if the customer has to connect again after a task that failed with the code.
    pub fn needs_reconnection(&self) -> bool {
        RECONNECT_CODES.contains(&self.id)
    }

    /// Returns the HTTP status of an operation that fails with the code. A setting that is not a
    /// status of a client error is ignored.
    pub fn status_in(&self, settings: &Settings) -> u16 {
        let chosen = settings.code_statuses.get(self.id).copied();
        chosen
            .filter(|status| (400..500).contains(status))
            .unwrap_or(self.status)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_reaches_every_code() {
        for (position, code) in CODES.iter().enumerate() {
            let outcome = Some(Outcome::Failure(code));
            let dashed = code.id.replace('_', "-");
            assert_eq!(Outcome::parse(code.id), outcome);
            assert_eq!(Outcome::of_customer(&format!("customer-{dashed}")), outcome);
            assert_eq!(
                Outcome::of_customer(&format!("customer-{dashed}+ci+42")),
                outcome
            );
            assert_eq!(Outcome::of_provider(&format!("provider-{dashed}")), outcome);
            let amount = FIRST_AMOUNT + position as i64;
            assert_eq!(Outcome::of_amount(amount), outcome);
        }
        let success = Some(Outcome::Success);
        assert_eq!(Outcome::of_customer("customer-success+1"), success);
    }

    #[test]
    fn other_identities_are_not_reserved() {
        for id in ["customer-", "customer-x", "customer-provider_timeout", ""] {
            assert_eq!(Outcome::of_customer(id), None, "{id}");
        }
        for amount in [0, -1, 900_000, 900_030, i64::MIN, i64::MAX] {
            assert_eq!(Outcome::of_amount(amount), None, "{amount}");
        }
    }

    #[test]
    fn the_codes_are_those_of_the_document() {
        use financial_data::types::CodeId;
        let documented: Vec<&str> = CodeId::VALUES
            .iter()
            .copied()
            .filter(|id| *id != "unknown")
            .collect();
        assert_eq!(CODES.map(|code| code.id).to_vec(), documented);
    }

    #[test]
    fn a_setting_replaces_the_status_of_a_code() {
        let timeout = Code::find("provider_timeout").unwrap();
        let mut settings = Settings::default();
        assert_eq!(timeout.status_in(&settings), 424);
        settings
            .code_statuses
            .insert("provider_timeout".to_owned(), 408);
        assert_eq!(timeout.status_in(&settings), 408);
        settings
            .code_statuses
            .insert("provider_timeout".to_owned(), 200);
        assert_eq!(timeout.status_in(&settings), 424);
    }
}
