//! Types of files that have modules of their own (`[imports]`): each is the type of that module.
//!
//! The whole document is lowered and named first, so that everything around the types is what it
//! would be without imports. Only their definitions are left out.

mod form;

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostics, codes};
use crate::ir::{Api, Imported, Module, Name, Parent, TypeDef, TypeId, TypeKind, TypeRef, Unknown};
use crate::position::FileId;

use form::Difference;

/// A file with a module of its own.
#[derive(Debug)]
pub(crate) struct Exporter {
    /// The file in this document.
    pub(crate) file: FileId,
    /// The key of the file.
    pub(crate) key: String,
    /// The path of the module with its types.
    pub(crate) module: String,
    /// The file as a document of its own, with names.
    pub(crate) api: Api,
    /// The file in that document.
    pub(crate) root: FileId,
}

/// Marks the types that other modules have. Reports those with another form there.
pub(crate) fn apply(
    api: &mut Api,
    root: FileId,
    exporters: &[Exporter],
    diagnostics: &mut Diagnostics,
) {
    for exporter in exporters {
        let types = exporter.types();
        for index in 0..api.types.len() {
            let def = &api.types[index];
            if !is_importable(api, def, exporter.file) {
                continue;
            }
            let found = types.get(def.origin.pointer()).copied();
            match check(def, found) {
                Ok(found) => {
                    warn(def, found, exporter, diagnostics);
                    take(&mut api.types[index], found, &exporter.module);
                }
                Err(difference) if def.is_reusable_schema() => {
                    exporter.report(def, difference, diagnostics);
                }
                // An inline type that both documents have in other forms stays a type of its own.
                Err(_) => {}
            }
        }
    }
    hide_parts(api, root);
}

impl Exporter {
    /// Returns the types of the module, by the pointers of their schemas.
    fn types(&self) -> BTreeMap<&str, &TypeDef> {
        let own = self.api.types.iter().filter(|def| {
            def.origin.file == self.root && def.module == Module::Types && !is_shared(def)
        });
        let mut found = BTreeMap::new();
        for def in own {
            // Further names of a schema are aliases of the first.
            found.entry(def.origin.pointer()).or_insert(def);
        }
        found
    }

    fn report(&self, def: &TypeDef, difference: Difference, diagnostics: &mut Diagnostics) {
        let (key, pointer) = (&self.key, def.origin.pointer());
        let message = match difference.text {
            None => format!("`{}` has no type for `{key}{pointer}`", self.module),
            Some(text) => format!(
                "`{}` is another type in `{}`: {text}",
                def.name.rust, self.module
            ),
        };
        let report = diagnostics.report(codes::IMPORT_DIFFERS, &def.origin, message);
        if let Some(help) = difference.help {
            report.help(help);
        }
    }
}

/// Returns whether the type of a schema may be that of another module.
fn is_importable(api: &Api, def: &TypeDef, file: FileId) -> bool {
    let is_further_name = match &def.kind {
        TypeKind::Alias(TypeRef::Named(TypeId(id))) => {
            let target = api.types.get(*id as usize);
            target.is_some_and(|target| target.origin == def.origin)
        }
        _ => false,
    };
    let is_replaced = matches!(&def.kind, TypeKind::Alias(TypeRef::Replaced(_)));
    def.origin.file == file
        && def.module == Module::Types
        && !is_shared(def)
        && !is_further_name
        && !is_replaced
}

const fn is_shared(def: &TypeDef) -> bool {
    matches!(def.parent, Some(Parent::Shared(_)))
}

fn check<'t>(def: &TypeDef, found: Option<&'t TypeDef>) -> Result<&'t TypeDef, Difference> {
    let found = found.ok_or_else(Difference::missing)?;
    match form::difference(&def.kind, &found.kind) {
        None => Ok(found),
        Some(difference) => Err(difference),
    }
}

