-- Brands of an organization, and the revisions of their guidelines. Both outlive the jobs that made
-- them.

CREATE TABLE brands (
    id                 TEXT NOT NULL PRIMARY KEY,
    organization_id    TEXT NOT NULL REFERENCES organizations (id),
    key                TEXT NOT NULL,
    company_name       TEXT,
    website_url        TEXT,
    is_default         BOOLEAN NOT NULL,
    status             TEXT NOT NULL CHECK (status IN ('active', 'archived')),
    research_status    TEXT NOT NULL CHECK (research_status IN ('not_started', 'queued', 'researching', 'ready', 'failed', 'canceled')),
    -- The newest research, whichever project of the organization asked for it.
    research_job_id    TEXT REFERENCES jobs (id),
    -- The current guideline; null before the first.
    guideline_revision BIGINT CHECK (guideline_revision > 0),
    source_count       BIGINT NOT NULL CHECK (source_count >= 0),
    created_at         TIMESTAMPTZ NOT NULL,
    updated_at         TIMESTAMPTZ NOT NULL,
    archived_at        TIMESTAMPTZ,
    UNIQUE (organization_id, key),
    CHECK (company_name IS NOT NULL OR website_url IS NOT NULL),
    CHECK ((status = 'archived') = (archived_at IS NOT NULL)),
    CHECK (NOT is_default OR status = 'active'),
    CHECK ((research_status = 'not_started') = (research_job_id IS NULL)),
    CHECK (research_status <> 'ready' OR guideline_revision IS NOT NULL)
);
CREATE INDEX brands_of_organization ON brands (organization_id, id) WHERE status = 'active';
CREATE UNIQUE INDEX brands_default ON brands (organization_id) WHERE is_default;
CREATE UNIQUE INDEX brands_research ON brands (research_job_id) WHERE research_job_id IS NOT NULL;

-- The state machine (annex A2), also for whoever bypasses the repositories.
CREATE FUNCTION brands_begin_not_started() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.research_status <> 'not_started' THEN
        RAISE EXCEPTION 'a brand begins without research' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER brands_begin_not_started BEFORE INSERT ON brands
    FOR EACH ROW EXECUTE FUNCTION brands_begin_not_started();

CREATE FUNCTION brands_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.research_status <> OLD.research_status AND NOT (
        (OLD.research_status IN ('not_started', 'ready', 'failed', 'canceled') AND NEW.research_status = 'queued')
        OR (OLD.research_status = 'queued' AND NEW.research_status IN ('researching', 'failed', 'canceled'))
        OR (OLD.research_status = 'researching' AND NEW.research_status IN ('ready', 'failed', 'canceled'))) THEN
        RAISE EXCEPTION 'this research status cannot follow the present one' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.research_job_id IS DISTINCT FROM OLD.research_job_id
        AND NOT (NEW.research_status = 'queued' AND OLD.research_status <> 'queued') THEN
        RAISE EXCEPTION 'a brand has one research at a time' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.guideline_revision IS DISTINCT FROM OLD.guideline_revision
        AND NEW.guideline_revision IS DISTINCT FROM COALESCE(OLD.guideline_revision, 0) + 1 THEN
        RAISE EXCEPTION 'one guideline revision follows the other' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.id <> OLD.id OR NEW.organization_id <> OLD.organization_id OR NEW.key <> OLD.key THEN
        RAISE EXCEPTION 'a brand keeps its owner and its key' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER brands_transition BEFORE UPDATE ON brands FOR EACH ROW EXECUTE FUNCTION brands_transition();

-- `document` is the public document as JSON, `changed_pointers` a JSON array.
CREATE TABLE brand_guidelines (
    brand_id         TEXT NOT NULL REFERENCES brands (id),
    revision         BIGINT NOT NULL CHECK (revision > 0),
    organization_id  TEXT NOT NULL REFERENCES organizations (id),
    job_id           TEXT NOT NULL REFERENCES jobs (id),
    guideline_hash   TEXT NOT NULL,
    schema_version   TEXT NOT NULL,
    generated_at     TIMESTAMPTZ NOT NULL,
    source_count     BIGINT NOT NULL CHECK (source_count >= 0),
    changed_pointers TEXT NOT NULL,
    document         TEXT NOT NULL,
    PRIMARY KEY (brand_id, revision)
);
CREATE FUNCTION brand_guidelines_are_immutable() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a guideline revision is immutable' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER brand_guidelines_stay BEFORE UPDATE ON brand_guidelines
    FOR EACH ROW EXECUTE FUNCTION brand_guidelines_are_immutable();

-- These rows are the organization's: every project of it sees them, and no other does.
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['brands', 'brand_guidelines']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY of_organization ON %I USING (
            organization_id = (SELECT p.organization_id FROM projects p
                WHERE p.id = (SELECT current_setting(''gtm.project'', true)))
            OR (SELECT current_setting(''gtm.project'', true)) = ''*'')', name);
    END LOOP;
END $$;
