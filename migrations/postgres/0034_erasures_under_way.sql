-- Persons who were erased while a search for people had not ended: it must not store them when it ends, and what it
-- received goes then if the erasure did not read it, or found the person in it. The rows go with the job's end.
CREATE TABLE erasures_under_way (
    job_id       TEXT NOT NULL REFERENCES jobs (id),
    project_id   TEXT NOT NULL REFERENCES projects (id),
    -- The keyed HMAC of the person's address, as outcome ledgers have it.
    subject_hmac TEXT NOT NULL CHECK (length(subject_hmac) = 76),
    -- How many calls of the search were settled and do not tell of the person. If others are by its end, they go.
    cleared      BIGINT NOT NULL CHECK (cleared >= 0),
    PRIMARY KEY (job_id, subject_hmac)
);
ALTER TABLE erasures_under_way ENABLE ROW LEVEL SECURITY;
ALTER TABLE erasures_under_way FORCE ROW LEVEL SECURITY;
CREATE POLICY of_project ON erasures_under_way USING (
    project_id = (SELECT current_setting('gtm.project', true))
    OR (SELECT current_setting('gtm.project', true)) = '*');
