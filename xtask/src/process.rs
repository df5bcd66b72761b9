//! Runs other programs with a clean environment, and with errors that name the command.

use std::env;
use std::ffi::{OsStr, OsString};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

/// The cargo that runs this process, for builds on the host's own target.
pub fn host_cargo() -> Command {
    of_no_package(&env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// `cargo build` of a binary of the development profile, with the whole workspace's features, as everything
/// else is built.
///
/// DANGER: without xtask beside it, cargo compiles most dependencies a second time. Crates that both xtask and
/// procedural macros use, such as `syn`, get other settings where macros alone use them, and with them
/// everything that uses a macro.
pub fn build_of_binary(name: &str) -> Command {
    let mut command = host_cargo();
    command.args(["build", "--workspace", "--bin", name, "--bin", "xtask"]);
    command
}

/// A release build of a binary, with the whole workspace's features, as the README has it.
pub fn release_build_of_binary(name: &str) -> Command {
    let mut command = host_cargo();
    command.args(["build", "--release", "--workspace", "--bin", name]);
    command
}

/// A command for this program without the environment variables that describe the xtask package.
///
/// `cargo run`, which starts `cargo xtask`, describes that package in the environment. A test would mistake
/// the description for that of its own package, and a build script that watches one of the variables would
/// rerun at each change between `cargo test` and `cargo xtask test`.
pub fn of_no_package(program: &OsStr) -> Command {
    without_package(Command::new(program), env::vars_os().map(|(name, _)| name))
}

/// The command without those of the names that describe a package.
fn without_package(mut command: Command, names: impl Iterator<Item = OsString>) -> Command {
    for name in names {
        if name.to_str().is_some_and(describes_a_package) {
            command.env_remove(name);
        }
    }
    command
}

/// Whether cargo sets this variable to describe the package that it runs.
fn describes_a_package(name: &str) -> bool {
    name.starts_with("CARGO_PKG_")
        || name.starts_with("CARGO_MANIFEST_")
        || name.starts_with("CARGO_BIN_")
        || matches!(
            name,
            "CARGO_CRATE_NAME" | "CARGO_PRIMARY_PACKAGE" | "OUT_DIR"
        )
}

/// Runs the command with this process's standard streams, and fails unless it succeeds.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot start {}", describe(command)))?;
    if !status.success() {
        bail!("{} ended with {status}", describe(command));
    }
    Ok(())
}

/// Runs the command and returns its standard output without the final line break. On failure the
/// error carries its standard error.
pub fn capture(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start {}", describe(command)))?;
    if !output.status.success() {
        bail!(
            "{} ended with {}: {}",
            describe(command),
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    let text = String::from_utf8(output.stdout)
        .with_context(|| format!("{} printed something that is not UTF-8", describe(command)))?;
    Ok(text.trim_end_matches(['\n', '\r']).to_owned())
}

/// The first of these programs found on `PATH`.
pub fn find_program(names: &[&str]) -> Option<std::path::PathBuf> {
    let path = env::var_os("PATH")?;
    names.iter().find_map(|name| {
        env::split_paths(&path)
            .map(|folder| folder.join(name))
            .find(|candidate| candidate.is_file())
    })
}

/// Whether this process runs as root; only root may install Debian packages.
pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Whether the `CI` variable, which CI services set, says that this is CI.
pub fn is_ci() -> bool {
    env::var("CI").is_ok_and(|value| matches!(value.as_str(), "true" | "1"))
}

/// The command line as a person would type it; for messages only.
fn describe(command: &Command) -> String {
    let mut text = format!("`{}", command.get_program().to_string_lossy());
    for argument in command.get_args() {
        text.push(' ');
        text.push_str(&argument.to_string_lossy());
    }
    text.push('`');
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn only_package_variables_are_taken_out() {
        assert!(describes_a_package("CARGO_PKG_NAME"));
        assert!(describes_a_package("CARGO_MANIFEST_DIR"));
        assert!(!describes_a_package("CARGO_HOME"));
        assert!(!describes_a_package("CARGO_TARGET_DIR"));
    }

    #[test]
    fn what_is_started_is_told_of_no_package() {
        // As `cargo run` would give it. This test's own environment has more of them if cargo runs it.
        let mut told = Command::new("env");
        told.envs([("CARGO_PKG_NAME", "xtask"), ("CARGO_PKG_VERSION", "1.0.0")]);
        let names = ["CARGO_PKG_NAME", "CARGO_PKG_VERSION", "PATH"].map(OsString::from);
        let names = env::vars_os().map(|(name, _)| name).chain(names);
        let variables = capture(&mut without_package(told, names)).unwrap();
        let names: Vec<&str> = (variables.lines())
            .filter_map(|line| line.split_once('=').map(|(name, _)| name))
            .collect();
        assert!(names.contains(&"PATH"));
        assert!(!names.iter().any(|name| name.starts_with("CARGO_PKG_")));
    }

    #[test]
    fn a_failing_command_is_named_with_what_it_said() {
        let error = capture(Command::new("sh").args(["-c", "echo told >&2; exit 3"])).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("sh -c"), "{text}");
        assert!(text.contains("told"), "{text}");
    }
}
