//! One data directory and the commands that run on it.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

pub struct Gtm {
    dir: tempfile::TempDir,
}

impl Gtm {
    pub fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
        }
    }

    /// The data directory, which the binary creates.
    pub fn data(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    pub fn configure(&self, toml: &str) {
        std::fs::create_dir_all(self.data()).unwrap();
        std::fs::write(self.data().join("gtm.toml"), toml).unwrap();
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gtm"));
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("GTM_") {
                command.env_remove(name);
            }
        }
        command
            .env("GTM_DATA_DIR", self.data())
            .args(arguments)
            .stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs a command that must succeed, and returns its JSON.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[&["--json"], arguments].concat());
        assert!(
            output.status.success(),
            "gtm {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Runs a command that must fail with this exit code, and returns its message.
    pub fn fails(&self, code: i32, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(
            output.status.code(),
            Some(code),
            "gtm {arguments:?}: {message}"
        );
        assert!(
            output.stdout.is_empty(),
            "a failing command prints no result"
        );
        message
    }

    /// A project with a key: project id and secret.
    pub fn tenant(&self) -> (String, String) {
        let organization = text(&self.json(&["org", "create", "Acme"]), "id");
        let project = text(
            &self.json(&["project", "create", "--org", &organization, "main"]),
            "id",
        );
        let key = self.json(&["key", "create", "--project", &project, "ci"]);
        (project, text(&key, "secret"))
    }

    pub fn serve(&self) -> Server {
        self.serve_with(&[])
    }

    /// A server with these variables in its environment.
    pub fn serve_with(&self, env: &[(&str, &str)]) -> Server {
        let address = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap();
        let log = std::fs::File::create(self.dir.path().join("serve.log")).unwrap();
        let child = self
            .command(&["serve", "--listen", &address.to_string()])
            .envs(env.iter().copied())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut server = Server {
            child,
            address,
            log: self.dir.path().join("serve.log"),
        };
        let started = Instant::now();
        while !server
            .get("/readyz", None)
            .is_some_and(|answer| answer.starts_with("HTTP/1.1 200"))
        {
            if let Some(status) = server.child.try_wait().unwrap() {
                panic!("gtm serve ended with {status}: {}", server.log());
            }
            assert!(
                started.elapsed() < Duration::from_secs(120),
                "not ready: {}",
                server.log()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
        server
    }
}

pub fn text(value: &Value, member: &str) -> String {
    value[member]
        .as_str()
        .unwrap_or_else(|| panic!("no {member} in {value}"))
        .to_owned()
}

pub struct Server {
    pub child: Child,
    pub address: SocketAddr,
    log: PathBuf,
}

impl Server {
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// The whole answer as text; `None` if the server does not answer.
    pub fn get(&self, path: &str, key: Option<&str>) -> Option<String> {
        self.send("GET", path, key, "")
    }

    pub fn send(&self, method: &str, path: &str, key: Option<&str>, body: &str) -> Option<String> {
        send(self.address, method, path, key, body)
    }
    /// Sends SIGTERM and returns whether the exit was clean. It takes at most ten seconds on an idle
    /// machine.
    pub fn terminate(&mut self) -> bool {
        let pid = i32::try_from(self.child.id())
            .ok()
            .and_then(rustix::process::Pid::from_raw)
            .unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(60) {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.success();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        false
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The JSON body of an answer.
pub fn body(answer: &str) -> Value {
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1)
        .unwrap_or_else(|e| panic!("{e}: {answer}"))
}

/// One request without a key to any address.
pub fn get(address: SocketAddr, path: &str) -> Option<String> {
    send(address, "GET", path, None, "")
}

fn send(
    address: SocketAddr,
    method: &str,
    path: &str,
    key: Option<&str>,
    body: &str,
) -> Option<String> {
    let authorization = key.map_or_else(String::new, |key| {
        format!("authorization: Bearer {key}\r\n")
    });
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n{authorization}content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1)).ok()?;
    stream
        .set_read_timeout(Some(Duration::from_secs(60)))
        .ok()?;
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    Some(answer)
}
