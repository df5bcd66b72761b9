//! Renders a document natively:
//! `cargo run -p gtm-render-pptx --example render -- DOCUMENT.json OUT.pptx [ASSETS [RUNS]]`, where the folder ASSETS
//! has the document's assets by their names. Prints the milliseconds of each run on a line of its own, for
//! `cargo xtask bench renderers`.
#![allow(clippy::print_stdout)]

use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || {
        arguments
            .next()
            .ok_or("expected DOCUMENT.json OUT.pptx [ASSETS [RUNS]]")
    };
    let (document, out) = (next()?, next()?);
    let folder = arguments.next().map(PathBuf::from);
    let json = std::fs::read_to_string(document)?;
    let document =
        gtm_document_model::Document::read(&json).map_err(|faults| format!("{faults:#?}"))?;
    let read = |name: &str| std::fs::read(folder.as_ref()?.join(name)).ok();
    let runs: u32 = arguments.next().map_or(Ok(1), |text| text.parse())?;
    let timed = || {
        let begin = std::time::Instant::now();
        let rendered = gtm_render_pptx::render(&document, &read);
        println!("{:.3} ms", begin.elapsed().as_secs_f64() * 1e3);
        rendered
    };
    for _ in 1..runs {
        timed()?;
    }
    let rendered = timed()?;
    println!("{} pages", rendered.pages);
    for diagnostic in &rendered.diagnostics {
        println!(
            "{:?} {} {}",
            diagnostic.code, diagnostic.pointer, diagnostic.message
        );
    }
    std::fs::write(out, rendered.bytes)?;
    Ok(())
}
