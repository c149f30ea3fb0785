//! From the tree of a document to an API with names, and without what a filter leaves out.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::{Builder, Timings};
use crate::diagnostic::{Diagnostics, codes};
use crate::failure::Failure;
use crate::filter::{Counts, Filter, LeftOut};
use crate::ir::{Api, Uncompared};
use crate::lower::{self, KeptRules};
use crate::model::Model;
use crate::position::Origin;
use crate::source::Tree;
use crate::{derives, dialect, emit, filter, imports, names, openapi, sharing};

/// The use of an API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// Code is generated.
    Code,
    /// The document is compared with another one. The old one may lack what the configuration
    /// mentions.
    Comparison { is_old: bool },
}

impl Builder {
    /// Returns the selectors of the configuration.
    pub(super) fn filter(&self) -> Result<Filter, Failure> {
        Filter::parse(&self.config.include, &self.config.exclude).map_err(Failure::Setting)
    }

    /// Checks that types and derives of the configuration are paths, and that attributes are contents of
    /// attributes.
    pub(super) fn check_paths(&self) -> Result<(), Failure> {
        for (key, path) in &self.config.types {
            if let Some(fault) = emit::parse_type(path).err() {
                let path = path.escape_debug();
                return Err(Failure::Setting(format!(
                    "expected the path of a type for `{key}` of `[types]`, found `{path}`: {fault}"
                )));
            }
        }
        for (file, import) in &self.config.imports {
            if let Some(fault) = emit::parse_module(&import.module).err() {
                let path = import.module.escape_debug();
                return Err(Failure::Setting(format!(
                    "expected the path of a module for `{file}` of `[imports]`, found `{path}`: {fault}"
                )));
            }
        }
        let derive = |text: &str| emit::parse_derive(text).err();
        let attribute = |text: &str| emit::parse_attribute(text).err();
        check(
            &self.config.derives,
            "[derives]",
            "path of a derive macro",
            derive,
        )?;
        check(
            &self.config.attributes,
            "[attributes]",
            "content of an attribute",
            attribute,
        )
    }

    /// Returns the named intermediate representation of a document, or `None` if the document has
    /// errors. With a filter, also returns how much of the document is kept.
    ///
    /// Errors and warnings in parts that the filter leaves out are not reported.
    pub(super) fn read(
        &self,
        tree: Cow<'_, Tree>,
        filter: &Filter,
        purpose: Use,
        diagnostics: &mut Diagnostics,
        timings: &mut Timings,
    ) -> Option<(Api, Option<Counts>)> {
        if filter.is_empty() {
            let model = modelled(&tree, purpose, diagnostics)?;
            timings.end("dialect");
            if diagnostics.has_errors() {
                return None;
            }
            let mut api = self.named(tree, model, purpose, diagnostics, timings);
            self.decide_features(&mut api, purpose);
            return (!diagnostics.has_errors()).then_some((api, None));
        }
        let mut found = Diagnostics::of_all();
        let Some(model) = modelled(&tree, purpose, &mut found) else {
            diagnostics.absorb(found.iter());
            return None;
        };
        timings.end("dialect");
        let whole = Cow::Borrowed(&*tree);
        let mut api = self.named(whole, model, purpose, &mut found, timings);
        let selection = filter.select(&api);
        let left_out = LeftOut::new(&tree, &api, &selection.kept);
        diagnostics.absorb(found.iter().filter(|diagnostic| {
            let place = diagnostic.origin.as_ref();
            place.is_none_or(|place| !left_out.contains(place))
        }));
        for repair in found.repairs() {
            if !left_out.contains(&repair.place) {
                diagnostics.propose(
                    &repair.place,
                    repair.change.clone(),
                    repair.description.clone(),
                );
            }
        }
        if purpose != (Use::Comparison { is_old: true }) {
            for (message, help) in selection.unmatched {
                let report = diagnostics.report_general(codes::SELECTOR_UNUSED, message);
                report.help(help);
            }
        }
        for (origin, reason) in api.retain(&selection.kept) {
            let message = format!("{reason}, which the filter leaves out");
            diagnostics.report(codes::LEFT_OUT, &origin, message);
        }
        self.decide_features(&mut api, purpose);
        timings.end("filter");
        (!diagnostics.has_errors()).then_some((api, Some(selection.counts)))
    }

    /// Decides the Cargo features of the items, if the configuration asks for some.
    fn decide_features(&self, api: &mut Api, purpose: Use) {
        if self.config.tag_features == Some(true) && purpose == Use::Code {
            let taken = self.config.dependencies.keys().map(String::as_str);
            api.conditions = filter::decide_features(api, &taken.collect());
        }
    }

