//! Differences in where a plug-in may go, and with which credentials.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Effect, Found, json};
use crate::egress::path_prefix;
use crate::manifest::{CredentialField, CredentialScheme, Egress, Verification, template};

impl Found {
    /// One old rule must cover a request as a whole: host, scheme, port, method and path.
    pub(super) fn egress(&mut self, old: &[Egress], new: &[Egress]) {
        for rule in new {
            let of_its_host = |rules: &[Egress]| -> Vec<Value> {
                let rules = rules.iter().filter(|other| other.host == rule.host);
                rules.map(json).collect()
            };
            if of_its_host(old) == of_its_host(new) {
                continue;
            }
            let mut added = Vec::new();
            for method in &rule.methods {
                let prefixes: Vec<Option<&str>> = if rule.path_prefixes.is_empty() {
                    vec![None]
                } else {
                    rule.path_prefixes
                        .iter()
                        .map(|p| Some(p.as_str()))
                        .collect()
                };
                let uncovered = prefixes.into_iter().filter(|prefix| {
                    let mut held = old.iter().enumerate();
                    !held.any(|(index, held)| covers(&old[..index], held, rule, method, *prefix))
                });
                added.extend(uncovered.map(|prefix| format!("{method} {}", prefix.unwrap_or("*"))));
            }
            if !added.is_empty() {
                let private = match rule.private_network {
                    Some(_) => ", in private networks too",
                    None => "",
                };
                let overrides = match rule.override_headers.as_slice() {
                    [] => String::new(),
                    headers => format!(", with {}", headers.join(", ")),
                };
                let text = format!(
                    "reaches {} ({}){private}{overrides}",
                    address(rule),
                    added.join(", ")
                );
                self.add(Effect::Widens, "egress", text);
            }
        }
        let hosts = |rules: &[Egress]| -> BTreeSet<String> { rules.iter().map(address).collect() };
        for gone in hosts(old).difference(&hosts(new)) {
            let text = format!("no longer reaches {gone}");
            self.add(Effect::Changes, "egress", text);
        }
    }

    /// A scheme may lose hosts. Any other change may send a credential elsewhere.
    pub(super) fn schemes(&mut self, old: &[CredentialScheme], new: &[CredentialScheme]) {
        for scheme in new {
            let Some(id) = scheme.id() else { continue };
            let held = old.iter().find(|held| held.id() == Some(id));
            if let Some(url) = token_url(scheme)
                && held.and_then(token_url) != Some(url)
            {
                let text = format!("the client secret of {id} goes to {url}");
                self.add(Effect::Widens, "auth", text);
            }
            let Some(held) = held else {
                let text = format!("a new scheme {id} for {}", scheme.hosts().join(", "));
                self.add(Effect::Widens, "auth", text);
                continue;
            };
            let added: Vec<&str> = scheme
                .hosts()
                .iter()
                .filter(|host| !held.hosts().contains(host))
                .map(String::as_str)
                .collect();
            if !added.is_empty() {
                let text = format!("the credentials of {id} go to {}", added.join(", "));
                self.add(Effect::Widens, "auth", text);
            }
            let but_hosts = |scheme: &CredentialScheme| {
                let mut value = json(scheme);
                value["hosts"] = Value::Null;
                value
            };
            if but_hosts(scheme) != but_hosts(held) {
                let text = format!("the scheme {id} applies its credentials in a different way");
                self.add(Effect::Widens, "auth", text);
            }
        }
        for held in old.iter().filter_map(CredentialScheme::id) {
            if !new.iter().any(|scheme| scheme.id() == Some(held)) {
                let text = format!("the scheme {held} is gone");
                self.add(Effect::Changes, "auth", text);
            }
        }
    }

