//! The outcome ledger: append-only and chained, read by project and environment, and never in clear.

use std::time::Duration;

use gtm_domain::message::compliance::Environment;
use gtm_domain::outcome_ledger::{
    MailAddress, OutcomeKind, Person, ReportedOutcome, Subject, SubjectType, Suppression,
};
use gtm_domain::{ProjectId, Timestamp};
use gtm_store::{AuditRange, LedgerCheck, OutcomesRecorded, StoreError, Unread};

use crate::audit_log::entries_in;
use crate::prospecting::{first, imported};
use crate::world::{Tenant, World};

on_both_engines!(
    outcomes_are_entered_once_and_chained,
    every_kind_but_a_soft_bounce_speaks_against_writing,
    a_ledger_is_its_project_s,
    the_platform_s_list_holds_for_every_project,
    what_names_a_prospect_by_domain_or_person_is_found,
    an_entry_cannot_be_changed_or_taken_away,
    a_ledger_that_was_tampered_with_is_told,
    a_ledger_that_was_cut_with_its_head_is_told_by_the_audit_log,
    what_was_taken_off_the_platform_s_list_is_told,
    an_erasure_leaves_what_the_ledger_says,
    two_writers_never_take_one_place,
);

fn address(text: &str) -> Subject {
    Subject::Address(text.parse().unwrap())
}

fn outcome(kind: OutcomeKind, subject: Subject, at: Timestamp) -> ReportedOutcome {
    ReportedOutcome {
        kind,
        subject,
        occurred_at: at,
        source: "test".to_owned(),
    }
}

async fn record(
    world: &World,
    project: ProjectId,
    kind: OutcomeKind,
    subject: Subject,
) -> OutcomesRecorded {
    let outcome = outcome(kind, subject, world.now());
    let operator = world.store.operator();
    operator
        .record_outcomes(project, vec![outcome])
        .await
        .unwrap()
}

/// What the ledger says against writing to an address.
async fn against(world: &World, tenant: &Tenant, text: &str) -> Suppression {
    let address: MailAddress = text.parse().unwrap();
    let subjects: Vec<_> = Subject::against(&address, None, None)
        .iter()
        .map(|subject| world.store.ledger_subject(subject))
        .collect();
    let found = world.store.suppression(&tenant.scope, &subjects).await;
    found.unwrap()
}

async fn check(world: &World) -> LedgerCheck {
    let checks = world.store.operator().verify_outcome_ledgers(None).await;
    let mut checks = checks.unwrap();
    assert_eq!(checks.len(), 1);
    checks.remove(0)
}

async fn outcomes_are_entered_once_and_chained(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let now = world.now();
    let file: Vec<ReportedOutcome> = (0..1200)
        .map(|n| address(&format!("p{n}@acme.example")))
        .map(|subject| outcome(OutcomeKind::Unsubscribe, subject, now))
        .collect();
    let entered = operator
        .record_outcomes(tenant.project, file.clone())
        .await
        .unwrap();
    assert_eq!(
        (entered.added, entered.already_known, entered.sequence),
        (1200, 0, Some(1200))
    );
    let again = operator
        .record_outcomes(tenant.project, file)
        .await
        .unwrap();
    assert_eq!(
        (again.added, again.already_known, again.sequence),
        (0, 1200, Some(1200))
    );
    let checked = check(&world).await;
    assert_eq!((checked.entries, checked.breach), (1200, None));
    let audited = entries_in(&world.store, AuditRange::default()).await;
    let of_ledger: Vec<_> = audited
        .iter()
        .filter(|entry| entry.action == "outcome_ledger.recorded")
        .collect();
    // One for each transaction, each beginning where the one before ended.
    assert_eq!(of_ledger.len(), 3);
    assert_eq!(of_ledger[1].before_hash, of_ledger[0].after_hash);
    let none = operator.record_outcomes(tenant.project, Vec::new()).await;
    assert_eq!(none.unwrap().sequence, Some(1200));
    let nobody = ProjectId::from_uuid(gtm_store::uuid_v7(now));
    assert!(matches!(
        operator.record_outcomes(nobody, Vec::new()).await,
        Err(StoreError::Absent { .. })
    ));
    for text in world.texts("SELECT source FROM outcome_ledger").await {
        assert_eq!(text, "test");
    }
    for text in world.texts("SELECT subject_hmac FROM outcome_ledger").await {
        assert!(text.starts_with("hmac-sha256:"), "{text}");
    }
}

