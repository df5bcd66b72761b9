-- A version of a plug-in means one component and one manifest for ever, and a plug-in belongs to the
-- publisher that brought it first. Before, a component had one row, which another version took over.
ALTER TABLE plugins RENAME TO plugins_by_component;
CREATE TABLE plugins (
    kind             TEXT NOT NULL,
    key              TEXT NOT NULL,
    version          TEXT NOT NULL,
    component_digest TEXT,
    -- Null until the store is opened: SQL cannot compute it.
    manifest_digest  TEXT,
    manifest         TEXT NOT NULL,
    first_seen_at    TIMESTAMPTZ NOT NULL,
    last_seen_at     TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (kind, key, version)
);
CREATE TABLE plugin_approvals (
    kind        TEXT NOT NULL,
    key         TEXT NOT NULL,
    version     TEXT NOT NULL,
    approved_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (kind, key, version),
    FOREIGN KEY (kind, key, version) REFERENCES plugins (kind, key, version)
);
CREATE TABLE plugin_publishers (
    kind      TEXT NOT NULL,
    key       TEXT NOT NULL,
    publisher TEXT NOT NULL,
    since     TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (kind, key)
);

-- Where development had several components under one version, the one seen last is what the version
-- means; the others stay as they were, in the old table.
INSERT INTO plugins (kind, key, version, component_digest, manifest, first_seen_at, last_seen_at)
    SELECT kind, key, version, digest, manifest, first_seen_at, last_seen_at FROM (
        SELECT *, ROW_NUMBER() OVER (PARTITION BY kind, key, version
            ORDER BY last_seen_at DESC, first_seen_at DESC, digest) AS place FROM plugins_by_component) ranked
    WHERE place = 1;
DELETE FROM plugins_by_component o USING plugins p
    WHERE p.component_digest = o.digest AND p.kind = o.kind AND p.key = o.key AND p.version = o.version;
-- All of them were in use.
INSERT INTO plugin_approvals (kind, key, version, approved_at)
    SELECT kind, key, version, first_seen_at FROM plugins;
INSERT INTO plugin_publishers (kind, key, publisher, since)
    SELECT kind, key, publisher, first_seen_at FROM (
        SELECT kind, key, first_seen_at, manifest::json ->> 'publisher' AS publisher,
            ROW_NUMBER() OVER (PARTITION BY kind, key ORDER BY first_seen_at, version) AS place FROM plugins
        WHERE manifest::json ->> 'publisher' IS NOT NULL) ranked
    WHERE place = 1;

CREATE FUNCTION plugins_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.kind = OLD.kind AND NEW.key = OLD.key AND NEW.version = OLD.version
        AND NEW.component_digest IS NOT DISTINCT FROM OLD.component_digest AND NEW.manifest = OLD.manifest
        AND (OLD.manifest_digest IS NULL OR NEW.manifest_digest IS NOT DISTINCT FROM OLD.manifest_digest)
        AND NEW.first_seen_at = OLD.first_seen_at
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a version of a plug-in means one package for ever' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER plugins_stay BEFORE UPDATE OR DELETE ON plugins
    FOR EACH ROW EXECUTE FUNCTION plugins_stay();
