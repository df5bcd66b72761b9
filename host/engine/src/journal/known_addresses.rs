//! Decides which addresses a generation backend may fetch.
//!
//! DANGER: a backend has no network of its own, but the address of a page can leak data:
//! `https://x.example/?<the offer>`. So it may fetch only addresses that it was told of, and add only a
//! little to them. It is told of addresses by the job's input, by its binding's settings, and by earlier
//! answers of the same job except a model's, because a model repeats whatever the backend asks it to. What
//! it adds is bounded per call and per job. Everything here follows from pinned and journaled values, so a
//! replay reaches the same verdicts.

use std::collections::{BTreeSet, HashSet};

use gtm_domain::{Digest, Failure, FailureKind};
use gtm_page_text::bare_host;
use serde_json::Value;
use url::{Position, Url};

use super::accept_language;

/// Bytes of path and query that a backend may invent for one call.
const MAX_MADE_UP: usize = 256;
/// The same limit for all calls of a job, including invented `Accept-Language` values. Research guesses a
/// few dozen paths such as `/about`, some hundred bytes in total; a brief or a list of names is longer.
const MAX_MADE_UP_IN_JOB: usize = 4096;
/// Members of a page that hold the address that the backend requested and the one that it led to.
const OWN_ADDRESSES: [&str; 2] = ["url", "final_url"];
/// Maximum length of an address that is remembered; `web.fetch` accepts no longer ones.
const MAX_ADDRESS: usize = 4096;
/// Maximum number of addresses, and of hosts, remembered for one job. Later ones are ignored, as if the
/// backend had not been told of them.
const MAX_REMEMBERED: usize = 200_000;

/// Addresses that a backend was told of.
#[derive(Debug, Clone, Default)]
pub struct KnownAddresses {
    /// Hosts in the form of [`bare_host`].
    hosts: BTreeSet<String>,
    /// Digests of whole addresses, and of the same addresses without their query.
    addresses: HashSet<Digest>,
    /// Bytes that the backend has invented so far.
    made_up: usize,
    /// Digests of what those bytes were counted for: requesting the same again reveals nothing more.
    counted: HashSet<Digest>,
}

impl KnownAddresses {
    /// What is known before the first answer: the addresses in the task's input and the binding's settings.
    #[must_use]
    pub fn of_job(input: &Value, settings: &Value) -> Self {
        let mut known = Self::default();
        known.learn(input);
        known.learn(settings);
        known
    }

    /// Learns every address in a value: addresses within texts, a text that is entirely a domain name, and
    /// names of members.
    pub fn learn(&mut self, value: &Value) {
        let mut left = vec![value];
        while let Some(value) = left.pop() {
            match value {
                Value::String(text) => self.learn_text(text),
                Value::Array(items) => left.extend(items),
                Value::Object(members) => {
                    for (name, member) in members {
                        self.learn_text(name);
                        left.push(member);
                    }
                }
                Value::Null | Value::Bool(_) | Value::Number(_) => {}
            }
        }
    }

    /// Learns every address in a page that the backend fetched, except the page's own address and the one
    /// that it led to: the backend may have invented the first, and any open redirect may have chosen the
    /// second.
    pub fn learn_page(&mut self, page: &Value) {
        match page {
            Value::Object(members) => {
                let told = members
                    .iter()
                    .filter(|(name, _)| !OWN_ADDRESSES.contains(&name.as_str()));
                for (_, member) in told {
                    self.learn(member);
                }
            }
            other => self.learn(other),
        }
    }

    fn learn_text(&mut self, text: &str) {
        if let Some(host) = domain_name(text) {
            self.learn_host(&host);
            return;
        }
        for address in addresses_in(text) {
            if self.addresses.len() >= MAX_REMEMBERED {
                return;
            }
            let Some(mut url) = read(address) else {
                continue;
            };
            self.learn_host(url.host_str().unwrap_or_default());
            self.addresses.insert(Digest::of(url.as_str().as_bytes()));
            url.set_query(None);
            self.addresses.insert(Digest::of(url.as_str().as_bytes()));
        }
    }

    fn learn_host(&mut self, host: &str) {
        if self.hosts.len() < MAX_REMEMBERED {
            self.hosts.insert(bare_host(host).to_owned());
        }
    }

    /// Decides whether the backend may make this `web.fetch` call, and counts what it invented for it.
    ///
    /// # Errors
    /// `url_not_allowed` if the backend was not told of the host, or invents too much of the rest, in this
    /// call or together with earlier ones; `invalid_accept_language`.
    pub fn admit(&mut self, input: &Value) -> Result<(), Failure> {
        let text = |member: &str| input.get(member).and_then(Value::as_str);
        let made_up = match text("url") {
            Some(address) => self.judge(address)?,
            None => 0,
        };
        if text("accept_language").is_some_and(|value| !accept_language::is_well_formed(value)) {
            return Err(Failure::new(
                FailureKind::InvalidInput,
                "invalid_accept_language",
                "accept_language is a short list of language ranges, such as de, en;q=0.5.",
            ));
        }
        let counted = self.uncounted(input, made_up);
        let sum = counted.iter().map(|(_, bytes)| bytes).sum::<usize>();
        if self.made_up.saturating_add(sum) > MAX_MADE_UP_IN_JOB {
            return Err(Failure::denied(
                "url_not_allowed",
                format!(
                    "The backend made up {} bytes of addresses in this job, and may make up {MAX_MADE_UP_IN_JOB}.",
                    self.made_up.saturating_add(sum)
                ),
            ));
        }
        self.count(counted);
        Ok(())
    }

