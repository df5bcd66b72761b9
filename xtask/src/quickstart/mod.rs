//! `cargo xtask quickstart`: leads from a fresh checkout to a finished playbook, or a document, and a server
//! to try.
//!
//! `host` builds and runs the binary, `setup` creates what a tenant needs, `model` binds a language model,
//! `sample_site` serves the sample company, `api` and `watch` call the HTTP API like any client, `document`
//! makes a document, `message` a demonstration of a message, `report` prints.

mod api;
mod document;
pub mod host;
mod interrupt;
mod message;
mod model;
mod report;
mod sample_site;
pub mod setup;
mod state;
mod watch;

use std::fs;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, bail};
use aws_lc_rs::rand::SystemRandom;
use serde_json::{Value, json};

use crate::plugins::{self, Publisher};
use crate::workspace::Workspace;
use api::Client;
use host::{Installation, Server};
use interrupt::Interrupt;
use sample_site::SampleSite;
use setup::PrivateHost;
use state::State;

/// Ports to try for the API if none is given.
const PREFERRED_PORTS: &[u16] = &[8080, 8081, 8088];

/// Build everything, start a host on SQLite, and make a playbook; with --document a document, with --message a
/// demonstration of a message.
///
/// Without --company-domain, a sample company's site that ships with the repository is served on loopback and
/// researched. Without a model, the playbook consists of the site's own sentences. The results of a run stay
/// in the data directory (GTM_DATA_DIR, or data/ in the checkout), and the next run uses them again.
#[derive(clap::Args)]
pub struct Args {
    /// Research this company's site, for example example.com
    #[arg(long, value_name = "DOMAIN")]
    company_domain: Option<String>,
    /// The company's name, to be passed to the backend
    #[arg(long, value_name = "NAME")]
    company: Option<String>,
    /// Make a document of this format from the sample brief instead of a playbook, and save its file in the
    /// data directory
    #[arg(long, value_name = "FORMAT")]
    document: Option<document::Format>,
    /// Make the document from this brief, a text with Markdown
    #[arg(long, value_name = "FILE", requires = "document")]
    brief: Option<PathBuf>,
    /// Make a demonstration of a message from a reviewed template for an imported, made-up prospect instead of a
    /// playbook, and print each gate with its verdict. Nothing is sent
    #[arg(long, conflicts_with = "document")]
    message: bool,
    #[command(flatten)]
    model: model::Options,
    /// Run one job, print it as JSON on standard output, stop the server; exit with success only if the job
    /// succeeded
    #[arg(long)]
    once: bool,
    /// Port of the API on 127.0.0.1 [default: the last run's, 8080, or a free one]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// Data directory
    #[arg(long, env = "GTM_DATA_DIR", value_name = "DIR", hide_env_values = true)]
    data_dir: Option<PathBuf>,
}

/// Builds the plug-ins and the host side by side: each build has phases that leave cores idle.
fn build(workspace: &Workspace, data: PathBuf, args: &Args) -> Result<Installation> {
    eprintln!("building the plug-ins and the host; the first time takes some minutes");
    let more = [
        document::plugins(args.document),
        message::plugins(args.message),
    ]
    .concat();
    let (plugins, installation) = thread::scope(|scope| {
        let plugins = scope.spawn(|| plugins::build_for_quickstart(workspace, &more));
        let installation = Installation::build(workspace, data);
        (plugins.join(), installation)
    });
    let plugins = plugins.map_err(|_| anyhow!("building the plug-ins panicked"))??;
    eprintln!("{}", plugins::in_a_line(&plugins));
    installation
}

