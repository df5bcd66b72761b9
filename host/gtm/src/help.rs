//! The help of `gtm` itself, with its commands grouped by subject. Help of single commands is clap's own.

use clap::builder::StyledStr;
use clap::builder::styling::Style;
use clap::{CommandFactory as _, FromArgMatches as _};

use crate::cli::Cli;

/// The commands by subject. Tests check that each visible one appears exactly once.
const SUBJECTS: [(&str, &[&str]); 7] = [
    ("Host", &["serve", "config", "key-ring"]),
    ("Tenants", &["org", "project", "key"]),
    (
        "Providers and plug-ins",
        &["connector", "connection", "binding", "plugin", "render"],
    ),
    (
        "Jobs, brands and offers",
        &["job", "brand", "offer", "template"],
    ),
    ("Messages", &["prospecting", "policy", "suppression"]),
    (
        "Money and records",
        &["credit", "budget", "quota", "ledger", "audit"],
    ),
    (
        "Clients and shells",
        &["openapi", "dev", "completions", "help"],
    ),
];

/// Width of the command column.
const COLUMN: usize = 13;

/// The grammar, with help grouped by subject.
pub fn command() -> clap::Command {
    let command = Cli::command();
    let template = template(&command);
    command.help_template(template)
}

/// Parses the command line; help and invalid commands end the process.
pub fn parse() -> Cli {
    let matches = command().get_matches();
    Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

fn template(command: &clap::Command) -> StyledStr {
    let styles = command.get_styles();
    let (heading, literal) = (styles.get_header(), styles.get_literal());
    let mut text = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    for (subject, names) in SUBJECTS {
        text.push_str(&styled(
            heading,
            &format!("\n{subject}:\n"),
            subject.len() + 1,
        ));
        for name in names {
            let found = command
                .find_subcommand(name)
                .and_then(clap::Command::get_about);
            let about = found.map_or_else(
                || "Print this help, or that of a command".to_owned(),
                ToString::to_string,
            );
            let name = styled(literal, &format!("{name:<COLUMN$}"), name.len());
            text.push_str(&format!("  {name}{about}\n"));
        }
    }
    text.push_str(&styled(heading, "\nOptions:\n", 8));
    text.push_str("{options}\n\n");
    text.push_str("`gtm help COMMAND` explains a command and shows an example.\n");
    StyledStr::from(text)
}

/// Text in which only the first `length` characters other than white space are styled.
fn styled(style: &Style, text: &str, length: usize) -> String {
    let from = text.len() - text.trim_start().len();
    let (before, rest) = text.split_at(from);
    let (word, after) = rest.split_at(length.min(rest.len()));
    format!("{before}{style}{word}{style:#}{after}")
}
