//! Sites that are down, slow, huge, binary, decompression bombs, or that redirect to private addresses: the
//! job ends in time with a specific error, nothing is made up, and no private address is ever reached.

use std::time::Duration;

use gtm_e2e::Database;
use gtm_e2e::fake_model::FakeModel;
use gtm_e2e::fake_site::{FakeSite, Page};
use serde_json::{Value, json};

use crate::{World, request};

const HOME: &str = "<html lang='en'><head><title>Harbour Tools</title></head><body><main><h1>Harbour Tools</h1>\
<p>Harbour Tools builds crane inspection software for small ports.</p>\
<p>More than 40 ports in Northern Europe plan their inspections with Harbour Tools.</p></main></body></html>";

async fn run(page: Page) -> (Value, World) {
    let site = FakeSite::start([("/", page)]).await;
    let world = World::start(Database::Sqlite, "site_faults", site)
        .await
        .unwrap();
    let job = world.client.playbook(&request()).await;
    assert_eq!(job["usage"]["cost_usd"], json!(0.0));
    (job, world)
}

fn failed_with(job: &Value, code: &str) {
    assert_eq!(job["status"], "failed", "{job}");
    assert_eq!(job["result"], Value::Null);
    assert_eq!(job["error"]["code"], code, "{job}");
    assert!(!job["error"]["message"].as_str().unwrap().is_empty());
}

/// The page was read up to its limit, and nothing in it can be cited.
fn nothing_was_said(job: &Value) {
    failed_with(job, "insufficient_evidence");
    assert_eq!(
        job["error"]["details"],
        json!({"reason": "nothing_to_cite", "pages": 1})
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_site_that_resets() {
    let (job, _world) = run(Page::Reset).await;
    failed_with(&job, "source_fetch_failed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_site_that_is_down() {
    let site = FakeSite::start([]).await;
    let world = World::start(Database::Sqlite, "site_faults", site)
        .await
        .unwrap();
    // A port where nobody listens, although the operator allows it.
    let closed = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let mut world = world;
    world.gtm.options.private_hosts.push(closed.to_string());
    world.gtm.write_config();
    assert!(world.gtm.terminate(Duration::from_secs(20)));
    world.gtm.start();
    let settings = json!({"max_pages": 3, "allow_evidence_only": true, "start_urls": {crate::DOMAIN: format!("http://{closed}/")}});
    world.tenant.bind_backend(&world.gtm, "playbook", &settings);
    let job = world.tenant.client(&world.gtm).playbook(&request()).await;
    failed_with(&job, "source_fetch_failed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_site_that_never_answers() {
    let (job, _world) = run(Page::Silent).await;
    failed_with(&job, "source_fetch_failed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_site_that_drips() {
    let (job, _world) = run(Page::Drip).await;
    failed_with(&job, "source_fetch_failed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_without_end_is_cut() {
    let (job, _world) = run(Page::Endless).await;
    nothing_was_said(&job);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gzip_bomb_is_cut() {
    let (job, _world) = run(Page::GzipBomb(400 << 20)).await;
    nothing_was_said(&job);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_binary_is_no_page() {
    let (job, _world) = run(Page::Ok(
        "application/zip",
        vec![0x50, 0x4b, 3, 4, 0, 0, 0, 9],
    ))
    .await;
    failed_with(&job, "source_fetch_failed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_page_leads_to_a_private_address() {
    let canary = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    canary.set_nonblocking(true).unwrap();
    let port = canary.local_addr().unwrap().port();
    for to in [
        format!("http://127.0.0.1:{port}/"),
        format!("http://localhost:{port}/"),
        format!("http://2130706433:{port}/"),
        format!("http://[::ffff:127.0.0.1]:{port}/"),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "file:///etc/passwd".to_owned(),
    ] {
        let (job, world) = run(Page::Redirect(to.clone())).await;
        failed_with(&job, "source_not_allowed");
        drop(world);
        assert!(canary.accept().is_err(), "{to} was followed");
    }
}

/// The operator allows the model's server for the model's connector only. A researched page redirects to it,
/// and the connector that reads pages must not follow.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_page_leads_to_the_model_server() {
    let model = FakeModel::start().await;
    model.write_with(crate::playbooks::write_from_schema);
    let to = format!("http://{}/admin/slots?dump=1", model.address);
    let site = FakeSite::start([("/", Page::Redirect(to.clone()))]).await;
    let mut world = World::start(Database::Sqlite, "site_faults", site)
        .await
        .unwrap();
    world
        .gtm
        .options
        .model_hosts
        .push(model.address.to_string());
    world.gtm.write_config();
    assert!(world.gtm.terminate(Duration::from_secs(20)));
    world.gtm.start();
    world.tenant.bind_model(&world.gtm, &model);
    let client = world.tenant.client(&world.gtm);
    let job = client.playbook(&request()).await;
    failed_with(&job, "source_not_allowed");
    assert_eq!(model.requests(), Vec::<Value>::new());

    // The same server does answer its own connector.
    world.site.set("/", Page::html(HOME));
    let job = client.playbook(&request()).await;
    assert_eq!(job["status"], "succeeded", "{job}");
    assert!(!model.requests().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn robots_txt_is_respected() {
    let site = FakeSite::start([
        (
            "/robots.txt",
            Page::Ok("text/plain", b"User-agent: *\nDisallow: /\n".to_vec()),
        ),
        ("/", Page::html(HOME)),
    ])
    .await;
    let world = World::start(Database::Sqlite, "site_faults", site)
        .await
        .unwrap();
    let job = world.client.playbook(&request()).await;
    failed_with(&job, "source_not_allowed");
    assert!(
        !world.site.requests().contains(&"/".to_owned()),
        "{:?}",
        world.site.requests()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_bad_page_does_not_spoil_the_rest() {
    let home = HOME.replace(
        "</main>",
        "</main><nav><a href='/about'>About</a><a href='/customers'>Customers</a></nav>",
    );
    let about = HOME.replace(
        "builds crane inspection software",
        "was founded in 2011 and employs engineers",
    );
    let site = FakeSite::start([
        ("/", Page::html(&home)),
        ("/about", Page::html(&about)),
        ("/customers", Page::Reset),
    ])
    .await;
    let world = World::start(Database::Sqlite, "site_faults", site)
        .await
        .unwrap();
    let job = world.client.playbook(&request()).await;
    assert_eq!(job["status"], "succeeded", "{job}");
    assert!(
        job["result"]["business_summary"]
            .as_str()
            .unwrap()
            .contains("Harbour Tools")
    );
}
