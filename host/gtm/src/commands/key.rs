//! `gtm key …`.

use std::num::NonZeroU32;
use std::time::Duration;

use clap::Subcommand;
use gtm_domain::key_record::{KeyRecord, KeyTerms};
use gtm_domain::{ApiKeySecret, Cidr, KeyRecordId, Permission, Permissions, ProjectId, Timestamp};
use serde_json::{Value, json};

use super::api_names::with_api_names;
use super::name::parse_name;
use super::owner::require_project;
use super::whole_number::whole_number;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, or_dash, table};

/// Commands on API keys.
#[derive(Debug, Subcommand)]
pub enum Key {
    /// Create an API key for a project and show its secret, once
    ///
    /// The secret is not stored and cannot be shown again.
    #[command(
        after_help = "Example:\n  gtm key create --project PRJ ci --scopes read_only --expires-in 30d"
    )]
    Create {
        /// Project whose data the key can use
        #[arg(long, value_name = "PRJ")]
        project: ProjectId,
        /// Display name, 1 to 200 characters
        #[arg(value_parser = parse_name)]
        name: String,
        /// read_only, generate, full, or scopes such as jobs:read, separated by commas
        #[arg(
            long,
            default_value = "generate",
            value_parser = parse_scopes,
            long_help = scopes_help()
        )]
        scopes: Permissions,
        /// How long it is valid: a number and s, m, h, d or w, such as 30d; by default for ever
        #[arg(long, value_name = "SPAN", value_parser = parse_span)]
        expires_in: Option<Duration>,
        /// Requests that it may make in 60 seconds, at least 1; the limit of the organization's usage tier
        /// applies if it is lower
        #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_rate)]
        requests_per_minute: Option<NonZeroU32>,
        /// Address or range that it may be used from, such as 10.0.0.0/8; may be repeated; by
        /// default it may be used from anywhere
        #[arg(long, value_name = "CIDR")]
        allowed_cidr: Vec<Cidr>,
    },
    /// Change the addresses that an API key may be used from
    #[command(after_help = "Example:\n  gtm key update KEY --allowed-cidr 10.0.0.0/8")]
    Update {
        /// Id of the key
        #[arg(value_name = "KEY")]
        id: KeyRecordId,
        /// Address or range that it may be used from, such as 10.0.0.0/8; may be repeated; replaces
        /// those that it has
        #[arg(long, value_name = "CIDR", required_unless_present = "from_anywhere")]
        allowed_cidr: Vec<Cidr>,
        /// Allow the key to be used from any address
        #[arg(long, conflicts_with = "allowed_cidr")]
        from_anywhere: bool,
    },
    /// Replace an API key: create a new one like it, and let both work for a while
    #[command(after_help = "Example:\n  gtm key rotate KEY --overlap 2h")]
    Rotate {
        /// Id of the key to replace
        #[arg(value_name = "KEY")]
        id: KeyRecordId,
        /// How long the old key stays valid, such as 24h; 0s ends it at once. Never beyond its own
        /// expiry
        #[arg(long, value_name = "SPAN", default_value = "24h", value_parser = parse_overlap)]
        overlap: Duration,
        /// How long the new key is valid, such as 12h or 30d; by default as long as the old one was created for
        #[arg(long, value_name = "SPAN", value_parser = parse_span)]
        expires_in: Option<Duration>,
    },
    /// List all API keys, or those of one project, oldest first
    #[command(after_help = "Example:\n  gtm key list --project PRJ")]
    List {
        /// Show only keys of this project
        #[arg(long, value_name = "PRJ")]
        project: Option<ProjectId>,
    },
    /// Show an API key, without its secret
    #[command(after_help = "Example:\n  gtm key show KEY")]
    Show {
        /// The key's id, which is not its secret
        #[arg(value_name = "KEY")]
        id: KeyRecordId,
    },
    /// Revoke an API key at once: from then on it gets 401 invalid_api_key
    #[command(after_help = "Example:\n  gtm key revoke KEY")]
    Revoke {
        /// The key's id, which is not its secret
        #[arg(value_name = "KEY")]
        id: KeyRecordId,
    },
}

