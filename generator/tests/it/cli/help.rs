//! The words of the command line: scripts depend on them.

use super::Folder;

fn help(command: &[&str]) -> String {
    let mut args = command.to_vec();
    args.push("--help");
    Folder::new().ok(&args)
}

#[test]
fn help_of_each_command() {
    insta::assert_snapshot!("help", help(&[]));
    let commands = [
        "generate",
        "new",
        "deps",
        "stubs",
        "lint",
        "examples",
        "contract",
        "bundle",
        "diff",
        "changelog",
        "explain",
        "completions",
        "man",
    ];
    for command in commands {
        insta::assert_snapshot!(format!("help_{command}"), help(&[command]));
    }
}

#[test]
fn wrong_words_are_wrong_usage() {
    let folder = Folder::new();
    for args in [
        &["generate", "--no-such-flag"][..],
        &["deps"],
        &["deps", "pets.yaml", "--out", "x"],
        &["generate", "pets.yaml"],
        &["generate", "--out", "x"],
        &["generate", "pets.yaml", "--out", "x", "--parts", "clients"],
        &["generate", "pets.yaml", "--out", "x", "--serde", "both"],
        &["generate", "pets.yaml", "--out", "x", "--allow", "E9999"],
        &[
            "generate",
            "pets.yaml",
            "--out",
            "x",
            "--config",
            "none.toml",
        ],
        &["generate", "none.yaml", "--out", "x"],
        &["lint", "."],
        &["explain", "E9999"],
        &["explain", "D9999"],
        &["diff"],
        &["diff", "pets.yaml"],
        &["diff", "pets.yaml", "none.yaml"],
        &[
            "diff",
            "pets.yaml",
            "pets.yaml",
            "--fail-on",
            "clients=breaking",
        ],
        &[
            "diff",
            "pets.yaml",
            "--against",
            "HEAD",
            "--against-release",
        ],
        &["new", "x", "--spec", "pets.yaml", "--template", "cli"],
        &[
            "new",
            "x",
            "--spec",
            "pets.yaml",
            "--template",
            "client",
            "--name",
            "../x",
        ],
    ] {
        let run = folder.run(args);
        assert_eq!(run.code, Some(2), "{args:?}: {}{}", run.out, run.err);
        assert!(!run.err.is_empty(), "{args:?}");
        assert!(!folder.has("x"), "{args:?}");
    }
}

#[test]
fn codes_are_explained() {
    let text = Folder::new().ok(&["explain", "e0201"]);
    assert!(text.starts_with("E0201: "), "{text}");
    assert!(text.contains("--allow E0201"), "{text}");
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
}
