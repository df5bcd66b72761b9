//! `GET /docs` and the files that the page loads.

use axum::body::Body;
use gtm_api::error_status::status_of;
use http::Request;

use crate::world::{Answer, World};

async fn get(world: &World, path: &str, known: Option<&str>) -> Answer {
    let mut request = Request::get(path);
    if let Some(tag) = known {
        request = request.header("if-none-match", tag);
    }
    world.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn the_page_and_all_it_names_come_from_here() {
    let world = World::start().await;
    let page = get(&world, "/docs", None).await;
    assert_eq!(page.status, 200);
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    let policy = page.header("content-security-policy").unwrap();
    assert!(
        policy.starts_with("default-src 'none'; script-src 'self';"),
        "{policy}"
    );
    assert!(
        !policy.contains("http") && !policy.contains('*'),
        "{policy}"
    );
    let html = String::from_utf8(page.body).unwrap();
    let named: Vec<&str> = ["src=\"", "href=\""]
        .iter()
        .flat_map(|attribute| html.split(attribute).skip(1))
        .map(|rest| rest.split('"').next().unwrap())
        .filter(|address| !address.starts_with("data:"))
        .collect();
    assert!(named.contains(&"docs/redoc.standalone.js") && named.contains(&"openapi.json"));
    for address in named {
        let answer = get(&world, &format!("/{address}"), None).await;
        assert_eq!(answer.status, 200, "{address}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    }
}

#[tokio::test]
async fn every_error_leads_to_its_place_in_the_reference() {
    let world = World::start().await;
    let page = get(&world, "/docs/errors", None).await;
    assert_eq!(page.status, 200);
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none';"), "{policy}");
    let html = String::from_utf8(page.body).unwrap();
    assert!(!html.contains("http:") && !html.contains("https:") && !html.contains("<script"));
    let style = html.split("rel=\"stylesheet\" href=\"").nth(1).unwrap();
    let style = style.split('"').next().unwrap();
    assert_eq!(
        get(&world, &format!("/docs/{style}"), None).await.status,
        200
    );
    for code in gtm_domain::ErrorCode::ALL {
        let anchor = format!("id=\"{}\"", code.as_str());
        let (_, section) = html
            .split_once(&anchor)
            .unwrap_or_else(|| panic!("no {anchor}"));
        let section = section.split("</section>").next().unwrap();
        assert!(section.contains(status_of(code).as_str()), "{section}");
        for told in ["When", "What to do", "Repeat it"] {
            let (_, text) = section.split_once(&format!("<dt>{told}</dt><dd>")).unwrap();
            assert!(text.find('<').unwrap() > 10, "{told}: {section}");
        }
    }
    let repeat = |code: &str| {
        let section = html.split(&format!("id=\"{code}\"")).nth(1).unwrap();
        let text = section.split("<dt>Repeat it</dt><dd>").nth(1).unwrap();
        text.split('<').next().unwrap().to_owned()
    };
    for later in ["idempotency_in_progress", "not_ready"] {
        assert!(repeat(later).starts_with("Yes, later: repeat the same request"));
    }
    assert!(repeat("rate_limit_exceeded").starts_with("Yes: "));
    assert!(repeat("idempotency_key_reused").starts_with("No: "));
    for code in gtm_domain::JobErrorCode::ALL {
        let anchor = format!("id=\"job-{}\"", code.as_str());
        let (_, section) = html
            .split_once(&anchor)
            .unwrap_or_else(|| panic!("no {anchor}"));
        let section = section.split("</section>").next().unwrap();
        for told in ["When", "What to do", "Again", "Charged"] {
            assert!(
                section.contains(&format!("<dt>{told}</dt><dd>")),
                "{section}"
            );
        }
    }
    let error = get(&world, "/v1/usage", None).await.json();
    let url = error["error"]["docs_url"].as_str().unwrap();
    assert_eq!(url, "http://127.0.0.1:8080/docs/errors#missing_api_key");
}

#[tokio::test]
async fn unchanged_files_are_not_sent_again() {
    let world = World::start().await;
    let mut tags = Vec::new();
    for path in [
        "/docs",
        "/docs/page.js",
        "/docs/errors",
        "/docs/redoc.standalone.js",
        "/openapi.json",
    ] {
        let first = get(&world, path, None).await;
        assert_eq!(first.header("cache-control"), Some("no-cache"), "{path}");
        let tag = first.header("etag").unwrap().to_owned();
        let again = get(&world, path, Some(&tag)).await;
        assert_eq!(
            (again.status.as_u16(), again.body.len()),
            (304, 0),
            "{path}"
        );
        assert_eq!(again.header("etag"), Some(tag.as_str()), "{path}");
        let other = get(&world, path, Some("\"other\"")).await;
        assert_eq!(
            (other.status.as_u16(), other.body),
            (200, first.body),
            "{path}"
        );
        tags.push(tag);
    }
    tags.sort();
    tags.dedup();
    assert_eq!(tags.len(), 5);
}

#[tokio::test]
async fn what_is_no_file_of_the_page_is_not_found() {
    let world = World::start().await;
    for path in [
        "/docs/",
        "/docs/none.js",
        "/docs/..%2Fredoc.standalone.js",
        "/docs/a/b",
    ] {
        let answer = get(&world, path, None).await;
        assert_eq!(answer.error(), (404, "not_found".to_owned()), "{path}");
    }
}
