//! What jobs show and leave besides their results: files, stages, the caller's reference.

use std::time::Duration;

use bytes::Bytes;
use gtm_domain::idempotency::Create;
use gtm_domain::job::{Finish, JobError, JobEventNew, JobFile, NewFile, Product};
use gtm_domain::{FileId, JobErrorCode, JobId, JobStage, JobStatus, JobType, StageState, Usage};
use gtm_store::{ClaimedJob, JobFilter, NewJob, StoreError, uuid_v7};
use serde_json::json;

use crate::world::{Tenant, World};

on_both_engines!(
    files_are_stored_with_the_end_of_their_job,
    files_stay_as_long_as_their_job_and_go_with_it,
    a_job_that_is_not_paid_for_leaves_no_files,
    a_type_stores_what_it_makes_and_nothing_else,
    a_stored_file_is_immutable,
    files_with_bad_names_are_not_stored,
    no_collation_takes_two_names_for_one,
    the_database_bounds_files_and_references,
    stages_follow_the_reports,
    a_stage_that_is_under_way_ends_with_its_job,
    a_job_is_found_by_its_callers_reference,
);

fn document(world: &World) -> NewJob {
    NewJob {
        job_type: JobType::Documents,
        stages: Some(vec![
            JobStage::pending("compose"),
            JobStage::pending("render"),
        ]),
        external_ref: Some("crm-7".to_owned()),
        ..world.new_job()
    }
}

async fn running(world: &World, tenant: &Tenant, job: NewJob) -> ClaimedJob {
    let made = world.store.create_job(&tenant.scope, job, None).await;
    assert!(matches!(made.unwrap(), Create::Created(_)));
    world.claim_one().await
}

fn file(world: &World, name: &str, bytes: Bytes) -> NewFile {
    NewFile {
        id: FileId::from_uuid(uuid_v7(world.now())),
        name: name.to_owned(),
        media_type: "text/plain".to_owned(),
        bytes,
    }
}

fn success(product: Product) -> Finish {
    Finish::Succeeded {
        result: json!({}),
        product,
    }
}

/// The files of a job, as the tenant sees them.
async fn files_of(world: &World, tenant: &Tenant, job: JobId) -> Vec<JobFile> {
    let files = world.store.job_files(&tenant.scope, job).await;
    files.unwrap().expect("the tenant has the job")
}

/// Reports the state of a stage; each report has the next ordinal.
async fn report(
    world: &World,
    job: &ClaimedJob,
    ordinal: u64,
    kind: &str,
    stage: &str,
    status: &str,
) {
    let event = JobEventNew {
        ordinal,
        kind: kind.to_owned(),
        data: json!({"stage": stage, "status": status}),
        progress: None,
    };
    assert!(world.store.emit(&job.lease, event).await.unwrap());
}

async fn files_are_stored_with_the_end_of_their_job(world: World) {
    let (tenant, other) = (world.tenant().await, world.tenant().await);
    let job = running(&world, &tenant, document(&world)).await;
    let files = vec![
        file(&world, "b.txt", Bytes::from_static(b"short")),
        file(&world, "a.txt", Bytes::from(vec![7; 100_000])),
        // The same content again: one blob, two files.
        file(&world, "c.txt", Bytes::from_static(b"short")),
    ];
    let finish = success(Product::Files(files.clone()));
    world
        .store
        .finish(&job.lease, finish, Usage::default())
        .await
        .unwrap();
    let store = &world.store;
    let (id, content) = (job.job.id, async |tenant: &Tenant, job, id| {
        store.file_content(&tenant.scope, job, id).await.unwrap()
    });
    let stored = files_of(&world, &tenant, id).await;
    assert_eq!(stored.len(), files.len());
    for (stored, file) in stored.iter().zip(&files) {
        assert_eq!((stored.id, &stored.name), (file.id, &file.name));
        assert_eq!(stored.media_type, file.media_type);
        assert_eq!(stored.size_bytes, file.bytes.len() as u64);
        assert_eq!(stored.created_at, world.now());
        let found = content(&tenant, id, stored.id).await;
        assert_eq!(found, Some((stored.clone(), file.bytes.clone())));
    }
    // Another project's job is indistinguishable from one that does not exist, but not from one without
    // files.
    let bare = world.create(&tenant.scope).await.id;
    assert_eq!(files_of(&world, &tenant, bare).await, []);
    let unknown = JobId::from_uuid(uuid_v7(world.now()));
    for (tenant, job) in [(&other, id), (&tenant, unknown)] {
        assert_eq!(store.job_files(&tenant.scope, job).await.unwrap(), None);
    }
    let file = stored[0].id;
    let no_file = FileId::from_uuid(uuid_v7(world.now()));
    for (tenant, job, file) in [
        (&other, id, file),
        (&tenant, bare, file),
        (&tenant, id, no_file),
    ] {
        assert_eq!(content(tenant, job, file).await, None);
    }
}

