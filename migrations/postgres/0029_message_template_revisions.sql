-- Message templates of a project, and their revisions.

CREATE TABLE message_templates (
    project_id   TEXT NOT NULL REFERENCES projects (id),
    template_key TEXT NOT NULL,
    -- The newest revision.
    revision     BIGINT NOT NULL CHECK (revision > 0),
    PRIMARY KEY (project_id, template_key)
);
CREATE FUNCTION message_templates_grow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.project_id = OLD.project_id AND NEW.template_key = OLD.template_key
        AND NEW.revision = OLD.revision + 1 THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'one revision of a message template follows the other' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER message_templates_grow BEFORE UPDATE OR DELETE ON message_templates
    FOR EACH ROW EXECUTE FUNCTION message_templates_grow();

-- Immutable: nobody changes or removes one. `content` is what the revision says, as JSON.
CREATE TABLE message_template_revisions (
    id            TEXT NOT NULL PRIMARY KEY,
    project_id    TEXT NOT NULL REFERENCES projects (id),
    template_key  TEXT NOT NULL,
    revision      BIGINT NOT NULL CHECK (revision > 0),
    previous_id   TEXT REFERENCES message_template_revisions (id),
    language      TEXT NOT NULL,
    template_hash TEXT NOT NULL,
    content       TEXT NOT NULL,
    -- The job that wrote it; null for a reviewed one.
    job_id        TEXT,
    created_at    TIMESTAMPTZ NOT NULL,
    UNIQUE (project_id, template_key, revision),
    FOREIGN KEY (project_id, template_key) REFERENCES message_templates (project_id, template_key),
    CHECK ((previous_id IS NULL) = (revision = 1))
);
CREATE INDEX message_template_revisions_of_project ON message_template_revisions (project_id, id);
CREATE FUNCTION message_template_revisions_are_immutable() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a revision of a message template is immutable' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER message_template_revisions_stay BEFORE UPDATE OR DELETE ON message_template_revisions
    FOR EACH ROW EXECUTE FUNCTION message_template_revisions_are_immutable();
CREATE TRIGGER message_template_revisions_remain BEFORE TRUNCATE ON message_template_revisions
    FOR EACH STATEMENT EXECUTE FUNCTION message_template_revisions_are_immutable();

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['message_templates', 'message_template_revisions']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY of_project ON %I USING (
            project_id = (SELECT current_setting(''gtm.project'', true))
            OR (SELECT current_setting(''gtm.project'', true)) = ''*'')', name);
    END LOOP;
END $$;
