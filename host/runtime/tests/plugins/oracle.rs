//! A plug-in that tries to learn the key that the host keeps for it, against the real gate.

use std::collections::BTreeMap;
use std::time::Duration;

use futures::StreamExt as _;
use gtm_domain::FailureKind;
use gtm_runtime::egress::PrivateHost;
use gtm_runtime::{ConnectorOutcome, Runtime};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use url::Url;

use crate::fixtures::{catalog_dir, config, connector_call, start};
use crate::loopback::{Seen, Server, write};

const KEY: &str = "sk-Fixture_07a9dE41c2b5f83J6e1mQ0wZ4-xTrV";
/// Every character that a key of this form may contain.
const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/// The plug-in author's own server, which no credential scheme names.
const OWN_HOST: &str = "127.0.0.2";
const GUESSES: usize = 10_000;
/// How often a guess is repeated while it stands out.
const ASKED_AGAIN: usize = 6;

/// What the plug-in's author sees of one guess, with the guess itself removed.
type Sight = String;

/// The author's server: `/stream` shows a guess, waits for the plug-in to look, and continues; `/cut`
/// continues at once.
async fn accomplice(seen: Seen, mut stream: TcpStream) {
    let target = seen.line.split(' ').nth(1).unwrap_or_default().to_owned();
    let url = Url::parse("http://host/").unwrap().join(&target).unwrap();
    let text = (url.query_pairs())
        .find(|(name, _)| name == "text")
        .map(|(_, text)| text.into_owned())
        .unwrap_or_default();
    if url.path() == "/stream" {
        let head = "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n";
        let _ = stream.write_all(format!("{head}|{text}").as_bytes()).await;
        let _ = stream.flush().await;
        tokio::time::sleep(Duration::from_millis(5)).await;
        let _ = stream.write_all(b"|").await;
        let _ = stream.shutdown().await;
    } else {
        write(
            &mut stream,
            200,
            &[],
            format!("|{text}{}", "|".repeat(5000)).as_bytes(),
        )
        .await;
    }
}

/// A runtime that may reach both servers.
async fn oracle_runtime() -> Runtime {
    let mut config = config(vec![catalog_dir()]);
    for host in ["127.0.0.1", OWN_HOST] {
        config.egress.private_hosts.push(PrivateHost {
            host: host.to_owned(),
            port: None,
            connectors: ["prefix-oracle".to_owned()].into(),
            open_web: false,
        });
    }
    start(config).await
}

async fn call(
    runtime: &Runtime,
    provider: &Server,
    own: &Server,
    operation: &str,
    input: Value,
) -> ConnectorOutcome {
    let mut call = connector_call(runtime, "prefix-oracle", operation, input);
    call.settings = json!({ "provider_url": provider.url("/"), "own_url": own.url("/") });
    call.credentials = [("api_key", KEY)].into_iter().collect();
    call.deadline = Duration::from_secs(60);
    runtime.call_connector(call).await
}

/// What an attacker learns who knows all earlier characters of a key and tries each possible next one: the
/// characters whose answers differ from the others.
fn told(candidates: &[char], sights: &[Sight]) -> Vec<char> {
    let mut by_sight: BTreeMap<&Sight, Vec<char>> = BTreeMap::new();
    for (candidate, sight) in candidates.iter().zip(sights) {
        by_sight.entry(sight).or_default().push(*candidate);
    }
    let ordinary = by_sight.values().map(Vec::len).max().unwrap_or(0);
    by_sight
        .into_values()
        .filter(|some| some.len() < ordinary)
        .flatten()
        .collect()
}

fn guesses(known: &str, candidates: &[char]) -> Vec<String> {
    candidates.iter().map(|c| format!("{known}{c}")).collect()
}

/// Each way to ask: the operation, the server, and whether the key is sent.
const MANNERS: [(&str, bool, bool); 6] = [
    ("stream", true, true),
    ("stream", true, false),
    ("stream", false, false),
    ("cut", true, true),
    ("cut", true, false),
    ("cut", false, false),
];

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_guesses_tell_a_prefix_oracle_nothing() {
    let runtime = oracle_runtime().await;
    let provider = Server::start(accomplice).await;
    let own = Server::start_at(OWN_HOST, accomplice).await;
    let alphabet: Vec<char> = ALPHABET.chars().collect();
    let rounds = (0..KEY.len() - 1)
        .flat_map(|known| MANNERS.map(|manner| (known, manner)))
        .map(|(known, (operation, at_provider, with_key))| {
            let (runtime, provider, own, alphabet) = (&runtime, &provider, &own, &alphabet);
            async move {
                let server = if at_provider { provider } else { own };
                // As many candidates as one call may send requests, including the right one.
                let right = KEY[known..].chars().next().unwrap();
                let others = alphabet.iter().cycle().skip(known).copied();
                let candidates: Vec<char> = [right]
                    .into_iter()
                    .chain(others.filter(|c| *c != right).take(47))
                    .collect();
                let tried = guesses(&KEY[..known], &candidates);
                let mut input =
                    json!({ "url": server.url(&format!("/{operation}")), "guesses": tried });
                if with_key {
                    input["credential"] = json!("key");
                }
                // If nothing is held back, a busy machine may end pieces anywhere. What reveals a key
                // stands out every time, so the attacker asks again.
                let (mut asked, mut learnt) = (0, candidates.clone());
                for _ in 0..ASKED_AGAIN {
                    let answer = call(runtime, provider, own, operation, input.clone())
                        .await
                        .result
                        .unwrap();
                    let mut sights = Vec::new();
                    for (guess, seen) in tried.iter().zip(answer["seen"].as_array().unwrap()) {
                        let text = seen["text"].as_str().unwrap_or_default();
                        assert!(text.starts_with('|'), "the attack works at all: {seen}");
                        let mut seen = seen.clone();
                        seen["text"] = json!(text.replacen(guess, "GUESS", 1));
                        sights.push(seen.to_string());
                    }
                    asked += tried.len();
                    let now = told(&candidates, &sights);
                    learnt.retain(|candidate| now.contains(candidate));
                    if learnt.is_empty() {
                        break;
                    }
                }
                (asked, learnt)
            }
        });
    let outcomes: Vec<(usize, Vec<char>)> = futures::stream::iter(rounds)
        .buffer_unordered(4)
        .collect()
        .await;
    let tried: usize = outcomes.iter().map(|(tried, _)| tried).sum();
    let learnt: Vec<char> = outcomes.into_iter().flat_map(|(_, told)| told).collect();
    assert!(tried >= GUESSES, "{tried}");
    assert!(learnt.is_empty(), "{learnt:?} told by {tried} guesses");
    eprintln!("{tried} guesses, nothing learnt");
}

