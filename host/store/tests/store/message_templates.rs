//! Revisions of message templates: numbered without gaps, stored unchanged for ever, and as idempotent as jobs.

use std::collections::BTreeSet;
use std::time::Duration;

use bytes::Bytes;
use gtm_domain::idempotency::{Create, StoredAnswer};
use gtm_domain::job::{Finish, NewTemplateRevision, Product};
use gtm_domain::message::{
    Block, BlockKind, Inline, NewRevision, RevisionOrigin, Structure, TemplateOffer,
    TemplateOptions, TemplateRevision,
};
use gtm_domain::{Digest, JobStatus, JobType, MessageTemplateRevisionId, MicroUsd, Usage};
use gtm_store::{
    MessageTemplateRevisionPage, NewJob, NewMessageTemplateRevision, StoreError, uuid_v7,
};
use serde_json::json;

use crate::refused_rows::{allow, refuse, refuse_changes};
use crate::world::{Tenant, World};

on_both_engines!(
    it_stays_as_it_was_made,
    nobody_changes_or_removes_one,
    revisions_follow_one_another,
    numbers_have_no_gaps_under_load,
    one_key_makes_one_and_its_answer_shows_the_number,
    a_replay_uses_up_no_number,
    pages_go_from_new_to_old_and_hold_what_is_asked_for,
    a_foreign_one_is_absent,
    a_generated_one_is_stored_with_the_whole_end_of_its_job_or_not_at_all,
);
on_postgres!(a_statement_that_takes_too_long_is_told_as_busy);

fn new(world: &World, template_key: &str, language: &str) -> NewMessageTemplateRevision {
    let content = NewRevision {
        template_key: template_key.to_owned(),
        name: "Handover".to_owned(),
        origin: RevisionOrigin::Reviewed,
        language: language.to_owned(),
        audience: "Heads of operations".to_owned(),
        objective: "Start a conversation".to_owned(),
        offer: TemplateOffer {
            offer_id: None,
            summary: Some("One bill per flat.".to_owned()),
            offer_hash: Digest::of(b"One bill per flat."),
        },
        desired_next_step: "Ask for a call.".to_owned(),
        options: TemplateOptions {
            tone: TemplateOptions::DEFAULT_TONE.to_owned(),
            locale: language.to_owned(),
            max_words: 120,
            max_links: 1,
            forbidden_claims: vec!["guaranteed".to_owned()],
        },
        reason: None,
        structure: Structure {
            subject: vec![Inline::Var {
                name: "company.name".to_owned(),
            }],
            preview_text: Vec::new(),
            blocks: vec![Block {
                id: "b1".to_owned(),
                kind: BlockKind::OptOut,
                inlines: vec![Inline::Text { v: "É".to_owned() }],
                optional: false,
                fallback: Vec::new(),
            }],
        },
        variables: Vec::new(),
        rubric: None,
        template_hash: Digest::of(template_key.as_bytes()),
        review: None,
        placeholder_catalog_version: "1".to_owned(),
    };
    NewMessageTemplateRevision {
        id: MessageTemplateRevisionId::from_uuid(uuid_v7(world.now())),
        content,
        created_at: world.now(),
    }
}

fn answer(revision: &TemplateRevision) -> StoredAnswer {
    StoredAnswer {
        head: format!("stored {}", revision.id),
        body: Bytes::from(revision.revision.to_string()),
    }
}

async fn store(
    world: &World,
    tenant: &Tenant,
    new: NewMessageTemplateRevision,
) -> TemplateRevision {
    let made = world
        .store
        .create_message_template_revision(&tenant.scope, new, None, answer)
        .await;
    match made.unwrap() {
        Create::Created(revision) => revision,
        other => panic!("{other:?}"),
    }
}