async fn files_stay_as_long_as_their_job_and_go_with_it(world: World) {
    let tenant = world.tenant().await;
    let job = running(&world, &tenant, document(&world)).await;
    let files = vec![file(&world, "a.txt", Bytes::from_static(b"short"))];
    let finish = success(Product::Files(files));
    world
        .store
        .finish(&job.lease, finish, Usage::default())
        .await
        .unwrap();
    let stored = files_of(&world, &tenant, job.job.id).await.remove(0);
    let content = async || {
        let found = world
            .store
            .file_content(&tenant.scope, job.job.id, stored.id);
        found.await.unwrap()
    };
    // Old enough to be an orphan if nothing referred to it.
    let last = job.job.expires_at.minus(Duration::from_secs(1));
    world.clock.set(last);
    assert_eq!(world.store.sweep().await.unwrap().blobs, 0);
    assert!(content().await.is_some());
    world.clock.set(job.job.expires_at);
    let report = world.store.sweep().await.unwrap();
    assert_eq!((report.jobs, report.blobs), (1, 1));
    assert_eq!(world.number("SELECT COUNT(*) FROM job_files").await, 0);
    assert_eq!(content().await, None);
    let row = world.store.get_job(&tenant.scope, job.job.id).await;
    let row = row.unwrap().unwrap();
    assert_eq!((row.stages, row.external_ref), (None, None));
}

async fn a_job_that_is_not_paid_for_leaves_no_files(world: World) {
    let tenant = world.new_tenant().await;
    world.grant(tenant.organization, 1_000_000).await;
    let job = running(&world, &tenant, document(&world)).await;
    world.step(&job.lease, 0, 5_000_000).await.unwrap();
    let files = vec![file(&world, "a.txt", Bytes::from_static(b"short"))];
    let ended = world
        .store
        .finish(&job.lease, success(Product::Files(files)), Usage::default())
        .await
        .unwrap();
    assert_eq!(ended.status, JobStatus::Failed);
    let code = JobErrorCode::InsufficientCredits.as_str();
    assert_eq!(ended.error.unwrap().code, code);
    assert_eq!(files_of(&world, &tenant, job.job.id).await, []);
}

async fn a_type_stores_what_it_makes_and_nothing_else(world: World) {
    let tenant = world.tenant().await;
    let files = vec![file(&world, "a.txt", Bytes::from_static(b"short"))];
    for (new, product) in [
        (world.new_job(), Product::Files(files)),
        (document(&world), Product::None),
        (document(&world), Product::Files(Vec::new())),
    ] {
        let job = running(&world, &tenant, new).await;
        let refused = world
            .store
            .finish(&job.lease, success(product), Usage::default())
            .await;
        assert!(
            matches!(refused, Err(StoreError::Conflict(_))),
            "{refused:?}"
        );
        let row = world.store.get_job(&tenant.scope, job.job.id).await;
        assert_eq!(row.unwrap().unwrap().status, JobStatus::Running);
        world.clock.advance(Duration::from_millis(1));
    }
}

async fn a_stored_file_is_immutable(world: World) {
    let tenant = world.tenant().await;
    let job = running(&world, &tenant, document(&world)).await;
    let files = vec![file(&world, "a.txt", Bytes::from_static(b"short"))];
    let finish = success(Product::Files(files));
    let ended = world.store.finish(&job.lease, finish, Usage::default());
    ended.await.unwrap();
    let before = files_of(&world, &tenant, job.job.id).await;
    for change in ["name = 'b.txt'", "digest = 'x'", "position = 1"] {
        let sql = format!("UPDATE job_files SET {change}");
        let error = world.raw(&sql).await.unwrap_err().to_string();
        assert!(error.contains("immutable"), "{change}: {error}");
    }
    assert_eq!(files_of(&world, &tenant, job.job.id).await, before);
}

