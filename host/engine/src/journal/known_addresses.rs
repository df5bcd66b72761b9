//! Which addresses a generation backend may have fetched.
//!
//! A backend has no network, but the address of a page is a way out: `https://x.example/?<the offer>`.
//! So it fetches what it was told of, and adds little to it. Told it is by the job's input, by its
//! binding's settings, and by earlier answers of the same job that are not a model's: a model repeats
//! whatever the backend asks it to. Everything here follows from pinned and journaled values, so a
//! replay judges the same.

use std::collections::{BTreeSet, HashSet};

use gtm_domain::{Digest, Failure};
use serde_json::Value;
use url::{Position, Url};

/// Bytes of path and query that a backend may make up.
const MAX_MADE_UP: usize = 256;
/// Bytes of an address that is taken note of; `web.fetch` takes no longer one.
const MAX_ADDRESS: usize = 4096;
/// Addresses, and hosts, that are remembered of one job. What comes later is as if it had not been told.
const MAX_REMEMBERED: usize = 200_000;

/// Addresses that a backend was told.
#[derive(Debug, Clone, Default)]
pub struct KnownAddresses {
    /// Hosts without a leading `www.`.
    hosts: BTreeSet<String>,
    /// Digests of whole addresses, and of the same without their query.
    addresses: HashSet<Digest>,
}

impl KnownAddresses {
    /// What is known before the first answer: the task's input and the settings of the binding.
    #[must_use]
    pub fn of_job(input: &Value, settings: &Value) -> Self {
        let mut known = Self::default();
        known.learn(input);
        known.learn(settings);
        known
    }

    /// Take note of every address in a value: in the text of members, as a whole text that is a domain
    /// name, and in names of members.
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
            self.hosts.insert(without_www(host).to_owned());
        }
    }

    /// Whether the backend may have this address fetched.
    ///
    /// # Errors
    /// `url_not_allowed` if it was not told of the host, or makes up too much of the rest.
    pub fn judge(&self, address: &str) -> Result<(), Failure> {
        let refused = |why: String| Err(Failure::denied("url_not_allowed", why));
        // What two parsers could read differently is not judged by one of them.
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
            return Ok(());
        }
        let host = url.host_str().unwrap_or_default();
        if !self.hosts.contains(without_www(host)) {
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
        Ok(())
    }

    fn knows(&self, url: &Url) -> bool {
        self.addresses
            .contains(&Digest::of(url.as_str().as_bytes()))
    }
}

/// An address as a connector reads it, without its fragment, which nobody sends.
fn read(address: &str) -> Option<Url> {
    let mut url = Url::parse(address).ok()?;
    let usable = matches!(url.scheme(), "http" | "https")
        && url.has_host()
        && url.username().is_empty()
        && url.password().is_none();
    url.set_fragment(None);
    usable.then_some(url)
}

fn without_www(host: &str) -> &str {
    let host = host.strip_suffix('.').unwrap_or(host);
    host.strip_prefix("www.").unwrap_or(host)
}

/// The host of a text that is a domain name and nothing else.
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

