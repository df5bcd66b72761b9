//! Renders a document of JSON as PDF, natively: `render-document IN.json OUT.pdf [ASSETS [RUNS]]`. Assets are files in
//! a folder. Prints the milliseconds of each run on a line of its own, for `cargo xtask bench renderers`.
#![allow(clippy::print_stdout)]

use std::path::PathBuf;

use gtm_document_model::Document;
use gtm_ooxml::picture::Format;
use gtm_render_pdf::{Assets, render};

struct Folder(Option<PathBuf>);

impl Assets for Folder {
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        let folder = self.0.as_ref()?;
        std::fs::read(folder.join(name)).ok()
    }

    /// The pictures of the gallery are whole.
    fn decodes(&self, _: &[u8], _: Format) -> bool {
        true
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(input), Some(output)) = (arguments.next(), arguments.next()) else {
        return Err("render-document IN.json OUT.pdf [ASSETS [RUNS]]".into());
    };
    let folder = Folder(arguments.next().map(PathBuf::from));
    let runs: u32 = arguments.next().map_or(Ok(1), |text| text.parse())?;
    let document = Document::read(&std::fs::read_to_string(input)?)
        .map_err(|faults| format!("{faults:#?}"))?;
    let manifest = folder.read("evidence-manifest.json");
    let timed = || {
        let begin = std::time::Instant::now();
        let rendered = render(&document, &folder, Vec::new(), manifest.as_deref());
        println!("{:.3} ms", begin.elapsed().as_secs_f64() * 1e3);
        rendered
    };
    for _ in 1..runs {
        timed()?;
    }
    let rendered = timed()?;
    std::fs::write(output, &rendered.bytes)?;
    println!("{} pages", rendered.pages);
    Ok(())
}
