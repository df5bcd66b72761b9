-- Offers of an organization, and their revisions.

CREATE TABLE offers (
    id                TEXT NOT NULL PRIMARY KEY,
    organization_id   TEXT NOT NULL REFERENCES organizations (id),
    key               TEXT NOT NULL,
    -- The newest revision.
    revision          BIGINT NOT NULL CHECK (revision > 0),
    -- The revision that was approved last; null before the first approval.
    approved_revision BIGINT CHECK (approved_revision BETWEEN 1 AND revision),
    created_at        TIMESTAMPTZ NOT NULL,
    updated_at        TIMESTAMPTZ NOT NULL,
    archived_at       TIMESTAMPTZ,
    UNIQUE (organization_id, key)
);
CREATE INDEX offers_in_use ON offers (organization_id, id) WHERE approved_revision IS NOT NULL AND archived_at IS NULL;

-- The life of an offer, also for whoever bypasses the repositories.
CREATE FUNCTION offers_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.id <> OLD.id OR NEW.organization_id <> OLD.organization_id OR NEW.key <> OLD.key THEN
        RAISE EXCEPTION 'an offer keeps its owner and its key' USING ERRCODE = 'check_violation';
    END IF;
    IF OLD.archived_at IS NOT NULL THEN
        RAISE EXCEPTION 'an archived offer stays as it is' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.revision NOT IN (OLD.revision, OLD.revision + 1)
        OR (OLD.approved_revision IS NOT NULL AND (NEW.approved_revision IS NULL OR NEW.approved_revision < OLD.approved_revision)) THEN
        RAISE EXCEPTION 'one revision of an offer follows the other' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER offers_transition BEFORE UPDATE ON offers FOR EACH ROW EXECUTE FUNCTION offers_transition();

-- `content` is what the offer says, as JSON.
CREATE TABLE offer_revisions (
    offer_id        TEXT NOT NULL REFERENCES offers (id),
    revision        BIGINT NOT NULL CHECK (revision > 0),
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    offer_hash      TEXT NOT NULL,
    content         TEXT NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL,
    approved_by     TEXT,
    approved_at     TIMESTAMPTZ,
    PRIMARY KEY (offer_id, revision),
    CHECK ((approved_by IS NULL) = (approved_at IS NULL))
);
CREATE FUNCTION offer_revisions_are_immutable() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.approved_at IS NOT NULL OR NEW.offer_id <> OLD.offer_id OR NEW.revision <> OLD.revision
        OR NEW.organization_id <> OLD.organization_id OR NEW.offer_hash <> OLD.offer_hash OR NEW.content <> OLD.content
        OR NEW.created_at <> OLD.created_at THEN
        RAISE EXCEPTION 'a revision of an offer is immutable' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER offer_revisions_stay BEFORE UPDATE ON offer_revisions
    FOR EACH ROW EXECUTE FUNCTION offer_revisions_are_immutable();

-- These rows are the organization's: every project of it sees them, and no other does.
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['offers', 'offer_revisions']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY of_organization ON %I USING (
            organization_id = (SELECT organization_of_project())
            OR (SELECT current_setting(''gtm.project'', true)) = ''*'')', name);
    END LOOP;
END $$;

-- The offer that jobs of a binding sell.
SELECT set_config('gtm.project', '*', true);
ALTER TABLE bindings ADD COLUMN offer_id TEXT REFERENCES offers (id);
