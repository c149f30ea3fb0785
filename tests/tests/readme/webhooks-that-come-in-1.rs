#![allow(non_snake_case)]
use bothends_runtime::webhook::{MemorySeen, Receiver, TokenSignature};
use std::time::Duration;

pub fn app<H: financial_data::webhooks::WebhookHandler>(
    Handler: H,
    signing_token: String,
) -> Result<axum::Router, Box<dyn std::error::Error>> {
    // SNIPPET
    Ok(app)
}
