//! Values that are valid for a schema.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::dialect::contradicts;
use crate::lower::Document;
use crate::lower::schema::shape::{Additional, Shape};
use crate::model::{Discriminator, Schema, SchemaId, Types};
use crate::source::{Number, Object, Value};
use crate::vocabulary::is_json;

use super::number;
use super::random::Random;
use super::text::Texts;

/// The depth from which on optional parts are absent.
const DEEP: usize = 5;
/// The maximum depth of a value.
const BOTTOM: usize = 24;
/// The number of attempts for a value that meets keywords about its parts.
const TRIES: usize = 30;
/// The maximum number of items of a list.
const MOST_ITEMS: usize = 200;

/// Draws values. Each error says why a value cannot be drawn.
pub(super) struct Draw<'s, 'l> {
    pub(super) document: &'s mut Document<'l>,
    unchecked: &'s HashSet<SchemaId>,
    random: Random,
    shapes: HashMap<SchemaId, Rc<Shape>>,
    texts: HashMap<SchemaId, Rc<Result<Texts, String>>>,
    /// The schemas of a schema's alternatives with its other keywords.
    chosen: HashMap<(SchemaId, Vec<usize>), SchemaId>,
}

type Drawn = Result<Value, String>;

impl<'s, 'l> Draw<'s, 'l> {
    /// Creates the values of a schema.
    pub(super) fn new(
        document: &'s mut Document<'l>,
        unchecked: &'s HashSet<SchemaId>,
        id: SchemaId,
    ) -> Self {
        let random = Random::new(document.schema(id).origin.pointer());
        Self {
            document,
            unchecked,
            random,
            shapes: HashMap::new(),
            texts: HashMap::new(),
            chosen: HashMap::new(),
        }
    }

    fn shape(&mut self, id: SchemaId) -> Rc<Shape> {
        if let Some(shape) = self.shapes.get(&id) {
            return Rc::clone(shape);
        }
        let shape = Rc::new(self.document.shape(id));
        self.shapes.insert(id, Rc::clone(&shape));
        shape
    }

    /// Draws a value of a schema.
    pub(super) fn value(&mut self, id: SchemaId, depth: usize) -> Drawn {
        if depth > BOTTOM {
            return Err("every value contains itself".to_owned());
        }
        let shape = self.shape(id);
        self.check(id, &shape)?;
        if let Some(all) = &shape.enumeration {
            let value = self.random.pick(all).cloned();
            return value.ok_or_else(|| "no value is listed".to_owned());
        }
        let may_be_null = shape.types.contains(Types::NULL);
        if may_be_null && (shape.types == Types::NULL || depth > 0 && self.random.once_in(6)) {
            return Ok(Value::Null);
        }
        if !shape.choices.is_empty() {
            return self.choice(id, &shape, depth);
        }
        let mut value = match self.kind(&shape) {
            Types::BOOLEAN => Value::Bool(self.random.once_in(2)),
            Types::INTEGER => number::integer(&shape, &mut self.random)?,
            Types::NUMBER => number::number(&shape, &mut self.random)?,
            Types::STRING => self.text(id, &shape, depth)?,
            Types::ARRAY => self.array(&shape, depth)?,
            Types::OBJECT => self.object(&shape, depth)?,
            _ => self.any(),
        };
        if let Some(discriminator) = &shape.discriminator {
            self.set_tag(discriminator, id, &mut value);
        }
        Ok(value)
    }

    /// Checks that a schema has no keyword whose values cannot be drawn.
    fn check(&self, id: SchemaId, shape: &Shape) -> Result<(), String> {
        let mut all = shape.composed.iter().chain([&id]);
        if shape.boolean == Some(false) {
            return Err("no value is valid".to_owned());
        }
        if all.any(|id| self.unchecked.contains(id)) || !shape.conditional.is_empty() {
            return Err("it has keywords such as `not`, `if` or `contains`".to_owned());
        }
        if self.document.children.contains_key(&id) && shape.choices.is_empty() {
            return Err("it has a discriminator without `oneOf`".to_owned());
        }
        Ok(())
    }

    /// Draws a type among those of a schema.
    fn kind(&mut self, shape: &Shape) -> Types {
        let constraints = &shape.constraints;
        if shape.types.is_unstated() {
            let is_text = constraints.min_length.or(constraints.max_length).is_some()
                || !constraints.pattern.is_empty();
            let is_number = constraints.minimum.is_some()
                || constraints.maximum.is_some()
                || !constraints.multiple_of.is_empty();
            return match () {
                () if shape.has_object_keywords() => Types::OBJECT,
                () if shape.items.is_some() || !shape.prefix_items.is_empty() => Types::ARRAY,
                () if is_text || shape.format.is_some() => Types::STRING,
                () if is_number => Types::NUMBER,
                () => Types::UNSTATED,
            };
        }
        let all = [
            Types::BOOLEAN,
            Types::INTEGER,
            Types::NUMBER,
            Types::STRING,
            Types::ARRAY,
            Types::OBJECT,
        ];
        let all: Vec<Types> = all
            .into_iter()
            .filter(|each| shape.types.contains(*each))
            .collect();
        self.random.pick(&all).copied().unwrap_or(Types::UNSTATED)
    }

