-- Usage by month, kept up to date by the transactions that create and end jobs, so that reading it never
-- scans jobs. Months are `YYYY-MM` in UTC. A job counts as created in the month of its creation;
-- everything else of it counts in the month in which it ended. Retention leaves these tables alone.

CREATE TABLE usage_months (
    project_id          TEXT    NOT NULL REFERENCES projects (id),
    month               TEXT    NOT NULL,
    type                TEXT    NOT NULL,
    key_id              TEXT    NOT NULL,
    created             INTEGER NOT NULL DEFAULT 0,
    -- Of the jobs created in this month, those that have not ended.
    open                INTEGER NOT NULL DEFAULT 0,
    succeeded           INTEGER NOT NULL DEFAULT 0,
    failed              INTEGER NOT NULL DEFAULT 0,
    canceled            INTEGER NOT NULL DEFAULT 0,
    input_tokens        INTEGER NOT NULL DEFAULT 0,
    cached_input_tokens INTEGER NOT NULL DEFAULT 0,
    cache_write_tokens  INTEGER NOT NULL DEFAULT 0,
    output_tokens       INTEGER NOT NULL DEFAULT 0,
    reasoning_tokens    INTEGER NOT NULL DEFAULT 0,
    backend_requests    INTEGER NOT NULL DEFAULT 0,
    backend_runtime_ms  INTEGER NOT NULL DEFAULT 0,
    connector_requests  INTEGER NOT NULL DEFAULT 0,
    connector_bytes     INTEGER NOT NULL DEFAULT 0,
    cost                INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (project_id, month, type, key_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_months_open ON usage_months (project_id, open) WHERE open > 0;

-- What the provider calls of ended jobs consumed, by the connector that served them.
CREATE TABLE usage_connector_months (
    project_id          TEXT    NOT NULL REFERENCES projects (id),
    month               TEXT    NOT NULL,
    -- Key of the manifest; empty for calls that no connector served.
    connector           TEXT    NOT NULL,
    input_tokens        INTEGER NOT NULL DEFAULT 0,
    cached_input_tokens INTEGER NOT NULL DEFAULT 0,
    cache_write_tokens  INTEGER NOT NULL DEFAULT 0,
    output_tokens       INTEGER NOT NULL DEFAULT 0,
    reasoning_tokens    INTEGER NOT NULL DEFAULT 0,
    connector_requests  INTEGER NOT NULL DEFAULT 0,
    connector_bytes     INTEGER NOT NULL DEFAULT 0,
    cost                INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (project_id, month, connector)
) STRICT, WITHOUT ROWID;

-- What is there already is counted.
INSERT INTO usage_months (project_id, month, type, key_id, created, open, succeeded, failed, canceled,
    input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens,
    backend_requests, backend_runtime_ms, connector_requests, connector_bytes, cost)
SELECT project_id, month, type, key_id, SUM(created), SUM(open), SUM(succeeded), SUM(failed), SUM(canceled),
    SUM(input_tokens), SUM(cached_input_tokens), SUM(cache_write_tokens), SUM(output_tokens), SUM(reasoning_tokens),
    SUM(backend_requests), SUM(backend_runtime_ms), SUM(connector_requests), SUM(connector_bytes), SUM(cost)
FROM (
    SELECT project_id, strftime('%Y-%m', created_at / 1000000, 'unixepoch') AS month, type, key_id, 1 AS created,
        CASE WHEN finished_at IS NULL THEN 1 ELSE 0 END AS open, 0 AS succeeded, 0 AS failed, 0 AS canceled,
        0 AS input_tokens, 0 AS cached_input_tokens, 0 AS cache_write_tokens, 0 AS output_tokens, 0 AS reasoning_tokens,
        0 AS backend_requests, 0 AS backend_runtime_ms, 0 AS connector_requests, 0 AS connector_bytes, 0 AS cost
    FROM jobs
    UNION ALL
    SELECT project_id, strftime('%Y-%m', at / 1000000, 'unixepoch'), type, key_id, 0, 0,
        CASE WHEN status = 'succeeded' THEN 1 ELSE 0 END, CASE WHEN status = 'failed' THEN 1 ELSE 0 END,
        CASE WHEN status = 'canceled' THEN 1 ELSE 0 END,
        input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens,
        backend_requests, backend_runtime_ms, connector_requests, connector_bytes, cost
    FROM usage_rows
) counted
GROUP BY project_id, month, type, key_id;

INSERT INTO usage_connector_months (project_id, month, connector,
    input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens,
    connector_requests, connector_bytes, cost)
SELECT u.project_id, strftime('%Y-%m', u.at / 1000000, 'unixepoch'), COALESCE(c.connector ->> 'key', ''),
    SUM(c.input_tokens), SUM(c.cached_input_tokens), SUM(c.cache_write_tokens), SUM(c.output_tokens), SUM(c.reasoning_tokens),
    SUM(c.connector_requests), SUM(c.connector_bytes), SUM(c.cost)
FROM cost_rows c
JOIN usage_rows u ON u.job_id = c.job_id
GROUP BY 1, 2, 3;
