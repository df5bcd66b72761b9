//! The test programs: one call of cargo compiles them, then several run at a time.
//!
//! Cargo runs test programs one after another, and most of their time is spent waiting: for servers to start,
//! leases to expire, slow peers to answer. Running several at a time uses the whole machine. The
//! documentation's examples, which cargo compiles when it runs them, count as one more program.

use std::collections::VecDeque;
use std::env;
use std::fs::{self, File};
use std::io::{self, BufReader, Write as _};
use std::num::NonZeroUsize;
use std::os::unix::fs::FileExt as _;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use cargo_metadata::Message;

use super::totals::Totals;
use crate::process::{host_cargo, of_no_package};
use crate::workspace::Workspace;

pub struct Program {
    /// Package and target, for messages.
    name: String,
    /// `run` adds the tests' filters as further arguments.
    command: Command,
}

/// Outcome of one run.
struct Outcome {
    name: String,
    succeeded: bool,
    output: Vec<u8>,
    seconds: f64,
}

/// Compiles the whole workspace with its tests and binaries, and returns the test programs in the order in
/// which they should start.
///
/// Always builds the whole workspace: building a part selects other features and recompiles dependencies.
pub fn compile(workspace: &Workspace) -> Result<Vec<Program>> {
    let mut command = host_cargo();
    command
        .current_dir(&workspace.root)
        // `--bins` is necessary: end-to-end tests start the real binary, which cargo would not build for
        // them.
        .args(["build", "--workspace", "--lib", "--bins", "--tests"])
        .arg("--message-format=json-render-diagnostics")
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    let mut child = command.spawn().context("cannot start cargo build")?;
    let output = child.stdout.take().context("cargo's output is piped")?;
    let mut sized = Vec::new();
    for message in Message::parse_stream(BufReader::new(output)) {
        let Message::CompilerArtifact(artifact) = message.context("cannot read cargo's output")?
        else {
            continue;
        };
        let (true, Some(executable)) = (artifact.profile.test, artifact.executable) else {
            continue;
        };
        let package = &workspace.metadata[&artifact.package_id];
        let folder = artifact
            .manifest_path
            .parent()
            .context("a manifest lies in a folder")?;
        let mut command = of_no_package(executable.as_os_str());
        command
            .current_dir(folder)
            .env("CARGO_MANIFEST_DIR", folder);
        if let Some(threads) = threads(&package.metadata)
            && env::var_os(THREADS).is_none()
        {
            command.env(THREADS, threads.to_string());
        }
        let name = if artifact.target.name == package.name.as_str() {
            format!("{} (unit tests)", package.name)
        } else {
            format!("{}: {}", package.name, artifact.target.name)
        };
        let size = fs::metadata(&executable).map_or(0, |file| file.len());
        sized.push((size, Program { name, command }));
    }
    let status = child.wait().context("cannot wait for cargo build")?;
    if !status.success() {
        bail!("the tests do not compile");
    }
    // Programs that drive whole servers are the largest and slowest; start them first, so that a small one
    // ends last.
    sized.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
    let mut programs: Vec<_> = sized.into_iter().map(|(_, program)| program).collect();
    // Second, because the examples take long too.
    programs.insert(programs.len().min(1), examples(workspace));
    Ok(programs)
}

/// The documentation's examples, always of the whole workspace, as above.
fn examples(workspace: &Workspace) -> Program {
    let mut command = host_cargo();
    command.current_dir(&workspace.root).args([
        "test",
        "--workspace",
        "--no-fail-fast",
        "--doc",
        "--",
    ]);
    Program {
        name: "examples in the documentation".to_owned(),
        command,
    }
}

/// The variable for how many of its tests a test program runs at a time.
const THREADS: &str = "RUST_TEST_THREADS";

/// The package's `package.metadata.test-threads-per-core`.
fn threads(metadata: &serde_json::Value) -> Option<usize> {
    let per_core = metadata.get("test-threads-per-core")?.as_u64()?;
    Some(usize::try_from(per_core).ok()? * cores())
}

