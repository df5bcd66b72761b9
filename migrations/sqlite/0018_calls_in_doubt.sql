-- What a call that awaits reconciliation may cost beyond what it was charged. It is kept from the job's
-- cap, and from budgets and credit, until the job ends. Calls settled before count as they did.
ALTER TABLE cost_rows ADD COLUMN held INTEGER NOT NULL DEFAULT 0 CHECK (held >= 0);

-- What the calls of a job have taken beyond its reservation, and the same of all open jobs of a scope. A job
-- that is open now is counted from its next call on.
ALTER TABLE jobs ADD COLUMN over_reserved INTEGER NOT NULL DEFAULT 0 CHECK (over_reserved >= 0);
ALTER TABLE open_reservations ADD COLUMN over_reserved INTEGER NOT NULL DEFAULT 0 CHECK (over_reserved >= 0);
