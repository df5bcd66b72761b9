//! The audit log: what is recorded and what is not. `audit_lists` tests reading it, `audit_tampering` that
//! tampering is found.

use std::collections::HashSet;
use std::time::Duration;

use gtm_domain::audit::AuditEntry;
use gtm_domain::binding::{BindingScope, BindingTarget};
use gtm_domain::connection::ConnectionStatus;
use gtm_domain::job::{CreateJob, JOB_RETENTION};
use gtm_domain::plugin::{PluginKey, PluginPackage, PluginVersion};
use gtm_domain::tenant::Project;
use gtm_domain::{AuditEntryId, Digest, Permissions};
use gtm_store::{AuditPlace, AuditRange, ConnectionChange, Operator, RequestOrigin, Store};
use serde_json::json;

use crate::bindings::new_connection;
use crate::world::World;

on_both_engines!(
    each_operator_action_leaves_one_entry,
    canceling_and_archiving_name_who_did_it,
    a_create_is_recorded_and_nothing_else_of_a_request,
    a_rolled_back_create_leaves_nothing,
    parallel_creates_make_gapless_chains,
    retention_keeps_entries_and_makes_some,
);

/// All entries of the log, chain by chain, each in order.
pub async fn entries_in(store: &Store, range: AuditRange) -> Vec<AuditEntry> {
    let (operator, mut place) = (store.operator(), AuditPlace::default());
    let mut all = Vec::new();
    loop {
        let page = operator.audit_entries(range, &mut place).await.unwrap();
        if page.is_empty() {
            return all;
        }
        all.extend(page);
    }
}

/// Returns what was recorded since its last call.
struct Reader<'a> {
    world: &'a World,
    seen: HashSet<AuditEntryId>,
}

impl<'a> Reader<'a> {
    async fn new(world: &'a World) -> Self {
        let mut reader = Self {
            world,
            seen: HashSet::new(),
        };
        reader.fresh().await;
        reader
    }

    async fn fresh(&mut self) -> Vec<AuditEntry> {
        let mut entries = entries_in(&self.world.store, AuditRange::default()).await;
        entries.retain(|entry| self.seen.insert(entry.id));
        entries
    }

    async fn none(&mut self) {
        let entries = self.fresh().await;
        assert!(entries.is_empty(), "{entries:?}");
    }

    /// The only new entry; it must record this action on this resource by the operator `ada`.
    async fn one(&mut self, action: &str, resource: impl ToString) -> AuditEntry {
        let mut entries = self.fresh().await;
        assert_eq!(entries.len(), 1, "{entries:?}");
        let entry = entries.remove(0);
        let noun = action.split_once('.').unwrap().0;
        assert_eq!(
            (entry.action.as_str(), entry.resource.kind.as_str()),
            (action, noun)
        );
        assert_eq!(entry.resource.id, resource.to_string());
        assert_eq!(
            (entry.actor.kind.as_str(), entry.actor.id.as_str()),
            ("operator", "ada")
        );
        assert_eq!((&entry.request_id, &entry.ip_hash), (&None, &None));
        entry
    }
}

async fn each_operator_action_leaves_one_entry(world: World) {
    let operator = world.store.operator_named("ada");
    let mut log = Reader::new(&world).await;
    let org = operator.create_organization("Acme").await.unwrap();
    let entry = log.one("organization.created", org.id).await;
    assert_eq!(entry.chain, org.id.to_string());
    assert!(entry.before_hash.is_none() && entry.after_hash.is_some());

    let project = operator.create_project(org.id, "main").await.unwrap();
    let entry = log.one("project.created", project.id).await;
    assert_eq!(
        (entry.organization_id, entry.project_id),
        (Some(org.id), Some(project.id))
    );

    let permissions = Permissions::parse("full").unwrap();
    let (key, secret) = operator
        .create_key(project.id, "k", permissions, None)
        .await
        .unwrap();
    let made = log.one("api_key.created", key.id).await;
    assert_eq!(made.project_id, Some(project.id));
    operator.revoke_key(key.id).await.unwrap();
    let revoked = log.one("api_key.revoked", key.id).await;
    assert_eq!(revoked.before_hash, made.after_hash);
    assert_ne!(revoked.before_hash, revoked.after_hash);
    operator.revoke_key(key.id).await.unwrap();
    log.none().await;

    // Each part has a frame of its own: without optimization, one function with all of them overflows a stack.
    Box::pin(connections(&operator, &mut log, &project)).await;
    Box::pin(bindings(&operator, &mut log, &project)).await;
    Box::pin(plugins(&operator, &mut log)).await;

    let absent = operator.create_project(
        gtm_domain::OrganizationId::from_uuid(gtm_store::uuid_v7(world.now())),
        "x",
    );
    absent.await.unwrap_err();
    log.none().await;

    let text = serde_json::to_string(&entries_in(&world.store, AuditRange::default()).await);
    let text = text.unwrap();
    assert!(!text.contains("sk-secret") && !text.contains(&secret.reveal()));
    let report = world.store.verify_audit(&[]).await.unwrap();
    assert!(report.is_sound(), "{report:?}");
}

