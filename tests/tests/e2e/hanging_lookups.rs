//! Key look-ups hang in the database while clients keep guessing keys. Requests that need no look-up still
//! work, and so does everything once the database recovers. PostgreSQL only, because nothing can make readers
//! of SQLite wait.

use std::time::{Duration, Instant};

use gtm_domain::ApiKeySecret;
use gtm_e2e::Database;
use gtm_e2e::client::Client;
use gtm_e2e::gtm_process::{Gtm, Options};
use gtm_e2e::tenant::Tenant;
use sqlx::{Connection as _, PgConnection};
use tokio::task::JoinSet;

use crate::database;

/// More than the server's database connections.
const GUESSES: u8 = 40;

/// Number of look-ups that wait for the table lock.
async fn waiting(observer: &mut PgConnection) -> i64 {
    let sql = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'api_keys'::regclass";
    sqlx::query_scalar(sql).fetch_one(observer).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn guesses_do_not_take_the_database_from_everybody() {
    let name = "hanging_lookups::guesses_do_not_take_the_database_from_everybody";
    let Some((Some(url), _guard)) = database(Database::Postgres, name) else {
        return;
    };
    let mut gtm = Gtm::prepare(Options {
        database_url: Some(url.clone()),
        ..Options::default()
    });
    gtm.start();
    let known = Tenant::create(&gtm, "Acme").client(&gtm);
    assert_eq!(known.get("/v1/usage").await.status, 200);
    let mut observer = PgConnection::connect(&url).await.unwrap();
    let mut owner = PgConnection::connect(&url).await.unwrap();
    let mut hold = owner.begin().await.unwrap();
    let lock = "LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE";
    sqlx::query(lock).execute(&mut *hold).await.unwrap();

    let mut guesses = JoinSet::new();
    for n in 0..GUESSES {
        let key = ApiKeySecret::from_entropy(&[n; 9], &[n; 32]).reveal();
        let client = Client::new(&gtm.base(), &key);
        guesses.spawn(async move { client.get("/v1/usage").await });
    }
    let began = Instant::now();
    while waiting(&mut observer).await < 2 {
        assert!(began.elapsed() < Duration::from_secs(60), "nobody looks up");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // When the first look-up times out, every other one that could start has started.
    let mut most = 0;
    let mut first = None;
    while first.is_none() {
        most = most.max(waiting(&mut observer).await);
        first = guesses.try_join_next();
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // At most two look-ups run at once. Two more may just have been canceled and still wait in the database.
    assert!((2..=4).contains(&most), "{most} look-ups of one address");
    let ready = known.get("/readyz").await;
    assert_eq!(ready.status, 200, "{:?}", ready.json());
    let first = first.unwrap().unwrap();
    assert_eq!(first.error_code(), "internal_error");
    hold.rollback().await.unwrap();
    assert_eq!(known.get("/v1/usage").await.status, 200);
    while let Some(answer) = guesses.join_next().await {
        let status = answer.unwrap().status;
        assert!([401, 429, 500].contains(&status), "{status}");
    }
    assert_eq!(known.get("/v1/usage").await.status, 200);
}
