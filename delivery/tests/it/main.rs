//! The tests of delivery, except `crash.rs`, whose workers are killed.

#[path = "../common/mod.rs"]
mod common;

mod addresses;
mod admin;
mod connections;
mod drain;
mod fair;
mod faults;
mod filters;
mod idempotency;
mod layers;
mod machine;
mod notes;
mod observe;
mod operators;
mod outgoing;
mod plans;
mod receivers;
mod reschedule;
mod rotation;
mod round_trip;
mod rules;
mod schema;
mod schemes;
mod secrets;
mod settings;
mod sharded;
mod skew;
mod stores;
mod tasks;
mod telemetry;
mod time;
mod tls;
