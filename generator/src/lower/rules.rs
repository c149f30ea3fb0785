//! Constraints on values beyond their types: lengths, bounds, patterns, formats.
//!
//! A rule belongs to the use of a value, unless the value's type is a newtype or a struct: then the
//! rule belongs to the type, and its users only record that a check is necessary.

use std::collections::HashSet;

use crate::diagnostic::codes;
use crate::ir::{Bound, Primitive, Rule, TypeRef};
use crate::model::{Constraints, SchemaId, Types};
use crate::position::Origin;
use crate::source::Value;

use super::schema::{self, Class};
use super::shape::{Additional, Shape};
use super::{Lowering, held, pattern};

/// Formats that the runtime checks. Formats with a type of their own are checked by
/// deserialization.
const FORMATS: [&str; 8] = [
    "email",
    "idn-email",
    "uri",
    "url",
    "iri",
    "hostname",
    "ipv4",
    "ipv6",
];

/// The maximum nesting of rules.
const DEEPEST: usize = 40;

impl Lowering<'_> {
    /// Returns the rules of an object as a whole.
    pub(super) fn object_rules(&mut self, c: &Constraints) -> Vec<Rule> {
        let least = c.min_properties.filter(|least| *least > 0);
        let mut rules: Vec<Rule> = least.map(Rule::MinProperties).into_iter().collect();
        rules.extend(c.max_properties.map(Rule::MaxProperties));
        for id in &c.property_names {
            let names = self.name_rules(*id);
            rules.extend((!names.is_empty()).then_some(Rule::PropertyNames(names)));
        }
        let dependent = c.dependent_required.iter().cloned();
        rules.extend(dependent.map(|(name, others)| Rule::DependentRequired(name, others)));
        rules.extend(c.required_groups.iter().cloned().map(|of| match of.one {
            true => Rule::OneOfRequired(of.groups),
            false => Rule::AnyOfRequired(of.groups),
        }));
        rules
    }

    /// Returns the rules of property names, which are strings.
    fn name_rules(&mut self, id: SchemaId) -> Vec<Rule> {
        let shape = self.shape(id);
        if !shape.choices.is_empty() {
            let message = "`propertyNames` is not checked: it is a choice of schemas";
            self.diagnostics
                .report(codes::NOT_CHECKED, &shape.origin, message)
                .help("say it with a `pattern`");
        }
        let mut rules = self.keywords(&shape.constraints, &shape.origin);
        rules.retain(|rule| {
            matches!(
                rule,
                Rule::MinLength(_) | Rule::MaxLength(_) | Rule::Pattern(..)
            )
        });
        rules.extend(formats(&shape));
        if let Some(values) = &shape.enumeration {
            let listed = values.iter().filter_map(Value::as_str).map(str::to_owned);
            rules.push(Rule::Enum(listed.collect()));
        }
        rules
    }

    /// Returns the rules of a value at the use of a schema.
    pub(super) fn rules(&mut self, id: SchemaId) -> Vec<Rule> {
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
        let types = schema::infer(shape);
        if types == Types::STRING
            && let Some(content) = schema::json_content(shape)
        {
            return self.rules(content);
        }
        let scalar = matches!(types, Types::INTEGER | Types::NUMBER | Types::STRING)
            .then(|| self.scalar(shape, types));
        let deserves = |ty| schema::deserves_newtype(shape, ty);
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
    pub(super) fn plain_rules(&mut self, shape: &Shape, scalar: Option<&TypeRef>) -> Vec<Rule> {
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
            rules.retain(|rule| !goes_without_saying(name, rule));
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
            if schema::infer(shape) == Types::ARRAY {
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
        let message = format!(
            "what lists and maps hold is not checked: {DEEPEST} of them are within each other"
        );
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
            let parts = self.bounded(vec![Rule::PrefixItems(parts)], &shape.origin);
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
    pub(super) fn extra_rules(&mut self, shape: &Shape) -> Vec<Rule> {
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

    /// Translates a pattern. Returns `Some(None)` if the pattern matches every text.
    fn translated(&mut self, text: &str, origin: &Origin) -> Option<Option<String>> {
        match pattern::translate(text) {
            Ok(translated) => Some(translated),
            Err(reason) => {
                self.diagnostics
                    .report(
                        codes::PATTERN_NOT_CHECKED,
                        origin,
                        format!("the pattern `{text}` is not checked: {reason}"),
                    )
                    .help("write the pattern without look-around and back references, or check it in the handler");
                None
            }
        }
    }

    fn keywords(&mut self, c: &Constraints, origin: &Origin) -> Vec<Rule> {
        let Constraints {
            minimum,
            maximum,
            multiple_of,
            min_length,
            max_length,
            pattern,
            min_items,
            max_items,
            unique_items,
            // `object_rules`
            min_properties: _,
            max_properties: _,
            property_names: _,
            dependent_required: _,
            required_groups: _,
        } = c;
        let mut rules = Vec::new();
        let above_zero = |size: &u64| *size > 0;
        rules.extend(min_length.filter(above_zero).map(Rule::MinLength));
        rules.extend(max_length.map(Rule::MaxLength));
        for text in pattern {
            let translated = self.translated(text, origin).flatten();
            rules.extend(translated.map(|regex| {
                let own = (regex != *text).then(|| text.clone());
                Rule::Pattern(regex, own)
            }));
        }
        match minimum {
            Some((bound, false)) => rules.extend(number(bound).map(Rule::Minimum)),
            Some((bound, true)) => rules.extend(number(bound).map(Rule::ExclusiveMinimum)),
            None => {}
        }
        match maximum {
            Some((bound, false)) => rules.extend(number(bound).map(Rule::Maximum)),
            Some((bound, true)) => rules.extend(number(bound).map(Rule::ExclusiveMaximum)),
            None => {}
        }
        let steps = multiple_of.iter().filter_map(number);
        rules.extend(
            steps
                .filter(|step| !is_any_step(*step))
                .map(Rule::MultipleOf),
        );
        rules.extend(min_items.filter(above_zero).map(Rule::MinItems));
        rules.extend(max_items.map(Rule::MaxItems));
        rules.extend(unique_items.then_some(Rule::UniqueItems));
        rules.extend(self.object_rules(c));
        rules
    }
}

/// Returns the nesting depth of rules.
fn nesting(rules: &[Rule]) -> usize {
    let inner = rules.iter().map(|rule| match rule {
        Rule::Items(rules) | Rule::AdditionalProperties(rules) => 1 + nesting(rules),
        Rule::PrefixItems(parts) => 1 + parts.iter().map(|rules| nesting(rules)).max().unwrap_or(0),
        _ => 0,
    });
    inner.max().unwrap_or(0)
}

/// Returns the rule for a list of constants, for values whose type is any JSON.
fn constants(shape: &Shape) -> Option<Rule> {
    let composed = |value: &Value| matches!(value, Value::Array(_) | Value::Object(_));
    let values = shape.enumeration.as_ref()?;
    let composed = values.iter().any(composed);
    composed.then(|| Rule::Constants(values.iter().map(Value::to_json).collect()))
}

/// Returns the formats of a string that are checked.
fn formats(shape: &Shape) -> impl Iterator<Item = Rule> {
    let all = shape.other_formats.iter().chain(&shape.format);
    let checked = all.filter(|of| FORMATS.contains(&of.as_str()));
    checked.map(|format| Rule::Format(format.clone()))
}

fn number(value: &Value) -> Option<Bound> {
    match value {
        Value::Number(number) => Some(
            number
                .as_integer()
                .map_or_else(|| Bound::Float(number.as_f64()), Bound::Int),
        ),
        _ => None,
    }
}

/// Returns whether a `multipleOf` is not a positive number, and thus has no effect.
fn is_any_step(step: Bound) -> bool {
    match step {
        Bound::Int(step) => step <= 0,
        Bound::Float(step) => step <= 0.0 || !step.is_finite(),
    }
}

/// Returns whether every value of a number's type satisfies the rule.
fn goes_without_saying(name: &str, rule: &Rule) -> bool {
    let Some((least, most)) = range(name) else {
        return false;
    };
    match rule {
        Rule::Minimum(Bound::Int(bound)) => *bound <= least,
        Rule::Maximum(Bound::Int(bound)) => *bound >= most,
        Rule::MultipleOf(Bound::Int(step)) => *step == 1,
        _ => false,
    }
}

fn range(name: &str) -> Option<(i128, i128)> {
    Some(match name {
        "i8" => (i8::MIN.into(), i8::MAX.into()),
        "i16" => (i16::MIN.into(), i16::MAX.into()),
        "i32" => (i32::MIN.into(), i32::MAX.into()),
        "i64" => (i64::MIN.into(), i64::MAX.into()),
        "u8" => (0, u8::MAX.into()),
        "u16" => (0, u16::MAX.into()),
        "u32" => (0, u32::MAX.into()),
        "u64" => (0, u64::MAX.into()),
        _ => return None,
    })
}
