//! Swagger 2.0: its own notation, translated to that of OpenAPI 3.

use super::rules::{Rules, Siblings};
use super::version::Version;

mod body;
mod inline;
mod parameter;
mod security;
mod servers;

pub(super) use body::read_response_content;
pub(super) use inline::belongs_to_holder;
pub(super) use parameter::{read_headers, read_parameters_and_body};
pub(super) use security::read_security_kind;
pub(super) use servers::{read_operation_servers, read_servers};

pub(super) const RULES: Rules = Rules {
    version: Version::Swagger2,
    methods: &["get", "put", "post", "delete", "options", "head", "patch"],
    siblings: Siblings::Annotate,
    schemas: &["definitions"],
    responses: &["responses"],
    security_schemes: &["securityDefinitions"],
};