async fn files_with_bad_names_are_not_stored(world: World) {
    let tenant = world.tenant().await;
    let job = running(&world, &tenant, document(&world)).await;
    for (names, why) in [
        (vec!["a/b.txt"], "no /"),
        (vec!["a\u{202e}txt.exe"], "visible"),
        (vec!["a.txt", "A.TXT"], "two files"),
    ] {
        let files = names
            .iter()
            .map(|name| file(&world, name, Bytes::from_static(b"short")))
            .collect();
        let finish = success(Product::Files(files));
        let refused = world.store.finish(&job.lease, finish, Usage::default());
        match refused.await {
            Err(StoreError::Conflict(said)) => assert!(said.contains(why), "{said}"),
            other => panic!("{names:?}: {other:?}"),
        }
    }
    assert_eq!(files_of(&world, &tenant, job.job.id).await, []);
}

async fn no_collation_takes_two_names_for_one(world: World) {
    if world.is_postgres() {
        // As in a database that was made with this collation, in which `I` is the capital letter of `ı`.
        let turkish = "ALTER TABLE job_files ALTER COLUMN name TYPE text COLLATE \"tr-x-icu\"";
        world.raw(turkish).await.unwrap();
    }
    let tenant = world.tenant().await;
    let job = running(&world, &tenant, document(&world)).await;
    let files = ["I.txt", "ı.txt"]
        .map(|name| file(&world, name, Bytes::from_static(b"short")))
        .to_vec();
    let finish = success(Product::Files(files));
    let ended = world.store.finish(&job.lease, finish, Usage::default());
    ended.await.unwrap();
    assert_eq!(files_of(&world, &tenant, job.job.id).await.len(), 2);
}

async fn the_database_bounds_files_and_references(world: World) {
    let tenant = world.tenant().await;
    let job = running(&world, &tenant, document(&world)).await;
    let files = vec![file(&world, "a.txt", Bytes::from_static(b"short"))];
    let ended = world
        .store
        .finish(&job.lease, success(Product::Files(files)), Usage::default());
    ended.await.unwrap();
    let columns = "job_id, project_id, media_type, digest, created_at";
    let insert = |id: usize, position: &str, name: &str, size: &str| {
        format!(
            "INSERT INTO job_files ({columns}, id, position, name, size_bytes) \
             SELECT {columns}, 'fil_{id}', {position}, {name}, {size} FROM job_files WHERE name = 'a.txt'"
        )
    };
    let control = if world.is_postgres() {
        "chr(7)"
    } else {
        "char(7)"
    };
    let bell = format!("'b' || {control}");
    let long = format!("'{}'", "x".repeat(129));
    for (id, (position, name, size)) in [
        ("1", "'A.TXT'", "1"),
        ("1", "''", "1"),
        ("1", "'a/b'", "1"),
        ("1", "'a\\b'", "1"),
        ("1", "'.b'", "1"),
        ("1", long.as_str(), "1"),
        ("1", bell.as_str(), "1"),
        ("64", "'b.txt'", "1"),
        ("1", "'b.txt'", "268435457"),
    ]
    .into_iter()
    .enumerate()
    {
        let made = world.raw(&insert(id, position, name, size)).await;
        assert!(made.is_err(), "{position}, {name}, {size}");
    }
    world
        .raw(&insert(9, "63", "'b.txt'", "268435456"))
        .await
        .unwrap();

    for (length, fits) in [(0, false), (200, true), (201, false)] {
        let reference = "ü".repeat(length);
        let new = NewJob {
            external_ref: Some(reference),
            ..document(&world)
        };
        let made = world.store.create_job(&tenant.scope, new, None).await;
        match (fits, made) {
            (true, Ok(Create::Created(_))) => {}
            (false, Err(StoreError::RuleViolated(_))) => {}
            (_, other) => panic!("{length}: {other:?}"),
        }
    }
}

