//! How a version of a plug-in differs from another: what it may do that the other may not, and what breaks
//! for the other's users. Both are decided from the manifests alone.
//!
//! Danger: a difference taken for harmless gives a plug-in rights that nobody approved. So whatever is not
//! known to be harmless widens. Structures are destructured member by member, so that a new member of the
//! manifest does not compile until somebody has decided what it means here.

mod access;
mod operations;
mod settings;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;
use serde_json::Value;

use super::{Limits, Manifest, Rate, UsageSource};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// The new version may do what the old one may not.
    Widens,
    /// Users of the old version must act before the new one works.
    Breaks,
    /// Neither, as far as the manifests show.
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

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    pub effect: Effect,
    /// Member of the manifest.
    pub member: &'static str,
    /// One sentence without a full stop.
    pub text: String,
}

/// Whether one version may do something that the other may not.
#[must_use]
pub fn widens(old: &Manifest, new: &Manifest) -> bool {
    differences(old, new)
        .iter()
        .any(|difference| difference.effect == Effect::Widens)
}

/// All differences: first what widens, then what breaks, then the rest.
#[must_use]
pub fn differences(old: &Manifest, new: &Manifest) -> Vec<Difference> {
    let mut found = Found::default();
    // Members that affect neither privileges nor contracts are listed by name only.
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
        synthetic,
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
    match (old.synthetic, synthetic) {
        (true, false) => {
            // Whoever it made up would pass for real people.
            let text = "what it answers is no longer marked as made up".to_owned();
            found.add(Effect::Widens, "synthetic", text);
        }
        (false, true) => {
            let text = "what it answers is made up".to_owned();
            found.add(Effect::Breaks, "synthetic", text);
        }
        _ => {}
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
    found.rate(&old.rate, rate);
    // Charges follow from the usage sources. They may change without a change of `usage`, if another
    // operation serves the capability.
    if json(usage) != json(&old.usage) || metered_otherwise(old, new) {
        let text = "usage is read from a different source".to_owned();
        found.add(Effect::Widens, "usage", text);
    }
    match (&old.component, component) {
        (Some(before), Some(now)) if before.world != now.world => {
            let text = format!("targets {}", now.world);
            found.add(Effect::Changes, "component", text);
        }
        (Some(_), None) => {
            let text = "no longer runs a component".to_owned();
            found.add(Effect::Breaks, "component", text);
        }
        (None, Some(_)) => {
            let text = "runs a component; the old version did not".to_owned();
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

    fn rate(&mut self, old: &Rate, new: &Rate) {
        let Rate {
            policies,
            max_concurrent,
            headers,
            retry,
        } = new;
        // Each retry may cost money.
        if json(retry) != json(&old.retry) {
            let text = "requests are retried under other conditions".to_owned();
            self.add(Effect::Widens, "rate", text);
        }
        let before = json(&(&old.policies, &old.max_concurrent, &old.headers));
        if json(&(policies, max_concurrent, headers)) != before {
            let text = "the rate limits differ".to_owned();
            self.add(Effect::Changes, "rate", text);
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
}

/// Whether a capability that both versions serve is metered in another way, whatever its operation is
/// called.
fn metered_otherwise(old: &Manifest, new: &Manifest) -> bool {
    let meters = |manifest: &Manifest, capability: &str| -> Option<Vec<Value>> {
        let id = &manifest.operation_for(capability)?.id;
        let of_it = manifest.usage.iter().filter_map(|source| {
            let UsageSource {
                meter,
                from,
                operations,
                optional,
            } = source;
            let concerned = operations.as_ref().is_none_or(|ids| ids.contains(id));
            concerned.then(|| json(&(meter, from, optional)))
        });
        Some(of_it.collect())
    };
    new.operations.iter().any(|operation| {
        let capability = &operation.capability;
        meters(old, capability).is_some_and(|before| meters(new, capability) != Some(before))
    })
}

/// A part as JSON. This cannot fail: the maps of a manifest have strings as keys.
fn json(part: &impl Serialize) -> Value {
    serde_json::to_value(part).unwrap_or_default()
}

fn json_text(part: &impl Serialize) -> String {
    match json(part) {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

/// The strings in an array-valued member of a schema.
fn names<'s>(schema: Option<&'s Value>, member: &str) -> BTreeSet<&'s str> {
    let array = schema.and_then(|schema| schema.get(member)?.as_array());
    array
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

/// The keys of an object-valued member of a schema.
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
