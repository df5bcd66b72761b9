//! A private PostgreSQL for tests, created from the installed binaries in a temporary folder. It listens on
//! loopback only; each test binary has one instance and each test one database. However the test process
//! ends, the server stops and its folder is deleted: a small shell waits until its end of a pipe closes.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::skips::skip;

/// Test data need not survive a power failure, so fsync is off; a benchmark sets
/// `GTM_TEST_POSTGRES_FSYNC=on`.
///
/// Arguments: `initdb`, `postgres`, `pg_isready`, port. Prints `ready <folder>` or the reason for a failure,
/// then waits until standard input closes.
const KEEPER: &str = r#"
trap '' INT HUP
umask 077
dir=$(mktemp -d "${TMPDIR:-/tmp}/gtm-test-postgres.XXXXXX") || exit 1
cd "$dir" || exit 1
if ! "$1" -D "$dir/data" -U postgres -A trust -E UTF8 --no-locale --no-sync >"$dir/log" 2>&1; then
    echo "initdb failed: $(tail -n 3 "$dir/log" | tr '\n' ' ')"; rm -rf "$dir"; exit 1
fi
"$2" -D "$dir/data" -k "$dir" -h 127.0.0.1 -p "$4" -c fsync="${GTM_TEST_POSTGRES_FSYNC:-off}" -c max_connections=300 \
    -c shared_buffers=32MB >>"$dir/log" 2>&1 </dev/null &
pid=$!
tries=0
until "$3" -q -h "$dir" -p "$4"; do
    tries=$((tries + 1))
    if [ $tries -gt 200 ] || ! kill -0 $pid 2>/dev/null; then
        echo "postgres did not start: $(tail -n 3 "$dir/log" | tr '\n' ' ')"
        kill -INT $pid 2>/dev/null; rm -rf "$dir"; exit 1
    fi
    sleep 0.05
done
echo "ready $dir"
exec >/dev/null 2>&1
read -r _
kill -INT $pid
wait $pid
rm -rf "$dir"
"#;

struct Instance {
    /// Holds the pipe whose end stops the server. Nobody waits for it, because it outlives this process
    /// briefly.
    _keeper: Child,
    port: u16,
    psql: PathBuf,
    socket_dir: String,
}

/// A database for one test, owned by a role without special rights, so that row-level security applies.
pub struct TestDatabase {
    url: String,
}

impl TestDatabase {
    /// `postgres://…` of the database.
    pub fn url(&self) -> &str {
        &self.url
    }
}

/// A new empty database. `None` if PostgreSQL is not installed: this function then reports the skipped test
/// on standard error and in the file that `GTM_TEST_SKIPS` names, and the caller should return.
pub fn database(test: &str) -> Option<TestDatabase> {
    create(test, "template1")
}

/// Like [`database`], but a copy of what `migrate` makes of an empty one, once in this process: migrating takes most
/// of a short test's time. `migrate` leaves no connection open.
pub fn migrated(test: &str, migrate: impl FnOnce(&str)) -> Option<TestDatabase> {
    static MODEL: OnceLock<Option<TestDatabase>> = OnceLock::new();
    let model = MODEL.get_or_init(|| {
        let model = database(test)?;
        migrate(model.url());
        Some(model)
    });
    let name = model
        .as_ref()
        .and_then(|model| model.url.rsplit('/').next());
    create(test, name.unwrap_or("template1"))
}

fn create(test: &str, template: &str) -> Option<TestDatabase> {
    static INSTANCE: OnceLock<Result<Instance, String>> = OnceLock::new();
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let instance = match INSTANCE.get_or_init(start) {
        Ok(instance) => instance,
        Err(reason) => {
            skip(test, reason);
            return None;
        }
    };
    let name = format!("test_{}", NUMBER.fetch_add(1, Ordering::SeqCst));
    let port = instance.port.to_string();
    let output = Command::new(&instance.psql)
        .args([
            "-X",
            "-q",
            "-v",
            "ON_ERROR_STOP=1",
            "-h",
            "127.0.0.1",
            "-p",
            &port,
            "-U",
            "postgres",
            "-d",
            "postgres",
        ])
        .args([
            "-c",
            &format!("CREATE DATABASE {name} OWNER gtm TEMPLATE {template}"),
        ])
        .env_remove("PGDATABASE")
        .output()
        .expect("psql starts");
    assert!(
        output.status.success(),
        "making {name} in {}: {}",
        instance.socket_dir,
        String::from_utf8_lossy(&output.stderr)
    );
    Some(TestDatabase {
        url: format!("postgres://gtm@127.0.0.1:{port}/{name}"),
    })
}

