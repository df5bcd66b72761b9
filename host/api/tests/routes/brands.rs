//! `/v1/brands`: creating, reading, listing and researching.

mod who_may;

use std::time::Duration;

use axum::body::Body;
use gtm_api::ApiConfig;
use gtm_domain::brand::NewGuideline;
use gtm_domain::guideline::guideline_hash;
use gtm_domain::job::{Finish, Product};
use gtm_domain::{BrandId, Permissions, Usage, WorkerId};
use gtm_store::{ClaimedJob, uuid_v7};
use http::Request;
use serde_json::{Value, json};

use crate::jobs::check;
use crate::world::{Answer, NeverBody, World};

pub const PATH: &str = "/v1/brands";
pub const BODY: &str = r#"{"company_name":"Acme Estates","website_url":"Acme-Estates.example/"}"#;

pub async fn send(
    world: &World,
    method: &str,
    path: &str,
    key: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Answer {
    let mut request = Request::builder()
        .method(method)
        .uri(path)
        .header("authorization", format!("Bearer {key}"));
    if !body.is_empty() {
        request = request.header("content-type", "application/json");
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let body = Body::from(body.to_owned());
    world.send(request.body(body).unwrap()).await
}

pub async fn post(world: &World, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    send(world, "POST", path, &world.key, headers, body).await
}

pub async fn read(world: &World, path: &str, headers: &[(&str, &str)]) -> Answer {
    send(world, "GET", path, &world.key, headers, "").await
}

/// Creates a brand and returns its path.
pub async fn create(world: &World, body: &str) -> String {
    let answer = post(world, PATH, &[], body).await;
    assert_eq!(answer.status, 202, "{}", answer.json());
    let job = answer.json();
    format!(
        "{PATH}/{}",
        job["input"]["brand_profile_id"].as_str().unwrap()
    )
}

pub async fn claim(world: &World) -> ClaimedJob {
    let worker = WorkerId::from_uuid(uuid_v7(world.clock_now()));
    let lease = Duration::from_secs(60);
    let claimed = world.store.claim_jobs(worker, 1, 10, lease).await;
    claimed.unwrap().jobs.remove(0)
}

/// The document from the API description, adapted to a revision of this brand.
fn document(brand: BrandId, claimed: &ClaimedJob, revision: u64) -> Value {
    let description = gtm_api::openapi();
    let mut document =
        description["components"]["schemas"]["BrandGuideline"]["examples"][0].clone();
    document["brand_profile_id"] = json!(brand);
    document["revision"] = json!(revision);
    document["job_id"] = json!(claimed.job.id);
    document["guideline_hash"] = json!(guideline_hash(&document));
    document
}

/// Completes the brand's queued research successfully.
pub async fn succeed(world: &World, path: &str, revision: u64) -> Value {
    let claimed = claim(world).await;
    let brand: BrandId = path.rsplit('/').next().unwrap().parse().unwrap();
    let document = document(brand, &claimed, revision);
    let guideline = NewGuideline {
        brand,
        revision,
        hash: guideline_hash(&document),
        schema_version: "1.0".to_owned(),
        generated_at: world.clock_now(),
        source_count: 1,
        changed_pointers: vec!["/identity/brand_name".to_owned()],
        document: document.clone(),
    };
    let result = json!({
        "brand_profile_id": brand, "schema_version": "1.0", "revision": revision, "guideline_hash": guideline.hash,
        "source_count": 1,
    });
    let finish = Finish::Succeeded {
        result,
        product: Product::Guideline(guideline),
    };
    let usage = Usage {
        backend_requests: 3,
        ..Usage::default()
    };
    let store = &world.store;
    store.finish(&claimed.lease, finish, usage).await.unwrap();
    document
}

#[tokio::test]
async fn a_brand_is_made_with_its_first_research() {
    let world = World::start().await;
    let answer = post(&world, PATH, &[], BODY).await;
    let job = answer.json();
    assert_eq!(answer.status, 202, "{job}");
    check("BrandJobResponse", &job);
    let place = format!("/v1/jobs/{}", job["id"].as_str().unwrap());
    assert_eq!(answer.header("location"), Some(place.as_str()));
    assert_eq!(
        (&job["type"], &job["status"]),
        (&json!("brands"), &json!("queued"))
    );
    let id = job["input"]["brand_profile_id"].clone();
    assert_eq!(
        job["input"],
        json!({"company_name": "Acme Estates", "website_url": "https://acme-estates.example", "is_default": false, "brand_profile_id": id})
    );
    assert_eq!(world.get(&place).await.json(), job);
    check("JobResponse", &job);
    let brand = world.get(&format!("{PATH}/{}", id.as_str().unwrap())).await;
    assert_eq!(brand.status, 200);
    let brand = brand.json();
    check("Brand", &brand);
    assert_eq!(
        brand,
        json!({"id": id, "key": "acme-estates", "company_name": "Acme Estates", "website_url": "https://acme-estates.example",
            "is_default": false, "becomes_default": false, "status": "active", "research_status": "queued", "research_job_id": job["id"],
            "guideline_available": false, "guideline_revision": null, "source_count": 0,
            "created_at": "2026-03-02T09:00:00.000Z", "updated_at": "2026-03-02T09:00:00.000Z"})
    );
    let list = world.get(PATH).await.json();
    check("BrandList", &list);
    assert_eq!(list["brands"], json!([brand]));
    let jobs = world.get("/v1/jobs?type=brands").await.json();
    check("JobList", &jobs);
    assert_eq!(jobs["jobs"][0]["id"], job["id"]);
}

#[tokio::test]
async fn the_same_company_twice_is_two_brands_unless_the_request_is_repeated() {
    let world = World::start().await;
    let first = post(&world, PATH, &[("idempotency-key", "k")], BODY).await;
    let again = post(&world, PATH, &[("idempotency-key", "k")], BODY).await;
    assert_eq!(
        (
            again.status.as_u16(),
            &again.body,
            again.header("idempotency-replayed")
        ),
        (202, &first.body, Some("true"))
    );
    assert_eq!(again.header("location"), first.header("location"));
    let other = post(
        &world,
        PATH,
        &[("idempotency-key", "k")],
        r#"{"company_name":"Other"}"#,
    )
    .await;
    assert_eq!(other.error(), (409, "idempotency_key_reused".to_owned()));
    create(&world, BODY).await;
    let brands = world.get(PATH).await.json()["brands"].clone();
    let mut keys: Vec<&str> = brands
        .as_array()
        .unwrap()
        .iter()
        .map(|brand| brand["key"].as_str().unwrap())
        .collect();
    keys.sort_unstable();
    assert_eq!(keys, ["acme-estates", "acme-estates-2"]);
}

#[tokio::test]
async fn bad_input_is_told() {
    let world = World::start().await;
    for body in [
        "{}",
        r#"{"company_name":""}"#,
        r#"{"website_url":"http://10.0.0.1"}"#,
        r#"{"website_url":"http://localhost:8080/"}"#,
        r#"{"company_name":"Acme","is_default":1}"#,
        r#"{"company_name":"Acme","colour":"red"}"#,
    ] {
        let answer = post(&world, PATH, &[], body).await;
        assert_eq!(
            answer.error(),
            (422, "invalid_request".to_owned()),
            "{body}"
        );
        let violations = &answer.json()["error"]["details"]["violations"];
        assert!(!violations.as_array().unwrap().is_empty(), "{body}");
    }
    assert_eq!(post(&world, PATH, &[], "{").await.error().0, 400);
    assert_eq!(world.get(PATH).await.json()["brands"], json!([]));
}

#[tokio::test]
async fn research_at_work_is_reused() {
    let world = World::start().await;
    let brand = create(&world, BODY).await;
    let path = format!("{brand}/research");
    let first = world.get(&brand).await.json()["research_job_id"].clone();
    let keyed = [("idempotency-key", "again")];
    let mut reused = Vec::new();
    for (headers, body) in [
        (&[][..], ""),
        (&[][..], "{}"),
        (&keyed[..], ""),
        (&keyed[..], " {} "),
    ] {
        let answer = post(&world, &path, headers, body).await;
        assert_eq!(answer.status, 202, "{}", answer.json());
        check("BrandJobResponse", &answer.json());
        assert_eq!(answer.json()["id"], first);
        assert_eq!(answer.header("job-reused"), Some("true"));
        assert_eq!(
            answer.header("location"),
            Some(format!("/v1/jobs/{}", first.as_str().unwrap()).as_str())
        );
        reused.push(answer);
    }
    assert_eq!(reused[2].header("idempotency-replayed"), None);
    assert_eq!(reused[3].header("idempotency-replayed"), Some("true"));
    succeed(&world, &brand, 1).await;
    // A repeated request gets its first answer again; a new one starts another research.
    let replayed = post(&world, &path, &keyed, "").await;
    assert_eq!(replayed.body, reused[2].body);
    assert_eq!(replayed.header("job-reused"), Some("true"));
    let anew = post(&world, &path, &[("idempotency-key", "anew")], "").await;
    assert_eq!(
        (anew.status.as_u16(), anew.header("job-reused")),
        (202, None)
    );
    assert_ne!(anew.json()["id"], first);
    assert_eq!(
        anew.json()["input"]["brand_profile_id"],
        reused[0].json()["input"]["brand_profile_id"]
    );
    let replayed = post(&world, &path, &[("idempotency-key", "anew")], "").await;
    assert_eq!(replayed.body, anew.body);
    let elsewhere = post(&world, PATH, &[("idempotency-key", "anew")], BODY).await;
    assert_eq!(
        elsewhere.error(),
        (409, "idempotency_key_reused".to_owned())
    );
    let sent = post(&world, &path, &[], r#"{"force":true}"#).await;
    assert_eq!(sent.error(), (400, "invalid_request".to_owned()));
}

#[tokio::test]
async fn a_known_key_is_answered_whatever_became_of_the_brand() {
    let world = World::start().await;
    let brand = create(&world, BODY).await;
    let keyed = [("idempotency-key", "k")];
    let first = post(&world, &format!("{brand}/research"), &keyed, "").await;
    assert_eq!(first.status, 202);
    let id: BrandId = brand.rsplit('/').next().unwrap().parse().unwrap();
    world.store.operator().archive_brand(id).await.unwrap();
    let again = post(&world, &format!("{brand}/research"), &keyed, "").await;
    assert_eq!((again.status, again.body), (first.status, first.body));
    // As on every create, the idempotency key is checked before the brand.
    let absent = format!("{PATH}/{}/research", BrandId::from_uuid(uuid::Uuid::nil()));
    let reused = post(&world, &absent, &keyed, "").await;
    assert_eq!(reused.error(), (409, "idempotency_key_reused".to_owned()));
    let unknown = post(&world, &absent, &[("idempotency-key", "new")], "").await;
    assert_eq!(unknown.error(), (404, "not_found".to_owned()));
}

#[tokio::test]
async fn an_archived_brand_is_read_and_not_listed() {
    let world = World::start().await;
    let brand = create(&world, BODY).await;
    let written = succeed(&world, &brand, 1).await;
    let id: BrandId = brand.rsplit('/').next().unwrap().parse().unwrap();
    world.store.operator().archive_brand(id).await.unwrap();
    assert_eq!(world.get(PATH).await.json()["brands"], json!([]));
    assert_eq!(world.get(&brand).await.json()["status"], "archived");
    assert_eq!(
        world.get(&format!("{brand}/guideline")).await.json(),
        written
    );
    let refused = post(&world, &format!("{brand}/research"), &[], "").await;
    assert_eq!(refused.error(), (409, "brand_profile_archived".to_owned()));
}

#[tokio::test]
async fn the_default_moves_with_the_first_guideline() {
    let world = World::start().await;
    let told = async |brand: &str| {
        let brand = world.get(brand).await.json();
        (
            brand["is_default"] == true,
            brand["becomes_default"] == true,
        )
    };
    let playbook = async || {
        let body = json!({"target_company": "Acme"}).to_string();
        world.post(body, &[]).await
    };
    let first = create(&world, r#"{"company_name":"One","is_default":true}"#).await;
    assert_eq!(told(&first).await, (false, true));
    // There is no default yet, so nothing is refused.
    let made = playbook().await;
    assert_eq!(made.status, 202);
    let job = made.json()["id"].as_str().unwrap().parse().unwrap();
    let operator = world.store.operator();
    operator.cancel_job(job).await.unwrap();
    succeed(&world, &first, 1).await;
    assert_eq!(told(&first).await, (true, false));
    let second = create(&world, r#"{"company_name":"Two","is_default":true}"#).await;
    assert_eq!(
        (told(&first).await, told(&second).await),
        ((true, false), (false, true))
    );
    succeed(&world, &second, 1).await;
    assert_eq!(
        (told(&first).await, told(&second).await),
        ((false, false), (true, false))
    );
    // A default brand that cannot be used is reported.
    let id: BrandId = second.rsplit('/').next().unwrap().parse().unwrap();
    operator.archive_brand(id).await.unwrap();
    let refused = playbook().await;
    let details = refused.json()["error"]["details"].clone();
    assert_eq!(
        refused.error(),
        (409, "missing_default_brand_profile".to_owned())
    );
    assert_eq!(
        details,
        json!({"reason": "archived", "brand_profile_id": id})
    );
    operator.clear_default_brand(id).await.unwrap();
    assert_eq!(playbook().await.status, 202);
}

#[tokio::test]
async fn pages_of_brands_end() {
    let world = World::start().await;
    for _ in 0..5 {
        create(&world, BODY).await;
        world.clock.advance(Duration::from_millis(1));
    }
    let (mut seen, mut path) = (Vec::new(), format!("{PATH}?limit=2"));
    loop {
        let page = world.get(&path).await.json();
        let rows = page["brands"].as_array().unwrap().clone();
        seen.extend(
            rows.iter()
                .map(|row| row["key"].as_str().unwrap().to_owned()),
        );
        let Some(next) = page["next_cursor"].as_str() else {
            assert_eq!(page["has_more"], false);
            break;
        };
        path = format!("{PATH}?limit=2&cursor={next}");
    }
    let wanted: Vec<String> = (2..=5)
        .rev()
        .map(|n| format!("acme-estates-{n}"))
        .chain(["acme-estates".to_owned()])
        .collect();
    assert_eq!(seen, wanted);
    for (query, status) in [
        ("limit=0", 422),
        ("limit=x", 400),
        ("cursor=x", 400),
        ("status=archived", 400),
    ] {
        assert_eq!(
            world.get(&format!("{PATH}?{query}")).await.error().0,
            status,
            "{query}"
        );
    }
}

#[tokio::test]
async fn research_whose_body_does_not_come_is_408_and_the_description_says_so() {
    let world = World::with(ApiConfig {
        body_timeout: Duration::from_millis(30),
        ..ApiConfig::default()
    })
    .await;
    let request = Request::post("/v1/brands/brd_01jz8q6t7n4w3r9k2m5x0v1c8d/research")
        .header("authorization", format!("Bearer {}", world.key))
        .header("content-length", "2");
    let answer = world
        .send(request.body(Body::new(NeverBody)).unwrap())
        .await;
    assert_eq!(answer.error(), (408, "invalid_request".to_owned()));
    let document = gtm_api::openapi();
    let responses = &document["paths"]["/v1/brands/{brand_id}/research"]["post"]["responses"];
    assert!(responses["408"].is_object(), "{responses}");
}
