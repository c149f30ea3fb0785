//! The request of a page.

use super::PagedOperation;
use super::next::{Position, Way};
#[cfg(any(feature = "server", feature = "links"))]
use crate::message::RequestDecoder;
use crate::message::{Operation, OperationMeta, RequestEncoder, SecurityRequirement};
use crate::values::check::Checker;
use crate::values::{Rule, Validate};

/// A request with the position of a page in place of the caller's values.
pub(super) struct AtPage<'a, O> {
    pub(super) request: &'a O,
    /// `None` for the page of the request itself.
    pub(super) position: Option<&'a Position>,
}

impl<O: Operation> Validate for AtPage<'_, O> {
    fn check(&self, rules: &[Rule], checker: &mut Checker) {
        self.request.check(rules, checker);
    }
}

impl<O: PagedOperation> Operation for AtPage<'_, O> {
    type Response = O::Response;
    type Success = O::Success;
    type Error = O::Error;
    const META: &'static OperationMeta = O::META;

    fn security(&self) -> &'static [&'static [SecurityRequirement]] {
        self.request.security()
    }

    fn encode(&self, encoder: &mut RequestEncoder) {
        self.request.encode(encoder);
        let Some(position) = self.position else {
            return;
        };
        match (O::NEXT.way, position) {
            (_, Position::Url(target)) => encoder.aim(target.clone()),
            (Way::Values(rows), Position::Values(values)) => {
                for ((place, name, _), value) in rows.iter().zip(values) {
                    encoder.replace(place, name, value);
                }
            }
            (
                Way::Page((place, name), _) | Way::Offset((place, name)),
                Position::Number(number),
            ) => {
                encoder.replace(place, name, &(*number).into());
            }
            _ => {}
        }
        // Each page is a request of its own: with the key of another one, a server would repeat that page.
        if let Some(header) = O::META.idempotency_key {
            encoder.remove_header(header);
        }
        if let Some(kept) = O::NEXT.kept {
            encoder.keep_in_query(|name| kept.contains(&name) || O::NEXT.sets(name));
        }
    }

    /// The server of a list never reads such a request.
    #[cfg(any(feature = "server", feature = "links"))]
    fn decode(_: &mut RequestDecoder<'_>) -> Option<Self> {
        None
    }
}
