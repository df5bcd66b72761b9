//! `cargo xtask bench`: the benchmarks, with the catalogs that they load built before.

use std::process::Command;

use anyhow::Result;

use crate::plugins;
use crate::process::{host_cargo, run as run_command};
use crate::test_run::set_catalog_variables;
use crate::workspace::Workspace;

/// Run the benchmarks.
#[derive(clap::Args)]
pub struct Args {
    /// Run only the benchmarks of this package
    #[arg(long, value_name = "PACKAGE", default_value = "gtm-runtime")]
    package: String,
    /// Run only benchmarks whose name contains this
    filters: Vec<String>,
}

/// Builds the catalogs and runs `cargo bench`.
pub fn run(args: &Args) -> Result<()> {
    let workspace = Workspace::load()?;
    plugins::build_product(&workspace)?;
    plugins::build_fixtures(&workspace)?;
    run_command(&mut bench_command(&workspace, args))
}

fn bench_command(workspace: &Workspace, args: &Args) -> Command {
    let mut command = host_cargo();
    command
        .current_dir(&workspace.root)
        .args(["bench", "--package", &args.package, "--benches", "--"])
        .args(&args.filters);
    set_catalog_variables(&mut command, workspace);
    command
}
