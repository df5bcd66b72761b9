//! What holds for every sound ledger: for each rule a query of the places where it does not. A place is
//! an organization, an account, a ledger transaction, a subject (a job, or whose sum it is), and by how
//! much it is off; what does not apply is null.

use super::month_of;

/// A rule.
pub(super) struct Rule {
    /// What is said of the places, after their number.
    pub(super) sentence: &'static str,
    /// One row for each place, with the columns named above.
    pub(super) places: String,
}

fn rule(sentence: &'static str, places: &str) -> Rule {
    Rule {
        sentence,
        places: places.to_owned(),
    }
}

/// What corrections changed of jobs' charges: `job_id`, `organization_id`, `project_id`, `step`,
/// `amount`.
macro_rules! corrections {
    () => {
        "SELECT t.job_id, t.organization_id, t.project_id, t.step, e.amount FROM ledger_transactions t \
         JOIN ledger_entries e ON e.transaction_id = t.id AND e.account = 'platform:revenue' \
         WHERE t.kind = 'reconciliation'"
    };
}

/// The sum of all corrections.
pub(super) const RECONCILED: &str = concat!(
    "SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM (",
    corrections!(),
    ") k"
);

/// Id of a job's settlement.
macro_rules! settlement_of {
    ($job:literal) => {
        concat!(
            "(SELECT MIN(t.id) FROM ledger_transactions t WHERE t.job_id = ",
            $job,
            " AND t.kind = 'settlement')"
        )
    };
}

/// All rules.
pub(super) fn all() -> Vec<Rule> {
    vec![
        rule(
            "transactions do not sum to zero",
            "SELECT t.organization_id, NULL, x.transaction_id, t.job_id, x.off FROM (\
             SELECT transaction_id, CAST(SUM(amount) AS BIGINT) AS off FROM ledger_entries \
             GROUP BY transaction_id HAVING SUM(amount) <> 0) x \
             LEFT JOIN ledger_transactions t ON t.id = x.transaction_id",
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
            concat!(
                "SELECT organization_id, NULL, ",
                settlement_of!("x.job_id"),
                ", job_id, off FROM (SELECT u.organization_id, u.job_id, CAST(u.cost - \
                 COALESCE((SELECT SUM(k.cost) FROM cost_rows k WHERE k.job_id = u.job_id), 0) AS BIGINT) AS off \
                 FROM usage_rows u) x WHERE off <> 0"
            ),
        ),
        rule(
            "jobs were charged otherwise than their usage says",
            concat!(
                "SELECT organization_id, 'platform:revenue', ",
                settlement_of!("x.job_id"),
                ", job_id, off FROM (SELECT u.organization_id, u.job_id, CAST(COALESCE((\
                 SELECT SUM(e.amount) FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id \
                 WHERE t.job_id = u.job_id AND t.kind = 'settlement' AND e.account = 'platform:revenue'), 0) \
                 - u.cost AS BIGINT) AS off FROM usage_rows u) x WHERE off <> 0"
            ),
        ),
        rule(
            "credit balances differ from the ledger",
            "SELECT REPLACE(account, ':credit', ''), account, NULL, NULL, CAST(SUM(amount) AS BIGINT) FROM (\
             SELECT organization_id || ':credit' AS account, balance AS amount FROM credit_balances \
             UNION ALL SELECT account, -amount FROM ledger_entries WHERE account LIKE '%:credit') x \
             GROUP BY account HAVING SUM(amount) <> 0",
        ),
        rule(
            "organizations have other credit than was granted, less charges and reservations",
            concat!(
                "SELECT organization_id, organization_id || ':credit', NULL, NULL, CAST(SUM(amount) AS BIGINT) FROM (\
                 SELECT organization_id, balance AS amount FROM credit_balances \
                 UNION ALL SELECT organization_id, cost FROM usage_rows \
                 UNION ALL SELECT organization_id, amount FROM (",
                corrections!(),
                ") k \
                 UNION ALL SELECT organization_id, reserved FROM jobs WHERE finished_at IS NULL \
                 UNION ALL SELECT t.organization_id, -e.amount FROM ledger_transactions t \
                 JOIN ledger_entries e ON e.transaction_id = t.id AND e.account = t.organization_id || ':credit' \
                 WHERE t.job_id IS NULL) x GROUP BY organization_id HAVING SUM(amount) <> 0"
            ),
        ),
        rule(
            "organizations have paid otherwise than they were charged",
            concat!(
                "SELECT id, NULL, NULL, NULL, CAST(SUM(paid_total) AS BIGINT) FROM (\
                 SELECT id, paid_total FROM organizations \
                 UNION ALL SELECT organization_id, -cost FROM usage_rows \
                 UNION ALL SELECT organization_id, -amount FROM (",
                corrections!(),
                ") k) x GROUP BY id HAVING SUM(paid_total) <> 0"
            ),
        ),
        rule(
            "scopes have other reservations than their open jobs",
            &of_scope(
                "scope_id, CAST(SUM(reserved) AS BIGINT) AS off FROM (\
                 SELECT scope_id, reserved FROM open_reservations \
                 UNION ALL SELECT key_id, -reserved FROM jobs WHERE finished_at IS NULL \
                 UNION ALL SELECT project_id, -reserved FROM jobs WHERE finished_at IS NULL \
                 UNION ALL SELECT organization_id, -reserved FROM jobs WHERE finished_at IS NULL) x \
                 GROUP BY scope_id HAVING SUM(reserved) <> 0",
                "s.scope_id",
            ),
        ),
        rule(
            "corrections are of calls that awaited none, or leave less than nothing",
            concat!(
                "SELECT k.organization_id, 'platform:revenue', NULL, k.job_id, CAST(k.amount AS BIGINT) FROM (",
                corrections!(),
                ") k WHERE NOT EXISTS (SELECT 1 FROM cost_rows c JOIN usage_rows u ON u.job_id = c.job_id \
                 WHERE c.job_id = k.job_id AND c.seq = k.step AND c.reconcile AND c.cost + k.amount >= 0)"
            ),
        ),
        monthly_totals(),
        usage_months(
            "usage_months",
            "months of usage cost otherwise than their jobs",
        ),
        usage_months(
            "usage_connector_months",
            "months of connectors cost otherwise than the jobs that called them",
        ),
    ]
}