fn cores() -> usize {
    thread::available_parallelism().map_or(2, NonZeroUsize::get)
}

/// One more than the number of cores, because the programs wait a lot.
pub fn default_jobs() -> usize {
    cores() + 1
}

/// Runs the programs with these filters, `jobs` at a time, shows the output of each when it ends, and adds up
/// their results. `prepare` sets the environment of each. Returns whether all succeeded.
pub fn run(
    programs: Vec<Program>,
    jobs: usize,
    filters: &[String],
    prepare: &(dyn Fn(&mut Command) + Sync),
    totals: &mut Totals,
) -> Result<bool> {
    let waiting = Mutex::new(VecDeque::from(programs));
    let (send, receive) = mpsc::channel();
    let mut passed = true;
    thread::scope(|scope| -> Result<()> {
        for _ in 0..jobs.max(1) {
            let (waiting, send) = (&waiting, send.clone());
            scope.spawn(move || {
                loop {
                    let next = waiting
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .pop_front();
                    let Some(program) = next else { return };
                    let ran = run_one(program, filters, prepare);
                    if send.send(ran).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        for ran in receive {
            let outcome = ran?;
            passed &= outcome.succeeded;
            let mut shown = std::io::stdout().lock();
            writeln!(shown, "\n     {} ({:.0} s)", outcome.name, outcome.seconds)?;
            for line in outcome.output.split_inclusive(|byte| *byte == b'\n') {
                totals.add(&String::from_utf8_lossy(line));
                shown.write_all(line)?;
            }
            shown.flush()?;
        }
        Ok(())
    })?;
    Ok(passed)
}

fn run_one(
    Program { name, mut command }: Program,
    filters: &[String],
    prepare: &(dyn Fn(&mut Command) + Sync),
) -> Result<Outcome> {
    let started = Instant::now();
    // Use a file, not a pipe: a process that a test leaves behind may hold a pipe open and block this read.
    let file = tempfile::tempfile().context("cannot make a temporary file")?;
    command
        .args(filters)
        .stdin(Stdio::null())
        .stdout(file.try_clone().context("cannot share a file")?)
        .stderr(file.try_clone().context("cannot share a file")?);
    prepare(&mut command);
    let status = command
        .status()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    let mut output = read_whole(&file).context("cannot read what a test printed")?;
    if !status.success() {
        output.extend_from_slice(format!("{name}: {status}\n").as_bytes());
    }
    Ok(Outcome {
        name,
        succeeded: status.success(),
        output,
        seconds: started.elapsed().as_secs_f64(),
    })
}

/// The file's whole current content.
///
/// **All copies of this handle share its position**, and a process that a test left behind may still write
/// through one. So nothing here moves the position: each read names its offset.
fn read_whole(file: &File) -> io::Result<Vec<u8>> {
    let mut whole = Vec::new();
    let mut piece = [0; 64 * 1024];
    loop {
        match file.read_at(&mut piece, whole.len() as u64) {
            Ok(0) => return Ok(whole),
            Ok(length) => whole.extend_from_slice(&piece[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn a_package_says_how_many_of_its_tests_run_at_a_time() {
        let said = |metadata| threads(&metadata);
        assert_eq!(said(serde_json::Value::Null), None);
        assert_eq!(said(serde_json::json!({"other": 2})), None);
        let two = serde_json::json!({"test-threads-per-core": 2});
        assert_eq!(said(two), Some(2 * cores()));
    }

    #[test]
    fn reading_a_log_does_not_move_those_who_write_it() {
        let file = tempfile::tempfile().unwrap();
        let mut straggler = file.try_clone().unwrap();
        let long = vec![b'a'; 100_000];
        straggler.write_all(&long).unwrap();
        assert!(read_whole(&file).unwrap() == long);
        straggler.write_all(b"b").unwrap();
        assert!(read_whole(&file).unwrap() == [long, b"b".to_vec()].concat());
    }
}
