-- A file that a job made stays as it is until it goes with the job's data.
CREATE TRIGGER job_files_stay BEFORE UPDATE ON job_files
BEGIN SELECT RAISE(ABORT, 'a job''s file is immutable'); END;
