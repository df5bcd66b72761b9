-- Credits, limits and the sums that they are checked against (architecture §9). What can be counted
-- again from ledger, usage rows and jobs is; `gtm ledger verify` does.

-- All tenants' rows are counted below.
SELECT set_config('gtm.project', '*', true);

-- A ledger transaction that gives or takes credit belongs to an organization alone. Rows without a
-- project are seen by statements across projects only.
ALTER TABLE ledger_transactions
    ALTER COLUMN project_id DROP NOT NULL,
    ALTER COLUMN job_id DROP NOT NULL,
    ADD COLUMN note TEXT,
    DROP CONSTRAINT ledger_transactions_kind_check,
    ADD CHECK (kind IN ('reservation', 'settlement', 'grant', 'adjustment')),
    ADD CHECK ((job_id IS NULL) = (kind IN ('grant', 'adjustment'))),
    ADD CHECK ((project_id IS NULL) = (job_id IS NULL));
ALTER TABLE ledger_entries ALTER COLUMN project_id DROP NOT NULL;
CREATE INDEX ledger_transactions_credit ON ledger_transactions (organization_id, id) WHERE job_id IS NULL;

-- The most that a provider call may cost, as it was reckoned when the call was begun.
ALTER TABLE job_steps ADD COLUMN ceiling BIGINT NOT NULL DEFAULT 0 CHECK (ceiling >= 0);

-- Monthly limits that an operator set: micro-dollars or jobs.
CREATE TABLE limits (
    scope_id TEXT NOT NULL,
    scope    TEXT NOT NULL CHECK (scope IN ('project', 'key', 'organization')),
    metric   TEXT NOT NULL CHECK (metric IN ('monthly_budget', 'monthly_jobs')),
    value    BIGINT NOT NULL CHECK (value >= 0),
    set_at   TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (scope_id, metric)
);

-- Spendable credit: the sum of the organization's credit account. Whoever moves money of an
-- organization holds its row here first.
CREATE TABLE credit_balances (
    organization_id TEXT NOT NULL PRIMARY KEY REFERENCES organizations (id),
    balance         BIGINT NOT NULL
);

-- What a project, a key or an organization was charged, and how many jobs it created, in a UTC month
-- (`YYYY-MM`).
CREATE TABLE monthly_totals (
    scope_id TEXT NOT NULL,
    month    TEXT NOT NULL,
    scope    TEXT NOT NULL CHECK (scope IN ('project', 'key', 'organization')),
    settled  BIGINT NOT NULL,
    jobs     BIGINT NOT NULL,
    PRIMARY KEY (scope_id, month)
);

-- What is set aside for jobs that have not ended. Of no month: it counts wherever the jobs end.
CREATE TABLE open_reservations (
    scope_id TEXT NOT NULL PRIMARY KEY,
    scope    TEXT NOT NULL CHECK (scope IN ('project', 'key', 'organization')),
    reserved BIGINT NOT NULL CHECK (reserved >= 0)
);

-- Count what is there already.
INSERT INTO credit_balances (organization_id, balance)
    SELECT o.id, COALESCE((SELECT SUM(e.amount) FROM ledger_entries e WHERE e.account = o.id || ':credit'), 0)
    FROM organizations o;
UPDATE organizations SET paid_total =
    COALESCE((SELECT SUM(u.cost) FROM usage_rows u WHERE u.organization_id = organizations.id), 0);
INSERT INTO monthly_totals (scope_id, month, scope, settled, jobs)
    SELECT scope_id, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM'), scope, SUM(settled), SUM(jobs) FROM (
        SELECT project_id AS scope_id, 'project' AS scope, at, cost AS settled, 0 AS jobs FROM usage_rows
        UNION ALL SELECT key_id, 'key', at, cost, 0 FROM usage_rows
        UNION ALL SELECT organization_id, 'organization', at, cost, 0 FROM usage_rows
        UNION ALL SELECT project_id, 'project', created_at, 0, 1 FROM jobs
        UNION ALL SELECT key_id, 'key', created_at, 0, 1 FROM jobs
        UNION ALL SELECT organization_id, 'organization', created_at, 0, 1 FROM jobs
    ) counted GROUP BY 1, 2, 3;
INSERT INTO open_reservations (scope_id, scope, reserved)
    SELECT scope_id, scope, SUM(reserved) FROM (
        SELECT project_id AS scope_id, 'project' AS scope, reserved FROM jobs WHERE finished_at IS NULL
        UNION ALL SELECT key_id, 'key', reserved FROM jobs WHERE finished_at IS NULL
        UNION ALL SELECT organization_id, 'organization', reserved FROM jobs WHERE finished_at IS NULL
    ) counted GROUP BY 1, 2;