/// Runs the quickstart from start to end.
pub fn run(args: &Args) -> Result<()> {
    let started = Instant::now();
    let interrupt = Interrupt::install()?;
    let workspace = Workspace::load()?;
    let data = data_directory(&workspace, args.data_dir.as_deref())?;
    // Held until the end, and given back by the system if this process dies.
    let _claim = claim(&data)?;
    let installation = build(&workspace, data, args)?;
    interrupt.check()?;

    let mut state = State::load(&installation.data)?;
    let site = match args.company_domain {
        Some(_) => None,
        None => Some(SampleSite::start(&workspace.root, state.site_port)?),
    };
    if let Some(site) = &site {
        state.site_port = Some(site.port);
    }
    let publisher = Publisher::load_or_create(&workspace.publisher())?;
    let hosts = private_hosts(args, &state, site.as_ref());
    setup::write_config(&workspace, &installation, &publisher, &hosts)?;

    let remembered: Vec<u16> = state.port.into_iter().collect();
    let port = host::choose_port(args.port, &[&remembered, PREFERRED_PORTS].concat())?;
    state.port = Some(port);
    let mut server = installation.serve(port, &interrupt)?;
    eprintln!(
        "the host is ready on {} after {:.1} s (log: {})",
        server.base,
        started.elapsed().as_secs_f64(),
        installation.log().display()
    );
    prepare_tenant(args, &installation, &mut state, site.as_ref())?;

    let key = state.key.clone().context("there is no key")?;
    let client = Client::new(&server.base, &key);
    let mut run = Run {
        client: &client,
        server: &mut server,
        interrupt: &interrupt,
    };
    if args.message {
        let prospects = message::ensure_prospect(&installation, &mut state, &workspace.root)?;
        let job = message::make(&mut run, &workspace.root, &prospects)?;
        return finish_message(args, &mut server, &interrupt, &job);
    }
    let (path, input) = match args.document {
        Some(format) => {
            let domain = brand_domain(args);
            let brand = document::ensure_brand(&mut run, &installation, &mut state, &domain)?;
            let brief = args.brief.as_deref();
            let input = document::input(&workspace.root, format, brief, &brand)?;
            (document::PATH, input)
        }
        None => ("/v1/playbooks", playbook_input(args)),
    };
    let job = run.job(path, &input)?;
    let succeeded = job["status"] == "succeeded";
    if args.document.is_some() && succeeded {
        for file in document::save(&client, &installation.data, &job)? {
            eprintln!("saved {}", file.display());
        }
    }
    if args.once {
        server.stop()?;
        println!("{}", serde_json::to_string_pretty(&job)?);
        if !succeeded {
            bail!("{}", report::render_failure(&job));
        }
        return Ok(());
    }
    if succeeded && args.document.is_some() {
        print!("{}", report::render_document(&job));
    } else if succeeded {
        print!("{}", report::render(&job));
    } else {
        println!("{}", report::render_failure(&job));
        tell_unreachable_model(&state);
    }
    let body = request_body(&installation.data, &input)?;
    println!("\nThe same with curl:\n");
    print!(
        "{}",
        report::curl_commands(
            &server.base,
            &State::path(&installation.data),
            path,
            &body,
            job["id"].as_str().unwrap_or_default()
        )
    );
    if args.document.is_none() {
        println!("\nThe company as a brand, and its guideline to read:\n");
        print!("{}", report::brand_commands(&server.base, &input));
    }
    serve(&mut server, &interrupt)
}

/// The argument with which curl sends the input: a brief is longer than a line, so it comes from a file.
fn request_body(data: &Path, input: &Value) -> Result<String> {
    const LINE: usize = 200;
    let text = input.to_string();
    if text.len() <= LINE {
        return Ok(report::quoted(&text));
    }
    let file = data.join("quickstart-request.json");
    fs::write(&file, serde_json::to_vec_pretty(input)?)
        .with_context(|| format!("cannot write {}", file.display()))?;
    Ok(format!("@{}", report::quoted(&file.display().to_string())))
}

/// Keeps the server running until Ctrl-C.
fn serve(server: &mut Server, interrupt: &Interrupt) -> Result<()> {
    println!("\nServing on {} until Ctrl-C.", server.base);
    while interrupt.sleep(Duration::from_millis(500)).is_ok() {
        server.check()?;
    }
    eprintln!("stopping");
    server.stop()
}

/// Prints what became of the message.
fn finish_message(
    args: &Args,
    server: &mut Server,
    interrupt: &Interrupt,
    job: &Value,
) -> Result<()> {
    if job["status"] != "succeeded" {
        server.stop()?;
        bail!("{}", report::render_failure(job));
    }
    if args.once {
        server.stop()?;
        println!("{}", serde_json::to_string_pretty(job)?);
        return message::expect_demonstration(job);
    }
    print!("{}", message::render(job));
    serve(server, interrupt)
}