async fn connections(operator: &Operator, log: &mut Reader<'_>, project: &Project) {
    let connection = operator
        .create_connection(project.id, new_connection("sk-secret"))
        .await
        .unwrap();
    let made = log.one("connection.created", connection.id).await;
    let rename = ConnectionChange {
        name: Some("other".to_owned()),
        ..ConnectionChange::default()
    };
    operator
        .update_connection(connection.id, rename.clone())
        .await
        .unwrap();
    let renamed = log.one("connection.updated", connection.id).await;
    assert_eq!(renamed.before_hash, made.after_hash);
    operator
        .update_connection(connection.id, rename)
        .await
        .unwrap();
    log.none().await;
    operator.disable_connection(connection.id).await.unwrap();
    let disabled = log.one("connection.disabled", connection.id).await;
    assert_eq!(disabled.before_hash, renamed.after_hash);
    operator.disable_connection(connection.id).await.unwrap();
    log.none().await;
    let enable = ConnectionChange {
        status: Some(ConnectionStatus::Configured),
        ..ConnectionChange::default()
    };
    operator
        .update_connection(connection.id, enable)
        .await
        .unwrap();
    log.one("connection.enabled", connection.id).await;
}

async fn bindings(operator: &Operator, log: &mut Reader<'_>, project: &Project) {
    let target = |key: &str| BindingTarget::Backend {
        key: key.to_owned(),
        version: None,
    };
    let scope = BindingScope::Project(project.id);
    let bound = operator
        .set_binding(scope, "playbooks", target("a"), json!({}))
        .await
        .unwrap();
    let made = log.one("binding.created", bound.id).await;
    assert_eq!(
        (made.organization_id, made.project_id),
        (Some(project.organization), Some(project.id))
    );
    operator
        .set_binding(scope, "playbooks", target("b"), json!({}))
        .await
        .unwrap();
    let changed = log.one("binding.updated", bound.id).await;
    assert_eq!(changed.before_hash, made.after_hash);
    assert!(operator.remove_binding(bound.id).await.unwrap());
    let deleted = log.one("binding.deleted", bound.id).await;
    assert_eq!(
        (deleted.before_hash, deleted.after_hash),
        (changed.after_hash, None)
    );
    assert!(!operator.remove_binding(bound.id).await.unwrap());
    log.none().await;
    let platform = operator
        .set_binding(BindingScope::Platform, "playbooks", target("a"), json!({}))
        .await
        .unwrap();
    let entry = log.one("binding.created", platform.id).await;
    assert_eq!(
        (entry.chain.as_str(), entry.seq),
        ("platform", 2),
        "after the entry that begins the chain"
    );
}

async fn plugins(operator: &Operator, log: &mut Reader<'_>) {
    let package = PluginPackage {
        content: PluginVersion {
            plugin: PluginKey {
                kind: "generation_backend".to_owned(),
                key: "playbook".to_owned(),
            },
            version: "1.0.0".to_owned(),
            component_digest: Some(Digest::of(b"component")),
            manifest_digest: Digest::of(b"manifest"),
            manifest: json!({}),
        },
        publisher: Some("com.acme".to_owned()),
        approved: false,
    };
    operator
        .record_plugins(std::slice::from_ref(&package))
        .await
        .unwrap();
    let entries = log.fresh().await;
    assert_eq!(entries.len(), 1);
    assert_eq!(
        (entries[0].action.as_str(), entries[0].actor.kind.as_str()),
        ("plugin.added", "system")
    );
    let resource = "generation_backend/playbook/1.0.0";
    assert_eq!(entries[0].resource.id, resource);
    let known = operator.record_plugins(std::slice::from_ref(&package));
    assert_eq!(known.await.unwrap(), []);
    log.none().await;
    let approve = || operator.approve_plugin(&package.content.plugin, "1.0.0");
    assert!(approve().await.unwrap().1);
    log.one("plugin.approved", resource).await;
    assert!(!approve().await.unwrap().1);
    log.none().await;
    let transfer = || operator.transfer_plugin(&package.content.plugin, "com.other");
    assert!(transfer().await.unwrap().1);
    log.one("plugin.transferred", "generation_backend/playbook")
        .await;
    assert!(!transfer().await.unwrap().1);
    log.none().await;
}

