//! What a version of a plug-in changes against another: what it may do that the other may not, and what
//! of the other's users breaks. Both are judged from the manifests alone.
//!
//! Whatever is not known to be harmless widens. The structures are taken apart member by member, so that
//! a new member of the manifest does not compile until somebody has decided what it means here.

mod settings;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;
use serde_json::Value;

use super::{
    CredentialField, CredentialScheme, Egress, Limits, Manifest, Operation, SideEffect,
    Verification, template,
};
use crate::egress::path_prefix;

/// What a difference means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// The new version may do what the old one may not.
    Widens,
    /// Who uses the old version must do something before the new one works.
    Breaks,
    /// Neither, as far as manifests show.
    Changes,
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Widens => "widens",
            Self::Breaks => "breaks",
            Self::Changes => "changes",
        })
    }
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// What it means.
    pub effect: Effect,
    /// Member of the manifest.
    pub member: &'static str,
    /// One sentence without a full stop.
    pub text: String,
}

/// Whether a version may do what another may not.
#[must_use]
pub fn widens(old: &Manifest, new: &Manifest) -> bool {
    differences(old, new)
        .iter()
        .any(|difference| difference.effect == Effect::Widens)
}

/// All differences: what widens, then what breaks, then the rest.
#[must_use]
pub fn differences(old: &Manifest, new: &Manifest) -> Vec<Difference> {
    let mut found = Found::default();
    // Members that say nothing of privileges or contracts stand here by name only.
    let Manifest {
        schema_version: _,
        kind: _,
        key: _,
        publisher,
        manifest_version: _,
        name: _,
        description: _,
        category: _,
        declared_integration_kinds: _,
        capabilities: _,
        homepage_url: _,
        docs_url: _,
        key_acquisition_url: _,
        stage,
        sunset_at,
        breaking_changes,
        license: _,
        component,
        egress,
        auth,
        credential_fields,
        settings_schema,
        verification,
        rate,
        usage,
        limits,
        operations,
        requires,
        grants,
        provenance: _,
        facts: _,
    } = new;
    if *publisher != old.publisher {
        let text = format!("the publisher is {publisher}, not {}", old.publisher);
        found.add(Effect::Widens, "publisher", text);
    }
    found.egress(&old.egress, egress);
    found.settings(old, egress, settings_schema.as_ref());
    found.schemes(&old.auth.schemes, &auth.schemes);
    found.credential_fields(&old.credential_fields, credential_fields);
    found.verification(old.verification.as_ref(), verification.as_ref());
    for grant in grants.iter().filter(|grant| !old.grants.contains(grant)) {
        let text = format!("asks for the grant {}", json_text(grant));
        found.add(Effect::Widens, "grants", text);
    }
    for grant in old.grants.iter().filter(|grant| !grants.contains(grant)) {
        let text = format!("no longer asks for the grant {}", json_text(grant));
        found.add(Effect::Changes, "grants", text);
    }
    found.limits(&old.limits, limits);
    found.operations(&old.operations, operations);
    let invoked = |requirements: &[super::Requirement]| -> BTreeMap<String, bool> {
        let pairs = requirements.iter();
        pairs.map(|r| (r.capability.clone(), r.optional)).collect()
    };
    let (invoked_before, invoked) = (invoked(&old.requires), invoked(requires));
    for (capability, optional) in &invoked {
        match invoked_before.get(capability) {
            None => {
                let text = format!("invokes {capability}");
                found.add(Effect::Widens, "requires", text);
                if !optional {
                    let text = format!("does not work unless something serves {capability}");
                    found.add(Effect::Breaks, "requires", text);
                }
            }
            Some(true) if !optional => {
                let text = format!("no longer works without {capability}");
                found.add(Effect::Breaks, "requires", text);
            }
            Some(_) => {}
        }
    }
    if json(rate) != json(&old.rate) {
        let text = "other rate limits or retries".to_owned();
        found.add(Effect::Changes, "rate", text);
    }
    if json(usage) != json(&old.usage) {
        let text = "what a call consumed is read from elsewhere".to_owned();
        found.add(Effect::Changes, "usage", text);
    }
    match (&old.component, component) {
        (Some(before), Some(now)) if before.world != now.world => {
            let text = format!("targets {}", now.world);
            found.add(Effect::Changes, "component", text);
        }
        (Some(_), None) => {
            let text = "nothing of it runs any more".to_owned();
            found.add(Effect::Breaks, "component", text);
        }
        (None, Some(_)) => {
            let text = "runs a component, where there was none".to_owned();
            found.add(Effect::Widens, "component", text);
        }
        _ => {}
    }
    if *stage != old.stage || *sunset_at != old.sunset_at {
        let until = sunset_at
            .as_ref()
            .map_or_else(String::new, |day| format!(" until {day}"));
        let text = format!("the stage is {}{until}", json_text(stage));
        found.add(Effect::Changes, "stage", text);
    }
    let known: BTreeSet<String> = old
        .breaking_changes
        .iter()
        .map(|change| json(change).to_string())
        .collect();
    for change in breaking_changes {
        if !known.contains(&json(change).to_string()) {
            let text = format!("since {}: {}", change.version, change.message);
            found.add(Effect::Breaks, "breaking_changes", text);
        }
    }
    found.0.sort_by_key(|difference| difference.effect);
    found.0
}

