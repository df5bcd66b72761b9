-- What bounds the files of a job and the caller's reference. The rules of names in full are the domain's
-- (`check_files`); these hold whatever writes. SQLite adds no rule to a column that is there: a table or a
-- column with the rule takes its place.
CREATE TABLE bounded_job_files (
    id         TEXT NOT NULL PRIMARY KEY,
    job_id     TEXT NOT NULL REFERENCES jobs (id),
    project_id TEXT NOT NULL REFERENCES projects (id),
    position   INTEGER NOT NULL CHECK (position BETWEEN 0 AND 63),
    name       TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 128
        AND name NOT LIKE '.%' AND name NOT LIKE '%/%' AND name NOT LIKE '%\%' AND name NOT LIKE '%:%'
        AND name NOT GLOB ('*[' || char(1) || '-' || char(31) || char(127) || ']*')),
    media_type TEXT NOT NULL,
    digest     TEXT NOT NULL,
    size_bytes INTEGER NOT NULL CHECK (size_bytes BETWEEN 0 AND 268435456),
    created_at INTEGER NOT NULL,
    UNIQUE (job_id, position)
) STRICT;
INSERT INTO bounded_job_files SELECT * FROM job_files;
DROP TABLE job_files;
ALTER TABLE bounded_job_files RENAME TO job_files;
CREATE UNIQUE INDEX job_files_by_name ON job_files (job_id, lower(name));
CREATE TRIGGER job_files_stay BEFORE UPDATE ON job_files
BEGIN SELECT RAISE(ABORT, 'a job''s file is immutable'); END;

ALTER TABLE jobs ADD COLUMN bounded_ref TEXT CHECK (length(bounded_ref) BETWEEN 1 AND 200);
UPDATE jobs SET bounded_ref = external_ref WHERE external_ref IS NOT NULL;
DROP INDEX jobs_of_external_ref;
ALTER TABLE jobs DROP COLUMN external_ref;
ALTER TABLE jobs RENAME COLUMN bounded_ref TO external_ref;
CREATE INDEX jobs_of_external_ref ON jobs (project_id, external_ref, id) WHERE external_ref IS NOT NULL;
