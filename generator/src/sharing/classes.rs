//! Classes of equal types.

use std::collections::{HashMap, HashSet};

use crate::fnv;
use crate::ir::{Api, Codec, TypeDef, TypeId, TypeRef};

use super::content::Content;

/// What a mention of a type is equal to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    /// A type that is equal to itself only: a component, or a type without a class.
    Type(TypeId),
    Class(usize),
}

/// The classes of the types of an API. Types of a class have equal content.
#[derive(Debug, Default)]
pub(super) struct Classes {
    /// The class of each type. Types that contain themselves have none, unless through a component.
    of_types: Vec<Option<usize>>,
    /// Looked up only.
    known: HashMap<(String, Vec<Part>), usize>,
    /// Numbers for each class that depend on its content, and not on the order of the document: first on
    /// what is on the wire, then on texts.
    orders: Vec<[u64; 2]>,
    /// The types of bodies whose parts have an order.
    ordered: HashSet<TypeId>,
    ruled: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

impl Classes {
    /// Compares all types. The content of each is written once. Without `ruled`, the rules of types that no request
    /// contains are not part of the code.
    pub(super) fn new(api: &Api, ruled: bool) -> Self {
        let count = api.types.len();
        let mut classes = Self {
            of_types: vec![None; count],
            ordered: multipart(api),
            ruled,
            ..Self::default()
        };
        let mut states = vec![State::New; count];
        for start in 0..count {
            classes.visit(api, start, &mut states);
        }
        classes
    }

    pub(super) fn class(&self, id: TypeId) -> Option<usize> {
        self.of_types.get(id.0 as usize).copied().flatten()
    }

    pub(super) fn order(&self, class: usize) -> [u64; 2] {
        self.orders.get(class).copied().unwrap_or_default()
    }

    pub(super) fn count(&self) -> usize {
        self.orders.len()
    }

    /// Visits a type after the inline types in it. The stack is explicit: nothing limits the depth of
    /// types.
    fn visit(&mut self, api: &Api, start: usize, states: &mut [State]) {
        let mut path = vec![start];
        // The contents of the open types, by the place in the path.
        let mut contents: Vec<Option<(Content, usize)>> = vec![None];
        while let (Some(index), Some(content)) = (path.last().copied(), contents.last_mut()) {
            if states[index] == State::New {
                states[index] = State::Open;
                let id = TypeId(u32::try_from(index).unwrap_or(u32::MAX));
                let in_order = self.ordered.contains(&id);
                let def = &api.types[index];
                let ruled = self.ruled || def.input;
                *content = Content::new(def, in_order, ruled).map(|content| (content, 0));
            }
            let next = content.as_mut().and_then(|(content, at)| {
                let part = content.parts.get(*at).copied()?;
                *at += 1;
                Some(part)
            });
            if let Some(part) = next {
                let inner = part.0 as usize;
                if is_inline(api.type_def(part)) && states[inner] == State::New {
                    path.push(inner);
                    contents.push(None);
                }
                continue;
            }
            let content = contents.pop().flatten();
            path.pop();
            if let Some((content, _)) = content
                && !is_open(&content, states, api)
            {
                self.of_types[index] = Some(self.intern(api, content));
            }
            states[index] = State::Done;
        }
    }

    /// Returns the class of a content whose inline types have their classes.
    pub(super) fn intern(&mut self, api: &Api, content: Content) -> usize {
        let mut order =
            [&content.wire, &content.text].map(|text| fnv::extend(fnv::EMPTY, text.bytes()));
        let parts = content.parts.iter().map(|id| {
            let def = api.type_def(*id);
            match self.class(*id).filter(|_| is_inline(def)) {
                Some(class) => {
                    let inner = self.order(class);
                    order = [0, 1].map(|at| fnv::extend(order[at], inner[at].to_le_bytes()));
                    Part::Class(class)
                }
                None => {
                    order = order.map(|order| fnv::extend(order, def.origin.pointer().bytes()));
                    Part::Type(*id)
                }
            }
        });
        let key = (content.text, parts.collect());
        let next = self.orders.len();
        let class = *self.known.entry(key).or_insert(next);
        if class == next {
            self.orders.push(order);
        }
        class
    }
}

/// Returns the types of multipart bodies: a client sends the parts in the order of the properties, and
/// some services require one.
fn multipart(api: &Api) -> HashSet<TypeId> {
    let operations = api.operations.iter().chain(&api.webhooks);
    let bodies = operations.filter_map(|operation| operation.body.as_ref());
    let media = bodies.flat_map(|body| body.payload.media());
    let media = media.filter(|media| media.codec == Codec::Multipart);
    let types = media.filter_map(|media| match &media.ty {
        TypeRef::Named(id) => Some(*id),
        _ => None,
    });
    types.collect()
}

/// Returns whether a type contains an inline type that contains it.
fn is_open(content: &Content, states: &[State], api: &Api) -> bool {
    content
        .parts
        .iter()
        .any(|id| is_inline(api.type_def(*id)) && states.get(id.0 as usize) == Some(&State::Open))
}

/// Returns whether a type has its name from its place.
pub(super) const fn is_inline(def: &TypeDef) -> bool {
    def.parent.is_some()
}
