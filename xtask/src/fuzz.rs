//! `cargo xtask fuzz`: feeds untrusted bytes to the places that parse them, for a limited time.
//!
//! Each target runs in a child process. An input that makes the target panic, hang or exit is saved below the
//! target directory; move it to `fuzz/corpus` once the bug is fixed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, bail};

use crate::cores::on_all_cores;
use crate::process::{build_of_binary, capture, host_cargo, run as run_command};
use crate::workspace::Workspace;

/// The runner's mode for WebAssembly components, as opposed to the byte targets.
const COMPONENTS: &str = "components";
/// Components generated, loaded and called per batch.
const BATCH: usize = 40;
/// A batch that takes longer has hung: every call in it has limits of its own.
const BATCH_HANG: Duration = Duration::from_secs(600);

/// Run the fuzz targets on changed inputs.
///
/// Works without a nightly compiler: mutates the inputs of fuzz/corpus at random, and keeps mutating those
/// that lead to a new outcome. `components` generates WebAssembly components with wasm-smith, loads them and
/// calls them. With a nightly compiler, `cargo +nightly fuzz run TARGET` finds more.
#[derive(clap::Args)]
pub struct Args {
    /// What to run: url, manifest, template, body, strict_json, cursor, client_address, imports, components;
    /// all if omitted
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    /// Seconds that each target runs
    #[arg(long, default_value_t = 30)]
    seconds: u64,
    /// Seed of the random numbers, to repeat a run; taken from the clock if omitted
    #[arg(long)]
    seed: Option<u64>,
}

/// Builds the runner and starts it for each target, in parallel up to the number of processors.
pub fn run(args: &Args) -> Result<()> {
    let workspace = Workspace::load()?;
    let corpus = workspace.root.join("fuzz/corpus");
    let mut targets = corpus_targets(&corpus)?;
    targets.push(COMPONENTS.to_owned());
    if let Some(unknown) = args.targets.iter().find(|name| !targets.contains(name)) {
        bail!(
            "there is no target {unknown}; there are: {}",
            targets.join(", ")
        );
    }
    if !args.targets.is_empty() {
        targets.retain(|name| args.targets.contains(name));
    }
    let session = Session {
        runner: build_runner(&workspace)?,
        findings: workspace.target.join("fuzz-findings"),
        scratch: tempfile::tempdir()?,
        seconds: args.seconds,
        seed: args.seed.unwrap_or_else(seed_of_the_clock),
        workspace: &workspace,
    };
    let bytes: Vec<&String> = targets.iter().filter(|name| *name != COMPONENTS).collect();
    on_all_cores(&bytes, |name| session.target(name))
        .into_iter()
        .collect::<Result<()>>()?;
    if targets.iter().any(|name| name == COMPONENTS) {
        session.components()?;
    }
    Ok(())
}

/// The folders of the corpus, one per target.
fn corpus_targets(corpus: &Path) -> Result<Vec<String>> {
    let entries = corpus
        .read_dir()
        .with_context(|| format!("cannot read {}", corpus.display()))?;
    let mut names: Vec<String> = entries
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    Ok(names)
}

fn build_runner(workspace: &Workspace) -> Result<PathBuf> {
    run_command(
        build_of_binary("gtm-fuzz")
            .arg("--quiet")
            .current_dir(&workspace.root),
    )?;
    let name = format!("gtm-fuzz{}", std::env::consts::EXE_SUFFIX);
    Ok(workspace.target.join("debug").join(name))
}

#[expect(
    clippy::disallowed_methods,
    reason = "each run tries other inputs; it prints the seed, which --seed repeats"
)]
fn seed_of_the_clock() -> u64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_micros()).unwrap_or_default()
}

struct Session<'a> {
    workspace: &'a Workspace,
    runner: PathBuf,
    findings: PathBuf,
    scratch: tempfile::TempDir,
    seconds: u64,
    seed: u64,
}

