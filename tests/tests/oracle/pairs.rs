//! Pairs of documents: minimal pairs, mutants, versions.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bothends::Builder;
use bothends::diff::{Audience, Day, Level, Report, Stability};
use serde_json::Value;

use crate::mutants::mutants;
use crate::table;

/// An old and a new document.
#[derive(Debug, Clone)]
pub(crate) struct Pair {
    pub(crate) name: String,
    pub(crate) old: Source,
    pub(crate) new: Source,
    pub(crate) today: Option<Day>,
    pub(crate) days: Option<u32>,
}

/// A document, and a setting of the generator.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Source {
    pub(crate) text: String,
    pub(crate) unimplemented: bool,
}

impl Source {
    pub(crate) fn new(document: &Value) -> Self {
        Self {
            text: document.to_string(),
            unimplemented: false,
        }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).expect("JSON")
    }
}

/// Returns the minimal pairs, in both orders.
pub(crate) fn minimal() -> Vec<Pair> {
    let mut all = Vec::new();
    for (index, row) in table::rows().iter().enumerate() {
        for pair in table::pairs(row) {
            let source = |document: &Value| Source {
                unimplemented: pair.unimplemented,
                ..Source::new(document)
            };
            let (old, new) = (source(&pair.old), source(&pair.new));
            let ordered = |order: &str, old: &Source, new: &Source| Pair {
                name: format!("{index} {}{order}", pair.title),
                old: old.clone(),
                new: new.clone(),
                today: pair.today.as_ref().map(|day| day.parse().expect("a day")),
                days: pair.days,
            };
            all.push(ordered("", &old, &new));
            all.push(ordered(" reversed", &new, &old));
        }
    }
    all
}

/// Returns pairs of documents and their mutants, in both orders.
pub(crate) fn mutated(files: &[PathBuf], count: usize) -> Vec<Pair> {
    let mut all = Vec::new();
    for (seed, path) in files.iter().enumerate() {
        let Some(document) = read(path) else { continue };
        let seed = u64::try_from(seed).unwrap_or_default();
        for (title, mutant) in mutants(&document, seed, count) {
            let name = format!("{}: {title}", bothends_tests::stem(path));
            all.extend(both(&name, &document, &mutant));
        }
    }
    all
}

/// Reads a document in a single file.
pub(crate) fn read(path: &Path) -> Option<Value> {
    let text = std::fs::read_to_string(path).ok()?;
    serde_yaml::from_str(&text).ok().and_then(json)
}

/// Returns the JSON of YAML. A number that is no integer of 64 bits is a floating-point number.
fn json(value: serde_yaml::Value) -> Option<Value> {
    use serde_yaml::Value as Yaml;
    Some(match value {
        Yaml::Null => Value::Null,
        Yaml::Bool(value) => value.into(),
        Yaml::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => number.into(),
            (_, Some(number)) => number.into(),
            _ => number.as_f64()?.into(),
        },
        Yaml::String(text) => text.into(),
        Yaml::Sequence(items) => items.into_iter().map(json).collect::<Option<_>>()?,
        Yaml::Mapping(members) => {
            let members = members.into_iter().map(|(key, value)| {
                let key = match key {
                    Yaml::String(key) => key,
                    key => serde_yaml::to_string(&key).ok()?.trim_end().to_owned(),
                };
                Some((key, json(value)?))
            });
            Value::Object(members.collect::<Option<_>>()?)
        }
        Yaml::Tagged(value) => json(value.value)?,
    })
}

/// Returns a pair in both orders.
pub(crate) fn both(name: &str, old: &Value, new: &Value) -> [Pair; 2] {
    let ordered = |order: &str, old: &Value, new: &Value| Pair {
        name: format!("{name}{order}"),
        old: Source::new(old),
        new: Source::new(new),
        today: None,
        days: None,
    };
    [ordered("", old, new), ordered(" reversed", new, old)]
}

/// The documents of pairs on disk, with the generated code.
pub(crate) struct Generated {
    /// The module of each document.
    pub(crate) names: BTreeMap<Source, String>,
    /// The code of each module.
    pub(crate) code: BTreeMap<String, String>,
}

impl Generated {
    /// Generates the code of all documents. A document with errors has none.
    pub(crate) fn new(dir: &Path, pairs: &[Pair]) -> Self {
        let mut all = Self {
            names: BTreeMap::new(),
            code: BTreeMap::new(),
        };
        for source in pairs.iter().flat_map(|pair| [&pair.old, &pair.new]) {
            if all.names.contains_key(source) {
                continue;
            }
            let name = format!("document{}", all.names.len());
            all.names.insert(source.clone(), name.clone());
            let path = dir.join(format!("{name}.json"));
            std::fs::write(&path, &source.text).expect("written");
            let plan = Builder::new(&path)
                .module(true)
                .unimplemented_handlers(source.unimplemented)
                .plan()
                .expect("a plan");
            if !plan.has_errors() {
                all.code.insert(name, plan.files[0].text.clone());
            }
        }
        all
    }

    /// Returns the module of a document that has no errors.
    pub(crate) fn module(&self, source: &Source) -> Option<&String> {
        let name = self.names.get(source)?;
        self.code.contains_key(name).then_some(name)
    }
}

/// Compares the documents of a pair. Returns `None` if one has errors.
pub(crate) fn compare(pair: &Pair) -> Option<Report> {
    let read = |source: &Source| {
        let mut loader = bothends::source::MemoryLoader::new();
        loader.add("api.json", source.text.clone());
        let builder = Builder::new("api.json");
        let read = builder.read_from(&loader, Some("api.json".as_ref()), true);
        read.expect("settings")
    };
    let builder = Builder::new("api.json").unimplemented_handlers(pair.new.unimplemented);
    let builder = builder.deprecation_days(Stability::Stable, pair.days.unwrap_or(0));
    let compared = builder.comparison(read(&pair.old), read(&pair.new), pair.today);
    compared.report
}

/// Returns the codes of the changes with a level for an audience.
pub(crate) fn codes(report: &Report, audience: Audience, level: Level) -> Vec<String> {
    let changes = report.changes.iter();
    let breaking = changes.filter(|change| change.outcome(audience).level >= level);
    let rules = breaking.flat_map(|change| {
        let rules = change
            .rules
            .iter()
            .filter(move |rule| rule.level(audience) >= level);
        rules.map(|rule| rule.id.to_owned())
    });
    rules.collect()
}
