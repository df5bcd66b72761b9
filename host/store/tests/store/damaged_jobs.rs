//! A job whose row cannot be read or written must not keep other jobs from being worked on.

use std::time::Duration;

use gtm_domain::job::{JobError, ListedJob};
use gtm_domain::money::ProviderCallId;
use gtm_domain::{JobId, JobStatus};

use gtm_store::{JobFilter, ProjectScope, StoreError};

use crate::money::{running, sound, step, usd};
use crate::refused_rows::refuse_changes;
use crate::world::{LEASE, World};

on_both_engines!(
    a_job_that_cannot_be_read_keeps_no_other_from_being_claimed,
    a_job_that_cannot_be_read_is_canceled_all_the_same,
    a_job_that_cannot_be_read_can_be_given_up,
    a_job_that_cannot_be_written_keeps_no_other_from_being_claimed,
    an_operator_sees_a_damaged_job_beside_the_others,
);

/// Ways in which a row may be damaged.
const DAMAGES: [&str; 3] = ["pins = 'nonsense'", "seed = x'07'", "input = '{'"];

async fn damage(world: &World, id: JobId, how: &str) {
    let how = if world.is_postgres() {
        how.replace("x'07'", "'\\x07'")
    } else {
        how.to_owned()
    };
    let sql = format!("UPDATE jobs SET {how} WHERE id = '{id}'");
    assert_eq!(world.raw(&sql).await.unwrap(), 1);
}

async fn a_job_that_cannot_be_read_keeps_no_other_from_being_claimed(world: World) {
    for how in DAMAGES {
        let damaged = world.create(&world.tenant().await.scope).await.id;
        damage(&world, damaged, how).await;
    }
    let other = world.create(&world.tenant().await.scope).await.id;
    for _ in 0..2 {
        let claimed = world.claim(10).await;
        let ids: Vec<_> = claimed.iter().map(|claimed| claimed.job.id).collect();
        assert_eq!(ids, [other]);
        // Nobody looks at the others again before a lease has expired.
        assert!(world.claim(10).await.is_empty());
        world.clock.advance(LEASE);
    }
}

async fn a_job_that_cannot_be_read_is_canceled_all_the_same(world: World) {
    for how in DAMAGES {
        let id = world.create(&world.tenant().await.scope).await.id;
        damage(&world, id, how).await;
        let canceled = world.store.operator().cancel_job(id).await.unwrap();
        assert_eq!(canceled.job.status, JobStatus::Canceled, "{how}");
        sound(&world).await;
    }
}

async fn a_job_that_cannot_be_read_can_be_given_up(world: World) {
    for how in DAMAGES {
        let tenant = world.tenant().await;
        let job = running(&world, &tenant, 1_000).await;
        let store = &world.store;
        store.start_step(&job.lease, step(0, 400)).await.unwrap();
        damage(&world, job.job.id, how).await;
        world.clock.advance(LEASE);
        let claims = store.claim_jobs(world.worker(), 10, 100, LEASE).await;
        let mut claims = claims.unwrap();
        assert!(claims.jobs.is_empty(), "{how}");
        let unreadable = claims.unreadable.remove(0);
        assert_eq!(
            (unreadable.attempts, unreadable.cancel_requested),
            (2, false)
        );
        // If it is canceled while it waits for its next claim, that claim reports it.
        let asked = store.operator().cancel_job(job.job.id).await.unwrap();
        assert!(asked.job.cancel_requested);
        world.clock.advance(LEASE);
        let claims = store.claim_jobs(world.worker(), 10, 100, LEASE).await;
        let unreadable = claims.unwrap().unreadable.remove(0);
        assert!(unreadable.cancel_requested);
        let error = JobError {
            code: "settlement_failed".to_owned(),
            message: "x".to_owned(),
            details: None,
        };
        let ended = store.give_up(&unreadable.lease, error).await.unwrap();
        assert_eq!((ended.id, ended.status), (job.job.id, JobStatus::Failed));
        sound(&world).await;
        let credit = world.position(&tenant.scope).await.credit;
        let left = (credit.reserved, credit.exposed, credit.awaiting);
        assert_eq!(left, (usd(0), usd(0), usd(400)), "{how}");
        let call = ProviderCallId {
            job: job.job.id,
            step: 0,
        };
        let settled = store.operator().reconcile_call(call, usd(70), None).await;
        settled.unwrap();
        sound(&world).await;
    }
}

