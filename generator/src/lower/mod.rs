//! Lowering from the model to the intermediate representation. All decisions about the shape of the
//! Rust code are made here.
//!
//! The order matters: ids of all reusable schemas are reserved before any schema is converted, so
//! that cycles are supported. Passes at the end (`finish`) determine properties that depend on the
//! whole document: the sender and the receiver of a type, boxed references. Names are assigned later,
//! in `names`.

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
mod webhook;

pub(crate) use links::pages::report_unstated as report_unstated_pages;
pub(crate) use passes::requested::KeptRules;
pub(crate) use schema::replaced::Types as OwnTypes;
pub use schema::rust_type::UnknownCrates;
pub(crate) use schema::rust_type::{Crate, Crates};
pub(crate) use server::codes::find_paths as find_codes;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use crate::diagnostic::Diagnostics;
use crate::dialect::Values;
use crate::ir::{
    Api, Doc, Module, Name, Parent, Payload, Rule, Traits, TypeDef, TypeId, TypeKind, TypeRef,
};
use crate::model::{Model, Schema, SchemaId};
use crate::position::Origin;
use crate::source::Value;
use links::{bound_links, pages, tasks};
use operation::reusable;
use samples::{examples, exchanges};
use schema::{conditions, cycles, defaults, replaced, scalar, shape};
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
        api.exchanges = exchanges::collect(&lowering.model, values);
    }
    operations::lower(&mut lowering, &mut api);
    let calls = tasks::lower(&mut lowering, &mut api);
    links::lower(&mut lowering, &mut api, calls);
    pages::lower(&mut lowering, &mut api);
    api.error_code = codes::find(&lowering);
    if let Some(values) = &options.values {
        if options.draws {
            api.samples = samples::collect(&mut lowering, values);
        }
        if options.examples {
            api.examples = examples::collect(&lowering, values);
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
    pub(crate) model: Model,
    pub(crate) options: &'a Options,
    pub(crate) diagnostics: &'a mut Diagnostics,
    /// The result for each schema; grows with synthetic schemas.
    memo: Vec<Memo>,
    /// The nesting depth of the schemas that are being lowered.
    depth: usize,
    /// Types that are defined after their enclosing types, in the order of discovery.
    waiting: VecDeque<(SchemaId, shape::Shape, TypeId)>,
    /// The cycle of each schema of the document.
    cycles: Vec<cycles::Cycle>,
    /// Whether each schema of the document contains itself, at any depth.
    recursive: Vec<bool>,
    /// The number of recursive schemas without a type of their own that are being lowered.
    open_lists: usize,
    /// Synthetic schemas, each with the schemas whose keywords it contains. Looked up only.
    covers: HashMap<SchemaId, BTreeSet<SchemaId>>,
    /// The results for schemas with one choice. Looked up only.
    single: HashMap<SchemaId, (SchemaId, bool)>,
    /// The last inline type, whose rules are determined next.
    plain: Option<(SchemaId, shape::Shape)>,
    pub(crate) types: Vec<TypeDef>,
    /// Openness of the enums and unions, by type. Looked up only.
    pub(crate) openness: HashMap<TypeId, Openness>,
    /// Reusable schemas by id. Looked up only.
    named: HashMap<SchemaId, TypeId>,
    /// The places of other schemas to which references lead. Looked up only.
    pointed: HashMap<SchemaId, At>,
    /// Paths of the user's types by schema. Looked up only.
    replaced: HashMap<SchemaId, String>,
    /// The types that replaced schemas have by themselves.
    schemas_of_replaced: Vec<TypeId>,
    /// Children of a schema with a discriminator and no `oneOf`. Looked up only.
    children: HashMap<SchemaId, Vec<SchemaId>>,
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
    /// Synthetic schemas by the schemas that they intersect. Looked up only.
    intersections: HashMap<Vec<SchemaId>, SchemaId>,
    /// Schemas of conditional properties, by those that they combine. Looked up only.
    loosened: HashMap<Vec<SchemaId>, SchemaId>,
    /// The number of merged schemas and properties.
    merged: usize,
    /// Whether null is valid for a schema. Looked up only.
    nullable: HashMap<SchemaId, bool>,
    /// The rules of values at the uses of a schema. Looked up only.
    rules: HashMap<SchemaId, Vec<Rule>>,
    /// Bodies of media types without a codec, and their locations.
    uncoded: Vec<(Origin, String)>,
    /// Enums of media types of reusable bodies and responses.
    contents: Vec<(Origin, Payload)>,
    /// Required names without a property that were reported, by the schema that lists them.
    undeclared: HashSet<(SchemaId, String)>,
    /// Choices that were reported as not validated, by their first alternative.
    reported_choices: HashSet<SchemaId>,
    /// The types of `oneOf`s whose alternatives overlap.
    ambiguous: Vec<(TypeId, Origin)>,
    /// The amount of comparisons in the search for overlapping alternatives.
    compared: usize,
    /// The nesting depth of the rules that are being determined.
    rule_depth: usize,
}

#[derive(Debug, Clone)]
enum Memo {
    New,
    Running,
    Done(Lowered),
}

impl<'a> Lowering<'a> {
    fn new(mut model: Model, options: &'a Options, diagnostics: &'a mut Diagnostics) -> Self {
        conditions::remove_empty(&mut model);
        let cycles = cycles::number(&mut model, diagnostics);
        let recursive = cycles::recursive(&model);
        let replaced = replaced::find(&model, &options.types, diagnostics);
        let memo = vec![Memo::New; model.schemas.len()];
        Self {
            model,
            options,
            diagnostics,
            memo,
            depth: 0,
            waiting: VecDeque::new(),
            cycles,
            recursive,
            open_lists: 0,
            covers: HashMap::new(),
            single: HashMap::new(),
            plain: None,
            types: Vec::new(),
            openness: HashMap::new(),
            named: HashMap::new(),
            pointed: HashMap::new(),
            replaced,
            schemas_of_replaced: Vec::new(),
            children: HashMap::new(),
            defaults: Vec::new(),
            parameter_defaults: HashMap::new(),
            stated_tasks: Vec::new(),
            stated_pages: Vec::new(),
            stated_links: Vec::new(),
            intersections: HashMap::new(),
            loosened: HashMap::new(),
            merged: 0,
            nullable: HashMap::new(),
            rules: HashMap::new(),
            rule_depth: 0,
            uncoded: Vec::new(),
            contents: Vec::new(),
            undeclared: HashSet::new(),
            reported_choices: HashSet::new(),
            ambiguous: Vec::new(),
            compared: 0,
        }
    }

    pub(crate) fn schema(&self, id: SchemaId) -> &Schema {
        &self.model.schemas[id.0 as usize]
    }

    /// Adds a schema that is not in the document.
    pub(crate) fn add_schema(&mut self, schema: Schema) -> SchemaId {
        let id = SchemaId(u32::try_from(self.model.schemas.len()).unwrap_or(u32::MAX));
        self.model.schemas.push(schema);
        self.memo.push(Memo::New);
        id
    }

    /// Returns the schema of values that all of `parts` accept.
    pub(crate) fn intersection(&mut self, parts: Vec<SchemaId>, origin: &Origin) -> SchemaId {
        if let [only] = parts[..] {
            return only;
        }
        if let Some(id) = self.intersections.get(&parts) {
            return *id;
        }
        let schema = Schema {
            origin: origin.clone(),
            all_of: parts.clone(),
            ..Schema::default()
        };
        let id = self.add_schema(schema);
        self.intersections.insert(parts, id);
        id
    }

    /// Reserves a type.
    pub(crate) fn reserve(&mut self, at: &At, origin: &Origin, doc: Doc) -> TypeId {
        let id = TypeId(u32::try_from(self.types.len()).unwrap_or(u32::MAX));
        self.types.push(TypeDef {
            origin: origin.clone(),
            name: Name::new(at.words.clone()),
            parent: at.parent.clone(),
            title: None,
            module: at.module,
            doc,
            kind: TypeKind::Pending,
            rules: Vec::new(),
            output: false,
            input: false,
            non_exhaustive: false,
            traits: Traits::NONE,
            derives: Vec::new(),
            attributes: Vec::new(),
            imported: None,
        });
        id
    }

    fn reserve_named(&mut self) {
        for (name, id) in self.model.named_schemas.clone() {
            let schema = self.schema(id);
            let (origin, doc) = (schema.origin.clone(), schema::doc_of(schema, true));
            let wanted = schema::wanted_name(schema);
            let at = At {
                parent: None,
                words: name,
                module: Module::Types,
            };
            let ty = self.reserve(&at, &origin, doc);
            self.types[ty.0 as usize].name.wanted = wanted;
            // A component that consists of a `$ref` shares its target's schema: the first name owns
            // the schema, and later names are aliases.
            self.named.entry(id).or_insert(ty);
        }
        for index in 0..self.model.named_schemas.len() {
            let id = self.model.named_schemas[index].1;
            let instance = self.wraps(id).filter(|wrap| self.schema(*wrap).instance);
            if let (Some(instance), Some(ty)) = (instance, self.named.get(&id).copied()) {
                self.named.entry(instance).or_insert(ty);
            }
        }
        for pointed in &self.model.pointed_schemas {
            let around = pointed.around.and_then(|id| self.named.get(&id));
            let at = At {
                parent: Some(around.map_or(Parent::Reusable, |ty| Parent::Type(*ty))),
                words: pointed.words.clone(),
                module: Module::Types,
            };
            self.pointed.insert(pointed.schema, at);
        }
        self.find_children();
    }

    fn convert_named(&mut self) {
        let named = self.model.named_schemas.clone();
        for (index, (_, id)) in named.into_iter().enumerate() {
            let ty = TypeId(u32::try_from(index).unwrap_or(u32::MAX));
            let kind = if self.named.get(&id) == Some(&ty) {
                self.within(|lowering| lowering.convert_own(id, ty))
            } else {
                TypeKind::Alias(TypeRef::Named(self.named[&id]))
            };
            self.types[ty.0 as usize].kind = kind;
        }
    }
}