/// Months of projects whose usage by key or by connector costs otherwise than usage rows and
/// corrections say.
fn usage_months(sums: &str, sentence: &'static str) -> Rule {
    let (used, corrected) = (month_of("at"), month_of("u.at"));
    let corrections = corrections!();
    let off = format!(
        "project_id AS scope_id, month, CAST(SUM(cost) AS BIGINT) AS off FROM (\
         SELECT project_id, month, cost FROM {sums} \
         UNION ALL SELECT project_id, {used}, -cost FROM usage_rows \
         UNION ALL SELECT k.project_id, {corrected}, -k.amount FROM ({corrections}) k \
         JOIN usage_rows u ON u.job_id = k.job_id) x \
         GROUP BY project_id, month HAVING SUM(cost) <> 0"
    );
    Rule {
        sentence,
        places: of_scope(&off, "s.scope_id || ' in ' || s.month"),
    }
}

/// Scopes whose monthly totals are not what usage rows and jobs say.
fn monthly_totals() -> Rule {
    let (used, corrected) = (month_of("at"), month_of("u.at"));
    let created = month_of("created_at");
    let corrections = corrections!();
    let counted = ["key_id", "project_id", "organization_id"].map(|id| {
        format!(
            " UNION ALL SELECT {id}, {used}, -cost, 0 FROM usage_rows \
             UNION ALL SELECT u.{id}, {corrected}, -k.amount, 0 FROM ({corrections}) k \
             JOIN usage_rows u ON u.job_id = k.job_id \
             UNION ALL SELECT {id}, {created}, 0, -1 FROM jobs"
        )
    });
    let sums = format!(
        "scope_id, month, CAST(SUM(settled) AS BIGINT) AS off FROM (\
         SELECT scope_id, month, settled, jobs FROM monthly_totals{}) x \
         GROUP BY scope_id, month HAVING SUM(settled) <> 0 OR SUM(jobs) <> 0",
        counted.concat()
    );
    Rule {
        sentence: "monthly totals differ from usage and jobs",
        places: of_scope(&sums, "s.scope_id || ' in ' || s.month"),
    }
}

/// The places of sums that keys, projects and organizations have, with the organization of each.
fn of_scope(sums: &str, subject: &str) -> String {
    format!(
        "SELECT COALESCE(o.id, p.organization_id, kp.organization_id), NULL, NULL, {subject}, s.off \
         FROM (SELECT {sums}) s LEFT JOIN organizations o ON o.id = s.scope_id \
         LEFT JOIN projects p ON p.id = s.scope_id LEFT JOIN api_keys k ON k.id = s.scope_id \
         LEFT JOIN projects kp ON kp.id = k.project_id"
    )
}
