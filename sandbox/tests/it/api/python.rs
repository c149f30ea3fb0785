//! A client in Python, with the standard library only.

use super::support::start;
use bothends_test_environment::has_python;
use std::process::Command;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_in_python_uses_the_api() {
    if !has_python("a_client_in_python_uses_the_api") {
        return;
    }
    let (sandbox, seeded) = start().await;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/api.py");
    let mut command = Command::new("python3");
    command
        .arg("-B")
        .arg(script)
        .args([sandbox.api_url(), &seeded.client_id, &seeded.client_secret])
        .args([&seeded.customer_id, &seeded.customer_secret])
        .env("PYTHONUTF8", "1");
    let output = tokio::task::spawn_blocking(move || command.output());
    let output = output.await.unwrap().expect("python3 runs");
    let stdout = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stdout}\n{complaint}");
    assert_eq!(stdout.trim(), "all calls were as documented");
    sandbox.stop().await;
}
