//! The command line of both programs.
//!
//! `show CASE [URL]` prints what the case has read or written, for comparison with the other side.
//! `run CASE N [URL]` does the work N times and prints the number of allocations and the peak in
//! bytes. `serve once` and `serve` serve the API on a port that is printed.

use crate::allocations;
use std::error::Error;
use std::pin::{Pin, pin};
use std::process::ExitCode;
use std::task::{Context, Poll, Waker};
use tokio::runtime::Runtime;
use tokio::task::LocalSet;

/// The work of a case on one side.
pub trait Case {
    /// Does the work once and returns everything that it has read or written, as text.
    fn show(&mut self) -> String;

    /// Does the work several times.
    fn run(&mut self, times: u64);
}

/// A function that prepares a case. The argument is the URL of the server, for clients.
pub type Prepare = fn(url: &str) -> Box<dyn Case>;

/// A case from two closures.
struct Closures<S, R>(S, R);

impl<S: FnMut() -> String, R: FnMut()> Case for Closures<S, R> {
    fn show(&mut self) -> String {
        (self.0)()
    }

    fn run(&mut self, times: u64) {
        for _ in 0..times {
            (self.1)();
        }
    }
}

/// Returns a case whose work is a closure.
pub fn case(show: impl FnMut() -> String + 'static, run: impl FnMut() + 'static) -> Box<dyn Case> {
    Box::new(Closures(show, run))
}

/// The future of a piece of work.
pub type Work = Pin<Box<dyn Future<Output = String>>>;

/// A case whose work waits for a peer, on a runtime of one thread.
struct Waiting<F> {
    runtime: Runtime,
    work: F,
    /// Whether all runs are begun before the first has ended.
    at_once: bool,
}

impl<F: FnMut(bool) -> Work> Case for Waiting<F> {
    fn show(&mut self) -> String {
        self.runtime.block_on((self.work)(true))
    }

    fn run(&mut self, times: u64) {
        if self.at_once {
            let tasks = LocalSet::new();
            for _ in 0..times {
                tasks.spawn_local((self.work)(false));
            }
            return self.runtime.block_on(tasks);
        }
        self.runtime.block_on(async {
            for _ in 0..times {
                (self.work)(false).await;
            }
        });
    }
}

/// Returns a case whose work is a future. The argument of `work` is whether the result is to be
/// returned as text.
pub fn waiting(work: impl FnMut(bool) -> Work + 'static) -> Box<dyn Case> {
    Box::new(Waiting {
        runtime: runtime(),
        work,
        at_once: false,
    })
}

/// Returns a case all of whose runs are begun before the first has ended.
pub fn at_once(work: impl FnMut(bool) -> Work + 'static) -> Box<dyn Case> {
    Box::new(Waiting {
        runtime: runtime(),
        work,
        at_once: true,
    })
}

fn runtime() -> Runtime {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.expect("the runtime can be built")
}

/// Polls a future to its end without a runtime: for work that never waits.
pub fn drive<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}

/// Runs the program: the body of both `main` functions. `serve` serves one connection or all.
pub fn main(
    cases: &[(&str, Prepare)],
    serve: fn(once: bool) -> Result<(), Box<dyn Error>>,
) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let find = |name: &str| cases.iter().find(|case| case.0 == name);
    match arguments[..] {
        ["list"] => {
            for (name, _) in cases {
                println!("{name}");
            }
        }
        ["show", name, ref url @ ..] => {
            let Some((_, prepare)) = find(name) else {
                return unknown(name);
            };
            println!("{}", prepare(url.first().unwrap_or(&"")).show());
        }
        ["run", name, times, ref url @ ..] => {
            let Some((_, prepare)) = find(name) else {
                return unknown(name);
            };
            let mut case = prepare(url.first().unwrap_or(&""));
            let before = allocations::start();
            case.run(times.parse().expect("a number of runs"));
            println!("{}", before.spent());
        }
        ["serve", ref once @ ..] => {
            if let Err(error) = serve(once == ["once"]) {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        }
        _ => {
            eprintln!("usage: list | show CASE [URL] | run CASE N [URL] | serve [once]");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn unknown(name: &str) -> ExitCode {
    eprintln!("there is no case {name}");
    ExitCode::FAILURE
}
