-- How often a key may ask, which key it took over from, and what an organization may use.

-- Fewer requests in 60 seconds than the organization's usage tier gives; null for the tier's own limit.
ALTER TABLE api_keys ADD COLUMN requests_per_minute BIGINT CHECK (requests_per_minute BETWEEN 1 AND 4294967295);
-- The key that this one replaces.
ALTER TABLE api_keys ADD COLUMN rotates_from TEXT REFERENCES api_keys (id);

-- What an operator switched for an organization; a capability without a row is enabled.
CREATE TABLE organization_capabilities (
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    capability      TEXT NOT NULL,
    enabled         BOOLEAN NOT NULL,
    PRIMARY KEY (organization_id, capability)
);
