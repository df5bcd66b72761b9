//! Which projects and keys see a brand, and which may start its research.

use super::*;

#[tokio::test]
async fn another_project_sees_the_brand_and_another_organization_does_not() {
    let world = World::start().await;
    let brand = create(&world, BODY).await;
    let operator = world.store.operator();
    let sister = operator
        .create_project(world.organization, "sister")
        .await
        .unwrap();
    let (sister_id, full) = (sister.id, Permissions::parse("full").unwrap());
    let (_, sister) = operator
        .create_key(sister_id, "k", full, None)
        .await
        .unwrap();
    let sister = sister.reveal();
    let state = world.get_as(&brand, &sister).await.json();
    assert_eq!(state, world.get(&brand).await.json());
    let job = format!("/v1/jobs/{}", state["research_job_id"].as_str().unwrap());
    let research = format!("{brand}/research");
    let reused = send(&world, "POST", &research, &sister, &[], "").await;
    assert_eq!(reused.header("job-reused"), Some("true"));
    assert_eq!(reused.json()["id"], state["research_job_id"]);
    // The returned job can be polled, to its end, at the path in the answer; no list of this project shows
    // it.
    assert_eq!(reused.header("location"), Some(job.as_str()));
    let polled = world.get_as(&job, &sister).await;
    check("BrandJobResponse", &polled.json());
    assert_eq!(polled.json(), reused.json());
    let listed = world.get_as("/v1/jobs", &sister).await.json();
    assert_eq!(listed["jobs"], json!([]));
    for below in ["events", "receipts"] {
        let answer = world.get_as(&format!("{job}/{below}"), &sister).await;
        assert_eq!(answer.error(), (404, "not_found".to_owned()), "{below}");
    }
    succeed(&world, &brand, 1).await;
    let (own, theirs) = (
        world.get(&job).await.json(),
        world.get_as(&job, &sister).await.json(),
    );
    assert_eq!(
        (&own["status"], &theirs["status"]),
        (&json!("succeeded"), &json!("succeeded"))
    );
    assert_eq!(own["result"], theirs["result"]);
    assert_ne!(
        own["usage"], theirs["usage"],
        "what it cost is not the sister's to know"
    );
    assert_eq!(theirs["usage"]["backend_requests"], 0);
    // As with any job, a key that may not read brands learns nothing.
    let blind = Permissions::parse("jobs:read").unwrap();
    let (_, blind) = operator
        .create_key(sister_id, "b", blind, None)
        .await
        .unwrap();
    let refused = world.get_as(&job, &blind.reveal()).await;
    assert_eq!(refused.error(), (404, "not_found".to_owned()));
    let guideline = format!("{brand}/guideline");
    assert_eq!(world.get_as(&guideline, &sister).await.status, 200);

    let stranger = world.stranger().await;
    let absent = format!("{PATH}/brd_01jz8q6t7n4w3r9k2m5x0v1c8d");
    for (path, key) in [(&brand, &stranger), (&absent, &world.key)] {
        for below in ["", "/guideline", "/guideline-revisions"] {
            let answer = world.get_as(&format!("{path}{below}"), key).await;
            assert_eq!(
                answer.error(),
                (404, "not_found".to_owned()),
                "{path}{below}"
            );
        }
        let answer = send(&world, "POST", &format!("{path}/research"), key, &[], "").await;
        assert_eq!(answer.error(), (404, "not_found".to_owned()), "{path}");
    }
    assert_eq!(
        world.get(&format!("{PATH}/acme-estates")).await.error().0,
        404
    );
    assert_eq!(
        world.get_as(PATH, &stranger).await.json()["brands"],
        json!([])
    );
}

#[tokio::test]
async fn each_operation_has_its_permission_and_the_capability() {
    let world = World::start().await;
    let brand = create(&world, BODY).await;
    let reader = world.new_key("brands:read", None).await;
    let writer = world.new_key("brands:write", None).await;
    let forbidden = (403, "forbidden".to_owned());
    let reads = ["", "/guideline", "/guideline-revisions"].map(|below| format!("{brand}{below}"));
    for path in reads.iter().map(String::as_str).chain([PATH]) {
        assert_eq!(
            world.get_as(path, &writer).await.error(),
            forbidden,
            "{path}"
        );
        assert_ne!(world.get_as(path, &reader).await.status, 403, "{path}");
    }
    for (path, body) in [(PATH.to_owned(), BODY), (format!("{brand}/research"), "")] {
        let refused = send(&world, "POST", &path, &reader, &[], body).await;
        assert_eq!(refused.error(), forbidden, "{path}");
        assert_eq!(
            send(&world, "POST", &path, &writer, &[], body).await.status,
            202
        );
    }
    let config = ApiConfig {
        disabled_capabilities: ["brands".to_owned()].into(),
        ..ApiConfig::default()
    };
    let off = World::with(config).await;
    let disabled = (403, "capability_disabled".to_owned());
    assert_eq!(post(&off, PATH, &[], BODY).await.error(), disabled);
    assert_eq!(off.get(PATH).await.error(), disabled);
}
