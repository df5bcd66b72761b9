//! Renders a document natively: `cargo run -p gtm-render-pptx --example render -- DOCUMENT.json OUT.pptx [ASSETS]`,
//! where the folder ASSETS has the document's assets by their names.
#![allow(clippy::print_stdout)]

use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || {
        arguments
            .next()
            .ok_or("expected DOCUMENT.json OUT.pptx [ASSETS]")
    };
    let (document, out) = (next()?, next()?);
    let folder = arguments.next().map(PathBuf::from);
    let json = std::fs::read_to_string(document)?;
    let document =
        gtm_document_model::Document::read(&json).map_err(|faults| format!("{faults:#?}"))?;
    let read = |name: &str| std::fs::read(folder.as_ref()?.join(name)).ok();
    let begin = std::time::Instant::now();
    let rendered = gtm_render_pptx::render(&document, &read)?;
    println!("{} pages in {:?}", rendered.pages, begin.elapsed());
    for diagnostic in &rendered.diagnostics {
        println!(
            "{:?} {} {}",
            diagnostic.code, diagnostic.pointer, diagnostic.message
        );
    }
    std::fs::write(out, rendered.bytes)?;
    Ok(())
}