    /// Returns the document as types of OpenAPI 3.0 in a single file, without what a filter leaves
    /// out.
    pub(super) fn bundled(
        &self,
        tree: &Tree,
        filter: &Filter,
        diagnostics: &mut Diagnostics,
    ) -> Option<openapiv3::OpenAPI> {
        if filter.is_empty() {
            let model = dialect::read(tree, diagnostics)?;
            let model = (!diagnostics.has_errors()).then_some(model)?;
            return openapi::bundle(tree, &model, None, diagnostics);
        }
        let (api, _) = self.read(
            Cow::Borrowed(tree),
            filter,
            Use::Code,
            diagnostics,
            &mut Timings::default(),
        )?;
        let mut model = dialect::read(tree, &mut Diagnostics::new())?;
        let operations = api.operations.iter().chain(&api.webhooks);
        let places: BTreeSet<&Origin> = operations.map(|operation| &operation.origin).collect();
        let operations = api.operations.iter();
        let ids: BTreeSet<&str> = operations
            .map(|operation| operation.name.wire.as_str())
            .collect();
        model
            .operations
            .retain(|operation| places.contains(&operation.origin));
        model
            .webhooks
            .retain(|webhook| places.contains(&webhook.operation.origin));
        for operation in &mut model.operations {
            operation
                .callbacks
                .retain(|(.., callback)| places.contains(&callback.origin));
            for response in &mut operation.responses {
                let leads_out = |id: &String| !ids.contains(id.as_str());
                let links = &mut response.links;
                links.retain(|link| !link.operation_id.as_ref().is_some_and(leads_out));
            }
        }
        let schemas = api.types.iter().filter(|def| def.is_reusable_schema());
        let schemas = schemas.map(|def| def.name.wire.clone()).collect();
        openapi::bundle(tree, &model, Some(&schemas), diagnostics)
    }

    /// Returns the types of `[types]`. In a comparison, schemas have their own types.
    fn own_types(&self, tree: &Tree, compares: bool) -> lower::OwnTypes {
        let config = &self.config;
        let mut listed = crates(&config.dependencies);
        listed.extend(crates(&config.crates));
        let unknown = config.unknown_crates.unwrap_or_default();
        let crates = lower::Crates { listed, unknown };
        if compares || config.types.is_empty() && crates.is_empty() {
            return lower::OwnTypes::default();
        }
        lower::OwnTypes {
            paths: config.types.clone(),
            crates,
            keys: tree.keys(),
        }
    }

    /// Returns the named intermediate representation of a model.
    fn named(
        &self,
        tree: Cow<'_, Tree>,
        (model, uncompared): (Model, Vec<Uncompared>),
        purpose: Use,
        diagnostics: &mut Diagnostics,
        timings: &mut Timings,
    ) -> Api {
        let compares = purpose != Use::Code;
        let keys = tree.keys();
        let [draws, examples] =
            [self.config.types_test, self.config.examples_test].map(|test| test == Some(true));
        let options = lower::Options {
            formats: self.config.formats.clone(),
            types: self.own_types(&tree, compares),
            unknown_values: self.config.unknown_values.unwrap_or_default(),
            kept_rules: match compares {
                true => KeptRules::All,
                false if self.config.response_rules == Some(true) => KeptRules::Responses,
                false => KeptRules::Requests,
            },
            // serde's derive macros read and write fields only.
            constant_fields: self.config.serde == Some(emit::Serde::Derive),
            values: (!compares && (draws || examples)).then(|| dialect::values(&tree)),
            draws,
            examples,
        };
        // The rest of a comparison needs nothing of the tree.
        let tree = Some(tree).filter(|_| !compares);
        let mut api = lower::lower(model, &options, diagnostics);
        timings.end("lower");
        api.uncompared = uncompared;
        // Names that only the new document has are not applied to the old one.
        let mut unused = Diagnostics::new();
        // Names follow from types that the limit has cut off.
        let is_cut = diagnostics.contains(codes::UNFOLDS_TOO_FAR);
        let target = match purpose {
            Use::Comparison { is_old: true } => &mut unused,
            _ if is_cut => &mut unused,
            _ => diagnostics,
        };
        names::request(&mut api, &self.config.names, &keys, target);
        match compares {
            true => sharing::list(&mut api, self.config.response_rules == Some(true)),
            false => sharing::share(&mut api),
        }
        timings.end("sharing");
        names::assign(&mut api, target);
        timings.end("names");
        if let Some(tree) = &tree {
            let exporters = self.exporters(tree, target);
            imports::apply(&mut api, tree.root(), &exporters, target);
        }
        let (derived, attributes) = (&self.config.derives, &self.config.attributes);
        timings.derives = derives::apply(&mut api, derived, attributes, &keys, target);
        timings.end("derives");
        api
    }
}

/// Reads the model of a document, and for a comparison the parts that do not become code.
fn modelled(
    tree: &Tree,
    purpose: Use,
    diagnostics: &mut Diagnostics,
) -> Option<(Model, Vec<Uncompared>)> {
    match purpose {
        Use::Code => Some((dialect::read(tree, diagnostics)?, Vec::new())),
        Use::Comparison { .. } => dialect::read_compared(tree, diagnostics),
    }
}

/// Returns the crates of `[dependencies]` or `[crates]` by the names of their packages.
fn crates(dependencies: &toml::Table) -> BTreeMap<String, lower::Crate> {
    let crates = dependencies.iter().map(|(key, value)| {
        let text = |name: &str| value.get(name).and_then(toml::Value::as_str);
        let version = value.as_str().or_else(|| text("version")).unwrap_or("*");
        let own = lower::Crate {
            name: key.replace('-', "_"),
            version: version.to_owned(),
        };
        (text("package").unwrap_or(key).to_owned(), own)
    });
    crates.collect()
}

/// Checks the texts of a table of the configuration. `fault` returns what is wrong with a text.
fn check(
    table: &BTreeMap<String, Vec<String>>,
    name: &str,
    what: &str,
    fault: impl Fn(&str) -> Option<String>,
) -> Result<(), Failure> {
    for (key, texts) in table {
        for text in texts {
            if let Some(fault) = fault(text) {
                let text = text.escape_debug();
                return Err(Failure::Setting(format!(
                    "expected the {what} for `{key}` of `{name}`, found `{text}`: {fault}"
                )));
            }
        }
    }
    Ok(())
}