async fn canceling_and_archiving_name_who_did_it(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator_named("ada");
    let running = world.running(&tenant).await.job.id;
    let queued = world.create(&tenant.scope).await.id;
    let left = world.create(&tenant.scope).await.id;
    let mut log = Reader::new(&world).await;
    operator.cancel_job(queued).await.unwrap();
    let entry = log.one("job.canceled", queued).await;
    assert_ne!(entry.before_hash, entry.after_hash);
    operator.cancel_job(queued).await.unwrap();
    log.none().await;
    operator.cancel_job(running).await.unwrap();
    log.one("job.cancel_requested", running).await;
    operator.cancel_job(running).await.unwrap();
    log.none().await;

    operator.archive_project(tenant.project).await.unwrap();
    let entries = log.fresh().await;
    let told: Vec<_> = entries
        .iter()
        .map(|e| (e.actor.kind.as_str(), e.action.as_str(), &e.resource.id))
        .collect();
    assert_eq!(
        told,
        [
            ("operator", "project.archived", &tenant.project.to_string()),
            ("system", "job.canceled", &left.to_string()),
        ]
    );
    operator.archive_project(tenant.project).await.unwrap();
    log.none().await;
    operator
        .archive_organization(tenant.organization)
        .await
        .unwrap();
    log.one("organization.archived", tenant.organization).await;
    operator
        .archive_organization(tenant.organization)
        .await
        .unwrap();
    log.none().await;
}

async fn a_create_is_recorded_and_nothing_else_of_a_request(world: World) {
    let tenant = world.tenant().await;
    let origin = |address: &str| RequestOrigin {
        request_id: "req-1".to_owned(),
        peer: Some(address.parse().unwrap()),
    };
    let scope = tenant.scope.clone().acting_for(origin("192.0.2.7"));
    let mut log = Reader::new(&world).await;
    let claim = world.idempotency(&scope, "k", "input");
    let job = world.new_job();
    let made = world.store.create_job(&scope, job.clone(), Some(claim));
    assert!(matches!(made.await.unwrap(), CreateJob::Created(_)));
    let entry = log.fresh().await.remove(0);
    assert_eq!(
        (entry.action.as_str(), &entry.resource.id),
        ("job.created", &job.id.to_string())
    );
    assert_eq!(
        (entry.actor.kind.as_str(), &entry.actor.id),
        ("key", &tenant.key.to_string())
    );
    assert_eq!(entry.request_id.as_deref(), Some("req-1"));
    let hash = entry.ip_hash.unwrap();
    assert!(
        hash.starts_with("hmac-sha256:") && hash.len() == 76,
        "{hash}"
    );

    let again = world.store.create_job(&scope, world.new_job(), Some(claim));
    assert!(matches!(again.await.unwrap(), CreateJob::Replayed(_)));
    let other = world.idempotency(&scope, "k", "other input");
    let reused = world.store.create_job(&scope, world.new_job(), Some(other));
    assert_eq!(reused.await.unwrap(), CreateJob::KeyReused);
    world.store.get_job(&scope, job.id).await.unwrap();
    log.none().await;

    // The hash identifies a caller within an organization, and differs between organizations.
    let hash_for = async |scope: gtm_store::ProjectScope, log: &mut Reader<'_>| {
        world.create(&scope).await;
        log.fresh().await.remove(0).ip_hash
    };
    let mapped = tenant.scope.clone().acting_for(origin("::ffff:192.0.2.7"));
    assert_eq!(hash_for(mapped, &mut log).await.unwrap(), hash);
    let neighbour = tenant.scope.clone().acting_for(origin("192.0.2.8"));
    assert_ne!(hash_for(neighbour, &mut log).await.unwrap(), hash);
    let stranger = world.tenant().await;
    log.fresh().await;
    let elsewhere = stranger.scope.clone().acting_for(origin("192.0.2.7"));
    assert_ne!(hash_for(elsewhere, &mut log).await.unwrap(), hash);
    assert_eq!(hash_for(tenant.scope.clone(), &mut log).await, None);
}