/// Creates organization, project, key, connections and bindings; prints what is new.
fn prepare_tenant(
    args: &Args,
    installation: &Installation,
    state: &mut State,
    site: Option<&SampleSite>,
) -> Result<()> {
    let new = setup::ensure_tenant(installation, state)?;
    if new {
        eprintln!(
            "made an organization, a project and a key: {}",
            state.key.as_deref().unwrap_or_default()
        );
    } else {
        eprintln!("using the project and the key of an earlier run");
    }
    if setup::ensure_credit(installation, state)? {
        eprintln!(
            "granted the organization ${} of credit, which priced model calls are paid from",
            setup::CREDIT_USD
        );
    }
    // A run against a real site leaves the sample site's entry unchanged.
    let start_urls = match site {
        Some(site) => json!({ sample_site::DOMAIN: site.url() }),
        None => state
            .backend_settings
            .as_ref()
            .map_or_else(|| json!({}), |settings| settings["start_urls"].clone()),
    };
    setup::ensure_backends(installation, state, &start_urls)?;
    if let Some(format) = args.document {
        document::ensure_bound(installation, state, format, &start_urls)?;
    }
    model::ensure(installation, state, &args.model)?;
    match &state.model {
        Some(model) => eprintln!("{}", model.describe()),
        None if args.document.is_some() => {
            eprintln!(
                "no model is bound: the document is composed of the brief and of cited facts"
            );
        }
        None => eprintln!("no model is bound: the playbook quotes the site's own sentences"),
    }
    tell_unreachable_model(state);
    state.save(&installation.data)
}

/// Warns if the server of a model that an earlier run bound is down now.
fn tell_unreachable_model(state: &State) {
    if let Some(problem) = state.model.as_ref().and_then(model::Model::unreachable) {
        eprintln!("warning: {problem}");
    }
}

/// Private hosts that the egress gate must allow: the sample site, and a model server on this machine or its
/// network.
fn private_hosts(args: &Args, state: &State, site: Option<&SampleSite>) -> Vec<PrivateHost> {
    let site = site.map(SampleSite::private_host);
    site.into_iter()
        .chain(args.model.private_host(state))
        .collect()
}

/// The company whose site is researched, and whose brand documents have.
fn brand_domain(args: &Args) -> String {
    let domain = args.company_domain.as_deref();
    domain.unwrap_or(sample_site::DOMAIN).to_owned()
}

fn playbook_input(args: &Args) -> Value {
    let (domain, company) = match &args.company_domain {
        Some(domain) => (domain.as_str(), args.company.as_deref()),
        None => (
            sample_site::DOMAIN,
            Some(args.company.as_deref().unwrap_or(sample_site::COMPANY)),
        ),
    };
    let mut input = json!({ "target_company_domain": domain });
    if let Some(company) = company {
        input["target_company"] = company.into();
    }
    input
}

/// A server that answers, and what is needed to let it do a job.
struct Run<'a> {
    client: &'a Client,
    server: &'a mut Server,
    interrupt: &'a Interrupt,
}

impl Run<'_> {
    /// Creates something with an idempotency key of its own and returns the answer.
    fn created(&self, path: &str, input: &Value, status: u16) -> Result<Value> {
        let mut random = [0_u8; 16];
        aws_lc_rs::rand::SecureRandom::fill(&SystemRandom::new(), &mut random)
            .context("no random numbers")?;
        let idempotency_key = format!("quickstart-{}", hex::encode(random));
        self.client
            .post(path, &idempotency_key, input)?
            .expect(status)
            .with_context(|| format!("POST {path} was not accepted"))
    }

    /// Creates a job, follows it to its end and returns it.
    fn job(&mut self, path: &str, input: &Value) -> Result<Value> {
        let created = self.created(path, input, 202)?;
        let job_id = created["id"].as_str().context("a job without id")?;
        eprintln!("POST {path} {} → {job_id}", shortened(input));
        watch::until_done(self.client, self.server, self.interrupt, job_id)
    }
}

/// An input in one line. A brief is longer than a line.
fn shortened(input: &Value) -> String {
    const MOST: usize = 200;
    let text = input.to_string();
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Claims the data directory. DANGER: a second host there has other plug-ins and moves the sample site, and the jobs of
/// the first one, which may still serve, fail.
fn claim(data: &Path) -> Result<fs::File> {
    let path = data.join("quickstart.lock");
    let file =
        fs::File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => bail!(
            "another quickstart is running in {}: stop it with Ctrl-C, or use another folder with --data-dir",
            data.display()
        ),
        Err(fs::TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("cannot lock {}", path.display()))
        }
    }
}

fn data_directory(workspace: &Workspace, wanted: Option<&Path>) -> Result<PathBuf> {
    let data = wanted.map_or_else(|| workspace.root.join("data"), Path::to_owned);
    // It will hold keys, so only its owner may read it, as if the host had created it.
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&data)
        .with_context(|| format!("cannot make {}", data.display()))?;
    data.canonicalize()
        .with_context(|| format!("cannot use {}", data.display()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_data_directory_is_claimed_once_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let first = claim(folder.path()).unwrap();
        let told = claim(folder.path()).unwrap_err().to_string();
        assert!(told.contains("another quickstart is running"), "{told}");
        drop(first);
        assert!(claim(folder.path()).is_ok());
    }
}