    pub(super) fn credential_fields(&mut self, old: &[CredentialField], new: &[CredentialField]) {
        for field in new {
            let CredentialField {
                key,
                label: _,
                description: _,
                environment_aliases,
                required,
                required_unless,
                secret,
                pattern,
                example: _,
            } = field;
            let must = |field: &CredentialField| field.required || field.required_unless.is_some();
            let Some(held) = old.iter().find(|held| held.key == *key) else {
                let text = format!("asks for the credential {key}");
                self.add(Effect::Widens, "credential_fields", text);
                if must(field) {
                    let text = format!("the credential {key} must be given");
                    self.add(Effect::Breaks, "credential_fields", text);
                }
                continue;
            };
            if held.secret && !secret {
                let text = format!("{key} is no longer secret: the plug-in sees it");
                self.add(Effect::Widens, "credential_fields", text);
            }
            for alias in environment_aliases {
                if !held.environment_aliases.contains(alias) {
                    let text = format!("the CLI may read {key} from the variable {alias}");
                    self.add(Effect::Widens, "credential_fields", text);
                }
            }
            if (*required && !held.required)
                || json(required_unless) != json(&held.required_unless) && must(field)
            {
                let text = format!("the credential {key} must be given in more cases");
                self.add(Effect::Breaks, "credential_fields", text);
            }
            if *pattern != held.pattern {
                let text = format!("the credential {key} accepts other values");
                self.add(Effect::Changes, "credential_fields", text);
            }
        }
        for held in old {
            if !new.iter().any(|field| field.key == held.key) {
                let text = format!("the credential {} is gone", held.key);
                self.add(Effect::Changes, "credential_fields", text);
            }
        }
    }

    /// The host itself sends this request, with the credentials.
    pub(super) fn verification(&mut self, old: Option<&Verification>, new: Option<&Verification>) {
        let Some(new) = new else {
            if old.is_some() {
                let text = "credentials can no longer be verified".to_owned();
                self.add(Effect::Changes, "verification", text);
            }
            return;
        };
        let request = &new.request;
        if old.is_none_or(|old| json(&old.request) != json(request)) {
            let text = format!(
                "credentials are verified with {} {}",
                request.method, request.url
            );
            self.add(Effect::Widens, "verification", text);
        }
        // Whoever agrees to a first verification must read what it costs, too.
        if new.billable && old.is_none_or(|old| !old.billable) {
            let text = "the provider charges for a verification".to_owned();
            self.add(Effect::Widens, "verification", text);
        }
    }
}

/// The endpoint where a scheme obtains tokens.
fn token_url(scheme: &CredentialScheme) -> Option<&str> {
    match scheme {
        CredentialScheme::Oauth2ClientCredentials(oauth) => Some(&oauth.token_request.url),
        _ => None,
    }
}

/// Whether an old rule allows what a new one does with one method and one path prefix; `earlier` are the
/// old rules before it.
fn covers(
    earlier: &[Egress],
    old: &Egress,
    new: &Egress,
    method: &str,
    prefix: Option<&str>,
) -> bool {
    let Egress {
        host,
        port: _,
        scheme,
        methods,
        path_prefixes,
        private_network,
        override_headers,
    } = old;
    *host == new.host
        && *scheme == new.scheme
        && port(old) == port(new)
        && methods.iter().any(|held| held == method)
        && (new.private_network.is_none()
            || private_network.is_some()
                && !earlier.iter().any(|rule| keeps_public(rule, new, method)))
        && new.override_headers.iter().all(|header| {
            let mut held = override_headers.iter();
            held.any(|held| held.eq_ignore_ascii_case(header))
        })
        && (path_prefixes.is_empty()
            || prefix.is_some_and(|prefix| {
                path_prefixes
                    .iter()
                    .any(|held| path_prefix::is_within(prefix, held))
            }))
}

/// Whether a rule may keep requests of a later rule out of private networks: the first matching rule
/// decides.
fn keeps_public(rule: &Egress, later: &Egress, method: &str) -> bool {
    rule.host == later.host
        && rule.private_network.is_none()
        && rule.methods.iter().any(|held| held == method)
}

fn port(rule: &Egress) -> u16 {
    rule.port.unwrap_or_else(|| rule.scheme.default_port())
}

fn address(rule: &Egress) -> String {
    if template::whole_setting(&rule.host).is_some() {
        return rule.host.clone();
    }
    format!("{}://{}:{}", rule.scheme.as_str(), rule.host, port(rule))
}
