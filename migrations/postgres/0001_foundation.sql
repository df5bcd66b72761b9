-- The schema of the first release. Times are timestamptz, money is micro-dollars, JSON and ids are
-- text, digests are `sha256:<hex>`.
-- The SQLite twin of this file declares the same tables in the same order.

CREATE TABLE key_ring_checks (
    key_id     TEXT NOT NULL PRIMARY KEY,
    kind       TEXT NOT NULL CHECK (kind IN ('master', 'pepper')),
    sealed     BYTEA NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE organizations (
    id          TEXT NOT NULL PRIMARY KEY,
    name        TEXT NOT NULL,
    created_at  TIMESTAMPTZ NOT NULL,
    archived_at TIMESTAMPTZ
);

CREATE TABLE projects (
    id              TEXT NOT NULL PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    name            TEXT NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL,
    archived_at     TIMESTAMPTZ,
    last_claimed_at TIMESTAMPTZ
);
CREATE INDEX projects_organization ON projects (organization_id);

CREATE TABLE api_keys (
    id           TEXT NOT NULL PRIMARY KEY,
    public_id    TEXT NOT NULL UNIQUE,
    project_id   TEXT NOT NULL REFERENCES projects (id),
    name         TEXT NOT NULL,
    pepper_id    TEXT NOT NULL,
    mac          BYTEA NOT NULL,
    last4        TEXT NOT NULL,
    permissions  TEXT NOT NULL,
    created_at   TIMESTAMPTZ NOT NULL,
    expires_at   TIMESTAMPTZ,
    revoked_at   TIMESTAMPTZ,
    last_used_at TIMESTAMPTZ
);
CREATE INDEX api_keys_project ON api_keys (project_id);

CREATE TABLE connections (
    id                  TEXT NOT NULL PRIMARY KEY,
    project_id          TEXT NOT NULL REFERENCES projects (id),
    organization_id     TEXT NOT NULL REFERENCES organizations (id),
    provider_key        TEXT NOT NULL,
    manifest_version    TEXT NOT NULL,
    name                TEXT NOT NULL,
    status              TEXT NOT NULL CHECK (status IN ('configured', 'disabled')),
    settings            TEXT NOT NULL,
    configured_fields   TEXT NOT NULL,
    credentials_version BIGINT NOT NULL,
    created_at          TIMESTAMPTZ NOT NULL,
    updated_at          TIMESTAMPTZ NOT NULL
);
CREATE INDEX connections_project ON connections (project_id);

CREATE TABLE connection_secrets (
    connection_id TEXT NOT NULL REFERENCES connections (id),
    field         TEXT NOT NULL,
    project_id    TEXT NOT NULL,
    version       BIGINT NOT NULL,
    master_key_id TEXT NOT NULL,
    sealed        BYTEA NOT NULL,
    PRIMARY KEY (connection_id, field)
);

CREATE TABLE bindings (
    id            TEXT NOT NULL PRIMARY KEY,
    level         TEXT NOT NULL CHECK (level IN ('platform', 'organization', 'project')),
    scope_id      TEXT NOT NULL CHECK ((scope_id = '') = (level = 'platform')),
    capability    TEXT NOT NULL,
    backend_key     TEXT,
    backend_version TEXT,
    connection_id   TEXT REFERENCES connections (id),
    settings      TEXT NOT NULL,
    created_at    TIMESTAMPTZ NOT NULL,
    updated_at    TIMESTAMPTZ NOT NULL,
    UNIQUE (level, scope_id, capability),
    CHECK ((backend_key IS NULL) <> (connection_id IS NULL))
);

CREATE TABLE plugins (
    digest        TEXT NOT NULL PRIMARY KEY,
    kind          TEXT NOT NULL,
    key           TEXT NOT NULL,
    version       TEXT NOT NULL,
    manifest      TEXT NOT NULL,
    first_seen_at TIMESTAMPTZ NOT NULL,
    last_seen_at  TIMESTAMPTZ NOT NULL
);

CREATE TABLE jobs (
    id               TEXT NOT NULL PRIMARY KEY,
    project_id       TEXT NOT NULL REFERENCES projects (id),
    organization_id  TEXT NOT NULL REFERENCES organizations (id),
    key_id           TEXT NOT NULL REFERENCES api_keys (id),
    type             TEXT NOT NULL,
    status           TEXT NOT NULL CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'canceled')),
    progress         BIGINT NOT NULL CHECK (progress BETWEEN 0 AND 100),
    input            TEXT NOT NULL,
    pins             TEXT NOT NULL,
    seed             BYTEA NOT NULL,
    result           TEXT,
    error            TEXT,
    usage            TEXT,
    reserved         BIGINT NOT NULL CHECK (reserved >= 0),
    cost_cap         BIGINT NOT NULL,
    created_at       TIMESTAMPTZ NOT NULL,
    expires_at       TIMESTAMPTZ NOT NULL,
    started_at       TIMESTAMPTZ,
    finished_at      TIMESTAMPTZ,
    cancel_requested BOOLEAN NOT NULL,
    attempts         BIGINT NOT NULL,
    fence            BIGINT NOT NULL,
    worker           TEXT,
    lease_until      TIMESTAMPTZ,
    swept_at         TIMESTAMPTZ,
    CHECK ((finished_at IS NOT NULL) = (status IN ('succeeded', 'failed', 'canceled'))),
    CHECK (status <> 'running' OR (started_at IS NOT NULL AND lease_until IS NOT NULL)),
    CHECK ((result IS NOT NULL) = (status = 'succeeded') OR swept_at IS NOT NULL),
    CHECK ((error IS NOT NULL) = (status = 'failed') OR swept_at IS NOT NULL)
);
CREATE INDEX jobs_of_project ON jobs (project_id, id);
CREATE INDEX jobs_queued ON jobs (project_id, id) WHERE status = 'queued';
CREATE INDEX jobs_running ON jobs (project_id, lease_until) WHERE status = 'running';
CREATE INDEX jobs_to_sweep ON jobs (expires_at) WHERE swept_at IS NULL;

