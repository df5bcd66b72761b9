//! `cargo xtask mutants`: breaks the rules that keep tenants and hosts apart, one at a time, and runs
//! the tests that should notice.
//!
//! All mutants are compiled in at once, each behind a switch that an environment variable turns on. A mutant
//! therefore costs one run of some tests but no build.

mod subjects;
mod switches;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use cargo_metadata::Message;
use cargo_metadata::diagnostic::DiagnosticLevel;

use crate::plugins::{self, Purpose};
use crate::process::{capture, host_cargo};
use crate::test_run::set_catalog_variables;
use crate::workspace::Workspace;
use subjects::{SUBJECTS, Subject, Tests};
use switches::{Switched, VARIABLE, switched};

/// Break the rules of scopes, permits and redirects one at a time, and see whether tests notice.
///
/// Changes files in the checkout for one build and restores them before the tests run; refuses to touch a
/// file with uncommitted changes. If this command is killed while it builds, restore the files with `git
/// checkout`.
#[derive(clap::Args)]
pub struct Args {
    /// Only these subjects: scopes, permit, credentials, redirects, courses, known-packages, consent,
    /// callers, lookups, lookup-turns, repeated-keys, room
    #[arg(value_name = "SUBJECT")]
    subjects: Vec<String>,
    /// List the mutants and stop
    #[arg(long)]
    list: bool,
    /// Try only every N-th mutant
    #[arg(long, default_value_t = 1)]
    every: usize,
}

/// One change to the code.
#[derive(Debug, Clone)]
struct Mutant {
    /// Value of the environment variable that turns it on.
    number: usize,
    subject: &'static str,
    tests: &'static [Tests],
    file: PathBuf,
    line: usize,
    rule: String,
}

/// Outcome of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// A test failed.
    Noticed,
    /// The tests did not end; people would notice that, too.
    Hung,
    /// All tests passed.
    Missed,
}

/// The source files with their switches.
struct Sources {
    /// By file: its original text, and the text that is compiled.
    texts: BTreeMap<PathBuf, (String, Switched)>,
    mutants: Vec<Mutant>,
    /// Number of rules that cannot have a switch.
    left_out: usize,
}

/// Lists or tries the mutants.
pub fn run(args: &Args) -> Result<()> {
    let workspace = Workspace::load()?;
    let known: Vec<&str> = SUBJECTS.iter().map(|subject| subject.name).collect();
    if let Some(unknown) = args.subjects.iter().find(|s| !known.contains(&s.as_str())) {
        bail!(
            "there is no subject {unknown}; there are: {}",
            known.join(", ")
        );
    }
    let wanted = |subject: &&Subject| {
        args.subjects.is_empty() || args.subjects.iter().any(|name| name == subject.name)
    };
    let subjects: Vec<&Subject> = SUBJECTS.iter().filter(wanted).collect();
    let mut sources = Sources::with_switches(&workspace.root, &subjects, &[])?;
    if args.list {
        for mutant in sources.mutants.iter().step_by(args.every.max(1)) {
            println!("{}", mutant.told(&workspace));
        }
        println!("{} mutants in all", sources.mutants.len());
        return Ok(());
    }

    plugins::build_product(&workspace, Purpose::Development)?;
    plugins::build_fixtures(&workspace, Purpose::Development)?;
    let (programs, unbuildable) = build(&workspace, &subjects, &mut sources)?;
    let mut limits = BTreeMap::new();
    for tests in all_tests(&subjects) {
        let started = Instant::now();
        let fate = programs.run(&workspace, tests, 0, Duration::MAX)?;
        ensure!(
            fate == Fate::Missed,
            "{} {:?} fail without any mutant",
            tests.program,
            tests.filters
        );
        // Some mutants make a loop endless, so each run has a time limit.
        limits.insert(tests, started.elapsed() * 5 + Duration::from_secs(30));
    }

    let mut scores: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut missed = Vec::new();
    for mutant in sources.mutants.iter().step_by(args.every.max(1)) {
        let mut fate = Fate::Missed;
        for tests in mutant.tests {
            let limit = limits.get(tests).copied().unwrap_or(Duration::MAX);
            fate = programs.run(&workspace, *tests, mutant.number, limit)?;
            if fate != Fate::Missed {
                break;
            }
        }
        println!("{fate:?}: {}", mutant.told(&workspace));
        let score = scores.entry(mutant.subject).or_default();
        score.1 += 1;
        if fate == Fate::Missed {
            missed.push(mutant.told(&workspace));
        } else {
            score.0 += 1;
        }
    }
    for (subject, (noticed, tried)) in &scores {
        println!("{subject}: {noticed} of {tried} noticed");
    }
    println!(
        "mutants: {} of {} noticed; {unbuildable} did not compile, {} rules are where no switch can stand",
        scores.values().map(|score| score.0).sum::<usize>(),
        scores.values().map(|score| score.1).sum::<usize>(),
        sources.left_out
    );
    if !missed.is_empty() {
        bail!("no test noticed:\n{}", missed.join("\n"));
    }
    Ok(())
}

