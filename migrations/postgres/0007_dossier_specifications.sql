-- Company dossier specifications, idempotency keys for whatever is created, and indexes for lists.

-- Immutable: nobody changes or removes one. `plan` is JSON.
CREATE TABLE company_dossier_specifications (
    id                 TEXT NOT NULL PRIMARY KEY,
    project_id         TEXT NOT NULL REFERENCES projects (id),
    key_id             TEXT NOT NULL REFERENCES api_keys (id),
    specification_hash TEXT NOT NULL,
    plan               TEXT NOT NULL,
    created_at         TIMESTAMPTZ NOT NULL
);
CREATE INDEX company_dossier_specifications_of_project ON company_dossier_specifications (project_id, id);
CREATE FUNCTION company_dossier_specifications_are_immutable() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a company dossier specification is immutable' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER company_dossier_specifications_stay BEFORE UPDATE OR DELETE ON company_dossier_specifications
    FOR EACH ROW EXECUTE FUNCTION company_dossier_specifications_are_immutable();
CREATE TRIGGER company_dossier_specifications_remain BEFORE TRUNCATE ON company_dossier_specifications
    FOR EACH STATEMENT EXECUTE FUNCTION company_dossier_specifications_are_immutable();

ALTER TABLE company_dossier_specifications ENABLE ROW LEVEL SECURITY;
ALTER TABLE company_dossier_specifications FORCE ROW LEVEL SECURITY;
CREATE POLICY of_project ON company_dossier_specifications USING (
    project_id = (SELECT current_setting('gtm.project', true))
    OR (SELECT current_setting('gtm.project', true)) = '*');

-- A key protects whatever was created under it, not jobs alone: `resource` is its id.
ALTER TABLE idempotency DROP CONSTRAINT idempotency_job_id_fkey;
ALTER TABLE idempotency RENAME COLUMN job_id TO resource;

-- Lists of jobs, newest first, by what they may be narrowed by.
CREATE INDEX jobs_of_type ON jobs (project_id, type, id);
CREATE INDEX jobs_of_status ON jobs (project_id, status, id);
CREATE INDEX jobs_of_type_and_status ON jobs (project_id, type, status, id);
