-- `lower(name)` followed the database's collation: a Turkish one takes `I` for `ı`, which the domain's rule does
-- not, so a job with both names could never end; and an update of the collation would have left the index
-- wrong. In the collation C only the letters A to Z are folded, as SQLite does, and two names that are the same
-- then are the same for the domain (`folded_file_name`) too: this index refuses nothing that the domain allows.
-- No row can be in its way, because 0025 allowed fewer names, and before 0025 no job had files.
DROP INDEX job_files_by_name;
CREATE UNIQUE INDEX job_files_by_name ON job_files (job_id, lower(name COLLATE "C"));
