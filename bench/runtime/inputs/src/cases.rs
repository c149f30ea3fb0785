//! The command line of both programs.
//!
//! `show CASE [URL]` prints what the case has read or written, for comparison with the other side.
//! `run CASE N [URL]` does the work N times and prints the number of allocations.

use crate::allocations;
use std::pin::pin;
use std::process::ExitCode;
use std::task::{Context, Poll, Waker};

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

/// Runs the program: the body of both `main` functions.
pub fn main(cases: &[(&str, Prepare)]) -> ExitCode {
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
            let before = allocations::count();
            case.run(times.parse().expect("a number of runs"));
            println!("{}", allocations::count() - before);
        }
        _ => {
            eprintln!("usage: list | show CASE [URL] | run CASE N [URL]");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn unknown(name: &str) -> ExitCode {
    eprintln!("there is no case {name}");
    ExitCode::FAILURE
}