    /// Counts what the backend invented for a call that was begun before, without judging it.
    pub fn recall(&mut self, input: &Value) {
        let address = input.get("url").and_then(Value::as_str);
        let made_up = address.and_then(|address| self.judge(address).ok());
        let counted = self.uncounted(input, made_up.unwrap_or_default());
        self.count(counted);
    }

    /// What a call adds to the bytes invented so far.
    fn uncounted(&self, input: &Value, made_up: usize) -> Vec<(Digest, usize)> {
        let text = |member: &str| input.get(member).and_then(Value::as_str);
        let address = text("url").map(|address| (address, made_up));
        let language = text("accept_language").map(|value| (value, value.len()));
        address
            .into_iter()
            .chain(language)
            .map(|(text, bytes)| (Digest::of(text.as_bytes()), bytes))
            .filter(|(digest, bytes)| *bytes > 0 && !self.counted.contains(digest))
            .collect()
    }

    fn count(&mut self, counted: Vec<(Digest, usize)>) {
        for (digest, bytes) in counted {
            self.made_up = self.made_up.saturating_add(bytes);
            self.counted.insert(digest);
        }
    }

    /// How many bytes of an address the backend invented.
    ///
    /// # Errors
    /// `url_not_allowed` if the backend was not told of the host, or invents too much of the rest.
    fn judge(&self, address: &str) -> Result<usize, Failure> {
        let refused = |why: String| Err(Failure::denied("url_not_allowed", why));
        // Refuse an address that another parser could read differently.
        if address
            .bytes()
            .any(|b| b <= b' ' || b == 0x7f || b == b'\\')
        {
            return refused(
                "The address holds a space, control character or backslash.".to_owned(),
            );
        }
        let Some(mut url) = read(address) else {
            return refused("The address is no http or https URL without user.".to_owned());
        };
        if self.knows(&url) {
            return Ok(0);
        }
        let host = url.host_str().unwrap_or_default();
        if !self.hosts.contains(bare_host(host)) {
            return refused(format!(
                "Nothing told the backend of the host {host}: neither the job's input, nor the binding's settings, nor an earlier answer."
            ));
        }
        let whole = url[Position::BeforePath..].len();
        url.set_query(None);
        let path = url[Position::BeforePath..].len();
        let made_up = if self.knows(&url) {
            whole - path
        } else {
            whole
        };
        if made_up > MAX_MADE_UP {
            return refused(format!(
                "The backend made up {made_up} bytes of path and query, and may make up {MAX_MADE_UP}."
            ));
        }
        Ok(made_up)
    }

    fn knows(&self, url: &Url) -> bool {
        self.addresses
            .contains(&Digest::of(url.as_str().as_bytes()))
    }
}

/// An address as a connector reads it, without its fragment, which is never sent.
fn read(address: &str) -> Option<Url> {
    let mut url = Url::parse(address).ok()?;
    let usable = matches!(url.scheme(), "http" | "https")
        && url.has_host()
        && url.username().is_empty()
        && url.password().is_none();
    url.set_fragment(None);
    usable.then_some(url)
}

/// Replaces a call's address by its judged form. DANGER: a fragment, and parts that a parser drops, such as
/// `/<text>/..`, do not count as invented, so they must not reach the connector either.
#[must_use]
pub fn as_judged(mut input: Value) -> Value {
    let judged = input.get("url").and_then(Value::as_str).and_then(read);
    if let (Some(judged), Some(address)) = (judged, input.get_mut("url")) {
        *address = Value::String(judged.into());
    }
    input
}

/// The host of a text that is exactly a domain name.
fn domain_name(text: &str) -> Option<String> {
    let text = text.trim();
    let plausible = text.len() <= 253
        && text.contains('.')
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_'));
    if !plausible {
        return None;
    }
    let url = Url::parse(&format!("https://{text}/")).ok()?;
    url.host_str().map(str::to_owned)
}

/// The parts of a text that look like addresses. If sentence punctuation follows an address, the form
/// without it is included too. An address within another one's query is ignored, which keeps the work
/// proportional to the text.
fn addresses_in(text: &str) -> Vec<&str> {
    let ends = |c: char| {
        c.is_whitespace() || c.is_control() || matches!(c, '"' | '<' | '>' | '`' | '\\' | '^')
    };
    let marks = ['.', ',', ';', ':', '!', '?', ')', ']', '}', '\'', '*', '|'];
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find("://").map(|at| from + at) {
        let before = text[from..at].trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let begin = from + before.len();
        from = at + "://".len();
        if !matches!(
            text[begin..at].to_ascii_lowercase().as_str(),
            "http" | "https"
        ) {
            continue;
        }
        let longest = text.floor_char_boundary(begin.saturating_add(MAX_ADDRESS));
        let whole = text[begin..longest].split(ends).next().unwrap_or_default();
        let trimmed = whole.trim_end_matches(marks);
        found.push(whole);
        if trimmed.len() < whole.len() {
            found.push(trimmed);
        }
        from = from.max(begin + whole.len());
    }
    found
}

#[cfg(test)]
mod tests;
