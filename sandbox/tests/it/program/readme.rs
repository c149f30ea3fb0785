//! The commands of the README, run by a shell, and their output.

use super::Program;
use bothends_test_environment::has_program;
use std::process::Command;

/// A command, and the output that the README shows. `…` stands for any text.
struct Step {
    command: String,
    output: String,
}

fn steps() -> Vec<Step> {
    let readme = include_str!("../../../README.md");
    let mut steps: Vec<Step> = Vec::new();
    for block in readme.split("```console\n").skip(1) {
        let (block, _) = block.split_once("```").unwrap();
        for line in block.lines() {
            match (line.strip_prefix("$ "), steps.last_mut()) {
                (Some(command), _) => steps.push(Step {
                    command: command.to_owned(),
                    output: String::new(),
                }),
                (None, Some(step)) => step.output += &format!("{line}\n"),
                (None, None) => panic!("output without a command: {line}"),
            }
        }
    }
    steps
}

/// Returns `true` if the text has the parts around `…` in this order, from beginning to end.
fn matches(shown: &str, output: &str) -> bool {
    let mut parts = shown.trim_end().split('…');
    let Some(mut rest) = parts
        .next()
        .and_then(|first| output.trim_end().strip_prefix(first))
    else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    for (at, part) in parts.iter().enumerate() {
        if at + 1 == parts.len() {
            return rest.ends_with(part);
        }
        let Some((_, after)) = rest.split_once(part) else {
            return false;
        };
        rest = after;
    }
    rest.is_empty()
}

/// One shell runs all commands, so that each sees the variables of those before.
#[test]
fn the_commands_of_the_readme_do_what_they_show() {
    let test = "the_commands_of_the_readme_do_what_they_show";
    if !has_program(test, "curl", "--version", "install curl") {
        return;
    }
    let arguments = [
        "--seed",
        "7",
        "--console-token",
        "a-token-for-this-trial",
        "--ready-json",
    ];
    let mut program = Program::start(&[&super::FREE[..], &arguments].concat(), &[]);
    let ready = program.ready();
    let (api, console) = (
        ready["api"].as_str().unwrap(),
        ready["console"].as_str().unwrap(),
    );
    let steps = steps();
    assert!(steps.len() > 10);
    // A line that no command writes separates the outputs.
    let script: String = steps
        .iter()
        .map(|step| format!("{}\necho; echo '@@ next @@'\n", step.command))
        .collect();
    let script = script
        .replace("http://127.0.0.1:8080", api)
        .replace("http://127.0.0.1:8081", console);
    let output = Command::new("sh")
        .args(["-eu", "-c", &script])
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let output = String::from_utf8(output.stdout).unwrap();
    let outputs: Vec<&str> = output.split("@@ next @@\n").collect();
    for (step, output) in steps.iter().zip(&outputs) {
        let Step {
            command,
            output: shown,
        } = step;
        assert!(
            matches(shown, output),
            "$ {command}\nshown: {shown}\ngot: {output}"
        );
    }
}

#[test]
fn patterns_match_in_order() {
    assert!(matches("a…c", "abc\n"));
    assert!(matches("a…", "abc"));
    assert!(matches("", "\n"));
    assert!(!matches("a…d", "abc"));
    assert!(!matches("a", "ab"));
    assert!(!matches("", "a"));
}
