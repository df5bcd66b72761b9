//! A PostgreSQL server for one test, which may stop and restart it while a `gtm` server uses it. The shared
//! one of [`crate::postgres`] must keep running for the other tests.

use std::path::PathBuf;
use std::process::Command;

use crate::postgres::{binaries, unprivileged};
use crate::skips::skip;

/// A server with one database, `gtm`. On drop, it stops and its folder is deleted.
pub struct OwnPostgres {
    bin: PathBuf,
    dir: String,
    port: u16,
}

fn succeed(mut command: Command) -> String {
    let output = command.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {error}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

impl OwnPostgres {
    /// Starts a server; `None` if PostgreSQL is not installed.
    pub fn start(test: &str) -> Option<Self> {
        let Some(bin) = binaries() else {
            skip(test, "PostgreSQL's server binaries are not installed");
            return None;
        };
        let mut folder = unprivileged();
        folder.args(["mktemp", "-d", "/tmp/gtm-own-postgres.XXXXXX"]);
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let own = Self {
            bin,
            dir: succeed(folder),
            port,
        };
        let data = format!("{}/data", own.dir);
        let options = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale"];
        let mut initdb = own.tool("initdb");
        initdb.args(["-D", &data, "--no-sync"]).args(options);
        succeed(initdb);
        own.start_again();
        let port = own.port.to_string();
        let server = ["-h", "127.0.0.1", "-p", &port, "-U", "postgres"];
        // Like the tests' shared server, use a role to which row-level security applies.
        let mut createuser = own.tool("createuser");
        createuser.args(server).args(["--no-superuser", "gtm"]);
        succeed(createuser);
        let mut createdb = own.tool("createdb");
        createdb.args(server).args(["-O", "gtm", "gtm"]);
        succeed(createdb);
        Some(own)
    }

    fn tool(&self, name: &str) -> Command {
        let mut command = unprivileged();
        command.arg(self.bin.join(name)).current_dir("/");
        command
    }

    fn control(&self, arguments: &[&str]) -> Command {
        let data = format!("{}/data", self.dir);
        let mut command = self.tool("pg_ctl");
        command.args(["-w", "-D", &data]).args(arguments);
        command
    }

    /// `postgres://…` of the database.
    pub fn url(&self) -> String {
        format!("postgres://gtm@127.0.0.1:{}/gtm", self.port)
    }

    /// Starts the server after a stop, and waits until it answers.
    pub fn start_again(&self) {
        let log = format!("{}/log", self.dir);
        let options = format!("-k {} -h 127.0.0.1 -p {} -c fsync=off", self.dir, self.port);
        let mut start = self.control(&["-l", &log, "-o", &options, "start"]);
        // The server inherits these streams and keeps them open, so reading from a pipe would never end.
        let status = start.stdout(std::process::Stdio::null());
        let status = status.stderr(std::process::Stdio::null()).status();
        assert!(status.unwrap().success());
    }

    /// Stops the server as a crash would: without a checkpoint, and with every connection cut.
    pub fn stop_immediately(&self) {
        succeed(self.control(&["-m", "immediate", "stop"]));
    }
}

impl Drop for OwnPostgres {
    fn drop(&mut self) {
        let _ = self.control(&["-m", "immediate", "stop"]).output();
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}
