//! The test of the user's types: a function that sends values through them.

use super::context::Context;
use super::docs::{Text, code};
use super::examples::raw;
use super::scope::Scope;
use crate::ir::Samples;
use quote::quote;
use syn::{Item, parse_quote};

/// Returns the test of the types that replace schemas, or `None` without such types.
pub(super) fn test(cx: &Context<'_>, scope: &Scope<'_>) -> Option<Item> {
    let used = cx.api.replacing_types();
    let samples = cx
        .api
        .samples
        .iter()
        .filter(|sample| used.contains(&sample.path));
    let samples: Vec<&Samples> = samples.collect();
    if samples.is_empty() {
        return None;
    }
    let mut docs = Text::default();
    docs.paragraph(
        "Sends examples of the document, and drawn values that are valid for the schema, through the types \
         that replace schemas: each type reads them and writes them unchanged."
            .to_owned(),
    );
    for sample in &samples {
        if let Some(reason) = &sample.not_drawn {
            let place = code(sample.origin.pointer());
            docs.paragraph(format!("No values are drawn for {place}: {reason}."));
        }
    }
    let docs = docs.attrs();
    let checks = samples.iter().map(|sample| {
        let (ty, place) = (scope.custom(&sample.path), sample.origin.pointer());
        let values = sample
            .examples
            .iter()
            .chain(&sample.drawn)
            .map(|example| raw(example));
        quote! {
            let values = [#(#values),*];
            report.check::<#ty>(#place, &values);
        }
    });
    Some(parse_quote! {
        #(#docs)*
        #[test]
        fn types_keep_the_values_of_their_schemas() {
            let mut report = bothends_runtime::RoundTripReport::new();
            #(#checks)*
            assert!(report.is_empty(), "{report}");
        }
    })
}
