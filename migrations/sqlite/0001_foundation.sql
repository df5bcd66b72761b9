-- The schema of the first release. Times are microseconds since the epoch in UTC, money is
-- micro-dollars, JSON and ids are text, digests are `sha256:<hex>`.
-- The PostgreSQL twin of this file declares the same tables in the same order.

CREATE TABLE key_ring_checks (
    key_id     TEXT NOT NULL PRIMARY KEY,
    kind       TEXT NOT NULL CHECK (kind IN ('master', 'pepper')),
    sealed     BLOB NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE organizations (
    id          TEXT NOT NULL PRIMARY KEY,
    name        TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    archived_at INTEGER
) STRICT;

CREATE TABLE projects (
    id              TEXT NOT NULL PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    name            TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    archived_at     INTEGER,
    last_claimed_at INTEGER
) STRICT;
CREATE INDEX projects_organization ON projects (organization_id);

CREATE TABLE api_keys (
    id           TEXT NOT NULL PRIMARY KEY,
    public_id    TEXT NOT NULL UNIQUE,
    project_id   TEXT NOT NULL REFERENCES projects (id),
    name         TEXT NOT NULL,
    pepper_id    TEXT NOT NULL,
    mac          BLOB NOT NULL,
    last4        TEXT NOT NULL,
    permissions  TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER,
    revoked_at   INTEGER,
    last_used_at INTEGER
) STRICT;
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
    credentials_version INTEGER NOT NULL,
    created_at          INTEGER NOT NULL,
    updated_at          INTEGER NOT NULL
) STRICT;
CREATE INDEX connections_project ON connections (project_id);

CREATE TABLE connection_secrets (
    connection_id TEXT NOT NULL REFERENCES connections (id),
    field         TEXT NOT NULL,
    project_id    TEXT NOT NULL,
    version       INTEGER NOT NULL,
    master_key_id TEXT NOT NULL,
    sealed        BLOB NOT NULL,
    PRIMARY KEY (connection_id, field)
) STRICT;

CREATE TABLE bindings (
    id            TEXT NOT NULL PRIMARY KEY,
    level         TEXT NOT NULL CHECK (level IN ('platform', 'organization', 'project')),
    scope_id      TEXT NOT NULL CHECK ((scope_id = '') = (level = 'platform')),
    capability    TEXT NOT NULL,
    backend_key     TEXT,
    backend_version TEXT,
    connection_id   TEXT REFERENCES connections (id),
    settings      TEXT NOT NULL,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    UNIQUE (level, scope_id, capability),
    CHECK ((backend_key IS NULL) <> (connection_id IS NULL))
) STRICT;

CREATE TABLE plugins (
    digest        TEXT NOT NULL PRIMARY KEY,
    kind          TEXT NOT NULL,
    key           TEXT NOT NULL,
    version       TEXT NOT NULL,
    manifest      TEXT NOT NULL,
    first_seen_at INTEGER NOT NULL,
    last_seen_at  INTEGER NOT NULL
) STRICT;

CREATE TABLE jobs (
    id               TEXT NOT NULL PRIMARY KEY,
    project_id       TEXT NOT NULL REFERENCES projects (id),
    organization_id  TEXT NOT NULL REFERENCES organizations (id),
    key_id           TEXT NOT NULL REFERENCES api_keys (id),
    type             TEXT NOT NULL,
    status           TEXT NOT NULL CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'canceled')),
    progress         INTEGER NOT NULL CHECK (progress BETWEEN 0 AND 100),
    input            TEXT NOT NULL,
    pins             TEXT NOT NULL,
    seed             BLOB NOT NULL,
    result           TEXT,
    error            TEXT,
    usage            TEXT,
    reserved         INTEGER NOT NULL CHECK (reserved >= 0),
    cost_cap         INTEGER NOT NULL,
    created_at       INTEGER NOT NULL,
    expires_at       INTEGER NOT NULL,
    started_at       INTEGER,
    finished_at      INTEGER,
    cancel_requested INTEGER NOT NULL CHECK (cancel_requested IN (0, 1)),
    attempts         INTEGER NOT NULL,
    fence            INTEGER NOT NULL,
    worker           TEXT,
    lease_until      INTEGER,
    swept_at         INTEGER,
    CHECK ((finished_at IS NOT NULL) = (status IN ('succeeded', 'failed', 'canceled'))),
    CHECK (status <> 'running' OR (started_at IS NOT NULL AND lease_until IS NOT NULL)),
    CHECK ((result IS NOT NULL) = (status = 'succeeded') OR swept_at IS NOT NULL),
    CHECK ((error IS NOT NULL) = (status = 'failed') OR swept_at IS NOT NULL)
) STRICT;
CREATE INDEX jobs_of_project ON jobs (project_id, id);
CREATE INDEX jobs_queued ON jobs (project_id, id) WHERE status = 'queued';
CREATE INDEX jobs_running ON jobs (project_id, lease_until) WHERE status = 'running';
CREATE INDEX jobs_to_sweep ON jobs (expires_at) WHERE swept_at IS NULL;