fn start() -> Result<Instance, String> {
    let bin = binaries().ok_or("PostgreSQL's server binaries are not installed")?;
    let mut last = String::new();
    // Another process may take the port between choosing and using it; if so, choose again.
    for _ in 0..3 {
        match start_on_free_port(&bin) {
            Ok(instance) => return Ok(instance),
            Err(reason) => last = reason,
        }
    }
    panic!("{last}");
}

fn start_on_free_port(bin: &Path) -> Result<Instance, String> {
    let port = TcpListener::bind("127.0.0.1:0")
        .and_then(|l| l.local_addr())
        .map_err(|e| e.to_string())?
        .port();
    let mut command = unprivileged();
    let mut keeper = command
        .args(["sh", "-c", KEEPER, "gtm-test-postgres"])
        .args([
            bin.join("initdb"),
            bin.join("postgres"),
            bin.join("pg_isready"),
        ])
        .arg(port.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| e.to_string())?;
    let mut line = String::new();
    BufReader::new(keeper.stdout.take().expect("piped"))
        .read_line(&mut line)
        .map_err(|e| e.to_string())?;
    let Some(dir) = line.trim().strip_prefix("ready ") else {
        let _ = keeper.wait();
        return Err(format!("private PostgreSQL: {}", line.trim()));
    };
    let psql = bin.join("psql");
    let role = Command::new(&psql)
        .args([
            "-X",
            "-q",
            "-h",
            "127.0.0.1",
            "-p",
            &port.to_string(),
            "-U",
            "postgres",
            "-d",
            "postgres",
        ])
        .args(["-c", "CREATE ROLE gtm LOGIN NOSUPERUSER NOBYPASSRLS"])
        .output()
        .map_err(|e| e.to_string())?;
    if !role.status.success() {
        return Err(String::from_utf8_lossy(&role.stderr).into_owned());
    }
    Ok(Instance {
        _keeper: keeper,
        port,
        psql,
        socket_dir: dir.to_owned(),
    })
}

/// `env`, run as the user `postgres` if this process is root, because the server refuses to run as root.
pub(crate) fn unprivileged() -> Command {
    let ask = |arguments: &[&str]| {
        let output = Command::new("id").args(arguments).output().ok()?;
        output
            .status
            .success()
            .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    if ask(&["-u"]).as_deref() != Some("0") {
        return Command::new("env");
    }
    let user = if ask(&["-u", "postgres"]).is_some() {
        "postgres"
    } else {
        "nobody"
    };
    let group = ask(&["-g", user]).unwrap_or_else(|| "0".to_owned());
    let mut command = Command::new("setpriv");
    command.args([
        "--reuid",
        user,
        "--regid",
        &group,
        "--clear-groups",
        "env",
        "-u",
        "TMPDIR",
    ]);
    command
}

/// The folder of the newest installed server, or of the one on `PATH`.
pub(crate) fn binaries() -> Option<PathBuf> {
    let complete = |dir: &Path| {
        ["initdb", "postgres", "pg_isready", "psql"]
            .iter()
            .all(|name| dir.join(name).is_file())
    };
    let mut installed: Vec<(u32, PathBuf)> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            Some((
                entry.file_name().to_str()?.parse().ok()?,
                entry.path().join("bin"),
            ))
        })
        .filter(|(_, dir)| complete(dir))
        .collect();
    installed.sort();
    let in_path = || std::env::split_paths(&std::env::var_os("PATH")?).find(|dir| complete(dir));
    installed.pop().map(|(_, dir)| dir).or_else(in_path)
}
