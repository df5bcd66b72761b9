-- Offers of an organization, and their revisions.

CREATE TABLE offers (
    id                TEXT NOT NULL PRIMARY KEY,
    organization_id   TEXT NOT NULL REFERENCES organizations (id),
    key               TEXT NOT NULL,
    -- The newest revision.
    revision          INTEGER NOT NULL CHECK (revision > 0),
    -- The revision that was approved last; null before the first approval.
    approved_revision INTEGER CHECK (approved_revision BETWEEN 1 AND revision),
    created_at        INTEGER NOT NULL,
    updated_at        INTEGER NOT NULL,
    archived_at       INTEGER,
    UNIQUE (organization_id, key)
) STRICT;
CREATE INDEX offers_in_use ON offers (organization_id, id) WHERE approved_revision IS NOT NULL AND archived_at IS NULL;

-- The life of an offer, also for whoever bypasses the repositories.
CREATE TRIGGER offers_keep_their_owner BEFORE UPDATE ON offers
WHEN NEW.id <> OLD.id OR NEW.organization_id <> OLD.organization_id OR NEW.key <> OLD.key
BEGIN SELECT RAISE(ABORT, 'an offer keeps its owner and its key'); END;
CREATE TRIGGER offers_archived_for_good BEFORE UPDATE ON offers WHEN OLD.archived_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'an archived offer stays as it is'); END;
CREATE TRIGGER offers_revisions_grow BEFORE UPDATE ON offers
WHEN NEW.revision NOT IN (OLD.revision, OLD.revision + 1)
    OR (OLD.approved_revision IS NOT NULL AND (NEW.approved_revision IS NULL OR NEW.approved_revision < OLD.approved_revision))
BEGIN SELECT RAISE(ABORT, 'one revision of an offer follows the other'); END;

-- `content` is what the offer says, as JSON.
CREATE TABLE offer_revisions (
    offer_id        TEXT NOT NULL REFERENCES offers (id),
    revision        INTEGER NOT NULL CHECK (revision > 0),
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    offer_hash      TEXT NOT NULL,
    content         TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    approved_by     TEXT,
    approved_at     INTEGER,
    PRIMARY KEY (offer_id, revision),
    CHECK ((approved_by IS NULL) = (approved_at IS NULL))
) STRICT;
CREATE TRIGGER offer_revisions_stay BEFORE UPDATE ON offer_revisions
WHEN OLD.approved_at IS NOT NULL OR NEW.offer_id <> OLD.offer_id OR NEW.revision <> OLD.revision
    OR NEW.organization_id <> OLD.organization_id OR NEW.offer_hash <> OLD.offer_hash OR NEW.content <> OLD.content
    OR NEW.created_at <> OLD.created_at
BEGIN SELECT RAISE(ABORT, 'a revision of an offer is immutable'); END;

-- The offer that jobs of a binding sell.
ALTER TABLE bindings ADD COLUMN offer_id TEXT REFERENCES offers (id);