/// A gate that holds back the possible beginning of a key and removes it at the end of a cut body: what the
/// guest sees of one guess in the two ways.
fn by_partial_matches(operation: &str, text: &str) -> Sight {
    let held = (0..=text.len())
        .find(|at| KEY.starts_with(&text[*at..]))
        .unwrap_or(text.len());
    let (shown, held) = text.split_at(held);
    let seen = match operation {
        "stream" => format!("[{}, {}] {text}|", shown.len(), held.len() + 1),
        _ if held.len() >= 4 => format!("{shown}[redacted]"),
        _ => text.to_owned(),
    };
    seen.replace(text.trim_start_matches('|'), "GUESS")
}

#[test]
fn the_same_attack_learns_the_whole_key_of_a_gate_that_acts_on_parts() {
    let alphabet: Vec<char> = ALPHABET.chars().collect();
    for (operation, from) in [("stream", 0), ("cut", 3)] {
        let mut known = KEY[..from].to_owned();
        while known.len() < KEY.len() {
            let sights: Vec<Sight> = guesses(&known, &alphabet)
                .iter()
                .map(|guess| by_partial_matches(operation, &format!("|{guess}")))
                .collect();
            // A guess may also end with the key's beginning; the right one must not be distinguishable.
            let told = told(&alphabet, &sights);
            let right = alphabet.iter().zip(&sights).find(|(c, sight)| {
                told.contains(c) && (sight.starts_with("[1,") || sight.starts_with("|[redacted]"))
            });
            known.push(
                *right
                    .unwrap_or_else(|| panic!("{operation}: {known}: {told:?}"))
                    .0,
            );
        }
        assert_eq!(known, KEY);
    }
}

#[tokio::test]
async fn a_whole_guess_ends_the_call_and_leaves_a_denial() {
    let runtime = oracle_runtime().await;
    let provider = Server::start(accomplice).await;
    let own = Server::start_at(OWN_HOST, accomplice).await;
    // In the URL of a request, to any host.
    for server in [&provider, &own] {
        let input = json!({ "url": server.url("/cut"), "guesses": ["x", KEY, "y"] });
        let before = server.seen().len();
        let outcome = call(&runtime, &provider, &own, "cut", input).await;
        let failure = outcome.result.unwrap_err();
        assert_eq!(
            (failure.kind, failure.code.as_str()),
            (FailureKind::Denied, "credential_in_request")
        );
        assert_eq!(
            server.seen().len() - before,
            1,
            "neither it nor what follows is sent"
        );
        let decisions: Vec<&str> = (outcome.exchanges.iter())
            .map(|exchange| exchange.receipt.decision.as_str())
            .collect();
        assert_eq!(
            decisions,
            ["allowed", "credential_in_request", "credential_in_request"]
        );
        assert_eq!(outcome.denied.len(), 2);
        let everything = format!("{:?} {:?}", outcome.exchanges, outcome.denied);
        assert!(!everything.contains(KEY), "{everything}");
    }
}

#[tokio::test]
async fn a_key_in_the_answer_to_a_request_without_it_ends_the_call() {
    let runtime = oracle_runtime().await;
    let own = Server::start_at(OWN_HOST, accomplice).await;
    let body = format!("aaaaaaaa {KEY} bbbbbbbb");
    let guessing = Server::fixed(200, &[], body.clone()).await;
    let input = json!({ "url": guessing.url("/"), "guesses": ["x", "y"] });
    let failure = call(&runtime, &guessing, &own, "stream", input)
        .await
        .result
        .unwrap_err();
    assert_eq!(
        (failure.kind, failure.code.as_str()),
        (FailureKind::Denied, "credential_in_answer")
    );
    // A host that receives no key has none to echo, so its answers are left alone.
    let own_guessing = Server::start_at(OWN_HOST, move |_, mut stream| {
        let body = body.clone();
        async move { write(&mut stream, 200, &[], body.as_bytes()).await }
    })
    .await;
    let input = json!({ "url": own_guessing.url("/"), "guesses": ["x"] });
    let answer = call(&runtime, &guessing, &own_guessing, "stream", input)
        .await
        .result
        .unwrap();
    assert_eq!(
        answer["seen"][0]["text"],
        format!("aaaaaaaa {KEY} bbbbbbbb")
    );
}
