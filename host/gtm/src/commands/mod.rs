//! The commands: one module per noun, each a few lines over the operator side of the store.

mod api_names;
pub mod audit;
pub mod binding;
mod binding_offer;
mod binding_start_url;
pub mod brand;
pub mod budget;
mod completions;
pub mod config;
pub mod connection;
mod connection_verification;
mod connection_view;
pub mod connector;
mod connector_view;
pub mod credit;
pub mod dev;
mod import_file;
pub mod job;
pub mod job_files;
pub mod key;
pub mod key_ring;
pub mod ledger;
pub mod limit;
mod limit_scope;
mod missing_price;
mod name;
pub mod offer;
mod offer_file;
mod openapi;
pub mod organization;
mod owner;
pub mod plugin;
mod plugin_consent;
mod plugin_name;
mod plugin_settings;
pub mod policy;
pub mod project;
pub mod prospecting;
pub mod quota;
pub mod reconciliation;
pub mod render;
mod serve;
mod stored_evidence;
pub mod suppression;
pub mod template;
mod usage_tier;
mod whole_number;

use crate::cli::{Cli, Command, Global};
use crate::commands::binding::BindingCommand;
use crate::commands::organization::OrganizationCommand;
use crate::configuration::settings::MASTER_KEY;
use crate::configuration::{Effective, Flags};
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::Output;

/// Runs the command.
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
        Command::Config(command) => config::run(&command, || load(&cli.global.flags()), output),
        Command::Openapi => openapi::run(),
        Command::Completions { shell } => completions::run(shell),
        Command::Org(command) => {
            let installation = match &command {
                OrganizationCommand::Create { .. } => open_or_make(&cli.global).await?,
                _ => open_existing(&cli.global).await?,
            };
            organization::run(command, &installation, output).await
        }
        Command::Project(command) => {
            project::run(command, &open_existing(&cli.global).await?, output).await
        }
        Command::Key(command) => {
            key::run(command, &open_existing(&cli.global).await?, output).await
        }
        Command::KeyRing(command) => {
            key_ring::run(&command, &open_existing(&cli.global).await?, output).await
        }
        Command::Connection(command) => {
            connection::run(command, &open_existing(&cli.global).await?, output).await
        }
        Command::Binding(command) => {
            let installation = match &command {
                BindingCommand::Create(_) => open_for_catalog(&cli.global).await?,
                _ => open_existing(&cli.global).await?,
            };
            binding::run(command, &installation, output).await
        }
        Command::Brand(command) => {
            brand::run(command, &open_existing(&cli.global).await?, output).await
        }
        Command::Offer(command) => {
            offer::run(command, &open_existing(&cli.global).await?, output).await
        }
        Command::Template(command) => {
            template::run(command, &open_existing(&cli.global).await?, output).await
        }
        Command::Prospecting(command) => {
            prospecting::run(command, &open_existing(&cli.global).await?, output).await
        }
        Command::Policy(command) => {
            policy::run(command, &open_existing(&cli.global).await?, output).await
        }
        Command::Suppression(command) => {
            suppression::run(command, &open_existing(&cli.global).await?, output).await
        }
        Command::Connector(command) => {
            connector::run(command, &open_for_catalog(&cli.global).await?, output).await
        }
        // Whoever writes a plug-in may have no installation.
        Command::Plugin(plugin::Plugin::Check { files }) => plugin::check(&files, output),
        Command::Plugin(command) => {
            plugin::run(command, &open_for_catalog(&cli.global).await?, output).await
        }
        Command::Render(command) => {
            render::run(command, &open_for_catalog(&cli.global).await?, output).await
        }
        Command::Job(command) => {
            job::run(command, &open_existing(&cli.global).await?, output).await
        }
        Command::Credit(command) => {
            credit::run(command, &open_existing(&cli.global).await?, output).await
        }
        Command::Budget(command) => {
            budget::run(command, &open_existing(&cli.global).await?, output).await
        }
        Command::Quota(command) => {
            quota::run(command, &open_existing(&cli.global).await?, output).await
        }
        Command::Dev(command) => dev::run(command, &open_or_make(&cli.global).await?, output).await,
        Command::Audit(command) => {
            audit::run(command, &open_existing(&cli.global).await?, output).await
        }
        Command::Ledger(command) => {
            ledger::run(&command, &open_existing(&cli.global).await?, output).await
        }
        Command::CompileComponent { .. } => {
            Err(Failure::new("only the host itself calls compile-component"))
        }
    }
}

fn load(flags: &Flags) -> Result<Effective, Failure> {
    let environment = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
        .collect();
    Effective::load(flags, &environment)
}

/// What an administrative command logs: errors, and that plug-ins are being compiled, which keeps the first command
/// with a new catalog busy for a minute or two.
const ADMINISTRATIVE_LEVEL: &str = "error,gtm_runtime::catalog::code=info";

/// What to do where there is none.
const NEW_INSTALLATION: &str =
    "check --data-dir and GTM_DATA_DIR; `gtm org create` and `gtm serve` make a new installation";

/// Opens the installation, and makes a new one if there is none: for commands that begin one.
async fn open_or_make(global: &Global) -> Result<Installation, Failure> {
    open(load(&global.flags())?).await
}

/// Opens the installation for commands that read the catalog, which may be there before the installation.
async fn open_for_catalog(global: &Global) -> Result<Installation, Failure> {
    let effective = load(&global.flags())?;
    require_directory(&effective)?;
    open(effective).await
}

/// Opens an installation that there is already. Danger: if a mistyped directory were created, it would be reported as
/// empty and sound.
async fn open_existing(global: &Global) -> Result<Installation, Failure> {
    let effective = load(&global.flags())?;
    require_directory(&effective)?;
    let url = effective.configuration.database_url.as_deref();
    if let Some(path) = url.and_then(|url| url.strip_prefix("sqlite://")) {
        let file = path.split('?').next().unwrap_or_default();
        let file = file.replace("%3F", "?").replace("%25", "%");
        let lacks = match std::fs::metadata(&file) {
            // What a disk that was full, or a copy that broke off, leaves behind.
            Ok(found) if found.is_file() && found.len() == 0 => Some("is empty"),
            Ok(_) => None,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Some("does not exist"),
            Err(error) => {
                return Err(Failure::new(format!("the database file {file}: {error}")));
            }
        };
        if let Some(lacks) = lacks {
            return Err(
                Failure::new(format!("there is no installation: {file} {lacks}"))
                    .hint(NEW_INSTALLATION),
            );
        }
    }
    open(effective).await
}

/// Fails if the data directory is named and absent. A database server and a key from the environment need none.
fn require_directory(effective: &Effective) -> Result<(), Failure> {
    let url = effective.configuration.database_url.as_deref();
    let is_elsewhere = url.is_some_and(|url| !url.starts_with("sqlite://"))
        && std::env::var_os(MASTER_KEY).is_some();
    match effective.absent_data_dir() {
        Some(dir) if !is_elsewhere => Err(Failure::new(format!(
            "the data directory {} does not exist",
            dir.display()
        ))
        .hint(NEW_INSTALLATION)),
        _ => Ok(()),
    }
}

async fn open(effective: Effective) -> Result<Installation, Failure> {
    crate::logging::start(effective.configuration.log.format, ADMINISTRATIVE_LEVEL)?;
    Installation::open(effective).await
}