/// Runs a command.
///
/// # Errors
/// If the store refuses, or the key does not exist.
pub async fn run(command: Key, installation: &Installation, output: Output) -> Result<(), Failure> {
    let operator = installation.operator();
    let now = installation.clock.now();
    match command {
        Key::Create {
            project,
            name,
            scopes,
            expires_in,
            requests_per_minute,
            allowed_cidr,
        } => {
            let terms = KeyTerms {
                name,
                permissions: scopes,
                expires_at: expires_in.map(|span| now.plus(span)),
                requests_per_minute: requests_per_minute.map(NonZeroU32::get),
                allowed_cidrs: allowed_cidr.into(),
            };
            let (record, secret) = operator.issue_key(project, terms).await?;
            print_new(as_json(&record, now), &record, &secret, now, output)
        }
        Key::Update {
            id,
            allowed_cidr,
            from_anywhere: _,
        } => {
            let record = operator.set_key_addresses(id, allowed_cidr.into()).await?;
            print(&record, now, output)
        }
        Key::Rotate {
            id,
            overlap,
            expires_in,
        } => {
            let expires_at = expires_in.map(|span| now.plus(span));
            let (rotation, secret) = operator.rotate_key(id, overlap, expires_at).await?;
            let mut value = as_json(&rotation.new, now);
            value["rotated"] = as_json(&rotation.old, now);
            print_new(value, &rotation.new, &secret, now, output)
        }
        Key::Show { id } => print(
            &operator
                .show_key(id)
                .await?
                .ok_or_else(|| Failure::absent("key", id))?,
            now,
            output,
        ),
        Key::Revoke { id } => print(&operator.revoke_key(id).await?, now, output),
        Key::List { project } => {
            require_project(&operator, project).await?;
            let rows = operator.list_keys(project).await?;
            output.print(
                &json!({ "keys": rows.iter().map(|r| as_json(r, now)).collect::<Vec<_>>() }),
                || {
                    let cells = |r: &KeyRecord| {
                        vec![
                            r.id.to_string(),
                            r.project.to_string(),
                            r.name.clone(),
                            format!("…{}", r.last4),
                            r.status(now).as_str().to_owned(),
                            or_dash(r.expires_at),
                            or_dash(r.last_used_at),
                            addresses(r),
                            or_dash(r.rotates_from),
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
                        "USED FROM",
                        "ROTATES FROM",
                    ];
                    table(&headings, &rows.iter().map(cells).collect::<Vec<_>>())
                },
            )
        }
    }
}

fn as_json(record: &KeyRecord, now: Timestamp) -> Value {
    let mut value = with_api_names(record);
    value["status"] = Value::from(record.status(now).as_str());
    value
}

fn print(record: &KeyRecord, now: Timestamp, output: Output) -> Result<(), Failure> {
    output.print(&as_json(record, now), || describe(record, now))
}

/// Prints a newly created key with its secret.
fn print_new(
    mut value: Value,
    record: &KeyRecord,
    secret: &ApiKeySecret,
    now: Timestamp,
    output: Output,
) -> Result<(), Failure> {
    let secret = secret.reveal();
    value["secret"] = Value::from(secret.as_str());
    output.print(&value, || {
        format!(
            "{}secret        {secret}\n\nThe secret is not shown again.",
            describe(record, now)
        )
    })
}

fn describe(record: &KeyRecord, now: Timestamp) -> String {
    fields(&[
        ("id", record.id.to_string()),
        ("project", record.project.to_string()),
        ("name", record.name.clone()),
        ("status", record.status(now).as_str().to_owned()),
        (
            "scopes",
            record
                .permissions
                .as_slice()
                .iter()
                .map(|p: &Permission| p.as_str())
                .collect::<Vec<_>>()
                .join(","),
        ),
        ("expires", or_dash(record.expires_at)),
        ("requests/min", or_dash(record.requests_per_minute)),
        ("used from", addresses(record)),
        ("rotates from", or_dash(record.rotates_from)),
        ("last used", or_dash(record.last_used_at)),
    ])
}

/// What the key may do, with every scope there is.
fn scopes_help() -> String {
    format!(
        "What the key may do: read_only (every scope that reads), generate (everything but webhooks:manage), full, or \
         some of these scopes, separated by commas: {}",
        scopes()
    )
}

fn scopes() -> String {
    let all: Vec<_> = Permission::ALL.iter().map(|p| p.as_str()).collect();
    all.join(", ")
}

/// Parses presets and scopes.
fn parse_scopes(text: &str) -> Result<Permissions, String> {
    Permissions::parse(text).map_err(|unknown| {
        format!(
            "there is no scope {:?}: expected read_only, generate, full, or some of {} separated by commas",
            unknown.0,
            scopes()
        )
    })
}

/// Parses requests per 60 seconds. Zero is refused: such a key would be useless.
fn parse_rate(text: &str) -> Result<NonZeroU32, String> {
    let number = whole_number(1..=u32::MAX, 60)(text)?;
    NonZeroU32::new(number).ok_or_else(|| "expected a whole number of at least 1".to_owned())
}

/// The addresses that the key may be used from.
fn addresses(record: &KeyRecord) -> String {
    let ranges = record.allowed_cidrs.as_slice();
    if ranges.is_empty() {
        return "anywhere".to_owned();
    }
    let texts: Vec<String> = ranges.iter().map(ToString::to_string).collect();
    texts.join(",")
}

/// Parses a span that may be zero.
fn parse_overlap(text: &str) -> Result<Duration, String> {
    match text {
        "0s" | "0m" | "0h" | "0d" => Ok(Duration::ZERO),
        span => parse_span(span),
    }
}

/// Parses `90s`, `15m`, `12h`, `30d` or `4w`.
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

    #[test]
    fn overlaps() {
        assert_eq!(parse_overlap("0s"), Ok(Duration::ZERO));
        assert_eq!(parse_overlap("24h"), Ok(Duration::from_secs(86_400)));
        assert!(parse_overlap("0").is_err() && parse_overlap("").is_err());
    }

    proptest! {
        #[test]
        fn no_span_panics(text in "\\PC{0,12}") {
            let _ = parse_span(&text);
        }
    }
}
