-- What calls of ended jobs may cost beyond what they were charged, as long as nobody has said what they did
-- cost. It counts against the limits of the month in which the job ended, where a correction would count, and
-- against the credit. Calls that await that now begin to count.

-- All tenants' rows are counted below.
SELECT set_config('gtm.project', '*', true);

-- What is counted of a job, so that it is counted once.
ALTER TABLE jobs ADD COLUMN awaiting BIGINT NOT NULL DEFAULT 0 CHECK (awaiting >= 0);
ALTER TABLE monthly_totals ADD COLUMN awaiting BIGINT NOT NULL DEFAULT 0 CHECK (awaiting >= 0);

UPDATE jobs SET awaiting = counted.amount FROM (
    SELECT c.job_id, CAST(LEAST(SUM(c.held), 9223372036854775807) AS BIGINT) AS amount FROM cost_rows c
    WHERE c.reconcile AND c.held > 0 AND NOT EXISTS (SELECT 1 FROM ledger_transactions t
        WHERE t.job_id = c.job_id AND t.kind = 'reconciliation' AND t.step = c.seq)
    GROUP BY c.job_id) counted
    WHERE counted.job_id = jobs.id AND jobs.finished_at IS NOT NULL;
WITH ended (key_id, project_id, organization_id, month, amount) AS (
    SELECT key_id, project_id, organization_id, to_char(finished_at AT TIME ZONE 'UTC', 'YYYY-MM'), awaiting
    FROM jobs WHERE awaiting > 0
), counted (scope_id, month, scope, amount) AS (
    SELECT key_id, month, 'key', amount FROM ended
    UNION ALL SELECT project_id, month, 'project', amount FROM ended
    UNION ALL SELECT organization_id, month, 'organization', amount FROM ended
)
INSERT INTO monthly_totals (scope_id, month, scope, settled, jobs, awaiting)
    SELECT scope_id, month, scope, 0, 0, CAST(LEAST(SUM(amount), 9223372036854775807) AS BIGINT)
    FROM counted GROUP BY scope_id, month, scope
    ON CONFLICT (scope_id, month) DO UPDATE SET awaiting = excluded.awaiting;