async fn stages_follow_the_reports(world: World) {
    let tenant = world.tenant().await;
    let job = running(&world, &tenant, document(&world)).await;
    let mut ordinal = 0;
    let mut report = async |kind: &str, stage: &str, status: &str| {
        report(&world, &job, ordinal, kind, stage, status).await;
        ordinal += 1;
        world.clock.advance(Duration::from_secs(1));
    };
    let began = world.now();
    report("stage.started", "compose", "running").await;
    report("stage.finished", "compose", "succeeded").await;
    report("stage.finished", "render", "skipped").await;
    report("stage.started", "unheard_of", "running").await;
    report("milestone", "compose", "failed").await;
    report("stage.finished", "compose", "no_status").await;
    let row = world.store.get_job(&tenant.scope, job.job.id).await;
    let stages = row.unwrap().unwrap().stages.unwrap();
    let [compose, render] = &stages[..] else {
        panic!("{stages:?}")
    };
    assert_eq!(
        (compose.status, compose.started_at, compose.attempts),
        (StageState::Succeeded, Some(began), 1)
    );
    assert_eq!(
        compose.finished_at,
        Some(began.plus(Duration::from_secs(1)))
    );
    assert_eq!((render.status, render.attempts), (StageState::Skipped, 0));

    let plain = world.create(&tenant.scope).await;
    assert_eq!(plain.stages, None, "a type without stages");
}

async fn a_stage_that_is_under_way_ends_with_its_job(world: World) {
    let tenant = world.tenant().await;
    let error = JobError {
        code: "deadline_exceeded".to_owned(),
        message: "x".to_owned(),
        details: None,
    };
    let files = Product::Files(vec![file(&world, "a.txt", Bytes::from_static(b"short"))]);
    let failed = Finish::Failed {
        error: error.clone(),
    };
    // `None`: the job is given up instead.
    for (finish, expected) in [
        (Some(failed), StageState::Failed),
        (Some(Finish::Canceled), StageState::Failed),
        (Some(success(files)), StageState::Succeeded),
        (None, StageState::Failed),
    ] {
        let job = running(&world, &tenant, document(&world)).await;
        report(&world, &job, 0, "stage.started", "compose", "running").await;
        world.clock.advance(Duration::from_secs(1));
        let ended = match finish {
            Some(finish) => {
                let ended = world.store.finish(&job.lease, finish, Usage::default());
                ended.await.unwrap()
            }
            None => {
                let given_up = world.store.give_up(&job.lease, error.clone());
                given_up.await.unwrap()
            }
        };
        let stages = ended.stages.clone().unwrap();
        let [compose, render] = &stages[..] else {
            panic!("{stages:?}")
        };
        assert_eq!(
            (compose.status, compose.finished_at),
            (expected, ended.finished_at)
        );
        assert_eq!(
            (render.status, render.finished_at),
            (StageState::Pending, None),
            "it never began"
        );
        let row = world.store.get_job(&tenant.scope, job.job.id).await;
        assert_eq!(row.unwrap().unwrap().stages, Some(stages));
    }
    // A job that nobody can read in full ends too, and its damaged columns stay as they are.
    let job = running(&world, &tenant, document(&world)).await;
    world
        .raw("UPDATE jobs SET stages = 'nonsense' WHERE status = 'running'")
        .await
        .unwrap();
    let ended = world.store.give_up(&job.lease, error).await.unwrap();
    assert_eq!((ended.status, ended.stages), (JobStatus::Failed, None));
}

async fn a_job_is_found_by_its_callers_reference(world: World) {
    let (tenant, other) = (world.tenant().await, world.tenant().await);
    let job = running(&world, &tenant, document(&world)).await;
    running(&world, &other, document(&world)).await;
    world.create(&tenant.scope).await;
    for (reference, expected) in [("crm-7", vec![job.job.id]), ("CRM-7", vec![])] {
        let filter = JobFilter {
            external_ref: Some(reference.to_owned()),
            ..JobFilter::default()
        };
        let found = world.store.list_jobs(&tenant.scope, &filter).await.unwrap();
        let ids: Vec<JobId> = found.iter().map(|job| job.id).collect();
        assert_eq!(ids, expected);
    }
}
