-- What an answer says besides its body is a matter of whoever gave it: the store keeps it as one text.
-- The rows of all projects.
SELECT set_config('gtm.project', '*', true);

ALTER TABLE idempotency ADD COLUMN head TEXT NOT NULL DEFAULT '';
UPDATE idempotency SET head = json_build_object('status', status, 'headers', headers::json)::text;
ALTER TABLE idempotency DROP COLUMN status;
ALTER TABLE idempotency DROP COLUMN headers;
