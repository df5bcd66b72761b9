//! The test programs: one call of cargo compiles them, then several run at a time.
//!
//! Cargo runs test programs one after another, and most of their time is spent waiting: for servers to start,
//! leases to expire, slow peers to answer. Running several at a time uses the whole machine. A program that
//! takes longer than all others is run in parts, so that the machine stays busy to the end. The
//! documentation's examples, which cargo compiles when it runs them, count as one more program.
//!
//! `cargo nextest` would not help: it runs each test in a process of its own, and each process of ours that
//! needs PostgreSQL starts one, because the tests of a process share it.

use std::env;
use std::fs::{self, File};
use std::io::{self, BufReader, Write as _};
use std::os::unix::fs::FileExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Condvar, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use cargo_metadata::Message;
use rustix::param::clock_ticks_per_second;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::totals::Totals;
use crate::cores::cores;
use crate::process::{capture, host_cargo, of_no_package};
use crate::workspace::Workspace;

pub struct Program {
    /// Package and target, for messages.
    name: String,
    /// `run` adds the tests' filters as further arguments.
    command: Command,
    /// How many of its tests run at the same time.
    threads: usize,
}

/// Outcome of one run.
struct Outcome {
    name: String,
    status: ExitStatus,
    output: Vec<u8>,
    seconds: f64,
    /// Seconds that it and its children computed, where the system tells.
    computed: Option<f64>,
}

/// Compiles the whole workspace with its tests and binaries, and returns the test programs in the order in
/// which they should start. `filters` choose the tests of those that run in parts.
///
/// Always builds the whole workspace: building a part selects other features and recompiles dependencies.
pub fn compile(workspace: &Workspace, filters: &[String]) -> Result<Vec<Program>> {
    let mut command = host_cargo();
    command
        .current_dir(&workspace.root)
        // `--bins` is necessary: end-to-end tests start the real binary, which cargo would not build for
        // them. Benchmarks that cargo does not tell to measure try each of their cases for a moment.
        .args([
            "build",
            "--workspace",
            "--lib",
            "--bins",
            "--tests",
            "--benches",
        ])
        .arg("--message-format=json-render-diagnostics")
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    let mut child = command.spawn().context("cannot start cargo build")?;
    let output = child.stdout.take().context("cargo's output is piped")?;
    let (mut sized, mut long) = (Vec::new(), Vec::new());
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
        let program = || {
            let mut command = of_no_package(executable.as_os_str());
            command
                .current_dir(folder)
                .env("CARGO_MANIFEST_DIR", folder);
            command
        };
        let name = if artifact.target.name == package.name.as_str() {
            format!("{} (unit tests)", package.name)
        } else {
            format!("{}: {}", package.name, artifact.target.name)
        };
        // A benchmark knows no filters: it has one test, of its own name.
        let is_bench = artifact.target.is_bench();
        if is_bench && !filters.is_empty() && !filters.iter().any(|filter| name.contains(filter)) {
            continue;
        }
        let filters = if is_bench { &[][..] } else { filters };
        let size = fs::metadata(&executable).map_or(0, |file| file.len());
        match parts(&package.metadata) {
            Some(parts) if artifact.target.is_test() => {
                let tests = names(&mut program(), filters)?;
                let parts = dealt(&tests, parts);
                for (number, tests) in (1..).zip(&parts) {
                    let mut command = program();
                    command.arg("--exact").args(tests).env(THREADS, "1");
                    long.push(Program {
                        name: format!("{name}, part {number} of {}", parts.len()),
                        command,
                        threads: 1,
                    });
                }
            }
            _ => sized.push((
                size,
                Program {
                    name,
                    command: filtered(program(), filters),
                    threads: threads(),
                },
            )),
        }
    }
    let status = child.wait().context("cannot wait for cargo build")?;
    if !status.success() {
        bail!("the tests do not compile");
    }
    // Large programs mostly run longest; they start first, so that a small one ends last.
    sized.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
    let mut whole = sized.into_iter().map(|(_, program)| program);
    // The examples are compiled first, which may take long.
    let mut programs = Vec::from_iter(examples(workspace, filters));
    // Parts wait more than they compute, so each starts beside a program that computes.
    for part in long {
        programs.push(part);
        programs.extend(whole.next());
    }
    programs.extend(whole);
    Ok(programs)
}

/// The command with the tests' filters as further arguments.
fn filtered(mut command: Command, filters: &[String]) -> Command {
    command.args(filters);
    command
}

