//! Prospecting jobs: an import is a job that succeeded, addresses are sealed, and all of it goes with the job.

use std::time::Duration;

use gtm_domain::audit::AuditEntry;
use gtm_domain::job::{JOB_RETENTION, Job};
use gtm_domain::message::compliance::{AddressSourceClass, Environment};
use gtm_domain::money::{LimitMetric, LimitOwner};
use gtm_domain::outcome_ledger::{MailAddress, Subject, SubjectType};
use gtm_domain::prospecting::{
    Candidate, CandidateCompany, CandidatePerson, EvidenceKind, ImportedCandidate,
    ImportedEvidence, Qualification, QualificationStatus,
};
use gtm_domain::{Digest, JobId, JobStatus, JobType, KeyRecordId, MicroUsd, ProspectId, Timestamp};
use gtm_store::{
    AuditRange, CandidatePage, KeyRing, Prospect, ProspectImport, Store, StoreError, Unread,
    uuid_v7,
};
use serde_json::json;

use crate::audit_log::entries_in;
use crate::world::{Tenant, World};

on_both_engines!(
    an_import_is_a_job_that_succeeded,
    candidates_are_read_by_their_project_alone,
    addresses_are_sealed_and_reading_one_is_recorded,
    a_job_is_charged_to_an_active_key_of_the_project,
    candidates_go_with_the_job,
    an_erasure_takes_a_candidate_from_every_project,
    candidates_stay_as_they_are,
    an_import_counts_against_quotas,
    a_project_keeps_its_environment,
);

/// Another master key.
const OTHER: &str = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";

fn candidate(address: &str, now: Timestamp) -> ImportedCandidate {
    let evidence = |kind, class| ImportedEvidence {
        kind,
        url: Some("https://acme.example/team".to_owned()),
        source_label: None,
        retrieved_at: Timestamp::from_millis(now.millis()),
        observed_on: None,
        content_digest: Digest::of(address.as_bytes()),
        excerpt: "Sam Okafor, Head of operations".to_owned(),
        hook: None,
        address_source_class: class,
        lawful_basis: None,
        synthetic: false,
    };
    ImportedCandidate {
        synthetic: false,
        qualification: Qualification {
            status: QualificationStatus::Accepted,
            reason: None,
            decided_at: Some(Timestamp::from_millis(now.millis())),
        },
        person: CandidatePerson {
            first_name: Some("Sam".to_owned()),
            full_name: Some("Sam Okafor".to_owned()),
            role: None,
        },
        company: CandidateCompany {
            name: Some("Acme".to_owned()),
            domain: Some("acme.example".to_owned()),
            country: Some("GB".to_owned()),
            legal_form: None,
            industry: None,
            location: None,
        },
        address: address.parse().unwrap(),
        evidence: vec![
            evidence(EvidenceKind::CompanyFact, None),
            evidence(
                EvidenceKind::AddressProvenance,
                Some(AddressSourceClass::PublishedByCompany),
            ),
        ],
        expires_at: Timestamp::from_millis(now.plus(Duration::from_secs(86_400)).millis()),
    }
}

pub fn import(addresses: &[&str], now: Timestamp) -> ProspectImport {
    ProspectImport {
        candidates: addresses.iter().map(|one| candidate(one, now)).collect(),
        format: "json",
        file: Digest::of(b"file"),
    }
}

pub async fn imported(world: &World, tenant: &Tenant, addresses: &[&str]) -> Job {
    let operator = world.store.operator();
    let file = import(addresses, world.now());
    operator
        .import_prospects(tenant.project, None, file)
        .await
        .unwrap()
}

pub async fn candidates(world: &World, tenant: &Tenant, job: JobId) -> Vec<Candidate> {
    let page = CandidatePage {
        after: None,
        limit: 100,
    };
    let found = world.store.candidates(&tenant.scope, job, page).await;
    found.unwrap().unwrap()
}

pub async fn first(world: &World, tenant: &Tenant, job: &Job) -> Prospect {
    let id = candidates(world, tenant, job.id).await[0].id;
    let found = world.store.prospect(&tenant.scope, job.id, id).await;
    found.unwrap().unwrap()
}

pub async fn recorded(world: &World, action: &str) -> Vec<AuditEntry> {
    let entries = entries_in(&world.store, AuditRange::default()).await;
    let of_action = entries.into_iter().filter(|entry| entry.action == action);
    of_action.collect()
}

