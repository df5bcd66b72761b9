-- Company dossier specifications, idempotency keys for whatever is created, and indexes for lists.

-- Immutable: nobody changes or removes one. `plan` is JSON.
CREATE TABLE company_dossier_specifications (
    id                 TEXT NOT NULL PRIMARY KEY,
    project_id         TEXT NOT NULL REFERENCES projects (id),
    key_id             TEXT NOT NULL REFERENCES api_keys (id),
    specification_hash TEXT NOT NULL,
    plan               TEXT NOT NULL,
    created_at         INTEGER NOT NULL
) STRICT;
CREATE INDEX company_dossier_specifications_of_project ON company_dossier_specifications (project_id, id);
CREATE TRIGGER company_dossier_specifications_stay BEFORE UPDATE ON company_dossier_specifications
BEGIN SELECT RAISE(ABORT, 'a company dossier specification is immutable'); END;
CREATE TRIGGER company_dossier_specifications_remain BEFORE DELETE ON company_dossier_specifications
BEGIN SELECT RAISE(ABORT, 'a company dossier specification is immutable'); END;

-- A key protects whatever was created under it, not jobs alone: `resource` is its id.
CREATE TABLE idempotency_of_resources (
    project_id  TEXT NOT NULL REFERENCES projects (id),
    key_hmac    BLOB NOT NULL,
    fingerprint TEXT NOT NULL,
    resource    TEXT NOT NULL,
    status      INTEGER NOT NULL,
    headers     TEXT NOT NULL,
    body        BLOB NOT NULL,
    expires_at  INTEGER NOT NULL,
    PRIMARY KEY (project_id, key_hmac)
) STRICT;
INSERT INTO idempotency_of_resources (project_id, key_hmac, fingerprint, resource, status, headers, body, expires_at)
    SELECT project_id, key_hmac, fingerprint, job_id, status, headers, body, expires_at FROM idempotency;
DROP TABLE idempotency;
ALTER TABLE idempotency_of_resources RENAME TO idempotency;
CREATE INDEX idempotency_expiry ON idempotency (expires_at);

-- Lists of jobs, newest first, by what they may be narrowed by.
CREATE INDEX jobs_of_type ON jobs (project_id, type, id);
CREATE INDEX jobs_of_status ON jobs (project_id, status, id);
CREATE INDEX jobs_of_type_and_status ON jobs (project_id, type, status, id);
