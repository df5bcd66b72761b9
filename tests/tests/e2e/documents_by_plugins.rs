//! Documents by the product's own backend and renderers: from a brief and a researched brand to a file that says
//! what the brief says, with its evidence in it.

use std::time::Duration;

use gtm_domain::Digest;
use gtm_e2e::Database;
use gtm_e2e::fake_site::Page;
use gtm_ooxml::zip::{Archive, Limits};
use serde_json::{Value, json};

use crate::{DOMAIN, World, on_both_engines, sample_site};

const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) const BRIEF: &str = "\
# Cold storage for Harrow Fisheries

Proposal for the management of Harrow Fisheries.

Date: 12 March 2027

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

        // Who dates a brief dates the document; today's date beside it would be one too many.
        assert!(text.contains("12 March 2027"), "{format} has no date");
        let made_in = &job["created_at"].as_str().unwrap()[..4];
        assert!(!text.contains(&format!(" {made_in}<")), "{text}");

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

/// A brief of this script, for which the component brings no font.
const THAI_BRIEF: &str = "\
# ข้อเสนอสำหรับคลังสินค้าห้องเย็น

## สิ่งที่ท่านบอกเรา

- สินค้าสี่พันพาเลตออกจากคลังทุกปีโดยไม่ได้แช่แข็ง
- รถบรรทุกสองคันต่อวันวิ่งลงใต้โดยมีที่ว่างครึ่งหนึ่ง

## สิ่งที่เราเสนอ

เราแช่แข็งสินค้าของท่านในห้องเย็นที่อยู่ติดกับท่าเรือ และส่งต่อให้ลูกค้าของท่านในวันเดียวกัน
";

async fn a_pdf_that_no_font_can_show_is_not_made(kind: Database, test: &str) {
    let Some(world) = World::start(kind, test, sample_site().await).await else {
        return;
    };
    prepare(&world, &["docx", "pdf"]).await;
    let input =
        |format: &str| json!({"brief": THAI_BRIEF, "format": format, "document_type": "proposal"});
    // Asked for by itself, it fails the job.
    let created = world
        .client
        .post("/v1/documents", &input("pdf"), Some("pdf"))
        .await;
    assert_eq!(created.status, 202, "{}", created.json());
    let id = created.json()["id"].as_str().unwrap().to_owned();
    let job = world.client.wait(&id, PATIENCE).await;
    assert_eq!(job["status"], "failed", "{job}");
    assert_eq!(job["error"]["code"], "render_failed", "{job}");
    assert_eq!(job["error"]["details"]["reason"], "missing_glyphs", "{job}");
    // As a copy beside another format it is left out, and the result tells so.
    let job = document(&world, &input("docx"), "docx").await;
    let files = job["result"]["files"].as_array().unwrap();
    assert_eq!(files.len(), 1, "{job}");
    assert_eq!(files[0]["format"], "docx", "{job}");
    let told = job["result"]["progress"].as_array().unwrap();
    let missing = told.iter().find(|told| told["code"] == "render.failed");
    let message = missing.map(|told| told["message"].as_str().unwrap());
    assert!(
        message.is_some_and(|message| message.contains("PDF") && message.contains("render_failed")),
        "{told:?}"
    );
}
on_both_engines!(
    unreadable_pdf,
    super::a_pdf_that_no_font_can_show_is_not_made
);

/// A file of Word whose text grows to 200 MB.
fn bomb() -> Vec<u8> {
    let types = br#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"#;
    let text = vec![b' '; 200_000_000];
    let parts: [(&str, &[u8]); 2] = [("[Content_Types].xml", types), ("word/document.xml", &text)];
    gtm_ooxml::zip::write(parts).unwrap()
}

async fn a_reference_that_grows_without_end_is_left_out(kind: Database, test: &str) {
    let site = sample_site().await;
    let docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    site.set("/bomb.docx", Page::Ok(docx, bomb()));
    let Some(world) = World::start(kind, test, site).await else {
        return;
    };
    prepare(&world, &["docx"]).await;
    let url = |path: &str| format!("{}{path}", world.site.url());
    let input = json!({
        "brief": BRIEF, "format": "docx", "document_type": "proposal",
        "template_urls": [url("bomb.docx"), url("")],
    });
    let job = document(&world, &input, "bomb").await;
    let told = job["result"]["progress"].as_array().unwrap();
    let says = |words: &[&str]| {
        let messages = told.iter().filter_map(|told| told["message"].as_str());
        let mut messages = messages.filter(|message| words.iter().all(|it| message.contains(it)));
        messages.next().is_some()
    };
    assert!(says(&["bomb.docx", "document_too_large"]), "{told:?}");
    assert_eq!(job["result"]["files"].as_array().unwrap().len(), 1, "{job}");
}
on_both_engines!(
    bomb_as_reference,
    super::a_reference_that_grows_without_end_is_left_out
);
