//! `gtm completions`.

use clap_complete::Shell;

use crate::failure::Failure;
use crate::help;
use crate::output::print_own;

/// Prints a script that completes commands, options and values in a shell.
///
/// # Errors
/// If standard output cannot be written.
pub fn run(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut help::command(), "gtm", &mut script);
    print_own(&String::from_utf8_lossy(&script))
}
