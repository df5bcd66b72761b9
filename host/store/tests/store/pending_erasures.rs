//! What an erasure leaves of searches: marks that outlived their end, and searches that ended too fast to be read. The
//! sweep or another erasure completes it, and nothing is counted as erased before.

use bytes::Bytes;
use gtm_domain::Digest;
use gtm_domain::job::JobError;
use gtm_domain::outcome_ledger::Subject;
use gtm_store::Erased;

use crate::prospecting::recorded;
use crate::refused_rows::{allow, refuse_removal};
use crate::searches::{answered, erase, finish, kept, marks, searching};
use crate::world::{World, new_step, settlement};

on_both_engines!(
    a_sweep_completes_what_the_end_of_a_search_could_not,
    an_erasure_ends_where_searches_end_all_the_time,
    repeating_an_erasure_reads_what_it_left,
);

/// A search that was given up keeps its marks if they cannot be removed with its end, and with them what it received.
async fn a_sweep_completes_what_the_end_of_a_search_could_not(world: World) {
    let tenant = world.tenant().await;
    let told = answered(&world, &tenant, "{\"mail\": \"sam@acme.example\"}").await;
    let silent = answered(&world, &tenant, "{\"mail\": \"eve@acme.example\"}").await;
    assert_eq!(
        erase(&world, "sam@acme.example").await.searches_under_way,
        2
    );
    refuse_removal(&world, "erasures_under_way", "true").await;
    for search in [&told, &silent] {
        let error = JobError {
            code: "settlement_failed".to_owned(),
            message: "x".to_owned(),
            details: None,
        };
        world.store.give_up(&search.lease, error).await.unwrap();
    }
    assert_eq!(marks(&world).await, 2);
    // As long as it cannot be done, a sweep does the rest of its work.
    assert_eq!(world.store.sweep().await.unwrap().erasures, 0);
    assert_eq!((kept(&world, &told).await, marks(&world).await), (1, 2));
    allow(&world, "erasures_under_way").await;
    assert_eq!(world.store.sweep().await.unwrap().erasures, 2);
    assert_eq!(marks(&world).await, 0);
    assert_eq!(kept(&world, &told).await, 0);
    assert_eq!(kept(&world, &silent).await, 1, "all of it was read");
    let entries = recorded(&world, "prospecting_job.answer_erased").await;
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0].resource.id, told.job.id.to_string());
    assert_eq!(world.store.sweep().await.unwrap().erasures, 0);
    assert!(world.store.verify_ledger().await.unwrap().is_sound());
}

/// The path of the blob with these bytes.
fn blob(world: &World, bytes: &Bytes) -> std::path::PathBuf {
    let hex = Digest::of(bytes).to_hex();
    let folder = world.config.blob_dir.join("blobs");
    folder.join(&hex[..2]).join(&hex[2..4]).join(hex)
}

/// Lets whoever waits to read a pipe read nothing from it. False if nobody waits.
fn release(pipe: &std::path::Path) -> bool {
    use std::os::unix::fs::OpenOptionsExt as _;
    // O_NONBLOCK: without a reader, opening a pipe for writing fails at once.
    let nonblocking = match cfg!(target_os = "linux") {
        true => 0o4000,
        false => 0x4,
    };
    let mut options = std::fs::OpenOptions::new();
    options
        .write(true)
        .custom_flags(nonblocking)
        .open(pipe)
        .is_ok()
}

/// Each time the erasure has listed the searches and reads one of them, another one ends.
async fn an_erasure_ends_where_searches_end_all_the_time(world: World) {
    const SEARCHES: usize = 12;
    let tenant = world.tenant().await;
    // One that is read again in each round, since it does not end: its two answers are pipes, which hold the erasure up.
    let slow = searching(&world, &tenant).await;
    let (store, lease) = (&world.store, &slow.lease);
    store.start_step(lease, new_step(0)).await.unwrap();
    let mut settled = settlement(0);
    let bodies = [b'x', b'y'].map(|letter| Bytes::from(vec![letter; 100_000]));
    settled.exchanges = (bodies.iter())
        .map(|bytes| (world.receipt(bytes), bytes.clone().into()))
        .collect();
    store.settle_step(lease, 0, settled).await.unwrap();
    let pipes = bodies.map(|bytes| blob(&world, &bytes));
    for pipe in &pipes {
        std::fs::remove_file(pipe).unwrap();
        let made = std::process::Command::new("mkfifo").arg(pipe).status();
        assert!(made.unwrap().success());
    }
    let mut others = Vec::new();
    for _ in 0..SEARCHES {
        others.push(answered(&world, &tenant, "{\"mail\": \"sam@acme.example\"}").await);
    }
    let waited_for = async |pipe: &std::path::Path| {
        while !release(pipe) {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    let end_one_each_round = async {
        for search in &others {
            waited_for(&pipes[0]).await;
            finish(&world, search, &[]).await.unwrap();
            waited_for(&pipes[1]).await;
        }
        std::future::pending::<()>().await;
    };
    let erased = tokio::select! {
        erased = erase(&world, "sam@acme.example") => erased,
        () = end_one_each_round => unreachable!(),
    };
    // Those of the first rounds were read after they had ended; the last one was not, and is not claimed to be gone.
    let running = others.len() as u64 - erased.answers - 1;
    assert!(erased.answers >= 1 && running >= 4, "{erased:?}");
    let expected = Erased {
        answers: erased.answers,
        searches_under_way: running + 1,
        searches_pending: 1,
        ..Erased::default()
    };
    assert_eq!(erased, expected);
    let pending = &others[usize::try_from(erased.answers).unwrap()];
    assert_eq!(kept(&world, pending).await, 1);
    let before = recorded(&world, "prospecting_job.answer_erased").await;
    assert_eq!(before.len() as u64, erased.answers);
    // The sweep completes it.
    assert_eq!(world.store.sweep().await.unwrap().erasures, 1);
    assert_eq!(kept(&world, pending).await, 0);
    let entries = recorded(&world, "prospecting_job.answer_erased").await;
    assert_eq!(entries.len(), before.len() + 1);
    for search in &others[others.len() - usize::try_from(running).unwrap()..] {
        assert_eq!(kept(&world, search).await, 1, "its run needs the answer");
        finish(&world, search, &[]).await.unwrap();
        assert_eq!(kept(&world, search).await, 0);
    }
}

/// It looks into them at once, since they have ended; what says nothing of the person stays.
async fn repeating_an_erasure_reads_what_it_left(world: World) {
    let tenant = world.tenant().await;
    let told = answered(&world, &tenant, "{\"mail\": \"sam@acme.example\"}").await;
    let silent = answered(&world, &tenant, "{\"mail\": \"eve@acme.example\"}").await;
    for search in [&told, &silent] {
        finish(&world, search, &[]).await.unwrap();
        // As an erasure leaves it that did not come to read it.
        let mark = format!(
            "INSERT INTO erasures_under_way (job_id, project_id, subject_hmac, cleared) VALUES ('{}', '{}', '{}', 0)",
            search.job.id,
            tenant.project,
            world
                .store
                .ledger_subject(&Subject::Address("sam@acme.example".parse().unwrap()))
                .hmac,
        );
        world.raw(&mark).await.unwrap();
    }
    let again = erase(&world, "sam@acme.example").await;
    let expected = Erased {
        answers: 1,
        ..Erased::default()
    };
    assert_eq!(again, expected);
    assert_eq!(marks(&world).await, 0);
    assert_eq!(
        (kept(&world, &told).await, kept(&world, &silent).await),
        (0, 1)
    );
    assert_eq!(world.store.sweep().await.unwrap().erasures, 0);
}
