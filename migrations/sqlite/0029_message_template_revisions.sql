-- Message templates of a project, and their revisions.

CREATE TABLE message_templates (
    project_id   TEXT NOT NULL REFERENCES projects (id),
    template_key TEXT NOT NULL,
    -- The newest revision.
    revision     INTEGER NOT NULL CHECK (revision > 0),
    PRIMARY KEY (project_id, template_key)
) STRICT;
CREATE TRIGGER message_templates_grow BEFORE UPDATE ON message_templates
WHEN NEW.project_id <> OLD.project_id OR NEW.template_key <> OLD.template_key OR NEW.revision <> OLD.revision + 1
BEGIN SELECT RAISE(ABORT, 'one revision of a message template follows the other'); END;
CREATE TRIGGER message_templates_remain BEFORE DELETE ON message_templates
BEGIN SELECT RAISE(ABORT, 'one revision of a message template follows the other'); END;

-- Immutable: nobody changes or removes one. `content` is what the revision says, as JSON.
CREATE TABLE message_template_revisions (
    id            TEXT NOT NULL PRIMARY KEY,
    project_id    TEXT NOT NULL REFERENCES projects (id),
    template_key  TEXT NOT NULL,
    revision      INTEGER NOT NULL CHECK (revision > 0),
    previous_id   TEXT REFERENCES message_template_revisions (id),
    language      TEXT NOT NULL,
    template_hash TEXT NOT NULL,
    content       TEXT NOT NULL,
    -- The job that wrote it; null for a reviewed one.
    job_id        TEXT,
    created_at    INTEGER NOT NULL,
    UNIQUE (project_id, template_key, revision),
    FOREIGN KEY (project_id, template_key) REFERENCES message_templates (project_id, template_key),
    CHECK ((previous_id IS NULL) = (revision = 1))
) STRICT;
CREATE INDEX message_template_revisions_of_project ON message_template_revisions (project_id, id);
CREATE TRIGGER message_template_revisions_stay BEFORE UPDATE ON message_template_revisions
BEGIN SELECT RAISE(ABORT, 'a revision of a message template is immutable'); END;
CREATE TRIGGER message_template_revisions_remain BEFORE DELETE ON message_template_revisions
BEGIN SELECT RAISE(ABORT, 'a revision of a message template is immutable'); END;
