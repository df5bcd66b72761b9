-- What an ended job was stays as it was: a sweep may only take its data away, and no job changes
-- hands. 0001 let a sweep write another outcome.

DROP TRIGGER jobs_outcome_is_final;
CREATE TRIGGER jobs_outcome_is_final BEFORE UPDATE ON jobs
WHEN OLD.finished_at IS NOT NULL AND (
    NEW.finished_at IS NOT OLD.finished_at OR NEW.started_at IS NOT OLD.started_at OR NEW.usage IS NOT OLD.usage
    OR (NEW.result IS NOT OLD.result AND (NEW.result IS NOT NULL OR NEW.swept_at IS NULL))
    OR (NEW.error IS NOT OLD.error AND (NEW.error IS NOT NULL OR NEW.swept_at IS NULL))
    OR (OLD.swept_at IS NOT NULL AND NEW.swept_at IS NOT OLD.swept_at))
BEGIN SELECT RAISE(ABORT, 'the outcome of an ended job is final'); END;
CREATE TRIGGER jobs_swept_when_ended BEFORE UPDATE ON jobs
WHEN NEW.swept_at IS NOT NULL AND NEW.finished_at IS NULL
BEGIN SELECT RAISE(ABORT, 'only an ended job is swept'); END;
CREATE TRIGGER jobs_keep_their_owner BEFORE UPDATE ON jobs
WHEN NEW.id <> OLD.id OR NEW.project_id <> OLD.project_id OR NEW.organization_id <> OLD.organization_id
    OR NEW.key_id <> OLD.key_id OR NEW.type <> OLD.type
BEGIN SELECT RAISE(ABORT, 'a job keeps its owner'); END;
