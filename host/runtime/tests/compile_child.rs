//! Components compiled by a child process. This program is its own child: with [`CHILD`] as its first
//! argument it does what the binary's hidden command does, otherwise it runs the tests. It does without the
//! test harness, because the harness's arguments would be in the way.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, dead_code)]

#[path = "plugins/fixtures.rs"]
mod fixtures;

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use fixtures::{NOW, catalog_dir, config, misbehave, start};
use gtm_domain::clock::ManualClock;
use gtm_runtime::{RefusedPackage, Runtime, RuntimeConfig};

/// Not a word, because `cargo xtask test WORD` gives that to every test program.
const CHILD: &str = "--compile-as-child";

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == CHILD) {
        return gtm_runtime::compile::compile_child_main(&arguments.collect::<Vec<_>>());
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(what_a_child_compiled_runs());
    runtime.block_on(whoever_looks_waits_for_no_compiler());
    runtime.block_on(a_child_that_takes_too_much_is_a_refusal());
    a_child_has_no_files_to_make_and_few_to_open();
    a_child_ends_with_its_parent();
    ExitCode::SUCCESS
}

fn with_child(cache: &tempfile::TempDir, command: Vec<OsString>) -> RuntimeConfig {
    let mut config = config(vec![catalog_dir()]);
    config.cache_dir = cache.path().into();
    config.compile_command = Some(command);
    config
}

fn this_program() -> Vec<OsString> {
    vec![
        std::env::current_exe().unwrap().into_os_string(),
        CHILD.into(),
    ]
}

async fn what_a_child_compiled_runs() {
    let cache = tempfile::tempdir().unwrap();
    let runtime = start(with_child(&cache, this_program())).await;
    assert!(
        runtime.catalog().refused().is_empty(),
        "{:#?}",
        runtime.catalog().refused()
    );
    assert_eq!(
        misbehave(&runtime, "none", 3).await.result.unwrap()["value"],
        3
    );
    // The next start needs no compiler.
    let again = start(with_child(&cache, vec!["/nonexistent".into()])).await;
    assert_eq!(
        misbehave(&again, "none", 4).await.result.unwrap()["value"],
        4
    );
}

/// A runtime for whoever reads the catalog.
async fn look(config: RuntimeConfig) -> Runtime {
    let clock = Arc::new(ManualClock::at(NOW));
    Runtime::look(config, clock).await.unwrap()
}

async fn whoever_looks_waits_for_no_compiler() {
    let cache = tempfile::tempdir().unwrap();
    let compiled = |runtime: &Runtime| {
        let plugins = runtime.catalog().plugins().iter();
        plugins.filter(|plugin| plugin.is_compiled()).count()
    };
    let no_compiler = with_child(&cache, vec!["/nonexistent".into()]);
    let seen = look(no_compiler).await;
    assert!(seen.catalog().refused().is_empty() && !seen.catalog().plugins().is_empty());
    assert_eq!(compiled(&seen), 0);
    let failed = misbehave(&seen, "none", 5).await.result.unwrap_err();
    assert!(failed.to_string().contains("did not start"), "{failed}");
    // What is called is compiled, and nothing else.
    let seen = look(with_child(&cache, this_program())).await;
    let called = misbehave(&seen, "none", 5).await.result.unwrap();
    assert_eq!((called["value"].clone(), compiled(&seen)), (5.into(), 1));
    let again = look(with_child(&cache, vec!["/nonexistent".into()])).await;
    assert_eq!(compiled(&again), 1);
}

async fn a_child_that_takes_too_much_is_a_refusal() {
    let cache = tempfile::tempdir().unwrap();
    let mut starved = with_child(&cache, this_program());
    starved.limits.compile_memory_bytes = 4 << 20;
    let starved = start(starved).await;
    assert!(starved.catalog().plugins().is_empty());
    assert!(
        starved
            .catalog()
            .refused()
            .iter()
            .all(|package| package.code == "compile_failed"),
        "{:#?}",
        starved.catalog().refused()
    );

    // By the clock, and by the child's own limit on CPU time.
    for (script, time) in [
        ("sleep 60", Duration::from_millis(200)),
        ("kill -XCPU $$", Duration::from_secs(60)),
    ] {
        let mut stuck = with_child(&cache, vec!["sh".into(), "-c".into(), script.into()]);
        stuck.limits.compile_time = time;
        let stuck = start(stuck).await;
        let is_told = |package: &RefusedPackage| {
            package.code == "compile_timeout"
                && package.reason.contains("limits.plugin_compile_seconds")
        };
        assert!(
            stuck.catalog().refused().iter().all(is_told),
            "{:#?}",
            stuck.catalog().refused()
        );
    }
}

/// The limits of a child that waits for its component.
fn a_child_has_no_files_to_make_and_few_to_open() {
    let command = this_program();
    let mut child = std::process::Command::new(&command[0])
        .args(&command[1..])
        .args(["60", "1073741824", "268435456", "524288", "8"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let place = format!("/proc/{}/limits", child.id());
    let bound = |name: &str| -> Option<String> {
        let limits = std::fs::read_to_string(&place).unwrap();
        let line = limits.lines().find(|line| line.starts_with(name))?;
        line[name.len()..]
            .split_whitespace()
            .next()
            .map(str::to_owned)
    };
    let started = std::time::Instant::now();
    while bound("Max open files").as_deref() != Some("16") {
        assert!(
            started.elapsed() < Duration::from_secs(60) && child.try_wait().unwrap().is_none(),
            "the child has not bounded itself"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(bound("Max file size").as_deref(), Some("0"));
    assert_eq!(bound("Max core file size").as_deref(), Some("0"));
    child.kill().unwrap();
    child.wait().unwrap();
}

/// The shell stands for a host that is killed while its child waits for the component.
fn a_child_ends_with_its_parent() {
    let script = r#"exec 3<&0; "$0" "$@" <&3 & echo started; wait"#;
    let command = this_program();
    let mut parent = std::process::Command::new("sh")
        .args(["-c", script])
        .args(&command)
        .args(["60", "1073741824", "268435456", "524288", "8"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // Held open: the child must not end for want of a component.
    let component = parent.stdin.take().unwrap();
    let mut said = std::io::BufReader::new(parent.stdout.take().unwrap());
    let mut line = String::new();
    std::io::BufRead::read_line(&mut said, &mut line).unwrap();
    assert_eq!(line, "started\n");
    // The child has the same standard output, so its end is that of both.
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut rest = Vec::new();
        let read = std::io::Read::read_to_end(&mut said, &mut rest);
        tell.send(read.map(|_| rest))
    });
    let early = told.recv_timeout(Duration::from_secs(3));
    assert!(
        early.is_err(),
        "the child ended beside a living parent: {early:?}"
    );
    parent.kill().unwrap();
    parent.wait().unwrap();
    let rest = told.recv_timeout(Duration::from_secs(60));
    assert!(rest.is_ok_and(|read| read.unwrap().is_empty()));
    drop(component);
}