pub fn conflict<T: std::fmt::Debug>(result: Result<T, StoreError>, told: &str) {
    match result.unwrap_err() {
        StoreError::Conflict(text) => assert!(text.contains(told), "{text}"),
        other => panic!("{other}"),
    }
}

async fn an_import_is_a_job_that_succeeded(world: World) {
    let tenant = world.tenant().await;
    let mut file = import(&["sam@acme.example", "ada@acme.example"], world.now());
    file.candidates[1].qualification.status = QualificationStatus::Pending;
    file.candidates[1].synthetic = true;
    let operator = world.store.operator();
    let job = operator
        .import_prospects(tenant.project, None, file)
        .await
        .unwrap();
    assert_eq!(
        (job.status, job.job_type, job.key, job.progress),
        (JobStatus::Succeeded, JobType::Prospecting, tenant.key, 100)
    );
    assert_eq!(
        job.result,
        Some(json!({"candidates": 2, "accepted": 1, "rejected": 0, "pending": 1, "synthetic": 1}))
    );
    assert_eq!(
        (job.reserved, job.usage.cost),
        (MicroUsd::ZERO, MicroUsd::ZERO)
    );
    assert_eq!(job.expires_at, world.now().plus(JOB_RETENTION));
    // Whoever may read the job cannot try who was in the file.
    assert_eq!(
        job.input,
        json!({"operation": "import", "format": "json", "candidates": 2})
    );
    let read = world.store.get_job(&tenant.scope, job.id).await.unwrap();
    assert_eq!(read, Some(job.clone()));
    assert!(world.claim(5).await.is_empty(), "nothing is left to run");
    assert!(world.store.verify_ledger().await.unwrap().is_sound());
    let created = recorded(&world, "job.created").await;
    assert_eq!(created[0].resource.id, job.id.to_string());
    let imported = recorded(&world, "prospecting_job.imported").await;
    assert_eq!(imported[0].after_hash, Some(Digest::of(b"file")));
    assert_eq!(imported[0].actor.kind, "operator");
}

async fn candidates_are_read_by_their_project_alone(world: World) {
    let tenant = world.tenant().await;
    let sibling = world.tenant_in(tenant.organization).await;
    let addresses = ["c@acme.example", "a@acme.example", "b@mail.acme.example"];
    let job = imported(&world, &tenant, &addresses).await;
    let all = candidates(&world, &tenant, job.id).await;
    let masked: Vec<&str> = all.iter().map(|one| one.address.masked.as_str()).collect();
    assert_eq!(
        masked,
        [
            "c***@acme.example",
            "a***@acme.example",
            "b***@mail.acme.example"
        ],
        "in the order of the file"
    );
    assert_eq!(all[0].evidence.len(), 2);
    assert_eq!(all[0].address.address_evidence_id, all[0].evidence[1].id);
    let store = &world.store;
    let mut paged = Vec::new();
    let mut page = CandidatePage {
        after: None,
        limit: 2,
    };
    loop {
        let read = store.candidates(&tenant.scope, job.id, page).await;
        let read = read.unwrap().unwrap();
        let Some(last) = read.last() else { break };
        page.after = Some(last.id);
        paged.extend(read);
    }
    assert_eq!(paged, all);

    let found = store.prospect(&tenant.scope, job.id, all[2].id).await;
    let found = found.unwrap().unwrap();
    assert_eq!(found.candidate, all[2]);
    let types: Vec<SubjectType> = found.subjects.iter().map(|one| one.subject_type).collect();
    assert_eq!(
        types,
        [
            SubjectType::Address,
            SubjectType::Domain,
            SubjectType::Domain,
            // At the domain of the mailbox and at the one above: the whole name, and each word with the initial of the other.
            SubjectType::Person,
            SubjectType::Person,
            SubjectType::Person,
            SubjectType::Person,
            SubjectType::Person,
            SubjectType::Person,
        ]
    );
    let whole = CandidatePage {
        after: None,
        limit: 9,
    };
    let scope = &sibling.scope;
    assert_eq!(store.candidates(scope, job.id, whole).await.unwrap(), None);
    assert_eq!(
        store.prospect(scope, job.id, all[0].id).await.unwrap(),
        None
    );
    // A job of another type has none, and neither has another job.
    let playbook = world.create(&tenant.scope).await;
    let scope = &tenant.scope;
    assert_eq!(
        store.candidates(scope, playbook.id, whole).await.unwrap(),
        None
    );
    assert_eq!(
        store.prospect(scope, playbook.id, all[0].id).await.unwrap(),
        None
    );
}

