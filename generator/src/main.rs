//! The command `bothends`.

mod cli;

fn main() -> std::process::ExitCode {
    bothends::stack::on_large_stack(cli::run)
}
