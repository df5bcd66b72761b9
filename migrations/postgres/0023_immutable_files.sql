-- A file that a job made stays as it is until it goes with the job's data.
CREATE FUNCTION job_files_are_immutable() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a job''s file is immutable' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER job_files_stay BEFORE UPDATE ON job_files
    FOR EACH ROW EXECUTE FUNCTION job_files_are_immutable();
