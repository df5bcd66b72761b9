-- What the last check of a connection's credentials said. A connection's status is not stored beyond
-- `configured` and `disabled`: whether it is incomplete, refused or unreadable follows from what it has.

CREATE TABLE connection_verifications (
    connection_id        TEXT NOT NULL PRIMARY KEY REFERENCES connections (id),
    project_id           TEXT NOT NULL,
    mode                 TEXT NOT NULL CHECK (mode IN ('format', 'live_probe')),
    status               TEXT NOT NULL CHECK (status IN ('pending', 'verified', 'failed')),
    network_request_made INTEGER NOT NULL CHECK (network_request_made IN (0, 1)),
    -- The provider took these credentials before and refuses them now.
    revoked              INTEGER NOT NULL CHECK (revoked IN (0, 1)),
    detail               TEXT,
    -- Digest over what was checked: another one now means that the check says nothing any more.
    subject              TEXT NOT NULL,
    at                   INTEGER NOT NULL,
    CHECK (revoked = 0 OR status = 'failed'),
    CHECK (mode = 'live_probe' OR network_request_made = 0)
) STRICT;
CREATE INDEX connection_verifications_project ON connection_verifications (project_id);
