//! The real `gtm` binary as a child process: starts, queries, kills and restarts it.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::compiled_plugins;

/// Folder of the build, which contains the test binary itself.
fn build_dir() -> PathBuf {
    let exe = std::env::current_exe().unwrap();
    exe.parent().and_then(Path::parent).unwrap().to_owned()
}

/// The workspace's target directory.
fn target_dir() -> PathBuf {
    build_dir().parent().unwrap().to_owned()
}

fn path_from_env(variable: &str, default: PathBuf, hint: &str) -> PathBuf {
    let path = std::env::var_os(variable).map_or(default, PathBuf::from);
    assert!(
        path.exists(),
        "{} is missing: run `{hint}` first",
        path.display()
    );
    path
}

/// The `gtm` binary built with these tests.
pub fn binary() -> PathBuf {
    path_from_env(
        "GTM_TEST_BINARY",
        build_dir().join("gtm"),
        "cargo build --bin gtm",
    )
}
/// The catalog of the product's plug-ins.
pub fn catalog() -> PathBuf {
    path_from_env(
        "GTM_TEST_CATALOG",
        target_dir().join("catalog"),
        "cargo xtask plugins",
    )
}
/// The catalog of the fixture plug-ins.
pub fn fixture_catalog() -> PathBuf {
    path_from_env(
        "GTM_TEST_FIXTURE_CATALOG",
        target_dir().join("fixture-catalog"),
        "cargo xtask plugins --fixtures",
    )
}
/// The development publisher's public key in base64.
pub fn publisher_key() -> String {
    std::fs::read_to_string(publisher_key_path())
        .unwrap()
        .trim()
        .to_owned()
}
/// The development publisher's ID, as the packages' signatures name it.
pub fn publisher_id() -> String {
    use base64::Engine as _;
    let raw = base64::engine::general_purpose::STANDARD
        .decode(publisher_key())
        .unwrap();
    format!("dev-{}", &gtm_domain::Digest::of(&raw).to_hex()[..8])
}

/// The configuration that trusts the development publisher for the plug-ins that it builds.
fn trusted_publishers() -> String {
    let of = |publisher: &str| {
        format!(
            "[[trusted_publishers]]\nid = {:?}\npublisher = {publisher:?}\npublic_key = {:?}\n\
             keys = [\"connector/*\", \"generation_backend/*\", \"document_renderer/*\", \"evaluator/*\"]\n",
            publisher_id(),
            publisher_key(),
        )
    };
    of("dev.gtm.first-party") + &of("dev.gtm.fixtures")
}

fn publisher_key_path() -> PathBuf {
    let default = target_dir().join("dev-publisher/public-key");
    path_from_env("GTM_TEST_PUBLISHER_KEY", default, "cargo xtask plugins")
}
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

/// How to start a process.
#[derive(Default, Clone)]
pub struct Options {
    /// PostgreSQL URL; if absent, SQLite in the data directory.
    pub database_url: Option<String>,
    /// Private places (`address:port`) that every connector of the tests may reach, including the one that
    /// reads pages.
    pub private_hosts: Vec<String>,
    /// Private places that only the language model's connector may reach.
    pub model_hosts: Vec<String>,
    /// Additional lines of the configuration file.
    pub extra_toml: String,
    /// Additional environment variables.
    pub env: Vec<(String, String)>,
    /// The server's limit on open files, soft and hard; if absent, that of the tests.
    pub open_files: Option<u32>,
}

/// Key of the connector for language models.
const MODEL: &str = "openai-compatible";
/// Connectors that tests point to their own servers.
const CONNECTORS: [&str; 5] = ["web-fetch", MODEL, "searxng", "company-data", "http-probe"];

/// Entries of `egress.private_hosts`.
fn private_hosts(places: &[String], connectors: &[&str], open_web: bool) -> String {
    let entry = |place: &String| {
        let (host, port) = place.rsplit_once(':').unwrap();
        format!(
            "{{ host = {host:?}, port = {port}, connectors = {connectors:?}, open_web = {open_web} }},\n"
        )
    };
    places.iter().map(entry).collect()
}

