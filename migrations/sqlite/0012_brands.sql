-- Brands of an organization, and the revisions of their guidelines. Both outlive the jobs that made
-- them.

CREATE TABLE brands (
    id                 TEXT NOT NULL PRIMARY KEY,
    organization_id    TEXT NOT NULL REFERENCES organizations (id),
    key                TEXT NOT NULL,
    company_name       TEXT,
    website_url        TEXT,
    is_default         INTEGER NOT NULL CHECK (is_default IN (0, 1)),
    status             TEXT NOT NULL CHECK (status IN ('active', 'archived')),
    research_status    TEXT NOT NULL CHECK (research_status IN ('not_started', 'queued', 'researching', 'ready', 'failed', 'canceled')),
    -- The newest research, whichever project of the organization asked for it.
    research_job_id    TEXT REFERENCES jobs (id),
    -- The current guideline; null before the first.
    guideline_revision INTEGER CHECK (guideline_revision > 0),
    source_count       INTEGER NOT NULL CHECK (source_count >= 0),
    created_at         INTEGER NOT NULL,
    updated_at         INTEGER NOT NULL,
    archived_at        INTEGER,
    UNIQUE (organization_id, key),
    CHECK (company_name IS NOT NULL OR website_url IS NOT NULL),
    CHECK ((status = 'archived') = (archived_at IS NOT NULL)),
    CHECK (NOT is_default OR status = 'active'),
    CHECK ((research_status = 'not_started') = (research_job_id IS NULL)),
    CHECK (research_status <> 'ready' OR guideline_revision IS NOT NULL)
) STRICT;
CREATE INDEX brands_of_organization ON brands (organization_id, id) WHERE status = 'active';
CREATE UNIQUE INDEX brands_default ON brands (organization_id) WHERE is_default;
CREATE UNIQUE INDEX brands_research ON brands (research_job_id) WHERE research_job_id IS NOT NULL;

-- The state machine (annex A2), also for whoever bypasses the repositories.
CREATE TRIGGER brands_begin_not_started BEFORE INSERT ON brands WHEN NEW.research_status <> 'not_started'
BEGIN SELECT RAISE(ABORT, 'a brand begins without research'); END;
CREATE TRIGGER brands_transition BEFORE UPDATE ON brands
WHEN NEW.research_status <> OLD.research_status AND NOT (
    (OLD.research_status IN ('not_started', 'ready', 'failed', 'canceled') AND NEW.research_status = 'queued')
    OR (OLD.research_status = 'queued' AND NEW.research_status IN ('researching', 'failed', 'canceled'))
    OR (OLD.research_status = 'researching' AND NEW.research_status IN ('ready', 'failed', 'canceled')))
BEGIN SELECT RAISE(ABORT, 'this research status cannot follow the present one'); END;
CREATE TRIGGER brands_one_research_at_a_time BEFORE UPDATE ON brands
WHEN NEW.research_job_id IS NOT OLD.research_job_id
    AND NOT (NEW.research_status = 'queued' AND OLD.research_status <> 'queued')
BEGIN SELECT RAISE(ABORT, 'a brand has one research at a time'); END;
CREATE TRIGGER brands_revisions_grow BEFORE UPDATE ON brands
WHEN NEW.guideline_revision IS NOT OLD.guideline_revision
    AND NEW.guideline_revision IS NOT COALESCE(OLD.guideline_revision, 0) + 1
BEGIN SELECT RAISE(ABORT, 'one guideline revision follows the other'); END;
CREATE TRIGGER brands_keep_their_owner BEFORE UPDATE ON brands
WHEN NEW.id <> OLD.id OR NEW.organization_id <> OLD.organization_id OR NEW.key <> OLD.key
BEGIN SELECT RAISE(ABORT, 'a brand keeps its owner and its key'); END;

-- `document` is the public document as JSON, `changed_pointers` a JSON array.
CREATE TABLE brand_guidelines (
    brand_id         TEXT NOT NULL REFERENCES brands (id),
    revision         INTEGER NOT NULL CHECK (revision > 0),
    organization_id  TEXT NOT NULL REFERENCES organizations (id),
    job_id           TEXT NOT NULL REFERENCES jobs (id),
    guideline_hash   TEXT NOT NULL,
    schema_version   TEXT NOT NULL,
    generated_at     INTEGER NOT NULL,
    source_count     INTEGER NOT NULL CHECK (source_count >= 0),
    changed_pointers TEXT NOT NULL,
    document         TEXT NOT NULL,
    PRIMARY KEY (brand_id, revision)
) STRICT;
CREATE TRIGGER brand_guidelines_stay BEFORE UPDATE ON brand_guidelines
BEGIN SELECT RAISE(ABORT, 'a guideline revision is immutable'); END;
