-- Whether a call is sent with a key by which its provider knows it again. Without one, each time that it is
-- begun may be charged, and counts against every limit until the call is settled. Calls that were begun before
-- this was written down count as calls without a key.
ALTER TABLE job_steps ADD COLUMN keyed INTEGER NOT NULL DEFAULT 0 CHECK (keyed IN (0, 1));

-- Open calls that were begun more than once counted once until now. A sum in floating point cannot overflow, and
-- the cast stops at the largest number.
WITH repeated (key_id, project_id, organization_id, amount) AS (
    SELECT j.key_id, j.project_id, j.organization_id, CAST(s.ceiling AS REAL) * (s.attempts - 1)
    FROM job_steps s JOIN jobs j ON j.id = s.job_id
    WHERE s.state = 'started' AND s.attempts > 1 AND s.ceiling > 0 AND j.finished_at IS NULL
), counted (scope_id, amount) AS (
    SELECT key_id, amount FROM repeated
    UNION ALL SELECT project_id, amount FROM repeated
    UNION ALL SELECT organization_id, amount FROM repeated
), more (scope_id, amount) AS (
    SELECT scope_id, CAST(TOTAL(amount) AS INTEGER) FROM counted GROUP BY scope_id
)
UPDATE open_reservations SET exposed = CASE
    WHEN exposed > 9223372036854775807 - more.amount THEN 9223372036854775807 ELSE exposed + more.amount END
    FROM more WHERE more.scope_id = open_reservations.scope_id;
