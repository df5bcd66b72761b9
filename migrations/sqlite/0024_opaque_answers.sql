-- What an answer says besides its body is a matter of whoever gave it: the store keeps it as one text.
ALTER TABLE idempotency ADD COLUMN head TEXT NOT NULL DEFAULT '';
UPDATE idempotency SET head = json_object('status', status, 'headers', json(headers));
ALTER TABLE idempotency DROP COLUMN status;
ALTER TABLE idempotency DROP COLUMN headers;
