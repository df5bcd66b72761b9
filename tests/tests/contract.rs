//! Treats a real server as outsiders would who have only the API's description: lints the description,
//! generates clients from it and uses them, and lets schemathesis look for differences between server and
//! description. `cargo xtask contract` installs the tools and runs this; the programs and settings are in
//! `contract/`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use gtm_e2e::fake_site::FakeSite;
use gtm_e2e::gtm_process::{Gtm, Options, binary, catalog, workspace};
use gtm_e2e::tenant::Tenant;
use serde_json::{Value, json};

/// The domain that the clients' playbooks are about; a fake site answers for it.
const DOMAIN: &str = "target-company.example";
/// Requests per minute: more than any of the tools sends.
const LIMITS: &str = "[limits]\nrequests_per_minute = 1000000\nfailed_authentications_per_minute = 1000000\nreadiness_checks_per_minute = 1000000\n";
/// The most cases that schemathesis generates per operation when it fuzzes.
const EXAMPLES: &str = "60";
/// Seconds after which schemathesis is killed, which fails the test.
const TIME_LIMIT: u32 = 240;

/// Where `cargo xtask contract` put the tools.
fn tool(variable: &str) -> PathBuf {
    std::env::var_os(variable)
        .unwrap_or_else(|| panic!("{variable} is not set; run `cargo xtask contract`"))
        .into()
}
fn python_tool(name: &str) -> Command {
    Command::new(tool("GTM_TEST_PYTHON_TOOLS").join("bin").join(name))
}
fn node_tool(script: &str) -> Command {
    let mut command = Command::new("node");
    command.arg(
        tool("GTM_TEST_NODE_TOOLS")
            .join("node_modules")
            .join(script),
    );
    command
}
fn files() -> PathBuf {
    workspace().join("tests/contract")
}

/// Runs a command to its end and returns its output. Panics with that output if the command failed.
fn run(command: &mut Command) -> String {
    let output = command
        .output()
        .unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        output.status.success(),
        "{command:?}: {}\n{text}",
        output.status
    );
    text
}

/// The description as the binary prints it.
fn description(folder: &Path) -> PathBuf {
    let path = folder.join("openapi.json");
    fs::write(&path, run(Command::new(binary()).arg("openapi"))).unwrap();
    path
}

/// A server that can make playbooks about [`DOMAIN`].
struct World {
    gtm: Gtm,
    tenant: Tenant,
    _site: FakeSite,
}

impl World {
    async fn start() -> Self {
        let site = FakeSite::of_folder(&workspace().join("samples/company-site")).await;
        let mut gtm = Gtm::prepare(Options {
            private_hosts: vec![site.address.to_string()],
            extra_toml: LIMITS.to_owned(),
            ..Options::default()
        });
        gtm.start();
        let tenant = Tenant::without_credit(&gtm, "Acme");
        tenant.bind_web(&gtm);
        let settings = json!({"max_pages": 4, "allow_evidence_only": true, "start_urls": {DOMAIN: site.url()}});
        tenant.bind_backend(&gtm, "playbook", &settings);
        Self {
            gtm,
            tenant,
            _site: site,
        }
    }

    /// Tells a client program the server's address and its key.
    fn introduce<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        command
            .env("GTM_BASE", self.gtm.base())
            .env("GTM_KEY", &self.tenant.key)
            .env("GTM_DOMAIN", DOMAIN)
            .env("NO_PROXY", "127.0.0.1")
    }
}

