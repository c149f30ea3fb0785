//! Recursive types: the references that must be boxed so that every type has a finite size.
//!
//! Types that contain each other directly (not in a list, a map or a box) form a graph. A
//! depth-first search in document order boxes every edge that leads back to the current path, so
//! the result depends on the document alone. Aliases cannot be recursive: the first alias of a
//! cycle becomes a newtype.

use std::collections::HashSet;

use crate::ir::{Api, TypeDef, TypeId, TypeKind, TypeRef};

use crate::lower::passes::graph::components;

/// Boxes the recursive references.
pub(in crate::lower) fn box_cycles(api: &mut Api) {
    break_aliases(&mut api.types);
    let mut walk = Walk {
        state: vec![State::New; api.types.len()],
    };
    for index in 0..api.types.len() {
        walk.visit(index, &mut api.types);
    }
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    OnPath,
    Done,
}

struct Walk {
    state: Vec<State>,
}

impl Walk {
    /// Visits the types that are reachable from a type. The stack is explicit: a chain of a hundred
    /// thousand types must not overflow the thread's stack.
    fn visit(&mut self, start: usize, types: &mut [TypeDef]) {
        if self.state[start] != State::New {
            return;
        }
        let mut path = vec![(start, 0_usize, edges(&types[start].kind))];
        self.state[start] = State::OnPath;
        while let Some((node, next, targets)) = path.last_mut() {
            let Some(target) = targets.get(*next).copied() else {
                self.state[*node] = State::Done;
                path.pop();
                continue;
            };
            *next += 1;
            let node = *node;
            match self.state[target.0 as usize] {
                State::OnPath => box_edge(&mut types[node].kind, target),
                State::Done => {}
                State::New => {
                    let index = target.0 as usize;
                    self.state[index] = State::OnPath;
                    path.push((index, 0, edges(&types[index].kind)));
                }
            }
        }
    }
}

/// Returns the types that a definition contains directly.
fn edges(kind: &TypeKind) -> Vec<TypeId> {
    let mut found = Vec::new();
    let mut seen = |ty: &TypeRef| direct(ty, &mut found);
    match kind {
        TypeKind::Object(object) => object.fields.iter().for_each(|field| seen(&field.ty)),
        TypeKind::Union(union) => union.variants.iter().for_each(|variant| seen(&variant.ty)),
        TypeKind::Newtype(ty, _) | TypeKind::Alias(ty) => seen(ty),
        TypeKind::StringEnum(_) | TypeKind::LiteralEnum(_) | TypeKind::Pending => {}
    }
    found
}

fn direct(ty: &TypeRef, found: &mut Vec<TypeId>) {
    match ty {
        TypeRef::Named(id) => found.push(*id),
        TypeRef::Option(ty) | TypeRef::Nullable(ty) | TypeRef::JsonText(ty) => direct(ty, found),
        TypeRef::Tuple(parts) => parts.iter().for_each(|ty| direct(ty, found)),
        TypeRef::Prefix(prefix) => {
            let held = prefix.required.iter().chain(&prefix.optional);
            held.for_each(|ty| direct(ty, found));
        }
        TypeRef::Primitive(_)
        | TypeRef::Boxed(_)
        | TypeRef::Vec(_)
        | TypeRef::Map(_)
        | TypeRef::Replaced(_) => {}
    }
}

fn box_edge(kind: &mut TypeKind, target: TypeId) {
    match kind {
        TypeKind::Object(object) => {
            object
                .fields
                .iter_mut()
                .for_each(|field| box_in(&mut field.ty, target));
        }
        TypeKind::Union(union) => {
            union
                .variants
                .iter_mut()
                .for_each(|variant| box_in(&mut variant.ty, target));
        }
        TypeKind::Newtype(ty, _) | TypeKind::Alias(ty) => box_in(ty, target),
        TypeKind::StringEnum(_) | TypeKind::LiteralEnum(_) | TypeKind::Pending => {}
    }
}

fn box_in(ty: &mut TypeRef, target: TypeId) {
    match ty {
        TypeRef::Named(id) if *id == target => *ty = TypeRef::Boxed(Box::new(ty.clone())),
        TypeRef::Option(ty) | TypeRef::Nullable(ty) | TypeRef::JsonText(ty) => box_in(ty, target),
        TypeRef::Tuple(parts) => parts.iter_mut().for_each(|ty| box_in(ty, target)),
        TypeRef::Prefix(prefix) => {
            let held = prefix.required.iter_mut().chain(&mut prefix.optional);
            held.for_each(|ty| box_in(ty, target));
        }
        _ => {}
    }
}

/// Makes the first alias of each cycle of aliases a newtype.
fn break_aliases(types: &mut [TypeDef]) {
    let targets = |kind: &TypeKind| {
        let mut found = Vec::new();
        if let TypeKind::Alias(ty) = kind {
            aliased(ty, &mut found);
        }
        found.into_iter().map(|id| id.0 as usize).collect()
    };
    let cycles = components(types.len(), |index| targets(&types[index].kind));
    let mut circular: Vec<usize> = cycles.into_iter().flatten().collect();
    circular.sort_unstable();
    for index in circular {
        let TypeKind::Alias(ty) = types[index].kind.clone() else {
            continue;
        };
        let mut open = Vec::new();
        aliased(&ty, &mut open);
        let mut seen = HashSet::new();
        let mut circular = false;
        while let Some(id) = open.pop() {
            if id.0 as usize == index {
                circular = true;
                break;
            }
            if !seen.insert(id) {
                continue;
            }
            if let TypeKind::Alias(ty) = &types[id.0 as usize].kind {
                aliased(ty, &mut open);
            }
        }
        if circular {
            types[index].kind = TypeKind::Newtype(ty, false);
        }
    }
}

/// Collects the types that the definition of an alias names.
fn aliased(ty: &TypeRef, found: &mut Vec<TypeId>) {
    ty.leaves(&mut |leaf| {
        if let TypeRef::Named(id) = leaf {
            found.push(*id);
        }
    });
}
