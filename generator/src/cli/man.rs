//! `bothends man`

use std::io;

use clap::{Command, CommandFactory as _};
use clap_mangen::Man;

use super::args::{Cli, MessageFormat};
use super::{End, report};

pub(super) fn run() -> End {
    match page() {
        Ok(text) => {
            report::print(&text);
            End::Done
        }
        Err(error) => {
            report::failure(&error.to_string(), MessageFormat::Human);
            End::Failed
        }
    }
}

/// Returns the page: the command itself, then each subcommand with its options.
fn page() -> io::Result<String> {
    let mut command = Cli::command();
    command.build();
    let mut page = Vec::new();
    let whole = Man::new(command.clone());
    whole.render_title(&mut page)?;
    whole.render_name_section(&mut page)?;
    whole.render_synopsis_section(&mut page)?;
    whole.render_description_section(&mut page)?;
    whole.render_options_section(&mut page)?;
    let commands = command.get_subcommands();
    for command in commands.filter(|command| command.get_name() != "help") {
        subcommand(&mut page, command)?;
    }
    whole.render_extra_section(&mut page)?;
    whole.render_version_section(&mut page)?;
    let page = String::from_utf8_lossy(&page);
    // Every section begins with the definition of an apostrophe; one definition is sufficient.
    let page = page.replace(APOSTROPHE, "");
    let page = page.replace(".SH EXTRA\nExit codes:\n", ".SH \"EXIT STATUS\"\n");
    let page = page.replace(".SS EXTRA\nExamples:\n", ".SS EXAMPLES\n");
    Ok(format!("{APOSTROPHE}{page}"))
}

/// The preamble of `roff`.
const APOSTROPHE: &str = ".ie \\n(.g .ds Aq \\(aq\n.el .ds Aq '\n";

/// Writes a section for a subcommand. The sections of its own page become parts of this section.
fn subcommand(page: &mut Vec<u8>, command: &Command) -> io::Result<()> {
    let man = Man::new(command.clone());
    let mut own = Vec::new();
    man.render_synopsis_section(&mut own)?;
    man.render_description_section(&mut own)?;
    man.render_options_section(&mut own)?;
    man.render_extra_section(&mut own)?;
    let own = String::from_utf8_lossy(&own).replace("\n.SH ", "\n.SS ");
    let own = own
        .strip_prefix(".SH ")
        .map_or(own.clone(), |rest| format!(".SS {rest}"));
    let title = command.get_name().to_uppercase();
    page.extend_from_slice(format!(".SH \"BOTHENDS {title}\"\n{own}").as_bytes());
    Ok(())
}