/// A `gtm` and its data directory.
pub struct Gtm {
    pub dir: TempDir,
    pub options: Options,
    child: Option<Child>,
    pub address: Option<SocketAddr>,
}

impl Gtm {
    /// Writes the configuration without starting anything.
    pub fn prepare(options: Options) -> Self {
        let dir = tempfile::Builder::new()
            .prefix("gtm-e2e-")
            .tempdir()
            .unwrap();
        let gtm = Self {
            dir,
            options,
            child: None,
            address: None,
        };
        gtm.write_config();
        compiled_plugins::lend(gtm.dir.path(), &target_dir());
        gtm
    }

    /// Writes the configuration again, for example after a change of `options`.
    pub fn write_config(&self) {
        let quoted = |items: &[String]| {
            items
                .iter()
                .map(|i| format!("{i:?}"))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let catalogs = [catalog(), fixture_catalog()].map(|p| p.to_str().unwrap().to_owned());
        let database = self
            .options
            .database_url
            .as_ref()
            .map_or(String::new(), |url| format!("database_url = {url:?}\n"));
        let text = format!(
            "{database}catalog_dirs = [{}]\n{}\n{}\n[egress]\nopen_web = [\"web-fetch\"]\nprivate_hosts = [\n{}{}]\n",
            quoted(&catalogs),
            self.options.extra_toml,
            trusted_publishers(),
            private_hosts(&self.options.private_hosts, &CONNECTORS, true),
            private_hosts(&self.options.model_hosts, &[MODEL], false),
        );
        std::fs::write(self.dir.path().join("gtm.toml"), text).unwrap();
    }

    fn command(&self) -> Command {
        self.alone(Command::new(binary()))
    }

    /// The server's command, under its limit on open files.
    fn serving(&self) -> Command {
        let Some(files) = self.options.open_files else {
            return self.command();
        };
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &format!("ulimit -n {files} && exec \"$0\" \"$@\"")])
            .arg(binary());
        self.alone(shell)
    }

    fn alone(&self, mut command: Command) -> Command {
        // Only the test's own settings apply.
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("GTM_") {
                command.env_remove(name);
            }
        }
        command
            .env_remove("OPENAI_API_KEY")
            .env("GTM_DATA_DIR", self.dir.path());
        command
    }

    /// Runs a CLI command with `--json` and returns what it prints.
    pub fn cli(&self, arguments: &[&str]) -> Value {
        let output = self.cli_output(arguments, &[]);
        assert!(
            output.status.success(),
            "gtm {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        serde_json::from_slice(&output.stdout).unwrap_or_else(|e| {
            panic!(
                "gtm {arguments:?}: {e}: {}",
                String::from_utf8_lossy(&output.stdout)
            )
        })
    }

    /// Runs a CLI command with `--json` and returns its whole output.
    pub fn cli_output(&self, arguments: &[&str], env: &[(&str, &str)]) -> std::process::Output {
        self.command()
            .arg("--json")
            .args(arguments)
            .envs(env.iter().copied())
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// Starts the server and waits until it is ready.
    pub fn start(&mut self) -> SocketAddr {
        self.start_with(&[])
    }

    /// Starts the server with additional environment variables and waits until it is ready.
    pub fn start_with(&mut self, env: &[(&str, &str)]) -> SocketAddr {
        assert!(self.child.is_none(), "already running");
        let mut turn = None;
        if self.address.is_none() {
            turn =
                compiled_plugins::turn_to_compile(&target_dir(), &[catalog(), fixture_catalog()]);
            compiled_plugins::lend(self.dir.path(), &target_dir());
        }
        let address = free_address();
        let log = std::fs::File::options()
            .create(true)
            .append(true)
            .open(self.log_path())
            .unwrap();
        let child = self
            .serving()
            .args(["serve", "--listen", &address.to_string()])
            // All clients of a test share one address.
            .env("GTM_LIMITS_CONNECTIONS_PER_ADDRESS", "1000")
            .envs(self.options.env.iter().map(|(k, v)| (k, v)))
            .envs(env.iter().copied())
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap();
        self.child = Some(child);
        self.address = Some(address);
        let started = Instant::now();
        loop {
            if ready(address) {
                compiled_plugins::keep(self.dir.path(), &target_dir(), turn);
                return address;
            }
            if let Some(status) = self.child.as_mut().unwrap().try_wait().unwrap() {
                self.child = None;
                panic!("gtm serve ended with {status}:\n{}", self.log_tail());
            }
            assert!(
                // The first server of a build compiles every plug-in.
                started.elapsed() < Duration::from_secs(600),
                "not ready:\n{}",
                self.log_tail()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub fn log_path(&self) -> PathBuf {
        self.dir.path().join("serve.log")
    }
    /// The log so far.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.log_path()).unwrap_or_default()
    }
    fn log_tail(&self) -> String {
        let log = self.log();
        let lines: Vec<_> = log.lines().collect();
        lines[lines.len().saturating_sub(40)..].join("\n")
    }
    /// The latest lines that tell a warning or an error, wherever they stand in the log: what went wrong is
    /// often far from its end.
    fn log_complaints(&self) -> String {
        let log = self.log();
        let lines: Vec<_> = log
            .lines()
            .filter(|line| line.contains(" WARN ") || line.contains(" ERROR "))
            .collect();
        lines[lines.len().saturating_sub(20)..].join("\n")
    }

    pub fn base(&self) -> String {
        format!("http://{}", self.address.unwrap())
    }
    pub fn pid(&self) -> u32 {
        self.child.as_ref().unwrap().id()
    }
    /// Whether the process is still running.
    pub fn alive(&mut self) -> bool {
        self.child
            .as_mut()
            .is_some_and(|c| c.try_wait().unwrap().is_none())
    }
    /// Waits until the process ends by itself, for example at a fail point.
    pub fn wait_dead(&mut self, within: Duration) -> bool {
        let started = Instant::now();
        while self.alive() {
            if started.elapsed() > within {
                return false;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        self.child = None;
        true
    }
    /// Sends SIGKILL.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
    /// Sends SIGTERM and waits for the end; returns whether the exit was clean.
    pub fn terminate(&mut self, within: Duration) -> bool {
        let Some(mut child) = self.child.take() else {
            return true;
        };
        signal_to_end(&child);
        let started = Instant::now();
        loop {
            if let Some(status) = child.try_wait().unwrap() {
                return status.success();
            }
            if started.elapsed() > within {
                let _ = child.kill();
                let _ = child.wait();
                return false;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Gtm {
    fn drop(&mut self) {
        self.kill();
        if std::thread::panicking() {
            eprintln!(
                "--- latest warnings and errors of the server's log ---\n{}\n--- its last lines ---\n{}",
                self.log_complaints(),
                self.log_tail()
            );
        }
    }
}

/// Sends SIGTERM, which the standard library cannot do.
fn signal_to_end(child: &Child) {
    let pid = i32::try_from(child.id())
        .ok()
        .and_then(rustix::process::Pid::from_raw)
        .unwrap();
    // If the process has already ended, the failed signal does not matter.
    let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
}

fn free_address() -> SocketAddr {
    std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
}

fn ready(address: SocketAddr) -> bool {
    use std::io::{Read, Write};
    let Ok(mut stream) = std::net::TcpStream::connect_timeout(&address, Duration::from_millis(200))
    else {
        return false;
    };
    let _ = stream.set_read_timeout(Some(Duration::from_secs(2)));
    let request = format!("GET /readyz HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    let mut answer = String::new();
    stream.write_all(request.as_bytes()).is_ok()
        && stream.read_to_string(&mut answer).is_ok()
        && answer.starts_with("HTTP/1.1 200")
}
