-- Audit chains that must exist, what lowered a job's cap, and the true cost of calls whose answer was
-- lost.

-- All tenants' rows are looked at below.
SELECT set_config('gtm.project', '*', true);

-- Chains without an entry: the platform's, and those of organizations from before the audit log. The
-- store begins them when it is opened, each in the transaction that removes its row here. From then on
-- a chain without entries has lost them.
CREATE TABLE audit_chains_to_begin (
    chain TEXT NOT NULL PRIMARY KEY
);
INSERT INTO audit_chains_to_begin (chain)
    SELECT chain FROM (SELECT 'platform' AS chain UNION ALL SELECT id FROM organizations) required
    WHERE NOT EXISTS (SELECT 1 FROM audit_log l WHERE l.chain = required.chain)
    AND NOT EXISTS (SELECT 1 FROM audit_heads h WHERE h.chain = required.chain);

-- Whose limit, or whether the credit, left less for the job than it might cost; null if neither did.
ALTER TABLE jobs ADD COLUMN capped_by TEXT
    CHECK (capped_by IN ('key', 'project', 'organization', 'usage_tier', 'credit'));

-- A ledger transaction may correct the charge of one provider call, `step`, of an ended job.
ALTER TABLE ledger_transactions
    ADD COLUMN step BIGINT CHECK (step >= 0),
    DROP CONSTRAINT ledger_transactions_kind_check,
    DROP CONSTRAINT ledger_transactions_job_id_kind_key,
    ADD CHECK (kind IN ('reservation', 'settlement', 'grant', 'adjustment', 'reconciliation')),
    ADD CHECK ((step IS NOT NULL) = (kind = 'reconciliation'));
-- A job has one transaction of each kind, and one correction for each call.
CREATE UNIQUE INDEX ledger_transactions_of_job ON ledger_transactions (job_id, kind, COALESCE(step, -1));

CREATE INDEX cost_rows_to_reconcile ON cost_rows (job_id, seq) WHERE reconcile;
