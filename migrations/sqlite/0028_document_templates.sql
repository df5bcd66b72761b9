-- Templates of an organization or of one of its projects, whose look documents have. The file is in the blob store.

CREATE TABLE document_templates (
    id              TEXT NOT NULL PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    -- The project that it is for; null for all projects of the organization.
    project_id      TEXT REFERENCES projects (id),
    format          TEXT NOT NULL CHECK (format IN ('pptx', 'docx')),
    name            TEXT NOT NULL,
    digest          TEXT NOT NULL,
    size_bytes      INTEGER NOT NULL CHECK (size_bytes > 0),
    created_at      INTEGER NOT NULL,
    -- When it was removed or another one took its place. Jobs that are bound to it keep it.
    removed_at      INTEGER
) STRICT;
-- One template of a format is in use for an organization, and one for each project.
CREATE UNIQUE INDEX document_templates_in_use
    ON document_templates (organization_id, COALESCE(project_id, ''), format) WHERE removed_at IS NULL;
CREATE INDEX document_templates_by_digest ON document_templates (digest);

CREATE TRIGGER document_templates_stay BEFORE UPDATE ON document_templates
WHEN OLD.removed_at IS NOT NULL OR NEW.id <> OLD.id OR NEW.organization_id <> OLD.organization_id
    OR NEW.project_id IS NOT OLD.project_id OR NEW.format <> OLD.format OR NEW.name <> OLD.name
    OR NEW.digest <> OLD.digest OR NEW.size_bytes <> OLD.size_bytes OR NEW.created_at <> OLD.created_at
BEGIN SELECT RAISE(ABORT, 'a template is only ever removed'); END;