/// Whether a test program belongs to a library rather than to a `tests` folder.
fn is_library(program: &str) -> bool {
    program.starts_with("gtm_")
}

/// The tests of these subjects, without duplicates.
fn all_tests(subjects: &[&Subject]) -> BTreeSet<Tests> {
    let all = subjects.iter().flat_map(|subject| subject.tests);
    all.copied().collect()
}

impl Sources {
    fn with_switches(root: &Path, subjects: &[&Subject], without: &[usize]) -> Result<Self> {
        let mut all = Self {
            texts: BTreeMap::new(),
            mutants: Vec::new(),
            left_out: 0,
        };
        let mut number = 1;
        for subject in subjects {
            let before = all.mutants.len();
            for file in files(root, subject.places)? {
                let text = fs::read_to_string(&file)
                    .with_context(|| format!("cannot read {}", file.display()))?;
                let done = switched(&text, subject.functions, subject.rules, number, without)
                    .with_context(|| file.display().to_string())?;
                number = done.next;
                all.left_out += done.left_out.len();
                all.mutants.extend(done.places.iter().map(|place| Mutant {
                    number: place.number,
                    subject: subject.name,
                    tests: subject.tests,
                    file: file.clone(),
                    line: place.line,
                    rule: place.rule.clone(),
                }));
                if !done.places.is_empty() {
                    ensure!(
                        all.texts.insert(file.clone(), (text, done)).is_none(),
                        "{} belongs to two subjects",
                        file.display()
                    );
                }
            }
            if all.mutants.len() == before {
                bail!(
                    "{}: nothing to change in {}: was it moved?",
                    subject.name,
                    subject.places.join(", ")
                );
            }
        }
        Ok(all)
    }
}

fn files(root: &Path, places: &[&str]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for place in places {
        let path = root.join(place);
        if path.is_dir() {
            for entry in path.read_dir()? {
                files.push(entry?.path());
            }
        } else {
            files.push(path);
        }
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "rs"));
    files.sort();
    Ok(files)
}

/// Test programs that contain all mutants, by target name.
struct Programs(BTreeMap<String, Program>);

struct Program {
    /// A copy, so that the next build does not change it.
    executable: PathBuf,
    /// The folder in which cargo would run it.
    folder: PathBuf,
}

/// Builds the test programs. Drops and counts mutants that do not compile.
fn build(
    workspace: &Workspace,
    subjects: &[&Subject],
    sources: &mut Sources,
) -> Result<(Programs, usize)> {
    for file in sources.texts.keys() {
        let changed = capture(
            Command::new("git")
                .current_dir(&workspace.root)
                .args(["status", "--porcelain", "--"])
                .arg(file),
        )?;
        ensure!(
            changed.is_empty(),
            "{} has uncommitted changes",
            file.display()
        );
    }
    let mut without = Vec::new();
    loop {
        match try_to_build(workspace, subjects, sources)? {
            Built::All(programs) => return Ok((programs, without.len())),
            Built::Not(lines) => {
                let refused: Vec<usize> = sources
                    .mutants
                    .iter()
                    .filter(|mutant| lines.contains(&(mutant.file.clone(), mutant.line)))
                    .map(|mutant| mutant.number)
                    .collect();
                ensure!(
                    !refused.is_empty(),
                    "the tests do not compile, and not because of a mutant: {lines:?}"
                );
                without.extend(refused);
                *sources = Sources::with_switches(&workspace.root, subjects, &without)?;
            }
        }
    }
}

enum Built {
    All(Programs),
    /// The places of the compiler's errors.
    Not(BTreeSet<(PathBuf, usize)>),
}

