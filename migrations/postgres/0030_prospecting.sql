-- What messages of a project are for. Set when the project is made: its outcome ledger belongs to it.
ALTER TABLE projects ADD COLUMN environment TEXT NOT NULL DEFAULT 'production'
    CHECK (environment IN ('production', 'staging', 'development'));
CREATE FUNCTION projects_keep_their_environment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a project keeps its environment' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER projects_keep_their_environment BEFORE UPDATE ON projects FOR EACH ROW
    WHEN (NEW.environment <> OLD.environment) EXECUTE FUNCTION projects_keep_their_environment();

-- Candidates of prospecting jobs. They go with the job's data.
CREATE TABLE prospects (
    id             TEXT NOT NULL PRIMARY KEY,
    job_id         TEXT NOT NULL REFERENCES jobs (id),
    project_id     TEXT NOT NULL REFERENCES projects (id),
    position       BIGINT NOT NULL CHECK (position >= 0),
    -- What answers show of it, as JSON: no evidence, and no address in clear.
    candidate      TEXT NOT NULL,
    -- The address, sealed under this master key.
    master_key_id  TEXT NOT NULL,
    sealed_address BYTEA NOT NULL,
    created_at     TIMESTAMPTZ NOT NULL,
    expires_at     TIMESTAMPTZ NOT NULL CHECK (expires_at > created_at),
    UNIQUE (job_id, position)
);
CREATE INDEX prospects_of_job ON prospects (job_id, id);
CREATE FUNCTION prospects_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- Only a new master key changes a row.
    IF TG_OP = 'UPDATE' AND (NEW.id <> OLD.id OR NEW.job_id <> OLD.job_id OR NEW.project_id <> OLD.project_id
        OR NEW.position <> OLD.position OR NEW.candidate <> OLD.candidate OR NEW.created_at <> OLD.created_at
        OR NEW.expires_at <> OLD.expires_at) THEN
        RAISE EXCEPTION 'a candidate is immutable' USING ERRCODE = 'check_violation';
    END IF;
    IF TG_OP = 'INSERT' AND NEW.expires_at > (SELECT expires_at FROM jobs WHERE id = NEW.job_id) THEN
        RAISE EXCEPTION 'a candidate expires with its job at the latest' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER prospects_stay BEFORE INSERT OR UPDATE ON prospects FOR EACH ROW EXECUTE FUNCTION prospects_stay();

-- Keyed HMACs of the candidate's address, of its domains and of the person: what the outcome ledger is asked for.
CREATE TABLE prospect_subjects (
    prospect_id  TEXT NOT NULL REFERENCES prospects (id) ON DELETE CASCADE,
    project_id   TEXT NOT NULL REFERENCES projects (id),
    subject_type TEXT NOT NULL CHECK (subject_type IN ('address', 'domain', 'person')),
    subject_hmac TEXT NOT NULL CHECK (length(subject_hmac) = 76),
    PRIMARY KEY (prospect_id, subject_type, subject_hmac)
);
CREATE INDEX prospect_subjects_by_hmac ON prospect_subjects (subject_type, subject_hmac);
CREATE FUNCTION prospect_records_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'what is retained for a candidate is immutable' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER prospect_subjects_stay BEFORE UPDATE ON prospect_subjects
    FOR EACH ROW EXECUTE FUNCTION prospect_records_stay();

-- The evidence that is retained for a candidate.
CREATE TABLE prospect_evidence (
    id          TEXT NOT NULL PRIMARY KEY,
    prospect_id TEXT NOT NULL REFERENCES prospects (id) ON DELETE CASCADE,
    project_id  TEXT NOT NULL REFERENCES projects (id),
    position    BIGINT NOT NULL CHECK (position >= 0),
    kind        TEXT NOT NULL CHECK (kind IN
        ('address_provenance', 'lawful_basis', 'company_fact', 'personalization', 'consent_record')),
    -- The whole record, as JSON.
    record      TEXT NOT NULL,
    UNIQUE (prospect_id, position)
);
CREATE TRIGGER prospect_evidence_stays BEFORE UPDATE ON prospect_evidence
    FOR EACH ROW EXECUTE FUNCTION prospect_records_stay();

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['prospects', 'prospect_subjects', 'prospect_evidence']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY of_project ON %I USING (
            project_id = (SELECT current_setting(''gtm.project'', true))
            OR (SELECT current_setting(''gtm.project'', true)) = ''*'')', name);
    END LOOP;
END $$;
