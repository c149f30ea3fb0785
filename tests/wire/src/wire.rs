//! Single exchanges, with the bytes that are expected of them.

use bothends_runtime::Json;
use bothends_runtime::client::{ClientCore, HyperTransport};

use crate::desk::{Begun, Desk, Parts, Verdict};
use crate::loopback::Ends;
use crate::{Spec, specs};

/// Puts a case together: the values of the parameters and of the body, the index of the response
/// among all of the operation, its headers and its body.
///
/// # Panics
/// When there is no such operation, or it does not take the values.
#[must_use]
pub fn begin(module: &str, operation: &str, parts: &Json) -> Begun {
    let parts = parts.as_array().cloned().unwrap_or_default();
    let found = spec(module);
    let driver = (found.operations)()
        .into_iter()
        .find(|driver| driver.id == operation);
    let driver = driver.unwrap_or_else(|| panic!("{module} has no operation {operation}"));
    (driver.begin)(&mut Parts::new(parts, false)).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn spec(module: &str) -> Spec {
    let found = specs().into_iter().find(|spec| spec.module == module);
    found.unwrap_or_else(|| panic!("there is no spec {module}"))
}

/// Asserts the bytes of a request, and that it and its answer arrive over a socket.
///
/// # Panics
/// When they are others, or something else arrives.
pub fn sends(module: &str, operation: &str, parts: Json, expected: &str) {
    let begun = begin(module, operation, &parts);
    assert_eq!(
        begun.request().as_deref(),
        Ok(expected),
        "{operation} {parts}"
    );
    arrives(module, operation, begun);
}

/// Asserts the bytes of an answer, and that it arrives over a socket.
///
/// # Panics
/// When they are others, or something else arrives.
pub fn answers(module: &str, operation: &str, parts: Json, expected: &str) {
    let begun = begin(module, operation, &parts);
    assert_eq!(
        begun.outcome().as_deref(),
        Ok(expected),
        "{operation} {parts}"
    );
    arrives(module, operation, begun);
}

fn arrives(module: &str, operation: &str, begun: Begun) {
    let desk = Desk::default();
    let ends = Ends::new(&spec(module), &desk).unwrap_or_else(|error| panic!("{error}"));
    let verdict = ends.run(|core: &ClientCore<HyperTransport>| begun.run(core, &desk));
    assert_eq!(verdict, Verdict::Equal, "{operation}");
}
