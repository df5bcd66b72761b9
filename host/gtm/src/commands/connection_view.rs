//! How `gtm connection …` shows connections: the stored row, its derived status and verification, and what
//! the operator should do about them. Never a credential's value.

use gtm_domain::connection::ConnectionState;
use gtm_domain::{ConnectionId, Timestamp};
use gtm_engine::connections::{ConnectionView, PublicStatus, describe};
use gtm_engine::plugins::ConnectorFacts;
use gtm_runtime::Catalog;
use gtm_store::Operator;
use serde_json::{Value, json};

use super::missing_price::{MissingPrice, missing_settings};
use crate::failure::Failure;
use crate::output::{Output, fields, note, or_dash, table};

/// A connection with everything known about it.
pub struct Shown {
    state: ConnectionState,
    view: ConnectionView,
    missing: Vec<String>,
    missing_price: Option<MissingPrice>,
    hint: Option<String>,
}

impl Shown {
    fn of(state: ConnectionState, catalog: &Catalog, now: Timestamp) -> Self {
        let row = &state.connection;
        let connector = catalog.connector(&row.provider_key, Some(&row.manifest_version));
        let facts = connector.as_ref().map(ConnectorFacts::of);
        let view = describe(&state, facts.as_ref(), now);
        let lacking = facts
            .as_ref()
            .map(|facts| facts.missing(&row.configured_fields, &row.settings))
            .unwrap_or_default();
        let missing_price = MissingPrice::of(catalog, row, None);
        let hint = match (view.status, lacking.first()) {
            (PublicStatus::Incomplete, Some(field)) => {
                let give = format!(
                    "give {} with `gtm connection update {} --credential-stdin {}`",
                    field.key, row.id, field.key
                );
                Some(match &field.required_unless {
                    None => give,
                    Some(unless) => format!(
                        "{give}, or set {} to {} if the provider takes none",
                        unless.setting,
                        text_of(&unless.equals)
                    ),
                })
            }
            (PublicStatus::Error, _) => Some(
                "its secrets cannot be decrypted with the current master keys: give the credentials again, \
                 or bring back the key that they were sealed under"
                    .to_owned(),
            ),
            (PublicStatus::Revoked, _) => Some(
                "the provider accepted these credentials before and refuses them now: replace them"
                    .to_owned(),
            ),
            _ => missing_price.as_ref().map(MissingPrice::hint),
        };
        Self {
            missing_price,
            missing: lacking.iter().map(|field| field.key.clone()).collect(),
            view,
            hint,
            state,
        }
    }

    /// What is known about the connection's verification, as the API shows it.
    pub fn verification(&self) -> Value {
        serde_json::to_value(self.view.verification).unwrap_or_default()
    }

    /// Warns if calls have no price, so that jobs would fail.
    pub fn warn_of_missing_price(&self) {
        if let Some(missing) = &self.missing_price {
            missing.warn();
        }
    }

    /// Warns if a credential is missing, so that jobs would fail.
    pub fn warn_of_missing_fields(&self) {
        if self.missing.is_empty() {
            return;
        }
        note(&format!(
            "warning: each job that needs {} will fail connector_not_configured: it lacks {}\nhint: {}",
            self.view.id,
            self.missing.join(", "),
            or_dash(self.hint.as_ref())
        ));
    }

    /// The credentials without which jobs cannot use it.
    pub fn missing_fields(&self) -> &[String] {
        &self.missing
    }

    /// What it lacks, in one cell of a table.
    fn missing_text(&self) -> String {
        let price = self.missing_price.as_ref().map(|_| "prices");
        let names: Vec<&str> = self
            .missing
            .iter()
            .map(String::as_str)
            .chain(price)
            .collect();
        match names.is_empty() {
            true => "-".to_owned(),
            false => names.join(","),
        }
    }

    /// The missing settings without which jobs cannot use it.
    pub fn missing_settings(&self) -> Value {
        missing_settings(self.missing_price.as_ref())
    }

