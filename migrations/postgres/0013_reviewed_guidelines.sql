-- What came of the review that a guideline's document tells of, so that selecting a brand need not
-- read the whole document.
ALTER TABLE brand_guidelines ADD COLUMN review_status TEXT
    GENERATED ALWAYS AS (document::jsonb #>> '{governance,review,status}') STORED;
