//! The `gtm` binary as a child process: builds, starts and stops it, and runs its administrative commands.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::interrupt::Interrupt;
use crate::loopback;
use crate::process::{build_of_binary, capture, release_build_of_binary, run};
use crate::workspace::Workspace;

/// How long a server may take that logs nothing: a component's compilation may take `limits.plugin_compile_seconds`, after
/// which the server logs that it refuses the plug-in.
const SILENCE_LIMIT: Duration = Duration::from_secs(1300);
/// How long a start may take in all. A host that logs without end would be waited for without end; compiling the whole
/// catalog takes a slow machine a small part of this.
const START_LIMIT: Duration = Duration::from_secs(3600);
/// What the server logs for each component that it compiles.
const COMPILING: &str = "compiling a plug-in";
const STOP_LIMIT: Duration = Duration::from_secs(30);
/// How many lines of the log to show when the server exits unexpectedly.
const LOG_LINES: usize = 20;

/// Where the binary, its data and its configuration are.
pub struct Installation {
    binary: PathBuf,
    /// Data directory, absolute.
    pub data: PathBuf,
}

impl Installation {
    /// Builds the binary of the development profile.
    pub fn build(workspace: &Workspace, data: PathBuf) -> Result<Self> {
        // This binary does not contain the tests' fail points (docs/decisions/0005).
        run(build_of_binary("gtm")
            .current_dir(&workspace.root)
            // Standard output belongs to the caller of --once; cargo's messages go to standard error anyway.
            .stdout(std::io::stderr()))?;
        Ok(Self {
            binary: workspace.gtm_binary(),
            data,
        })
    }

    /// Builds the binary as for a release.
    pub fn build_release(workspace: &Workspace, data: PathBuf) -> Result<Self> {
        run(release_build_of_binary("gtm").current_dir(&workspace.root))?;
        Ok(Self {
            binary: workspace.release_binary(),
            data,
        })
    }

    /// The configuration file for this data directory.
    pub fn config(&self) -> PathBuf {
        self.data.join("gtm.toml")
    }

    /// The file with the server's log.
    pub fn log(&self) -> PathBuf {
        self.data.join("serve.log")
    }

    /// A call of the binary whose only settings are those of this data directory.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.binary);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("GTM_") {
                command.env_remove(name);
            }
        }
        command
            .env("GTM_DATA_DIR", &self.data)
            .env("GTM_CONFIG", self.config());
        command
    }

    /// Runs one administrative command with `--json` and returns its output.
    pub fn admin(&self, arguments: &[&str]) -> Result<Value> {
        let text = capture(self.command().arg("--json").args(arguments))?;
        serde_json::from_str(&text)
            .with_context(|| format!("`gtm {}` did not print JSON", arguments.join(" ")))
    }

    /// Starts the server on this port and waits until it is ready.
    pub fn serve(&self, port: u16, interrupt: &Interrupt) -> Result<Server> {
        let log = fs::File::create(self.log())
            .with_context(|| format!("cannot write {}", self.log().display()))?;
        let mut command = self.command();
        command
            .arg("serve")
            .arg("--data-dir")
            .arg(&self.data)
            .arg("--config")
            .arg(self.config())
            .args(["--listen", &format!("127.0.0.1:{port}")])
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log);
        detach_from_terminal(&mut command);
        let process = command.spawn().context("cannot start `gtm serve`")?;
        let mut server = Server {
            process,
            log: self.log(),
            base: format!("http://127.0.0.1:{port}"),
        };
        let mut start = Start::new(server.log.clone());
        let agent = loopback::agent();
        let ready = format!("{}/readyz", server.base);
        while !loopback::answers(&agent, &ready, None) {
            interrupt.check()?;
            server.check()?;
            start.check()?;
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(server)
    }
}

/// A server that starts, as far as its log tells.
struct Start {
    log: PathBuf,
    length: u64,
    compiled: usize,
    deadline: Instant,
    last: Instant,
}

impl Start {
    fn new(log: PathBuf) -> Self {
        Self {
            log,
            length: 0,
            compiled: 0,
            deadline: Instant::now() + SILENCE_LIMIT,
            last: Instant::now() + START_LIMIT,
        }
    }

