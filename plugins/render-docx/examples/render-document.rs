//! Renders a document of JSON as DOCX: `render-document IN.json OUT.docx [ASSETS]`. Assets are files in a folder.
#![allow(clippy::print_stdout)]

use std::path::PathBuf;

use gtm_document_model::Document;
use gtm_render_docx::{Assets, render};

struct Folder(Option<PathBuf>);

impl Assets for Folder {
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        let folder = self.0.as_ref()?;
        std::fs::read(folder.join(name)).ok()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(input), Some(output)) = (arguments.next(), arguments.next()) else {
        return Err("render-document IN.json OUT.docx [ASSETS]".into());
    };
    let folder = Folder(arguments.next().map(PathBuf::from));
    let document = Document::read(&std::fs::read_to_string(input)?).map_err(|faults| {
        faults
            .iter()
            .map(|fault| format!("{}: {}", fault.pointer, fault.message))
            .collect::<Vec<_>>()
            .join("\n")
    })?;
    let manifest = folder.read("evidence-manifest.json");
    let rendered = render(&document, &folder, manifest.as_deref())?;
    std::fs::write(output, &rendered.bytes)?;
    println!("{} pages", rendered.pages);
    for diagnostic in rendered.diagnostics {
        println!(
            "{:?} {} {}",
            diagnostic.code, diagnostic.pointer, diagnostic.message
        );
    }
    Ok(())
}