    /// The connection as the API shows it, with what only operators see: organization, settings, which
    /// configured fields are credentials, the last check, and what to do.
    fn json(&self) -> Value {
        let row = &self.state.connection;
        let mut value = json!(self.view);
        value["organization_id"] = json!(row.organization);
        value["settings"] = row.settings.clone();
        value["credential_fields"] = json!(row.configured_fields);
        let check = self.state.verification.as_ref();
        value["verification"]["at"] = json!(check.map(|check| check.at));
        value["verification"]["detail"] = json!(check.and_then(|check| check.detail.as_ref()));
        value["missing_fields"] = json!(self.missing);
        value["missing_settings"] = self.missing_settings();
        value["hint"] = json!(self.hint);
        value
    }

    fn verification_text(&self) -> String {
        let v = &self.view.verification;
        match (v.status.as_str(), v.mode.as_str()) {
            // Where nothing can check, both have the same word.
            (status, mode) if status == mode => status.to_owned(),
            (status, mode) => format!("{status} ({mode})"),
        }
    }

    /// Prints this connection.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub fn print(&self, output: Output) -> Result<(), Failure> {
        let row = &self.state.connection;
        output.print(&self.json(), || {
            let mut pairs = vec![
                ("id", row.id.to_string()),
                ("project", row.project.to_string()),
                (
                    "provider",
                    format!("{} {}", row.provider_key, row.manifest_version),
                ),
                ("name", row.name.clone()),
                ("status", self.view.status.as_str().to_owned()),
                ("settings", row.settings.to_string()),
                (
                    "credentials",
                    match row.configured_fields.join(", ") {
                        none if none.is_empty() => "-".to_owned(),
                        names => format!("{names} (version {})", row.credentials_version),
                    },
                ),
                ("verification", self.verification_text()),
            ];
            if !self.missing.is_empty() {
                pairs.push(("missing", self.missing.join(", ")));
            }
            if self.missing_price.is_some() {
                pairs.push(("missing settings", "prices".to_owned()));
            }
            if self.hint.is_some() {
                pairs.push(("hint", or_dash(self.hint.as_ref())));
            }
            fields(&pairs)
        })
    }
}

fn text_of(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// All connections, or those of one project.
///
/// # Errors
/// If the store fails.
pub async fn all(
    operator: &Operator,
    project: Option<gtm_domain::ProjectId>,
    catalog: &Catalog,
    now: Timestamp,
) -> Result<Vec<Shown>, Failure> {
    let states = operator.connection_states(project).await?;
    Ok(states
        .into_iter()
        .map(|state| Shown::of(state, catalog, now))
        .collect())
}

/// One connection.
///
/// # Errors
/// If there is no connection with this id, or the store fails.
pub async fn one(
    operator: &Operator,
    id: ConnectionId,
    catalog: &Catalog,
    now: Timestamp,
) -> Result<Shown, Failure> {
    let row = operator
        .show_connection(id)
        .await?
        .ok_or_else(|| Failure::absent("connection", id))?;
    all(operator, Some(row.project), catalog, now)
        .await?
        .into_iter()
        .find(|shown| shown.view.id == id)
        .ok_or_else(|| Failure::absent("connection", id))
}

/// Prints a list of connections.
///
/// # Errors
/// If standard output cannot be written.
pub fn print_all(rows: &[Shown], output: Output) -> Result<(), Failure> {
    let value = json!({ "connections": rows.iter().map(Shown::json).collect::<Vec<_>>() });
    output.print(&value, || {
        let cells = |shown: &Shown| {
            let row = &shown.state.connection;
            vec![
                row.id.to_string(),
                row.project.to_string(),
                row.provider_key.clone(),
                row.name.clone(),
                shown.view.status.as_str().to_owned(),
                shown.verification_text(),
                row.configured_fields.join(","),
                shown.missing_text(),
            ]
        };
        table(
            &[
                "ID",
                "PROJECT",
                "PROVIDER",
                "NAME",
                "STATUS",
                "VERIFICATION",
                "CREDENTIALS",
                "MISSING",
            ],
            &rows.iter().map(cells).collect::<Vec<_>>(),
        )
    })
}
