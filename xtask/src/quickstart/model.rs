//! The language model of a quickstart: what the command line asks for, what is already bound, and which
//! private host the egress gate must allow.

use std::env;
use std::net::{IpAddr, SocketAddr, TcpStream, ToSocketAddrs as _};
use std::time::Duration;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use url::{Host, Url};

use super::host::Installation;
use super::setup::{PrivateHost, bind_connection, connect, project_of, text};
use super::state::State;

/// Catalog key of the connector for language models.
const OPENAI_COMPATIBLE: &str = "openai-compatible";
/// The capability that a model serves.
const MODEL_COMPLETE: &str = "model.complete";
/// The environment variable that usually holds the API key of an OpenAI-compatible server.
const KEY_VARIABLE: &str = "OPENAI_API_KEY";
/// The manifest field of the connector that takes the key.
const KEY_FIELD: &str = "api_key";
/// The highest price that the connector's settings allow, in US dollars per million tokens.
const HIGHEST_PRICE: f64 = 100_000.0;
/// How long a model's server may take to accept a connection.
const CONNECT_TIME: Duration = Duration::from_secs(5);

/// The model options of the command line.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Options {
    /// Base URL of an OpenAI-compatible server; its key is read from OPENAI_API_KEY, if that is set. The
    /// model stays bound for later runs
    #[arg(long, value_name = "URL", requires = "model")]
    pub model_url: Option<Url>,
    /// Name of the model at --model-url
    #[arg(long, value_name = "NAME", requires = "model_url")]
    pub model: Option<String>,
    /// Price of a million input tokens; without prices the model counts as free
    #[arg(long, value_name = "USD_PER_MILLION", value_parser = price,
          requires = "model_url", requires = "model_output_price")]
    pub model_input_price: Option<f64>,
    /// Price of a million output tokens
    #[arg(long, value_name = "USD_PER_MILLION", value_parser = price,
          requires = "model_url", requires = "model_input_price")]
    pub model_output_price: Option<f64>,
    /// Work without the model that an earlier run bound
    #[arg(long, conflicts_with_all = ["model_url", "model"])]
    pub no_model: bool,
}

/// A bound model.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Model {
    /// Base URL of the OpenAI-compatible server.
    pub url: String,
    /// Model name.
    pub name: String,
    /// SHA-256, in hexadecimal, of the API key stored with the connection: enough to notice that the key has
    /// changed.
    pub key_digest: Option<String>,
    /// Prices; `None` for a model that counts as free.
    pub prices: Option<Prices>,
}

/// Prices in US dollars per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Prices {
    /// Price of input tokens.
    pub input: f64,
    /// Price of output tokens.
    pub output: f64,
}

impl Options {
    /// The model to bind: the one of the command line, or else that of an earlier run with the key that the
    /// environment holds now. `key` is that key.
    fn wanted(&self, bound: Option<&Model>, key: Option<&str>) -> Option<Model> {
        if self.no_model {
            return None;
        }
        let key_digest = key.map(|key| hex::encode(Sha256::digest(key)));
        if let (Some(url), Some(name)) = (&self.model_url, &self.model) {
            let prices = self.model_input_price.zip(self.model_output_price);
            return Some(Model {
                url: url.to_string(),
                name: name.clone(),
                key_digest,
                prices: prices.map(|(input, output)| Prices { input, output }),
            });
        }
        let mut model = bound?.clone();
        // Replace a stored key only with another key. Send no key to a server that was bound without one, and
        // keep the stored key if the variable is missing.
        if model.key_digest.is_some() && key_digest.is_some() {
            model.key_digest = key_digest;
        }
        Some(model)
    }

    /// The model's server, if the egress gate needs an entry for it.
    pub fn private_host(&self, state: &State) -> Option<PrivateHost> {
        let model = self.wanted(state.model.as_ref(), None)?;
        private_host(&Url::parse(&model.url).ok()?, addresses)
    }
}