async fn a_rolled_back_create_leaves_nothing(world: World) {
    let tenant = world.tenant().await;
    let mut log = Reader::new(&world).await;
    let claim = world.idempotency(&tenant.scope, "k", "input");
    let creates = (0..64).map(|_| {
        world
            .store
            .create_job(&tenant.scope, world.new_job(), Some(claim))
    });
    for outcome in futures::future::join_all(creates).await {
        outcome.unwrap();
    }
    let entries = log.fresh().await;
    assert_eq!(entries.len(), 1, "one job, one entry: {entries:?}");
    // If inserting a job fails, its entry is rolled back too.
    let twice = world.new_job();
    let made = world.store.create_job(&tenant.scope, twice.clone(), None);
    made.await.unwrap();
    assert_eq!(log.fresh().await.len(), 1);
    let again = world.store.create_job(&tenant.scope, twice, None).await;
    again.unwrap_err();
    log.none().await;
    assert!(world.store.verify_audit(&[]).await.unwrap().is_sound());
}

async fn parallel_creates_make_gapless_chains(world: World) {
    // With more at once, a busy machine would make them wait for each other longer than a write may take.
    const ROUNDS: usize = 20;
    let mut world = world;
    world.config.max_readers = 3;
    world.reopen().await;
    let first = world.unaudited_tenant().await;
    let mut tenants = vec![world.tenant_in(first.organization).await, first];
    for _ in 0..3 {
        tenants.push(world.unaudited_tenant().await);
    }
    let nodes = [world.store.clone(), world.another_node().await];
    let mut tasks = Vec::new();
    for n in 0..ROUNDS {
        for (m, tenant) in tenants.iter().enumerate() {
            let (store, scope, job) = (
                nodes[(n + m) % 2].clone(),
                tenant.scope.clone(),
                world.new_job(),
            );
            tasks.push(tokio::spawn(async move {
                store.create_job(&scope, job, None).await.unwrap();
            }));
        }
        // Writes that lock several things in another order.
        let (store, project) = (nodes[n % 2].clone(), tenants[n % 5].project);
        tasks.push(tokio::spawn(async move {
            store
                .operator()
                .create_key(project, "k", Permissions::parse("full").unwrap(), None)
                .await
                .unwrap();
        }));
    }
    let all = futures::future::join_all(tasks);
    for task in tokio::time::timeout(Duration::from_secs(120), all)
        .await
        .unwrap()
    {
        task.unwrap();
    }
    let report = world.store.verify_audit(&[]).await.unwrap();
    // Four organizations, five projects with a key each, the creates, and the first entry of the platform's
    // chain.
    let expected = 4 + 5 * 2 + u64::try_from(ROUNDS).unwrap() * 6 + 1;
    assert_eq!((report.chains, report.entries), (5, expected), "{report:?}");
    assert!(report.is_sound(), "{report:?}");
    for head in world.store.operator().audit_heads().await.unwrap() {
        let sql = format!(
            "SELECT COUNT(*) FROM audit_log WHERE chain = '{}'",
            head.chain
        );
        assert_eq!(world.number(&sql).await, i64::try_from(head.seq).unwrap());
    }
}

async fn retention_keeps_entries_and_makes_some(world: World) {
    let (tenant, other) = (world.tenant().await, world.tenant().await);
    let first = world.create(&tenant.scope).await.id;
    let second = world.create(&other.scope).await.id;
    let before = entries_in(&world.store, AuditRange::default()).await;
    let mut log = Reader::new(&world).await;
    world.clock.advance(JOB_RETENTION);
    assert_eq!(world.store.sweep().await.unwrap().jobs, 2);
    let after = entries_in(&world.store, AuditRange::default()).await;
    assert!(before.iter().all(|entry| after.contains(entry)));
    let fresh = log.fresh().await;
    for job in [first, second] {
        let own: Vec<_> = fresh
            .iter()
            .filter(|e| e.resource.id == job.to_string())
            .map(|e| (e.actor.id.as_str(), e.action.as_str()))
            .collect();
        assert_eq!(
            own,
            [("retention", "job.canceled"), ("retention", "job.expired")]
        );
    }
    assert_eq!(fresh.len(), 4);
    world.store.sweep().await.unwrap();
    log.none().await;
    assert!(world.store.verify_audit(&[]).await.unwrap().is_sound());
}
