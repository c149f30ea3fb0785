//! When a run ends early. That it does the same as before is tested by the command, in `tests/it/cli/unchanged.rs`.

use std::fs;
use std::path::{Path, PathBuf};

use bothends::output::{self, Record};
use bothends::{Builder, Config};

use super::{Place, Recording, SIGNATURE, TAG, digest};

/// A document with a reference, and a folder for cargo.
struct Project(tempfile::TempDir);

impl Project {
    fn new() -> Self {
        let project = Self(tempfile::tempdir().expect("a folder"));
        project.put("target/CACHEDIR.TAG", SIGNATURE);
        project.put(
            "api.yaml",
            "openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths: {}\n\
             components: {schemas: {A: {$ref: 'parts/b.yaml'}}}\n",
        );
        project.put(
            "parts/b.yaml",
            "{type: object, properties: {a: {type: string}}}",
        );
        project.put("Cargo.toml", "");
        project
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, text).expect("written");
    }

    fn config(&self) -> Config {
        Config {
            out: Some(self.at("out")),
            ..Config::default()
        }
    }

    fn place(&self) -> Place {
        self.place_of(&self.config(), "")
    }

    fn place_of(&self, config: &Config, messages: &str) -> Place {
        let place = Place::new(&self.at("api.yaml"), config, Record::Kept, messages);
        place.expect("a folder for the record")
    }

    /// Generates, and records the run.
    fn run(&self) {
        let (place, recording) = (self.place(), Recording::default());
        let builder = Builder::new(self.at("api.yaml")).config(self.config());
        let plan = builder.plan_of(&recording).expect("settings");
        assert!(!plan.has_errors(), "{}", plan.report());
        output::write(&self.at("out"), &plan.files, Record::Kept).expect("written");
        place.keep(recording, &plan.files, "messages\n".to_owned());
    }

    /// Returns whether a run ends early.
    fn ends_early(&self) -> bool {
        self.place().earlier().is_some()
    }

    fn record(&self) -> PathBuf {
        let mut files = fs::read_dir(self.at("target/bothends")).expect("a folder");
        files.next().expect("a record").expect("read").path()
    }
}

#[test]
fn the_same_run_ends_early_and_reports_the_same() {
    let project = Project::new();
    assert!(!project.ends_early());
    project.run();
    let run = project.place().earlier().expect("the run");
    assert_eq!(run.messages, "messages\n");
    let summary = run.summary().to_string();
    assert!(summary.starts_with("0 written, "), "{summary}");
    let plan = Builder::new(project.at("api.yaml"))
        .config(project.config())
        .plan();
    let again = output::write(
        &project.at("out"),
        &plan.expect("settings").files,
        Record::Kept,
    );
    assert_eq!(summary, again.expect("written").to_string());
}

#[test]
fn a_change_of_any_input_or_output_is_seen() {
    let changes: [fn(&Project); 9] = [
        |project| {
            project.put(
                "api.yaml",
                &fs::read_to_string(project.at("api.yaml"))
                    .unwrap()
                    .replace("A:", "B:"),
            )
        },
        |project| {
            project.put(
                "parts/b.yaml",
                "{type: object, properties: {b: {type: string}}}",
            )
        },
        |project| fs::remove_file(project.at("parts/b.yaml")).unwrap(),
        // The root of the project, which references may not leave.
        |project| fs::remove_file(project.at("Cargo.toml")).unwrap(),
        |project| project.put("parts/Cargo.toml", ""),
        |project| project.put("out/src/types.rs", "// other"),
        |project| fs::remove_file(project.at("out/src/lib.rs")).unwrap(),
        |project| project.put("out/.bothends-files", "src/gone.rs\n"),
        |project| {
            fs::remove_dir_all(project.at("out/src")).unwrap();
            project.put("out/src", "a file");
        },
    ];
    for (index, change) in changes.iter().enumerate() {
        let project = Project::new();
        project.run();
        assert!(project.ends_early(), "{index}");
        change(&project);
        // A marker below the document is not asked for.
        assert_eq!(project.ends_early(), index == 4, "{index}");
    }
}

#[test]
fn a_file_that_appears_is_seen_where_its_absence_counted() {
    let project = Project::new();
    project.run();
    project.put(".git", "");
    // The folder around the document is the root of the project either way.
    assert!(!project.ends_early());
}

#[test]
fn other_settings_and_other_messages_are_other_runs() {
    let project = Project::new();
    project.run();
    let mut config = project.config();
    assert!(project.place_of(&config, "").earlier().is_some());
    assert!(project.place_of(&config, "json").earlier().is_none());
    config.unimplemented_handlers = Some(true);
    assert!(project.place_of(&config, "").earlier().is_none());
}

#[test]
fn a_doubtful_record_or_one_of_another_program_is_ignored() {
    let project = Project::new();
    project.run();
    let record = project.record();
    let text = fs::read_to_string(&record).expect("text");
    let (_, body) = text.split_once('\n').expect("two lines");
    let settings = project.place().settings();
    // The settings contain the version and the file of the program.
    let other = body.replace(&settings, &digest(b"another version"));
    assert_ne!(body, other);
    let signed = format!("{}\n{other}", digest(other.trim_end().as_bytes()));
    let shortened = &text[..text.len() / 2];
    let unlisted = text.replace("out/", "");
    for bad in [
        "",
        "{}",
        shortened,
        &signed,
        &text.replace("messages", "tolb"),
        &format!("{unlisted} "),
    ] {
        fs::write(&record, bad).expect("written");
        assert!(!project.ends_early(), "{bad}");
    }
    fs::write(&record, &text).expect("written");
    assert!(project.ends_early());
    fs::remove_dir_all(project.at("target/bothends")).expect("removed");
    assert!(!project.ends_early());
    project.run();
    assert!(project.ends_early());
}

#[test]
fn without_a_folder_of_cargo_no_record_is_written() {
    for tag in ["Signature: other", ""] {
        let project = Project::new();
        project.put("target/CACHEDIR.TAG", tag);
        let stated = std::env::var_os("CARGO_TARGET_DIR");
        let is_stated = stated.is_some_and(|folder| Path::new(&folder).join(TAG).is_file());
        let config = project.config();
        let place = Place::new(&project.at("api.yaml"), &config, Record::Kept, "");
        assert_eq!(place.is_some(), is_stated);
        assert!(!project.at("target/bothends").exists());
    }
}
