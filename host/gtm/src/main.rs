//! The binary: configuration, wiring, and the operators' command line. The crates below do the work; this
//! one puts them together.
#![forbid(unsafe_code)]

mod backlog_gauges;
mod cli;
mod commands;
mod configuration;
mod credential_input;
mod data_directory;
mod descriptors;
mod document_fonts;
mod exposition;
mod failure;
mod help;
mod installation;
mod json_input;
mod logging;
mod operator_name;
mod output;
mod provider_windows;
mod system_clock;

use std::process::ExitCode;

use rustix::fs::Mode;

use crate::cli::{Cli, Command};
use crate::failure::Failure;

fn main() -> ExitCode {
    // Whatever this process creates (database, evidence, results, keys) is accessible only to its user.
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
    let cli = help::parse();
    if let Command::CompileComponent { limits } = &cli.command {
        // The child limits itself before it reads its input; nothing of the host may be set up in it.
        return gtm_runtime::compile::compile_child_main(limits);
    }
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::report(&failure);
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| {
            Failure::new(format!("the asynchronous runtime did not start: {error}"))
        })?;
    let done = runtime.block_on(commands::run(cli));
    // Blocking work that outlives its command, such as a compilation, must not delay the exit.
    runtime.shutdown_background();
    done
}
