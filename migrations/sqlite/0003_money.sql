-- Credits, limits and the sums that they are checked against (architecture §9). What can be counted
-- again from ledger, usage rows and jobs is; `gtm ledger verify` does.

-- A ledger transaction that gives or takes credit belongs to an organization alone. SQLite cannot
-- lift NOT NULL from a column, so the two tables are made anew.
CREATE TABLE ledger_transactions_wider (
    id              TEXT NOT NULL PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    project_id      TEXT REFERENCES projects (id),
    job_id          TEXT REFERENCES jobs (id),
    kind            TEXT NOT NULL CHECK (kind IN ('reservation', 'settlement', 'grant', 'adjustment')),
    at              INTEGER NOT NULL,
    note            TEXT,
    UNIQUE (job_id, kind),
    CHECK ((job_id IS NULL) = (kind IN ('grant', 'adjustment'))),
    CHECK ((project_id IS NULL) = (job_id IS NULL))
) STRICT;
INSERT INTO ledger_transactions_wider (id, organization_id, project_id, job_id, kind, at)
    SELECT id, organization_id, project_id, job_id, kind, at FROM ledger_transactions;

CREATE TABLE ledger_entries_wider (
    transaction_id TEXT NOT NULL REFERENCES ledger_transactions_wider (id),
    account        TEXT NOT NULL,
    project_id     TEXT,
    amount         INTEGER NOT NULL,
    PRIMARY KEY (transaction_id, account)
) STRICT;
INSERT INTO ledger_entries_wider (transaction_id, account, project_id, amount)
    SELECT transaction_id, account, project_id, amount FROM ledger_entries;

DROP TABLE ledger_entries;
DROP TABLE ledger_transactions;
-- Renaming the parent renames it in the child's foreign key too.
ALTER TABLE ledger_transactions_wider RENAME TO ledger_transactions;
ALTER TABLE ledger_entries_wider RENAME TO ledger_entries;
CREATE INDEX ledger_entries_account ON ledger_entries (account);
CREATE INDEX ledger_transactions_credit ON ledger_transactions (organization_id, id) WHERE job_id IS NULL;

CREATE TRIGGER ledger_transactions_stay BEFORE UPDATE ON ledger_transactions
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_transactions_remain BEFORE DELETE ON ledger_transactions
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_entries_stay BEFORE UPDATE ON ledger_entries
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_entries_remain BEFORE DELETE ON ledger_entries
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

-- The most that a provider call may cost, as it was reckoned when the call was begun.
ALTER TABLE job_steps ADD COLUMN ceiling INTEGER NOT NULL DEFAULT 0 CHECK (ceiling >= 0);

-- Monthly limits that an operator set: micro-dollars or jobs.
CREATE TABLE limits (
    scope_id TEXT NOT NULL,
    scope    TEXT NOT NULL CHECK (scope IN ('project', 'key', 'organization')),
    metric   TEXT NOT NULL CHECK (metric IN ('monthly_budget', 'monthly_jobs')),
    value    INTEGER NOT NULL CHECK (value >= 0),
    set_at   INTEGER NOT NULL,
    PRIMARY KEY (scope_id, metric)
) STRICT;

-- Spendable credit: the sum of the organization's credit account. Whoever moves money of an
-- organization holds its row here first.
CREATE TABLE credit_balances (
    organization_id TEXT NOT NULL PRIMARY KEY REFERENCES organizations (id),
    balance         INTEGER NOT NULL
) STRICT;

-- What a project, a key or an organization was charged, and how many jobs it created, in a UTC month
-- (`YYYY-MM`).
CREATE TABLE monthly_totals (
    scope_id TEXT NOT NULL,
    month    TEXT NOT NULL,
    scope    TEXT NOT NULL CHECK (scope IN ('project', 'key', 'organization')),
    settled  INTEGER NOT NULL,
    jobs     INTEGER NOT NULL,
    PRIMARY KEY (scope_id, month)
) STRICT;

-- What is set aside for jobs that have not ended. Of no month: it counts wherever the jobs end.
CREATE TABLE open_reservations (
    scope_id TEXT NOT NULL PRIMARY KEY,
    scope    TEXT NOT NULL CHECK (scope IN ('project', 'key', 'organization')),
    reserved INTEGER NOT NULL CHECK (reserved >= 0)
) STRICT;

-- Count what is there already.
INSERT INTO credit_balances (organization_id, balance)
    SELECT o.id, COALESCE((SELECT SUM(e.amount) FROM ledger_entries e WHERE e.account = o.id || ':credit'), 0)
    FROM organizations o;
UPDATE organizations SET paid_total =
    COALESCE((SELECT SUM(u.cost) FROM usage_rows u WHERE u.organization_id = organizations.id), 0);
INSERT INTO monthly_totals (scope_id, month, scope, settled, jobs)
    SELECT scope_id, strftime('%Y-%m', at / 1000000, 'unixepoch'), scope, SUM(settled), SUM(jobs) FROM (
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
