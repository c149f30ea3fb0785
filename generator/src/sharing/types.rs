//! Equal inline types.

use std::collections::{BTreeMap, HashMap};

use crate::ir::{Api, DefaultValue, Doc, Module, Name, Parent, TypeDef, TypeId, TypeKind, TypeRef};

use super::classes::{Classes, is_inline};
use super::words::{self, Shared};

/// The types of a class.
#[derive(Debug, Clone, Default)]
struct Group {
    components: Vec<TypeId>,
    /// The inline types.
    places: Vec<TypeId>,
    target: Option<Target>,
}

/// The type of all places of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Target {
    /// A type that the document names, directly or by the type around it.
    Type(TypeId),
    /// A type of its own.
    New,
}

/// The type around a place, after sharing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Type(TypeId),
    Class(usize),
}

/// Replaces equal inline types by aliases of one type.
pub(super) fn share(api: &mut Api) {
    let first = api.types.len();
    for (place, target) in places(api, true) {
        api.types[place.0 as usize].kind = TypeKind::Alias(TypeRef::Named(target));
    }
    for index in first..api.types.len() {
        refer_to_shared(api, index);
    }
    resolve_defaults(api);
}

/// Finds the types of equal inline types, for a comparison.
pub(super) fn list(api: &mut Api, ruled: bool) {
    api.shared = places(api, ruled);
}

/// Adds the types of several places, and returns the type of each place. Places lose their titles.
fn places(api: &mut Api, ruled: bool) -> BTreeMap<TypeId, TypeId> {
    let classes = Classes::new(api, ruled);
    let mut groups = groups(api, &classes);
    let owners = owners(api, &classes, &mut groups);
    let added = added(api, &classes, &groups, &owners);
    let mut all = BTreeMap::new();
    for (class, group) in groups.iter().enumerate() {
        let target = match group.target {
            Some(Target::Type(id)) => Some(id),
            Some(Target::New) => added.get(&class).copied(),
            None => None,
        };
        let Some(target) = target else { continue };
        for place in group.places.iter().filter(|place| **place != target) {
            api.types[place.0 as usize].title = None;
            all.insert(*place, target);
        }
    }
    all
}

fn groups(api: &Api, classes: &Classes) -> Vec<Group> {
    let mut groups = vec![Group::default(); classes.count()];
    for (index, def) in api.types.iter().enumerate() {
        let id = TypeId(u32::try_from(index).unwrap_or(u32::MAX));
        if let Some(group) = classes.class(id).and_then(|class| groups.get_mut(class)) {
            match is_inline(def) {
                true => group.places.push(id),
                false => group.components.push(id),
            }
        }
    }
    for group in &mut groups {
        group.target = target(api, group);
    }
    groups
}

/// Returns the type of a class: its only component, unless that is deprecated and a place is not, the type of its only reusable part, or a new type
/// for at least two places.
fn target(api: &Api, group: &Group) -> Option<Target> {
    let is_reusable = |id: &&TypeId| api.type_def(**id).parent == Some(Parent::Reusable);
    let parts: Vec<&TypeId> = group.places.iter().filter(is_reusable).collect();
    let is_deprecated = |id: &TypeId| api.type_def(*id).doc.deprecated;
    let is_current = |id: TypeId| !is_deprecated(&id) || group.places.iter().all(is_deprecated);
    match (group.components.as_slice(), parts.as_slice()) {
        _ if group.places.is_empty() => None,
        ([only], _) if is_current(*only) => Some(Target::Type(*only)),
        _ if group.places.len() < 2 => None,
        ([] | [_], [only]) => Some(Target::Type(**only)),
        _ => Some(Target::New),
    }
}

