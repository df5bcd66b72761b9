//! A private Redis for tests: the installed server in a temporary folder, on loopback only, without
//! persistence. However the test process ends, the server stops and its folder is deleted: a small shell
//! waits until its end of a pipe closes.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::skips;

/// Arguments: `redis-server`, then the server's own. Prints the server's process ID, then waits until
/// standard input closes.
const KEEPER: &str = r#"
trap '' INT HUP
umask 077
dir=$(mktemp -d "${TMPDIR:-/tmp}/gtm-test-redis.XXXXXX") || exit 1
"$@" --bind 127.0.0.1 --save "" --appendonly no --dir "$dir" >"$dir/log" 2>&1 </dev/null &
pid=$!
echo $pid
exec >/dev/null 2>&1
read -r _
kill -KILL $pid
wait $pid
rm -rf "$dir"
"#;

/// A server for one test, empty at each start.
pub struct TestRedis {
    program: PathBuf,
    port: u16,
    tls: bool,
    running: Option<Running>,
}

struct Running {
    keeper: Child,
    pid: String,
}

/// A server. `None` if Redis is not installed: this function then reports the skipped test on standard error
/// and in the file that `GTM_TEST_SKIPS` names, and the caller should return.
pub fn server(test: &str) -> Option<TestRedis> {
    start(test, false)
}

/// Like [`server`], but accepts only TLS, with a certificate for `127.0.0.1` that [`tls_root`] signs. `None`
/// also if Redis was built without TLS.
pub fn tls_server(test: &str) -> Option<TestRedis> {
    start(test, true)
}

/// The root certificate that signs the one of [`tls_server`].
pub fn tls_root() -> PathBuf {
    tls_file("root.pem")
}

fn tls_file(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src/redis_tls")).join(name)
}

fn start(test: &str, tls: bool) -> Option<TestRedis> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let program = std::env::split_paths(&path)
        .map(|dir| dir.join("redis-server"))
        .find(|file| file.is_file());
    let Some(program) = program else {
        skips::skip(test, "redis-server is not installed");
        return None;
    };
    // Another process may take the port between choosing and using it; if so, choose again.
    for _ in 0..3 {
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .expect("a free port")
            .port();
        let mut redis = TestRedis {
            program: program.clone(),
            port,
            tls,
            running: None,
        };
        if redis.try_start() {
            return Some(redis);
        }
        if tls {
            skips::skip(test, "redis-server does not start with TLS");
            return None;
        }
    }
    panic!("redis-server does not start");
}

impl TestRedis {
    /// The server's URL, `redis://…` or `rediss://…`.
    pub fn url(&self) -> String {
        let scheme = if self.tls { "rediss" } else { "redis" };
        format!("{scheme}://127.0.0.1:{}", self.port)
    }

    /// Starts the server after [`TestRedis::stop`], on the same port and empty.
    pub fn start(&mut self) {
        assert!(self.try_start(), "redis-server does not start again");
    }

    /// Sends SIGKILL and waits until the process is gone.
    pub fn stop(&mut self) {
        if let Some(mut running) = self.running.take() {
            drop(running.keeper.stdin.take());
            let _ = running.keeper.wait();
        }
    }

    /// Makes the server hang or go on. While it hangs, connections stay open but get no answer.
    pub fn hang(&self, hang: bool) {
        let signal = if hang { "-STOP" } else { "-CONT" };
        let pid = &self.running.as_ref().expect("it runs").pid;
        let status = Command::new("kill").args([signal, pid]).status();
        assert!(status.expect("kill starts").success());
    }

    fn try_start(&mut self) -> bool {
        let mut keeper = Command::new("sh")
            .args(["-c", KEEPER, "gtm-test-redis"])
            .arg(&self.program)
            .args(self.listening())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("sh starts");
        let mut pid = String::new();
        let said = BufReader::new(keeper.stdout.take().expect("piped")).read_line(&mut pid);
        said.expect("the keeper speaks");
        self.running = Some(Running {
            keeper,
            pid: pid.trim().to_owned(),
        });
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(60) {
            if self.answers() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        self.stop();
        false
    }

    /// Arguments for the port, and for TLS if it is used.
    fn listening(&self) -> Vec<String> {
        let port = self.port.to_string();
        if !self.tls {
            return vec!["--port".to_owned(), port];
        }
        let file = |name: &str| tls_file(name).display().to_string();
        [
            ("--port", "0".to_owned()),
            ("--tls-port", port),
            ("--tls-cert-file", file("server.pem")),
            ("--tls-key-file", file("server-key.pem")),
            ("--tls-auth-clients", "no".to_owned()),
        ]
        .into_iter()
        .flat_map(|(name, value)| [name.to_owned(), value])
        .collect()
    }

    fn answers(&self) -> bool {
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) else {
            return false;
        };
        if self.tls {
            // The server listens only once it is ready.
            return true;
        }
        let _ = stream.set_read_timeout(Some(Duration::from_secs(1)));
        let mut answer = [0; 5];
        stream.write_all(b"PING\r\n").is_ok()
            && stream.read_exact(&mut answer).is_ok()
            && &answer == b"+PONG"
    }
}

impl Drop for TestRedis {
    fn drop(&mut self) {
        self.stop();
    }
}
