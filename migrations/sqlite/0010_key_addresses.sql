-- From where a key may be used.

-- Address ranges as a JSON array of texts; from anywhere if it is empty.
ALTER TABLE api_keys ADD COLUMN allowed_cidrs TEXT NOT NULL DEFAULT '[]';
