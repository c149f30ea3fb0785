//! The generated router of 500 paths, called in process with each path in turn.

use api::operations::*;
use api::server::{HubApi, router};
use api::types::{Receipt, ReceiptInit};
use bench_inputs::allocations::Counting;
use bench_inputs::cases::{self, Case, drive};
use bench_inputs::requests::{self, Template};
use bothends_runtime::Response;
use bothends_runtime::server::{Context, Error};
use std::hint::black_box;
use std::process::ExitCode;
use tower_service::Service;

#[allow(dead_code, unused_imports)]
mod api {
    bothends_runtime::include_api!();
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

struct Handlers;

include!(concat!(env!("OUT_DIR"), "/handlers.rs"));

fn main() -> ExitCode {
    cases::main(&[("server-500-paths", |_| each_path())], |_| {
        Err("this API is called in process only".into())
    })
}

fn each_path() -> Box<dyn Case> {
    let mut service = router(Handlers).enforce_accept();
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
