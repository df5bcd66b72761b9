-- Decisions about candidates that waited for one, or about which somebody thought again. A candidate itself stays as
-- it was made; the last decision holds.
CREATE TABLE prospect_decisions (
    prospect_id   TEXT NOT NULL REFERENCES prospects (id) ON DELETE CASCADE,
    project_id    TEXT NOT NULL REFERENCES projects (id),
    position      INTEGER NOT NULL CHECK (position >= 1),
    -- Status, reason and time, as JSON.
    qualification TEXT NOT NULL,
    PRIMARY KEY (prospect_id, position)
) STRICT;
CREATE TRIGGER prospect_decisions_stay BEFORE UPDATE ON prospect_decisions
BEGIN SELECT RAISE(ABORT, 'a decision is immutable'); END;
