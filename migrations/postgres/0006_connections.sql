-- What the last check of a connection's credentials said. A connection's status is not stored beyond
-- `configured` and `disabled`: whether it is incomplete, refused or unreadable follows from what it has.

CREATE TABLE connection_verifications (
    connection_id        TEXT NOT NULL PRIMARY KEY REFERENCES connections (id),
    project_id           TEXT NOT NULL,
    mode                 TEXT NOT NULL CHECK (mode IN ('format', 'live_probe')),
    status               TEXT NOT NULL CHECK (status IN ('pending', 'verified', 'failed')),
    network_request_made BOOLEAN NOT NULL,
    -- The provider took these credentials before and refuses them now.
    revoked              BOOLEAN NOT NULL,
    detail               TEXT,
    -- Digest over what was checked: another one now means that the check says nothing any more.
    subject              TEXT NOT NULL,
    at                   TIMESTAMPTZ NOT NULL,
    CHECK (NOT revoked OR status = 'failed'),
    CHECK (mode = 'live_probe' OR NOT network_request_made)
);
CREATE INDEX connection_verifications_project ON connection_verifications (project_id);

ALTER TABLE connection_verifications ENABLE ROW LEVEL SECURITY;
ALTER TABLE connection_verifications FORCE ROW LEVEL SECURITY;
CREATE POLICY of_project ON connection_verifications USING (
    project_id = (SELECT current_setting('gtm.project', true))
    OR (SELECT current_setting('gtm.project', true)) = '*');