/// The names of the program's tests that match the filters.
fn names(program: &mut Command, filters: &[String]) -> Result<Vec<String>> {
    let list = capture(program.args(["--list", "--format", "terse"]).args(filters))?;
    let names = list.lines().filter_map(|line| line.strip_suffix(": test"));
    Ok(names.map(str::to_owned).collect())
}

/// Deals the tests out. Neighbours, which are often the same test on two databases, come into different
/// parts; a part without tests is left out, because without a name a program runs all of its tests.
fn dealt(tests: &[String], parts: usize) -> Vec<Vec<&String>> {
    (0..parts)
        .map(|part| tests.iter().skip(part).step_by(parts).collect())
        .filter(|tests: &Vec<_>| !tests.is_empty())
        .collect()
}

/// The documentation's examples, of the libraries that have some (`cargo xtask layers` checks that their manifests say so).
/// DANGER: `cargo test --workspace --doc` does not look at `doctest = false`: it reads every crate, and compiles those
/// again that have other features without the tests.
fn examples(workspace: &Workspace, filters: &[String]) -> Option<Program> {
    let mut command = host_cargo();
    command
        .current_dir(&workspace.root)
        .args(["test", "--no-fail-fast", "--doc"]);
    let packages = workspace.metadata.workspace_packages().into_iter();
    let mut with_examples = packages
        .filter(|package| package.targets.iter().any(|target| target.doctest))
        .peekable();
    with_examples.peek()?;
    for package in with_examples {
        command.args(["--package", package.name.as_str()]);
    }
    command.arg("--");
    Some(Program {
        name: "examples in the documentation".to_owned(),
        command: filtered(command, filters),
        threads: threads(),
    })
}

/// The variable for how many of its tests a test program runs at a time.
const THREADS: &str = "RUST_TEST_THREADS";

/// How many of its tests a test program runs at a time.
fn threads() -> usize {
    let asked = env::var(THREADS).ok().and_then(|text| text.parse().ok());
    asked.unwrap_or_else(cores)
}

/// The package's `package.metadata.test-parts`: in how many parts its programs of tests run.
fn parts(metadata: &serde_json::Value) -> Option<usize> {
    usize::try_from(metadata.get("test-parts")?.as_u64()?).ok()
}

/// Two for each core and one more, because the tests wait a lot. With three for each core, statements of some
/// tests took longer than their time limit.
pub fn default_jobs() -> usize {
    2 * cores() + 1
}

/// The tests that may still start: how many more may run at the same time.
struct Free {
    tests: Mutex<usize>,
    changed: Condvar,
}

impl Free {
    fn new(tests: usize) -> Self {
        Self {
            tests: Mutex::new(tests),
            changed: Condvar::new(),
        }
    }

    fn take(&self, tests: usize) {
        let free = self.tests.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free = self
            .changed
            .wait_while(free, |free| *free < tests)
            .unwrap_or_else(PoisonError::into_inner);
        *free -= tests;
    }

    fn give_back(&self, tests: usize) {
        *self.tests.lock().unwrap_or_else(PoisonError::into_inner) += tests;
        self.changed.notify_all();
    }
}