#[derive(Default)]
struct Found(Vec<Difference>);

impl Found {
    fn add(&mut self, effect: Effect, member: &'static str, text: String) {
        self.0.push(Difference {
            effect,
            member,
            text,
        });
    }

    /// A request must be covered by one old rule as a whole: host, scheme, port, method and path.
    fn egress(&mut self, old: &[Egress], new: &[Egress]) {
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

    /// A scheme may lose hosts. Whatever else changes in it may send a credential elsewhere.
    fn schemes(&mut self, old: &[CredentialScheme], new: &[CredentialScheme]) {
        for scheme in new {
            let Some(id) = scheme.id() else { continue };
            let Some(held) = old.iter().find(|held| held.id() == Some(id)) else {
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
                let text = format!("the scheme {id} applies its credentials in another way");
                self.add(Effect::Widens, "auth", text);
            }
        }
        for held in old.iter().filter_map(CredentialScheme::id) {
            if !new.iter().any(|scheme| scheme.id() == Some(held)) {
                let text = format!("there is no scheme {held} any more");
                self.add(Effect::Changes, "auth", text);
            }
        }
    }

    fn credential_fields(&mut self, old: &[CredentialField], new: &[CredentialField]) {
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
                let text = format!("{key} is no secret any more: the plug-in sees it");
                self.add(Effect::Widens, "credential_fields", text);
            }
            for alias in environment_aliases {
                if !held.environment_aliases.contains(alias) {
                    let text = format!("{key} may be read from the variable {alias}");
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
                let text = format!("other values fit the credential {key}");
                self.add(Effect::Changes, "credential_fields", text);
            }
        }
        for held in old {
            if !new.iter().any(|field| field.key == held.key) {
                let text = format!("there is no credential {} any more", held.key);
                self.add(Effect::Changes, "credential_fields", text);
            }
        }
    }

    /// The host sends this request itself, with the credentials.
    fn verification(&mut self, old: Option<&Verification>, new: Option<&Verification>) {
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
        if new.billable && old.is_some_and(|old| !old.billable) {
            let text = "the provider charges for a verification".to_owned();
            self.add(Effect::Widens, "verification", text);
        }
    }

    fn limits(&mut self, old: &Limits, new: &Limits) {
        let (old, new) = (json(old), json(new));
        let figures = |value: &Value| -> BTreeMap<String, u64> {
            let members = value.as_object().into_iter().flatten();
            members
                .filter_map(|(name, figure)| Some((name.clone(), figure.as_u64()?)))
                .collect()
        };
        let before = figures(&old);
        for (name, figure) in figures(&new) {
            let held = before.get(&name).copied().unwrap_or(0);
            let effect = match figure.cmp(&held) {
                std::cmp::Ordering::Greater => Effect::Widens,
                std::cmp::Ordering::Less => Effect::Changes,
                std::cmp::Ordering::Equal => continue,
            };
            self.add(effect, "limits", format!("{name} is {figure}, not {held}"));
        }
    }

