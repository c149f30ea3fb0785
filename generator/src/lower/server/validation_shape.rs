//! The response of a server to an invalid request, for each operation.
//!
//! The rule: an operation that documents 422 as JSON that [can be filled](crate::lower::server::rejection_shape)
//! uses that response, or else such a 400 (by code, by range, or by a `default` next to a success).
//! If all operations that document either have the same body, the body belongs to the router;
//! otherwise those operations have rows of their own.

use std::collections::BTreeMap;

use crate::ir::{Rejection, RejectionBodies};
use crate::model::{Model, Operation, StatusSpec};

use crate::lower::server::rejection_shape::{filled, json, response};

/// Determines the response of the router, and the operations with other responses.
pub(in crate::lower) fn find(model: &Model, rejection_bodies: &mut RejectionBodies) {
    let mut rows: Vec<(Vec<usize>, Rejection)> = Vec::new();
    let mut known = BTreeMap::new();
    let mut all = true;
    for (index, operation) in model.operations.iter().enumerate() {
        match documented(model, operation) {
            Documented::Nothing => {}
            Documented::Unfilled => all = false,
            Documented::Filled(rejection) => {
                let row = *known.entry(format!("{rejection:?}")).or_insert(rows.len());
                match rows.get_mut(row) {
                    Some((operations, _)) => operations.push(index),
                    None => rows.push((vec![index], rejection)),
                }
            }
        }
    }
    if all && rows.len() == 1 {
        rejection_bodies.validation = rows.pop().map(|(_, rejection)| rejection);
    } else {
        rows.retain(|(_, rejection)| rejection_bodies.validation.as_ref() != Some(rejection));
        rejection_bodies.validation_of = rows;
    }
}

/// The documentation of an operation for invalid requests.
enum Documented {
    Nothing,
    /// A response that cannot be filled.
    Unfilled,
    Filled(Rejection),
}

fn documented(model: &Model, operation: &Operation) -> Documented {
    let exact = |status| {
        let mut responses = operation.responses.iter();
        responses.find(|response| response.status == StatusSpec::Code(status))
    };
    let mut found = Documented::Nothing;
    for (response, status) in [
        (exact(422), (422, "Unprocessable Content")),
        (response(operation, 400), (400, "Bad Request")),
    ] {
        let Some(response) = response else { continue };
        match json(response).and_then(|shape| filled(model, shape, status, true)) {
            Some(rejection) => return Documented::Filled(rejection),
            None => found = Documented::Unfilled,
        }
    }
    found
}
