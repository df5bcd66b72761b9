//! The grammar of the command line. Each noun's own grammar is beside its commands.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::commands::{
    audit, binding, brand, budget, config, connection, connector, credit, dev, job, key, key_ring,
    ledger, offer, organization, plugin, policy, project, prospecting, quota, render, suppression,
    template,
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

/// Heading of the options that every command has.
const GLOBAL: &str = "Global options";

/// Options of every command.
#[derive(Debug, Args)]
#[command(next_help_heading = GLOBAL)]
pub struct Global {
    /// Print JSON with the API's names, times in RFC 3339 and money in US dollars
    #[arg(long, global = true)]
    pub json: bool,
    /// Directory with database, blobs and keys [env: GTM_DATA_DIR] [default: ./data]
    #[arg(long, global = true, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// Configuration file [env: GTM_CONFIG] [default: gtm.toml in the data directory]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Directory with plug-in packages; may be repeated [default: catalog in the data directory]
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

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the API and run jobs
    ///
    /// SIGTERM or Ctrl-C stops it: for up to shutdown_grace_seconds it finishes requests and hands jobs
    /// back. A second signal ends it at once.
    #[command(after_help = "Example:\n  gtm serve --listen 127.0.0.1:8080")]
    Serve {
        /// Address and port to listen on [default: 127.0.0.1:8080]
        #[arg(long, value_name = "ADDRESS:PORT", value_parser = parse_listen)]
        listen: Option<String>,
    },
    /// Check the configuration, and look up settings
    #[command(subcommand)]
    Config(config::Config),
    /// Print the OpenAPI document of the API, as JSON
    #[command(after_help = "Example:\n  gtm openapi > openapi.json")]
    Openapi,
    /// Manage organizations: who pays, and what they may use
    #[command(subcommand)]
    Org(organization::OrganizationCommand),
    /// Manage the projects of an organization
    #[command(subcommand)]
    Project(project::ProjectCommand),
    /// Manage the API keys of a project
    #[command(subcommand)]
    Key(key::Key),
    /// Manage the key ring that encrypts stored credentials
    #[command(subcommand)]
    KeyRing(key_ring::KeyRing),
    /// Manage the connections of projects to providers
    #[command(subcommand)]
    Connection(connection::ConnectionCommand),
    /// Look up connectors in the catalog
    #[command(subcommand)]
    Connector(connector::Connector),
    /// Choose what serves a capability, and for whom
    #[command(subcommand)]
    Binding(binding::BindingCommand),
    /// Manage brands and review their guidelines
    #[command(subcommand)]
    Brand(brand::BrandCommand),
    /// Manage offers: what an organization sells, in approved words
    #[command(subcommand)]
    Offer(offer::OfferCommand),
    /// Manage templates: an organization's own PPTX or DOCX for its documents
    #[command(subcommand)]
    Template(template::TemplateCommand),
    /// Import reviewed candidates with their evidence, and look after them
    #[command(subcommand)]
    Prospecting(prospecting::ProspectingCommand),
    /// Choose the policies that messages to real people may be written under
    #[command(subcommand)]
    Policy(policy::PolicyCommand),
    /// Record who must not be written to, and look it up
    #[command(subcommand)]
    Suppression(suppression::SuppressionCommand),
    /// Inspect and approve plug-ins of the catalog
    #[command(subcommand)]
    Plugin(plugin::Plugin),
    /// Render one document with a renderer of the catalog, without a job
    ///
    /// The renderer runs in the same sandbox and under the same limits as in a job. With --json it prints the
    /// renderer's answer, the files, and what the run took. Nothing is stored or charged.
    #[command(after_help = "Examples:
  gtm render --renderer render-pptx --document deck.json --output /tmp/deck
  gtm render --renderer render-pdf@0.1.0 --document report.json --asset logo=company.svg
  gtm render --renderer render-docx --document report.json --template letter.docx")]
    Render(render::Render),
    /// List, show, cancel and replay jobs
    #[command(subcommand)]
    Job(job::JobCommand),
    /// Manage the prepaid credit of organizations
    #[command(subcommand)]
    Credit(credit::Credit),
    /// Limit what jobs of a project, key or organization may cost in a month
    #[command(subcommand)]
    Budget(budget::Budget),
    /// Limit how many jobs a project, key or organization may create in a month
    #[command(subcommand)]
    Quota(quota::Quota),
    /// Verify the ledger, and settle calls whose cost is uncertain
    #[command(subcommand)]
    Ledger(ledger::Ledger),
    /// Read the audit log, and prove that nobody changed it
    #[command(subcommand)]
    Audit(audit::Audit),
    /// Tools for developing clients of the API
    #[command(subcommand)]
    Dev(dev::Dev),
    /// Print completions for a shell
    ///
    /// To use them now in bash: source <(gtm completions bash). To keep them, write them where the shell
    /// looks, such as ~/.local/share/bash-completion/completions/gtm or a directory of zsh's fpath as _gtm.
    #[command(after_help = "Example:\n  gtm completions bash > gtm.bash")]
    Completions {
        /// Shell to print completions for
        shell: clap_complete::Shell,
    },
    /// Compile one component from standard input to standard output, bounded
    #[command(hide = true)]
    CompileComponent {
        /// Limits, as the host appends them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        limits: Vec<OsString>,
    },
}

/// Accepts an address and a port; host names are not resolved.
fn parse_listen(text: &str) -> Result<String, String> {
    match text.parse::<SocketAddr>() {
        Ok(_) => Ok(text.to_owned()),
        Err(_) => Err("expected an IP address and a port, such as 127.0.0.1:8080".to_owned()),
    }
}

#[cfg(test)]
mod tests;
