-- Who must not be written to, and which policies may be used. Whom a row names is a keyed HMAC; no row expires.

-- The outcome ledger of a project: append-only, each entry chained to the one before.
CREATE TABLE outcome_ledger (
    project_id   TEXT NOT NULL REFERENCES projects (id),
    environment  TEXT NOT NULL CHECK (environment IN ('production', 'staging', 'development')),
    sequence     BIGINT NOT NULL CHECK (sequence > 0),
    kind         TEXT NOT NULL CHECK (kind IN
        ('unsubscribe', 'objection', 'complaint', 'do_not_contact', 'hard_bounce', 'soft_bounce')),
    subject_type TEXT NOT NULL CHECK (subject_type IN ('address', 'domain', 'person')),
    subject_hmac TEXT NOT NULL CHECK (length(subject_hmac) = 76),
    occurred_at  TIMESTAMPTZ NOT NULL,
    source       TEXT NOT NULL,
    recorded_at  TIMESTAMPTZ NOT NULL,
    prev_hash    TEXT NOT NULL,
    hash         TEXT NOT NULL,
    PRIMARY KEY (project_id, environment, sequence)
);
CREATE INDEX outcome_ledger_by_subject ON outcome_ledger (project_id, environment, subject_type, subject_hmac);

-- The last entry of each ledger.
CREATE TABLE outcome_ledger_heads (
    project_id  TEXT NOT NULL REFERENCES projects (id),
    environment TEXT NOT NULL CHECK (environment IN ('production', 'staging', 'development')),
    sequence    BIGINT NOT NULL CHECK (sequence >= 0),
    hash        TEXT NOT NULL,
    PRIMARY KEY (project_id, environment)
);

CREATE FUNCTION outcome_ledger_follows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.environment <> (SELECT environment FROM projects WHERE id = NEW.project_id) THEN
        RAISE EXCEPTION 'an entry follows the last one of its ledger' USING ERRCODE = 'check_violation';
    END IF;
    UPDATE outcome_ledger_heads SET sequence = NEW.sequence, hash = NEW.hash
        WHERE project_id = NEW.project_id AND environment = NEW.environment
        AND sequence + 1 = NEW.sequence AND hash = NEW.prev_hash;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'an entry follows the last one of its ledger' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER outcome_ledger_follows BEFORE INSERT ON outcome_ledger
    FOR EACH ROW EXECUTE FUNCTION outcome_ledger_follows();

CREATE FUNCTION outcome_ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER outcome_ledger_stays BEFORE UPDATE OR DELETE ON outcome_ledger
    FOR EACH ROW EXECUTE FUNCTION outcome_ledger_is_append_only();
CREATE TRIGGER outcome_ledger_heads_advance BEFORE UPDATE ON outcome_ledger_heads FOR EACH ROW
    WHEN (NEW.project_id <> OLD.project_id OR NEW.environment <> OLD.environment OR NEW.sequence <> OLD.sequence + 1)
    EXECUTE FUNCTION outcome_ledger_is_append_only();
CREATE TRIGGER outcome_ledger_heads_remain BEFORE DELETE ON outcome_ledger_heads
    FOR EACH ROW EXECUTE FUNCTION outcome_ledger_is_append_only();
-- Emptying a table deletes no row, and so fires no trigger of rows.
CREATE TRIGGER outcome_ledger_is_not_emptied BEFORE TRUNCATE ON outcome_ledger
    FOR EACH STATEMENT EXECUTE FUNCTION outcome_ledger_is_append_only();
CREATE TRIGGER outcome_ledger_heads_are_not_emptied BEFORE TRUNCATE ON outcome_ledger_heads
    FOR EACH STATEMENT EXECUTE FUNCTION outcome_ledger_is_append_only();

-- Whom nobody on this platform writes to, by the operator's word.
CREATE TABLE do_not_contact (
    subject_type TEXT NOT NULL CHECK (subject_type IN ('address', 'domain', 'person')),
    subject_hmac TEXT NOT NULL CHECK (length(subject_hmac) = 76),
    source       TEXT NOT NULL,
    added_by     TEXT NOT NULL,
    added_at     TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (subject_type, subject_hmac)
);
CREATE TRIGGER do_not_contact_stays BEFORE UPDATE OR DELETE ON do_not_contact
    FOR EACH ROW EXECUTE FUNCTION outcome_ledger_is_append_only();
CREATE TRIGGER do_not_contact_is_not_emptied BEFORE TRUNCATE ON do_not_contact
    FOR EACH STATEMENT EXECUTE FUNCTION outcome_ledger_is_append_only();

-- The policies that messages to real people may be written under, each with the component that answers for it.
CREATE TABLE policy_allow_list (
    policy_ref        TEXT NOT NULL,
    policy_version    TEXT NOT NULL,
    evaluator         TEXT NOT NULL,
    evaluator_version TEXT NOT NULL,
    component         TEXT NOT NULL,
    allowed_by        TEXT NOT NULL,
    allowed_at        TIMESTAMPTZ NOT NULL,
    revoked_at        TIMESTAMPTZ CHECK (revoked_at >= allowed_at),
    PRIMARY KEY (policy_ref, policy_version, allowed_at)
);
CREATE UNIQUE INDEX policy_allow_list_in_use ON policy_allow_list (policy_ref, policy_version) WHERE revoked_at IS NULL;
CREATE FUNCTION policy_allow_list_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' OR OLD.revoked_at IS NOT NULL OR NEW.policy_ref <> OLD.policy_ref
        OR NEW.policy_version <> OLD.policy_version OR NEW.evaluator <> OLD.evaluator
        OR NEW.evaluator_version <> OLD.evaluator_version OR NEW.component <> OLD.component
        OR NEW.allowed_by <> OLD.allowed_by OR NEW.allowed_at <> OLD.allowed_at THEN
        RAISE EXCEPTION 'an allowed policy is only ever revoked' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER policy_allow_list_stays BEFORE UPDATE OR DELETE ON policy_allow_list
    FOR EACH ROW EXECUTE FUNCTION policy_allow_list_stays();
CREATE TRIGGER policy_allow_list_is_not_emptied BEFORE TRUNCATE ON policy_allow_list
    FOR EACH STATEMENT EXECUTE FUNCTION outcome_ledger_is_append_only();

DO $$
DECLARE
    everything constant text := '(SELECT current_setting(''gtm.project'', true)) = ''*''';
    name text;
BEGIN
    -- Ledgers are their project's.
    FOREACH name IN ARRAY ARRAY['outcome_ledger', 'outcome_ledger_heads']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY of_project ON %I USING (
            project_id = (SELECT current_setting(''gtm.project'', true)) OR %s)', name, everything);
    END LOOP;
    -- The operator's lists hold for every project; only operators write them.
    FOREACH name IN ARRAY ARRAY['do_not_contact', 'policy_allow_list']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY of_everybody ON %I FOR SELECT USING (
            (SELECT current_setting(''gtm.project'', true)) <> '''')', name);
        EXECUTE format('CREATE POLICY of_operator ON %I USING (%s)', name, everything);
    END LOOP;
END $$;