-- The state machine (annex A17), also for whoever bypasses the repositories.
CREATE FUNCTION jobs_begin_queued() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.status <> 'queued' THEN
        RAISE EXCEPTION 'a job begins queued' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER jobs_begin_queued BEFORE INSERT ON jobs FOR EACH ROW EXECUTE FUNCTION jobs_begin_queued();

CREATE FUNCTION jobs_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.status <> OLD.status AND NOT (
        (OLD.status = 'queued' AND NEW.status IN ('running', 'canceled', 'failed'))
        OR (OLD.status = 'running' AND NEW.status IN ('succeeded', 'failed', 'canceled'))) THEN
        RAISE EXCEPTION 'this job status cannot follow the present one' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.fence < OLD.fence THEN
        RAISE EXCEPTION 'a fencing token never falls' USING ERRCODE = 'check_violation';
    END IF;
    IF OLD.finished_at IS NOT NULL AND NEW.swept_at IS NULL AND (NEW.result IS DISTINCT FROM OLD.result
        OR NEW.error IS DISTINCT FROM OLD.error OR NEW.usage IS DISTINCT FROM OLD.usage) THEN
        RAISE EXCEPTION 'the outcome of an ended job is final' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER jobs_transition BEFORE UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION jobs_transition();

CREATE TABLE idempotency (
    project_id  TEXT NOT NULL REFERENCES projects (id),
    key_hmac    BYTEA NOT NULL,
    fingerprint TEXT NOT NULL,
    job_id      TEXT NOT NULL REFERENCES jobs (id),
    status      BIGINT NOT NULL,
    headers     TEXT NOT NULL,
    body        BYTEA NOT NULL,
    expires_at  TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (project_id, key_hmac)
);
CREATE INDEX idempotency_expiry ON idempotency (expires_at);

CREATE TABLE job_steps (
    job_id        TEXT NOT NULL REFERENCES jobs (id),
    seq           BIGINT NOT NULL CHECK (seq >= 0),
    project_id    TEXT NOT NULL,
    capability    TEXT NOT NULL,
    input_digest  TEXT NOT NULL,
    connection_id TEXT,
    connector     TEXT,
    replay_safe   BOOLEAN NOT NULL,
    step_key      TEXT NOT NULL,
    state         TEXT NOT NULL CHECK (state IN ('started', 'settled', 'failed')),
    outcome       TEXT,
    outcome_blob  TEXT,
    usage         TEXT,
    attempts      BIGINT NOT NULL,
    started_at    TIMESTAMPTZ NOT NULL,
    settled_at    TIMESTAMPTZ,
    PRIMARY KEY (job_id, seq),
    UNIQUE (job_id, step_key),
    CHECK ((state = 'started') = (settled_at IS NULL)),
    CHECK ((state = 'started') = (outcome IS NULL AND outcome_blob IS NULL))
);

CREATE FUNCTION job_steps_are_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state <> 'started' THEN
        RAISE EXCEPTION 'a settled step is final' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER job_steps_are_final BEFORE UPDATE ON job_steps FOR EACH ROW EXECUTE FUNCTION job_steps_are_final();

CREATE TABLE receipts (
    id          TEXT NOT NULL PRIMARY KEY,
    job_id      TEXT NOT NULL,
    seq         BIGINT NOT NULL,
    position    BIGINT NOT NULL,
    project_id  TEXT NOT NULL,
    receipt     TEXT NOT NULL,
    body        BYTEA,
    body_blob   TEXT,
    UNIQUE (job_id, seq, position),
    FOREIGN KEY (job_id, seq) REFERENCES job_steps (job_id, seq) ON DELETE CASCADE
);

