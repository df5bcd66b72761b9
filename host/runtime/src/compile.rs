//! Compiles components: in a child process with limits on CPU and memory if the operator configures a
//! command, else on a blocking thread. Either way with a size limit and a deadline.

use std::ffi::OsString;
use std::io::{self, Read as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{ExitCode, Stdio};
use std::time::Duration;

use rustix::process::{Resource, Rlimit, Signal, getppid, getrlimit, setrlimit};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use wasmtime::{CodeBuilder, Engine};

use crate::blocking_work::blocking_work;
use crate::config::HostLimits;
use crate::sandbox::engine_config;

/// Maximum number of files that a compiling child may have open: its three pipes, and what the engine
/// opens.
const CHILD_FILES: u64 = 16;
/// Seconds of CPU time between the signal and the kill.
const CPU_TO_DIE: u64 = 5;
/// How often the compiling child looks whether its host is still there.
const PARENT_CHECK: Duration = Duration::from_secs(1);
/// Longest compiler message that is kept, in bytes.
const MAX_MESSAGE: usize = 2000;

/// Code and reason.
type Refusal = (&'static str, String);

/// The compiled artifact of a component.
///
/// # Errors
/// `compile_failed` or `compile_timeout`, with the reason.
pub async fn compile(
    engine: &Engine,
    bytes: Vec<u8>,
    command: Option<&[OsString]>,
    limits: &HostLimits,
) -> Result<Vec<u8>, Refusal> {
    let failed = |reason: String| ("compile_failed", reason);
    let work = async {
        match command {
            Some(command) => in_child(command, &bytes, limits).await,
            None => {
                tracing::warn!("compiling a component in this process, without a limit on memory");
                in_this_process(engine.clone(), bytes).await.map_err(failed)
            }
        }
    };
    let compiled = tokio::time::timeout(limits.compile_time, work).await;
    compiled.unwrap_or_else(|_| Err(too_slow(limits)))
}

/// Why a component counts as one that cannot be compiled, in the operator's words.
fn too_slow(limits: &HostLimits) -> Refusal {
    let reason = format!(
        "compiling took longer than {:?} (limits.plugin_compile_seconds); if other work keeps the machine busy, raise that \
         or start again later",
        limits.compile_time
    );
    ("compile_timeout", reason)
}

async fn in_this_process(engine: Engine, bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    let compiled = blocking_work(move || precompile(&engine, &bytes)).await;
    compiled.map_err(|error| error.to_string())?
}

fn precompile(engine: &Engine, bytes: &[u8]) -> Result<Vec<u8>, String> {
    CodeBuilder::new(engine)
        .wasm_binary(bytes, None)
        .and_then(|code| code.compile_component_serialized())
        .map_err(|error| shortened(&format!("{error:#}")))
}

/// Passes the component to a child on its standard input and takes the artifact from its standard output.
async fn in_child(
    command: &[OsString],
    bytes: &[u8],
    limits: &HostLimits,
) -> Result<Vec<u8>, Refusal> {
    let failed = |reason: String| ("compile_failed", reason);
    let (program, arguments) = command
        .split_first()
        .ok_or_else(|| failed("the compile command is empty".to_owned()))?;
    let mut child = tokio::process::Command::new(program)
        .args(arguments)
        .arg(limits.compile_time.as_secs().to_string())
        .arg(limits.compile_memory_bytes.to_string())
        .arg(limits.memory_bytes.to_string())
        .arg(limits.wasm_stack_bytes.to_string())
        .arg(limits.pool_size.to_string())
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| failed(format!("the compile command did not start: {error}")))?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (Some(mut stdin), Some(mut stdout), Some(stderr)) = (stdin, stdout, stderr) else {
        return Err(failed("the compile command has no pipes".to_owned()));
    };
    let (mut artifact, mut message) = (Vec::new(), Vec::new());
    let feed = async move {
        // A child that stops reading explains why on standard error.
        let _ = stdin.write_all(bytes).await;
        drop(stdin);
    };
    let limit = u64::try_from(MAX_MESSAGE).unwrap_or(u64::MAX);
    let mut stderr = stderr.take(limit);
    let ((), read, _) = tokio::join!(
        feed,
        stdout.read_to_end(&mut artifact),
        stderr.read_to_end(&mut message)
    );
    read.map_err(|error| failed(error.to_string()))?;
    let status = child.wait().await;
    let status = status.map_err(|error| failed(error.to_string()))?;
    if status.success() {
        return Ok(artifact);
    }
    // The child's own limit on CPU time, which many cores use up before the clock does.
    if status.signal() == Some(Signal::XCPU.as_raw()) {
        return Err(too_slow(limits));
    }
    let message = String::from_utf8_lossy(&message);
    Err(failed(shortened(&format!("{status}: {message}"))))
}

fn shortened(text: &str) -> String {
    crate::interfaces::text::one_line(text.trim(), MAX_MESSAGE)
}

/// The compiling child: reads a component from standard input and writes its artifact to standard output.
/// The five arguments are those that [`compile`] appends to the configured command.
///
/// Danger: a component may be made to exhaust the compiler. The child limits itself before it reads a byte,
/// so that only this process suffers.
#[must_use]
pub fn compile_child_main(arguments: &[OsString]) -> ExitCode {
    match compile_child(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // If this fails too, nobody is left to tell.
            let _ = writeln!(io::stderr(), "{message}");
            ExitCode::FAILURE
        }
    }
}

