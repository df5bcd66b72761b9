-- What bounds the files of a job and the caller's reference. The rules of names in full are the domain's
-- (`check_files`); these hold whatever writes.
ALTER TABLE job_files
    ADD CHECK (octet_length(name) BETWEEN 1 AND 128 AND name !~ '[[:cntrl:]/\\:]' AND name NOT LIKE '.%'),
    ADD CHECK (position < 64),
    ADD CHECK (size_bytes <= 268435456);
CREATE UNIQUE INDEX job_files_by_name ON job_files (job_id, lower(name));
ALTER TABLE jobs ADD CHECK (length(external_ref) BETWEEN 1 AND 200);
