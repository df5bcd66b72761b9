//! What becomes of the briefs in a folder, without a model, a guideline and an offer: `print-briefs FOLDER`, with files named
//! `name.language.format.md`; `any` leaves the format to the backend. Prints each document as text, below what was told of it.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::path::PathBuf;

use gtm_document::DocumentBackend;
use gtm_document::draft::document_of;
use gtm_sdk::GenerationBackend;
use gtm_sdk::json::json;
use gtm_sdk::testing::Host;

#[path = "../tests/backend/printed.rs"]
mod printed;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("print-briefs FOLDER")?;
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|it| it == "md"));
    files.sort();
    for file in files {
        let name = file
            .file_stem()
            .and_then(|it| it.to_str())
            .unwrap_or_default();
        let mut parts = name.split('.').skip(1);
        let language = parts.next().unwrap_or("en");
        let format = parts.next().filter(|format| *format != "any");
        println!("\n=== {name}");
        print(&std::fs::read_to_string(&file)?, language, format);
    }
    Ok(())
}

/// Prints one brief's document, or why there is none.
fn print(brief: &str, language: &str, format: Option<&str>) {
    let input = json!({"brief": brief, "document_type": null, "format": format, "target_domain": null, "brand": null,
        "offer": null, "template_urls": [], "title": null, "external_ref": null});
    let task = json!({"input": input, "formats": ["docx", "pdf", "pptx"], "brand": {"language": language},
        "now": "2026-11-21T00:00:00.000Z", "start_urls": {}});
    let run = Host::new().run(|| DocumentBackend::generate("documents", task));
    for text in run.reports.iter().filter_map(|(_, text)| text.as_ref()) {
        println!("{text}");
    }
    match run.output.map(|draft| document_of(&draft)) {
        Ok(Ok(document)) => println!("{}", printed::print(&document)),
        Ok(Err(faults)) => println!("faulty: {faults:?}"),
        Err(failure) => println!("failed: {failure:?}"),
    }
}
