//! Reading guidelines, and the playbooks that bind to them.

use gtm_domain::guideline::{Guideline, guideline_hash, markdown};
use gtm_domain::job::{Finish, JobError};
use gtm_domain::{BrandId, Usage};
use serde_json::{Value, json};

use crate::brands::{BODY, claim, create, post, read, succeed};
use crate::jobs::check;
use crate::world::World;

#[tokio::test]
async fn a_guideline_is_read_in_both_forms() {
    let world = World::start().await;
    let brand = create(&world, BODY).await;
    let path = format!("{brand}/guideline");
    for accept in ["*/*", "text/markdown"] {
        let early = read(&world, &path, &[("accept", accept)]).await;
        assert_eq!(early.error(), (409, "not_ready".to_owned()));
    }
    let written = succeed(&world, &brand, 1).await;
    let answer = read(&world, &path, &[]).await;
    assert_eq!(
        (answer.status.as_u16(), answer.json()),
        (200, written.clone())
    );
    check("BrandGuideline", &written);
    let tag = format!("\"{}\"", written["guideline_hash"].as_str().unwrap());
    assert_eq!(answer.header("etag"), Some(tag.as_str()));
    assert_eq!(answer.header("vary"), Some("accept"));
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("cache-control"), Some("private, no-cache"));
    for known in [
        &tag,
        &format!("W/{tag}"),
        &format!("\"x\", {tag}"),
        &"*".to_owned(),
    ] {
        let same = read(&world, &path, &[("if-none-match", known)]).await;
        assert_eq!((same.status.as_u16(), same.body.len()), (304, 0), "{known}");
        assert_eq!(same.header("etag"), Some(tag.as_str()));
        assert_eq!(same.header("vary"), Some("accept"));
        assert!(same.header("ratelimit-limit").is_some());
    }
    let other = read(&world, &path, &[("if-none-match", "\"sha256:00\"")]).await;
    assert_eq!(other.status, 200);

    let rendered = read(&world, &path, &[("accept", "text/markdown")]).await;
    let guideline = Guideline::read(&written).unwrap();
    assert_eq!(rendered.body, markdown(&guideline).into_bytes());
    assert_eq!(
        rendered.header("content-type"),
        Some("text/markdown; charset=utf-8")
    );
    let markdown_tag = rendered.header("etag").unwrap();
    assert_ne!(markdown_tag, tag, "the two forms are two representations");
    let both = [("accept", "text/markdown"), ("if-none-match", markdown_tag)];
    assert_eq!(read(&world, &path, &both).await.status, 304);
    let both = [("accept", "text/markdown"), ("if-none-match", tag.as_str())];
    assert_eq!(read(&world, &path, &both).await.status, 200);

    let state = world.get(&brand).await.json();
    check("Brand", &state);
    assert_eq!(
        (
            &state["research_status"],
            &state["guideline_available"],
            &state["guideline_revision"]
        ),
        (&json!("ready"), &json!(true), &json!(1))
    );
    let job = format!("/v1/jobs/{}", state["research_job_id"].as_str().unwrap());
    let job = world.get(&job).await.json();
    check("BrandJobResponse", &job);
    assert_eq!(job["result"]["guideline_path"], json!(path));
}

#[tokio::test]
async fn older_revisions_stay_readable() {
    let world = World::start().await;
    let brand = create(&world, BODY).await;
    let path = format!("{brand}/guideline");
    let list = format!("{brand}/guideline-revisions");
    assert_eq!(
        world.get(&list).await.json()["guideline_revisions"],
        json!([])
    );
    let first = succeed(&world, &brand, 1).await;
    post(&world, &format!("{brand}/research"), &[], "").await;
    let second = succeed(&world, &brand, 2).await;
    assert_eq!(world.get(&path).await.json(), second);
    let old = world.get(&format!("{path}?revision=1")).await;
    assert_eq!(old.json(), first);
    let tag = format!("\"{}\"", first["guideline_hash"].as_str().unwrap());
    assert_eq!(old.header("etag"), Some(tag.as_str()));
    let absent = world.get(&format!("{path}?revision=3")).await;
    assert_eq!(absent.error(), (404, "not_found".to_owned()));
    for (query, status) in [("revision=0", 422), ("revision=a", 400), ("rev=1", 400)] {
        let answer = world.get(&format!("{path}?{query}")).await;
        assert_eq!(
            answer.error(),
            (status, "invalid_request".to_owned()),
            "{query}"
        );
    }
    let page = world.get(&format!("{list}?limit=1")).await.json();
    check("GuidelineRevisionList", &page);
    assert_eq!(page["guideline_revisions"][0]["revision"], 2);
    assert_eq!(
        page["guideline_revisions"][0]["guideline_hash"],
        second["guideline_hash"]
    );
    let next = page["next_cursor"].as_str().unwrap();
    let rest = world
        .get(&format!("{list}?limit=1&cursor={next}"))
        .await
        .json();
    assert_eq!(rest["guideline_revisions"][0]["revision"], 1);
    assert_eq!(
        (&rest["has_more"], &rest["next_cursor"]),
        (&json!(false), &Value::Null)
    );
    // A cursor works only for the list that issued it.
    let other = create(&world, BODY).await;
    let foreign = world
        .get(&format!(
            "{other}/guideline-revisions?limit=1&cursor={next}"
        ))
        .await;
    assert_eq!(foreign.error(), (400, "invalid_cursor".to_owned()));
}

