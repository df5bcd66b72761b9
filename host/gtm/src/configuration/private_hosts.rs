//! One entry of `[[egress.private_hosts]]`.

use std::collections::BTreeSet;
use std::fmt;

use gtm_runtime::egress::PrivateHost;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// A host that some connectors may reach although its address is not public.
#[derive(Debug, Clone, Serialize)]
#[serde(into = "Form")]
pub struct HostEntry(pub PrivateHost);

/// The entry as written in the file.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Form {
    host: String,
    port: u16,
    connectors: BTreeSet<String>,
    #[serde(default)]
    open_web: bool,
}

impl From<HostEntry> for Form {
    fn from(HostEntry(entry): HostEntry) -> Self {
        Self {
            host: entry.host,
            // An entry is only ever made from a form, which has a port.
            port: entry.port.unwrap_or_default(),
            connectors: entry.connectors,
            open_web: entry.open_web,
        }
    }
}

impl<'de> Deserialize<'de> for HostEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entry;
        impl<'de> Visitor<'de> for Entry {
            type Value = HostEntry;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table with host, port and connectors")
            }
            // Earlier versions accepted a plain string, which opened a host to every connector.
            fn visit_str<E: Error>(self, text: &str) -> Result<HostEntry, E> {
                Err(E::custom(format!(
                    "a private host needs its port and the connectors that may reach it: write {} instead of {text:?}",
                    example(text)
                )))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<HostEntry, A::Error> {
                let form = Form::deserialize(MapAccessDeserializer::new(map))?;
                PrivateHost::new(form.host, form.port, form.connectors, form.open_web)
                    .map(HostEntry)
                    .map_err(A::Error::custom)
            }
        }
        deserializer.deserialize_any(Entry)
    }
}

/// What the plain string of an earlier version could mean.
fn example(text: &str) -> String {
    let bare_v6 = text.parse::<std::net::Ipv6Addr>().is_ok();
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if !bare_v6 && port.parse::<u16>().is_ok() => (host, port),
        _ => (text, "PORT"),
    };
    format!("{{ host = {host:?}, port = {port}, connectors = [\"openai-compatible\"] }}")
}
