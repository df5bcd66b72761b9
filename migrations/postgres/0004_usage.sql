-- Usage by month, kept up to date by the transactions that create and end jobs, so that reading it never
-- scans jobs. Months are `YYYY-MM` in UTC. A job counts as created in the month of its creation;
-- everything else of it counts in the month in which it ended. Retention leaves these tables alone.
-- Rows are updated in place often: a page keeps room for that.

CREATE TABLE usage_months (
    project_id          TEXT    NOT NULL REFERENCES projects (id),
    month               TEXT    NOT NULL,
    type                TEXT    NOT NULL,
    key_id              TEXT    NOT NULL,
    created             BIGINT  NOT NULL DEFAULT 0,
    -- Of the jobs created in this month, those that have not ended.
    open                BIGINT  NOT NULL DEFAULT 0,
    succeeded           BIGINT  NOT NULL DEFAULT 0,
    failed              BIGINT  NOT NULL DEFAULT 0,
    canceled            BIGINT  NOT NULL DEFAULT 0,
    input_tokens        BIGINT  NOT NULL DEFAULT 0,
    cached_input_tokens BIGINT  NOT NULL DEFAULT 0,
    cache_write_tokens  BIGINT  NOT NULL DEFAULT 0,
    output_tokens       BIGINT  NOT NULL DEFAULT 0,
    reasoning_tokens    BIGINT  NOT NULL DEFAULT 0,
    backend_requests    BIGINT  NOT NULL DEFAULT 0,
    backend_runtime_ms  BIGINT  NOT NULL DEFAULT 0,
    connector_requests  BIGINT  NOT NULL DEFAULT 0,
    connector_bytes     BIGINT  NOT NULL DEFAULT 0,
    cost                BIGINT  NOT NULL DEFAULT 0,
    PRIMARY KEY (project_id, month, type, key_id)
) WITH (fillfactor = 60);
CREATE INDEX usage_months_open ON usage_months (project_id, open) WHERE open > 0;

-- What the provider calls of ended jobs consumed, by the connector that served them.
CREATE TABLE usage_connector_months (
    project_id          TEXT    NOT NULL REFERENCES projects (id),
    month               TEXT    NOT NULL,
    -- Key of the manifest; empty for calls that no connector served.
    connector           TEXT    NOT NULL,
    input_tokens        BIGINT  NOT NULL DEFAULT 0,
    cached_input_tokens BIGINT  NOT NULL DEFAULT 0,
    cache_write_tokens  BIGINT  NOT NULL DEFAULT 0,
    output_tokens       BIGINT  NOT NULL DEFAULT 0,
    reasoning_tokens    BIGINT  NOT NULL DEFAULT 0,
    connector_requests  BIGINT  NOT NULL DEFAULT 0,
    connector_bytes     BIGINT  NOT NULL DEFAULT 0,
    cost                BIGINT  NOT NULL DEFAULT 0,
    PRIMARY KEY (project_id, month, connector)
) WITH (fillfactor = 60);

-- What is there already is counted, all tenants' rows of it.
SELECT set_config('gtm.project', '*', true);
INSERT INTO usage_months (project_id, month, type, key_id, created, open, succeeded, failed, canceled,
    input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens,
    backend_requests, backend_runtime_ms, connector_requests, connector_bytes, cost)
SELECT project_id, month, type, key_id, SUM(created), SUM(open), SUM(succeeded), SUM(failed), SUM(canceled),
    SUM(input_tokens), SUM(cached_input_tokens), SUM(cache_write_tokens), SUM(output_tokens), SUM(reasoning_tokens),
    SUM(backend_requests), SUM(backend_runtime_ms), SUM(connector_requests), SUM(connector_bytes), SUM(cost)
FROM (
    SELECT project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM') AS month, type, key_id, 1 AS created,
        CASE WHEN finished_at IS NULL THEN 1 ELSE 0 END AS open, 0 AS succeeded, 0 AS failed, 0 AS canceled,
        0 AS input_tokens, 0 AS cached_input_tokens, 0 AS cache_write_tokens, 0 AS output_tokens, 0 AS reasoning_tokens,
        0 AS backend_requests, 0 AS backend_runtime_ms, 0 AS connector_requests, 0 AS connector_bytes, 0 AS cost
    FROM jobs
    UNION ALL
    SELECT project_id, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM'), type, key_id, 0, 0,
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
SELECT u.project_id, to_char(u.at AT TIME ZONE 'UTC', 'YYYY-MM'), COALESCE(c.connector::json ->> 'key', ''),
    SUM(c.input_tokens), SUM(c.cached_input_tokens), SUM(c.cache_write_tokens), SUM(c.output_tokens), SUM(c.reasoning_tokens),
    SUM(c.connector_requests), SUM(c.connector_bytes), SUM(c.cost)
FROM cost_rows c
JOIN usage_rows u ON u.job_id = c.job_id
GROUP BY 1, 2, 3;

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['usage_months', 'usage_connector_months']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY of_project ON %I USING (
            project_id = (SELECT current_setting(''gtm.project'', true))
            OR (SELECT current_setting(''gtm.project'', true)) = ''*'')', name);
    END LOOP;
END $$;
