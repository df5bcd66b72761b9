-- A default brand has a guideline; one that is to become the default waits for its first. An archived
-- brand may stay the default, so that nobody writes without a brand unawares. SQLite changes no CHECK
-- in place: the table is made anew, and the guidelines' references are checked when this commits.
PRAGMA defer_foreign_keys = ON;
CREATE TABLE brands_before AS SELECT * FROM brands;
DROP TABLE brands;

CREATE TABLE brands (
    id                 TEXT NOT NULL PRIMARY KEY,
    organization_id    TEXT NOT NULL REFERENCES organizations (id),
    key                TEXT NOT NULL,
    company_name       TEXT,
    website_url        TEXT,
    is_default         INTEGER NOT NULL CHECK (is_default IN (0, 1)),
    -- Since when it is to become the default with its first guideline; null if it is not to.
    default_wished_at  INTEGER,
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
    CONSTRAINT brands_default_has_a_guideline CHECK (NOT is_default OR guideline_revision IS NOT NULL),
    CONSTRAINT brands_wish_waits_for_a_guideline
        CHECK (default_wished_at IS NULL OR (guideline_revision IS NULL AND status = 'active')),
    CHECK ((research_status = 'not_started') = (research_job_id IS NULL)),
    CHECK (research_status <> 'ready' OR guideline_revision IS NOT NULL)
) STRICT;
-- A default without a guideline becomes a wish.
INSERT INTO brands (id, organization_id, key, company_name, website_url, is_default, default_wished_at, status,
    research_status, research_job_id, guideline_revision, source_count, created_at, updated_at, archived_at)
SELECT id, organization_id, key, company_name, website_url, is_default AND guideline_revision IS NOT NULL,
    CASE WHEN is_default AND guideline_revision IS NULL THEN updated_at END, status,
    research_status, research_job_id, guideline_revision, source_count, created_at, updated_at, archived_at
FROM brands_before;
DROP TABLE brands_before;

CREATE INDEX brands_of_organization ON brands (organization_id, id) WHERE status = 'active';
CREATE UNIQUE INDEX brands_default ON brands (organization_id) WHERE is_default;
CREATE UNIQUE INDEX brands_research ON brands (research_job_id) WHERE research_job_id IS NOT NULL;

-- As in 0012.
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

-- Where research of a domain begins, if not at https://<domain>/: the operator's word, which the host
-- takes for the company's own site. Until now it stood in the settings of backends.
CREATE TABLE binding_start_urls (
    binding_id TEXT NOT NULL REFERENCES bindings (id) ON DELETE CASCADE,
    domain     TEXT NOT NULL,
    url        TEXT NOT NULL,
    PRIMARY KEY (binding_id, domain)
) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO binding_start_urls (binding_id, domain, url)
SELECT b.id, lower(u.key), u.value FROM bindings b, json_each(b.settings, '$.start_urls') u
WHERE b.backend_key IS NOT NULL AND json_type(b.settings, '$.start_urls') = 'object' AND u.type = 'text';
UPDATE bindings SET settings = json_remove(settings, '$.start_urls')
WHERE backend_key IS NOT NULL AND json_type(settings, '$.start_urls') = 'object';
