//! Projects of users, built by cargo: generated code, examples, and the documentation.

mod book;
mod commands;
mod compatible;
mod compile;
mod deps;
mod described_calls;
mod downstream;
mod examples;
mod exchanged;
mod first_call;
mod guide;
mod json_features;
mod needs;
mod readme;
mod rust_analyzer;
mod stubs;