/// Warns of a type that is used in another direction than in its own module.
fn warn(def: &TypeDef, found: &TypeDef, exporter: &Exporter, diagnostics: &mut Diagnostics) {
    let (name, key) = (&def.name.rust, &exporter.key);
    if def.input && !found.input && def.has_rules() {
        let message = format!(
            "requests have `{name}`, whose values `{}` does not check: `{key}` has it in responses only",
            exporter.module
        );
        diagnostics.report(codes::IMPORT_ONE_SIDED, &def.origin, message);
    }
    if let Some((field, here)) = form::one_sided(&def.kind, &found.kind) {
        let (here, there) = match here {
            true => ("optional", "required"),
            false => ("required", "optional"),
        };
        let message = format!(
            "`{field}` of `{name}` is {here} in this document, and {there} in `{}`",
            exporter.module
        );
        diagnostics.report(codes::IMPORT_ONE_SIDED, &def.origin, message);
    }
}

/// Makes a type that of another module, with the names and traits that it has there.
fn take(def: &mut TypeDef, found: &TypeDef, module: &str) {
    let path = format!("{module}::{}", found.name.rust);
    def.imported = Some(Imported::From(path));
    def.traits = found.traits;
    let own = names(&mut def.kind);
    let mut there = found.kind.clone();
    for (own, there) in own.into_iter().zip(names(&mut there)) {
        own.rust = std::mem::take(&mut there.rust);
    }
}

/// Returns the names of the members of a type, in order.
fn names(kind: &mut TypeKind) -> Vec<&mut Name> {
    match kind {
        TypeKind::Object(object) => {
            let fields = object.fields.iter_mut().map(|field| &mut field.name);
            let unknown = match &mut object.unknown {
                Unknown::Kept(name, _) => Some(name),
                Unknown::Ignored | Unknown::Refused => None,
            };
            fields.chain(unknown).collect()
        }
        TypeKind::StringEnum(string_enum) => {
            let variants = string_enum
                .variants
                .iter_mut()
                .map(|variant| &mut variant.name);
            variants.chain(&mut string_enum.fallback).collect()
        }
        TypeKind::LiteralEnum(literal_enum) => {
            let variants = literal_enum
                .variants
                .iter_mut()
                .map(|variant| &mut variant.name);
            variants.chain(&mut literal_enum.fallback).collect()
        }
        TypeKind::Union(union) => {
            let variants = union.variants.iter_mut().map(|variant| &mut variant.name);
            variants.chain(&mut union.fallback).collect()
        }
        TypeKind::Newtype(..) | TypeKind::Alias(_) | TypeKind::Pending => Vec::new(),
    }
}

/// Marks the types of other files that imported types alone contain.
fn hide_parts(api: &mut Api, root: FileId) {
    let imported = |api: &Api, index: usize| api.types[index].imported.is_some();
    let all = 0..api.types.len();
    let within = reached(
        api,
        all.clone().filter(|index| imported(api, *index)),
        false,
    );
    let mut starts: Vec<usize> = Vec::new();
    for index in all {
        let hidden = within[index] && api.types[index].origin.file != root;
        starts.extend((!hidden && !imported(api, index)).then_some(index));
    }
    let mut add = |ty: &TypeRef| starts.extend(ty.named().iter().map(|id| id.0 as usize));
    for operation in api.operations.iter().chain(&api.webhooks) {
        operation.parts(&mut add);
    }
    for (_, payload) in &api.contents {
        payload.parts(&mut add);
    }
    let used = reached(api, starts.into_iter(), true);
    for (index, used) in used.into_iter().enumerate() {
        let def = &mut api.types[index];
        if within[index] && !used && def.imported.is_none() {
            def.imported = Some(Imported::Within);
        }
    }
}

/// Returns the types that some types are or contain. With `own`, those that imported types contain are
/// left out.
fn reached(api: &Api, starts: impl Iterator<Item = usize>, own: bool) -> Vec<bool> {
    let mut found = vec![false; api.types.len()];
    let mut open: Vec<usize> = starts.collect();
    while let Some(index) = open.pop() {
        if std::mem::replace(&mut found[index], true) {
            continue;
        }
        let def = &api.types[index];
        if !own || def.imported.is_none() {
            def.kind
                .parts(&mut |ty| open.extend(ty.named().iter().map(|id| id.0 as usize)));
        }
    }
    found
}
