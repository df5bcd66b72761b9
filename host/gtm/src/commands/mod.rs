//! The commands: one module a noun, each a few lines over the store's operator side.

pub mod binding;
pub mod config;
pub mod connection;
mod connection_verification;
pub mod job;
pub mod key;
pub mod key_ring;
pub mod ledger;
mod openapi;
pub mod organization;
pub mod plugin;
mod plugin_settings;
pub mod project;
mod serve;
mod stored_evidence;

use crate::cli::{Cli, Command, Global};
use crate::configuration::sections::Log;
use crate::configuration::{Effective, Flags};
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::Output;

/// Do what the command line says.
///
/// # Errors
/// Whatever the command could not do.
pub async fn run(cli: Cli) -> Result<(), Failure> {
    let output = Output {
        json: cli.global.json,
    };
    match cli.command {
        Command::Serve { listen } => {
            serve::run(load(&Flags {
                listen,
                ..cli.global.flags()
            })?)
            .await
        }
        Command::Config(command) => config::run(&command, &load(&cli.global.flags())?, output),
        Command::Openapi => openapi::run(),
        Command::Org(command) => {
            organization::run(command, &open(&cli.global).await?, output).await
        }
        Command::Project(command) => project::run(command, &open(&cli.global).await?, output).await,
        Command::Key(command) => key::run(command, &open(&cli.global).await?, output).await,
        Command::KeyRing(command) => {
            key_ring::run(&command, &open(&cli.global).await?, output).await
        }
        Command::Connection(command) => {
            connection::run(command, &open(&cli.global).await?, output).await
        }
        Command::Binding(command) => binding::run(command, &open(&cli.global).await?, output).await,
        Command::Plugin(command) => plugin::run(command, &open(&cli.global).await?, output).await,
        Command::Job(command) => job::run(command, &open(&cli.global).await?, output).await,
        Command::Ledger(command) => ledger::run(&command, &open(&cli.global).await?, output).await,
        Command::CompileComponent { .. } => Err(Failure::new(
            "compile-component is called by the host alone",
        )),
    }
}

/// Longest name in characters.
const MAX_NAME_CHARS: usize = 200;

/// A name for people, trimmed.
fn parse_name(text: &str) -> Result<String, String> {
    let name = text.trim();
    if name.is_empty() {
        return Err("a name must not be blank".to_owned());
    }
    if name.chars().any(char::is_control) {
        return Err("a name must not contain control characters".to_owned());
    }
    if name.chars().count() > MAX_NAME_CHARS {
        return Err(format!("a name has at most {MAX_NAME_CHARS} characters"));
    }
    Ok(name.to_owned())
}

fn load(flags: &Flags) -> Result<Effective, Failure> {
    let environment = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
        .collect();
    Effective::load(flags, &environment)
}

/// Open the installation for an administrative command: its log stays quiet but for errors.
async fn open(global: &Global) -> Result<Installation, Failure> {
    let effective = load(&global.flags())?;
    crate::logging::start(&Log {
        level: "error".to_owned(),
        ..effective.configuration.log.clone()
    })?;
    Installation::open(effective).await
}
