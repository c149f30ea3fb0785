//! Which standard traits a type can derive, and what prevents it.

use std::collections::BTreeSet;

use crate::ir::{Api, Primitive, Traits, TypeDef, TypeKind, TypeRef, Union, Unknown};
use crate::position::Origin;

/// A trait of the standard library with a derive macro.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standard {
    /// A trait that all types have.
    Always,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Copy,
    Default,
}

/// The part of a document that prevents a derive.
pub(super) struct Obstacle {
    pub(super) origin: Origin,
    pub(super) reason: String,
}

impl Standard {
    /// Returns the trait of a path in a derive, or `None` for another macro.
    pub(super) fn find(path: &str) -> Option<Self> {
        let path: String = path.split_whitespace().collect();
        let path = path.strip_prefix("::").unwrap_or(&path);
        let name = match path.rsplit_once("::") {
            None => path,
            Some((module, name))
                if ["std::", "core::"]
                    .iter()
                    .any(|prefix| module.starts_with(prefix)) =>
            {
                name
            }
            Some(_) => return None,
        };
        Some(match name {
            "Debug" | "Clone" | "PartialEq" => Self::Always,
            "Eq" => Self::Eq,
            "Hash" => Self::Hash,
            "PartialOrd" => Self::PartialOrd,
            "Ord" => Self::Ord,
            "Copy" => Self::Copy,
            "Default" => Self::Default,
            _ => return None,
        })
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Always => "Clone",
            Self::Eq => "Eq",
            Self::Hash => "Hash",
            Self::PartialOrd => "PartialOrd",
            Self::Ord => "Ord",
            Self::Copy => "Copy",
            Self::Default => "Default",
        }
    }

    /// Adds the trait to types that can have it.
    pub(super) fn add(self, api: &mut Api, types: &BTreeSet<usize>) {
        // `PartialOrd` alone is derived only where there is no `Ord`.
        let ordered = match self {
            Self::PartialOrd => possible(api, types, Self::Ord),
            _ => BTreeSet::new(),
        };
        for index in types {
            let def = &mut api.types[*index];
            match self {
                Self::Always => {}
                Self::Eq => def.traits.eq = true,
                Self::Hash => def.traits.hash = true,
                Self::Ord => (def.traits.eq, def.traits.ord) = (true, true),
                Self::PartialOrd if ordered.contains(index) => {
                    (def.traits.eq, def.traits.ord) = (true, true)
                }
                Self::PartialOrd => {
                    let is_there =
                        def.traits.ord || def.derives.iter().any(|derive| derive == "PartialOrd");
                    if !is_there {
                        def.derives.push("PartialOrd".to_owned());
                    }
                }
                Self::Copy => def.traits.copy = true,
                Self::Default => def.traits.default = true,
            }
        }
    }

    /// Returns whether the trait is one of those of a type. Types of which all parts are optional have a
    /// default that is not derived.
    const fn is_in(self, traits: Traits) -> bool {
        match self {
            Self::Always | Self::Default => true,
            Self::Eq => traits.eq,
            Self::Hash => traits.hash,
            Self::PartialOrd | Self::Ord => traits.ord,
            Self::Copy => traits.copy,
        }
    }

    /// Returns whether a type that is not generated has the trait. The traits of a user's type are
    /// left to the compiler.
    fn is_of(self, primitive: &Primitive) -> bool {
        let traits = primitive.traits();
        match (self, primitive) {
            (Self::Always, _) | (_, Primitive::Custom(_)) => true,
            (Self::Eq, _) => traits.eq,
            (Self::Hash, _) => traits.hash,
            (Self::PartialOrd, Primitive::Number(_)) => true,
            (Self::Ord | Self::PartialOrd, _) => traits.ord,
            (Self::Copy, _) => traits.copy,
            (Self::Default, Primitive::Ipv4 | Primitive::Ipv6) => false,
            (Self::Default, _) => true,
        }
    }
}