impl Model {
    fn settings(&self) -> Value {
        let mut settings = json!({
            "base_url": self.url.trim_end_matches('/'),
            "model": self.name,
        });
        if self.key_digest.is_none() {
            settings["authentication"] = "none".into();
        }
        // With neither prices nor this setting, the host refuses every call, because it cannot charge for it.
        match self.prices {
            Some(Prices { input, output }) => {
                settings["prices"] =
                    json!({ "input_per_million_usd": input, "output_per_million_usd": output });
            }
            None => settings["free"] = true.into(),
        }
        settings
    }

    /// One line for the person at the terminal.
    pub fn describe(&self) -> String {
        let costs = match self.prices {
            Some(_) => "",
            None => {
                "; costs are not tracked: give --model-input-price and --model-output-price for that"
            }
        };
        format!("model: {} at {}{costs}", self.name, self.url)
    }

    /// A warning if no server listens at the model's address. A job notices late, and the API shows no
    /// address to its callers.
    pub fn unreachable(&self) -> Option<String> {
        let url = Url::parse(&self.url).ok()?;
        let name = url.host_str()?.trim_matches(['[', ']']);
        let port = url.port_or_known_default()?;
        let why = match (name, port).to_socket_addrs() {
            Err(error) => error.to_string(),
            Ok(addresses) => refused(addresses)?,
        };
        Some(format!(
            "the model's server at {} does not answer ({why}): start it, name another by --model-url and --model, or work without it by --no-model",
            self.url
        ))
    }
}

/// Why none of the addresses accepts a connection; `None` if one does.
fn refused(addresses: impl Iterator<Item = SocketAddr>) -> Option<String> {
    let mut why = "its name has no address".to_owned();
    for address in addresses {
        match TcpStream::connect_timeout(&address, CONNECT_TIME) {
            Ok(_) => return None,
            Err(error) => why = error.to_string(),
        }
    }
    Some(why)
}

/// Binds the wanted model, updates the existing binding, or removes it.
pub fn ensure(installation: &Installation, state: &mut State, options: &Options) -> Result<()> {
    if options.no_model {
        return remove(installation, state);
    }
    let key = env::var(KEY_VARIABLE).ok().filter(|key| !key.is_empty());
    let Some(model) = options.wanted(state.model.as_ref(), key.as_deref()) else {
        return Ok(());
    };
    // Without a connection in the state there is no earlier binding to update.
    let current = state.model.as_ref() == Some(&model) && state.model_connection.is_some();
    let unknown = options.model_url.is_none() && state.model_connection.is_none();
    if current || unknown {
        return Ok(());
    }
    if key.is_none()
        && state
            .model
            .as_ref()
            .is_some_and(|bound| bound.key_digest.is_some())
    {
        eprintln!("{KEY_VARIABLE} is not set: the model is asked without a key from now on");
    }
    let settings = model.settings();
    // `wanted` names a key that is not in the environment only if the model is already bound with that key.
    let credential = model
        .key_digest
        .is_some()
        .then(|| format!("{KEY_FIELD}={KEY_VARIABLE}"));
    let project = project_of(state)?;
    let connection = match &state.model_connection {
        Some(connection) => {
            update(installation, connection, &settings, credential.as_deref())?;
            connection.clone()
        }
        None => connect(
            installation,
            &project,
            OPENAI_COMPATIBLE,
            &settings,
            credential.as_deref(),
        )?,
    };
    bind_connection(installation, &project, MODEL_COMPLETE, &connection)?;
    state.model_connection = Some(connection);
    state.model = Some(model);
    state.save(&installation.data)
}

fn update(
    installation: &Installation,
    connection: &str,
    settings: &Value,
    credential: Option<&str>,
) -> Result<()> {
    let settings = settings.to_string();
    let mut arguments = vec![
        "connection",
        "update",
        connection,
        "--settings-json",
        &settings,
    ];
    match credential {
        Some(credential) => arguments.extend(["--credential-env", credential]),
        None => arguments.extend(["--remove-credential", KEY_FIELD]),
    }
    installation.admin(&arguments).map(drop)
}

