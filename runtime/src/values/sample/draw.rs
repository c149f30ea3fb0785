//! Drawing of JSON by the form of a type.

use super::Sampler;
use super::format::{FORMATS, of_format};
use super::random::Dice;
use super::unmet::{Drawn, Unmet};
use super::{number, text};
use crate::values::check::{are_unique, item_rules, part_rules};
use crate::values::form::{Form, Place};
use crate::values::outline::Outline;
use crate::values::tag::TagTable;
use crate::values::{Json, Rule};
use serde_json::Map as Members;

/// The number of attempts for a value with parts.
pub(super) const TRIES: usize = 12;
/// The maximum depth of a value.
const BOTTOM: usize = 32;
/// The maximum number of values in one.
const MOST_STEPS: usize = 4_000;
/// The maximum number of values whose variants are counted, in one.
const MOST_COUNTED: usize = 200;
/// The maximum number of items that a list has if its rules permit any number.
const MOST_ITEMS: usize = 1_000;

/// What is drawn, and the bounds of one value.
pub(crate) struct Draw<'r> {
    pub(super) dice: Dice<'r>,
    /// Whether values are drawn that an open enum or union does not list.
    unknown: bool,
    /// Whether the values are those of responses.
    pub(super) in_responses: bool,
    /// The depth from which on what may be absent is absent.
    pub(super) deep: usize,
    steps: usize,
    counted: usize,
}

impl<'r> Draw<'r> {
    /// Creates the bounds of a value. Values of later attempts are smaller.
    pub(crate) fn new(dice: Dice<'r>, sampler: Sampler, attempt: usize) -> Self {
        Self {
            dice,
            unknown: sampler.unknown,
            in_responses: sampler.in_responses,
            deep: 4_usize.saturating_sub(attempt),
            steps: MOST_STEPS,
            counted: MOST_COUNTED,
        }
    }

    /// Draws a value at its place.
    pub(crate) fn place(&mut self, place: Place, depth: usize) -> Drawn {
        self.value((place.form)(), place.rules, depth)
    }

    /// Draws a value.
    pub(super) fn value(&mut self, form: Form, rules: &[Rule], depth: usize) -> Drawn {
        self.steps = self.steps.saturating_sub(1);
        if self.steps == 0 || depth > BOTTOM {
            return Err(Unmet::rule("recursion"));
        }
        match form {
            Form::Constant(value) => Ok(value),
            Form::Scalar {
                outline,
                accepts,
                rules: own,
            } => match own {
                [] => self.scalar(outline, accepts, rules, depth),
                own => self.scalar(outline, accepts, &[rules, own].concat(), depth),
            },
            Form::Unknown(accepts) => self.unknown(accepts),
            Form::Nullable(inner) => match self.dice.once_in(6) {
                true => Ok(Json::Null),
                // A recursive type ends with null.
                false => self.value(inner(), rules, depth + 1).or(Ok(Json::Null)),
            },
            Form::Ruled(inner, own) => self.value(inner(), &[rules, own].concat(), depth + 1),
            Form::JsonText(inner) => {
                let value = self.value(inner(), rules, depth + 1)?;
                Ok(Json::String(value.to_string()))
            }
            Form::List(item) => self.list(Vec::new(), Some(item), rules, depth),
            Form::Tuple(items) => self.list(items(), None, rules, depth),
            Form::Prefix(parts, rest) => self.prefix(parts(), rest, rules, depth),
            Form::Map(inner) => self.map(inner, rules, depth),
            Form::Object(meta, rows) => self.object(meta, rows, rules, depth),
            Form::Tagged {
                table,
                variants,
                rules,
                open,
            } => self.tagged(table, &variants, rules, open, depth),
            Form::OneOf {
                variants,
                rules,
                accepting,
            } => self.one_of(variants, rules, accepting, depth),
            Form::AnyOf(variants, rules) => self.variant(variants, rules, depth),
        }
    }

    fn scalar(
        &mut self,
        outline: Outline,
        accepts: fn(&Json) -> bool,
        rules: &[Rule],
        depth: usize,
    ) -> Drawn {
        let dice = &mut self.dice;
        let is_open = |open: bool| open && self.unknown && !rules.contains(&Rule::Known);
        match outline {
            Outline::Null if accepts(&Json::Null) => Ok(Json::Null),
            Outline::Null => Err(Unmet::rule("items")),
            Outline::Bool => Ok(Json::Bool(dice.once_in(2))),
            Outline::Integer => number::integer(accepts, rules, dice),
            Outline::Number => number::number(accepts, rules, dice),
            Outline::String => text::draw(rules, dice).map(Json::String),
            Outline::Formatted(is) => formatted(is, rules, dice).map(Json::String),
            Outline::Values { known, open } => {
                let unlisted = || format!("unlisted {}", known.len());
                match is_open(open) && dice.once_in(4) {
                    true => Ok(Json::String(unlisted())),
                    false => listed(known, dice),
                }
            }
            Outline::Literals { known, .. } => listed(&known(), dice),
            _ => self.any(rules, depth),
        }
    }