async fn every_kind_but_a_soft_bounce_speaks_against_writing(world: World) {
    let tenant = world.tenant().await;
    let empty = against(&world, &tenant, "sam@acme.example").await;
    assert_eq!(
        empty,
        Suppression {
            sequence: None,
            matched: false,
            r#match: None
        }
    );
    for kind in OutcomeKind::ALL {
        let text = format!("{}@acme.example", kind.as_str());
        record(&world, tenant.project, kind, address(&text)).await;
        let found = against(&world, &tenant, &text.to_uppercase()).await;
        assert_eq!(found.matched, kind != OutcomeKind::SoftBounce, "{text}");
        let named = found.matched.then_some(SubjectType::Address);
        assert_eq!(found.r#match, named, "{text}");
    }
    let other = against(&world, &tenant, "sam@acme.example").await;
    assert_eq!((other.matched, other.sequence), (false, Some(6)));
}

async fn a_ledger_is_its_project_s(world: World) {
    let tenant = world.tenant().await;
    let sibling = world.tenant_in(tenant.organization).await;
    let operator = world.store.operator();
    let staging = operator
        .create_project_in(tenant.organization, "staging", Environment::Staging)
        .await
        .unwrap();
    let sam = || address("sam@acme.example");
    record(&world, tenant.project, OutcomeKind::Objection, sam()).await;
    record(&world, staging.id, OutcomeKind::SoftBounce, sam()).await;
    assert!(against(&world, &tenant, "sam@acme.example").await.matched);
    assert!(!against(&world, &sibling, "sam@acme.example").await.matched);
    let all = operator.look_up_outcomes(None, &[sam()]).await.unwrap();
    let mut environments: Vec<_> = all.iter().filter_map(|one| one.environment).collect();
    environments.sort_by_key(|one| one.as_str());
    assert_eq!(
        environments,
        [Environment::Production, Environment::Staging]
    );
    let subjects = [sam()];
    let own = operator.look_up_outcomes(Some(sibling.project), &subjects);
    assert_eq!(own.await.unwrap(), []);
    let checks = operator.verify_outcome_ledgers(None).await.unwrap();
    assert_eq!(checks.len(), 2);
    let one = operator.verify_outcome_ledgers(Some(staging.id)).await;
    assert_eq!(one.unwrap().len(), 1);
    // The environment of an entry is its project's.
    let moved = "INSERT INTO outcome_ledger_heads SELECT project_id, 'development', 0, hash FROM outcome_ledger_heads";
    world.raw(moved).await.unwrap();
    let foreign = "INSERT INTO outcome_ledger SELECT l.project_id, 'development', h.sequence + 1, l.kind, \
        l.subject_type, l.subject_hmac, l.occurred_at, l.source, l.recorded_at, h.hash, l.hash FROM outcome_ledger l \
        JOIN outcome_ledger_heads h ON h.project_id = l.project_id AND h.environment = 'development'";
    let error = world.raw(foreign).await.unwrap_err().to_string();
    assert!(error.contains("follows the last one"), "{error}");
}

async fn the_platform_s_list_holds_for_every_project(world: World) {
    let (tenant, other) = (world.tenant().await, world.tenant().await);
    let operator = world.store.operator_named("Ada");
    let listed = [
        address("sam@acme.example"),
        Subject::of_domain("quiet.example").unwrap(),
    ];
    assert_eq!(
        operator
            .add_do_not_contact(&listed, "letter")
            .await
            .unwrap(),
        2
    );
    assert_eq!(
        operator.add_do_not_contact(&listed, "again").await.unwrap(),
        0
    );
    for tenant in [&tenant, &other] {
        let found = against(&world, tenant, "sam@acme.example").await;
        assert_eq!(found.r#match, Some(SubjectType::Address));
        assert_eq!(found.sequence, None, "the ledger itself is empty");
        let found = against(&world, tenant, "anybody@mail.quiet.example").await;
        assert_eq!(found.r#match, Some(SubjectType::Domain));
        assert!(!against(&world, tenant, "ada@acme.example").await.matched);
    }
    let list = operator.list_do_not_contact().await.unwrap();
    assert_eq!(list.len(), 2);
    assert!(
        list.iter()
            .all(|one| one.source == "letter" && one.added_by == "Ada")
    );
    let looked_up = operator.look_up_outcomes(None, &listed).await.unwrap();
    assert_eq!(looked_up.len(), 2);
    assert_eq!(looked_up[0].project_id, None);
    let audited = entries_in(&world.store, AuditRange::default()).await;
    let of_list = audited
        .iter()
        .filter(|entry| entry.action == "do_not_contact.added");
    assert_eq!(of_list.count(), 1);
    for sql in [
        "DELETE FROM do_not_contact",
        "UPDATE do_not_contact SET source = 'x'",
    ] {
        let error = world.raw(sql).await.unwrap_err().to_string();
        assert!(error.contains("append-only"), "{sql}: {error}");
    }
}

async fn what_names_a_prospect_by_domain_or_person_is_found(world: World) {
    let domain = || "acme.example".parse().unwrap();
    let person = Subject::Person(Person::new("SAM  OKAFOR", &domain()).unwrap());
    let of_domain = Subject::of_domain("acme.example").unwrap();
    for (subject, named) in [
        (None, None),
        (Some(person), Some(SubjectType::Person)),
        (Some(of_domain), Some(SubjectType::Domain)),
        (
            Some(address("sam@eu.acme.example")),
            Some(SubjectType::Address),
        ),
        (Some(address("ada@eu.acme.example")), None),
    ] {
        let tenant = world.tenant().await;
        let job = imported(&world, &tenant, &["sam@eu.acme.example"]).await;
        if let Some(subject) = subject {
            record(&world, tenant.project, OutcomeKind::Complaint, subject).await;
        }
        let prospect = first(&world, &tenant, &job).await;
        let found = world
            .store
            .suppression(&tenant.scope, &prospect.subjects)
            .await
            .unwrap();
        assert_eq!((found.matched, found.r#match), (named.is_some(), named));
    }
    // The narrowest that is named is told.
    let tenant = world.tenant().await;
    let job = imported(&world, &tenant, &["sam@eu.acme.example"]).await;
    let of_domain = Subject::of_domain("acme.example").unwrap();
    for subject in [of_domain, address("sam@eu.acme.example")] {
        record(&world, tenant.project, OutcomeKind::Objection, subject).await;
    }
    let prospect = first(&world, &tenant, &job).await;
    let found = world
        .store
        .suppression(&tenant.scope, &prospect.subjects)
        .await;
    assert_eq!(found.unwrap().r#match, Some(SubjectType::Address));
}

async fn an_entry_cannot_be_changed_or_taken_away(world: World) {
    let tenant = world.tenant().await;
    for text in ["sam@acme.example", "ada@acme.example"] {
        record(
            &world,
            tenant.project,
            OutcomeKind::Objection,
            address(text),
        )
        .await;
    }
    let again = "INSERT INTO outcome_ledger SELECT project_id, environment, sequence + 1, kind, subject_type, \
        subject_hmac, occurred_at, source, recorded_at, prev_hash, hash FROM outcome_ledger WHERE sequence = 2";
    for sql in [
        "UPDATE outcome_ledger SET kind = 'soft_bounce'",
        "DELETE FROM outcome_ledger",
        "DELETE FROM outcome_ledger_heads",
        "UPDATE outcome_ledger_heads SET sequence = sequence - 1",
        again,
    ] {
        assert!(world.raw(sql).await.is_err(), "{sql}");
    }
    if world.is_postgres() {
        // SQLite has no such statement.
        for table in ["outcome_ledger", "outcome_ledger_heads", "do_not_contact"] {
            let emptied = world.raw(&format!("TRUNCATE {table}")).await;
            let told = emptied.unwrap_err().to_string();
            assert!(told.contains("append-only"), "{table}: {told}");
        }
    }
    assert_eq!(check(&world).await.breach, None);
}

/// Runs SQL without the triggers that would refuse it, as somebody with the database in their hands could.
async fn forced(world: &World, sql: &str) {
    if world.is_postgres() {
        for table in ["outcome_ledger", "outcome_ledger_heads", "do_not_contact"] {
            let off = format!("ALTER TABLE {table} DISABLE TRIGGER USER");
            world.raw(&off).await.unwrap();
        }
    } else {
        for trigger in world
            .texts("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN ('outcome_ledger', 'outcome_ledger_heads', 'do_not_contact')")
            .await
        {
            world.raw(&format!("DROP TRIGGER {trigger}")).await.unwrap();
        }
    }
    world.raw(sql).await.unwrap();
}

async fn a_ledger_that_was_tampered_with_is_told(world: World) {
    let tenant = world.tenant().await;
    for n in 0..5 {
        let subject = address(&format!("p{n}@acme.example"));
        record(&world, tenant.project, OutcomeKind::Objection, subject).await;
    }
    let breach = async |sql: &str| {
        forced(&world, sql).await;
        let checked = check(&world).await;
        let breach = checked.breach.unwrap();
        (checked.entries, breach.sequence, breach.fault)
    };
    let told = breach("UPDATE outcome_ledger SET kind = 'soft_bounce' WHERE sequence = 4").await;
    assert_eq!(told, (3, 4, "the hash does not fit the entry".to_owned()));
    let told = breach("DELETE FROM outcome_ledger WHERE sequence = 2").await;
    assert_eq!(told, (1, 2, "the entry is missing".to_owned()));
    let told = breach("DELETE FROM outcome_ledger WHERE sequence > 1").await;
    assert_eq!((told.0, told.1), (1, 2));
    assert!(told.2.contains("the head lies behind it"), "{}", told.2);
    let told = breach("UPDATE outcome_ledger_heads SET sequence = 0").await;
    assert_eq!((told.0, told.1), (0, 1));
    assert!(told.2.contains("behind the ledger's head"), "{}", told.2);
    let told = breach("DELETE FROM outcome_ledger_heads").await;
    assert_eq!(told, (1, 1, "the ledger's head is missing".to_owned()));
}

async fn a_ledger_that_was_cut_with_its_head_is_told_by_the_audit_log(world: World) {
    let tenant = world.tenant().await;
    for n in 0..3 {
        let subject = address(&format!("p{n}@acme.example"));
        record(&world, tenant.project, OutcomeKind::Objection, subject).await;
    }
    assert_eq!(check(&world).await.breach, None);
    forced(&world, "DELETE FROM outcome_ledger WHERE sequence = 3").await;
    let head = "UPDATE outcome_ledger_heads SET sequence = 2, hash = (SELECT hash FROM outcome_ledger WHERE sequence = 2)";
    forced(&world, head).await;
    let checked = check(&world).await;
    let breach = checked.breach.unwrap();
    assert_eq!((checked.entries, breach.sequence), (2, 3));
    assert!(breach.fault.contains("audit log"), "{}", breach.fault);
    // Taken away as a whole.
    forced(&world, "DELETE FROM outcome_ledger").await;
    forced(&world, "DELETE FROM outcome_ledger_heads").await;
    let checked = check(&world).await;
    assert_eq!(checked.entries, 0);
    assert_eq!(checked.project_id, tenant.project);
    assert!(checked.breach.is_some());
}

async fn what_was_taken_off_the_platform_s_list_is_told(world: World) {
    let operator = world.store.operator();
    let check = async || operator.verify_do_not_contact().await.unwrap();
    assert_eq!((check().await.entries, check().await.fault), (0, None));
    let both = [address("sam@acme.example"), address("ada@acme.example")];
    operator.add_do_not_contact(&both, "letter").await.unwrap();
    world.clock.advance(Duration::from_millis(1));
    let eve = [address("eve@acme.example")];
    operator.add_do_not_contact(&eve, "letter").await.unwrap();
    assert_eq!((check().await.entries, check().await.fault), (3, None));
    let eve = world.store.ledger_subject(&eve[0]).hmac;
    forced(
        &world,
        &format!("DELETE FROM do_not_contact WHERE subject_hmac = '{eve}'"),
    )
    .await;
    let fault = check().await.fault.unwrap();
    assert!(fault.starts_with("1 of 2 additions"), "{fault}");
}

async fn an_erasure_leaves_what_the_ledger_says(world: World) {
    let tenant = world.tenant().await;
    imported(&world, &tenant, &["sam@acme.example"]).await;
    let sam = address("sam@acme.example");
    record(&world, tenant.project, OutcomeKind::Unsubscribe, sam).await;
    let erased = world
        .store
        .operator()
        .erase_prospects(&"sam@acme.example".parse().unwrap(), Unread::Keep)
        .await;
    assert_eq!(erased.unwrap().candidates, 1);
    assert!(against(&world, &tenant, "sam@acme.example").await.matched);
    assert_eq!(check(&world).await.breach, None);
}

async fn two_writers_never_take_one_place(world: World) {
    let tenant = world.tenant().await;
    let other = world.another_node().await;
    let now = world.now();
    let write = async |store: &gtm_store::Store, name: &str| {
        for n in 0..10 {
            let subject = address(&format!("{name}{n}@acme.example"));
            let outcome = outcome(OutcomeKind::HardBounce, subject, now);
            let operator = store.operator();
            operator
                .record_outcomes(tenant.project, vec![outcome])
                .await
                .unwrap();
        }
    };
    tokio::join!(write(&world.store, "a"), write(&other, "b"));
    let checked = check(&world).await;
    assert_eq!((checked.entries, checked.breach), (20, None));
}
