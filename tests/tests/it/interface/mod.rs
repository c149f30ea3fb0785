//! The interface document, stated apart from the spec in `tests/interface/financial-data.json`, and the
//! spec, the generated code and the running service checked against it. The other end of what runs is
//! `tests/python/financial_data.py`: standard library, hand-written bytes, nothing of ours.

#![allow(clippy::panic, reason = "a test that does so fails")]

mod called;
mod calls;
mod code;
mod facts;
mod python;
mod service;
mod spec;
mod tasks;
mod webhooks;
