//! `cargo xtask …`: build the plug-ins, try the product, test it, check its structure.
//!
//! Each module is one subcommand. The product itself is elsewhere: in `host/`, `evidence/`, `plugins/` and
//! `connectors/`.
#![forbid(unsafe_code)]
#![expect(
    clippy::print_stdout,
    reason = "a command-line tool: what it was asked for goes to standard output, all else to standard error"
)]

mod advisories;
mod bench;
mod contract;
mod cores;
mod documents;
mod fuzz;
mod gallery;
mod layers;
mod loopback;
mod mutants;
mod openapi;
mod plugins;
mod process;
mod quickstart;
mod rendering;
mod test_run;
mod tools;
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
    Documents(documents::Args),
    Gallery(gallery::Args),
    Layers(layers::Args),
    Advisories(advisories::Args),
    Fuzz(fuzz::Args),
    Mutants(mutants::Args),
    Openapi(openapi::Args),
    Tools(tools::Args),
    Bench(bench::Args),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Task::Quickstart(args) => quickstart::run(&args),
        Task::Plugins(args) => plugins::run(&args),
        Task::Test(args) => test_run::run(&args),
        Task::Contract(args) => contract::run(&args),
        Task::Documents(args) => documents::run(&args),
        Task::Gallery(args) => gallery::run(&args),
        Task::Layers(args) => layers::run(&args),
        Task::Advisories(args) => advisories::run(&args),
        Task::Fuzz(args) => fuzz::run(&args),
        Task::Mutants(args) => mutants::run(&args),
        Task::Openapi(args) => openapi::run(&args),
        Task::Tools(args) => tools::run(&args),
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
