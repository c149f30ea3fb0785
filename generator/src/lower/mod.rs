//! Lowering from the model to the intermediate representation. All decisions about the shape of the
//! Rust code are made here.
//!
//! The order matters: ids of all reusable schemas are reserved before any schema is converted, so
//! that cycles are supported. Passes at the end (`finish`) determine properties that depend on the
//! whole document: the sender and the receiver of a type, boxed references. Names are assigned later,
//! in `names`.

mod document;
mod extensions;
mod finish;
mod links;
mod operation;
mod operations;
mod passes;
mod samples;
mod schema;
mod security;
mod server;
#[cfg(test)]
mod tests;
mod type_table;
mod webhook;

pub(crate) use document::Document;
pub(crate) use links::pages::report_unstated as report_unstated_pages;
pub(crate) use passes::requested::KeptRules;
pub(crate) use schema::replaced::Types as OwnTypes;
pub use schema::rust_type::UnknownCrates;
pub(crate) use schema::rust_type::{Crate, Crates};
pub(crate) use server::codes::find_paths as find_codes;
pub(crate) use type_table::TypeTable;

use std::collections::{BTreeMap, HashMap, VecDeque};

use crate::diagnostic::Diagnostics;
use crate::dialect::Values;
use crate::ir::{Api, Doc, Module, Parent, TypeId, TypeKind, TypeRef};
use crate::model::{Model, SchemaId};
use crate::position::Origin;
use crate::source::Value;
use links::{bound_links, pages, tasks};
use operation::reusable;
use samples::{examples, exchanges};
use schema::shape::Shape;
use schema::{defaults, scalar};
use security::elsewhere;
use server::{codes, rejections, servers};
use webhook::webhook_rules;

/// The options of lowering.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    /// Paths of Rust types by the format of a string, integer or number (`String` for plain text).
    pub(crate) formats: BTreeMap<String, String>,
    /// Types of the user in place of the types of schemas.
    pub(crate) types: OwnTypes,
    /// The treatment of unlisted values.
    pub(crate) unknown_values: UnknownValues,
    /// Which constraints stay beside those of requests.
    pub(crate) kept_rules: KeptRules,
    /// Whether required properties with a single value have a field.
    pub(crate) constant_fields: bool,
    /// The values of the document, for `draws` and `examples`.
    pub(crate) values: Option<Values>,
    /// Whether values of the replaced schemas are drawn.
    pub(crate) draws: bool,
    /// Whether the examples of the document are kept.
    pub(crate) examples: bool,
}

/// The treatment of enum values and union tags that the document does not list.
///
/// A document may declare the treatment of one schema (`x-extensible-enum`,
/// `x-bothends-extensible`), which has precedence. A server always rejects unlisted values in
/// requests, unless the document declares the type as open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnknownValues {
    /// Unlisted values are kept in a variant `Unrecognized`, so that the document can add values.
    #[default]
    Keep,
    /// Unlisted values are errors: enums and unions have the listed variants only.
    Reject,
}

/// Lowers a whole API.
pub(crate) fn lower(model: Model, options: &Options, diagnostics: &mut Diagnostics) -> Api {
    extensions::check(&model, diagnostics);
    elsewhere::check(&model, diagnostics);
    scalar::report_formats(&model, options, diagnostics);
    let mut api = Api {
        title: model.info.title.clone(),
        doc: Doc {
            text: model
                .info
                .description
                .clone()
                .or(model.info.summary.clone()),
            ..Doc::default()
        },
        base_url: servers::base_url(&model.servers),
        base_path: servers::base_path(&model.servers),
        servers: servers::all(&model, diagnostics),
        rejection_bodies: rejections::lower(&model, diagnostics),
        rejections: rejections::rejections(&model),
        webhook_rules: webhook_rules::lower(&model, diagnostics),
        ..Api::default()
    };
    let mut lowering = Lowering::new(model, options, diagnostics);
    lowering.reserve_named();
    lowering.convert_named();
    reusable::lower(&mut lowering);
    // The operations of the model end with their lowering.
    if let Some(values) = options.values.as_ref().filter(|_| options.examples) {
        api.exchanges = exchanges::collect(&lowering.document.model, values);
    }
    operations::lower(&mut lowering, &mut api);
    let calls = tasks::lower(&mut lowering, &mut api);
    links::lower(&mut lowering, &mut api, calls);
    pages::lower(&mut lowering, &mut api);
    api.error_code = codes::find(&lowering.document, &lowering.types);
    if let Some(values) = &options.values {
        if options.draws {
            api.samples = samples::collect(&mut lowering.document, values);
        }
        if options.examples {
            api.examples = examples::collect(&lowering.document, &lowering.types, values);
        }
    }
    finish::finish(&mut lowering, &mut api);
    api
}

