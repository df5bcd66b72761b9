//! `cargo xtask …`: build the plug-ins, try the product, test it, check its structure.
//!
//! One subcommand a module. Nothing of the product lives here; the product is in `host/`,
//! `plugins/` and `connectors/`.
#![forbid(unsafe_code)]
#![expect(
    clippy::print_stdout,
    reason = "a command-line tool: what it was asked for goes to standard output, all else to standard error"
)]

mod bench;
mod contract;
mod layers;
mod loopback;
mod openapi;
mod plugins;
mod process;
mod quickstart;
mod test_run;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Build, try, test and check gtm.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    Quickstart(quickstart::Args),
    Plugins(plugins::Args),
    Test(test_run::Args),
    Contract(contract::Args),
    Layers(layers::Args),
    Openapi(openapi::Args),
    Bench(bench::Args),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Task::Quickstart(args) => quickstart::run(&args),
        Task::Plugins(args) => plugins::run(&args),
        Task::Test(args) => test_run::run(&args),
        Task::Contract(args) => contract::run(&args),
        Task::Layers(args) => layers::run(&args),
        Task::Openapi(args) => openapi::run(&args),
        Task::Bench(args) => bench::run(&args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