async fn addresses_are_sealed_and_reading_one_is_recorded(world: World) {
    let tenant = world.tenant().await;
    let job = imported(&world, &tenant, &["sam@acme.example"]).await;
    let id = candidates(&world, &tenant, job.id).await[0].id;
    for sql in [
        "SELECT candidate FROM prospects",
        "SELECT record FROM prospect_evidence",
        "SELECT subject_hmac FROM prospect_subjects",
        "SELECT input FROM jobs",
        "SELECT result FROM jobs",
    ] {
        for text in world.texts(sql).await {
            assert!(!text.contains("sam@"), "{sql}: {text}");
        }
    }
    let operator = world.store.operator();
    let clear = operator.read_address(id).await.unwrap();
    assert_eq!(clear.in_clear(), "sam@acme.example");
    assert_eq!(recorded(&world, "prospect.address_shown").await.len(), 1);
    let nobody = ProspectId::from_uuid(uuid_v7(world.now()));
    assert!(matches!(
        operator.read_address(nobody).await,
        Err(StoreError::Absent { .. })
    ));

    // Under a new master key the address is resealed, and opens without the old one.
    let text = std::fs::read_to_string(world.dir.path().join("master.key")).unwrap();
    let line = |kind: &str| text.lines().find_map(|line| line.strip_prefix(kind));
    let (master, pepper) = (
        line("master ").unwrap().trim(),
        line("pepper ").unwrap().trim(),
    );
    world.store.close().await;
    let connect = async |masters: &str| {
        let ring = KeyRing::from_base64(masters, Some(pepper)).unwrap();
        Store::connect(&world.config, ring, world.clock.clone())
            .await
            .unwrap()
    };
    let rotated = connect(&format!("{OTHER},{master}")).await;
    let operator = rotated.operator();
    assert_eq!(operator.reseal_credentials().await.unwrap(), 1);
    assert_eq!(operator.reseal_credentials().await.unwrap(), 0);
    rotated.close().await;
    let without = connect(OTHER).await;
    let clear = without.operator().read_address(id).await.unwrap();
    assert_eq!(clear.in_clear(), "sam@acme.example");
    // The ledger asks for the same HMACs as before.
    let subject = Subject::Address(clear);
    assert_eq!(
        without.ledger_subject(&subject),
        world.store.ledger_subject(&subject)
    );
}

async fn a_job_is_charged_to_an_active_key_of_the_project(world: World) {
    let tenant = world.tenant().await;
    let other = world.tenant_in(tenant.organization).await;
    let operator = world.store.operator();
    let file = || import(&["sam@acme.example"], world.now());
    world.clock.advance(Duration::from_secs(1));
    let permissions = gtm_domain::Permissions::parse("read_only").unwrap();
    let (newest, _) = operator
        .create_key(tenant.project, "newest", permissions, None)
        .await
        .unwrap();
    let import = async |key: Option<KeyRecordId>| {
        operator.import_prospects(tenant.project, key, file()).await
    };
    assert_eq!(import(None).await.unwrap().key, newest.id);
    assert_eq!(import(Some(tenant.key)).await.unwrap().key, tenant.key);
    conflict(import(Some(other.key)).await, "is none of project");
    operator.revoke_key(newest.id).await.unwrap();
    conflict(import(Some(newest.id)).await, "is revoked");
    assert_eq!(import(None).await.unwrap().key, tenant.key);
    operator.revoke_key(tenant.key).await.unwrap();
    conflict(import(None).await, "has no active key");
    operator.archive_project(other.project).await.unwrap();
    let archived = operator.import_prospects(other.project, None, file());
    conflict(archived.await, "is archived");
    let jobs = world.number("SELECT COUNT(*) FROM jobs").await;
    assert_eq!(jobs, 3, "what was refused left nothing");
}