async fn it_stays_as_it_was_made(world: World) {
    let mut world = world;
    let tenant = world.tenant().await;
    let asked = new(&world, "handover", "en-GB");
    let made = store(&world, &tenant, asked.clone()).await;
    let want = asked
        .content
        .stored(asked.id, tenant.project, (1, None), None, asked.created_at);
    assert_eq!(made, want);
    world.reopen().await;
    world.clock.advance(Duration::from_secs(365 * 24 * 3600));
    world.store.sweep().await.unwrap();
    let read = world
        .store
        .get_message_template_revision(&tenant.scope, made.id)
        .await;
    assert_eq!(read.unwrap(), Some(want));
    let recorded = format!(
        "SELECT COUNT(*) FROM audit_log WHERE action = 'message_template_revision.created' \
         AND actor_id = '{}' AND resource_id = '{}'",
        tenant.key, made.id
    );
    assert_eq!(world.number(&recorded).await, 1);
    assert_eq!(world.number("SELECT COUNT(*) FROM jobs").await, 0);
}

async fn nobody_changes_or_removes_one(world: World) {
    let tenant = world.tenant().await;
    store(&world, &tenant, new(&world, "handover", "en")).await;
    for (change, refusal) in [
        (
            "UPDATE message_template_revisions SET content = '{}'",
            "immutable",
        ),
        ("UPDATE message_template_revisions SET id = id", "immutable"),
        ("DELETE FROM message_template_revisions", "immutable"),
        ("UPDATE message_templates SET revision = 3", "follows"),
        ("UPDATE message_templates SET revision = 1", "follows"),
        ("DELETE FROM message_templates", "follows"),
    ] {
        let result = world.raw(change).await;
        let told = result.unwrap_err().to_string();
        assert!(told.contains(refusal), "{change}: {told}");
    }
}

async fn revisions_follow_one_another(world: World) {
    let tenant = world.tenant().await;
    let neighbour = world.tenant_in(tenant.organization).await;
    let first = store(&world, &tenant, new(&world, "handover", "en")).await;
    let second = store(&world, &tenant, new(&world, "handover", "de")).await;
    let other = store(&world, &tenant, new(&world, "renewal", "en")).await;
    let theirs = store(&world, &neighbour, new(&world, "handover", "en")).await;
    let of = |revision: &TemplateRevision| (revision.revision, revision.previous_revision_id);
    assert_eq!(of(&first), (1, None));
    assert_eq!(of(&second), (2, Some(first.id)));
    assert_eq!(of(&other), (1, None));
    assert_eq!(of(&theirs), (1, None));
    let read = world
        .store
        .get_message_template_revision(&tenant.scope, second.id)
        .await;
    assert_eq!(read.unwrap(), Some(second));
}

async fn numbers_have_no_gaps_under_load(world: World) {
    let tenant = world.tenant().await;
    let mut tasks = Vec::new();
    for n in 0..40 {
        let (handle, scope) = (world.store.clone(), tenant.scope.clone());
        let key = ["handover", "renewal"][n % 2];
        let new = new(&world, key, "en");
        tasks.push(tokio::spawn(async move {
            let made = handle
                .create_message_template_revision(&scope, new, None, answer)
                .await;
            match made.unwrap() {
                Create::Created(made) => (made.template_key, made.revision),
                other => panic!("{other:?}"),
            }
        }));
    }
    let mut numbers = BTreeSet::new();
    for task in tasks {
        numbers.insert(task.await.unwrap());
    }
    let want = ["handover", "renewal"]
        .into_iter()
        .flat_map(|key| (1..=20).map(move |number| (key.to_owned(), number)));
    assert_eq!(numbers, want.collect());
}