-- The state machine (annex A17), also for whoever bypasses the repositories.
CREATE TRIGGER jobs_begin_queued BEFORE INSERT ON jobs WHEN NEW.status <> 'queued'
BEGIN SELECT RAISE(ABORT, 'a job begins queued'); END;
CREATE TRIGGER jobs_transition BEFORE UPDATE ON jobs
WHEN NEW.status <> OLD.status AND NOT (
    (OLD.status = 'queued' AND NEW.status IN ('running', 'canceled', 'failed'))
    OR (OLD.status = 'running' AND NEW.status IN ('succeeded', 'failed', 'canceled')))
BEGIN SELECT RAISE(ABORT, 'this job status cannot follow the present one'); END;
CREATE TRIGGER jobs_fence BEFORE UPDATE ON jobs WHEN NEW.fence < OLD.fence
BEGIN SELECT RAISE(ABORT, 'a fencing token never falls'); END;
CREATE TRIGGER jobs_outcome_is_final BEFORE UPDATE ON jobs
WHEN OLD.finished_at IS NOT NULL AND NEW.swept_at IS NULL
    AND (NEW.result IS NOT OLD.result OR NEW.error IS NOT OLD.error OR NEW.usage IS NOT OLD.usage)
BEGIN SELECT RAISE(ABORT, 'the outcome of an ended job is final'); END;

CREATE TABLE idempotency (
    project_id  TEXT NOT NULL REFERENCES projects (id),
    key_hmac    BLOB NOT NULL,
    fingerprint TEXT NOT NULL,
    job_id      TEXT NOT NULL REFERENCES jobs (id),
    status      INTEGER NOT NULL,
    headers     TEXT NOT NULL,
    body        BLOB NOT NULL,
    expires_at  INTEGER NOT NULL,
    PRIMARY KEY (project_id, key_hmac)
) STRICT;
CREATE INDEX idempotency_expiry ON idempotency (expires_at);

CREATE TABLE job_steps (
    job_id        TEXT NOT NULL REFERENCES jobs (id),
    seq           INTEGER NOT NULL CHECK (seq >= 0),
    project_id    TEXT NOT NULL,
    capability    TEXT NOT NULL,
    input_digest  TEXT NOT NULL,
    connection_id TEXT,
    connector     TEXT,
    replay_safe   INTEGER NOT NULL CHECK (replay_safe IN (0, 1)),
    step_key      TEXT NOT NULL,
    state         TEXT NOT NULL CHECK (state IN ('started', 'settled', 'failed')),
    outcome       TEXT,
    outcome_blob  TEXT,
    usage         TEXT,
    attempts      INTEGER NOT NULL,
    started_at    INTEGER NOT NULL,
    settled_at    INTEGER,
    PRIMARY KEY (job_id, seq),
    UNIQUE (job_id, step_key),
    CHECK ((state = 'started') = (settled_at IS NULL)),
    CHECK ((state = 'started') = (outcome IS NULL AND outcome_blob IS NULL))
) STRICT;
CREATE TRIGGER job_steps_are_final BEFORE UPDATE ON job_steps WHEN OLD.state <> 'started'
BEGIN SELECT RAISE(ABORT, 'a settled step is final'); END;

