-- Who must not be written to, and which policies may be used. Whom a row names is a keyed HMAC; no row expires.

-- The outcome ledger of a project: append-only, each entry chained to the one before.
CREATE TABLE outcome_ledger (
    project_id   TEXT NOT NULL REFERENCES projects (id),
    environment  TEXT NOT NULL CHECK (environment IN ('production', 'staging', 'development')),
    sequence     INTEGER NOT NULL CHECK (sequence > 0),
    kind         TEXT NOT NULL CHECK (kind IN
        ('unsubscribe', 'objection', 'complaint', 'do_not_contact', 'hard_bounce', 'soft_bounce')),
    subject_type TEXT NOT NULL CHECK (subject_type IN ('address', 'domain', 'person')),
    subject_hmac TEXT NOT NULL CHECK (length(subject_hmac) = 76),
    occurred_at  INTEGER NOT NULL,
    source       TEXT NOT NULL,
    recorded_at  INTEGER NOT NULL,
    prev_hash    TEXT NOT NULL,
    hash         TEXT NOT NULL,
    PRIMARY KEY (project_id, environment, sequence)
) STRICT;
CREATE INDEX outcome_ledger_by_subject ON outcome_ledger (project_id, environment, subject_type, subject_hmac);

-- The last entry of each ledger.
CREATE TABLE outcome_ledger_heads (
    project_id  TEXT NOT NULL REFERENCES projects (id),
    environment TEXT NOT NULL CHECK (environment IN ('production', 'staging', 'development')),
    sequence    INTEGER NOT NULL CHECK (sequence >= 0),
    hash        TEXT NOT NULL,
    PRIMARY KEY (project_id, environment)
) STRICT;

CREATE TRIGGER outcome_ledger_follows BEFORE INSERT ON outcome_ledger
WHEN NOT EXISTS (SELECT 1 FROM outcome_ledger_heads h WHERE h.project_id = NEW.project_id
        AND h.environment = NEW.environment AND h.sequence + 1 = NEW.sequence AND h.hash = NEW.prev_hash)
    OR NEW.environment <> (SELECT environment FROM projects WHERE id = NEW.project_id)
BEGIN SELECT RAISE(ABORT, 'an entry follows the last one of its ledger'); END;
CREATE TRIGGER outcome_ledger_advances AFTER INSERT ON outcome_ledger
BEGIN
    UPDATE outcome_ledger_heads SET sequence = NEW.sequence, hash = NEW.hash
        WHERE project_id = NEW.project_id AND environment = NEW.environment;
END;
CREATE TRIGGER outcome_ledger_stays BEFORE UPDATE ON outcome_ledger
BEGIN SELECT RAISE(ABORT, 'the outcome ledger is append-only'); END;
CREATE TRIGGER outcome_ledger_remains BEFORE DELETE ON outcome_ledger
BEGIN SELECT RAISE(ABORT, 'the outcome ledger is append-only'); END;
CREATE TRIGGER outcome_ledger_heads_advance BEFORE UPDATE ON outcome_ledger_heads
WHEN NEW.project_id <> OLD.project_id OR NEW.environment <> OLD.environment OR NEW.sequence <> OLD.sequence + 1
BEGIN SELECT RAISE(ABORT, 'the head of an outcome ledger only advances'); END;
CREATE TRIGGER outcome_ledger_heads_remain BEFORE DELETE ON outcome_ledger_heads
BEGIN SELECT RAISE(ABORT, 'the head of an outcome ledger only advances'); END;

-- Whom nobody on this platform writes to, by the operator's word.
CREATE TABLE do_not_contact (
    subject_type TEXT NOT NULL CHECK (subject_type IN ('address', 'domain', 'person')),
    subject_hmac TEXT NOT NULL CHECK (length(subject_hmac) = 76),
    source       TEXT NOT NULL,
    added_by     TEXT NOT NULL,
    added_at     INTEGER NOT NULL,
    PRIMARY KEY (subject_type, subject_hmac)
) STRICT;
CREATE TRIGGER do_not_contact_stays BEFORE UPDATE ON do_not_contact
BEGIN SELECT RAISE(ABORT, 'the list of whom nobody writes to is append-only'); END;
CREATE TRIGGER do_not_contact_remains BEFORE DELETE ON do_not_contact
BEGIN SELECT RAISE(ABORT, 'the list of whom nobody writes to is append-only'); END;

-- The policies that messages to real people may be written under, each with the component that answers for it.
CREATE TABLE policy_allow_list (
    policy_ref        TEXT NOT NULL,
    policy_version    TEXT NOT NULL,
    evaluator         TEXT NOT NULL,
    evaluator_version TEXT NOT NULL,
    component         TEXT NOT NULL,
    allowed_by        TEXT NOT NULL,
    allowed_at        INTEGER NOT NULL,
    revoked_at        INTEGER CHECK (revoked_at >= allowed_at),
    PRIMARY KEY (policy_ref, policy_version, allowed_at)
) STRICT;
CREATE UNIQUE INDEX policy_allow_list_in_use ON policy_allow_list (policy_ref, policy_version) WHERE revoked_at IS NULL;
CREATE TRIGGER policy_allow_list_stays BEFORE UPDATE ON policy_allow_list
WHEN OLD.revoked_at IS NOT NULL OR NEW.policy_ref <> OLD.policy_ref OR NEW.policy_version <> OLD.policy_version
    OR NEW.evaluator <> OLD.evaluator OR NEW.evaluator_version <> OLD.evaluator_version
    OR NEW.component <> OLD.component OR NEW.allowed_by <> OLD.allowed_by OR NEW.allowed_at <> OLD.allowed_at
BEGIN SELECT RAISE(ABORT, 'an allowed policy is only ever revoked'); END;
CREATE TRIGGER policy_allow_list_remains BEFORE DELETE ON policy_allow_list
BEGIN SELECT RAISE(ABORT, 'an allowed policy is only ever revoked'); END;