    fn any(&mut self) -> Value {
        let all = [
            Value::Bool(true),
            Value::Number(Number::Int(7)),
            Value::String("text".to_owned()),
            Value::Array(Vec::new()),
            Value::Object(Object::new()),
        ];
        self.random.pick(&all).cloned().unwrap_or_default()
    }

    fn text(&mut self, id: SchemaId, shape: &Shape, depth: usize) -> Drawn {
        let media = shape.content_media_type.as_deref();
        if let Some(content) = shape.content_schema.filter(|_| media.is_some_and(is_json)) {
            return Ok(Value::String(self.value(content, depth + 1)?.to_json()));
        }
        let texts = self
            .texts
            .entry(id)
            .or_insert_with(|| Rc::new(Texts::new(shape)));
        match texts.as_ref() {
            Ok(texts) => texts.draw(&mut self.random).map(Value::String),
            Err(reason) => Err(reason.clone()),
        }
    }

    fn array(&mut self, shape: &Shape, depth: usize) -> Drawn {
        let constraints = &shape.constraints;
        let count =
            |limit: Option<u64>| limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
        let least = count(constraints.min_items).unwrap_or(0);
        let more = if depth > DEEP {
            0
        } else {
            self.random.below(4)
        };
        let most = count(constraints.max_items).unwrap_or(usize::MAX);
        // The items of a tuple are not required by themselves, and types of tuples are.
        let least = least.max(shape.prefix_items.len()).min(most);
        if least > MOST_ITEMS {
            return Err(format!("a list has at least {least} items"));
        }
        let wanted = least.saturating_add(more).min(most);
        let mut items: Vec<Value> = Vec::new();
        let mut tries = 0;
        while items.len() < wanted && tries < TRIES + MOST_ITEMS {
            tries += 1;
            let own = shape.prefix_items.get(items.len()).copied();
            let item = match own.or(shape.items) {
                Some(id) if self.is_never(id) => break,
                Some(id) => match self.value(id, depth + 1) {
                    Ok(item) => item,
                    Err(_) if items.len() >= least => break,
                    Err(reason) => return Err(reason),
                },
                None if items.len() >= least => break,
                None => self.any(),
            };
            if !constraints.unique_items || !items.contains(&item) {
                items.push(item);
            }
        }
        match items.len() >= least {
            true => Ok(Value::Array(items)),
            false => Err("a list needs more different items".to_owned()),
        }
    }

    fn is_never(&self, id: SchemaId) -> bool {
        self.document.schema(id).boolean == Some(false)
    }

    fn object(&mut self, shape: &Shape, depth: usize) -> Drawn {
        for _ in 0..TRIES {
            let object = self.object_once(shape, depth)?;
            if keeps_rules(shape, &object) {
                return Ok(Value::Object(object));
            }
        }
        Err("no object was found that meets the rules about its properties".to_owned())
    }

    fn object_once(&mut self, shape: &Shape, depth: usize) -> Result<Object, String> {
        let mut object = Object::new();
        let fewer = self.random.below(4);
        for (name, id) in &shape.properties {
            let is_required = shape.required.contains(name);
            let is_absent = depth > DEEP || self.random.below(4) < fewer;
            if !is_required && (is_absent || self.is_never(*id)) {
                continue;
            }
            match self.value(*id, depth + 1) {
                Ok(value) => _ = object.insert(name.clone(), value),
                Err(reason) if is_required => return Err(reason),
                Err(_) => {}
            }
        }
        for name in &shape.required {
            if !object.contains_key(name) {
                let value = self.additional(shape, depth)?;
                object.insert(name.clone(), value);
            }
        }
        let least = shape.constraints.min_properties.unwrap_or(0);
        let missing = usize::try_from(least)
            .unwrap_or(MOST_ITEMS)
            .saturating_sub(object.len());
        let is_open = matches!(shape.additional, Additional::Any | Additional::Of(_));
        let more = if is_open && depth <= DEEP {
            self.random.below(3)
        } else {
            0
        };
        // A name may match a pattern, and then has another schema.
        if !shape.patterns.is_empty() {
            return Ok(object);
        }
        for _ in 0..(missing + more).min(MOST_ITEMS) {
            let name = match shape.constraints.property_names.first() {
                Some(id) => self.value(*id, depth + 1)?,
                None => Value::String(format!("key{}", self.random.below(1_000))),
            };
            if let (Value::String(name), Ok(value)) = (name, self.additional(shape, depth))
                && !shape.properties.contains_key(&name)
            {
                object.insert(name, value);
            }
        }
        Ok(object)
    }

