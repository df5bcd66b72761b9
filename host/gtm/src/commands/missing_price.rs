//! Warns that jobs will fail because a connection has no price for a call. Without the warning, such a
//! connection looks configured and verified until a job has done most of its work.

use gtm_domain::ConnectionId;
use gtm_domain::connection::Connection;
use gtm_engine::missing_prices::MissingPrices;
use gtm_runtime::Catalog;
use serde_json::{Value, json};

use crate::output::note;

/// What a connection lacks, and how to give it.
#[derive(Debug, Clone, PartialEq)]
pub struct MissingPrice {
    connection: ConnectionId,
    missing: MissingPrices,
}

impl MissingPrice {
    /// What this connection lacks for its calls, or for those of one capability. A connector without a
    /// component makes no calls.
    #[must_use]
    pub fn of(catalog: &Catalog, row: &Connection, capability: Option<&str>) -> Option<Self> {
        let connector = catalog
            .connector(&row.provider_key, Some(&row.manifest_version))
            .filter(|connector| connector.runs())?;
        Some(Self {
            connection: row.id,
            missing: MissingPrices::of(connector.manifest, &row.settings, capability)?,
        })
    }

    fn message(&self) -> String {
        format!(
            "each job that calls {} through {} will fail connector_not_configured: its settings have neither usable `prices` nor `\"free\": true`, and a call whose price is unknown is not made",
            self.missing.capabilities.join(" or "),
            self.connection
        )
    }

    /// The complete command that fixes it: an update replaces all settings.
    #[must_use]
    pub fn hint(&self) -> String {
        match &self.missing.example {
            Some(settings) => format!(
                "state what the provider charges, for example `gtm connection update {} --settings-json {}`, or write \"free\":true instead of prices if nothing is to be charged",
                self.connection,
                quoted(&settings.to_string())
            ),
            None => "its connector has no setting for prices, so no job can use it".to_owned(),
        }
    }

    /// Prints the warning on standard error.
    pub fn warn(&self) {
        note(&format!(
            "warning: {}\nhint: {}",
            self.message(),
            self.hint()
        ));
    }
}

/// The missing settings, as in the error details of a job that fails because of them.
#[must_use]
pub fn missing_settings(found: Option<&MissingPrice>) -> Value {
    if found.is_some() {
        json!(["prices"])
    } else {
        json!([])
    }
}

/// Quotes a text as one shell word.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_quote_does_not_end_the_word() {
        assert_eq!(super::quoted(r#"{"a":"it's"}"#), r#"'{"a":"it'\''s"}'"#);
    }
}