/// The texts within a text that begin like an address. One that a sentence goes on behind counts without
/// the sentence's marks too. An address within another's query is not looked at, so that the work is in
/// proportion to the text.
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
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn known() -> KnownAddresses {
        let input = json!({
            "target_company": "Acme",
            "target_company_domain": "acme.example",
            "product_info": "See (https://seller.example/offer?id=7), or call.",
            "brand": {"sources": [{"url": "https://brand.example/a"}]},
        });
        let settings = json!({"start_urls": {"b.example": "http://127.0.0.1:4711/"}});
        KnownAddresses::of_job(&input, &settings)
    }

    fn allows(known: &KnownAddresses, address: &str) -> bool {
        match known.judge(address) {
            Ok(()) => true,
            Err(failure) => {
                assert_eq!(failure.code, "url_not_allowed");
                false
            }
        }
    }

    #[test]
    fn hosts_come_from_input_settings_and_answers() {
        let mut known = known();
        for told in [
            "https://acme.example/",
            "http://www.acme.example/about?x=1",
            "https://ACME.example./x",
            "https://seller.example/other",
            "https://www.brand.example/",
            "http://127.0.0.1:4711/about",
            "https://b.example/",
        ] {
            assert!(allows(&known, told), "{told}");
        }
        for other in [
            "https://evil.example/",
            "https://data.acme.example/",
            "https://acme.example.evil.example/",
            "https://acme.example@evil.example/",
            "https://evil.example\\@acme.example/",
            "https://evil.example/?u=https://acme.example/",
            "ftp://acme.example/",
            "https://acme.example/ x",
            "acme.example",
            "",
        ] {
            assert!(!allows(&known, other), "{other}");
        }
        let answer = json!({"links": [{"url": "https://news.example/1", "text": "acme.test"}],
            "blocks": [{"text": "Site map: https://shop.example/a, https://x.example/b."}]});
        known.learn(&answer);
        for told in [
            "https://news.example/2",
            "https://acme.test/",
            "https://shop.example/",
            "https://x.example/",
        ] {
            assert!(allows(&known, told), "{told}");
        }
    }

    #[test]
    fn what_is_made_up_is_short() {
        let mut known = known();
        let fits = format!("https://acme.example/?{}", "q".repeat(MAX_MADE_UP - 2));
        assert!(allows(&known, &fits));
        assert!(!allows(&known, &format!("{fits}q")));
        assert!(!allows(
            &known,
            &format!("https://acme.example/{}", "p".repeat(MAX_MADE_UP))
        ));
        assert!(
            allows(&known, &format!("{fits}#{}", "f".repeat(MAX_MADE_UP))),
            "a fragment is not sent"
        );
        // What stood in an answer may have any length, and its path with another short query too.
        let long = format!("https://cdn.example/{}", "p".repeat(1000));
        known.learn(&json!([format!("{long}?{}", "q".repeat(1000))]));
        assert!(allows(&known, &format!("{long}?{}", "q".repeat(1000))));
        assert!(allows(&known, &format!("{long}?page=2")));
        assert!(!allows(
            &known,
            &format!("{long}?{}", "r".repeat(MAX_MADE_UP))
        ));
        assert!(!allows(&known, &format!("{long}x")));
    }

    #[test]
    fn the_work_is_in_proportion_to_the_text() {
        let address = "http://a.example/";
        assert_eq!(addresses_in(&address.repeat(100)).len(), 1);
        assert_eq!(
            addresses_in(&"http://".repeat(100_000)).len(),
            700_000 / MAX_ADDRESS + 1
        );
        let schemes = format!("{}://", "x".repeat(1 << 20)).repeat(4);
        assert_eq!(addresses_in(&schemes).len(), 0);
        assert_eq!(addresses_in(&format!("view:{address} x")), [address]);
        assert_eq!(
            addresses_in(&format!("é{address}.")),
            [format!("{address}.").as_str(), address]
        );
    }

    proptest! {
        #[test]
        fn no_text_panics_and_every_address_in_it_is_told(before in ".{0,20}", path in "[a-z0-9/]{0,600}", after in "[ \n\"<].{0,20}") {
            let address = format!("https://told.example/{path}");
            let mut known = KnownAddresses::default();
            known.learn(&json!(format!("{before} {address}{after}")));
            prop_assert!(known.judge(&address).is_ok());
            let _ = known.judge(&before);
        }
        #[test]
        fn a_host_that_nothing_told_is_refused(host in "[a-z]{1,20}\\.(example|test)", rest in "[ -~]{0,40}") {
            prop_assume!(!["acme.example", "seller.example", "brand.example", "b.example"].contains(&host.as_str()));
            let address = format!("https://{host}/{rest}");
            prop_assert!(known().judge(&address).is_err());
        }
    }
}
