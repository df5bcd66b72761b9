//! What `gtm budget` and `gtm quota` have in common: setting, clearing and listing a monthly limit.

use gtm_domain::OrganizationId;
use gtm_domain::money::{Limit, LimitMetric};
use serde_json::{Value, json};

use super::limit_scope::LimitScopeArgs;
use super::owner::require_organization;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, table};

/// A kind of limit, and how it is shown.
pub struct LimitKind {
    /// Its name for people, such as `budget`.
    pub noun: &'static str,
    /// What is limited.
    pub metric: LimitMetric,
    /// Column heading of the amount.
    pub heading: &'static str,
    /// Label of the amount when a single limit is shown.
    pub label: &'static str,
    /// Converts the amount to JSON, with the names of `GET /v1/usage`.
    pub value: fn(i64) -> Value,
    /// Formats the amount for people.
    pub shown: fn(i64) -> String,
}

/// What to do with a limit.
pub enum LimitCommand {
    /// Set it, replacing any earlier value.
    Set(LimitScopeArgs, i64),
    /// Remove it.
    Clear(LimitScopeArgs),
    /// List all, or those of one organization.
    List(Option<OrganizationId>),
}

impl LimitKind {
    /// Runs the command.
    ///
    /// # Errors
    /// If the scope does not exist, or the store refuses.
    pub async fn run(
        &self,
        command: LimitCommand,
        installation: &Installation,
        output: Output,
    ) -> Result<(), Failure> {
        let operator = installation.operator();
        let noun = self.noun;
        let whose = |scope: LimitScopeArgs| {
            scope
                .owner()
                .ok_or_else(|| Failure::new(format!("say whose {noun}: --project, --key or --org")))
        };
        match command {
            LimitCommand::Set(scope, limit) => {
                let row = operator
                    .set_limit(whose(scope)?, self.metric, limit)
                    .await?;
                output.print(&self.as_json(&row), || self.describe(&row))
            }
            LimitCommand::Clear(scope) => {
                let owner = whose(scope)?;
                let before = operator.clear_limit(owner, self.metric).await?;
                let before = before.ok_or_else(|| {
                    Failure::new(format!("{} has no {noun}", owner.id()))
                        .hint(format!("`gtm {noun} list` shows those that exist"))
                })?;
                output.print(&json!({"cleared": self.as_json(&before)}), || {
                    format!("{}\n\nCleared.", self.describe(&before).trim_end())
                })
            }
            LimitCommand::List(org) => {
                require_organization(&operator, org).await?;
                let rows = operator.list_limits(self.metric, org).await?;
                let list: Vec<_> = rows.iter().map(|row| self.as_json(row)).collect();
                output.print(&json!({ format!("{noun}s"): list }), || {
                    let cells = |row: &Limit| {
                        vec![
                            row.owner.scope().as_str().to_owned(),
                            row.owner.id(),
                            (self.shown)(row.value),
                            row.set_at.to_string(),
                        ]
                    };
                    table(
                        &["SCOPE", "ID", self.heading, "SET"],
                        &rows.iter().map(cells).collect::<Vec<_>>(),
                    )
                })
            }
        }
    }

    fn as_json(&self, row: &Limit) -> Value {
        let mut value = json!({ "scope": row.owner.scope(), "scope_id": row.owner.id() });
        if let (Some(members), Value::Object(amount)) =
            (value.as_object_mut(), (self.value)(row.value))
        {
            members.extend(amount);
            members.insert("set_at".to_owned(), json!(row.set_at));
        }
        value
    }

    fn describe(&self, row: &Limit) -> String {
        fields(&[
            ("scope", row.owner.scope().as_str().to_owned()),
            ("id", row.owner.id()),
            (self.label, (self.shown)(row.value)),
            ("set", row.set_at.to_string()),
        ])
    }
}
