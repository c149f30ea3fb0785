//! Python calls the generated server: every operation, both grants, and the nine generic responses byte by
//! byte. What is refused is refused without any code of the user's for it.

use super::python;
use super::service::Service;

#[test]
fn python_drives_every_operation_of_the_server() {
    if !python::is_there("python_drives_every_operation_of_the_server") {
        return;
    }
    let address = Service::default().serve();
    let stdout = python::run(&["client", &format!("http://{address}")]);
    // Four requests for a token are refused, and what came before and after them was right.
    assert_eq!(stdout.matches("refused: ").count(), 5, "{stdout}");
    assert!(stdout.trim_end().ends_with("checks passed"), "{stdout}");
}
