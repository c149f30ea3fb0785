use bothends_runtime::server::{Context, Error};
use callback::webhooks::*;

pub struct Handler;

impl WebhookHandler for Handler {
    // SNIPPET
}
