-- What an organization stands for with the platform (how it pays, what it has paid, which usage tier
-- an operator gave it), and the audit log.

ALTER TABLE organizations ADD COLUMN billing TEXT NOT NULL DEFAULT 'prepaid' CHECK (billing IN ('prepaid', 'postpaid'));
-- Micro-dollars that jobs of the organization were charged since it exists.
ALTER TABLE organizations ADD COLUMN paid_total INTEGER NOT NULL DEFAULT 0;
-- Key of a usage tier that holds whatever was paid; null for the tier that the organization grew into.
ALTER TABLE organizations ADD COLUMN tier TEXT;

-- One hash chain for each organization, and one, `platform`, for what belongs to none.
CREATE TABLE audit_log (
    chain           TEXT NOT NULL,
    seq             INTEGER NOT NULL CHECK (seq > 0),
    id              TEXT NOT NULL UNIQUE,
    at              INTEGER NOT NULL,
    actor_kind      TEXT NOT NULL CHECK (actor_kind IN ('user', 'key', 'operator', 'system')),
    actor_id        TEXT NOT NULL,
    action          TEXT NOT NULL,
    resource_kind   TEXT NOT NULL,
    resource_id     TEXT NOT NULL,
    organization_id TEXT,
    project_id      TEXT,
    request_id      TEXT,
    ip_hash         TEXT,
    before_hash     TEXT,
    after_hash      TEXT,
    prev_hash       TEXT NOT NULL,
    hash            TEXT NOT NULL,
    PRIMARY KEY (chain, seq)
) STRICT;
CREATE INDEX audit_log_at ON audit_log (at);

-- The last entry of each chain, so that one cut off at its end is noticed.
CREATE TABLE audit_heads (
    chain TEXT NOT NULL PRIMARY KEY,
    seq   INTEGER NOT NULL,
    hash  TEXT NOT NULL
) STRICT;

CREATE TRIGGER audit_log_stays BEFORE UPDATE ON audit_log
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_log_remains BEFORE DELETE ON audit_log
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_heads_grow BEFORE UPDATE ON audit_heads WHEN NEW.seq <= OLD.seq
BEGIN SELECT RAISE(ABORT, 'an audit chain only grows'); END;
CREATE TRIGGER audit_heads_remain BEFORE DELETE ON audit_heads
BEGIN SELECT RAISE(ABORT, 'an audit chain only grows'); END;