#[test]
#[ignore = "needs the tools that `cargo xtask contract` installs"]
fn the_description_lints_clean() {
    let folder = tempfile::tempdir().unwrap();
    let found = run(node_tool("@stoplight/spectral-cli/dist/index.js")
        .args(["lint", "--fail-severity", "hint", "--ruleset"])
        .arg(files().join("spectral.yaml"))
        .arg(description(folder.path())));
    println!("spectral: {}", found.trim());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs the tools that `cargo xtask contract` installs"]
async fn a_generated_python_client_works() {
    let world = World::start().await;
    let folder = tempfile::tempdir().unwrap();
    let files = files().join("python");
    run(python_tool("openapi-python-client")
        .args([
            "generate",
            "--meta",
            "none",
            "--fail-on-warning",
            "--config",
        ])
        .arg(files.join("generator.yml"))
        .arg("--path")
        .arg(description(folder.path()))
        .arg("--output-path")
        .arg(folder.path().join("gtm_client")));
    let mut program = python_tool("python");
    program
        .arg(files.join("use_client.py"))
        .env("PYTHONPATH", folder.path())
        .env("PYTHONDONTWRITEBYTECODE", "1");
    println!("{}", run(world.introduce(&mut program)).trim());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs the tools that `cargo xtask contract` installs"]
async fn generated_typescript_types_work() {
    let world = World::start().await;
    let folder = tempfile::tempdir().unwrap();
    for name in ["package.json", "tsconfig.json", "use_client.ts"] {
        fs::copy(
            files().join("typescript").join(name),
            folder.path().join(name),
        )
        .unwrap();
    }
    std::os::unix::fs::symlink(
        tool("GTM_TEST_NODE_TOOLS").join("node_modules"),
        folder.path().join("node_modules"),
    )
    .unwrap();
    // A member with a default may be left out of a request.
    run(node_tool("openapi-typescript/bin/cli.js")
        .arg("--default-non-nullable=false")
        .arg(description(folder.path()))
        .arg("--output")
        .arg(folder.path().join("schema.d.ts")));
    run(node_tool("typescript/bin/tsc").current_dir(folder.path()));
    let mut program = Command::new("node");
    program.current_dir(folder.path()).arg("out/use_client.js");
    println!("{}", run(world.introduce(&mut program)).trim());
}

/// `key@version` of a connector that the server has loaded.
fn loaded_connector() -> String {
    let versions = fs::read_dir(catalog().join("connector/web-fetch")).unwrap();
    let version = versions.flatten().next().unwrap().file_name();
    format!("web-fetch@{}", version.to_str().unwrap())
}

/// Nothing is bound, so no job that schemathesis creates sends a request anywhere.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs the tools that `cargo xtask contract` installs"]
async fn schemathesis_finds_nothing() {
    let mut gtm = Gtm::prepare(Options {
        extra_toml: LIMITS.to_owned(),
        ..Options::default()
    });
    gtm.start();
    let folder = tempfile::tempdir().unwrap();
    for name in ["schemathesis.toml", "hooks.py"] {
        fs::copy(
            files().join("schemathesis").join(name),
            folder.path().join(name),
        )
        .unwrap();
    }
    let key = |name: &str| {
        let tenant = Tenant::without_credit(&gtm, name);
        json!({"name": name, "fixedHeaders": [{"name": "Authorization", "value": format!("Bearer {}", tenant.key)}]})
    };
    let keys = json!({"auth": [key("first"), key("second")]});
    fs::write(folder.path().join("keys.json"), keys.to_string()).unwrap();
    let output = python_tool("schemathesis")
        .args(["--config-file", "schemathesis.toml", "run"])
        .arg(format!("{}/openapi.json", gtm.base()))
        .args(["--checks", "all", "--max-examples", EXAMPLES, "--no-color"])
        .args([
            "--max-response-time",
            "10",
            "--report",
            "json",
            "--report-json-path",
            "report.json",
        ])
        .args(["--continue-on-failure"])
        .env("GTM_CONNECTOR", loaded_connector())
        .env("PYTHONPATH", folder.path())
        .env("NO_PROXY", "127.0.0.1")
        .current_dir(folder.path())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let report = fs::read(folder.path().join("report.json"))
        .unwrap_or_else(|e| panic!("{e}: {text}{}", String::from_utf8_lossy(&output.stderr)));
    let report: Value = serde_json::from_slice(&report).unwrap();
    let number = |pointer: &str| report.pointer(pointer).and_then(Value::as_u64).unwrap();
    println!(
        "schemathesis {}: {} of {} operations, {} cases, {} failures, {} errors in {:.0} s",
        report["schemathesis_version"].as_str().unwrap(),
        number("/operations/tested"),
        number("/operations/total"),
        number("/test_cases/generated"),
        number("/test_cases/unique_failures"),
        report["errors"].as_array().unwrap().len(),
        report["running_time"].as_f64().unwrap(),
    );
    assert!(output.status.success(), "{text}");
    assert_eq!(number("/test_cases/unique_failures"), 0, "{text}");
    assert_eq!(
        number("/operations/tested"),
        number("/operations/total"),
        "{text}"
    );
    for phase in ["examples", "coverage", "fuzzing", "stateful"] {
        assert_eq!(
            report["phases"][phase]["status"], "success",
            "{phase}: {text}"
        );
    }
    assert!(
        report["running_time"].as_f64().unwrap() < f64::from(TIME_LIMIT),
        "{text}"
    );
    let refused = gtm
        .log()
        .lines()
        .filter(|line| line.contains("panicked"))
        .count();
    assert_eq!(refused, 0, "a handler panicked:\n{}", gtm.log());
}
