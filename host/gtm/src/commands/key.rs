//! `gtm key …`.

use std::time::Duration;

use clap::Subcommand;
use gtm_domain::{KeyRecordId, Permission, Permissions, ProjectId};
use gtm_store::KeyRecord;
use serde_json::{Value, json};

use super::parse_name;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, or_dash, table};

/// Commands on API keys.
#[derive(Debug, Subcommand)]
pub enum Key {
    /// Make one and show its secret, once
    Create {
        /// Project that it acts for
        #[arg(long, value_name = "PRJ")]
        project: ProjectId,
        /// Name for people
        #[arg(value_parser = parse_name)]
        name: String,
        /// read_only, generate, full, or permissions separated by commas
        #[arg(long, default_value = "generate", value_parser = Permissions::parse)]
        scopes: Permissions,
        /// How long it is accepted, such as 12h or 30d; for ever if absent
        #[arg(long, value_name = "SPAN", value_parser = parse_span)]
        expires_in: Option<Duration>,
    },
    /// List all, or those of one project
    List {
        /// Only this project's
        #[arg(long, value_name = "PRJ")]
        project: Option<ProjectId>,
    },
    /// Show one
    Show {
        /// Its id
        id: KeyRecordId,
    },
    /// Revoke one at once
    Revoke {
        /// Its id
        id: KeyRecordId,
    },
}

/// Run one.
///
/// # Errors
/// If the store refuses, or the key does not exist.
pub async fn run(command: Key, installation: &Installation, output: Output) -> Result<(), Failure> {
    let operator = installation.operator();
    match command {
        Key::Create {
            project,
            name,
            scopes,
            expires_in,
        } => {
            let expires_at = expires_in.map(|span| installation.clock.now().plus(span));
            let (record, secret) = operator
                .create_key(project, &name, scopes, expires_at)
                .await?;
            let secret = secret.reveal();
            let mut value = as_json(&record);
            value["secret"] = Value::from(secret.as_str());
            output.print(&value, || {
                format!(
                    "{}secret       {secret}\n\nThe secret is not shown again.",
                    describe(&record)
                )
            })
        }
        Key::Show { id } => print(
            &operator
                .show_key(id)
                .await?
                .ok_or_else(|| Failure::absent("key", id))?,
            output,
        ),
        Key::Revoke { id } => print(&operator.revoke_key(id).await?, output),
        Key::List { project } => {
            let rows = operator.list_keys(project).await?;
            output.print(
                &json!({ "keys": rows.iter().map(as_json).collect::<Vec<_>>() }),
                || {
                    let cells = |r: &KeyRecord| {
                        vec![
                            r.id.to_string(),
                            r.project.to_string(),
                            r.name.clone(),
                            format!("…{}", r.last4),
                            status(r).to_owned(),
                            or_dash(r.expires_at),
                            or_dash(r.last_used_at),
                        ]
                    };
                    let headings = [
                        "ID",
                        "PROJECT",
                        "NAME",
                        "SECRET",
                        "STATUS",
                        "EXPIRES",
                        "LAST USED",
                    ];
                    table(&headings, &rows.iter().map(cells).collect::<Vec<_>>())
                },
            )
        }
    }
}

fn as_json(record: &KeyRecord) -> Value {
    let mut value = serde_json::to_value(record).unwrap_or(Value::Null);
    value["status"] = Value::from(status(record));
    value
}

const fn status(record: &KeyRecord) -> &'static str {
    if record.revoked_at.is_some() {
        "revoked"
    } else {
        "active"
    }
}

fn print(record: &KeyRecord, output: Output) -> Result<(), Failure> {
    output.print(&as_json(record), || describe(record))
}

fn describe(record: &KeyRecord) -> String {
    fields(&[
        ("id", record.id.to_string()),
        ("project", record.project.to_string()),
        ("name", record.name.clone()),
        ("status", status(record).to_owned()),
        (
            "permissions",
            record
                .permissions
                .as_slice()
                .iter()
                .map(|p: &Permission| p.as_str())
                .collect::<Vec<_>>()
                .join(","),
        ),
        ("expires", or_dash(record.expires_at)),
    ])
}

/// `90s`, `15m`, `12h`, `30d` or `4w`.
fn parse_span(text: &str) -> Result<Duration, String> {
    let wrong = || "expected a whole number and s, m, h, d or w, such as 30d".to_owned();
    let unit = text.chars().last().ok_or_else(wrong)?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        'd' => 86_400,
        'w' => 604_800,
        _ => return Err(wrong()),
    };
    let number: u64 = text[..text.len() - 1].parse().map_err(|_| wrong())?;
    let span = number
        .checked_mul(seconds)
        .filter(|s| (1..=100 * 366 * 86_400).contains(s));
    span.map(Duration::from_secs)
        .ok_or_else(|| "expected a span between one second and a hundred years".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn spans() {
        assert_eq!(parse_span("30d"), Ok(Duration::from_secs(2_592_000)));
        assert_eq!(parse_span("90s"), Ok(Duration::from_secs(90)));
        for bad in [
            "",
            "d",
            "0d",
            "30",
            "-1d",
            "1y",
            "99999999999999999999d",
            "1000000w",
            "1é",
        ] {
            assert!(parse_span(bad).is_err(), "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn no_span_panics(text in "\\PC{0,12}") {
            let _ = parse_span(&text);
        }
    }
}
