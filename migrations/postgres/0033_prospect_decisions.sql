-- Decisions about candidates that waited for one, or about which somebody thought again. A candidate itself stays as
-- it was made; the last decision holds.
CREATE TABLE prospect_decisions (
    prospect_id   TEXT NOT NULL REFERENCES prospects (id) ON DELETE CASCADE,
    project_id    TEXT NOT NULL REFERENCES projects (id),
    position      BIGINT NOT NULL CHECK (position >= 1),
    -- Status, reason and time, as JSON.
    qualification TEXT NOT NULL,
    PRIMARY KEY (prospect_id, position)
);
CREATE TRIGGER prospect_decisions_stay BEFORE UPDATE ON prospect_decisions
    FOR EACH ROW EXECUTE FUNCTION prospect_records_stay();
ALTER TABLE prospect_decisions ENABLE ROW LEVEL SECURITY;
ALTER TABLE prospect_decisions FORCE ROW LEVEL SECURITY;
CREATE POLICY of_project ON prospect_decisions USING (
    project_id = (SELECT current_setting('gtm.project', true))
    OR (SELECT current_setting('gtm.project', true)) = '*');