async fn candidates_go_with_the_job(world: World) {
    let tenant = world.tenant().await;
    let job = imported(&world, &tenant, &["sam@acme.example"]).await;
    world.clock.advance(JOB_RETENTION + Duration::from_secs(1));
    assert_eq!(world.store.sweep().await.unwrap().jobs, 1);
    for table in ["prospects", "prospect_subjects", "prospect_evidence"] {
        let rows = world.number(&format!("SELECT COUNT(*) FROM {table}")).await;
        assert_eq!(rows, 0, "{table}");
    }
    let gone = world.store.get_job(&tenant.scope, job.id).await.unwrap();
    assert!(gone.unwrap().expired);
    assert!(candidates(&world, &tenant, job.id).await.is_empty());
}

async fn an_erasure_takes_a_candidate_from_every_project(world: World) {
    let (tenant, other) = (world.tenant().await, world.tenant().await);
    let both = ["sam@acme.example", "ada@acme.example"];
    let job = imported(&world, &tenant, &both).await;
    let elsewhere = imported(&world, &other, &["sam@acme.example"]).await;
    let operator = world.store.operator();
    let sam: MailAddress = "SAM@acme.example".parse().unwrap();
    for count in [2, 0] {
        let erased = operator.erase_prospects(&sam, Unread::Keep).await.unwrap();
        assert_eq!(erased.candidates, count);
    }
    let left = candidates(&world, &tenant, job.id).await;
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].address.masked, "a***@acme.example");
    assert!(candidates(&world, &other, elsewhere.id).await.is_empty());
    let rows = world.number("SELECT COUNT(*) FROM prospect_evidence").await;
    assert_eq!(rows, 2);
    assert_eq!(recorded(&world, "prospect.erased").await.len(), 2);
}

async fn candidates_stay_as_they_are(world: World) {
    let tenant = world.tenant().await;
    imported(&world, &tenant, &["sam@acme.example"]).await;
    for (sql, told) in [
        ("UPDATE prospects SET candidate = '{}'", "immutable"),
        ("UPDATE prospects SET expires_at = created_at", "immutable"),
        ("UPDATE prospect_evidence SET record = '{}'", "immutable"),
        (
            "UPDATE prospect_subjects SET subject_type = 'person'",
            "immutable",
        ),
    ] {
        let error = world.raw(sql).await.unwrap_err().to_string();
        assert!(error.contains(told), "{sql}: {error}");
    }
    // A candidate never outlives its job.
    let mut file = import(&["ada@acme.example"], world.now());
    file.candidates[0].expires_at = world.now().plus(JOB_RETENTION + Duration::from_secs(1));
    let refused = world
        .store
        .operator()
        .import_prospects(tenant.project, None, file)
        .await;
    assert!(
        matches!(refused, Err(StoreError::RuleViolated(_))),
        "{refused:?}"
    );
}

async fn an_import_counts_against_quotas(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    operator
        .set_limit(
            LimitOwner::Project(tenant.project),
            LimitMetric::MonthlyJobs,
            1,
        )
        .await
        .unwrap();
    imported(&world, &tenant, &["sam@acme.example"]).await;
    let file = import(&["ada@acme.example"], world.now());
    let refused = operator.import_prospects(tenant.project, None, file).await;
    assert!(
        matches!(refused, Err(StoreError::Refused(_))),
        "{refused:?}"
    );
    assert_eq!(world.number("SELECT COUNT(*) FROM prospects").await, 1);
}

async fn a_project_keeps_its_environment(world: World) {
    let tenant = world.tenant().await;
    let operator = world.store.operator();
    let staging = operator
        .create_project_in(tenant.organization, "tests", Environment::Staging)
        .await
        .unwrap();
    assert_eq!(staging.environment, Environment::Staging);
    let shown = operator.show_project(staging.id).await.unwrap().unwrap();
    assert_eq!(shown, staging);
    let found = world.store.project_environment(&tenant.scope).await;
    assert_eq!(
        found.unwrap(),
        Environment::Production,
        "unless told otherwise"
    );
    let error = world
        .raw("UPDATE projects SET environment = 'staging'")
        .await
        .unwrap_err();
    assert!(
        error.to_string().contains("keeps its environment"),
        "{error}"
    );
    assert!(
        world
            .raw("UPDATE projects SET name = 'other'")
            .await
            .is_ok()
    );
}