CREATE TABLE job_events (
    job_id     TEXT NOT NULL REFERENCES jobs (id),
    seq        BIGINT NOT NULL,
    ordinal    BIGINT NOT NULL,
    project_id TEXT NOT NULL,
    kind       TEXT NOT NULL,
    data       TEXT NOT NULL,
    progress   BIGINT NOT NULL,
    at         TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (job_id, seq),
    UNIQUE (job_id, ordinal)
);

-- Which job needs which blob. A blob that no row names is an orphan.
CREATE TABLE blob_references (
    digest     TEXT NOT NULL,
    job_id     TEXT NOT NULL REFERENCES jobs (id),
    project_id TEXT NOT NULL,
    PRIMARY KEY (digest, job_id)
);
CREATE INDEX blob_references_job ON blob_references (job_id);

-- Cost and usage stay when the job's data goes.
CREATE TABLE cost_rows (
    job_id             TEXT NOT NULL REFERENCES jobs (id),
    seq                BIGINT NOT NULL,
    project_id         TEXT NOT NULL,
    organization_id    TEXT NOT NULL,
    capability         TEXT NOT NULL,
    connection_id      TEXT,
    connector          TEXT,
    input_tokens       BIGINT NOT NULL,
    cached_input_tokens BIGINT NOT NULL,
    cache_write_tokens BIGINT NOT NULL,
    output_tokens      BIGINT NOT NULL,
    reasoning_tokens   BIGINT NOT NULL,
    connector_requests BIGINT NOT NULL,
    connector_bytes    BIGINT NOT NULL,
    cost               BIGINT NOT NULL,
    reconcile          BOOLEAN NOT NULL,
    at                 TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (job_id, seq)
);
CREATE INDEX cost_rows_organization ON cost_rows (organization_id, at);

CREATE TABLE usage_rows (
    job_id             TEXT NOT NULL PRIMARY KEY REFERENCES jobs (id),
    project_id         TEXT NOT NULL,
    organization_id    TEXT NOT NULL,
    key_id             TEXT NOT NULL,
    type               TEXT NOT NULL,
    status             TEXT NOT NULL,
    input_tokens       BIGINT NOT NULL,
    cached_input_tokens BIGINT NOT NULL,
    cache_write_tokens BIGINT NOT NULL,
    output_tokens      BIGINT NOT NULL,
    reasoning_tokens   BIGINT NOT NULL,
    backend_requests   BIGINT NOT NULL,
    backend_runtime_ms BIGINT NOT NULL,
    connector_requests BIGINT NOT NULL,
    connector_bytes    BIGINT NOT NULL,
    cost               BIGINT NOT NULL,
    at                 TIMESTAMPTZ NOT NULL
);
CREATE INDEX usage_rows_project ON usage_rows (project_id, at);

CREATE TABLE ledger_transactions (
    id              TEXT NOT NULL PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    project_id      TEXT NOT NULL REFERENCES projects (id),
    job_id          TEXT NOT NULL REFERENCES jobs (id),
    kind            TEXT NOT NULL CHECK (kind IN ('reservation', 'settlement')),
    at              TIMESTAMPTZ NOT NULL,
    UNIQUE (job_id, kind)
);

CREATE TABLE ledger_entries (
    transaction_id TEXT NOT NULL REFERENCES ledger_transactions (id),
    account        TEXT NOT NULL,
    project_id     TEXT NOT NULL,
    amount         BIGINT NOT NULL,
    PRIMARY KEY (transaction_id, account)
);
CREATE INDEX ledger_entries_account ON ledger_entries (account);

-- The ledger is append-only, and each of its transactions balances when it is committed.
CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger is append-only' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER ledger_transactions_stay BEFORE UPDATE OR DELETE ON ledger_transactions
    FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only();
CREATE TRIGGER ledger_entries_stay BEFORE UPDATE OR DELETE ON ledger_entries
    FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only();

CREATE FUNCTION ledger_balances() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT sum(amount) FROM ledger_entries WHERE transaction_id = NEW.transaction_id) <> 0 THEN
        RAISE EXCEPTION 'a ledger transaction sums to zero' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER ledger_balances AFTER INSERT ON ledger_entries
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_balances();

-- Row-level security says a second time what the repositories say by their types. Each transaction
-- names its project in `gtm.project`; `*` stands for worker and operator statements across projects.
-- A connection that names nothing sees nothing.
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['connections', 'connection_secrets', 'jobs', 'idempotency', 'job_steps',
        'receipts', 'job_events', 'blob_references', 'cost_rows', 'usage_rows', 'ledger_transactions',
        'ledger_entries']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY of_project ON %I USING (
            project_id = (SELECT current_setting(''gtm.project'', true))
            OR (SELECT current_setting(''gtm.project'', true)) = ''*'')', name);
    END LOOP;
END $$;