    /// Draws a value that a type of the user accepts: one of a number, a boolean, and texts of formats.
    fn unknown(&mut self, accepts: fn(&Json) -> bool) -> Drawn {
        let dice = &mut self.dice;
        for _ in 0..TRIES {
            let texts = FORMATS.iter().filter_map(|name| of_format(name, dice));
            let mut all: Vec<Json> = texts.map(Json::from).collect();
            all.extend([
                Json::from(i64::try_from(dice.within(0, 100)).unwrap_or_default()),
                Json::from(0.5),
                Json::Bool(true),
                Json::from("text"),
                Json::Object(Members::new()),
                Json::Array(Vec::new()),
            ]);
            if let Some(value) = all.into_iter().find(accepts) {
                return Ok(value);
            }
        }
        Err(Unmet::rule("type"))
    }

    /// Draws any JSON that satisfies all rules.
    fn any(&mut self, rules: &[Rule], depth: usize) -> Drawn {
        let constants = rules.iter().find_map(|rule| match *rule {
            Rule::Constants(all) => Some(all),
            _ => None,
        });
        if let Some(all) = constants {
            let value = self.dice.pick(all).map(|text| serde_json::from_str(text));
            return value.and_then(Result::ok).ok_or(Unmet::rule("enum"));
        }
        let any = || Form::Scalar {
            outline: Outline::Any,
            accepts: |_| true,
            rules: &[],
        };
        match self.dice.below(if depth > self.deep { 4 } else { 6 }) {
            0 => Ok(Json::Null),
            1 => Ok(Json::Bool(self.dice.once_in(2))),
            2 => number::number(|_| true, rules, &mut self.dice),
            3 => text::draw(rules, &mut self.dice).map(Json::String),
            4 => self.list(Vec::new(), Some(any), rules, depth),
            _ => self.map(any, rules, depth),
        }
    }

    /// Draws a list with these items, and those of the form behind them.
    fn list(
        &mut self,
        parts: Vec<Form>,
        rest: Option<fn() -> Form>,
        rules: &[Rule],
        depth: usize,
    ) -> Drawn {
        let (mut least, mut most) = (parts.len(), usize::MAX);
        for rule in rules {
            let size = |limit: u64| usize::try_from(limit).unwrap_or(usize::MAX);
            match *rule {
                Rule::MinItems(limit) => least = least.max(size(limit)),
                Rule::MaxItems(limit) => most = most.min(size(limit)),
                _ => {}
            }
        }
        let count = match self.dice.below(5) {
            _ if depth > self.deep => least,
            0 => least,
            1 => least.saturating_add(1).min(most),
            2 if most <= 50 => most,
            _ => least.saturating_add(self.dice.below(5)).min(most),
        };
        if least > most.min(MOST_ITEMS) {
            return Err(Unmet::rule("minItems"));
        }
        let mut items: Vec<Json> = Vec::new();
        for (place, form) in parts.into_iter().enumerate() {
            let item = self.value(form, part_rules(rules, place), depth + 1);
            items.push(item.map_err(|unmet| unmet.within(&place.to_string()))?);
        }
        let rules_of_items = item_rules(rules);
        let unique = rules.contains(&Rule::UniqueItems);
        let mut repeated = 0;
        while let Some(form) = rest.filter(|_| items.len() < count) {
            match self.value(form(), rules_of_items, depth + 1) {
                Ok(item) => items.push(item),
                Err(_) if items.len() >= least => break,
                Err(unmet) => return Err(unmet.within(&items.len().to_string())),
            }
            if unique && !are_unique(&items) {
                items.pop();
                repeated += 1;
                if repeated > 10 * TRIES {
                    break;
                }
            }
        }
        match (items.len() < least, unique && !are_unique(&items)) {
            (true, _) if unique => Err(Unmet::rule("uniqueItems")),
            (true, _) => Err(Unmet::rule("minItems")),
            (_, true) => Err(Unmet::rule("uniqueItems")),
            (false, false) => Ok(Json::Array(items)),
        }
    }

