//! How `gtm connector show` shows a connector: everything an operator needs to create a connection to it,
//! and to judge which hosts it reaches.

use gtm_domain::Timestamp;
use gtm_runtime::manifest::{CredentialField, Egress, Grant};
use gtm_runtime::{CatalogedConnector, Manifest};
use serde_json::{Value, json};

use crate::output::{fields, or_dash, table};

/// The public entry, and further members of the manifest.
pub fn json(connector: &CatalogedConnector<'_>, now: Timestamp) -> Value {
    let manifest = connector.manifest;
    json!({
        "connector": connector.entry(now),
        "hosts": manifest.egress.iter().map(|rule| &rule.host).collect::<Vec<_>>(),
        "egress": manifest.egress,
        "grants": manifest.grants,
        "synthetic": manifest.synthetic,
        "credential_fields": manifest.credential_fields,
        "settings_schema": manifest.settings_schema,
        "facts": manifest.facts,
    })
}

/// The same as text for people.
pub fn text(connector: &CatalogedConnector<'_>, now: Timestamp) -> String {
    let (entry, manifest) = (connector.entry(now), connector.manifest);
    let mut out = fields(&[
        ("key", entry.key),
        ("name", entry.name),
        ("description", or_dash(manifest.description.as_ref())),
        ("version", entry.manifest_version),
        ("category", entry.category),
        ("availability", entry.availability.as_str().to_owned()),
        ("verification", entry.verification_mode.as_str().to_owned()),
        ("capabilities", entry.capabilities.join(", ")),
        ("integration", entry.declared_integration_kinds.join(", ")),
        ("made-up data", yes_or_no(manifest.synthetic).to_owned()),
        ("home page", or_dash(entry.homepage_url)),
        ("documentation", or_dash(entry.docs_url)),
        ("keys from", or_dash(entry.key_acquisition_url)),
        ("license", manifest.license.clone()),
        ("repository", or_dash(entry.provenance.repository)),
        ("commit", or_dash(entry.provenance.commit)),
        ("sources", entry.provenance.source_paths.join(", ")),
    ]);
    let mut part = |title: &str, table: String| out.push_str(&format!("\n{title}\n{table}\n"));
    part("credentials", credentials(&manifest.credential_fields));
    part("settings", settings(manifest));
    part("hosts", hosts(manifest));
    let facts = manifest.facts.iter();
    let facts: Vec<_> = facts
        .map(|f| vec![f.claim.clone(), f.source.clone(), f.checked_on.clone()])
        .collect();
    part(
        "known facts",
        table(&["CLAIM", "SOURCE", "CHECKED"], &facts),
    );
    out
}

const fn yes_or_no(told: bool) -> &'static str {
    if told { "yes" } else { "no" }
}

fn credentials(list: &[CredentialField]) -> String {
    let needed = |field: &CredentialField| match (&field.required_unless, field.required) {
        (_, true) => "yes".to_owned(),
        (Some(unless), _) => format!("unless {} is {}", unless.setting, plain(&unless.equals)),
        (None, false) => "no".to_owned(),
    };
    let rows: Vec<_> = list
        .iter()
        .map(|field| {
            vec![
                field.key.clone(),
                needed(field),
                yes_or_no(field.secret).to_owned(),
                field.environment_aliases.join(","),
                field.description.clone(),
            ]
        })
        .collect();
    let headings = ["FIELD", "REQUIRED", "SECRET", "VARIABLES", "DESCRIPTION"];
    table(&headings, &rows)
}

fn settings(manifest: &Manifest) -> String {
    let schema = manifest.settings_schema.as_ref();
    let member = |name: &str| schema.and_then(|schema| schema.get(name));
    let required = member("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|r| r.iter().any(|n| n == name));
    let properties = member("properties").and_then(Value::as_object);
    let rows: Vec<_> = properties
        .into_iter()
        .flatten()
        .map(|(name, property)| {
            vec![
                name.clone(),
                values(property),
                yes_or_no(is_required(name)).to_owned(),
                or_dash(property.get("default").map(plain)),
                or_dash(property.get("description").map(plain)),
            ]
        })
        .collect();
    let headings = ["SETTING", "VALUES", "REQUIRED", "DEFAULT", "DESCRIPTION"];
    table(&headings, &rows)
}

/// The values of an enumeration, or else the type with its range.
fn values(property: &Value) -> String {
    let list = |values: &Value, between: &str| match values.as_array() {
        Some(values) => values.iter().map(plain).collect::<Vec<_>>().join(between),
        None => plain(values),
    };
    if let Some(allowed) = property.get("enum") {
        return list(allowed, "|");
    }
    let mut text = property
        .get("type")
        .map_or_else(|| "any".to_owned(), |kind| list(kind, " or "));
    for (bound, word) in [("minimum", "from"), ("maximum", "to")] {
        if let Some(bound) = property.get(bound) {
            text.push_str(&format!(" {word} {bound}"));
        }
    }
    text
}

fn hosts(manifest: &Manifest) -> String {
    let row = |rule: &Egress| {
        let port = rule.port.unwrap_or_else(|| rule.scheme.default_port());
        vec![
            rule.host.clone(),
            format!("{} {port}", rule.scheme.as_str()),
            rule.methods.join(","),
            if rule.path_prefixes.is_empty() {
                "any".to_owned()
            } else {
                rule.path_prefixes.join(",")
            },
        ]
    };
    let mut rows: Vec<_> = manifest.egress.iter().map(row).collect();
    if manifest.asks_for(Grant::OpenWeb) {
        rows.push(vec![
            "any public host, if egress.open_web names it".to_owned(),
            "http 80, https 443".to_owned(),
            "GET,HEAD".to_owned(),
            "any".to_owned(),
        ]);
    }
    table(&["HOST", "PORT", "METHODS", "PATHS"], &rows)
}

fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
