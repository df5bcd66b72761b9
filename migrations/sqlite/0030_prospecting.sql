-- What messages of a project are for. Set when the project is made: its outcome ledger belongs to it.
ALTER TABLE projects ADD COLUMN environment TEXT NOT NULL DEFAULT 'production'
    CHECK (environment IN ('production', 'staging', 'development'));
CREATE TRIGGER projects_keep_their_environment BEFORE UPDATE ON projects WHEN NEW.environment <> OLD.environment
BEGIN SELECT RAISE(ABORT, 'a project keeps its environment'); END;

-- Candidates of prospecting jobs. They go with the job's data.
CREATE TABLE prospects (
    id             TEXT NOT NULL PRIMARY KEY,
    job_id         TEXT NOT NULL REFERENCES jobs (id),
    project_id     TEXT NOT NULL REFERENCES projects (id),
    position       INTEGER NOT NULL CHECK (position >= 0),
    -- What answers show of it, as JSON: no evidence, and no address in clear.
    candidate      TEXT NOT NULL,
    -- The address, sealed under this master key.
    master_key_id  TEXT NOT NULL,
    sealed_address BLOB NOT NULL,
    created_at     INTEGER NOT NULL,
    expires_at     INTEGER NOT NULL CHECK (expires_at > created_at),
    UNIQUE (job_id, position)
) STRICT;
CREATE INDEX prospects_of_job ON prospects (job_id, id);
-- Only a new master key changes a row.
CREATE TRIGGER prospects_stay BEFORE UPDATE ON prospects
WHEN NEW.id <> OLD.id OR NEW.job_id <> OLD.job_id OR NEW.project_id <> OLD.project_id OR NEW.position <> OLD.position
    OR NEW.candidate <> OLD.candidate OR NEW.created_at <> OLD.created_at OR NEW.expires_at <> OLD.expires_at
BEGIN SELECT RAISE(ABORT, 'a candidate is immutable'); END;
CREATE TRIGGER prospects_outlive_no_job BEFORE INSERT ON prospects
WHEN NEW.expires_at > (SELECT expires_at FROM jobs WHERE id = NEW.job_id)
BEGIN SELECT RAISE(ABORT, 'a candidate expires with its job at the latest'); END;

-- Keyed HMACs of the candidate's address, of its domains and of the person: what the outcome ledger is asked for.
CREATE TABLE prospect_subjects (
    prospect_id  TEXT NOT NULL REFERENCES prospects (id) ON DELETE CASCADE,
    project_id   TEXT NOT NULL REFERENCES projects (id),
    subject_type TEXT NOT NULL CHECK (subject_type IN ('address', 'domain', 'person')),
    subject_hmac TEXT NOT NULL CHECK (length(subject_hmac) = 76),
    PRIMARY KEY (prospect_id, subject_type, subject_hmac)
) STRICT;
CREATE INDEX prospect_subjects_by_hmac ON prospect_subjects (subject_type, subject_hmac);
CREATE TRIGGER prospect_subjects_stay BEFORE UPDATE ON prospect_subjects
BEGIN SELECT RAISE(ABORT, 'a candidate is immutable'); END;

-- The evidence that is retained for a candidate.
CREATE TABLE prospect_evidence (
    id          TEXT NOT NULL PRIMARY KEY,
    prospect_id TEXT NOT NULL REFERENCES prospects (id) ON DELETE CASCADE,
    project_id  TEXT NOT NULL REFERENCES projects (id),
    position    INTEGER NOT NULL CHECK (position >= 0),
    kind        TEXT NOT NULL CHECK (kind IN
        ('address_provenance', 'lawful_basis', 'company_fact', 'personalization', 'consent_record')),
    -- The whole record, as JSON.
    record      TEXT NOT NULL,
    UNIQUE (prospect_id, position)
) STRICT;
CREATE TRIGGER prospect_evidence_stays BEFORE UPDATE ON prospect_evidence
BEGIN SELECT RAISE(ABORT, 'an evidence record is immutable'); END;
