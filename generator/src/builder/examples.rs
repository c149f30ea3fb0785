//! The examples that a program has found to be wrong.

use std::collections::BTreeSet;

use super::Plan;
use crate::diagnostic::{Diagnostic, Diagnostics, codes};
use crate::position::{FileId, Origin, Pointer};

/// The diagnostics of examples.
#[derive(Debug, Clone)]
pub struct ExamplesReport {
    /// The diagnostics.
    pub diagnostics: Diagnostics,
    /// The number of examples that were read.
    pub examples: usize,
    /// The number of wrong examples.
    pub wrong: usize,
}

impl Plan {
    /// Returns diagnostics with what the program of `bothends examples` prints: for each wrong example a line of JSON
    /// with its place and what is wrong. `others` are those of the document: an example that contradicts its schema is
    /// not reported twice.
    ///
    /// # Errors
    /// Returns an error for a line that is not of the program.
    #[doc(hidden)]
    pub fn examples_report(
        &self,
        others: &[Diagnostics],
        printed: &str,
    ) -> Result<ExamplesReport, String> {
        let lines = printed.lines().map(|line| {
            place_and_text(line).ok_or_else(|| format!("unexpected line of the program: {line}"))
        });
        let found: Vec<(Origin, String)> = lines.collect::<Result<_, _>>()?;
        let is_within = |origin: &Origin, outer: &Origin| {
            let rest = origin.pointer().strip_prefix(outer.pointer());
            origin.file == outer.file
                && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let is_found = |place: &Origin| {
            let mut all = found.iter();
            all.any(|(origin, _)| is_within(origin, place) || is_within(place, origin))
        };
        let is_listed = |diagnostic: &&Diagnostic| {
            let mut places = diagnostic.origin.iter().chain(&diagnostic.further);
            diagnostic.code != codes::EXAMPLE
                || diagnostic.repeated > diagnostic.further.len()
                || !places.all(is_found)
        };
        let mut diagnostics = self.diagnostics.fresh();
        let others = others.iter().flat_map(Diagnostics::iter);
        diagnostics.absorb(others.filter(is_listed));
        let remaining = diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.code == codes::EXAMPLE);
        let remaining: usize = remaining
            .map(|diagnostic| 1 + diagnostic.repeated + diagnostic.omitted)
            .sum();
        for (place, what) in &found {
            let message = format!("an example {what}");
            diagnostics.report(codes::EXAMPLE_REFUSED, place, message);
        }
        Ok(ExamplesReport {
            diagnostics,
            examples: self.example_places().len(),
            wrong: found.len() + remaining,
        })
    }

    /// Returns the places of the examples that the program reads.
    fn example_places(&self) -> BTreeSet<&Origin> {
        let exchanges = self.api.exchanges.iter().flat_map(|exchange| {
            let responses = exchange.responses.iter().map(|(_, part)| part);
            exchange
                .request
                .iter()
                .map(|(_, part)| part)
                .chain(responses)
        });
        let of_types = self.api.examples.iter().map(|example| &example.origin);
        of_types.chain(exchanges.map(|part| &part.origin)).collect()
    }
}

/// Reads a line such as `["0#/components/schemas/Pet/example","is invalid: …"]`.
fn place_and_text(line: &str) -> Option<(Origin, String)> {
    let (place, text): (String, String) = serde_json::from_str(line).ok()?;
    let (file, pointer) = place.split_once('#')?;
    let origin = Origin::new(
        FileId(file.parse().ok()?),
        Pointer::parse(&format!("#{pointer}")),
    );
    Some((origin, text))
}
