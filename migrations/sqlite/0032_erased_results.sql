-- An erasure takes what names a person out of the result of a job that wrote to that person, once. Nothing else changes
-- the outcome of an ended job but the sweep.
ALTER TABLE jobs ADD COLUMN erased_at INTEGER;

DROP TRIGGER jobs_outcome_is_final;
CREATE TRIGGER jobs_outcome_is_final BEFORE UPDATE ON jobs
WHEN OLD.finished_at IS NOT NULL AND (
    NEW.finished_at IS NOT OLD.finished_at OR NEW.started_at IS NOT OLD.started_at OR NEW.usage IS NOT OLD.usage
    OR (NEW.result IS NOT OLD.result AND (NEW.result IS NOT NULL OR NEW.swept_at IS NULL)
        AND NOT (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL AND NEW.result IS NOT NULL
            AND OLD.swept_at IS NULL AND OLD.status = 'succeeded' AND OLD.type = 'message_templates'))
    OR (NEW.error IS NOT OLD.error AND (NEW.error IS NOT NULL OR NEW.swept_at IS NULL))
    OR (OLD.swept_at IS NOT NULL AND NEW.swept_at IS NOT OLD.swept_at))
BEGIN SELECT RAISE(ABORT, 'the outcome of an ended job is final'); END;
CREATE TRIGGER jobs_erased_once BEFORE UPDATE ON jobs
WHEN NEW.erased_at IS NOT OLD.erased_at AND (OLD.erased_at IS NOT NULL OR OLD.finished_at IS NULL)
BEGIN SELECT RAISE(ABORT, 'the result of an ended job is erased once'); END;
