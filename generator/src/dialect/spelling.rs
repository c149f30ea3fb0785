//! Keys that are probably misspelled: keys that the format does not define at their location, but
//! that are similar to a defined key.
//!
//! Documents may contain keys of their own, and JSON Schema requires unknown keywords to be
//! ignored. A key without a similar defined key is therefore never reported.

use super::context::Context;
use super::extension::is_extension;
use crate::diagnostic::codes;
use crate::resolve::{Node, nearest};

/// The keys of an object of the format, of all versions together: a key of another version is not
/// misspelled.
pub(super) type Keys = &'static [&'static str];

pub(super) const ROOT: Keys = &[
    "openapi",
    "swagger",
    "$self",
    "info",
    "jsonSchemaDialect",
    "servers",
    "paths",
    "webhooks",
    "components",
    "security",
    "tags",
    "externalDocs",
    "host",
    "basePath",
    "schemes",
    "consumes",
    "produces",
    "definitions",
    "parameters",
    "responses",
    "securityDefinitions",
];

pub(super) const INFO: Keys = &[
    "title",
    "summary",
    "description",
    "termsOfService",
    "contact",
    "license",
    "version",
];

pub(super) const COMPONENTS: Keys = &[
    "schemas",
    "responses",
    "parameters",
    "examples",
    "requestBodies",
    "headers",
    "securitySchemes",
    "links",
    "callbacks",
    "pathItems",
    "mediaTypes",
];

pub(super) const SERVER: Keys = &["url", "name", "description", "variables"];

pub(super) const PATH_ITEM: Keys = &[
    "$ref",
    "summary",
    "description",
    "servers",
    "parameters",
    "additionalOperations",
    "get",
    "put",
    "post",
    "delete",
    "options",
    "head",
    "patch",
    "trace",
    "query",
];

pub(super) const OPERATION: Keys = &[
    "tags",
    "summary",
    "description",
    "externalDocs",
    "operationId",
    "parameters",
    "requestBody",
    "responses",
    "callbacks",
    "deprecated",
    "security",
    "servers",
    "consumes",
    "produces",
    "schemes",
];

/// A parameter or a header. In Swagger 2.0 it is a schema too.
pub(super) const PARAMETER: Keys = &[
    "$ref",
    "name",
    "in",
    "description",
    "summary",
    "required",
    "deprecated",
    "allowEmptyValue",
    "style",
    "explode",
    "allowReserved",
    "schema",
    "content",
    "example",
    "examples",
    "type",
    "format",
    "items",
    "collectionFormat",
    "default",
    "enum",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "multipleOf",
    "nullable",
];

pub(super) const REQUEST_BODY: Keys = &["$ref", "summary", "description", "content", "required"];

pub(super) const MEDIA_TYPE: Keys = &[
    "$ref",
    "description",
    "schema",
    "itemSchema",
    "example",
    "examples",
    "encoding",
    "prefixEncoding",
    "itemEncoding",
];

pub(super) const ENCODING: Keys = &[
    "contentType",
    "headers",
    "style",
    "explode",
    "allowReserved",
    "encoding",
    "prefixEncoding",
    "itemEncoding",
];

pub(super) const RESPONSE: Keys = &[
    "$ref",
    "summary",
    "description",
    "headers",
    "content",
    "links",
    "schema",
    "examples",
];

pub(super) const LINK: Keys = &[
    "$ref",
    "operationRef",
    "operationId",
    "parameters",
    "requestBody",
    "description",
    "server",
];

pub(super) const SECURITY_SCHEME: Keys = &[
    "$ref",
    "type",
    "description",
    "name",
    "in",
    "scheme",
    "bearerFormat",
    "flow",
    "flows",
    "openIdConnectUrl",
    "oauth2MetadataUrl",
    "deprecated",
    "authorizationUrl",
    "tokenUrl",
    "refreshUrl",
    "scopes",
];

pub(super) const FLOWS: Keys = &[
    "implicit",
    "password",
    "clientCredentials",
    "authorizationCode",
    "deviceAuthorization",
    // The names of Swagger 2.0.
    "application",
    "accessCode",
];

pub(super) const FLOW: Keys = &[
    "authorizationUrl",
    "deviceAuthorizationUrl",
    "tokenUrl",
    "refreshUrl",
    "scopes",
];

pub(super) const DISCRIMINATOR: Keys = &["propertyName", "mapping", "defaultMapping"];

pub(super) const SCHEMA: Keys = &[
    "$schema",
    "$id",
    "id",
    "$ref",
    "$anchor",
    "$dynamicRef",
    "$dynamicAnchor",
    "$recursiveRef",
    "$recursiveAnchor",
    "$vocabulary",
    "$comment",
    "$defs",
    "definitions",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "dependentRequired",
    "dependencies",
    "prefixItems",
    "items",
    "additionalItems",
    "contains",
    "properties",
    "patternProperties",
    "additionalProperties",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
    "type",
    "const",
    "enum",
    "multipleOf",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "maxContains",
    "minContains",
    "maxProperties",
    "minProperties",
    "required",
    "title",
    "summary",
    "description",
    "default",
    "deprecated",
    "readOnly",
    "writeOnly",
    "example",
    "examples",
    "format",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "nullable",
    "discriminator",
    "xml",
    "externalDocs",
    // Not defined by the standard, but not misspelled either, and similar to a defined key.
    "collectionFormat",
    "name",
    "in",
    "links",
    "extends",
];

impl<'t> Context<'t, '_> {
    /// Reports the keys of an object that are probably misspelled.
    pub(super) fn check_keys(&mut self, node: &Node<'t>, known: Keys) {
        for (key, value) in node.entries() {
            self.check_key(node, key, &value, known);
        }
    }

    /// Reports one key of an object if it is probably misspelled.
    pub(super) fn check_key(&mut self, node: &Node<'t>, key: &str, value: &Node<'t>, known: Keys) {
        if is_extension(key) || known.contains(&key) {
            return;
        }
        let Some(meant) = meant(node, key, known) else {
            return;
        };
        self.report(
            codes::MISSPELT_KEY,
            &value.origin(),
            format!("unknown key `{key}`; it is ignored"),
        )
        .help(format!("did you mean `{meant}`?"));
    }
}

/// Returns the probably intended key: a similar key that the object does not contain.
pub(super) fn meant(node: &Node<'_>, key: &str, known: Keys) -> Option<&'static str> {
    /// The minimum length of a key. Shorter words are too similar to one another.
    const SHORTEST: usize = 4;
    let absent = known
        .iter()
        .copied()
        .filter(|word| node.value.get(word).is_none());
    if key.len() < SHORTEST {
        return absent
            .into_iter()
            .find(|word| word.eq_ignore_ascii_case(key));
    }
    nearest(key, absent.filter(|word| word.len() >= SHORTEST))
}

/// Returns whether a template has a brace that is not one of a pair around a name.
pub(super) fn has_stray_brace(template: &str) -> bool {
    let mut rest = template;
    while let Some(at) = rest.find(['{', '}']) {
        let inner = rest[at..].strip_prefix('{');
        let end = inner.and_then(|inner| Some((inner, inner.find(['{', '}'])?)));
        match end {
            Some((inner, end)) if end > 0 && inner[end..].starts_with('}') => {
                rest = &inner[end + 1..]
            }
            _ => return true,
        }
    }
    false
}