/// Returns those of some types that can derive a trait, and the types that they contain.
pub(super) fn possible<'i>(
    api: &Api,
    indices: impl IntoIterator<Item = &'i usize>,
    standard: Standard,
) -> BTreeSet<usize> {
    let visits = api.types.iter().enumerate().map(|(index, def)| {
        let mut search = Search::new(standard);
        let result = search.visit(index, def);
        (result.is_ok(), search)
    });
    let visits: Vec<(bool, Search)> = visits.collect();
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); visits.len()];
    for (index, (_, search)) in visits.iter().enumerate() {
        for part in &search.open {
            if let Some(users) = users.get_mut(*part) {
                users.push(index);
            }
        }
    }
    let mut can: Vec<bool> = visits.iter().map(|(can, _)| *can).collect();
    let mut open: Vec<usize> = (0..can.len()).filter(|index| !can[*index]).collect();
    while let Some(index) = open.pop() {
        for user in &users[index] {
            if std::mem::take(&mut can[*user]) {
                open.push(*user);
            }
        }
    }
    let mut found = BTreeSet::new();
    let mut seen = vec![false; can.len()];
    let mut open: Vec<usize> = indices.into_iter().copied().collect();
    open.retain(|index| can.get(*index) == Some(&true));
    while let Some(index) = open.pop() {
        if !std::mem::replace(&mut seen[index], true) {
            let search = &visits[index].1;
            found.extend(&search.needed);
            open.extend(&search.open);
        }
    }
    found
}

/// Returns the types that must have a trait so that a type can derive it: those that it contains,
/// and itself.
pub(super) fn needed(
    api: &Api,
    index: usize,
    standard: Standard,
) -> Result<BTreeSet<usize>, Obstacle> {
    let mut search = Search::new(standard);
    search.seen.insert(index);
    search.open.push(index);
    while let Some(index) = search.open.pop() {
        if let Some(def) = api.types.get(index) {
            search.visit(index, def)?;
        }
    }
    Ok(search.needed)
}

struct Search {
    standard: Standard,
    needed: BTreeSet<usize>,
    seen: BTreeSet<usize>,
    open: Vec<usize>,
}

impl Search {
    const fn new(standard: Standard) -> Self {
        Self {
            standard,
            needed: BTreeSet::new(),
            seen: BTreeSet::new(),
            open: Vec::new(),
        }
    }

    fn visit(&mut self, index: usize, def: &TypeDef) -> Result<(), Obstacle> {
        let standard = self.standard;
        let obstacle = |reason: &str| {
            Err(Obstacle {
                origin: def.origin.clone(),
                reason: format!("`{}` {reason}", def.name.rust),
            })
        };
        if def.imported.is_some() {
            return match standard.is_in(def.traits) {
                true => Ok(()),
                false => obstacle("is imported, and does not have it"),
            };
        }
        match &def.kind {
            TypeKind::Pending => return Ok(()),
            TypeKind::Alias(ty) => return self.part(&def.origin, ty),
            TypeKind::Newtype(ty, _) => self.part(&def.origin, ty)?,
            TypeKind::Object(object) => {
                // The constructor of an object without required properties is its default.
                if standard == Standard::Default && object.required().is_empty() {
                    return Ok(());
                }
                for field in &object.fields {
                    self.part(&field.origin, &field.ty)?;
                }
                if let Unknown::Kept(_, ty) = &object.unknown {
                    self.part(&def.origin, &TypeRef::Map(Box::new(ty.clone())))?;
                }
            }
            TypeKind::Union(union) => {
                if standard == Standard::Default {
                    return match union.several {
                        true => Ok(()),
                        false => obstacle("has no default variant"),
                    };
                }
                self.union(def, union)?;
            }
            TypeKind::StringEnum(_) | TypeKind::LiteralEnum(_) => {
                let is_string = matches!(def.kind, TypeKind::StringEnum(_));
                match standard {
                    Standard::Copy if def.kind.is_open() => {
                        return obstacle("keeps unknown values, which are not `Copy`");
                    }
                    Standard::Ord | Standard::PartialOrd if !is_string && def.kind.is_open() => {
                        return obstacle("keeps unknown values, which have no order");
                    }
                    Standard::Default if def.kind.constant().is_none() => {
                        return obstacle("has no default variant");
                    }
                    _ => {}
                }
            }
        }
        self.needed.insert(index);
        Ok(())
    }

