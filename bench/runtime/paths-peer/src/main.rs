//! The axum router of 500 paths, called in process with each path in turn.

#[path = "../../peer/src/accepts.rs"]
mod accepts;

use accepts::AcceptsJson;
use axum::extract::Path;
use axum::routing::get;
use axum::{Json, Router};
use bench_inputs::allocations::Counting;
use bench_inputs::cases::{self, Case, drive};
use bench_inputs::requests::{self, Template};
use serde::Serialize;
use std::hint::black_box;
use std::process::ExitCode;
use tower_service::Service;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[derive(Serialize)]
struct Receipt {
    items: i64,
    bytes: i64,
}

include!(concat!(env!("OUT_DIR"), "/handlers.rs"));

fn main() -> ExitCode {
    cases::main(&[("server-500-paths", |_| each_path())], |_| {
        Err("this API is called in process only".into())
    })
}

fn each_path() -> Box<dyn Case> {
    let mut service = router();
    let mut other = service.clone();
    let paths: Vec<String> = bench_paths::paths()
        .iter()
        .map(|path| path.example())
        .collect();
    let requests = Template::paths(&paths);
    let show = move || {
        let shown = requests.iter().map(|request| {
            let Ok(response) = drive(other.call(request.request()));
            requests::shown(response)
        });
        shown.collect()
    };
    let turns = Template::paths(&paths);
    let mut turn = 0;
    let run = move || {
        let request = &turns[turn % bench_paths::COUNT];
        turn += 1;
        let Ok(response) = drive(service.call(black_box(request).request()));
        black_box(requests::drain(response));
    };
    cases::case(show, run)
}
