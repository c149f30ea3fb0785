//! The Rust code of a new webhook receiver.

use crate::ir::Api;

use super::template::one_line;

/// Returns a line of documentation for each kind: its route and its method.
pub(super) fn kinds(api: &Api) -> String {
    let line = |(path, method, name): (&str, &str, &str)| {
        let route = one_line(&format!("{method} {path}")).replace('`', "'");
        format!("/// - `{name}`, at `{route}`\n")
    };
    let kinds = api.webhooks.iter().filter_map(|operation| {
        let webhook = operation.webhook.as_ref()?;
        Some((&*webhook.path, &*operation.method, &*operation.name.rust))
    });
    kinds.map(line).collect()
}