/// Here the job cannot even be passed over; then its project goes to the end of the line.
async fn a_job_that_cannot_be_written_keeps_no_other_from_being_claimed(world: World) {
    let stuck = world.create(&world.tenant().await.scope).await.id;
    let refused = format!("OLD.id = '{stuck}' AND NEW.status = 'running'");
    refuse_changes(&world, "jobs", &refused).await;
    world.clock.advance(Duration::from_millis(5));
    let other = world.create(&world.tenant().await.scope).await.id;
    let mut claimed = Vec::new();
    // One job per claim, and the stuck job's project is the older one.
    for _ in 0..2 {
        world.clock.advance(Duration::from_millis(5));
        claimed.extend(world.claim(1).await);
    }
    let ids: Vec<_> = claimed.iter().map(|claimed| claimed.job.id).collect();
    assert_eq!(ids, [other]);
}

/// Page by page, too, although whole pages are damaged.
async fn a_tenant_lists_what_can_be_read(world: &World, scope: &ProjectScope, made: &[JobId]) {
    let mut readable = Vec::new();
    for id in made.iter().rev() {
        match world.store.get_job(scope, *id).await {
            Ok(job) => readable.push(job.unwrap().id),
            Err(error) => assert!(matches!(error, StoreError::Corrupt(_)), "{error}"),
        }
    }
    assert!((1..made.len() - 2).contains(&readable.len()));
    assert_eq!(readable.last(), made.first());
    for limit in [0, 1, 2] {
        let mut filter = JobFilter {
            limit,
            ..JobFilter::default()
        };
        let mut listed = Vec::new();
        loop {
            let page = world.store.list_jobs(scope, &filter).await.unwrap();
            let Some(last) = page.last() else { break };
            filter.before = Some(last.id);
            listed.extend(page.iter().map(|job| job.id));
        }
        assert_eq!(listed, readable, "{limit}");
    }
}

async fn an_operator_sees_a_damaged_job_beside_the_others(world: World) {
    let tenant = world.tenant().await;
    let mut made = vec![world.create(&tenant.scope).await.id];
    let unknown_type = "type = 'unheard_of'";
    let damages = [&DAMAGES[..], &["worker = 'nobody'", unknown_type]].concat();
    // A guard protects a job's type; only a damaged database can hold an unknown one.
    let guard = if world.is_postgres() {
        "DROP TRIGGER jobs_stay_as_ended ON jobs"
    } else {
        "DROP TRIGGER jobs_keep_their_owner"
    };
    world.raw(guard).await.unwrap();
    for how in &damages {
        world.clock.advance(Duration::from_millis(5));
        let id = world.create(&tenant.scope).await.id;
        damage(&world, id, how).await;
        made.push(id);
    }
    let operator = world.store.operator();
    let listed = operator.list_jobs(None, &JobFilter::default()).await;
    let mut listed = listed.unwrap();
    listed.reverse();
    assert_eq!(listed.iter().map(ListedJob::id).collect::<Vec<_>>(), made);
    let [ListedJob::Job(sound), damaged @ ..] = &listed[..] else {
        panic!("{listed:?}")
    };
    assert_eq!(sound.damage, None);
    a_tenant_lists_what_can_be_read(&world, &tenant.scope, &made).await;
    for (row, how) in damaged.iter().zip(damages) {
        let column = how.split_whitespace().next().unwrap();
        let (id, told) = match row {
            ListedJob::Job(row) => {
                let shown = operator.show_job(row.job.id).await.unwrap();
                assert_eq!(shown.as_ref(), Some(&**row));
                (row.job.id, row.damage.clone().expect(how))
            }
            ListedJob::Unreadable {
                id,
                project,
                damage,
            } => {
                assert_eq!((how, *project), (unknown_type, tenant.project));
                (*id, damage.clone())
            }
        };
        assert!(told.contains(column), "{how}: {told}");
        // Reads on behalf of the job need no more than its owner.
        if how != unknown_type {
            let scope = operator.job_scope(id).await.unwrap().unwrap();
            assert_eq!(scope.project(), tenant.project);
        }
    }
}
