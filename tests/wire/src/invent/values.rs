//! Values of types.

use super::{At, Inventor};
use bothends::ir::{Literal, Object, Prefix, Rule, TypeId, TypeKind, TypeRef, Union, Unknown};
use bothends_runtime::Json;
use serde_json::{Map, json};

/// Below this depth nothing is made that could be left out.
pub(super) const DEEP: u32 = 5;
/// Below this depth there is no value at all: the type holds itself in every one of its values.
const BOTTOM: u32 = 24;

impl Inventor<'_> {
    pub(super) fn value(&mut self, ty: &TypeRef, at: At, depth: u32) -> Json {
        if depth > BOTTOM {
            self.bottomless = true;
            return Json::Null;
        }
        match ty {
            TypeRef::Named(id) => self.named(*id, at, depth),
            TypeRef::Primitive(primitive) => self.primitive(primitive, at, depth),
            TypeRef::Boxed(ty) => self.value(ty, at, depth),
            TypeRef::Option(ty) | TypeRef::Nullable(ty) => {
                if at.json && (depth > DEEP || self.coin()) {
                    Json::Null
                } else {
                    self.value(ty, at, depth)
                }
            }
            TypeRef::Vec(ty) => self.list(ty, at, depth),
            TypeRef::Map(ty) => {
                let count = if depth > DEEP { 0 } else { self.below(3) };
                let least = u32::from(!at.json);
                let entries = (0..count.max(least)).map(|index| {
                    (
                        format!("extra_{index}"),
                        self.value(ty, at.within(), depth + 1),
                    )
                });
                Json::Object(entries.collect())
            }
            TypeRef::JsonText(ty) => {
                let value = self.value(ty, super::JSON, depth + 1);
                Json::String(value.to_string())
            }
            TypeRef::Tuple(parts) => {
                let at = at.within();
                parts
                    .iter()
                    .map(|ty| self.value(ty, at, depth + 1))
                    .collect()
            }
            TypeRef::Prefix(prefix) => self.prefix(prefix, at, depth),
            TypeRef::Replaced(replaced) => match &replaced.schema {
                Some(ty) => self.value(ty, at, depth),
                None => Json::Null,
            },
        }
    }

    fn prefix(&mut self, prefix: &Prefix, at: At, depth: u32) -> Json {
        let at = at.within();
        let required = prefix.required.iter();
        let mut items: Vec<Json> = required.map(|ty| self.value(ty, at, depth + 1)).collect();
        let optional = if depth > DEEP {
            0
        } else {
            prefix.optional.len()
        };
        for ty in prefix.optional.iter().take(optional) {
            if self.coin() {
                return Json::Array(items);
            }
            items.push(self.present(ty, at, depth + 1));
        }
        if let Some(rest) = prefix.rest.as_ref().filter(|_| depth <= DEEP) {
            for _ in 0..self.below(3) {
                items.push(self.value(rest, at, depth + 1));
            }
        }
        Json::Array(items)
    }

    /// What may be left out, and is not: null is no value of its own there.
    pub(super) fn present(&mut self, ty: &TypeRef, at: At, depth: u32) -> Json {
        match ty {
            TypeRef::Option(ty) => self.value(ty, at, depth),
            other => self.value(other, at, depth),
        }
    }

    fn list(&mut self, ty: &TypeRef, at: At, depth: u32) -> Json {
        let count = if depth > DEEP { 0 } else { self.below(4) };
        let least = u32::from(!at.json || at.some);
        let within = at.within();
        (0..count.max(least))
            .map(|_| self.value(ty, within, depth + 1))
            .collect()
    }

    fn named(&mut self, id: TypeId, at: At, depth: u32) -> Json {
        let api = self.api;
        let at = at.asked(&api.type_def(id).rules);
        let value = match &api.type_def(id).kind {
            TypeKind::Object(object) => self.object(object, &api.type_def(id).rules, at, depth),
            kind => self.of_kind(kind, at, depth),
        };
        self.fit(value, &api.type_def(id).rules, at)
    }

    fn of_kind(&mut self, kind: &TypeKind, at: At, depth: u32) -> Json {
        match kind {
            TypeKind::Object(object) => self.object(object, &[], at, depth),
            TypeKind::StringEnum(strings) => {
                if strings.fallback.is_some() && self.below(8) == 7 && !self.plain {
                    return Json::String(format!("x{}", self.text(at)));
                }
                let variant = self.pick(&strings.variants);
                variant.map_or(Json::Null, |variant| json!(variant.name.wire))
            }
            TypeKind::LiteralEnum(literals) => {
                let variant = self.pick(&literals.variants);
                variant.map_or(Json::Null, |variant| literal(&variant.value))
            }
            TypeKind::Union(union) => self.union(union, at, depth),
            TypeKind::Newtype(ty, _) | TypeKind::Alias(ty) => self.value(ty, at, depth + 1),
            TypeKind::Pending => Json::Null,
        }
    }

    fn object(&mut self, object: &Object, rules: &[Rule], at: At, depth: u32) -> Json {
        // Of a choice of required names, those of the first group are there.
        let group = rules.iter().find_map(|rule| match rule {
            Rule::OneOfRequired(groups) | Rule::AnyOfRequired(groups) => groups.first(),
            _ => None,
        });
        let needed = |name: &String| group.is_some_and(|group| group.contains(name));
        let mut fields = Map::new();
        let mut optional = Vec::new();
        for field in &object.fields {
            // A request has it, whatever its type allows.
            let required = field.rules.contains(&Rule::Required);
            let left_out = field.optional && !required && !needed(&field.name.wire);
            if left_out && (depth > DEEP || self.coin()) {
                optional.push(field);
                continue;
            }
            let value = if field.optional {
                self.present(&field.ty, at.within().asked(&field.rules), depth + 1)
            } else {
                self.value(&field.ty, at.within().asked(&field.rules), depth + 1)
            };
            let value = self.fit(value, &field.rules, at);
            fields.insert(field.name.wire.clone(), value);
        }
        for constant in &object.constants {
            fields.insert(constant.wire.clone(), literal(&constant.value));
        }
        if let (Unknown::Kept(_, ty), true) = (&object.unknown, depth <= DEEP) {
            for index in 0..self.below(3) {
                let value = self.value(ty, at.within(), depth + 1);
                let value = self.fit(value, &object.each, at);
                fields.insert(self.extra_name(index, &object.each), value);
            }
        }
        // Outside of JSON, an object without anything is nothing at all.
        if fields.is_empty() && !at.json {
            if let Some(field) = optional.first() {
                let value = self.present(&field.ty, at.within().asked(&field.rules), depth + 1);
                let value = self.fit(value, &field.rules, at);
                fields.insert(field.name.wire.clone(), value);
            } else if let Unknown::Kept(_, ty) = &object.unknown {
                let value = self.value(ty, at.within(), depth + 1);
                fields.insert("extra_0".to_owned(), value);
            }
        }
        Json::Object(fields)
    }

    /// A name that an object does not declare.
    fn extra_name(&mut self, index: u32, rules: &[Rule]) -> String {
        let pattern = rules.iter().find_map(|rule| match rule {
            Rule::PropertyNamePatterns(patterns) => patterns.first(),
            _ => None,
        });
        match pattern.and_then(|pattern| Some((pattern, self.matching(pattern)?))) {
            Some((pattern, name)) if pattern.ends_with('$') => name,
            Some((_, name)) => format!("{name}{index}"),
            None => format!("extra_{index}"),
        }
    }

    fn union(&mut self, union: &Union, at: At, depth: u32) -> Json {
        let chosen = self.below(u32::try_from(union.variants.len()).unwrap_or(1)) as usize;
        let shallowest = || {
            let depth_of = |index: &usize| self.least(&union.variants[*index].ty, 8);
            (0..union.variants.len())
                .min_by_key(depth_of)
                .unwrap_or_default()
        };
        let index = if depth > DEEP { shallowest() } else { chosen };
        let Some(variant) = union.variants.get(index) else {
            return Json::Null;
        };
        let at = At {
            plainly_text: true,
            ..at
        };
        let value = self.value(&variant.ty, at, depth + 1);
        let mut value = self.fit(value, &variant.rules, at);
        // A tag of its own stays, above all that of a union within.
        let is_tag = |own: &Json| variant.tags.iter().any(|tag| own == tag.as_str());
        if let (Some(tag), Json::Object(fields)) = (&union.tag, &mut value)
            && !fields.get(tag).is_some_and(is_tag)
            && let Some(word) = self.pick(&variant.tags)
        {
            fields.insert(tag.clone(), json!(word));
        }
        value
    }

    /// How deep the least value of a type is.
    fn least(&self, ty: &TypeRef, fuel: u32) -> u32 {
        if fuel == 0 {
            return 0;
        }
        match ty {
            TypeRef::Boxed(ty) => self.least(ty, fuel),
            TypeRef::Prefix(prefix) => (prefix.required.iter())
                .map(|ty| 1 + self.least(ty, fuel - 1))
                .max()
                .unwrap_or_default(),
            TypeRef::Tuple(parts) => parts
                .iter()
                .map(|ty| 1 + self.least(ty, fuel - 1))
                .max()
                .unwrap_or_default(),
            TypeRef::Named(id) => match &self.api.type_def(*id).kind {
                TypeKind::Newtype(ty, _) | TypeKind::Alias(ty) => self.least(ty, fuel - 1),
                TypeKind::Object(object) => {
                    let needed = object.fields.iter().filter(|field| !field.optional);
                    needed
                        .map(|field| 1 + self.least(&field.ty, fuel - 1))
                        .max()
                        .unwrap_or_default()
                }
                TypeKind::Union(union) => {
                    let variants = union.variants.iter();
                    variants
                        .map(|variant| 1 + self.least(&variant.ty, fuel - 1))
                        .min()
                        .unwrap_or_default()
                }
                TypeKind::StringEnum(_) | TypeKind::LiteralEnum(_) | TypeKind::Pending => 0,
            },
            TypeRef::Replaced(replaced) => replaced
                .schema
                .iter()
                .map(|ty| self.least(ty, fuel - 1))
                .sum(),
            TypeRef::Primitive(_)
            | TypeRef::Vec(_)
            | TypeRef::Map(_)
            | TypeRef::Option(_)
            | TypeRef::Nullable(_)
            | TypeRef::JsonText(_) => 0,
        }
    }
}

fn literal(value: &Literal) -> Json {
    match value {
        Literal::Null => Json::Null,
        Literal::Bool(value) => json!(value),
        Literal::Int(value) => i64::try_from(*value).map_or(Json::Null, |value| json!(value)),
        Literal::Float(value) => json!(value),
        Literal::String(value) => json!(value),
    }
}
