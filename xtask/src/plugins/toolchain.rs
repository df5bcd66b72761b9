//! Finds a compiler for `wasm32-unknown-unknown`: rustup's if it has the target, otherwise Debian's.
//!
//! xtask itself downloads no toolchain. On an ordinary machine `rust-toolchain.toml` makes rustup install the
//! target. Where rustup is not allowed to, Debian's compiler builds the standard library from its own
//! sources.

use std::env;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::process::{capture, find_program, is_root, run};
use crate::workspace::Workspace;

/// The target that every plug-in is compiled for.
pub const TARGET: &str = "wasm32-unknown-unknown";
/// Debian packages that together compile for [`TARGET`].
const DEBIAN_PACKAGES: &[&str] = &["rustc-web", "cargo-web", "rust-web-src", "lld-22"];
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_CARGO: &str = "/usr/bin/cargo";
/// Between the flags in `CARGO_ENCODED_RUSTFLAGS`.
const SEPARATOR: &str = "\x1f";
const HELP: &str = "rustup target add wasm32-unknown-unknown";

/// A compiler for [`TARGET`] and how to call it.
pub struct Toolchain {
    cargo: PathBuf,
    rustc: PathBuf,
    /// The linker to use if the standard library is compiled from source; `None` otherwise.
    build_std: Option<PathBuf>,
    /// First line of `rustc --version`, with the other facts that affect the output.
    pub description: String,
    /// All of `rustc -vV`: any difference in it means a different compiler.
    pub identity: String,
    /// Those flags that are the same for every folder.
    base_flags: Vec<String>,
    /// Compiler flags in the format of `CARGO_ENCODED_RUSTFLAGS`.
    pub flags: String,
    quiet: bool,
}

impl Toolchain {
    /// Finds a compiler, or fails with the one command that installs one.
    pub fn find(workspace: &Workspace) -> Result<Self> {
        if let Some(found) = Self::from_rustup(workspace)? {
            return Ok(found);
        }
        if !debian_is_complete() {
            install_debian_packages(&workspace.target)?;
        }
        match linker() {
            Some(linker) if debian_is_complete() => Self::describe(
                workspace,
                DEBIAN_CARGO.into(),
                DEBIAN_RUSTC.into(),
                Some(linker),
            ),
            _ => bail!("no Rust compiler for {TARGET} on this machine; run: {HELP}"),
        }
    }

    fn from_rustup(workspace: &Workspace) -> Result<Option<Self>> {
        let rustc = PathBuf::from(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        let libraries = capture(
            Command::new(&rustc)
                .args(["--print", "target-libdir", "--target", TARGET])
                .current_dir(&workspace.root),
        );
        let Ok(libraries) = libraries else {
            return Ok(None);
        };
        if !has_standard_library(Path::new(&libraries)) {
            return Ok(None);
        }
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        Self::describe(workspace, cargo.into(), rustc, None).map(Some)
    }

    fn describe(
        workspace: &Workspace,
        cargo: PathBuf,
        rustc: PathBuf,
        build_std: Option<PathBuf>,
    ) -> Result<Self> {
        let ask = |arguments: &[&str]| {
            capture(
                Command::new(&rustc)
                    .args(arguments)
                    .current_dir(&workspace.root),
            )
        };
        let identity = ask(&["-vV"])?;
        let sysroot = PathBuf::from(ask(&["--print", "sysroot"])?);
        let version = identity.lines().next().unwrap_or_default();
        let description = match &build_std {
            None => version.to_owned(),
            Some(_) => format!("{version}, standard library built from source"),
        };
        let commit = identity
            .lines()
            .find_map(|line| line.strip_prefix("commit-hash: "))
            .unwrap_or("unknown");
        let base_flags = remapping_flags(&sysroot, commit)?;
        // Not the checkout's own path: cargo names its sources relative to it, and with it in the flags another
        // checkout that shares the target folder would compile everything again. `compile` checks the outcome.
        let of_target = remapping_flag(&workspace.target, "/target");
        let flags = [base_flags.clone(), vec![of_target]]
            .concat()
            .join(SEPARATOR);
        Ok(Self {
            cargo,
            rustc,
            build_std,
            description,
            identity,
            base_flags,
            flags,
            quiet: false,
        })
    }

    /// The same compiler, called without cargo's progress: another cargo shows its own meanwhile.
    pub fn quietly(mut self) -> Self {
        self.quiet = true;
        self
    }

    /// A `cargo build` of plug-ins with a profile, into a separate target directory. The caller adds only the
    /// packages.
    pub fn build(&self, workspace: &Workspace, profile: &str) -> Command {
        self.cargo_build(
            &workspace.root,
            &workspace.target.join("wasm"),
            &self.flags,
            profile,
        )
    }

    /// A `cargo build` of the package in a folder, into this target directory. In what is built, the paths have these
    /// names.
    pub fn build_in(
        &self,
        folder: &Path,
        target: &Path,
        maps: &[(&Path, &str)],
        profile: &str,
    ) -> Command {
        let mut flags = self.base_flags.clone();
        flags.extend(maps.iter().map(|(from, to)| remapping_flag(from, to)));
        flags.push(remapping_flag(target, "/target"));
        self.cargo_build(folder, target, &flags.join(SEPARATOR), profile)
    }

    fn cargo_build(&self, folder: &Path, target: &Path, flags: &str, profile: &str) -> Command {
        let mut command = Command::new(&self.cargo);
        for (name, _) in env::vars_os() {
            if name.to_str().is_some_and(shapes_a_build) {
                command.env_remove(name);
            }
        }
        command
            .current_dir(folder)
            .env("RUSTC", &self.rustc)
            .env("CARGO_TARGET_DIR", target)
            .env("CARGO_INCREMENTAL", "0")
            // Overrides every other source of flags, so that a developer's own flags cannot change the bytes.
            .env("CARGO_ENCODED_RUSTFLAGS", flags)
            .args(["build", "--locked", "--lib", "--profile", profile])
            .args(["--target", TARGET]);
        if self.quiet {
            command.arg("--quiet");
        }
        if let Some(linker) = &self.build_std {
            command
                .env_remove("RUSTUP_TOOLCHAIN")
                .env("RUSTC_BOOTSTRAP", "1")
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker)
                .arg("-Zbuild-std=std,panic_abort");
        }
        command
    }
}

