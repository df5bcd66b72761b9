//! The rules of a sound ledger, each as a query of the places that violate it. A place is an organization,
//! an account, a ledger transaction, a subject (a job, or the owner of a sum), and the amount of the error;
//! columns that do not apply are null. Sums saturate at 64 bits, so that no amount can make the check
//! itself fail.

use super::awaiting::AWAITS;
use super::step_sql::MAY_COST;
use super::{month_of, sum_of};

pub(crate) struct Rule {
    /// The message, which follows the number of places.
    pub(crate) sentence: &'static str,
    /// Query with one row for each place, with the columns named above.
    pub(crate) places: String,
}

fn rule(sentence: &'static str, places: impl Into<String>) -> Rule {
    Rule {
        sentence,
        places: places.into(),
    }
}

/// How corrections changed jobs' charges: `job_id`, `organization_id`, `project_id`, `step`, `amount`.
const CORRECTIONS: &str = "SELECT t.job_id, t.organization_id, t.project_id, t.step, e.amount \
    FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id AND e.account = 'platform:revenue' \
    WHERE t.kind = 'reconciliation'";

/// The sum of all corrections.
pub(crate) fn reconciled() -> String {
    format!("SELECT {} FROM ({CORRECTIONS}) k", sum_of("amount"))
}

/// Id of the settlement of job `x.job_id`.
const SETTLEMENT: &str = "(SELECT MIN(t.id) FROM ledger_transactions t WHERE t.job_id = x.job_id \
    AND t.kind = 'settlement')";