/// Removes the project's model bindings, even those that the state does not know, and disables the connection
/// that it does know.
fn remove(installation: &Installation, state: &mut State) -> Result<()> {
    let project = project_of(state)?;
    let list = installation.admin(&["binding", "list"])?;
    for binding in list["bindings"].as_array().into_iter().flatten() {
        if is_model_binding(binding, &project) {
            installation.admin(&["binding", "remove", &text(binding, "id")?])?;
        }
    }
    if let Some(connection) = state.model_connection.take() {
        installation.admin(&["connection", "disable", &connection])?;
    }
    state.model = None;
    state.save(&installation.data)
}

/// Whether this binding lets a model serve this project and no other.
fn is_model_binding(binding: &Value, project: &str) -> bool {
    binding["capability"] == MODEL_COMPLETE
        && binding["scope"] == "project"
        && binding["scope_id"] == project
}

/// Parses a price from the command line.
fn price(text: &str) -> Result<f64, String> {
    text.parse::<f64>()
        .ok()
        .filter(|price| (0.0..=HIGHEST_PRICE).contains(price))
        .ok_or_else(|| format!("expected US dollars a million tokens, 0 to {HIGHEST_PRICE}"))
}

/// Host and port of a URL that leads to this machine or a private network, where the egress gate blocks
/// everything that the configuration does not name. A name is private if any of its addresses is, or if it
/// does not resolve here and looks like a local name.
fn private_host(url: &Url, resolve: impl Fn(&str, u16) -> Vec<IpAddr>) -> Option<PrivateHost> {
    let port = url.port_or_known_default()?;
    let private = match url.host()? {
        Host::Ipv4(address) => is_private(IpAddr::V4(address)),
        Host::Ipv6(address) => is_private(IpAddr::V6(address)),
        Host::Domain(name) => {
            let addresses = resolve(name, port);
            if addresses.is_empty() {
                !name.contains('.') || name.ends_with(".local")
            } else {
                addresses.into_iter().any(is_private)
            }
        }
    };
    private.then(|| PrivateHost {
        host: url.host_str().unwrap_or_default().to_owned(),
        port,
        connector: OPENAI_COMPATIBLE,
        open_web: false,
    })
}

/// Addresses that the egress gate blocks but an operator may allow.
fn is_private(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => {
            let [first, second, ..] = address.octets();
            let carrier = first == 100 && (64..128).contains(&second);
            address.is_loopback() || address.is_private() || carrier
        }
        IpAddr::V6(address) => address.is_loopback() || address.is_unique_local(),
    }
}

