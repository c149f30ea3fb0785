//! Generated types and JSON Schema: values that the runtime draws for types are judged by a validator, and values that an
//! outside generator draws from the document's schemas are read and written by the types.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::kinds::{Kind, NARROWER, WIDER};
use crate::outside;
use crate::subjects::{Program, Subject, programs, run, validator};

/// How many values are drawn for each type: by the runtime, and by the outside generator.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) own: usize,
    pub(crate) outside: usize,
}

/// What the judges say of the values.
#[derive(Debug, Default)]
pub(crate) struct Judged {
    pub(crate) types: usize,
    pub(crate) valid: usize,
    pub(crate) invalid: usize,
    /// The values of the outside generator.
    pub(crate) outside: usize,
    /// The types with such values.
    pub(crate) outside_types: usize,
    /// Types without values of the runtime, or of the outside generator, and why.
    pub(crate) undrawn: BTreeMap<String, String>,
    /// The number of differences of each kind, and of types with one.
    kinds: BTreeMap<&'static str, (usize, BTreeSet<String>)>,
    /// Other differences, one of each type and rule.
    pub(crate) wrong: BTreeMap<String, String>,
}

/// The subjects of a program, with the validators of changed schemas.
struct Judge<'p> {
    subjects: &'p [Subject],
    changed: BTreeMap<(usize, &'static str), Option<jsonschema::Validator>>,
    judged: &'p mut Judged,
}

/// Draws values of the reusable schemas of documents, and judges them. Without Python's packages, no values are drawn from
/// outside.
pub(crate) fn judge(documents: &[PathBuf], counts: Counts, python: Option<&Path>) -> Judged {
    let mut judged = Judged::default();
    programs(documents, |program, built| {
        judged.types += program.subjects.len();
        let mut judge = Judge {
            subjects: &program.subjects,
            changed: BTreeMap::new(),
            judged: &mut judged,
        };
        judge.draw(built, counts.own);
        if let Some(python) = python {
            judge.read(program, built, python, counts.outside);
        }
    });
    judged
}

impl Judge<'_> {
    /// Lets the runtime draw values and invalid neighbours, and validates them.
    fn draw(&mut self, program: &Path, count: usize) {
        let output = run(Command::new(program).args(["draw", &count.to_string()]), "");
        for line in output.lines() {
            let (index, kind, text) = three(line);
            let subject = &self.subjects[index];
            if kind == "undrawn" {
                self.judged
                    .undrawn
                    .insert(subject.name.clone(), text.to_owned());
                continue;
            }
            let is_valid = kind == "valid";
            match is_valid {
                true => self.judged.valid += 1,
                false => self.judged.invalid += 1,
            }
            let value: Value = serde_json::from_str(text).expect("JSON");
            let error = subject.validator.validate(&value).err();
            if error.is_none() == is_valid {
                continue;
            }
            let kinds = if is_valid { WIDER } else { NARROWER };
            let why = match error {
                Some(error) => format!("{error} at {}", error.instance_path()),
                None => kind.to_owned(),
            };
            let rule = kind.split(" at ").next().unwrap_or_default();
            self.differs(index, kinds, &value, rule, &why);
        }
    }

    /// Lets the types read and write values of the outside generator.
    fn read(&mut self, program: &Program, built: &Path, python: &Path, count: usize) {
        let mut values = Vec::new();
        let mut input = String::new();
        for (index, drawn) in outside::draw(python, program, count) {
            match drawn {
                Ok(value) if self.subjects[index].validator.is_valid(&value) => {
                    writeln!(input, "{index}\t{value}").expect("a string");
                    values.push((index, value));
                }
                Ok(_) => {}
                Err(why) => {
                    let name = format!("{} (outside)", self.subjects[index].name);
                    self.judged.undrawn.insert(name, why);
                }
            }
        }
        let types: BTreeSet<usize> = values.iter().map(|(index, _)| *index).collect();
        self.judged.outside_types += types.len();
        self.judged.outside += values.len();
        let output = run(Command::new(built).arg("read"), &input);
        for ((index, value), line) in values.iter().zip(output.lines()) {
            let (_, kind, text) = three(line);
            if kind == "refused" {
                self.differs(*index, NARROWER, value, "refused", text);
                continue;
            }
            let written: Value = serde_json::from_str(text).expect("JSON");
            // A null that a type does not have is absent.
            if let Err(at) = outside::same(value, &written, &self.subjects[*index].schema) {
                let why = format!("{at} in {text}");
                self.differs(*index, NARROWER, value, "changed", &why);
            }
        }
        assert_eq!(values.len(), output.lines().count());
    }

    /// Finds the kind of a difference: the first change of the schema, or all changes, after which the validator agrees.
    fn differs(
        &mut self,
        index: usize,
        kinds: &'static [Kind],
        value: &Value,
        rule: &str,
        why: &str,
    ) {
        let expected = std::ptr::eq(kinds, WIDER);
        let all = kinds
            .iter()
            .map(|kind| (kind.name, std::slice::from_ref(kind)));
        for (name, kinds) in all.chain([("several kinds", kinds)]) {
            let subject = &self.subjects[index];
            let changed = self.changed.entry((index, name));
            let changed = changed.or_insert_with(|| {
                let mut schema = subject.schema.clone();
                kinds.iter().for_each(|kind| (kind.change)(&mut schema));
                validator(&schema)
            });
            if changed
                .as_ref()
                .is_some_and(|validator| validator.is_valid(value) == expected)
            {
                let (count, types) = self.judged.kinds.entry(name).or_default();
                *count += 1;
                types.insert(subject.name.clone());
                return;
            }
        }
        self.wrong(index, rule, why, value);
    }

    fn wrong(&mut self, index: usize, rule: &str, why: &str, value: &Value) {
        let name = format!("{} {rule}", self.subjects[index].name);
        let wrong = self.judged.wrong.entry(name);
        wrong.or_insert_with(|| format!("{why}\n      {value}"));
    }
}

/// Splits a line of the program.
fn three(line: &str) -> (usize, &str, &str) {
    let mut parts = line.splitn(3, '\t');
    let mut next = || parts.next().expect("three parts");
    let (index, kind, text) = (next(), next(), next());
    (index.parse().expect("an index"), kind, text)
}

impl Judged {
    /// Prints the figures, and asserts that no difference is unexplained, and that there are as many values of the runtime
    /// and from outside.
    pub(crate) fn check(&self, own: usize, outside: usize) {
        let (valid, invalid) = (self.valid, self.invalid);
        println!(
            "{} types, {valid} values, {invalid} invalid neighbours",
            self.types
        );
        println!(
            "{} types, {} values from outside",
            self.outside_types, self.outside
        );
        for (kind, (count, types)) in &self.kinds {
            println!("  {kind}: {count} values of {} types", types.len());
        }
        for (name, why) in &self.undrawn {
            println!("  not drawn: {name}: {why}");
        }
        let wrong = self
            .wrong
            .iter()
            .map(|(name, why)| format!("{name}: {why}"));
        let wrong: Vec<String> = wrong.collect();
        assert!(
            wrong.is_empty(),
            "{} wrong\n{}",
            wrong.len(),
            wrong.join("\n")
        );
        assert!(valid >= own && invalid >= own, "too few values");
        assert!(self.outside >= outside, "too few values from outside");
    }

    /// Returns the kinds without a difference in `spec/features`.
    pub(crate) fn needless(&self) -> Vec<&'static str> {
        let all = WIDER.iter().chain(NARROWER).filter(|kind| kind.in_features);
        let all = all.map(|kind| kind.name);
        all.filter(|name| !self.kinds.contains_key(name)).collect()
    }
}
