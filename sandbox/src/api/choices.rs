//! The values that the interface document leaves open, as the sandbox has chosen them.
//! `spec/open-points.md` shows the same table, and a test compares both.

use super::auth::scope_of;
use crate::model::Settings;
use crate::outcome::{CODES, CONSENT_CODES, ERROR_HEADER, FIRST_AMOUNT, RESULT_HEADER};
use serde_json::{Value, json};

/// The version of the choices: a changed choice has a new one.
pub const VERSION: u32 = 1;

/// A choice of the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The row in `spec/open-points.md`.
    pub number: u32,
    /// What is open, in a few words.
    pub subject: &'static str,
    /// The choice.
    pub choice: &'static str,
    /// The setting of a project that changes it.
    pub setting: Option<&'static str>,
}

const fn fixed(number: u32, subject: &'static str, choice: &'static str) -> Choice {
    Choice {
        number,
        subject,
        choice,
        setting: None,
    }
}

const fn switch(
    number: u32,
    subject: &'static str,
    choice: &'static str,
    setting: &'static str,
) -> Choice {
    Choice {
        number,
        subject,
        choice,
        setting: Some(setting),
    }
}

/// All choices, in the order of their numbers.
#[rustfmt::skip]
pub const CHOICES: &[Choice] = &[
    fixed(1, "endpoints", "Three operations; everything else is started in the console"),
    fixed(2, "product areas", "No further paths"),
    fixed(3, "fields of an aggregation payload", "`task_id`, `task_type`, `customer_id`, `status` and `result` are always present"),
    switch(4, "optional fields", "`consent_id` for connect tasks, and `provider`", "optional_fields"),
    switch(5, "flags of a refresh", "Both, for refresh tasks; without a failure there are new transactions, and the codes `connection_expired`, `connection_revoked` and `provider_reauthenticate` require to reconnect", "optional_fields"),
    fixed(6, "`result` of a failure", "The code of the failure"),
    fixed(7, "`service` of payments", "`domestic-single-payment`, `domestic-standing-order`, `domestic-scheduled-payment`, or any word given in the console"),
    fixed(8, "`event` of a failed payment", "`payment.failure`; a failed ingestion sends no webhook"),
    fixed(9, "`operation_id` of an ingestion", "The example"),
    fixed(10, "URLs of events", "Both variants: a subscription selects its events"),
    fixed(11, "records", "Those of the console API; a consent is valid for 90 days"),
    fixed(12, "task record", "The fields of the webhook's `data`; `result` and the flags when the task has ended"),
    switch(13, "running states", "`Pending`, then `Running`", "statuses"),
    switch(14, "transitions of a task", "Pending, running, then completed or failed; by itself or by the console API", "completion"),
    fixed(15, "states of a payment", "Those of a task; shown in the console only"),
    fixed(16, "body of a refresh", "Optional strings `provider` and, without `X-Customer-Id`, `customer_id`; other fields are ignored"),
    switch(17, "field of the task id", "`task_id`", "task_id_field"),
    fixed(18, "field of the status", "`status`, as in the webhook"),
    switch(19, "status of a submission", "200; the task record has 200", "submit_status"),
    fixed(20, "other endpoints", "Connect tasks, payments, ingestions and deletions are started by the console API"),
    fixed(21, "scopes", "`open-banking:write` to start a refresh, `open-banking:read` for its status; credentials have both unless the console removes one"),
    switch(22, "customer headers", "`X-Customer-Id` to start a refresh, none for its status; a missing required header is `customer_not_found`", "customer_headers"),
    switch(23, "signing", "Token signing", "signing"),
    fixed(24, "JWT and public keys", "`ES256`, or `EdDSA` for keys of that kind; public keys at `/.well-known/jwks.json`"),
    fixed(25, "method of webhooks", "`POST`"),
    fixed(26, "success of a webhook", "Any 2XX"),
    fixed(27, "API of subscriptions", "The console API"),
    switch(28, "statuses of codes", "The table `codes` of `/choices`", "code_statuses"),
    fixed(29, "rate limits", "None"),
    switch(30, "backoff", "5 seconds, doubled up to an hour, without jitter; the setting `backoff_cap` is the cap", "backoff_base"),
    fixed(31, "version negotiation", "None"),
    fixed(32, "identifiers", "UUIDs, except for reserved identities"),
    switch(33, "token response", "All fields; `expires_in` is 3600", "token_lifetime"),
    fixed(34, "`token_type`", "`bearer`"),
    fixed(35, "snake_case", "All names and codes are in snake_case"),
    fixed(36, "fields of the other payloads", "All fields are sent"),
    fixed(37, "additional keys", "None are sent, except those added with `trigger`"),
    fixed(38, "`result` of a deletion", "`success`; a failed deletion sends no webhook"),
    fixed(39, "`base_url`", "The address of the listener"),
    fixed(40, "`X-Client-Id` with client credentials", "Ignored"),
    fixed(41, "reuse of a refresh token", "401 `token_expired`, and all tokens of the family are revoked; refresh tokens do not expire"),
    fixed(42, "errors of the token endpoint", "Wrong or revoked client credentials are the generic 401; an unknown refresh token is `token_invalid`"),
    switch(43, "webhooks of a refresh", "`refreshCompleted`; also `syncCompleted` if set", "sync_webhook"),
    fixed(44, "refresh without consent", "The codes that begin with `connection_`, by the state of the consent"),
    fixed(45, "generic bodies", "All five 401 responses, 404 and 405 byte by byte"),
    fixed(46, "messages of validation errors", "Those of bothends"),
    fixed(47, "shape of a 400", "The map of fields"),
    fixed(48, "other statuses", "403, 408, 409, 410, 422, 424 and 429, as the table `codes` of `/choices` says"),
    fixed(49, "webhook timeout", "A webhook that takes longer than 10 seconds is retried"),
    fixed(50, "number of retries", "10 retries"),
    fixed(51, "names of operations", "`oauth_token_post`, `open_banking_refresh_post`, `open_banking_refresh_get`"),
    fixed(52, "unreachable hosts", "Retried"),
    fixed(53, "other statuses of a webhook", "The delivery fails; redirects are not followed"),
    fixed(54, "`Retry-After`", "Ignored: the pauses are exactly those of the settings"),
    fixed(55, "events while inactive", "Kept, and sent later"),
    fixed(56, "removal of a subscription", "Possible in the console; waiting events fail"),
    fixed(57, "order and ids of webhooks", "No order; `Webhook-Id` and `Webhook-Attempt` are sent"),
    fixed(58, "public addresses", "Loopback addresses are permitted as well, unless the configuration says otherwise"),
    fixed(59, "retry of a 401", "The choice of the client"),
    fixed(60, "retry of a 5xx", "The choice of the client"),
    fixed(61, "`operation_id` of a validation error", "`unknown`"),
    fixed(62, "credentials of the grants", "Each grant accepts its own only"),
    fixed(63, "reserved headers", "A subscription with a reserved header is rejected"),
    fixed(64, "products", "Subscriptions to events of other products are rejected, and such events are not sent"),
    fixed(65, "wrong customer headers", "401 `customer_not_found`, even if the operation does not require them"),
    fixed(66, "activating twice", "No error: the subscription stays as it is"),
    fixed(67, "repeated requests in the report", "No: the report counts a request and its repetitions after a 401, a 5xx or a missing response as one"),
];

