//! The dialect of a document.

use crate::diagnostic::{Diagnostics, codes};
use crate::resolve::Node;

/// A dialect of API descriptions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Version {
    /// Swagger 2.0
    Swagger2,
    /// OpenAPI 3.0.x
    V3_0,
    /// OpenAPI 3.1.x
    V3_1,
    /// OpenAPI 3.2.x
    V3_2,
}

/// Returns the dialect that a document declares. Reports an error if the declaration is missing or
/// unknown.
pub(super) fn detect(root: &Node<'_>, diagnostics: &mut Diagnostics) -> Option<Version> {
    let stated = root.get("openapi").map(|node| ("openapi", node));
    let stated = stated.or_else(|| root.get("swagger").map(|node| ("swagger", node)));
    let Some((key, node)) = stated else {
        report_missing(root, diagnostics);
        return None;
    };
    let text = node
        .value
        .scalar_text()
        .unwrap_or_else(|| node.value.kind().to_owned());
    let numbers: Vec<&str> = text.trim().split('.').collect();
    match (key, numbers.as_slice()) {
        ("swagger", ["2", ..]) => Some(Version::Swagger2),
        ("openapi", ["3", "0", ..]) => Some(Version::V3_0),
        ("openapi", ["3", "1", ..]) => Some(Version::V3_1),
        ("openapi", ["3", "2", ..]) => Some(Version::V3_2),
        _ => {
            let report = diagnostics.report(
                codes::VERSION_UNKNOWN,
                &node.origin(),
                format!("unsupported version `{key}: {text}`"),
            );
            report.help(match (key, numbers.as_slice()) {
                ("swagger", ["1", ..]) => "convert the document to Swagger 2.0 or OpenAPI 3",
                ("swagger", ["3", ..]) => "from version 3 on the key is `openapi`",
                ("openapi", ["2", ..]) => "of version 2.0 the key is `swagger`",
                _ => "write `swagger: \"2.0\"`, or `openapi: 3.0.x`, `3.1.x` or `3.2.x`",
            });
            None
        }
    }
}

fn report_missing(root: &Node<'_>, diagnostics: &mut Diagnostics) {
    let origin = root.origin();
    let Some(object) = root.value.as_object() else {
        let kind = root.value.kind();
        let message = format!("expected an object as API description, found {kind}");
        diagnostics.report(codes::VERSION_MISSING, &origin, message);
        return;
    };
    let report = diagnostics.report(
        codes::VERSION_MISSING,
        &origin,
        "missing version: neither `openapi` nor `swagger`",
    );
    report.help(if object.contains_key("asyncapi") {
        "this is an AsyncAPI document; only API descriptions in OpenAPI can be read"
    } else if object.contains_key("paths") {
        "add `openapi: 3.0.3`, or the version it is written in, as its first line"
    } else {
        "give the root document: the one that begins with `openapi: 3.x.y` or `swagger: \"2.0\"`"
    });
}