CREATE TABLE receipts (
    id          TEXT NOT NULL PRIMARY KEY,
    job_id      TEXT NOT NULL,
    seq         INTEGER NOT NULL,
    position    INTEGER NOT NULL,
    project_id  TEXT NOT NULL,
    receipt     TEXT NOT NULL,
    body        BLOB,
    body_blob   TEXT,
    UNIQUE (job_id, seq, position),
    FOREIGN KEY (job_id, seq) REFERENCES job_steps (job_id, seq) ON DELETE CASCADE
) STRICT;

CREATE TABLE job_events (
    job_id     TEXT NOT NULL REFERENCES jobs (id),
    seq        INTEGER NOT NULL,
    ordinal    INTEGER NOT NULL,
    project_id TEXT NOT NULL,
    kind       TEXT NOT NULL,
    data       TEXT NOT NULL,
    progress   INTEGER NOT NULL,
    at         INTEGER NOT NULL,
    PRIMARY KEY (job_id, seq),
    UNIQUE (job_id, ordinal)
) STRICT;

-- Which job needs which blob. A blob that no row names is an orphan.
CREATE TABLE blob_references (
    digest     TEXT NOT NULL,
    job_id     TEXT NOT NULL REFERENCES jobs (id),
    project_id TEXT NOT NULL,
    PRIMARY KEY (digest, job_id)
) STRICT;
CREATE INDEX blob_references_job ON blob_references (job_id);

-- Cost and usage stay when the job's data goes.
CREATE TABLE cost_rows (
    job_id             TEXT NOT NULL REFERENCES jobs (id),
    seq                INTEGER NOT NULL,
    project_id         TEXT NOT NULL,
    organization_id    TEXT NOT NULL,
    capability         TEXT NOT NULL,
    connection_id      TEXT,
    connector          TEXT,
    input_tokens       INTEGER NOT NULL,
    cached_input_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    output_tokens      INTEGER NOT NULL,
    reasoning_tokens   INTEGER NOT NULL,
    connector_requests INTEGER NOT NULL,
    connector_bytes    INTEGER NOT NULL,
    cost               INTEGER NOT NULL,
    reconcile          INTEGER NOT NULL CHECK (reconcile IN (0, 1)),
    at                 INTEGER NOT NULL,
    PRIMARY KEY (job_id, seq)
) STRICT;
CREATE INDEX cost_rows_organization ON cost_rows (organization_id, at);

CREATE TABLE usage_rows (
    job_id             TEXT NOT NULL PRIMARY KEY REFERENCES jobs (id),
    project_id         TEXT NOT NULL,
    organization_id    TEXT NOT NULL,
    key_id             TEXT NOT NULL,
    type               TEXT NOT NULL,
    status             TEXT NOT NULL,
    input_tokens       INTEGER NOT NULL,
    cached_input_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    output_tokens      INTEGER NOT NULL,
    reasoning_tokens   INTEGER NOT NULL,
    backend_requests   INTEGER NOT NULL,
    backend_runtime_ms INTEGER NOT NULL,
    connector_requests INTEGER NOT NULL,
    connector_bytes    INTEGER NOT NULL,
    cost               INTEGER NOT NULL,
    at                 INTEGER NOT NULL
) STRICT;
CREATE INDEX usage_rows_project ON usage_rows (project_id, at);

CREATE TABLE ledger_transactions (
    id              TEXT NOT NULL PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    project_id      TEXT NOT NULL REFERENCES projects (id),
    job_id          TEXT NOT NULL REFERENCES jobs (id),
    kind            TEXT NOT NULL CHECK (kind IN ('reservation', 'settlement')),
    at              INTEGER NOT NULL,
    UNIQUE (job_id, kind)
) STRICT;

CREATE TABLE ledger_entries (
    transaction_id TEXT NOT NULL REFERENCES ledger_transactions (id),
    account        TEXT NOT NULL,
    project_id     TEXT NOT NULL,
    amount         INTEGER NOT NULL,
    PRIMARY KEY (transaction_id, account)
) STRICT;
CREATE INDEX ledger_entries_account ON ledger_entries (account);

-- The ledger is append-only.
CREATE TRIGGER ledger_transactions_stay BEFORE UPDATE ON ledger_transactions
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_transactions_remain BEFORE DELETE ON ledger_transactions
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_entries_stay BEFORE UPDATE ON ledger_entries
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_entries_remain BEFORE DELETE ON ledger_entries
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
