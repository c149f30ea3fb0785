//! Constraints on values beyond their types: lengths, bounds, patterns, formats.
//!
//! A rule belongs to the use of a value, unless the value's type is a newtype or a struct: then the
//! rule belongs to the type, and its users only record that a check is necessary.

use std::collections::HashSet;

use crate::diagnostic::codes;
use crate::ir::{Primitive, Rule, TypeRef};
use crate::model::{SchemaId, Types};
use crate::position::Origin;

use crate::lower::Document;
use crate::lower::schema::class;
use crate::lower::schema::class::Class;
use crate::lower::schema::held;
use crate::lower::schema::keywords::{constants, formats, is_implied};
use crate::lower::schema::shape::{Additional, Shape};

/// The maximum nesting of rules.
const DEEPEST: usize = 40;

impl Document<'_> {
    /// Returns the rules of a value at the use of a schema.
    pub(in crate::lower) fn rules(&mut self, id: SchemaId) -> Vec<Rule> {
        self.rule_depth += 1;
        if self.rule_depth > DEEPEST {
            self.rules_from_within(id);
        }
        let rules = self.rules_at(id);
        self.rule_depth -= 1;
        rules
    }

    /// Determines the rules of the parts of a schema from the innermost to the outermost: the rules
    /// of inner schemas are then already known, whatever their number.
    fn rules_from_within(&mut self, id: SchemaId) {
        let mut chain = vec![id];
        let mut seen = HashSet::from([id]);
        let mut at = id;
        while !self.rules.contains_key(&at) {
            at = match self.classify(at) {
                Class::Same(target, _) => target,
                Class::Plain(shape) => match (shape.items, shape.additional) {
                    (Some(items), _) => items,
                    (None, Additional::Of(values)) => values,
                    _ => break,
                },
                Class::Defined(_) => break,
            };
            if !seen.insert(at) {
                break;
            }
            chain.push(at);
        }
        for inner in chain.into_iter().rev() {
            self.rules_at(inner);
        }
    }

    fn rules_at(&mut self, id: SchemaId) -> Vec<Rule> {
        let mut wrappers = Vec::new();
        let mut at = id;
        let mut rules = loop {
            if let Some(known) = self.rules.get(&at) {
                break known.clone();
            }
            // A recursive schema has no rules at its own use.
            self.rules.insert(at, Vec::new());
            match self.classify(at) {
                Class::Same(target, _) => {
                    wrappers.push((at, target));
                    at = target;
                }
                Class::Plain(shape) => {
                    let rules = self.rules_in_place(at, &shape);
                    self.rules.insert(at, rules.clone());
                    break rules;
                }
                Class::Defined(_) => break Vec::new(),
            }
        };
        for (wrapper, target) in wrappers.into_iter().rev() {
            for own in self.own_rules(wrapper, target) {
                if !rules.contains(&own) {
                    rules.push(own);
                }
            }
            if !self.charge(wrapper, rules.len()) {
                rules.clear();
            }
            self.rules.insert(wrapper, rules.clone());
        }
        rules
    }

    /// Returns the rules of a value with an inline type, unless the type is a newtype.
    fn rules_in_place(&mut self, id: SchemaId, shape: &Shape) -> Vec<Rule> {
        let types = class::infer(shape);
        if types == Types::STRING
            && let Some(content) = class::json_content(shape)
        {
            return self.rules(content);
        }
        let scalar = matches!(types, Types::INTEGER | Types::NUMBER | Types::STRING)
            .then(|| self.scalar(shape, types));
        let deserves = |ty| class::deserves_newtype(shape, ty);
        if self.is_named(id) && scalar.as_ref().is_some_and(deserves) {
            return Vec::new();
        }
        self.plain_rules(shape, scalar.as_ref())
    }

    /// Returns the rules of a wrapper in addition to those of the wrapped schema.
    fn own_rules(&mut self, id: SchemaId, target: SchemaId) -> Vec<Rule> {
        let schema = self.schema(id);
        let parts = schema.reference.iter().chain(&schema.all_of);
        let parts: Vec<SchemaId> = parts.copied().filter(|part| *part != target).collect();
        let mut rules = Vec::new();
        for part in parts.into_iter().chain([id]) {
            let schema = self.schema(part);
            let (constraints, origin) = (schema.constraints.clone(), schema.origin.clone());
            rules.extend(self.keywords(&constraints, &origin));
        }
        rules
    }

    /// Returns the rules of a value with an inline type.
    pub(in crate::lower) fn plain_rules(
        &mut self,
        shape: &Shape,
        scalar: Option<&TypeRef>,
    ) -> Vec<Rule> {
        let primitive = match scalar {
            Some(TypeRef::Primitive(primitive)) => Some(primitive),
            _ => None,
        };
        // An IPv6 address has many textual forms, so no rules apply to its text either.
        if matches!(
            primitive,
            Some(
                Primitive::Custom(_)
                    | Primitive::Uuid
                    | Primitive::Date
                    | Primitive::DateTime
                    | Primitive::Ipv6
                    | Primitive::Binary
                    | Primitive::Bytes
            )
        ) {
            return Vec::new();
        }
        let mut rules = self.keywords(&shape.constraints, &shape.origin);
        rules.extend(constants(shape));
        if let Some(Primitive::Number(name)) = primitive {
            rules.retain(|rule| !is_implied(name, rule));
        }
        let length = shape.prefix_items.len() as u64;
        if (1..=held::LONGEST_TUPLE as u64).contains(&length) {
            // The type ensures that its items are present, and that there are no items after its
            // last.
            rules.retain(|rule| match rule {
                Rule::MinItems(least) => *least > length,
                Rule::MaxItems(most) => *most > length && !self.no_more_items(shape),
                _ => true,
            });
        }
        if primitive == Some(&Primitive::String) {
            rules.extend(formats(shape));
        }
        if (1..=held::LONGEST_TUPLE as u64).contains(&length) {
            self.part_rules(shape, &mut rules);
        } else if self.no_more_items(shape) {
            if class::infer(shape) == Types::ARRAY {
                rules.retain(|rule| !matches!(rule, Rule::MaxItems(_)));
                let stated = shape.constraints.max_items.unwrap_or(length);
                rules.push(Rule::MaxItems(stated.min(length)));
            }
        } else if let Some(items) = shape.items.filter(|_| shape.prefix_items.is_empty()) {
            let items = self.rules(items);
            let items = self.bounded(items, &shape.origin);
            rules.extend((!items.is_empty()).then_some(Rule::Items(items)));
        }
        if shape.properties.is_empty() {
            let values = self.value_rules(shape);
            let values = self.bounded(values, &shape.origin);
            rules.extend((!values.is_empty()).then_some(Rule::AdditionalProperties(values)));
        }
        rules
    }

    /// Returns the rules of a list's items or a map's values, unless their nesting exceeds the
    /// maximum.
    fn bounded(&mut self, rules: Vec<Rule>, origin: &Origin) -> Vec<Rule> {
        if nesting(&rules) < DEEPEST {
            return rules;
        }
        let message =
            format!("elements of nested lists and maps are not checked beyond {DEEPEST} levels");
        self.diagnostics
            .report(codes::NOT_CHECKED, origin, message)
            .help("make one of them an object");
        Vec::new()
    }

    /// Adds the rules of a list's items by position, and of the remaining items.
    fn part_rules(&mut self, shape: &Shape, rules: &mut Vec<Rule>) {
        let parts = shape.prefix_items.iter();
        let parts: Vec<Vec<Rule>> = parts.map(|part| self.rules(*part)).collect();
        if parts.iter().any(|rules| !rules.is_empty()) {
            let parts = self.bounded(vec![Rule::TupleList(parts)], &shape.origin);
            rules.extend(parts);
        }
        if let Some(items) = shape.items.filter(|_| !self.no_more_items(shape)) {
            let items = self.rules(items);
            let items = self.bounded(items, &shape.origin);
            rules.extend((!items.is_empty()).then_some(Rule::Items(items)));
        }
    }

    /// Returns the rules of additional properties: of their values, and of their names if only
    /// names with a pattern are allowed.
    pub(in crate::lower) fn extra_rules(&mut self, shape: &Shape) -> Vec<Rule> {
        let mut rules = self.value_rules(shape);
        if shape.additional != Additional::Refused || shape.patterns.is_empty() {
            return rules;
        }
        let mut patterns = Vec::with_capacity(shape.patterns.len());
        for (text, _) in &shape.patterns {
            match self.translated(text, &shape.origin) {
                Some(Some(pattern)) => patterns.push(pattern),
                // Every name matches, or the matching names are unknown.
                _ => return rules,
            }
        }
        rules.push(Rule::PropertyNamePatterns(patterns));
        rules
    }

    /// Returns the rules of the values of additional properties.
    fn value_rules(&mut self, shape: &Shape) -> Vec<Rule> {
        match self.additional_schema(shape) {
            Some(only) => self.rules(only),
            None => Vec::new(),
        }
    }
}

/// Returns the nesting depth of rules.
fn nesting(rules: &[Rule]) -> usize {
    let inner = rules.iter().map(|rule| match rule {
        Rule::Items(rules) | Rule::AdditionalProperties(rules) => 1 + nesting(rules),
        Rule::TupleList(parts) => 1 + parts.iter().map(|rules| nesting(rules)).max().unwrap_or(0),
        _ => 0,
    });
    inner.max().unwrap_or(0)
}
