//! The other end of the connections whose one end is measured.
//!
//! `serve` is a server for clients. It prints its URL, and sees no difference between clients that
//! send the same requests. `load ADDRESS REQUEST TIMES` is a client for servers, over one
//! connection; `show ADDRESS REQUEST` prints the response; `idle ADDRESS TIMES` keeps connections open.

mod load;
mod message;
mod serve;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["serve"] => serve::serve(),
        ["show", address, request] => load::show(address, request),
        ["load", address, request, times] => load::load(address, request, times),
        ["idle", address, times] => load::idle(address, times),
        _ => Err(
            "usage: serve | show ADDRESS REQUEST | load ADDRESS REQUEST N | idle ADDRESS N".into(),
        ),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
