//! `cargo xtask bench SUBJECT`: the benchmarks, with what they load built before.

use std::process::Command;

use anyhow::Result;

use crate::plugins;
use crate::process::{host_cargo, run as run_command};
use crate::test_run::set_catalog_variables;
use crate::workspace::Workspace;

/// Run a benchmark.
#[derive(clap::Args)]
pub struct Args {
    /// What to measure; plugins if nothing is named
    #[command(subcommand)]
    subject: Option<Subject>,
}

/// What can be measured. Each names its competitor and prints a ratio from one run.
#[derive(clap::Subcommand)]
enum Subject {
    /// One plug-in call, beside plain wasmtime
    Plugins,
    /// Reads among a million jobs, beside a nearly empty database
    Usage,
    /// One request through the rate limiter, in memory and in Redis
    Limiter,
    /// Requests per second of polling and of creating jobs, beside a bare axum handler
    Http {
        /// Seconds that each case runs
        #[arg(long, default_value_t = 10)]
        seconds: u32,
        /// Connections at the same time
        #[arg(long, default_value_t = 64)]
        connections: u32,
    },
}

/// Builds what is needed and runs `cargo bench`.
pub fn run(args: &Args) -> Result<()> {
    let workspace = Workspace::load()?;
    match args.subject {
        None | Some(Subject::Plugins) => {
            plugins::build_product(&workspace)?;
            plugins::build_fixtures(&workspace)?;
            let mut command = bench(&workspace, "gtm-runtime", "plugin_call");
            set_catalog_variables(&mut command, &workspace);
            run_command(&mut command)
        }
        Some(Subject::Usage) => run_command(&mut bench(&workspace, "gtm-store", "million_jobs")),
        Some(Subject::Limiter) => run_command(&mut bench(&workspace, "gtm-api", "limiter")),
        Some(Subject::Http {
            seconds,
            connections,
        }) => http(&workspace, seconds, connections),
    }
}

fn bench(workspace: &Workspace, package: &str, name: &str) -> Command {
    let mut command = host_cargo();
    command.current_dir(&workspace.root).args([
        "bench",
        "--package",
        package,
        "--bench",
        name,
        "--",
    ]);
    command
}

fn http(workspace: &Workspace, seconds: u32, connections: u32) -> Result<()> {
    plugins::build_product(workspace)?;
    plugins::build_fixtures(workspace)?;
    run_command(host_cargo().current_dir(&workspace.root).args([
        "build",
        "--release",
        "--package",
        "gtm",
    ]))?;
    let mut command = bench(workspace, "gtm-e2e", "http");
    command
        .args(["--seconds", &seconds.to_string()])
        .args(["--connections", &connections.to_string()]);
    set_catalog_variables(&mut command, workspace);
    command
        .env("GTM_TEST_BINARY", workspace.release_binary())
        // What is answered must be on the disk, as it is on SQLite.
        .env("GTM_TEST_POSTGRES_FSYNC", "on");
    run_command(&mut command)
}
