-- Audit chains that must exist, what lowered a job's cap, and the true cost of calls whose answer was
-- lost.

-- Chains without an entry: the platform's, and those of organizations from before the audit log. The
-- store begins them when it is opened, each in the transaction that removes its row here. From then on
-- a chain without entries has lost them.
CREATE TABLE audit_chains_to_begin (
    chain TEXT NOT NULL PRIMARY KEY
) STRICT;
INSERT INTO audit_chains_to_begin (chain)
    SELECT chain FROM (SELECT 'platform' AS chain UNION ALL SELECT id FROM organizations) required
    WHERE NOT EXISTS (SELECT 1 FROM audit_log l WHERE l.chain = required.chain)
    AND NOT EXISTS (SELECT 1 FROM audit_heads h WHERE h.chain = required.chain);

-- Whose limit, or whether the credit, left less for the job than it might cost; null if neither did.
ALTER TABLE jobs ADD COLUMN capped_by TEXT
    CHECK (capped_by IN ('key', 'project', 'organization', 'usage_tier', 'credit'));

-- A ledger transaction may correct the charge of one provider call, `step`, of an ended job. SQLite
-- cannot change a constraint, so the two tables are made anew.
CREATE TABLE ledger_transactions_wider (
    id              TEXT NOT NULL PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    project_id      TEXT REFERENCES projects (id),
    job_id          TEXT REFERENCES jobs (id),
    kind            TEXT NOT NULL
        CHECK (kind IN ('reservation', 'settlement', 'grant', 'adjustment', 'reconciliation')),
    step            INTEGER CHECK (step >= 0),
    at              INTEGER NOT NULL,
    note            TEXT,
    CHECK ((job_id IS NULL) = (kind IN ('grant', 'adjustment'))),
    CHECK ((project_id IS NULL) = (job_id IS NULL)),
    CHECK ((step IS NOT NULL) = (kind = 'reconciliation'))
) STRICT;
INSERT INTO ledger_transactions_wider (id, organization_id, project_id, job_id, kind, at, note)
    SELECT id, organization_id, project_id, job_id, kind, at, note FROM ledger_transactions;

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
-- A job has one transaction of each kind, and one correction for each call.
CREATE UNIQUE INDEX ledger_transactions_of_job ON ledger_transactions (job_id, kind, COALESCE(step, -1));

CREATE TRIGGER ledger_transactions_stay BEFORE UPDATE ON ledger_transactions
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_transactions_remain BEFORE DELETE ON ledger_transactions
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_entries_stay BEFORE UPDATE ON ledger_entries
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_entries_remain BEFORE DELETE ON ledger_entries
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE INDEX cost_rows_to_reconcile ON cost_rows (job_id, seq) WHERE reconcile;