fn compile_child(arguments: &[OsString]) -> Result<(), String> {
    let number = |index: usize| -> Result<u64, String> {
        arguments
            .get(index)
            .and_then(|text| text.to_str())
            .and_then(|text| text.parse().ok())
            .ok_or_else(|| {
                "expected five numbers: seconds, bytes, guest bytes, stack bytes, pool size"
                    .to_owned()
            })
    };
    let size = |index: usize| number(index).map(|n| usize::try_from(n).unwrap_or(usize::MAX));
    let limits = HostLimits {
        compile_time: Duration::from_secs(number(0)?),
        compile_memory_bytes: number(1)?,
        memory_bytes: number(2)?,
        wasm_stack_bytes: size(3)?,
        pool_size: u32::try_from(number(4)?).unwrap_or(u32::MAX),
        ..HostLimits::default()
    };
    end_with_parent()?;
    // The system's signal for used up CPU time tells more than the kill that follows it.
    let cpu = limits.compile_time.as_secs().max(1);
    bound_between(Resource::Cpu, cpu, cpu.saturating_add(CPU_TO_DIE))?;
    // Limits writable memory, not address space: the engine reserves much of the latter without touching
    // it.
    bound(Resource::Data, limits.compile_memory_bytes)?;
    bound(Resource::Core, 0)?;
    // The child reads one pipe and writes two: it needs to create no file and open few.
    bound(Resource::Fsize, 0)?;
    bound(Resource::Nofile, CHILD_FILES)?;

    let mut bytes = Vec::new();
    io::stdin()
        .lock()
        .take(limits.component_bytes.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > limits.component_bytes {
        return Err("the component is too large".to_owned());
    }
    let engine = Engine::new(&engine_config(&limits)).map_err(|error| error.to_string())?;
    let artifact = precompile(&engine, &bytes)?;
    io::stdout()
        .lock()
        .write_all(&artifact)
        .map_err(|error| error.to_string())
}

/// Ends this process when the host is gone. Danger: a host that was killed ends none of its children, and a
/// compiler that nobody waits for any more would keep a core busy for minutes, until it writes its artifact. A
/// host that dies before this is called has not passed the whole component yet, so nothing is compiled.
fn end_with_parent() -> Result<(), String> {
    let parent = getppid();
    let watch = move || {
        while getppid() == parent {
            std::thread::sleep(PARENT_CHECK);
        }
        std::process::exit(1);
    };
    let watcher = std::thread::Builder::new().spawn(watch);
    watcher.map(drop).map_err(|error| error.to_string())
}

fn bound(resource: Resource, value: u64) -> Result<(), String> {
    bound_between(resource, value, value)
}

fn bound_between(resource: Resource, current: u64, maximum: u64) -> Result<(), String> {
    // A lower limit set by the environment stays.
    let held = getrlimit(resource).maximum;
    let lower = |value: u64| Some(held.map_or(value, |held| held.min(value)));
    let limit = Rlimit {
        current: lower(current),
        maximum: lower(maximum),
    };
    setrlimit(resource, limit).map_err(|error| error.to_string())
}
