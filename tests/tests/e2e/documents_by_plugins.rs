//! Documents by the product's own backend and renderers: from a brief and a researched brand to a file that says
//! what the brief says, with its evidence in it.

use std::time::Duration;

use gtm_domain::Digest;
use gtm_e2e::Database;
use gtm_ooxml::zip::{Archive, Limits};
use serde_json::{Value, json};

use crate::{DOMAIN, World, on_both_engines, sample_site};

const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) const BRIEF: &str = "\
# Cold storage for Harrow Fisheries

Proposal for the management of Harrow Fisheries.

## What you told us

- 4,200 pallets a year leave Hull unfrozen
- Two lorries a day drive south half empty

## What it costs

| Service | Price a pallet |
|---|---|
| Blast freezing | £14.20 |
| Storage, a week | £3.10 |

## Next steps

1. Visit the store
2. Freeze a trial load
";

/// Binds what a document of these formats needs and researches the default brand.
pub(crate) async fn prepare(world: &World, formats: &[&str]) {
    let start_urls = json!({ "start_urls": { DOMAIN: world.site.url() } });
    let (gtm, tenant) = (&world.gtm, &world.tenant);
    tenant.bind_backend_to(gtm, "brands", "brand", &start_urls);
    tenant.bind_backend_to(gtm, "documents", "document", &start_urls);
    for format in formats {
        gtm.cli(&[
            "binding",
            "create",
            "--project",
            &tenant.project,
            "--role",
            &format!("render.{format}"),
            "--renderer",
            &format!("render-{format}"),
        ]);
    }
    let brand = json!({ "website_url": format!("https://{DOMAIN}/"), "is_default": true });
    let created = world.client.post("/v1/brands", &brand, Some("brand")).await;
    assert_eq!(created.status, 202, "{}", created.json());
    finished(world, &created.json()).await;
}

async fn finished(world: &World, job: &Value) -> Value {
    let id = job["id"].as_str().unwrap();
    let done = world.client.wait(id, PATIENCE).await;
    assert_eq!(done["status"], "succeeded", "{done}");
    done
}

async fn document(world: &World, input: &Value, key: &str) -> Value {
    let created = world.client.post("/v1/documents", input, Some(key)).await;
    assert_eq!(created.status, 202, "{}", created.json());
    finished(world, &created.json()).await
}

/// The texts of the parts whose names begin so.
fn text_of(archive: &Archive, prefix: &str) -> String {
    let parts = archive
        .entries()
        .filter(|(name, _)| name.starts_with(prefix));
    parts
        .map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned())
        .collect()
}

async fn a_brief_becomes_a_file(kind: Database, test: &str) {
    let Some(world) = World::start(kind, test, sample_site().await).await else {
        return;
    };
    prepare(&world, &["pptx", "docx"]).await;
    for (format, document_type, body) in [
        ("pptx", "deck", "ppt/slides/slide"),
        ("docx", "proposal", "word/document.xml"),
    ] {
        let input = json!({"brief": BRIEF, "format": format, "document_type": document_type});
        let job = document(&world, &input, format).await;
        let stages: Vec<_> = job["stages"].as_array().unwrap().iter().collect();
        assert_eq!(stages.len(), 3, "{job}");
        assert!(stages.iter().all(|stage| stage["status"] == "succeeded"));
        let result = &job["result"];
        let file = &result["files"][0];
        assert_eq!(file["format"], format, "{result}");
        let path = format!(
            "/v1/documents/{}/files/{}",
            job["id"].as_str().unwrap(),
            file["file_id"].as_str().unwrap()
        );
        let answer = world.client.get(&path).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.bytes.len() as u64, file["size_bytes"]);
        assert_eq!(
            Digest::of(&answer.bytes).to_string(),
            file["content_digest"]
        );

        let archive = Archive::read(&answer.bytes, Limits::default()).unwrap();
        let text = text_of(&archive, body);
        for said in [
            "Blast freezing",
            "£14.20",
            "4,200 pallets",
            "Freeze a trial load",
        ] {
            assert!(text.contains(said), "{format} does not say {said}");
        }
        let told = result["progress"].as_array().unwrap();
        assert!((1..=50).contains(&told.len()), "{result}");
        let evidence = text_of(&archive, "customXml/");
        let brand = result["brand"]["brand_profile_id"].as_str().unwrap();
        assert!(evidence.contains(brand), "the file does not name its brand");

        // The same request is the same job, and its file the same bytes.
        let again = world
            .client
            .post("/v1/documents", &input, Some(format))
            .await;
        assert_eq!(again.json()["id"], job["id"]);
    }
}
on_both_engines!(brief_to_file, super::a_brief_becomes_a_file);

async fn a_brief_becomes_a_pdf(kind: Database, test: &str) {
    let Some(world) = World::start(kind, test, sample_site().await).await else {
        return;
    };
    prepare(&world, &["docx", "pdf"]).await;
    // Asked for by itself, and as the copy that comes with another format.
    for (format, at) in [("pdf", 0), ("docx", 1)] {
        let input = json!({"brief": BRIEF, "format": format, "document_type": "proposal"});
        let job = document(&world, &input, format).await;
        let file = &job["result"]["files"][at];
        assert_eq!(file["format"], "pdf", "{}", job["result"]);
        // So short a text begins with its title, not with a page of its own.
        assert_eq!(file["pages"], 1, "{file}");
        let path = format!(
            "/v1/documents/{}/files/{}",
            job["id"].as_str().unwrap(),
            file["file_id"].as_str().unwrap()
        );
        let answer = world.client.get(&path).await;
        assert_eq!(answer.status, 200);
        assert_eq!(
            Digest::of(&answer.bytes).to_string(),
            file["content_digest"]
        );
        let read = gtm_file_text::read(Some("application/pdf"), &answer.bytes);
        let read = read.unwrap().unwrap();
        assert!(read.title.as_deref().unwrap_or_default().contains("Harrow"));
        let text = read.into_page_text().text();
        for said in [
            "Blast freezing",
            "£14.20",
            "4,200 pallets",
            "Freeze a trial load",
        ] {
            assert!(text.contains(said), "the PDF does not say {said}: {text}");
        }
        let has = |name: &[u8]| answer.bytes.windows(name.len()).any(|bytes| bytes == name);
        assert!(has(b"evidence-manifest.json"), "no evidence is attached");
    }
}
on_both_engines!(brief_to_pdf, super::a_brief_becomes_a_pdf);
