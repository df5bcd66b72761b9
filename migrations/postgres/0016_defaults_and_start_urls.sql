-- A default brand has a guideline; one that is to become the default waits for its first. An archived
-- brand may stay the default, so that nobody writes without a brand unawares.
SELECT set_config('gtm.project', '*', true);

-- Since when it is to become the default with its first guideline; null if it is not to.
ALTER TABLE brands ADD COLUMN default_wished_at TIMESTAMPTZ;
-- A default without a guideline becomes a wish.
UPDATE brands SET is_default = FALSE, default_wished_at = updated_at WHERE is_default AND guideline_revision IS NULL;
DO $$
DECLARE
    held text;
BEGIN
    -- 0012 left the name of this constraint to the database.
    SELECT conname INTO STRICT held FROM pg_constraint
        WHERE conrelid = 'brands'::regclass AND contype = 'c' AND pg_get_constraintdef(oid) LIKE '%is_default%';
    EXECUTE format('ALTER TABLE brands DROP CONSTRAINT %I', held);
END $$;
ALTER TABLE brands
    ADD CONSTRAINT brands_default_has_a_guideline CHECK (NOT is_default OR guideline_revision IS NOT NULL),
    ADD CONSTRAINT brands_wish_waits_for_a_guideline
        CHECK (default_wished_at IS NULL OR (guideline_revision IS NULL AND status = 'active'));

-- Where research of a domain begins, if not at https://<domain>/: the operator's word, which the host
-- takes for the company's own site. Until now it stood in the settings of backends.
CREATE TABLE binding_start_urls (
    binding_id TEXT NOT NULL REFERENCES bindings (id) ON DELETE CASCADE,
    domain     TEXT NOT NULL,
    url        TEXT NOT NULL,
    PRIMARY KEY (binding_id, domain)
);
INSERT INTO binding_start_urls (binding_id, domain, url)
SELECT b.id, lower(u.key), u.value #>> '{}'
FROM bindings b, LATERAL jsonb_each(CASE WHEN jsonb_typeof(b.settings::jsonb -> 'start_urls') = 'object'
    THEN b.settings::jsonb -> 'start_urls' ELSE '{}'::jsonb END) u
WHERE b.backend_key IS NOT NULL AND jsonb_typeof(u.value) = 'string'
ON CONFLICT DO NOTHING;
UPDATE bindings SET settings = (settings::jsonb - 'start_urls')::text
WHERE backend_key IS NOT NULL AND jsonb_typeof(settings::jsonb -> 'start_urls') = 'object';

-- The research of a brand is read by every project of its organization; written by its own project.
CREATE POLICY research_of_organization ON jobs FOR SELECT USING (type = 'brands' AND organization_id =
    (SELECT p.organization_id FROM projects p WHERE p.id = (SELECT current_setting('gtm.project', true))));
