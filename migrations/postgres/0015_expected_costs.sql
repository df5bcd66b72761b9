-- What jobs are expected to cost, what their calls may cost at this moment, and what providers reported
-- beyond it.

-- All tenants' rows are counted below.
SELECT set_config('gtm.project', '*', true);

-- Key of the generation backend that a job was created with; null if nothing was bound.
ALTER TABLE jobs ADD COLUMN backend TEXT;
-- A job's cap is its own alone: budgets and credit are asked before each call.
ALTER TABLE jobs DROP COLUMN capped_by;

-- What an operator expects a job of this binding to cost, in micro-dollars; null if nobody said.
ALTER TABLE bindings ADD COLUMN expected_cost BIGINT CHECK (expected_cost >= 0);

-- What jobs of a type cost lately with a backend: a mean that each succeeded job moves by an eighth of
-- the difference.
CREATE TABLE expected_costs (
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    type            TEXT NOT NULL,
    backend         TEXT NOT NULL,
    cost            BIGINT NOT NULL CHECK (cost >= 0),
    PRIMARY KEY (organization_id, type, backend)
);

-- What the provider's figures came to where they are not what was charged.
ALTER TABLE cost_rows ADD COLUMN reported BIGINT;
-- A call of a job that has not ended is charged at most what it may cost.
UPDATE cost_rows SET reported = cost, reconcile = TRUE, cost = (
    SELECT s.ceiling FROM job_steps s WHERE s.job_id = cost_rows.job_id AND s.seq = cost_rows.seq)
    WHERE EXISTS (SELECT 1 FROM jobs j JOIN job_steps s ON s.job_id = j.id
        WHERE j.id = cost_rows.job_id AND j.finished_at IS NULL AND s.seq = cost_rows.seq AND cost_rows.cost > s.ceiling);

-- What the calls of jobs that have not ended have cost, and may cost as long as they are under way.
ALTER TABLE open_reservations ADD COLUMN exposed BIGINT NOT NULL DEFAULT 0 CHECK (exposed >= 0);
WITH calls (job_id, amount) AS (
    SELECT job_id, cost FROM cost_rows
    UNION ALL SELECT job_id, ceiling FROM job_steps WHERE state = 'started'
), counted (scope_id, scope, exposed) AS (
    SELECT j.project_id, 'project', SUM(c.amount) FROM calls c JOIN jobs j ON j.id = c.job_id WHERE j.finished_at IS NULL GROUP BY 1
    UNION ALL SELECT j.key_id, 'key', SUM(c.amount) FROM calls c JOIN jobs j ON j.id = c.job_id WHERE j.finished_at IS NULL GROUP BY 1
    UNION ALL SELECT j.organization_id, 'organization', SUM(c.amount) FROM calls c JOIN jobs j ON j.id = c.job_id WHERE j.finished_at IS NULL GROUP BY 1
)
INSERT INTO open_reservations (scope_id, scope, reserved, exposed)
    SELECT scope_id, scope, 0, exposed FROM counted WHERE exposed > 0
    ON CONFLICT (scope_id) DO UPDATE SET exposed = excluded.exposed;