/// The addresses from the system's resolver; empty if the name is unknown.
fn addresses(name: &str, port: u16) -> Vec<IpAddr> {
    (name, port)
        .to_socket_addrs()
        .map(|found| found.map(|address| address.ip()).collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        options: Options,
    }

    const SERVER: [&str; 4] = ["--model-url", "https://models.example/v1", "--model", "m"];

    fn parse(arguments: &[&str]) -> Result<Options, clap::Error> {
        let all = [&["quickstart"], arguments].concat();
        Cli::try_parse_from(all).map(|cli| cli.options)
    }

    #[test]
    fn prices_come_in_pairs_and_with_a_model() {
        let both = ["--model-input-price", "0.5", "--model-output-price", "2"];
        assert!(parse(&[&SERVER[..], &both].concat()).is_ok());
        assert!(parse(&both).is_err());
        assert!(parse(&[&SERVER[..], &both[..2]].concat()).is_err());
        assert!(parse(&[&SERVER[..], &["--no-model"]].concat()).is_err());
        for bad in ["-1", "NaN", "inf", "much"] {
            assert!(price(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn every_model_has_prices_or_is_free() {
        let free = parse(&SERVER).unwrap().wanted(None, None).unwrap();
        assert_eq!(
            free.settings(),
            json!({"base_url": "https://models.example/v1", "model": "m",
                   "authentication": "none", "free": true})
        );
        assert!(free.describe().contains("costs are not tracked"));
        let prices = ["--model-input-price", "0.5", "--model-output-price", "2"];
        let priced = parse(&[&SERVER[..], &prices].concat()).unwrap();
        let priced = priced.wanted(None, Some("secret")).unwrap();
        assert_eq!(
            priced.settings(),
            json!({"base_url": "https://models.example/v1", "model": "m",
                   "prices": {"input_per_million_usd": 0.5, "output_per_million_usd": 2.0}})
        );
        assert!(!serde_json::to_string(&priced).unwrap().contains("secret"));
    }

    #[test]
    fn a_server_that_does_not_answer_is_told_with_its_url() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let model = Model {
            url: url.clone(),
            ..Model::default()
        };
        assert_eq!(model.unreachable(), None);
        drop(listener);
        let told = model.unreachable().unwrap();
        for words in [url.as_str(), "--model-url", "--no-model"] {
            assert!(told.contains(words), "{words}: {told}");
        }
    }

    #[test]
    fn another_key_or_another_server_is_another_model() {
        let first = parse(&SERVER).unwrap().wanted(None, Some("one")).unwrap();
        let later = parse(&[]).unwrap();
        let bound = Some(&first);
        assert_eq!(later.wanted(bound, Some("one")), Some(first.clone()));
        assert_eq!(later.wanted(bound, None), Some(first.clone()));
        assert_ne!(later.wanted(bound, Some("two")), Some(first.clone()));
        assert_eq!(later.wanted(None, Some("one")), None);
        let keyless = parse(&SERVER).unwrap().wanted(bound, None).unwrap();
        assert_eq!(keyless.key_digest, None);
        assert_eq!(
            later.wanted(Some(&keyless), Some("one")),
            Some(keyless.clone())
        );
        let without = parse(&["--no-model"]).unwrap();
        assert_eq!(without.wanted(bound, Some("one")), None);
    }

    #[test]
    fn a_host_is_named_if_any_of_its_addresses_is_private() {
        let host = |url: &str| {
            private_host(&Url::parse(url).unwrap(), |name, _| match name {
                "models.lan.example" => {
                    vec!["203.0.113.7".parse().unwrap(), "10.0.0.7".parse().unwrap()]
                }
                "models.example" => vec!["203.0.113.7".parse().unwrap()],
                "localhost" => vec!["::1".parse().unwrap()],
                _ => Vec::new(),
            })
        };
        let is = |url: &str, name: &str, port: u16| {
            let found = host(url).unwrap();
            assert_eq!((found.host.as_str(), found.port), (name, port));
            assert_eq!(
                (found.connector, found.open_web),
                (OPENAI_COMPATIBLE, false)
            );
        };
        is("http://127.0.0.1:8000/v1", "127.0.0.1", 8000);
        is("http://localhost:11434/v1", "localhost", 11434);
        is("http://10.1.2.3/v1", "10.1.2.3", 80);
        is("http://[::1]:9/", "[::1]", 9);
        is("https://models.lan.example/v1", "models.lan.example", 443);
        is("http://nas.local:8000/v1", "nas.local", 8000);
        is("http://ollama:11434/v1", "ollama", 11434);
        assert_eq!(host("https://models.example/v1"), None);
        assert_eq!(host("https://unknown.example/v1"), None);
    }

    #[test]
    fn only_the_project_s_own_model_binding_is_taken_away() {
        let binding = |capability: &str, project: &str| json!({"id": "bnd_1", "scope": "project", "scope_id": project, "capability": capability});
        assert!(is_model_binding(
            &binding("model.complete", "prj_1"),
            "prj_1"
        ));
        assert!(!is_model_binding(
            &binding("model.complete", "prj_2"),
            "prj_1"
        ));
        assert!(!is_model_binding(&binding("web.fetch", "prj_1"), "prj_1"));
    }
}
