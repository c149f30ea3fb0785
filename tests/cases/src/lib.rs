//! What the tests of cases share. Each module of `tests/` states the values that are right for one document of
//! `documents/`, and sends and receives them as bytes that generated code did not write: `bothends_test_peers` has
//! both peers, `bothends_tests::in_process` calls a router without a socket.

/// Declares a module with the generated code of a document: `document!(api, "06-mapped-many");`.
#[macro_export]
macro_rules! document {
    ($module:ident, $name:literal) => {
        #[allow(warnings, clippy::all, missing_docs)]
        mod $module {
            include!(concat!(env!("OUT_DIR"), "/", $name, ".rs"));
        }
    };
}
