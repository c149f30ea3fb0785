//! The tests of the runtime, from outside.

mod around;
mod bodies;
mod call_errors;
mod client;
mod codings;
mod constants;
mod enums;
mod error_headers;
mod failures;
mod formats;
mod injection;
mod layers;
mod loopback;
mod mistakes;
mod names;
mod pages;
mod peers;
#[cfg(all(feature = "client", feature = "server"))]
mod petstore;
mod receiver;
mod rejections;
mod responses;
mod resumed;
mod retries;
mod server;
mod setters;
mod signatures;
mod sources;
mod spans;
mod styles;
mod styles_property;
mod tables;
mod tasks;
mod tokens;
mod unions;
mod values;