/// Returns the class of the type around each class of new types, if all places are in equal types. If
/// one of them is a component, the type of its place becomes the type of all places.
fn owners(api: &Api, classes: &Classes, groups: &mut [Group]) -> Vec<Option<usize>> {
    let mut owners = vec![None; groups.len()];
    // The class of a type is after those of the types in it.
    for class in (0..groups.len()).rev() {
        let group = &groups[class];
        if group.target != Some(Target::New) {
            continue;
        }
        let mut around = group.places.iter();
        let first = around
            .next()
            .and_then(|id| owner(api, classes, groups, *id));
        if !around.all(|id| owner(api, classes, groups, *id) == first) {
            continue;
        }
        match first {
            Some(Owner::Class(outer)) if outer > class => owners[class] = Some(outer),
            Some(Owner::Type(outer)) => {
                let direct = |id: &&TypeId| api.type_def(**id).parent == Some(Parent::Type(outer));
                let mut direct = group.places.iter().filter(direct);
                if let (Some(only), None) = (direct.next().copied(), direct.next()) {
                    groups[class].target = Some(Target::Type(only));
                }
            }
            _ => {}
        }
    }
    owners
}

fn owner(api: &Api, classes: &Classes, groups: &[Group], place: TypeId) -> Option<Owner> {
    let Some(Parent::Type(outer)) = api.type_def(place).parent else {
        return None;
    };
    let class = classes
        .class(outer)
        .filter(|_| is_inline(api.type_def(outer)));
    let target = class.and_then(|class| Some((class, groups.get(class)?.target?)));
    Some(match target {
        Some((class, Target::New)) => Owner::Class(class),
        Some((_, Target::Type(id))) => Owner::Type(id),
        None => Owner::Type(outer),
    })
}

/// Adds the new types, in the order of their words and then of their content, and returns them by
/// class.
fn added(
    api: &mut Api,
    classes: &Classes,
    groups: &[Group],
    owners: &[Option<usize>],
) -> HashMap<usize, TypeId> {
    let new = groups.iter().enumerate();
    let new = new.filter(|(_, group)| group.target == Some(Target::New));
    let new: Vec<(usize, Vec<&TypeDef>)> = new
        .map(|(class, group)| {
            let defs = group.places.iter().map(|id| api.type_def(*id));
            (class, defs.collect())
        })
        .collect();
    let mut named: Vec<Shared<'_>> = new
        .iter()
        .map(|(class, places)| Shared {
            words: words::common(places),
            places,
            is_outermost: owners.get(*class).copied().flatten().is_none(),
        })
        .collect();
    words::distinguish(api, &mut named);
    let named = named.into_iter().zip(&new);
    let mut new: Vec<(String, [u64; 2], usize)> = named
        .map(|(shared, (class, _))| (shared.words, classes.order(*class), *class))
        .collect();
    new.sort_unstable();
    let start = api.types.len();
    let ids = new.iter().enumerate().map(|(at, (_, _, class))| {
        let id = u32::try_from(start.saturating_add(at)).unwrap_or(u32::MAX);
        (*class, TypeId(id))
    });
    let ids: HashMap<usize, TypeId> = ids.collect();
    for (words, _, class) in new {
        let outer = owners.get(class).copied().flatten();
        let outer = outer.and_then(|outer| ids.get(&outer));
        let parent = Parent::Shared(outer.copied());
        let places: Vec<&TypeDef> = (groups[class].places.iter())
            .map(|id| api.type_def(*id))
            .collect();
        if let Some(def) = shared(&places, words, parent) {
            api.types.push(def);
        }
    }
    ids
}