    /// Draws a list that begins with items of their own forms, of which the last ones may be absent.
    fn prefix(
        &mut self,
        (mut parts, optional): (Vec<Form>, Vec<Form>),
        rest: fn() -> Form,
        rules: &[Rule],
        depth: usize,
    ) -> Drawn {
        let all = optional.len();
        let count = self.dice.below(all + 1);
        let least = rules.iter().find_map(|rule| match *rule {
            Rule::MinItems(least) => usize::try_from(least).ok(),
            _ => None,
        });
        let missing = least.unwrap_or(0).saturating_sub(parts.len());
        let count = count.max(missing.min(all));
        // The type of an item that may be absent is an option.
        let present = optional.into_iter().map(|form| match form {
            Form::Nullable(inner) => inner(),
            form => form,
        });
        parts.extend(present.take(count));
        let rest = (count == all).then_some(rest);
        self.list(parts, rest, rules, depth)
    }

    /// Draws a value of one variant.
    fn variant(
        &mut self,
        variants: fn() -> Vec<Form>,
        rules: &[&'static [Rule]],
        depth: usize,
    ) -> Drawn {
        let mut all: Vec<(usize, Form)> = variants().into_iter().enumerate().collect();
        let mut failed = Unmet::rule("oneOf");
        while let Some((index, form)) = self.dice.take(&mut all) {
            let rules = rules.get(index).copied().unwrap_or_default();
            match self.value(form, rules, depth + 1) {
                Ok(value) => return Ok(value),
                Err(unmet) => failed = unmet,
            }
        }
        Err(failed)
    }

    /// Draws a value of a union: one that a single variant accepts, if such a value is found. The alternatives
    /// of an `anyOf` may all accept it.
    fn one_of(
        &mut self,
        variants: fn() -> Vec<Form>,
        rules: &[&'static [Rule]],
        accepting: fn(&Json) -> usize,
        depth: usize,
    ) -> Drawn {
        let mut drawn = self.variant(variants, rules, depth)?;
        for _ in 0..TRIES {
            self.counted = self.counted.saturating_sub(1);
            if self.counted == 0 || accepting(&drawn) == 1 {
                break;
            }
            match self.variant(variants, rules, depth) {
                Ok(value) => drawn = value,
                Err(_) => break,
            }
        }
        Ok(drawn)
    }

    /// Draws an object with a discriminator.
    fn tagged(
        &mut self,
        table: &TagTable,
        variants: &dyn Fn() -> Vec<Form>,
        (rules, unlisted): (&[&'static [Rule]], &[Rule]),
        open: bool,
        depth: usize,
    ) -> Drawn {
        let is_open = open && self.unknown && !unlisted.contains(&Rule::Known);
        if is_open && self.dice.once_in(8) {
            let tag = (table.key.to_owned(), Json::from("unlisted"));
            return Ok(Json::Object(Members::from_iter([tag])));
        }
        let mut all: Vec<(usize, Form)> = variants().into_iter().enumerate().collect();
        let mut failed = Unmet::rule("oneOf");
        while let Some((index, form)) = self.dice.take(&mut all) {
            let rules = rules.get(index).copied().unwrap_or_default();
            let names = table.values.get(index).copied().unwrap_or_default();
            match self.value(form, rules, depth + 1) {
                Ok(Json::Object(mut members)) => {
                    let known = members.get(table.key).and_then(Json::as_str);
                    if !known.is_some_and(|tag| names.contains(&tag))
                        && let Some(tag) = self.dice.pick(names)
                    {
                        members.insert(table.key.to_owned(), Json::from(*tag));
                    }
                    return Ok(Json::Object(members));
                }
                Ok(_) => {}
                Err(unmet) => failed = unmet,
            }
        }
        Err(failed)
    }
}

/// Draws one of the listed values.
fn listed<T: Clone + Into<Json>>(known: &[T], dice: &mut Dice<'_>) -> Drawn {
    let value = dice.pick(known).cloned().map(Into::into);
    value.ok_or(Unmet::rule("enum"))
}

/// Draws a text that a type accepts, and that satisfies all rules.
fn formatted(is: fn(&str) -> bool, rules: &[Rule], dice: &mut Dice<'_>) -> Result<String, Unmet> {
    for _ in 0..10 * TRIES {
        let mut texts = FORMATS.iter().filter_map(|name| of_format(name, dice));
        if let Some(text) = texts.find(|text| is(text))
            && text::is_valid(&text, rules)
        {
            return Ok(text);
        }
    }
    Err(Unmet::rule("format"))
}