#[tokio::test]
async fn a_failed_refresh_leaves_the_guideline() {
    let world = World::start().await;
    let brand = create(&world, BODY).await;
    let written = succeed(&world, &brand, 1).await;
    post(&world, &format!("{brand}/research"), &[], "").await;
    let claimed = claim(&world).await;
    let error = JobError {
        code: "source_fetch_failed".to_owned(),
        message: "The site did not answer.".to_owned(),
        details: None,
    };
    let end = Finish::Failed { error };
    world
        .store
        .finish(&claimed.lease, end, Usage::default())
        .await
        .unwrap();
    let state = world.get(&brand).await.json();
    assert_eq!(
        (
            &state["research_status"],
            &state["guideline_available"],
            &state["guideline_revision"]
        ),
        (&json!("failed"), &json!(true), &json!(1))
    );
    let kept = world.get(&format!("{brand}/guideline")).await;
    assert_eq!(kept.json(), written);
}

#[tokio::test]
async fn playbooks_bind_a_brand() {
    let world = World::start().await;
    let playbook = async |brand: Value| {
        let mut body = json!({"target_company": "Target"});
        for (name, value) in brand.as_object().unwrap() {
            body[name] = value.clone();
        }
        world.post(body.to_string(), &[]).await
    };
    let brand = create(&world, BODY).await;
    let id = brand.rsplit('/').next().unwrap().to_owned();
    let early = playbook(json!({"brand_profile_id": id})).await;
    assert_eq!(early.error(), (409, "brand_profile_not_ready".to_owned()));
    succeed(&world, &brand, 1).await;
    let other = create(&world, r#"{"company_name":"Other"}"#).await;
    let other_id = other.rsplit('/').next().unwrap().to_owned();
    succeed(&world, &other, 1).await;
    for (wanted, status, code) in [
        (
            json!({"brand_profile_id": id, "brand_profile_key": "other"}),
            400,
            "brand_profile_mismatch",
        ),
        (
            json!({"brand_profile_id": "brd_01jz8q6t7n4w3r9k2m5x0v1c8d"}),
            404,
            "brand_profile_not_found",
        ),
        (
            json!({"brand_profile_id": "nonsense"}),
            404,
            "brand_profile_not_found",
        ),
        (
            json!({"brand_profile_key": "absent"}),
            404,
            "brand_profile_not_found",
        ),
        (
            json!({"brand_profile_key": "Not-A-Key"}),
            404,
            "brand_profile_not_found",
        ),
        (
            json!({"brand_profile_id": id, "brand_profile_key": "absent"}),
            404,
            "brand_profile_not_found",
        ),
    ] {
        let answer = playbook(wanted.clone()).await;
        assert_eq!(answer.error(), (status, code.to_owned()), "{wanted}");
    }
    for wanted in [
        json!({"brand_profile_id": id}),
        json!({"brand_profile_key": "acme-estates"}),
        json!({"brand_profile_id": id, "brand_profile_key": "acme-estates"}),
        json!({}),
    ] {
        assert_eq!(playbook(wanted.clone()).await.status, 202, "{wanted}");
    }
    let other_id: BrandId = other_id.parse().unwrap();
    world
        .store
        .operator()
        .archive_brand(other_id)
        .await
        .unwrap();
    let archived = playbook(json!({"brand_profile_key": "other"})).await;
    assert_eq!(archived.error(), (409, "brand_profile_archived".to_owned()));
}

/// The example in the API description is a guideline that the code can read.
#[test]
fn the_published_example_is_a_guideline() {
    let description = gtm_api::openapi();
    let mut example = description["components"]["schemas"]["BrandGuideline"]["examples"][0].clone();
    example["guideline_hash"] = json!(guideline_hash(&example));
    Guideline::read(&example).unwrap();
}