/// Returns the document at `/choices`.
pub fn document() -> Value {
    let defaults = serde_json::to_value(Settings::default()).unwrap_or_default();
    let choices = CHOICES.iter().map(|choice| {
        json!({
            "number": choice.number,
            "subject": choice.subject,
            "choice": choice.choice,
            "setting": choice.setting,
            "default": choice.setting.map(|setting| defaults[setting].clone()),
        })
    });
    let codes = CODES.iter().map(|code| {
        json!({
            "code_id": code.id,
            "status": code.status,
            "message": code.message,
            "ends": if code.is_of_consent() { "call" } else { "task" },
        })
    });
    json!({
        "version": VERSION,
        "choices": choices.collect::<Vec<_>>(),
        "codes": codes.collect::<Vec<_>>(),
        "scopes": {
            "startOpenBankingRefresh": scope_of("startOpenBankingRefresh"),
            "getOpenBankingRefreshStatus": scope_of("getOpenBankingRefreshStatus"),
        },
        "reserved": {
            "customers": "customer-CODE or customer-success, with dashes for underscores, and any +SUFFIX",
            "customer_secrets": "any secret of a reserved customer is right",
            "providers": "provider-CODE or provider-success, with dashes for underscores, and any +SUFFIX",
            "amounts": { "first": FIRST_AMOUNT, "order": "that of codes" },
            "headers": {
                RESULT_HEADER: "the task of the call ends with this code, or with success",
                ERROR_HEADER: "the call fails with this code",
            },
            "codes_of_consents": CONSENT_CODES,
        },
    })
}
