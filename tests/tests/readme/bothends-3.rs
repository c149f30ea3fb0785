use bothends_runtime::server::{Context, Error};
use exports::webhooks::*;

pub struct Handler;

impl WebhookHandler for Handler {
    // SNIPPET
}
