//! Both ends with hostile peers, written by hand over raw sockets. Time is tokio's, which is paused: it
//! moves on when nothing else can, so a test with limits of minutes takes none.
#![cfg(all(
    feature = "gzip",
    feature = "hyper",
    feature = "jwks",
    feature = "reqwest",
    feature = "rustls",
    feature = "serve",
    feature = "tokens",
    feature = "tracing"
))]
#![allow(missing_docs, unreachable_pub, dead_code)]
#![allow(clippy::unwrap_used, clippy::panic)]

mod api;
mod clients;
mod connections;
mod hostile;
mod limits;
mod origins;
mod peer;
use crate::petstore;

mod proxies;
mod received;
mod secrets;
mod serve;
mod shown;
mod tls;
mod webhooks;
