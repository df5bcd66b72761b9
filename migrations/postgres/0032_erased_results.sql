-- An erasure takes what names a person out of the result of a job that wrote to that person, once. Nothing else changes
-- the outcome of an ended job but the sweep.
ALTER TABLE jobs ADD COLUMN erased_at TIMESTAMPTZ;

-- What 0001 says of outcomes here as well is said by jobs_stay_as_ended alone.
CREATE OR REPLACE FUNCTION jobs_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.status <> OLD.status AND NOT (
        (OLD.status = 'queued' AND NEW.status IN ('running', 'canceled', 'failed'))
        OR (OLD.status = 'running' AND NEW.status IN ('succeeded', 'failed', 'canceled'))) THEN
        RAISE EXCEPTION 'this job status cannot follow the present one' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.fence < OLD.fence THEN
        RAISE EXCEPTION 'a fencing token never falls' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION jobs_stay_as_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.finished_at IS NOT NULL AND (
        NEW.finished_at IS DISTINCT FROM OLD.finished_at OR NEW.started_at IS DISTINCT FROM OLD.started_at
        OR NEW.usage IS DISTINCT FROM OLD.usage
        OR (NEW.result IS DISTINCT FROM OLD.result AND (NEW.result IS NOT NULL OR NEW.swept_at IS NULL)
            AND NOT (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL AND NEW.result IS NOT NULL
                AND OLD.swept_at IS NULL AND OLD.status = 'succeeded' AND OLD.type = 'message_templates'))
        OR (NEW.error IS DISTINCT FROM OLD.error AND (NEW.error IS NOT NULL OR NEW.swept_at IS NULL))
        OR (OLD.swept_at IS NOT NULL AND NEW.swept_at IS DISTINCT FROM OLD.swept_at)) THEN
        RAISE EXCEPTION 'the outcome of an ended job is final' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.erased_at IS DISTINCT FROM OLD.erased_at AND (OLD.erased_at IS NOT NULL OR OLD.finished_at IS NULL) THEN
        RAISE EXCEPTION 'the result of an ended job is erased once' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.swept_at IS NOT NULL AND NEW.finished_at IS NULL THEN
        RAISE EXCEPTION 'only an ended job is swept' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.id <> OLD.id OR NEW.project_id <> OLD.project_id OR NEW.organization_id <> OLD.organization_id
        OR NEW.key_id <> OLD.key_id OR NEW.type <> OLD.type THEN
        RAISE EXCEPTION 'a job keeps its owner' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
