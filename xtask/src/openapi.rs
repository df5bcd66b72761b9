//! `cargo xtask openapi`: keeps `docs/openapi.json` equal to the API document that the binary prints.

use std::fs;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::process::{build_of_binary, capture, run as run_command};
use crate::workspace::Workspace;

/// Write docs/openapi.json from the handlers, or check that it is up to date.
#[derive(clap::Args)]
pub struct Args {
    /// Write nothing; fail if docs/openapi.json differs from what the handlers declare
    #[arg(long)]
    check: bool,
}

/// Builds the binary, asks it for the document, and writes or compares it.
pub fn run(args: &Args) -> Result<()> {
    let workspace = Workspace::load()?;
    run_command(
        build_of_binary("gtm")
            .arg("--quiet")
            .current_dir(&workspace.root),
    )?;
    let document = capture(Command::new(workspace.gtm_binary()).arg("openapi"))?;
    let document = format!("{}\n", document.trim_end());
    serde_json::from_str::<serde_json::Value>(&document)
        .context("`gtm openapi` printed something that is not JSON")?;
    let path = workspace.root.join("docs/openapi.json");
    if args.check {
        let there = fs::read_to_string(&path).unwrap_or_default();
        if there != document {
            bail!("docs/openapi.json is out of date; run: cargo xtask openapi");
        }
        println!("docs/openapi.json is up to date");
    } else {
        fs::write(&path, document).with_context(|| format!("cannot write {}", path.display()))?;
        println!("wrote docs/openapi.json");
    }
    Ok(())
}