    /// Draws the value of a property that is not declared.
    fn additional(&mut self, shape: &Shape, depth: usize) -> Drawn {
        match shape.additional {
            Additional::Of(id) => self.value(id, depth + 1),
            Additional::Any | Additional::Unstated => Ok(self.any()),
            Additional::Refused => Err("a required property is not declared".to_owned()),
        }
    }

    fn choice(&mut self, id: SchemaId, shape: &Shape, depth: usize) -> Drawn {
        let mut failed = "no value is valid for one alternative only".to_owned();
        for _ in 0..TRIES {
            let sizes = shape.choices.iter().map(|choice| choice.alternatives.len());
            let indices: Vec<usize> = sizes.map(|size| self.random.below(size)).collect();
            let schema = self.chosen(id, shape, indices.clone());
            let mut value = match self.value(schema, depth + 1) {
                Ok(value) => value,
                Err(reason) => {
                    failed = reason;
                    continue;
                }
            };
            let branches = shape.choices.iter().zip(&indices);
            for (choice, index) in branches.clone() {
                if let (Some(discriminator), Some(branch)) =
                    (&shape.discriminator, choice.alternatives.get(*index))
                {
                    self.set_tag(discriminator, *branch, &mut value);
                }
            }
            let schemas = &self.document.model.schemas;
            let is_single = branches.clone().all(|(choice, index)| {
                let others = choice
                    .alternatives
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| at != index);
                choice.any
                    || others
                        .clone()
                        .all(|(_, other)| is_other(schemas, *other, &value))
            });
            if is_single {
                return Ok(value);
            }
        }
        Err(failed)
    }

    /// Returns the schema of alternatives with the other keywords of a schema.
    fn chosen(&mut self, id: SchemaId, shape: &Shape, indices: Vec<usize>) -> SchemaId {
        let key = (id, indices);
        if let Some(schema) = self.chosen.get(&key) {
            return *schema;
        }
        let rest = Schema {
            discriminator: None,
            ..shape.to_schema(shape.types)
        };
        let branches = shape.choices.iter().zip(&key.1);
        let branches =
            branches.filter_map(|(choice, index)| choice.alternatives.get(*index).copied());
        let mut all: Vec<SchemaId> = branches.collect();
        all.push(self.document.add_schema(rest));
        let schema = Schema {
            origin: shape.origin.clone(),
            all_of: all,
            ..Schema::default()
        };
        let schema = self.document.add_schema(schema);
        self.chosen.insert(key, schema);
        schema
    }

    /// Sets the property of a discriminator to the value of a schema.
    fn set_tag(&self, discriminator: &Discriminator, id: SchemaId, value: &mut Value) {
        let mapping = discriminator.mapping.iter();
        let mut mapped = mapping.filter(|(_, target)| *target == Some(id));
        let name = self.document.schema(id).name.clone();
        let tag = mapped.next().map(|(tag, _)| tag.clone()).or(name);
        if let (Some(tag), Value::Object(object)) = (tag, value) {
            object.insert(discriminator.property.clone(), Value::String(tag));
        }
    }
}

/// Returns whether a value is certainly not valid for a schema. `null` is compared by type alone.
fn is_other(schemas: &[Schema], id: SchemaId, value: &Value) -> bool {
    if let (Some(schema), Value::Object(object)) = (schemas.get(id.0 as usize), value)
        && schema
            .required
            .iter()
            .any(|name| !object.contains_key(name))
    {
        return true;
    }
    if value.is_null() {
        let types = schemas.get(id.0 as usize).map(|schema| schema.types);
        return types.is_some_and(|types| !types.is_unstated() && !types.contains(Types::NULL));
    }
    contradicts(schemas, id, value)
}

/// Returns whether an object meets the keywords about its properties.
fn keeps_rules(shape: &Shape, object: &Object) -> bool {
    let constraints = &shape.constraints;
    let count = u64::try_from(object.len()).unwrap_or(u64::MAX);
    let has = |name: &String| object.contains_key(name.as_str());
    let mut dependent = constraints.dependent_required.iter();
    let mut groups = constraints.required_groups.iter();
    constraints
        .min_properties
        .is_none_or(|least| count >= least)
        && constraints.max_properties.is_none_or(|most| count <= most)
        && dependent.all(|(name, others)| !has(name) || others.iter().all(has))
        && groups.all(|group| {
            let met = group
                .groups
                .iter()
                .filter(|names| names.iter().all(has))
                .count();
            met == 1 || met > 1 && !group.at_most_one
        })
}
