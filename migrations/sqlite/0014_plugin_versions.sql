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
    first_seen_at    INTEGER NOT NULL,
    last_seen_at     INTEGER NOT NULL,
    PRIMARY KEY (kind, key, version)
) STRICT;
CREATE TABLE plugin_approvals (
    kind        TEXT NOT NULL,
    key         TEXT NOT NULL,
    version     TEXT NOT NULL,
    approved_at INTEGER NOT NULL,
    PRIMARY KEY (kind, key, version),
    FOREIGN KEY (kind, key, version) REFERENCES plugins (kind, key, version)
) STRICT;
CREATE TABLE plugin_publishers (
    kind      TEXT NOT NULL,
    key       TEXT NOT NULL,
    publisher TEXT NOT NULL,
    since     INTEGER NOT NULL,
    PRIMARY KEY (kind, key)
) STRICT;

-- Where development had several components under one version, the one seen last is what the version
-- means; the others stay as they were, in the old table.
INSERT INTO plugins (kind, key, version, component_digest, manifest, first_seen_at, last_seen_at)
    SELECT kind, key, version, digest, manifest, first_seen_at, last_seen_at FROM (
        SELECT *, ROW_NUMBER() OVER (PARTITION BY kind, key, version
            ORDER BY last_seen_at DESC, first_seen_at DESC, digest) AS place FROM plugins_by_component) ranked
    WHERE place = 1;
DELETE FROM plugins_by_component WHERE EXISTS (SELECT 1 FROM plugins p
    WHERE p.component_digest = plugins_by_component.digest AND p.kind = plugins_by_component.kind
    AND p.key = plugins_by_component.key AND p.version = plugins_by_component.version);
-- All of them were in use.
INSERT INTO plugin_approvals (kind, key, version, approved_at)
    SELECT kind, key, version, first_seen_at FROM plugins;
INSERT INTO plugin_publishers (kind, key, publisher, since)
    SELECT kind, key, publisher, first_seen_at FROM (
        SELECT kind, key, first_seen_at, json_extract(manifest, '$.publisher') AS publisher,
            ROW_NUMBER() OVER (PARTITION BY kind, key ORDER BY first_seen_at, version) AS place FROM plugins
        WHERE json_extract(manifest, '$.publisher') IS NOT NULL) ranked
    WHERE place = 1;

CREATE TRIGGER plugins_stay BEFORE UPDATE ON plugins
WHEN NEW.kind <> OLD.kind OR NEW.key <> OLD.key OR NEW.version <> OLD.version
    OR NEW.component_digest IS NOT OLD.component_digest OR NEW.manifest <> OLD.manifest
    OR (OLD.manifest_digest IS NOT NULL AND NEW.manifest_digest IS NOT OLD.manifest_digest)
    OR NEW.first_seen_at <> OLD.first_seen_at
BEGIN SELECT RAISE(ABORT, 'a version of a plug-in means one package for ever'); END;
CREATE TRIGGER plugins_remain BEFORE DELETE ON plugins
BEGIN SELECT RAISE(ABORT, 'a version of a plug-in means one package for ever'); END;