pub(crate) fn all() -> Vec<Rule> {
    let sum = sum_of("amount");
    vec![
        rule(
            "transactions do not sum to zero",
            format!(
                "SELECT t.organization_id, NULL, x.transaction_id, t.job_id, x.off FROM (\
                 SELECT transaction_id, {sum} AS off FROM ledger_entries GROUP BY transaction_id) x \
                 LEFT JOIN ledger_transactions t ON t.id = x.transaction_id WHERE x.off <> 0"
            ),
        ),
        rule(
            "transactions have no entries",
            "SELECT t.organization_id, NULL, t.id, t.job_id, NULL FROM ledger_transactions t \
             WHERE NOT EXISTS (SELECT 1 FROM ledger_entries e WHERE e.transaction_id = t.id)",
        ),
        rule(
            "ended jobs were not settled",
            "SELECT j.organization_id, j.organization_id || ':reserved', NULL, j.id, j.reserved FROM jobs j \
             WHERE j.finished_at IS NOT NULL AND NOT EXISTS \
             (SELECT 1 FROM ledger_transactions t WHERE t.job_id = j.id AND t.kind = 'settlement')",
        ),
        rule(
            "jobs were settled that have not ended",
            "SELECT t.organization_id, NULL, t.id, t.job_id, NULL FROM ledger_transactions t \
             JOIN jobs j ON j.id = t.job_id WHERE t.kind = 'settlement' AND j.finished_at IS NULL",
        ),
        rule(
            "jobs lack their reservation",
            "SELECT j.organization_id, j.organization_id || ':reserved', NULL, j.id, j.reserved FROM jobs j \
             WHERE j.reserved > 0 AND NOT EXISTS \
             (SELECT 1 FROM ledger_transactions t WHERE t.job_id = j.id AND t.kind = 'reservation')",
        ),
        rule(
            "jobs were charged otherwise than their provider calls cost",
            of_ended_jobs(
                "NULL",
                "SELECT organization_id, job_id, cost AS amount FROM usage_rows \
                 UNION ALL SELECT j.organization_id, j.id, -k.cost FROM cost_rows k \
                 JOIN jobs j ON j.id = k.job_id AND j.finished_at IS NOT NULL",
            ),
        ),
        rule(
            "jobs were charged otherwise than their usage says",
            of_ended_jobs(
                "'platform:revenue'",
                "SELECT organization_id, job_id, -cost AS amount FROM usage_rows \
                 UNION ALL SELECT u.organization_id, u.job_id, e.amount FROM ledger_transactions t \
                 JOIN ledger_entries e ON e.transaction_id = t.id AND e.account = 'platform:revenue' \
                 JOIN usage_rows u ON u.job_id = t.job_id WHERE t.kind = 'settlement'",
            ),
        ),
        rule(
            "credit balances differ from the ledger",
            format!(
                "SELECT REPLACE(account, ':credit', ''), account, NULL, NULL, off FROM (\
                 SELECT account, {sum} AS off FROM (\
                 SELECT organization_id || ':credit' AS account, balance AS amount FROM credit_balances \
                 UNION ALL SELECT account, -amount FROM ledger_entries WHERE account LIKE '%:credit') x \
                 GROUP BY account) y WHERE off <> 0"
            ),
        ),
        rule(
            "organizations have other credit than was granted, less charges and reservations",
            format!(
                "SELECT organization_id, organization_id || ':credit', NULL, NULL, off FROM (\
                 SELECT organization_id, {sum} AS off FROM (\
                 SELECT organization_id, balance AS amount FROM credit_balances \
                 UNION ALL SELECT organization_id, cost FROM usage_rows \
                 UNION ALL SELECT organization_id, amount FROM ({CORRECTIONS}) k \
                 UNION ALL SELECT organization_id, reserved FROM jobs WHERE finished_at IS NULL \
                 UNION ALL SELECT t.organization_id, -e.amount FROM ledger_transactions t \
                 JOIN ledger_entries e ON e.transaction_id = t.id AND e.account = t.organization_id || ':credit' \
                 WHERE t.job_id IS NULL) x GROUP BY organization_id) y WHERE off <> 0"
            ),
        ),
        rule(
            "organizations have paid otherwise than they were charged",
            format!(
                "SELECT id, NULL, NULL, NULL, off FROM (SELECT id, {sum} AS off FROM (\
                 SELECT id, paid_total AS amount FROM organizations \
                 UNION ALL SELECT organization_id, -cost FROM usage_rows \
                 UNION ALL SELECT organization_id, -amount FROM ({CORRECTIONS}) k) x GROUP BY id) y WHERE off <> 0"
            ),
        ),
        rule(
            "scopes have other reservations than their open jobs",
            of_open_jobs("reserved"),
        ),
        rule(
            "scopes count other calls than those of their open jobs",
            exposures(),
        ),
        rule(
            "scopes count otherwise what their open jobs took beyond their reservations",
            of_open_jobs("over_reserved"),
        ),
        rule(
            "jobs count otherwise what of their calls awaits reconciliation",
            format!(
                "SELECT organization_id, NULL, NULL, id, off FROM (SELECT j.organization_id, j.id, j.awaiting - \
                 (SELECT {} FROM cost_rows c WHERE c.job_id = j.id AND j.finished_at IS NOT NULL AND {AWAITS}) AS off \
                 FROM jobs j) x WHERE off <> 0",
                sum_of("c.held")
            ),
        ),
        rule(
            "scopes count otherwise what awaits reconciliation",
            awaiting_months(),
        ),
        rule(
            "corrections are of calls that awaited none, or leave less than nothing",
            format!(
                "SELECT k.organization_id, 'platform:revenue', NULL, k.job_id, k.amount FROM ({CORRECTIONS}) k \
                 WHERE NOT EXISTS (SELECT 1 FROM cost_rows c JOIN usage_rows u ON u.job_id = c.job_id \
                 WHERE c.job_id = k.job_id AND c.seq = k.step AND c.reconcile AND k.amount >= -c.cost)"
            ),
        ),
        rule(
            "monthly totals differ from usage and jobs",
            monthly_totals(),
        ),
        rule(
            "months of usage cost otherwise than their jobs",
            usage_months("usage_months"),
        ),
        rule(
            "months of connectors cost otherwise than the jobs that called them",
            usage_months("usage_connector_months"),
        ),
    ]
}

/// Scopes whose value in this column differs from the sum over their open jobs.
fn of_open_jobs(column: &str) -> String {
    let counted = ["key_id", "project_id", "organization_id"]
        .map(|id| format!(" UNION ALL SELECT {id}, -{column} FROM jobs WHERE finished_at IS NULL"));
    let sums = format!(
        "scope_id, {} AS off FROM (SELECT scope_id, {column} AS amount FROM open_reservations{}) x GROUP BY scope_id",
        sum_of("amount"),
        counted.concat()
    );
    of_scope(&sums, "s.scope_id")
}

/// Ended jobs whose amounts do not add up to zero.
fn of_ended_jobs(account: &str, amounts: &str) -> String {
    format!(
        "SELECT organization_id, {account}, {SETTLEMENT}, job_id, off FROM (\
         SELECT organization_id, job_id, {} AS off FROM ({amounts}) y GROUP BY organization_id, job_id) x \
         WHERE off <> 0",
        sum_of("amount")
    )
}

