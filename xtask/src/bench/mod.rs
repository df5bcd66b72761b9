//! `cargo xtask bench SUBJECT`: builds what a benchmark loads, then runs the benchmark.

mod renderers;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::plugins::{self, Purpose};
use crate::process::{host_cargo, release_build_of_binary, run as run_command};
use crate::test_run::real_model::{self, Lane};
use crate::test_run::set_catalog_variables;
use crate::workspace::Workspace;

/// Run a benchmark.
#[derive(clap::Args)]
pub struct Args {
    /// What to measure; plugins if omitted
    #[command(subcommand)]
    subject: Option<Subject>,
}

/// What can be measured. Each benchmark names its competitor and prints a ratio taken from one run.
#[derive(clap::Subcommand)]
enum Subject {
    /// One plug-in call, compared with plain wasmtime
    Plugins,
    /// Reads among a million jobs, compared with a nearly empty database
    Usage,
    /// One request through the rate limiter, in memory and in Redis
    Limiter,
    /// Precision, recall and unsupported claims of brand guidelines over the sites in tests/sites, compared
    /// with a plain reader of metadata
    Brands {
        /// Also with the small model of `cargo xtask test --real-model`
        #[arg(long)]
        real_model: bool,
        /// Print each claim that was missed or is not in the golden files
        #[arg(long)]
        verbose: bool,
        /// Build with optimizations, so that the measured seconds are meaningful
        #[arg(long)]
        release: bool,
    },
    /// What the check of generated claims keeps and drops of the hand-labelled claims in tests/claims, compared with
    /// counting words in common
    Claims {
        /// Print each wrong decision on English claims; the other languages are held out
        #[arg(long)]
        verbose: bool,
    },
    /// What brand guidelines and playbooks find on the sites in a folder, which somebody then judges by hand. Sites of
    /// real organisations stay outside the repository
    Sites {
        /// Holds a folder for each site, with `site.json` (`{"domain": …, "product_info": …}`) and its files in `site/`
        #[arg(long)]
        folder: PathBuf,
        /// Where the results go
        #[arg(long)]
        output: PathBuf,
        /// With a model: the base address of an OpenAI-compatible server
        #[arg(long)]
        model_url: Option<String>,
    },
    /// What a document takes in each renderer, in the sandbox and natively, compared with python-pptx, python-docx,
    /// WeasyPrint, LibreOffice and Chromium
    Renderers(renderers::Args),
    /// What a message takes to render, compared with a template engine that fills the finished HTML and text
    Messages,
    /// Requests per second of polling and of creating jobs, compared with a bare axum handler
    Http {
        /// Seconds that each case runs
        #[arg(long, default_value_t = 10)]
        seconds: u32,
        /// Concurrent connections
        #[arg(long, default_value_t = 64)]
        connections: u32,
    },
}

/// Builds what is needed and runs `cargo bench`.
pub fn run(args: &Args) -> Result<()> {
    let workspace = Workspace::load()?;
    match &args.subject {
        None | Some(Subject::Plugins) => {
            plugins::build_product(&workspace, Purpose::Benchmark)?;
            plugins::build_fixtures(&workspace, Purpose::Benchmark)?;
            let mut command = bench(&workspace, "plugin_call");
            set_catalog_variables(&mut command, &workspace, Purpose::Benchmark);
            run_command(&mut command)
        }
        Some(Subject::Usage) => run_command(&mut bench(&workspace, "million_jobs")),
        Some(Subject::Limiter) => run_command(&mut bench(&workspace, "limiter")),
        Some(Subject::Messages) => run_command(&mut bench(&workspace, "message_render")),
        Some(Subject::Http {
            seconds,
            connections,
        }) => http(&workspace, *seconds, *connections),
        Some(Subject::Renderers(args)) => renderers::run(&workspace, args),
        Some(Subject::Claims { verbose }) => claims(&workspace, *verbose),
        Some(Subject::Sites {
            folder,
            output,
            model_url,
        }) => sites(&workspace, folder, output, model_url.as_deref()),
        Some(Subject::Brands {
            real_model,
            verbose,
            release,
        }) => brands(&workspace, *real_model, *verbose, *release),
    }
}