/// The result of lowering a schema, for its users.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Lowered {
    /// The type of a value that is present and not null.
    pub(crate) ty: TypeRef,
    /// Whether null is valid too.
    pub(crate) nullable: bool,
}

/// The place where a schema is used. It determines the name and the module of an inline type.
#[derive(Debug, Clone)]
pub(crate) struct At {
    /// The parent.
    pub(crate) parent: Option<Parent>,
    /// The words of the schema itself.
    pub(crate) words: String,
    /// The module that defines the type.
    pub(crate) module: Module,
}

impl At {
    /// Returns the same place, one step further in.
    pub(crate) fn step(&self, word: &str) -> Self {
        let words = if self.words.is_empty() {
            word.to_owned()
        } else {
            format!("{} {word}", self.words)
        };
        Self {
            words,
            ..self.clone()
        }
    }
    /// Returns a place directly in a type.
    pub(crate) fn inside(id: TypeId, module: Module, word: &str) -> Self {
        Self {
            parent: Some(Parent::Type(id)),
            words: word.to_owned(),
            module,
        }
    }
}

/// Whether the document declares an enum or a union as open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Openness {
    /// Declared as open.
    Open,
    /// Declared as closed, or a `const`.
    Closed,
    /// Not declared: the configuration decides.
    Unstated,
}

/// The state of lowering.
pub(crate) struct Lowering<'a> {
    pub(crate) document: Document<'a>,
    pub(crate) types: TypeTable,
    pending: Pending,
}

/// What is still to be done.
#[derive(Default)]
struct Pending {
    /// The nesting depth of the schemas that are being lowered.
    depth: usize,
    /// The number of recursive schemas without a type of their own that are being lowered.
    open_lists: usize,
    /// Types that are defined after their enclosing types, in the order of discovery.
    waiting: VecDeque<(SchemaId, Shape, TypeId)>,
    /// Defaults to check once every type is known.
    defaults: Vec<defaults::Pending>,
    /// Defaults of parameters, by their locations. Looked up only.
    parameter_defaults: HashMap<Origin, Value>,
    /// `x-bothends-task` of operations, by index.
    stated_tasks: Vec<(usize, Value)>,
    /// The extensions of operations that state pages, by index.
    stated_pages: Vec<(usize, Vec<(String, Value)>)>,
    /// Operations with links.
    stated_links: Vec<bound_links::Stated>,
    /// Bodies of media types without a codec, and their locations.
    uncoded: Vec<(Origin, String)>,
}

impl<'a> Lowering<'a> {
    fn new(model: Model, options: &'a Options, diagnostics: &'a mut Diagnostics) -> Self {
        Self {
            document: Document::new(model, options, diagnostics),
            types: TypeTable::default(),
            pending: Pending::default(),
        }
    }

    fn reserve_named(&mut self) {
        for (name, id) in self.document.model.named_schemas.clone() {
            let schema = self.document.schema(id);
            let (origin, doc) = (schema.origin.clone(), schema::doc_of(schema, true));
            let wanted = schema::wanted_name(schema);
            let at = At {
                parent: None,
                words: name,
                module: Module::Types,
            };
            let ty = self.types.reserve(&at, &origin, doc);
            self.types.defs[ty.0 as usize].name.wanted = wanted;
            // A component that consists of a `$ref` shares its target's schema: the first name owns
            // the schema, and later names are aliases.
            self.document.named.entry(id).or_insert(ty);
        }
        for index in 0..self.document.model.named_schemas.len() {
            let id = self.document.model.named_schemas[index].1;
            let instance = self
                .document
                .wraps(id)
                .filter(|wrap| self.document.schema(*wrap).instance);
            if let (Some(instance), Some(ty)) = (instance, self.document.named.get(&id).copied()) {
                self.document.named.entry(instance).or_insert(ty);
            }
        }
        for pointed in &self.document.model.pointed_schemas {
            let around = pointed.around.and_then(|id| self.document.named.get(&id));
            let at = At {
                parent: Some(around.map_or(Parent::Reusable, |ty| Parent::Type(*ty))),
                words: pointed.words.clone(),
                module: Module::Types,
            };
            self.document.pointed.insert(pointed.schema, at);
        }
        self.document.find_children();
    }

    fn convert_named(&mut self) {
        let named = self.document.model.named_schemas.clone();
        for (index, (_, id)) in named.into_iter().enumerate() {
            let ty = TypeId(u32::try_from(index).unwrap_or(u32::MAX));
            let kind = if self.document.named.get(&id) == Some(&ty) {
                self.within(|lowering| lowering.convert_own(id, ty))
            } else {
                TypeKind::Alias(TypeRef::Named(self.document.named[&id]))
            };
            self.types.defs[ty.0 as usize].kind = kind;
        }
    }
}
