//! `completions` and `man`

use std::process::Command;

use super::Folder;

const COMMANDS: [&str; 15] = [
    "config",
    "list",
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

#[test]
fn every_shell_completes_every_command() {
    let folder = Folder::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = folder.ok(&["completions", shell]);
        for word in COMMANDS.iter().chain(&["unknown-values"]) {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let run = folder.run(&["completions", "tcsh"]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{}", run.err);
}

#[test]
fn bash_and_zsh_read_their_scripts() {
    let folder = Folder::new();
    for shell in ["bash", "zsh"] {
        folder.put("script", &folder.ok(&["completions", shell]));
        let run = Command::new(shell)
            .arg("-n")
            .arg(folder.path().join("script"))
            .output();
        match run {
            Ok(run) => assert!(run.status.success(), "{shell}: {run:?}"),
            // A machine need not have both.
            Err(error) => assert_ne!(shell, "bash", "{error}"),
        }
    }
}

#[test]
fn the_manual_page_describes_every_command() {
    let page = Folder::new().ok(&["man"]);
    assert!(page.contains(".TH bothends 1"), "{page}");
    assert!(page.contains(".SH \"EXIT STATUS\""), "{page}");
    for command in COMMANDS {
        let title = format!(".SH \"BOTHENDS {}\"", command.to_uppercase());
        assert!(page.contains(&title), "{command}");
        let synopsis = format!("\\fBbothends {command}\\fR");
        assert!(page.contains(&synopsis), "{command}");
    }
    assert_eq!(page.matches("\n.SS EXAMPLES\n").count(), COMMANDS.len());
    // Options of subcommands are there, and the section that explains apostrophes once.
    assert!(page.contains("\\-\\-unknown\\-values"), "{page}");
    assert_eq!(page.matches(".ie ").count(), 1);
}