/// Returns the type of equal places, with the text on which they agree.
fn shared(places: &[&TypeDef], words: String, parent: Parent) -> Option<TypeDef> {
    let (first, rest) = places.split_first()?;
    let agreed = |equal: &dyn Fn(&Doc) -> bool| rest.iter().all(|place| equal(&place.doc));
    let doc = Doc {
        text: first
            .doc
            .text
            .clone()
            .filter(|_| agreed(&|doc| doc.text == first.doc.text)),
        notes: first.doc.notes.clone(),
        examples: Vec::new(),
        pointer: None,
        deprecated: places.iter().all(|place| place.doc.deprecated),
        sunset: None,
    };
    Some(TypeDef {
        kind: in_order(places, first.kind.clone()),
        name: Name::new(words),
        parent: Some(parent),
        title: first.title.clone().filter(|title| {
            let mut titles = rest.iter().map(|place| &place.title);
            titles.all(|other| other.as_ref() == Some(title))
        }),
        module: Module::Types,
        doc,
        output: places.iter().any(|place| place.output),
        input: places.iter().any(|place| place.input),
        ..(*first).clone()
    })
}

/// Returns the kind of the first place, with its fields by name if the places do not agree on their
/// order.
fn in_order(places: &[&TypeDef], mut kind: TypeKind) -> TypeKind {
    let fields = |kind: &TypeKind| match kind {
        TypeKind::Object(object) => {
            let fields: Vec<String> = object
                .fields
                .iter()
                .map(|field| field.name.wire.clone())
                .collect();
            let constants = object
                .constants
                .iter()
                .map(|constant| (constant.wire.clone(), constant.index));
            (fields, constants.collect::<Vec<_>>())
        }
        _ => Default::default(),
    };
    let first = fields(&kind);
    if let TypeKind::Object(object) = &mut kind
        && places.iter().any(|place| fields(&place.kind) != first)
    {
        object
            .fields
            .sort_by(|field, other| field.name.wire.cmp(&other.name.wire));
        let fields = &object.fields;
        for constant in &mut object.constants {
            constant.index = fields.partition_point(|field| field.name.wire < constant.wire);
        }
        object
            .constants
            .sort_by(|constant, other| constant.wire.cmp(&other.wire));
    }
    kind
}

/// Returns the type that an alias of this stage stands for.
pub(super) fn resolved(api: &Api, id: TypeId) -> TypeId {
    if let Some(shared) = api.shared.get(&id) {
        return *shared;
    }
    match api.types.get(id.0 as usize) {
        Some(def) if is_inline(def) => match def.kind {
            TypeKind::Alias(TypeRef::Named(shared)) => shared,
            _ => id,
        },
        _ => id,
    }
}

/// Replaces the aliases of places in a new type: it belongs to no place.
fn refer_to_shared(api: &mut Api, index: usize) {
    let Some(mut kind) = api.types.get(index).map(|def| def.kind.clone()) else {
        return;
    };
    kind.parts_mut(&mut |ty| {
        ty.each_named_mut(&mut |id| *id = resolved(api, *id));
    });
    api.types[index].kind = kind;
}

/// Makes defaults refer to the enums that define their variants.
fn resolve_defaults(api: &mut Api) {
    let resolved: HashMap<TypeId, TypeId> = (0..api.types.len())
        .map(|index| TypeId(u32::try_from(index).unwrap_or(u32::MAX)))
        .map(|id| (id, resolved(api, id)))
        .filter(|(id, shared)| id != shared)
        .collect();
    let operations = api.operations.iter_mut().chain(&mut api.webhooks);
    let params = operations.flat_map(|operation| &mut operation.params);
    let params = params.filter_map(|param| param.default.as_mut());
    let fields = api.types.iter_mut().flat_map(|def| match &mut def.kind {
        TypeKind::Object(object) => object.fields.as_mut_slice(),
        _ => &mut [],
    });
    let fields = fields.filter_map(|field| field.default.as_mut());
    params
        .chain(fields)
        .for_each(|param| resolve(param, &resolved));
}

fn resolve(default: &mut DefaultValue, resolved: &HashMap<TypeId, TypeId>) {
    match default {
        DefaultValue::Variant(id, _) => {
            if let Some(shared) = resolved.get(id) {
                *id = *shared;
            }
        }
        DefaultValue::List(values) => values.iter_mut().for_each(|value| resolve(value, resolved)),
        _ => {}
    }
}
