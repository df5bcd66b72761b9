//! The grammar of the command line. Each noun's own grammar stands beside its commands.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::commands::{
    audit, binding, budget, config, connection, connector, credit, dev, job, key, key_ring, ledger,
    organization, plugin, project, quota,
};
use crate::configuration::Flags;

/// Go-to-market research and generation, self-hosted.
#[derive(Debug, Parser)]
#[command(name = "gtm", version, max_term_width = 100)]
pub struct Cli {
    /// Options of every command.
    #[command(flatten)]
    pub global: Global,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Debug, Args)]
pub struct Global {
    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,
    /// Directory with database, blobs and keys [env: GTM_DATA_DIR] [default: ./data]
    #[arg(long, global = true, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// Configuration file [env: GTM_CONFIG] [default: gtm.toml in the data directory]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Directory with plug-in packages; may be repeated
    #[arg(long, global = true, value_name = "DIR")]
    pub catalog: Vec<PathBuf>,
    /// Load packages without a trusted signature (development only)
    #[arg(long, global = true)]
    pub allow_unsigned: bool,
}

impl Global {
    /// The flags that override the configuration.
    #[must_use]
    pub fn flags(&self) -> Flags {
        Flags {
            data_dir: self.data_dir.clone(),
            config: self.config.clone(),
            listen: None,
            catalog: self.catalog.clone(),
            allow_unsigned: self.allow_unsigned,
        }
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the API and run jobs
    Serve {
        /// Address and port to listen on
        #[arg(long, value_name = "ADDRESS:PORT")]
        listen: Option<String>,
    },
    /// Explain the configuration
    #[command(subcommand)]
    Config(config::Config),
    /// Print the OpenAPI document
    Openapi,
    /// Organizations
    #[command(subcommand)]
    Org(organization::Organization),
    /// Projects
    #[command(subcommand)]
    Project(project::Project),
    /// API keys
    #[command(subcommand)]
    Key(key::Key),
    /// The key ring that credentials are encrypted under
    #[command(subcommand)]
    KeyRing(key_ring::KeyRing),
    /// Connections to providers
    #[command(subcommand)]
    Connection(connection::Connection),
    /// The catalog of connectors
    #[command(subcommand)]
    Connector(connector::Connector),
    /// Bindings of capabilities to backends and connections
    #[command(subcommand)]
    Binding(binding::Binding),
    /// Plug-ins of the catalog
    #[command(subcommand)]
    Plugin(plugin::Plugin),
    /// Jobs
    #[command(subcommand)]
    Job(job::Job),
    /// Prepaid credit of organizations
    #[command(subcommand)]
    Credit(credit::Credit),
    /// Monthly cost budgets of projects, keys and organizations
    #[command(subcommand)]
    Budget(budget::Budget),
    /// Monthly job quotas of projects, keys and organizations
    #[command(subcommand)]
    Quota(quota::Quota),
    /// The ledger
    #[command(subcommand)]
    Ledger(ledger::Ledger),
    /// The audit log
    #[command(subcommand)]
    Audit(audit::Audit),
    /// For people who write clients
    #[command(subcommand)]
    Dev(dev::Dev),
    /// Compile one component from standard input to standard output, bounded
    #[command(hide = true)]
    CompileComponent {
        /// Limits, as the host appends them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        limits: Vec<OsString>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_grammar_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn no_option_takes_a_secret() {
        fn visit(command: &clap::Command) {
            for argument in command.get_arguments() {
                let name = argument.get_id().as_str();
                assert!(
                    !["secret", "password", "api_key", "token", "credential"].contains(&name),
                    "{}: {name}",
                    command.get_name()
                );
            }
            command.get_subcommands().for_each(visit);
        }
        visit(&Cli::command());
    }
}
