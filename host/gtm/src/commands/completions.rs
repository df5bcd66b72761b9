//! `gtm completions`.

use clap_complete::Shell;
use serde_json::Value;

use crate::failure::Failure;
use crate::help;
use crate::output::Output;

/// Print what makes the shell complete commands, options and their values.
///
/// # Errors
/// If standard output cannot be written.
pub fn run(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut help::command(), "gtm", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    Output { json: false }.print(&Value::Null, || script)
}