/// Always builds the whole workspace: building a part selects other features and recompiles dependencies.
fn bench(workspace: &Workspace, name: &str) -> Command {
    let mut command = host_cargo();
    command
        .current_dir(&workspace.root)
        .args(["bench", "--workspace", "--bench", name, "--"]);
    command
}

fn http(workspace: &Workspace, seconds: u32, connections: u32) -> Result<()> {
    plugins::build_product(workspace, Purpose::Benchmark)?;
    plugins::build_fixtures(workspace, Purpose::Benchmark)?;
    run_command(release_build_of_binary("gtm").current_dir(&workspace.root))?;
    let mut command = bench(workspace, "http");
    command
        .args(["--seconds", &seconds.to_string()])
        .args(["--connections", &connections.to_string()]);
    set_catalog_variables(&mut command, workspace, Purpose::Benchmark);
    command
        .env("GTM_TEST_BINARY", workspace.release_binary())
        // PostgreSQL must write to disk before it answers, as SQLite does.
        .env("GTM_TEST_POSTGRES_FSYNC", "on");
    run_command(&mut command)
}

/// The decisions do not depend on the profile.
fn claims(workspace: &Workspace, verbose: bool) -> Result<()> {
    let mut command = host_cargo();
    command.current_dir(&workspace.root).args([
        "test",
        "--workspace",
        "--quiet",
        "--bench",
        "claims",
        "--",
    ]);
    if verbose {
        command.arg("--verbose");
    }
    run_command(&mut command)
}

fn sites(workspace: &Workspace, from: &Path, to: &Path, model_url: Option<&str>) -> Result<()> {
    let from = from
        .canonicalize()
        .with_context(|| format!("cannot read {}", from.display()))?;
    let to = std::path::absolute(to)?;
    plugins::build_product(workspace, Purpose::Development)?;
    plugins::build_fixtures(workspace, Purpose::Development)?;
    let mut command = host_cargo();
    command.current_dir(&workspace.root).args([
        "test",
        "--workspace",
        "--quiet",
        "--bench",
        "sites",
    ]);
    set_catalog_variables(&mut command, workspace, Purpose::Development);
    command.env("GTM_SITES", from).env("GTM_SITES_OUTPUT", to);
    if let Some(url) = model_url {
        command
            .env("GTM_TEST_MODEL_URL", url)
            .env("GTM_TEST_MODEL", "reader")
            .env("GTM_TEST_MODEL_KEY", "none");
    }
    run_command(&mut command)
}

/// The quality does not depend on the profile, so the development build, which the tests need too, is enough.
fn brands(workspace: &Workspace, with_model: bool, verbose: bool, release: bool) -> Result<()> {
    plugins::build_product(workspace, Purpose::Development)?;
    plugins::build_fixtures(workspace, Purpose::Development)?;
    let profile = if release { "release" } else { "dev" };
    run_command(
        host_cargo()
            .current_dir(&workspace.root)
            .args(["build", "--workspace", "--lib", "--bins", "--tests"])
            .args(["--profile", profile]),
    )?;
    let mut command = host_cargo();
    command
        .current_dir(&workspace.root)
        .args(["bench", "--workspace", "--bench", "brands"])
        .args(["--profile", profile])
        .arg("--");
    if verbose {
        command.arg("--verbose");
    }
    set_catalog_variables(&mut command, workspace, Purpose::Development);
    if release {
        command.env("GTM_TEST_BINARY", workspace.release_binary());
    }
    // Keeps the model server running until this function returns.
    let mut lane = None;
    if with_model {
        let outcome = real_model::prepare(workspace)?;
        match &outcome {
            Lane::Ready(server) => {
                command.envs(server.variables());
            }
            Lane::Unavailable(reason) => println!("without the model: {reason}"),
        }
        lane = Some(outcome);
    }
    let ran = run_command(&mut command);
    drop(lane);
    ran
}
