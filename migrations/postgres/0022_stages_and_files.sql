-- Where a job's stages stand, for types that have some, and the caller's own reference: what lists of jobs show
-- or choose by, so that it must not be gathered from events and inputs.
ALTER TABLE jobs ADD COLUMN stages TEXT;
ALTER TABLE jobs ADD COLUMN external_ref TEXT;
CREATE INDEX jobs_of_external_ref ON jobs (project_id, external_ref, id) WHERE external_ref IS NOT NULL;

-- Files that jobs made. Their content lies in blobs; that a job needs one stands in blob_references, too.
CREATE TABLE job_files (
    id         TEXT NOT NULL PRIMARY KEY,
    job_id     TEXT NOT NULL REFERENCES jobs (id),
    project_id TEXT NOT NULL REFERENCES projects (id),
    position   BIGINT NOT NULL CHECK (position >= 0),
    name       TEXT NOT NULL,
    media_type TEXT NOT NULL,
    digest     TEXT NOT NULL,
    size_bytes BIGINT NOT NULL CHECK (size_bytes >= 0),
    created_at TIMESTAMPTZ NOT NULL,
    UNIQUE (job_id, position)
);
ALTER TABLE job_files ENABLE ROW LEVEL SECURITY;
ALTER TABLE job_files FORCE ROW LEVEL SECURITY;
CREATE POLICY of_project ON job_files USING (
    project_id = (SELECT current_setting('gtm.project', true))
    OR (SELECT current_setting('gtm.project', true)) = '*');