fn try_to_build(workspace: &Workspace, subjects: &[&Subject], sources: &Sources) -> Result<Built> {
    let mut restored = Vec::new();
    for (file, (text, switched)) in &sources.texts {
        restored.push(Restored(file, text));
        fs::write(file, &switched.text)?;
    }
    let mut command = host_cargo();
    command
        .current_dir(&workspace.root)
        .args(["test", "--workspace", "--no-run", "--lib"])
        .args(["--message-format", "json"]);
    let wanted = all_tests(subjects);
    for tests in wanted.iter().filter(|tests| !is_library(tests.program)) {
        command.args(["--test", tests.program]);
    }
    let mut cargo = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .context("cannot start cargo")?;
    let output = cargo.stdout.take().context("the output is piped")?;
    let folder = workspace.target.join("mutants");
    fs::create_dir_all(&folder)?;
    let (mut programs, mut errors) = (BTreeMap::new(), BTreeSet::new());
    for message in Message::parse_stream(BufReader::new(output)) {
        match message.context("cannot read what cargo says")? {
            Message::CompilerArtifact(artifact) => {
                let name = artifact.target.name.replace('-', "_");
                let Some(built) = artifact.executable else {
                    continue;
                };
                if artifact.profile.test && wanted.iter().any(|tests| tests.program == name) {
                    let manifest = artifact.manifest_path.into_std_path_buf();
                    programs.insert(name, (built.into_std_path_buf(), manifest));
                }
            }
            Message::CompilerMessage(said) if said.message.level == DiagnosticLevel::Error => {
                for span in said.message.spans {
                    for line in span.line_start..=span.line_end {
                        errors.insert((workspace.root.join(&span.file_name), line));
                    }
                }
            }
            _ => {}
        }
    }
    if !cargo.wait()?.success() {
        return Ok(Built::Not(errors));
    }
    drop(restored);
    let mut copies = BTreeMap::new();
    for (name, (built, manifest)) in programs {
        let executable = folder.join(&name);
        fs::copy(&built, &executable)
            .with_context(|| format!("cannot copy {}", built.display()))?;
        let folder = manifest.parent().unwrap_or(&workspace.root).to_owned();
        copies.insert(name, Program { executable, folder });
    }
    Ok(Built::All(Programs(copies)))
}

impl Programs {
    /// Runs tests with one mutant turned on; 0 turns none on.
    fn run(
        &self,
        workspace: &Workspace,
        tests: Tests,
        mutant: usize,
        limit: Duration,
    ) -> Result<Fate> {
        let program = self
            .0
            .get(tests.program)
            .with_context(|| format!("there is no test program {}", tests.program))?;
        let mut command = Command::new(&program.executable);
        command
            .current_dir(&program.folder)
            .env("CARGO_MANIFEST_DIR", &program.folder)
            .env(VARIABLE, mutant.to_string())
            // Do not save or shrink the inputs that fail because of a mutant; few inputs are enough to notice
            // it.
            .env("PROPTEST_CASES", "32")
            .env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1")
            .env("PROPTEST_MAX_SHRINK_ITERS", "0")
            .args(tests.filters)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        set_catalog_variables(&mut command, workspace, Purpose::Development);
        let started = Instant::now();
        let mut running = command
            .spawn()
            .with_context(|| format!("cannot start {}", program.executable.display()))?;
        let output = running.stdout.take().context("the output is piped")?;
        let one_failed = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&one_failed);
        // The thread ends with the program; nothing joins it.
        thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                if line.ends_with(b" ... FAILED") {
                    seen.store(true, Ordering::Relaxed);
                }
            }
        });
        // Killing any other program would leave the servers running that it started.
        let may_be_killed = is_library(tests.program);
        loop {
            if may_be_killed && one_failed.load(Ordering::Relaxed) {
                running.kill()?;
                running.wait()?;
                return Ok(Fate::Noticed);
            }
            if let Some(status) = running.try_wait()? {
                return Ok(if status.success() {
                    Fate::Missed
                } else {
                    Fate::Noticed
                });
            }
            if started.elapsed() > limit {
                running.kill()?;
                running.wait()?;
                return Ok(Fate::Hung);
            }
            thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Mutant {
    fn told(&self, workspace: &Workspace) -> String {
        format!(
            "{} {}:{}: `{}`",
            self.subject,
            workspace.relative(&self.file),
            self.line,
            self.rule
        )
    }
}

/// Restores a file when dropped.
struct Restored<'a>(&'a Path, &'a str);

impl Drop for Restored<'_> {
    fn drop(&mut self) {
        if let Err(error) = fs::write(self.0, self.1) {
            eprintln!("{} could not be put back: {error}", self.0.display());
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    #[test]
    fn every_subject_is_where_it_is_looked_for() {
        let root = Workspace::load().unwrap().root;
        for subject in SUBJECTS {
            for file in files(&root, subject.places).unwrap() {
                let text = fs::read_to_string(&file).unwrap();
                for function in subject.functions {
                    let named = |sign: char| text.contains(&format!("fn {function}{sign}"));
                    assert!(named('(') || named('<'), "{function} in {file:?}");
                }
            }
            let sources = Sources::with_switches(&root, &[subject], &[]).unwrap();
            assert!(!sources.mutants.is_empty(), "{}", subject.name);
        }
    }
}