/// Flags that keep this machine's paths out of the component. Panic messages name source files, so without
/// them the same source in another folder would compile to different bytes.
fn remapping_flags(sysroot: &Path, commit: &str) -> Result<Vec<String>> {
    let cargo_home = match env::var_os("CARGO_HOME") {
        Some(path) => PathBuf::from(path),
        None => env::home_dir()
            .context("neither CARGO_HOME nor a home directory is known")?
            .join(".cargo"),
    };
    let map = remapping_flag;
    // The sources of registry packages are in a folder named after the registry, and a mirror has another
    // name. A later mapping overrides an earlier one.
    let sources = cargo_home.join("registry/src");
    let mut flags = vec![map(&sources, "/registry")];
    if let Ok(registries) = sources.read_dir() {
        let mut folders: Vec<_> = registries.flatten().map(|entry| entry.path()).collect();
        folders.sort();
        flags.extend(folders.iter().map(|folder| map(folder, "/registry")));
    }
    let library = sysroot.join("lib/rustlib/src/rust");
    flags.push(map(&library, &format!("/rustc/{commit}")));
    Ok(flags)
}

fn remapping_flag(from: &Path, to: &str) -> String {
    format!("--remap-path-prefix={}={to}", from.display())
}

/// Whether a variable would change what cargo or rustc produces for the plug-ins. Network and registry
/// settings stay, so that a machine behind a mirror can build.
fn shapes_a_build(name: &str) -> bool {
    const KEPT: &[&str] = &[
        "CARGO_HOME",
        "CARGO_NET_",
        "CARGO_HTTP_",
        "CARGO_REGISTR",
        "CARGO_SOURCE_",
        "CARGO_TERM_",
        "CARGO_BUILD_JOBS",
    ];
    let cargo = name == "CARGO" || name.starts_with("CARGO_");
    let rustc = name.starts_with("RUSTC") || name.starts_with("RUSTFLAGS");
    let kept = KEPT.iter().any(|prefix| name.starts_with(prefix));
    rustc || name == "OUT_DIR" || (cargo && !kept)
}

fn has_standard_library(folder: &Path) -> bool {
    folder.read_dir().is_ok_and(|entries| {
        entries
            .flatten()
            .any(|entry| entry.file_name().to_string_lossy().starts_with("libstd-"))
    })
}

fn linker() -> Option<PathBuf> {
    find_program(&["wasm-ld-22", "wasm-ld"])
}

fn debian_is_complete() -> bool {
    Path::new(DEBIAN_RUSTC).is_file()
        && Path::new(DEBIAN_CARGO).is_file()
        && Path::new("/usr/lib/rustlib/src/rust/library/std").is_dir()
        && linker().is_some()
}

/// Installs Debian's packages where that is possible; does nothing elsewhere.
fn install_debian_packages(target: &Path) -> Result<()> {
    let Some(apt) = find_program(&["apt-get"]) else {
        return Ok(());
    };
    if !is_root() {
        return Ok(());
    }
    // CI installs them beside its other steps, and apt-get refuses to run twice at a time.
    let lock = File::create(target.join("compiler.lock")).context("cannot make a lock file")?;
    lock.lock()
        .context("cannot wait for another installation")?;
    if debian_is_complete() {
        return Ok(());
    }
    eprintln!(
        "no {TARGET} in this Rust toolchain: installing Debian's {} with apt-get",
        DEBIAN_PACKAGES.join(", ")
    );
    let install = || {
        let mut command = Command::new(&apt);
        command
            .env("DEBIAN_FRONTEND", "noninteractive")
            .args(["install", "--yes", "--quiet", "--no-install-recommends"])
            .args(DEBIAN_PACKAGES)
            .stdout(std::io::stderr());
        run(&mut command)
    };
    if install().is_ok() {
        return Ok(());
    }
    // The package lists may be outdated: refresh them and try once more.
    let refreshed = run(Command::new(&apt)
        .args(["update", "--quiet"])
        .stdout(std::io::stderr()))
    .and_then(|()| install());
    refreshed.with_context(|| {
        format!("apt-get could not install Debian's compiler; the other way is: {HELP}")
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn a_developers_flags_do_not_reach_the_plugins() {
        for name in ["RUSTFLAGS", "RUSTC", "RUSTC_WRAPPER", "CARGO", "OUT_DIR"] {
            assert!(shapes_a_build(name), "{name}");
        }
        for name in ["CARGO_BUILD_TARGET", "CARGO_PROFILE_PLUGIN_LTO"] {
            assert!(shapes_a_build(name), "{name}");
        }
        for name in ["PATH", "CARGO_HOME", "CARGO_NET_OFFLINE", "RUSTUP_HOME"] {
            assert!(!shapes_a_build(name), "{name}");
        }
    }
}
