-- Whether a call is sent with a key by which its provider knows it again. Without one, each time that it is
-- begun may be charged, and counts against every limit until the call is settled. Calls that were begun before
-- this was written down count as calls without a key.

-- All tenants' rows are counted below.
SELECT set_config('gtm.project', '*', true);

ALTER TABLE job_steps ADD COLUMN keyed BOOLEAN NOT NULL DEFAULT FALSE;

-- Open calls that were begun more than once counted once until now.
WITH repeated (key_id, project_id, organization_id, amount) AS (
    SELECT j.key_id, j.project_id, j.organization_id, CAST(s.ceiling AS NUMERIC) * (s.attempts - 1)
    FROM job_steps s JOIN jobs j ON j.id = s.job_id
    WHERE s.state = 'started' AND s.attempts > 1 AND s.ceiling > 0 AND j.finished_at IS NULL
), counted (scope_id, amount) AS (
    SELECT key_id, amount FROM repeated
    UNION ALL SELECT project_id, amount FROM repeated
    UNION ALL SELECT organization_id, amount FROM repeated
), more (scope_id, amount) AS (
    SELECT scope_id, SUM(amount) FROM counted GROUP BY scope_id
)
UPDATE open_reservations SET exposed = CAST(LEAST(exposed + more.amount, 9223372036854775807) AS BIGINT)
    FROM more WHERE more.scope_id = open_reservations.scope_id;