impl Session<'_> {
    fn target(&self, name: &str) -> Result<()> {
        let current = self.scratch.path().join(format!("{name}.input"));
        let output = Command::new(&self.runner)
            .args(["run", name])
            .args(["--seconds", &self.seconds.to_string()])
            .args(["--seed", &self.seed.to_string()])
            .arg("--corpus")
            .arg(self.workspace.root.join("fuzz/corpus").join(name))
            .arg("--current")
            .arg(&current)
            .stdin(Stdio::null())
            .output()
            .context("the runner does not start")?;
        if output.status.success() {
            print!("fuzz {}", String::from_utf8_lossy(&output.stdout));
            return Ok(());
        }
        let kept = self.keep(&current, name)?;
        bail!(
            "{name}: an input ended the target ({}); it is kept as {}\n{}",
            told(output.status),
            kept.display(),
            String::from_utf8_lossy(&output.stderr).trim()
        )
    }

    /// Copies a finding to the folder where findings are kept.
    fn keep(&self, finding: &Path, name: &str) -> Result<PathBuf> {
        let folder = self.findings.join(name);
        fs::create_dir_all(&folder)?;
        let kept = folder.join(format!("seed-{}", self.seed));
        fs::copy(finding, &kept).with_context(|| format!("cannot keep {}", finding.display()))?;
        Ok(kept)
    }

    /// Runs batches of components until the time is up, at least one.
    fn components(&self) -> Result<()> {
        let generator = self.build_generator()?;
        let began = Instant::now();
        let (mut batches, mut loaded) = (0_u64, false);
        while batches == 0 || began.elapsed() < Duration::from_secs(self.seconds) {
            let seed = self.seed.wrapping_add(batches);
            let folder = self.findings.join(COMPONENTS).join(format!("seed-{seed}"));
            run_command(
                Command::new(&generator)
                    .arg(&folder)
                    .args([BATCH.to_string(), seed.to_string()]),
            )?;
            let told = self.load_and_call(&folder)?;
            println!("fuzz {told} (seed {seed})");
            loaded |= !told.contains(" 0 loaded,");
            fs::remove_dir_all(&folder)?;
            batches += 1;
        }
        // About a quarter of the components load. If none did, the run called nothing and proves nothing.
        if !loaded {
            bail!("no component was loaded: what does the maker of components lack?");
        }
        println!(
            "fuzz components: {} in {} s, none ended or hung the host",
            batches * u64::try_from(BATCH).unwrap_or_default(),
            began.elapsed().as_secs()
        );
        Ok(())
    }

    /// Runs in a separate process, so that a crash or hang of a component is not mistaken for a panic of
    /// xtask.
    fn load_and_call(&self, folder: &Path) -> Result<String> {
        let stdout = self.scratch.path().join("components.out");
        let stderr = self.scratch.path().join("components.err");
        let mut child = Command::new(&self.runner)
            .arg(COMPONENTS)
            .arg(folder)
            .stdin(Stdio::null())
            .stdout(fs::File::create(&stdout)?)
            .stderr(fs::File::create(&stderr)?)
            .spawn()
            .context("the runner does not start")?;
        let until = Instant::now() + BATCH_HANG;
        let ended = loop {
            if let Some(status) = child.try_wait()? {
                break Some(status);
            }
            if Instant::now() > until {
                child.kill()?;
                child.wait()?;
                break None;
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        match ended {
            Some(status) if status.success() => Ok(fs::read_to_string(&stdout)?.trim().to_owned()),
            ended => bail!(
                "components in {} ended or hung the host ({}):\n{}",
                folder.display(),
                ended.map_or_else(|| "it hung".to_owned(), told),
                fs::read_to_string(&stderr)?.trim()
            ),
        }
    }

    fn build_generator(&self) -> Result<PathBuf> {
        let manifest = self.workspace.root.join("fuzz/components/Cargo.toml");
        let target = self.workspace.target.join("fuzz-components");
        capture(
            host_cargo()
                .args(["build", "--quiet", "--locked", "--manifest-path"])
                .arg(&manifest)
                .arg("--target-dir")
                .arg(&target),
        )?;
        let name = format!("gtm-chance-components{}", std::env::consts::EXE_SUFFIX);
        Ok(target.join("debug").join(name))
    }
}

/// How a child ended, as part of a sentence.
fn told(status: ExitStatus) -> String {
    match status.code() {
        Some(2) => "it panicked".to_owned(),
        Some(3) => "it hung".to_owned(),
        _ => status.to_string(),
    }
}