    fn union(&mut self, def: &TypeDef, union: &Union) -> Result<(), Obstacle> {
        let standard = self.standard;
        let keeps = union.fallback.is_some();
        if keeps
            && matches!(
                standard,
                Standard::Copy | Standard::Ord | Standard::PartialOrd
            )
        {
            return Err(Obstacle {
                origin: def.origin.clone(),
                reason: format!("`{}` keeps unknown values, which are JSON", def.name.rust),
            });
        }
        for variant in &union.variants {
            self.part(&def.origin, &variant.ty)?;
        }
        Ok(())
    }

    /// Visits a part of a type at a position.
    fn part(&mut self, origin: &Origin, ty: &TypeRef) -> Result<(), Obstacle> {
        let standard = self.standard;
        let prevented = |what: &str| {
            Err(Obstacle {
                origin: origin.clone(),
                reason: format!("{what} does not have it"),
            })
        };
        match ty {
            TypeRef::Named(id) => {
                let index = id.0 as usize;
                if self.seen.insert(index) {
                    self.open.push(index);
                }
                Ok(())
            }
            TypeRef::Primitive(primitive) if standard.is_of(primitive) => Ok(()),
            TypeRef::Primitive(primitive) => prevented(&format!("`{}`", word(primitive))),
            // An absent or an empty value is the default.
            TypeRef::Option(_) | TypeRef::Nullable(_) | TypeRef::Vec(_) | TypeRef::Map(_)
                if standard == Standard::Default =>
            {
                Ok(())
            }
            TypeRef::Boxed(_) if standard == Standard::Copy => prevented("`Box`"),
            TypeRef::Vec(_) if standard == Standard::Copy => prevented("`Vec`"),
            TypeRef::Map(_) if standard != Standard::Eq => prevented("a map"),
            TypeRef::Prefix(_)
                if !matches!(standard, Standard::Eq | Standard::Hash | Standard::Default) =>
            {
                prevented("a list with `prefixItems`")
            }
            TypeRef::Boxed(ty)
            | TypeRef::Vec(ty)
            | TypeRef::Map(ty)
            | TypeRef::Option(ty)
            | TypeRef::Nullable(ty)
            | TypeRef::JsonText(ty) => self.part(origin, ty),
            TypeRef::Tuple(parts) => parts.iter().try_for_each(|ty| self.part(origin, ty)),
            TypeRef::Prefix(prefix) => prefix.parts().try_for_each(|ty| self.part(origin, ty)),
            // The traits of a user's type are left to the compiler.
            TypeRef::Replaced(_) => Ok(()),
        }
    }
}

/// Returns the name of a type that is not generated.
fn word(primitive: &Primitive) -> &str {
    match primitive {
        Primitive::Number(name) => name,
        Primitive::Bool => "bool",
        Primitive::Null => "()",
        Primitive::String => "String",
        Primitive::Json => "Json",
        Primitive::Uuid => "Uuid",
        Primitive::DateTime => "DateTime",
        Primitive::Date => "Date",
        Primitive::Ipv4 => "Ipv4Addr",
        Primitive::Ipv6 => "Ipv6Addr",
        Primitive::Base64 => "Base64",
        Primitive::Binary => "Binary",
        Primitive::Bytes => "Bytes",
        Primitive::Custom(path) => path,
    }
}
