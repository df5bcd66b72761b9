-- Templates of an organization or of one of its projects, whose look documents have. The file is in the blob store.

CREATE TABLE document_templates (
    id              TEXT NOT NULL PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    -- The project that it is for; null for all projects of the organization.
    project_id      TEXT REFERENCES projects (id),
    format          TEXT NOT NULL CHECK (format IN ('pptx', 'docx')),
    name            TEXT NOT NULL,
    digest          TEXT NOT NULL,
    size_bytes      BIGINT NOT NULL CHECK (size_bytes > 0),
    created_at      TIMESTAMPTZ NOT NULL,
    -- When it was removed or another one took its place. Jobs that are bound to it keep it.
    removed_at      TIMESTAMPTZ
);
-- One template of a format is in use for an organization, and one for each project.
CREATE UNIQUE INDEX document_templates_in_use
    ON document_templates (organization_id, COALESCE(project_id, ''), format) WHERE removed_at IS NULL;
CREATE INDEX document_templates_by_digest ON document_templates (digest);

CREATE FUNCTION document_templates_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.removed_at IS NOT NULL OR NEW.id <> OLD.id OR NEW.organization_id <> OLD.organization_id
        OR NEW.project_id IS DISTINCT FROM OLD.project_id OR NEW.format <> OLD.format OR NEW.name <> OLD.name
        OR NEW.digest <> OLD.digest OR NEW.size_bytes <> OLD.size_bytes OR NEW.created_at <> OLD.created_at THEN
        RAISE EXCEPTION 'a template is only ever removed' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER document_templates_stay BEFORE UPDATE ON document_templates
    FOR EACH ROW EXECUTE FUNCTION document_templates_stay();

-- Every project of the organization sees its templates, and of the templates for one project only its own.
ALTER TABLE document_templates ENABLE ROW LEVEL SECURITY;
ALTER TABLE document_templates FORCE ROW LEVEL SECURITY;
CREATE POLICY of_organization ON document_templates USING (
    (organization_id = (SELECT organization_of_project())
        AND (project_id IS NULL OR project_id = (SELECT current_setting('gtm.project', true))))
    OR (SELECT current_setting('gtm.project', true)) = '*');
