//! The passes over the finished API, in order. Each decides what depends on all types, or on all
//! operations.

use crate::ir::{Api, TypeId};
use crate::lower::links::pages;
use crate::lower::operation::{error_sets, reusable};
use crate::lower::passes::{boxing, constants, direction, growth, requested, traits};
use crate::lower::schema::{cycles, replaced};
use crate::lower::server::codes;
use crate::lower::webhook::webhook_values;
use crate::lower::{Lowering, UnknownValues};

/// A pass.
struct Pass {
    name: &'static str,
    /// The passes whose results it reads or changes, by name. They run before it.
    after: &'static [&'static str],
    run: fn(&mut Finished<'_, '_>),
}

/// What passes read and change.
struct Finished<'l, 'd> {
    lowering: &'l mut Lowering<'d>,
    api: &'l mut Api,
    /// Whether no operation uses a type.
    unused: Vec<bool>,
    /// The types that replaced schemas have by themselves.
    schemas_of_replaced: Vec<TypeId>,
}

const PASSES: &[Pass] = &[
    Pass {
        name: "directions",
        after: &[],
        run: |it| {
            let reject = it.lowering.document.options.unknown_values == UnknownValues::Reject;
            it.unused = direction::mark_directions(it.api, &it.lowering.types.openness, reject);
        },
    },
    Pass {
        name: "properties of one side",
        after: &["directions"],
        run: |it| {
            let kept = it.lowering.document.options.kept_rules;
            direction::free_one_sided(it.api, &it.unused, kept);
        },
    },
    Pass {
        // Constants are required, and of a type that is not open.
        name: "constants",
        after: &["directions", "properties of one side"],
        run: |it| constants::mark(it.api),
    },
    Pass {
        // Only optional dates can be absent.
        name: "invalid dates",
        after: &["properties of one side"],
        run: |it| direction::free_dates(it.api),
    },
    Pass {
        name: "rules",
        after: &["directions", "properties of one side"],
        run: |it| {
            let kept = it.lowering.document.options.kept_rules;
            requested::select_rules(it.api, &it.lowering.types.openness, kept);
        },
    },
    Pass {
        // Their variants have the rules of bodies.
        name: "enums of media types",
        after: &["rules"],
        run: |it| {
            let contents = std::mem::take(&mut it.lowering.types.contents);
            reusable::define_contents(it.api, contents);
        },
    },
    Pass {
        // Reported where a request has the choice.
        name: "choices that overlap",
        after: &["directions"],
        run: |it| it.lowering.report_ambiguous(it.api),
    },
    Pass {
        name: "types of themselves only",
        after: &["enums of media types"],
        run: |it| cycles::check_types(&mut it.api.types, it.lowering.document.diagnostics),
    },
    Pass {
        // Types are renumbered.
        name: "fields of constants",
        after: &["constants", "rules", "choices that overlap"],
        run: |it| {
            if !it.lowering.document.options.constant_fields {
                constants::remove_fields(it.api, &mut it.schemas_of_replaced);
            }
        },
    },
    Pass {
        name: "boxes",
        after: &["types of themselves only", "fields of constants"],
        run: |it| boxing::box_cycles(it.api),
    },
    Pass {
        name: "extensible types",
        after: &["directions", "fields of constants"],
        run: |it| growth::mark_extensible(&mut it.api.types),
    },
    Pass {
        name: "derived traits",
        after: &["directions", "boxes"],
        run: |it| traits::derive(&mut it.api.types),
    },
    Pass {
        // Paths have the positions of fields.
        name: "codes of errors",
        after: &["fields of constants"],
        run: |it| codes::find_paths(it.api),
    },
    Pass {
        name: "items of pages",
        after: &["fields of constants"],
        run: |it| pages::find_items(it.api),
    },
    Pass {
        // Errors are compared with their codes.
        name: "shared errors",
        after: &["codes of errors", "derived traits"],
        run: |it| error_sets::share(it.api),
    },
    Pass {
        name: "values of webhooks",
        after: &["fields of constants"],
        run: |it| webhook_values::find(it.api),
    },
    Pass {
        // Types are removed.
        name: "schemas of replaced types",
        after: &[
            "rules",
            "shared errors",
            "items of pages",
            "values of webhooks",
        ],
        run: |it| replaced::remove_unchecked(it.api, &it.schemas_of_replaced),
    },
];

/// Moves the types into the API, and runs all passes.
pub(super) fn finish(lowering: &mut Lowering<'_>, api: &mut Api) {
    api.types = std::mem::take(&mut lowering.types.defs);
    let schemas_of_replaced = std::mem::take(&mut lowering.types.schemas_of_replaced);
    let mut finished = Finished {
        lowering,
        api,
        unused: Vec::new(),
        schemas_of_replaced,
    };
    for (index, pass) in PASSES.iter().enumerate() {
        let has_run = |name: &&str| PASSES[..index].iter().any(|it| it.name == *name);
        debug_assert!(pass.after.iter().all(has_run), "{} is too early", pass.name);
        (pass.run)(&mut finished);
    }
}
