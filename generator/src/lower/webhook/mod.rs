//! Webhooks: requests in the other direction, and the rules of their delivery.

pub(super) mod webhook_rules;
pub(super) mod webhook_values;
pub(super) mod webhooks;