    /// Tells of progress. Fails if there has been none for too long.
    fn check(&mut self) -> Result<()> {
        let length = fs::metadata(&self.log).map_or(0, |file| file.len());
        if length != self.length {
            self.length = length;
            self.deadline = Instant::now() + SILENCE_LIMIT;
            let text = fs::read_to_string(&self.log).unwrap_or_default();
            let compiled = text.matches(COMPILING).count();
            if compiled > self.compiled {
                self.compiled = compiled;
                eprintln!("compiling plug-ins, which later starts find in the cache: {compiled}");
            }
        }
        if Instant::now() > self.last {
            bail!(
                "the server has not become ready within {} minutes, though it goes on logging; see {}. Another run goes \
                 on where this one stopped: what is compiled is kept",
                START_LIMIT.as_secs() / 60,
                self.log.display()
            );
        }
        if Instant::now() > self.deadline {
            bail!(
                "the server has neither become ready nor logged anything for {} s; see {}. Another run goes on where \
                 this one stopped: what is compiled is kept",
                SILENCE_LIMIT.as_secs(),
                self.log.display()
            );
        }
        Ok(())
    }
}

/// Puts the server into a separate process group: Ctrl-C then reaches only xtask, which stops the server
/// cleanly.
#[cfg(unix)]
fn detach_from_terminal(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    command.process_group(0);
}

#[cfg(not(unix))]
fn detach_from_terminal(_: &mut Command) {}

/// A running server, stopped on drop.
pub struct Server {
    process: Child,
    log: PathBuf,
    /// `http://127.0.0.1:<port>`.
    pub base: String,
}

impl Server {
    /// Fails, with the end of the log, if the server has exited.
    pub fn check(&mut self) -> Result<()> {
        if let Some(status) = self.process.try_wait()? {
            bail!(
                "`gtm serve` ended with {status}:\n{}",
                last_lines(&self.log)
            );
        }
        Ok(())
    }

    /// Asks the server to finish its work and exit, and waits for it.
    pub fn stop(&mut self) -> Result<()> {
        if self.process.try_wait()?.is_some() {
            return Ok(());
        }
        terminate(&mut self.process)?;
        let deadline = Instant::now() + STOP_LIMIT;
        while self.process.try_wait()?.is_none() {
            if Instant::now() > deadline {
                self.process.kill()?;
                self.process.wait()?;
                bail!("the server did not stop by itself and was killed");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Errors are ignored here: another one is already being reported.
        if self.stop().is_err() {
            let _ = self.process.kill();
        }
    }
}

#[cfg(unix)]
fn terminate(process: &mut Child) -> Result<()> {
    let id = i32::try_from(process.id())
        .ok()
        .and_then(rustix::process::Pid::from_raw)
        .context("the server has no process id")?;
    rustix::process::kill_process(id, rustix::process::Signal::TERM)
        .context("cannot stop the server")
}

#[cfg(not(unix))]
fn terminate(process: &mut Child) -> Result<()> {
    process.kill().context("cannot stop the server")
}

fn last_lines(log: &Path) -> String {
    let text = fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<_> = text.lines().collect();
    lines[lines.len().saturating_sub(LOG_LINES)..].join("\n")
}

/// The wanted port if it is free, otherwise the first free one of `preferred`, otherwise any.
pub fn choose_port(wanted: Option<u16>, preferred: &[u16]) -> Result<u16> {
    let free = |port: u16| {
        let listener = TcpListener::bind(("127.0.0.1", port)).ok()?;
        Some(listener.local_addr().ok()?.port())
    };
    if let Some(port) = wanted {
        return free(port).with_context(|| format!("port {port} is taken; choose another --port"));
    }
    preferred
        .iter()
        .find_map(|port| free(*port))
        .or_else(|| free(0))
        .context("no free port on 127.0.0.1")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn a_server_that_only_logs_is_not_waited_for_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("serve.log");
        let mut start = Start::new(log.clone());
        fs::write(&log, "starting\n").unwrap();
        start.check().unwrap();
        // It goes on logging, but its time is over.
        start.last = Instant::now();
        std::thread::sleep(Duration::from_millis(5));
        fs::write(&log, "starting\nstarting\n").unwrap();
        let told = start.check().unwrap_err().to_string();
        assert!(
            told.contains("60 minutes") && told.contains("serve.log"),
            "{told}"
        );
    }

    #[test]
    fn a_taken_port_is_only_refused_if_it_was_asked_for() {
        let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = taken.local_addr().unwrap().port();
        assert!(choose_port(Some(port), &[]).is_err());
        assert_ne!(choose_port(None, &[port]).unwrap(), port);
    }
}
