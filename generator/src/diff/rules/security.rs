//! Security, servers and the rules for all webhooks: `D06`.

use super::{Direction::Any, Raw, Rule, breaking, rule, safe};

const SAME: super::Effect = safe("Messages stay the same.");
const SAME_CODE: super::Effect = safe("The Rust code stays the same.");

/// The rules.
#[rustfmt::skip]
pub(super) const TABLE: &[Rule] = &[
    rule(Raw::SecurityAdded, "D0601", Any, "credentials became required", [
        breaking("Existing clients send no credentials."),
        safe("Existing servers ignore the credentials."),
        SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::SecurityRemoved, "D0602", Any, "credentials are no longer required", [
        safe("New servers ignore the credentials."),
        breaking("Existing servers require credentials that new clients do not send."),
        SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::AlternativeSchemeAdded, "D0603", Any, "security alternative added", [
        safe("Existing alternatives stay valid."),
        breaking("Existing servers reject the new alternative."),
        SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::AlternativeSchemeRemoved, "D0604", Any, "security alternative removed", [
        breaking("New servers reject the alternative."),
        safe("Existing servers accept every remaining alternative."),
        SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::ScopeAdded, "D0605", Any, "scope became required", [
        breaking("Tokens of existing clients may lack the scope."),
        safe("Existing servers ignore the scope."),
        SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::ScopeRemoved, "D0606", Any, "scope is no longer required", [
        safe("New servers ignore the scope."),
        breaking("Existing servers require the scope, which tokens of new clients may lack."),
        SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::SchemeChanged, "D0607", Any, "security scheme changed", [
        breaking("New servers expect other credentials."),
        breaking("Existing servers expect the old credentials."),
        breaking("The field of `Credentials` may have another type."),
        breaking("The field of `Credentials` may have another type."),
    ]),
    rule(Raw::SchemeAdded, "D0608", Any, "security scheme added", [
        SAME, SAME,
        breaking("A struct expression of `Credentials` without `..` needs the new field."),
        breaking("A struct pattern of `Credentials` without `..` needs the new field."),
    ]),
    rule(Raw::SchemeRemoved, "D0609", Any, "security scheme removed", [
        SAME, SAME,
        breaking("The field of `Credentials` no longer exists."),
        breaking("The field of `Credentials` no longer exists."),
    ]),
    rule(Raw::TokenFlowChanged, "D0610", Any, "token endpoint changed", [
        breaking("Existing clients obtain tokens in the old way."),
        SAME,
        safe("A constant has another value, is added, or is removed with its flow."),
        SAME_CODE,
    ]),
    rule(Raw::ServerAdded, "D0611", Any, "server added", [
        safe("Existing servers stay documented."),
        SAME,
        safe("A constant is added."),
        SAME_CODE,
    ]),
    rule(Raw::ServerRemoved, "D0612", Any, "server removed", [
        breaking("Existing clients send requests to a server that the document no longer lists."),
        SAME,
        breaking("The constant of the server no longer exists or has another value."),
        SAME_CODE,
    ]),
    rule(Raw::BasePathChanged, "D0613", Any, "base path changed", [
        breaking("New servers serve all operations below another path."),
        breaking("Existing servers serve all operations below the old path."),
        SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::BasePathAdded, "D0616", Any, "base path added", [
        breaking("New servers serve all operations below another path."),
        breaking("Existing servers serve all operations at the root."),
        SAME_CODE, safe("The constant `server::BASE_PATH` is added."),
    ]),
    rule(Raw::BasePathRemoved, "D0617", Any, "base path removed", [
        breaking("New servers serve all operations at the root."),
        breaking("Existing servers serve all operations below the old path."),
        SAME_CODE, breaking("The constant `server::BASE_PATH` no longer exists."),
    ]),
    rule(Raw::ServerVariablesChanged, "D0615", Any, "variables of a server changed", [
        safe("The document lists the same URLs."),
        SAME,
        breaking("The constant of the server has other variables, or another default."),
        SAME_CODE,
    ]),
    rule(Raw::OperationServerChanged, "D0614", Any, "server of an operation changed", [
        breaking("Existing clients send requests to the old server."),
        safe("Existing servers receive the same requests."),
        SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::SigningChanged, "D0621", Any, "signing of webhooks changed", [
        breaking("Existing senders sign in the old way."),
        breaking("Existing receivers verify in the old way."),
        SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::DeliveryChanged, "D0622", Any, "delivery of webhooks changed", [
        safe("Existing senders deliver by the old rules, and payloads stay the same."),
        safe("Existing receivers receive the same payloads."),
        SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::SubscriptionChanged, "D0623", Any, "subscription to webhooks changed", [
        safe("Payloads stay the same."),
        safe("Existing receivers receive the same payloads."),
        SAME_CODE, SAME_CODE,
    ]),
    rule(Raw::RejectionChanged, "D0624", Any, "body of rejections changed", [
        safe("Existing clients report a rejection as an error."),
        safe("New clients report a rejection as an error."),
        SAME_CODE,
        breaking("A constructor of a rejection may have another name, or no longer exist."),
    ]),
];
