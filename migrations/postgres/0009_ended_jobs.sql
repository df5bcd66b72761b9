-- What an ended job was stays as it was: a sweep may only take its data away, and no job changes
-- hands. 0001 let a sweep write another outcome.

CREATE FUNCTION jobs_stay_as_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.finished_at IS NOT NULL AND (
        NEW.finished_at IS DISTINCT FROM OLD.finished_at OR NEW.started_at IS DISTINCT FROM OLD.started_at
        OR NEW.usage IS DISTINCT FROM OLD.usage
        OR (NEW.result IS DISTINCT FROM OLD.result AND (NEW.result IS NOT NULL OR NEW.swept_at IS NULL))
        OR (NEW.error IS DISTINCT FROM OLD.error AND (NEW.error IS NOT NULL OR NEW.swept_at IS NULL))
        OR (OLD.swept_at IS NOT NULL AND NEW.swept_at IS DISTINCT FROM OLD.swept_at)) THEN
        RAISE EXCEPTION 'the outcome of an ended job is final' USING ERRCODE = 'check_violation';
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
CREATE TRIGGER jobs_stay_as_ended BEFORE UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION jobs_stay_as_ended();