/// Runs the programs, about `jobs` tests at a time, shows the output of each when it ends, and adds up their
/// results. `prepare` sets the environment of each. Returns whether all succeeded.
pub fn run(
    programs: Vec<Program>,
    jobs: usize,
    prepare: &(dyn Fn(&mut Command) + Sync),
    totals: &mut Totals,
) -> Result<bool> {
    let jobs = jobs.max(1);
    let free = Free::new(jobs);
    let (send, receive) = mpsc::channel();
    let mut passed = true;
    thread::scope(|scope| -> Result<()> {
        let free = &free;
        scope.spawn(move || {
            for program in programs {
                // One that runs more tests at a time than there are places has all of them.
                let places = program.threads.min(jobs);
                free.take(places);
                let send = send.clone();
                scope.spawn(move || {
                    let ran = run_one(program, prepare);
                    free.give_back(places);
                    // Nobody listens any more after an error of another program.
                    let _ = send.send(ran);
                });
            }
        });
        for ran in receive {
            let outcome = ran?;
            if !outcome.status.success() {
                passed = false;
                let output = String::from_utf8_lossy(&outcome.output);
                totals.add_failure(&outcome.name, &outcome.status.to_string(), &output);
            }
            let mut shown = std::io::stdout().lock();
            let computed = outcome.computed.map_or(String::new(), |seconds| {
                format!(", {seconds:.0} s of them computing")
            });
            writeln!(
                shown,
                "\n     {} ({:.0} s{computed})",
                outcome.name, outcome.seconds
            )?;
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
    Program {
        name, mut command, ..
    }: Program,
    prepare: &(dyn Fn(&mut Command) + Sync),
) -> Result<Outcome> {
    let started = Instant::now();
    // Use a file, not a pipe: a process that a test leaves behind may hold a pipe open and block this read.
    let file = tempfile::tempfile().context("cannot make a temporary file")?;
    command
        .stdin(Stdio::null())
        .stdout(file.try_clone().context("cannot share a file")?)
        .stderr(file.try_clone().context("cannot share a file")?);
    prepare(&mut command);
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    let computed = computed_by(&child);
    let status = child.wait().context("cannot wait for a test program")?;
    let mut output = read_whole(&file).context("cannot read what a test printed")?;
    if !status.success() {
        output.extend_from_slice(format!("{name}: {status}\n").as_bytes());
    }
    Ok(Outcome {
        name,
        status,
        output,
        seconds: started.elapsed().as_secs_f64(),
        computed,
    })
}

/// Waits for the process to end and returns how many seconds it and the children that it waited for computed.
///
/// It stays to be waited for, because the system forgets the figure with the process.
fn computed_by(child: &Child) -> Option<f64> {
    let id = Pid::from_child(child);
    waitid(
        WaitId::Pid(id),
        WaitIdOptions::EXITED | WaitIdOptions::NOWAIT,
    )
    .ok()?;
    let line = fs::read_to_string(format!("/proc/{}/stat", id.as_raw_nonzero())).ok()?;
    computed_in(&line)
}

/// The seconds of a line of `/proc/PID/stat`. The name in parentheses may hold anything.
fn computed_in(line: &str) -> Option<f64> {
    /// The figures for the process and its children, counted from the one behind the name; `man 5 proc`.
    const FIGURES: std::ops::Range<usize> = 11..15;
    let (_, behind) = line.rsplit_once(')')?;
    let figures: Vec<&str> = behind.split_whitespace().collect();
    let ticks: f64 = figures
        .get(FIGURES)?
        .iter()
        .map(|figure| figure.parse::<f64>().ok())
        .sum::<Option<f64>>()?;
    #[expect(clippy::cast_precision_loss, reason = "a hundred or a thousand")]
    let ticks_per_second = clock_ticks_per_second() as f64;
    Some(ticks / ticks_per_second)
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
    fn a_package_says_in_how_many_parts_its_tests_run() {
        assert_eq!(parts(&serde_json::Value::Null), None);
        assert_eq!(parts(&serde_json::json!({"other": 2})), None);
        assert_eq!(parts(&serde_json::json!({"test-parts": 2})), Some(2));
    }

    #[test]
    fn every_test_is_in_one_part_and_no_part_is_empty() {
        let tests: Vec<String> = (0..7).map(|n| format!("t{n}")).collect();
        for parts in 1..10 {
            let dealt = dealt(&tests, parts);
            assert_eq!(dealt.len(), parts.min(7));
            let mut all: Vec<_> = dealt.concat();
            all.sort();
            assert!(all.into_iter().eq(&tests), "{parts}");
        }
    }

    #[test]
    fn no_more_tests_run_at_a_time_than_allowed() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        let free = Free::new(3);
        let (running, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for tests in [1, 2, 3, 2, 1, 1] {
                let (free, running, most) = (&free, &running, &most);
                scope.spawn(move || {
                    free.take(tests);
                    let now = running.fetch_add(tests, Ordering::SeqCst) + tests;
                    most.fetch_max(now, Ordering::SeqCst);
                    running.fetch_sub(tests, Ordering::SeqCst);
                    free.give_back(tests);
                });
            }
        });
        assert!(most.into_inner() <= 3);
        assert_eq!(free.tests.into_inner().unwrap(), 3);
    }

    #[test]
    fn computing_is_counted_with_that_of_the_children() {
        let line = "7 (a) b) S 1 7 7 0 -1 4194560 1 2 3 4 100 200 300 400 20 0 1 0 5 6 7";
        #[expect(clippy::cast_precision_loss, reason = "a hundred or a thousand")]
        let expected = 1000.0 / clock_ticks_per_second() as f64;
        assert_eq!(computed_in(line), Some(expected));
        assert_eq!(computed_in("7 (a) S 1"), None);
        let mut busy = Command::new("sh");
        busy.args(["-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"]);
        let mut child = busy.spawn().unwrap();
        let computed = computed_by(&child);
        assert!(child.wait().unwrap().success());
        if cfg!(target_os = "linux") {
            assert!(computed.unwrap() > 0.0);
        }
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