    fn operations(&mut self, old: &[Operation], new: &[Operation]) {
        for operation in new {
            let Operation {
                id,
                capability,
                summary: _,
                input_schema,
                output_schema,
                side_effect,
                personal_data,
                replay_safe,
                idempotency_header,
            } = operation;
            let Some(held) = old.iter().find(|held| held.id == *id) else {
                let text = format!("a new operation {id} serves {capability}");
                self.add(Effect::Changes, "operations", text);
                if *side_effect == SideEffect::BillableRead
                    && !old
                        .iter()
                        .any(|o| o.side_effect == SideEffect::BillableRead)
                {
                    let text = format!("the provider charges for {id}");
                    self.add(Effect::Widens, "operations", text);
                }
                if *personal_data && !old.iter().any(|o| o.personal_data) {
                    let text = format!("{id} answers with personal data");
                    self.add(Effect::Widens, "operations", text);
                }
                continue;
            };
            if *side_effect == SideEffect::BillableRead && held.side_effect != *side_effect {
                let text = format!("the provider charges for {id}");
                self.add(Effect::Widens, "operations", text);
            }
            if *personal_data && !held.personal_data {
                let text = format!("{id} answers with personal data");
                self.add(Effect::Widens, "operations", text);
            }
            if *replay_safe && !held.replay_safe {
                let text = format!("a call of {id} in doubt is repeated");
                self.add(Effect::Widens, "operations", text);
            }
            if *idempotency_header != held.idempotency_header {
                let text = format!("{id} takes its idempotency key in another header, or none");
                self.add(Effect::Changes, "operations", text);
            }
            if *capability != held.capability {
                let text = format!("{id} serves {capability}, not {}", held.capability);
                self.add(Effect::Breaks, "operations", text);
            }
            let required = names(Some(input_schema), "required");
            for name in required.difference(&names(Some(&held.input_schema), "required")) {
                let text = format!("the input of {id} needs {name}");
                self.add(Effect::Breaks, "operations", text);
            }
            let required = names(Some(&held.output_schema), "required");
            for name in required.difference(&names(Some(output_schema), "required")) {
                let text = format!("the output of {id} may lack {name}");
                self.add(Effect::Breaks, "operations", text);
            }
            if *input_schema != held.input_schema {
                let text = format!("another input fits {id}");
                self.add(Effect::Changes, "operations", text);
            }
            if *output_schema != held.output_schema {
                let text = format!("another output fits {id}");
                self.add(Effect::Changes, "operations", text);
            }
        }
        for held in old {
            if !new.iter().any(|operation| operation.id == held.id) {
                let text = format!("there is no operation {} any more", held.id);
                self.add(Effect::Breaks, "operations", text);
            }
        }
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

/// Whether a rule may keep requests of a later one out of private networks: the first that fits decides.
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

/// A part as JSON, which cannot fail: the maps of a manifest have texts as keys.
fn json(part: &impl Serialize) -> Value {
    serde_json::to_value(part).unwrap_or_default()
}

fn json_text(part: &impl Serialize) -> String {
    match json(part) {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

/// Texts of an array that is a member of a schema.
fn names<'s>(schema: Option<&'s Value>, member: &str) -> BTreeSet<&'s str> {
    let array = schema.and_then(|schema| schema.get(member)?.as_array());
    array
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

/// Names of the members of an object that is a member of a schema.
fn keys<'s>(schema: Option<&'s Value>, member: &str) -> BTreeSet<&'s str> {
    let object = schema.and_then(|schema| schema.get(member)?.as_object());
    object
        .into_iter()
        .flatten()
        .map(|(name, _)| name.as_str())
        .collect()
}

#[cfg(test)]
mod tests;
