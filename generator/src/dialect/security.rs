//! Security schemes, and the security requirements of operations.

use super::context::Context;
use super::extension::is_stray_extension;
use super::kind::Kind;
use super::{Version, scheme, spelling, swagger2};
use crate::model::{SecurityRequirement, SecurityScheme};
use crate::position::Origin;
use crate::resolve::Node;

/// Reads the declared security schemes.
pub(super) fn read_schemes<'t>(
    context: &mut Context<'t, '_>,
    root: &Node<'t>,
) -> Vec<(String, SecurityScheme)> {
    let section = context.section(root, context.rules.security_schemes);
    let entries: Vec<_> = section.iter().flat_map(Node::entries).collect();
    entries
        .into_iter()
        .filter(|(name, node)| !is_stray_extension(name, node))
        .filter_map(|(name, node)| {
            let node = context.as_kind(&node, Kind::SecurityScheme)?;
            context.check_keys(&node, spelling::SECURITY_SCHEME);
            let kind = match context.rules.version {
                Version::Swagger2 => swagger2::read_security_kind(context, &node)?,
                _ => scheme::read_kind(context, &node)?,
            };
            let scheme = SecurityScheme {
                origin: node.origin(),
                description: context.text(&node, "description"),
                deprecated: context.flag(&node, "deprecated").unwrap_or_default(),
                kind,
                extensions: context.extensions(&node),
            };
            Some((name.to_owned(), scheme))
        })
        .collect()
}

/// Returns the object whose `security` applies to an operation: the operation, or else the document.
fn holder<'t>(context: &Context<'t, '_>, operation: &Node<'t>) -> Node<'t> {
    if states_security(operation) {
        operation.clone()
    } else {
        context.resolver.root()
    }
}

fn states_security(node: &Node<'_>) -> bool {
    node.value.get("security").is_some_and(|it| !it.is_null())
}

/// Reads the security requirements of an operation, each with its position: its own `security`, or
/// else the document's.
pub(super) fn read_requirements<'t>(
    context: &mut Context<'t, '_>,
    operation: &Node<'t>,
) -> Option<Vec<(Origin, SecurityRequirement)>> {
    let holder = holder(context, operation);
    if !states_security(&holder) {
        return None;
    }
    let alternatives = context.items(&holder, "security");
    Some(
        alternatives
            .filter_map(|alternative| {
                if let Some(name) = alternative.value.as_str() {
                    context.meant(&alternative, "a scheme without scopes");
                    return Some((alternative.origin(), vec![(name.to_owned(), vec![])]));
                }
                let origin = alternative.origin();
                let alternative = context.as_object(&alternative)?;
                let schemes: Vec<_> = alternative.entries().map(|(name, _)| name).collect();
                let scopes = |name: &str| context.texts(&alternative, name);
                let scopes: Vec<_> = schemes.iter().copied().map(scopes).collect();
                let schemes = schemes.into_iter().map(str::to_owned);
                Some((origin, schemes.zip(scopes).collect()))
            })
            .collect(),
    )
}
