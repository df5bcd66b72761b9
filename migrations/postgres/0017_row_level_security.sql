-- Row-level security for the tables that had none: who owns what, what they may spend and use, and
-- where their audit chains end. As everywhere, `gtm.project` names the project of a transaction, `*`
-- stands for worker and operator statements across projects, and who names nothing sees nothing.

-- The organization of the transaction's project.
CREATE FUNCTION organization_of_project() RETURNS text LANGUAGE sql STABLE AS $$
    SELECT organization_id FROM projects WHERE id = current_setting('gtm.project', true)
$$;

DO $$
DECLARE
    everything constant text := '(SELECT current_setting(''gtm.project'', true)) = ''*''';
    own_project constant text := '(SELECT current_setting(''gtm.project'', true))';
    own_organization constant text := '(SELECT organization_of_project())';
    -- Sums and limits of the project, of its keys and of its organization.
    own_scope constant text := format(
        'scope_id = CASE scope WHEN ''project'' THEN %1$s WHEN ''organization'' THEN %2$s
            ELSE (SELECT k.id FROM api_keys k WHERE k.id = scope_id AND k.project_id = %1$s) END',
        own_project, own_organization);
    rule text[];
BEGIN
    FOREACH rule SLICE 1 IN ARRAY ARRAY[
        ['projects', 'id = ' || own_project],
        ['api_keys', 'project_id = ' || own_project],
        ['organizations', 'id = ' || own_organization],
        ['credit_balances', 'organization_id = ' || own_organization],
        ['expected_costs', 'organization_id = ' || own_organization],
        ['organization_capabilities', 'organization_id = ' || own_organization],
        ['audit_heads', 'chain = ' || own_organization],
        ['limits', own_scope],
        ['monthly_totals', own_scope],
        ['open_reservations', own_scope]]
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', rule[1]);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', rule[1]);
        EXECUTE format('CREATE POLICY of_tenant ON %I USING (%s OR %s)', rule[1], rule[2], everything);
    END LOOP;

    -- A project reads the bindings that may serve it; only operators write any.
    ALTER TABLE bindings ENABLE ROW LEVEL SECURITY;
    ALTER TABLE bindings FORCE ROW LEVEL SECURITY;
    EXECUTE format('CREATE POLICY of_tenant ON bindings FOR SELECT USING (
        scope_id = CASE level WHEN ''platform'' THEN '''' WHEN ''organization'' THEN %s ELSE %s END)',
        own_organization, own_project);
    EXECUTE format('CREATE POLICY of_operator ON bindings USING (%s)', everything);
    -- Start URLs are seen with their binding.
    ALTER TABLE binding_start_urls ENABLE ROW LEVEL SECURITY;
    ALTER TABLE binding_start_urls FORCE ROW LEVEL SECURITY;
    CREATE POLICY of_tenant ON binding_start_urls FOR SELECT USING (
        EXISTS (SELECT 1 FROM bindings b WHERE b.id = binding_id));
    EXECUTE format('CREATE POLICY of_operator ON binding_start_urls USING (%s)', everything);
END $$;