/// Scopes whose recorded exposure differs from what the calls of their open jobs have taken.
fn exposures() -> String {
    let calls = ["key_id", "project_id", "organization_id"].map(|id| {
        format!(
            " UNION ALL SELECT j.{id}, -c.cost FROM cost_rows c JOIN jobs j ON j.id = c.job_id \
             WHERE j.finished_at IS NULL \
             UNION ALL SELECT j.{id}, -c.held FROM cost_rows c JOIN jobs j ON j.id = c.job_id \
             WHERE j.finished_at IS NULL \
             UNION ALL SELECT j.{id}, -({MAY_COST}) FROM job_steps s JOIN jobs j ON j.id = s.job_id \
             WHERE j.finished_at IS NULL AND s.state = 'started'"
        )
    });
    let sums = format!(
        "scope_id, {} AS off FROM (SELECT scope_id, exposed AS amount FROM open_reservations{}) x GROUP BY scope_id",
        sum_of("amount"),
        calls.concat()
    );
    of_scope(&sums, "s.scope_id")
}

/// Months of projects whose cost by key or by connector differs from usage rows and corrections.
fn usage_months(sums: &str) -> String {
    let (used, corrected) = (month_of("at"), month_of("u.at"));
    let off = format!(
        "project_id AS scope_id, month, {} AS off FROM (\
         SELECT project_id, month, cost AS amount FROM {sums} \
         UNION ALL SELECT project_id, {used}, -cost FROM usage_rows \
         UNION ALL SELECT k.project_id, {corrected}, -k.amount FROM ({CORRECTIONS}) k \
         JOIN usage_rows u ON u.job_id = k.job_id) x GROUP BY project_id, month",
        sum_of("amount")
    );
    of_scope(&off, "s.scope_id || ' in ' || s.month")
}

/// Scopes whose monthly totals differ from usage rows and jobs.
fn monthly_totals() -> String {
    let (used, corrected) = (month_of("at"), month_of("u.at"));
    let created = month_of("created_at");
    let counted = ["key_id", "project_id", "organization_id"].map(|id| {
        format!(
            " UNION ALL SELECT {id}, {used}, -cost, 0 FROM usage_rows \
             UNION ALL SELECT u.{id}, {corrected}, -k.amount, 0 FROM ({CORRECTIONS}) k \
             JOIN usage_rows u ON u.job_id = k.job_id \
             UNION ALL SELECT {id}, {created}, 0, -1 FROM jobs"
        )
    });
    let sums = format!(
        "scope_id, month, {} AS off, {} AS jobs FROM (\
         SELECT scope_id, month, settled AS amount, jobs FROM monthly_totals{}) x GROUP BY scope_id, month",
        sum_of("amount"),
        sum_of("jobs"),
        counted.concat()
    );
    let subject = "s.scope_id || ' in ' || s.month";
    of_scope_where(&sums, subject, "s.off <> 0 OR s.jobs <> 0")
}

/// Months of scopes whose amount awaiting reconciliation differs from that of their jobs.
fn awaiting_months() -> String {
    let ended = month_of("finished_at");
    let counted = ["key_id", "project_id", "organization_id"].map(|id| {
        format!(" UNION ALL SELECT {id}, {ended}, -awaiting FROM jobs WHERE awaiting > 0")
    });
    let sums = format!(
        "scope_id, month, {} AS off FROM (\
         SELECT scope_id, month, awaiting AS amount FROM monthly_totals{}) x GROUP BY scope_id, month",
        sum_of("amount"),
        counted.concat()
    );
    of_scope(&sums, "s.scope_id || ' in ' || s.month")
}

/// Keys, projects and organizations whose sums do not add up to zero.
fn of_scope(sums: &str, subject: &str) -> String {
    of_scope_where(sums, subject, "s.off <> 0")
}

/// The same for sums that meet this condition, each with its organization.
fn of_scope_where(sums: &str, subject: &str, holds: &str) -> String {
    format!(
        "SELECT COALESCE(o.id, p.organization_id, kp.organization_id), NULL, NULL, {subject}, s.off \
         FROM (SELECT {sums}) s LEFT JOIN organizations o ON o.id = s.scope_id \
         LEFT JOIN projects p ON p.id = s.scope_id LEFT JOIN api_keys k ON k.id = s.scope_id \
         LEFT JOIN projects kp ON kp.id = k.project_id WHERE {holds}"
    )
}
