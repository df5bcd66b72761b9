//! `gtm-fuzz` runs a target on mutated inputs for a while. `cargo xtask fuzz` starts it as a child process,
//! so that an input that kills the process is found too.
#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool for developers: what it was asked for goes to standard output"
)]

use std::ffi::OsString;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::{Parser, Subcommand};
use gtm_fuzz_targets::mutate::Pool;
use gtm_fuzz_targets::{Target, components, target};
use rustix::process::{Resource, Rlimit, setrlimit};

/// Time limit for one input, generous enough for a busy machine.
const HANG: Duration = Duration::from_secs(20);
/// Memory limit of the process in bytes. An input that needs more is a finding.
const MEMORY: u64 = 3 << 30;

#[derive(Parser)]
#[command(name = "gtm-fuzz")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Mutate inputs of the corpus and run the target on them
    Run {
        /// Name of the target
        target: String,
        /// How many seconds to run
        #[arg(long)]
        seconds: u64,
        /// Folder with the kept inputs
        #[arg(long)]
        corpus: PathBuf,
        /// File that holds the current input; if this process dies, the file is the finding
        #[arg(long)]
        current: PathBuf,
        /// Seed of the random numbers; the same seed makes the same inputs
        #[arg(long)]
        seed: u64,
    },
    /// Run the target on these files only
    Replay {
        /// Name of the target
        target: String,
        /// Inputs
        files: Vec<PathBuf>,
    },
    /// Load a folder of random components as plug-ins, and call those that load
    Components {
        /// Folder with `*.wasm`
        folder: PathBuf,
    },
    /// The runtime starts this to compile one component
    #[command(hide = true)]
    Compile {
        #[arg(trailing_var_arg = true)]
        limits: Vec<OsString>,
    },
}

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Compile { limits } => {
            return gtm_runtime::compile::compile_child_main(&limits);
        }
        Command::Components { folder } => println!("{}", components::load_and_call(&folder)),
        Command::Replay {
            target: name,
            files,
        } => {
            for file in files {
                let input = fs::read(&file).expect("the file can be read");
                println!("{}: {}", file.display(), (target(&name).run)(&input));
            }
        }
        Command::Run {
            target: name,
            seconds,
            corpus,
            current,
            seed,
        } => {
            // An input that allocates too much memory would kill the process elsewhere, so it must fail
            // here too.
            let bound = Rlimit {
                current: Some(MEMORY),
                maximum: Some(MEMORY),
            };
            setrlimit(Resource::Data, bound).expect("memory can be bounded");
            return run(
                target(&name),
                Duration::from_secs(seconds),
                &corpus,
                &current,
                seed,
            );
        }
    }
    ExitCode::SUCCESS
}

/// Milliseconds from the start of the process to the start of the current input; 0 between two inputs.
static BEGAN: AtomicU64 = AtomicU64::new(0);

fn run(target: Target, span: Duration, corpus: &Path, current: &Path, seed: u64) -> ExitCode {
    let start = Instant::now();
    let now = move || u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX) + 1;
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_secs(1));
            let began = BEGAN.load(Ordering::SeqCst);
            if began != 0 && u128::from(now() - began) > HANG.as_millis() {
                eprintln!("an input took longer than {HANG:?}");
                std::process::exit(3);
            }
        }
    });
    let kept = read_corpus(corpus);
    let mut pool = Pool::new(target, kept.clone(), seed);
    let mut waiting = kept.into_iter();
    let mut runs: u64 = 0;
    let mut slowest = Duration::ZERO;
    while start.elapsed() < span {
        let input = waiting.next().unwrap_or_else(|| pool.next_input());
        fs::write(current, &input).expect("the present input can be written");
        let began = Instant::now();
        BEGAN.store(now(), Ordering::SeqCst);
        let outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(&input)));
        BEGAN.store(0, Ordering::SeqCst);
        slowest = slowest.max(began.elapsed());
        match outcome {
            Ok(word) => drop(pool.heard(input, word)),
            // The panic has already printed its message on standard error.
            Err(_) => return ExitCode::from(2),
        }
        runs += 1;
    }
    println!(
        "{}: {runs} inputs in {} s, {} outcomes, slowest {} ms, seed {seed}",
        target.name,
        start.elapsed().as_secs(),
        pool.words(),
        slowest.as_millis()
    );
    ExitCode::SUCCESS
}

fn read_corpus(folder: &Path) -> Vec<Vec<u8>> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let read = files.iter().map(fs::read);
    read.map(|bytes| bytes.expect("the corpus can be read"))
        .collect()
}
