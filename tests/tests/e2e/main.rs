//! The product as its users see it: a real server process, real plug-ins, real HTTP. Each module is one
//! subject; tests that exercise storage run on SQLite and on PostgreSQL.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr
)]

mod access;
mod audit_log;
mod authentication_cost;
mod bad_input;
mod brand_quality;
mod brand_revisions;
mod brands;
mod brands_by_name;
mod brands_with_model;
mod catalog;
mod connections;
mod contract;
mod database_faults;
mod documents_by_plugins;
mod dossiers;
mod evidence;
mod faults;
mod hanging_lookups;
mod hostile_pages;
mod idempotency;
mod kill;
mod killed_creates;
mod killed_documents;
mod lifecycle;
mod lying_models;
mod messages_by_plugins;
mod messages_to_people;
mod metrics;
mod missing_prices;
mod model_faults;
mod money;
mod odd_requests;
mod offers;
mod pdf_pages;
mod playbooks;
mod plugin_trust;
mod postgres_faults;
mod secrets;
mod seed;
mod site_faults;
mod slow_peers;
mod tenancy;
mod usage;

use gtm_e2e::Database;
use gtm_e2e::client::Client;
use gtm_e2e::fake_site::FakeSite;
use gtm_e2e::gtm_process::{Gtm, Options};
use gtm_e2e::tenant::Tenant;
use gtm_test_support::postgres;
use serde_json::{Value, json};

/// The domain of the tests' sites.
const DOMAIN: &str = "target-company.example";

/// A server with one tenant whose playbooks research a fake site.
struct World {
    gtm: Gtm,
    tenant: Tenant,
    site: FakeSite,
    client: Client,
    _database: Option<postgres::TestDatabase>,
}

/// Database options for a test, or `None` if this machine lacks the engine.
fn database(
    kind: Database,
    test: &str,
) -> Option<(Option<String>, Option<postgres::TestDatabase>)> {
    match kind {
        Database::Sqlite => Some((None, None)),
        Database::Postgres => {
            let database = postgres::database(test)?;
            Some((Some(database.url().to_owned()), Some(database)))
        }
    }
}

impl World {
    async fn start(kind: Database, test: &str, site: FakeSite) -> Option<Self> {
        Self::start_with(kind, test, site, &[], "").await
    }

    async fn start_with(
        kind: Database,
        test: &str,
        site: FakeSite,
        hosts: &[String],
        toml: &str,
    ) -> Option<Self> {
        let (database_url, guard) = database(kind, test)?;
        let mut private_hosts = vec![site.address.to_string()];
        private_hosts.extend(hosts.iter().cloned());
        let options = Options {
            database_url,
            private_hosts,
            extra_toml: toml.to_owned(),
            ..Options::default()
        };
        let mut gtm = Gtm::prepare(options);
        gtm.start();
        let tenant = Tenant::create(&gtm, "Acme");
        tenant.bind_web(&gtm);
        tenant.bind_backend(&gtm, "playbook", &backend_settings(&site));
        let client = tenant.client(&gtm);
        Some(Self {
            gtm,
            tenant,
            site,
            client,
            _database: guard,
        })
    }
}

/// Settings of the playbook backend that point the target's domain to a fake site.
fn backend_settings(site: &FakeSite) -> Value {
    json!({"max_pages": 8, "allow_evidence_only": true, "start_urls": {DOMAIN: site.url()}})
}

/// The repository's sample site.
async fn sample_site() -> FakeSite {
    FakeSite::of_folder(&gtm_e2e::gtm_process::workspace().join("samples/company-site")).await
}

/// A request body for a playbook of the fake site.
fn request() -> Value {
    json!({"target_company_domain": DOMAIN})
}

/// Changes a stopped server's SQLite database directly.
async fn tamper(gtm: &Gtm, statements: &[&str]) {
    use sqlx::Connection as _;
    let url = format!("sqlite://{}", gtm.dir.path().join("gtm.db").display());
    let mut connection = sqlx::SqliteConnection::connect(&url).await.unwrap();
    for statement in statements {
        sqlx::query(sqlx::AssertSqlSafe((*statement).to_owned()))
            .execute(&mut connection)
            .await
            .unwrap();
    }
    connection.close().await.unwrap();
}

/// Runs an async test body on both engines; reports a missing engine as skipped.
macro_rules! on_both_engines {
    ($name:ident, $body:path) => {
        mod $name {
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                $body(
                    gtm_e2e::Database::Sqlite,
                    concat!(stringify!($name), "::sqlite"),
                )
                .await;
            }
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                $body(
                    gtm_e2e::Database::Postgres,
                    concat!(stringify!($name), "::postgres"),
                )
                .await;
            }
        }
    };
}
pub(crate) use on_both_engines;
