-- What sort of plug-in a binding leads to, under the names that the table of plug-ins has. Until now only
-- generation backends could be bound.
ALTER TABLE bindings ADD COLUMN plugin_kind TEXT
    CHECK (plugin_kind IN ('generation_backend', 'document_renderer', 'evaluator'));
UPDATE bindings SET plugin_kind = 'generation_backend' WHERE backend_key IS NOT NULL;
