//! `cargo xtask contract`: checks the API's description from the outside, against a real server. This module
//! installs the tools and runs the tests of `tests/tests/contract.rs`.

pub mod tools;

use anyhow::{Result, bail};

use crate::plugins::{self, Purpose};
use crate::process::{host_cargo, is_ci, run as run_command};
use crate::test_run;
use crate::workspace::Workspace;
use tools::Tools;

/// Lint the API's description, use clients generated from it, and let schemathesis look for differences
/// between it and the server.
///
/// Needs python3 and node; fetches pinned tools from their package indexes, once. If one of them is missing,
/// no test runs; with CI=true that is a failure.
#[derive(clap::Args)]
pub struct Args {
    /// Run only tests whose name contains one of these
    filters: Vec<String>,
}

/// Whether the tests ran, or what was missing.
pub enum Lane {
    Ran,
    Unavailable(String),
}

/// Runs the contract tests on their own.
pub fn run(args: &Args) -> Result<()> {
    let workspace = Workspace::load()?;
    plugins::build_product(&workspace, Purpose::Development)?;
    plugins::build_fixtures(&workspace, Purpose::Development)?;
    match lane(&workspace, &args.filters)? {
        Lane::Ran => println!("contract lane: ran"),
        Lane::Unavailable(reason) => {
            println!("SKIPPED: the contract lane: {reason}");
            if is_ci() {
                bail!("in CI the contract lane may not be skipped");
            }
        }
    }
    Ok(())
}

/// Runs the contract tests; the caller has built the plug-ins.
///
/// # Errors
/// If a test fails.
pub fn lane(workspace: &Workspace, filters: &[String]) -> Result<Lane> {
    let tools = match Tools::install(workspace) {
        Ok(tools) => tools,
        Err(error) => {
            eprintln!("the contract lane cannot run: {error:#}");
            return Ok(Lane::Unavailable(format!("{error:#}")));
        }
    };
    run_command(host_cargo().current_dir(&workspace.root).args([
        "build",
        "--workspace",
        "--lib",
        "--bins",
        "--tests",
    ]))?;
    let mut command = host_cargo();
    command
        .current_dir(&workspace.root)
        .args(["test", "--workspace", "--test", "contract"])
        .envs(tools.variables())
        // One test at a time: each keeps the machine busy, and a person reads the output.
        .args(["--", "--include-ignored", "--nocapture", "--test-threads=1"])
        .args(filters);
    test_run::set_catalog_variables(&mut command, workspace, Purpose::Development);
    run_command(&mut command)?;
    Ok(Lane::Ran)
}