async fn one_key_makes_one_and_its_answer_shows_the_number(world: World) {
    let tenant = world.tenant().await;
    store(&world, &tenant, new(&world, "handover", "en")).await;
    let claim = world.idempotency(&tenant.scope, "k", "input");
    let mut tasks = Vec::new();
    for _ in 0..30 {
        let (handle, scope) = (world.store.clone(), tenant.scope.clone());
        let new = new(&world, "handover", "en");
        tasks.push(tokio::spawn(async move {
            handle
                .create_message_template_revision(&scope, new, Some(claim), answer)
                .await
                .unwrap()
        }));
    }
    let (mut created, mut replayed) = (Vec::new(), Vec::new());
    for task in tasks {
        match task.await.unwrap() {
            Create::Created(made) => created.push(made),
            Create::Replayed(response) => replayed.push(response),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((created.len(), replayed.len()), (1, 29));
    assert_eq!(created[0].revision, 2);
    assert!(replayed.iter().all(|it| *it == answer(&created[0])));
    let rows = "SELECT COUNT(*) FROM message_template_revisions";
    assert_eq!(world.number(rows).await, 2);
}

async fn a_replay_uses_up_no_number(world: World) {
    let tenant = world.tenant().await;
    let claim = world.idempotency(&tenant.scope, "k", "input");
    for _ in 0..3 {
        let new = new(&world, "handover", "en");
        let store = &world.store;
        store
            .create_message_template_revision(&tenant.scope, new, Some(claim), answer)
            .await
            .unwrap();
    }
    let other = world.idempotency(&tenant.scope, "k", "other input");
    let reused = world
        .store
        .create_message_template_revision(
            &tenant.scope,
            new(&world, "handover", "en"),
            Some(other),
            answer,
        )
        .await;
    assert_eq!(reused.unwrap(), Create::KeyReused);
    let next = store(&world, &tenant, new(&world, "handover", "en")).await;
    assert_eq!(next.revision, 2);
}

async fn pages_go_from_new_to_old_and_hold_what_is_asked_for(world: World) {
    let tenant = world.tenant().await;
    let neighbour = world.tenant_in(tenant.organization).await;
    let mut made = Vec::new();
    for n in 0..12 {
        store(&world, &neighbour, new(&world, "handover", "en")).await;
        let (key, language) = (["handover", "renewal"][n % 2], ["de", "en", "fr"][n % 3]);
        made.push(store(&world, &tenant, new(&world, key, language)).await);
        if n % 2 == 0 {
            world.clock.advance(Duration::from_millis(1));
        }
    }
    made.sort_by_key(|row| std::cmp::Reverse(row.id));
    for (template_key, language) in [
        (None, None),
        (Some("handover"), None),
        (None, Some("en")),
        (Some("renewal"), Some("fr")),
        (Some("none"), None),
    ] {
        let wanted = made.iter().filter(|row| {
            template_key.is_none_or(|key| row.template_key == key)
                && language.is_none_or(|language| row.language == language)
        });
        let (mut seen, mut before) = (Vec::new(), None);
        loop {
            let page = MessageTemplateRevisionPage {
                template_key: template_key.map(str::to_owned),
                language: language.map(str::to_owned),
                before,
                limit: 3,
            };
            let rows = world
                .store
                .list_message_template_revisions(&tenant.scope, page)
                .await
                .unwrap();
            let Some(last) = rows.last() else { break };
            before = Some(last.id);
            seen.extend(rows);
        }
        assert_eq!(seen, wanted.cloned().collect::<Vec<_>>());
    }
}

async fn a_foreign_one_is_absent(world: World) {
    let owner = world.tenant().await;
    let stranger = world.tenant_in(owner.organization).await;
    let id = store(&world, &owner, new(&world, "handover", "en"))
        .await
        .id;
    let read = world
        .store
        .get_message_template_revision(&stranger.scope, id)
        .await;
    assert_eq!(read.unwrap(), None);
    let page = MessageTemplateRevisionPage {
        limit: 10,
        ..MessageTemplateRevisionPage::default()
    };
    let rows = world
        .store
        .list_message_template_revisions(&stranger.scope, page)
        .await;
    assert_eq!(rows.unwrap(), []);
}

/// Every write of the transaction that ends the job may be the one that fails.
async fn a_generated_one_is_stored_with_the_whole_end_of_its_job_or_not_at_all(world: World) {
    let tenant = world.tenant().await;
    let job = NewJob {
        job_type: JobType::MessageTemplates,
        ..world.new_job()
    };
    let id = job.id;
    let created = world.store.create_job(&tenant.scope, job, None).await;
    assert!(matches!(created, Ok(Create::Created(_))));
    let job = world.claim_one().await;
    world.step(&job.lease, 1, 250_000).await.unwrap();
    let made = new(&world, "handover", "en");
    let finish = Finish::Succeeded {
        result: json!({"revision": null}),
        product: Product::TemplateRevision(Box::new(NewTemplateRevision {
            id: made.id,
            revision: made.content,
        })),
    };
    let end = || {
        world
            .store
            .finish(&job.lease, finish.clone(), Usage::default())
    };
    // What is left of an end: revisions with their numbers, what was charged, and what counts it.
    let traces = "SELECT (SELECT COUNT(*) FROM message_template_revisions) + (SELECT COUNT(*) FROM message_templates) \
        + (SELECT COUNT(*) FROM usage_rows) + (SELECT COUNT(*) FROM expected_costs) \
        + (SELECT COUNT(*) FROM jobs WHERE status <> 'running')";
    let entries = "SELECT COUNT(*) FROM ledger_entries";
    let before = world.number(entries).await;
    let position = world.position(&tenant.scope).await;
    let writes: [(&str, bool); 10] = [
        ("message_templates", true),
        ("message_template_revisions", true),
        ("jobs", false),
        ("open_reservations", false),
        ("credit_balances", false),
        ("monthly_totals", false),
        ("ledger_transactions", true),
        ("ledger_entries", true),
        ("expected_costs", true),
        ("usage_rows", true),
    ];
    for (table, is_new) in writes {
        match is_new {
            true => refuse(&world, table, "true").await,
            false => refuse_changes(&world, table, "true").await,
        }
        let ended = end().await;
        assert!(
            matches!(ended, Err(StoreError::RuleViolated(_))),
            "{table}: {ended:?}"
        );
        allow(&world, table).await;
        assert_eq!(world.number(traces).await, 0, "{table}");
        assert_eq!(world.number(entries).await, before, "{table}");
        assert_eq!(world.position(&tenant.scope).await, position, "{table}");
    }
    let ended = end().await.unwrap();
    assert_eq!(ended.status, JobStatus::Succeeded);
    assert_eq!(ended.result, Some(json!({"revision": 1})));
    assert_eq!(ended.usage.cost, MicroUsd::from_micros(250_000));
    assert_eq!(world.number("SELECT COUNT(*) FROM usage_rows").await, 1);
    let stored = world
        .store
        .get_message_template_revision(&tenant.scope, made.id)
        .await;
    assert_eq!(stored.unwrap().unwrap().job_id, Some(id));
    assert!(world.store.verify_ledger().await.unwrap().is_sound());
}

/// PostgreSQL ends a statement that takes too long. The caller may try again, and nothing was written.
async fn a_statement_that_takes_too_long_is_told_as_busy(world: World) {
    let tenant = world.tenant().await;
    for sql in [
        "CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS \
         $$ BEGIN PERFORM pg_sleep(60); RETURN NEW; END $$",
        "CREATE TRIGGER dawdle BEFORE INSERT ON message_template_revisions \
         FOR EACH ROW EXECUTE FUNCTION dawdle()",
    ] {
        world.raw(sql).await.unwrap();
    }
    let claim = world.idempotency(&tenant.scope, "k", "input");
    let create = || {
        let new = new(&world, "handover", "en");
        (world.store).create_message_template_revision(&tenant.scope, new, Some(claim), answer)
    };
    let late = create().await;
    assert!(matches!(late, Err(StoreError::Busy)), "{late:?}");
    let traces =
        "SELECT (SELECT COUNT(*) FROM message_templates) + (SELECT COUNT(*) FROM idempotency)";
    assert_eq!(world.number(traces).await, 0);
    world
        .raw("DROP TRIGGER dawdle ON message_template_revisions")
        .await
        .unwrap();
    assert!(matches!(create().await, Ok(Create::Created(_))));
}
