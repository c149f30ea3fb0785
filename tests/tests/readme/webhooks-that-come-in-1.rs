use bothends_runtime::StatusCode;
use bothends_runtime::server::{Context, Error};
use bothends_runtime::webhook::{MemoryDedupStore, Receiver, TokenSignature};
use financial_data::webhooks::{self, *};
use std::time::Duration;

pub fn app(signing_token: String) -> Result<axum::Router, Box<dyn std::error::Error>> {
    // SNIPPET
    Ok(app)
}
