//! The codes of failed jobs as the API's description publishes them: the table in
//! `schemas/JobError.json`.

use serde_json::Value;

/// A code of a failed job.
pub struct JobErrorRow {
    /// The value of the job's `error.code`.
    pub code: String,
    /// Whether another job may succeed: `yes`, `no` or `maybe`.
    pub retry: String,
    /// What of the job is charged.
    pub billed: String,
    /// When a job fails with it.
    pub condition: String,
    /// What the caller should do.
    pub action: String,
}

/// The rows of the schema in its order.
pub fn rows(schema: &Value) -> Vec<JobErrorRow> {
    let rows = schema.pointer("/properties/code/x-error-codes");
    let text = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
    rows.and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(|row| JobErrorRow {
            code: text(row, "code"),
            retry: text(row, "retry"),
            billed: text(row, "billed"),
            condition: text(row, "condition"),
            action: text(row, "action"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use gtm_domain::JobErrorCode;

    use super::*;

    #[test]
    fn the_schema_lists_every_code() {
        let schema: Value =
            serde_json::from_str(include_str!("../../schemas/JobError.json")).unwrap();
        let known: Vec<&str> = JobErrorCode::ALL.iter().map(|code| code.as_str()).collect();
        let rows = rows(&schema);
        let listed: Vec<&str> = rows.iter().map(|row| row.code.as_str()).collect();
        assert_eq!(listed, known);
        let open = schema
            .pointer("/properties/code/x-extensible-enum")
            .unwrap();
        assert_eq!(open, &Value::from(known));
        for row in &rows {
            assert!(
                ["yes", "no", "maybe"].contains(&row.retry.as_str()),
                "{}",
                row.code
            );
            for text in [&row.billed, &row.condition, &row.action] {
                assert!(!text.is_empty(), "{}", row.code);
            }
        }
    }
}
