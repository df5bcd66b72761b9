//! The page on which all contact sheets are.

use std::path::{Path, PathBuf};

use gtm_document_gallery::{Sample, Theme};

use crate::rendering::Rendered;

/// A rendered file and its contact sheets.
pub struct Entry {
    pub name: String,
    pub format: &'static str,
    pub file: PathBuf,
    pub sheets: Vec<PathBuf>,
    figures: String,
    diagnostics: Vec<String>,
}

impl Entry {
    pub fn new(sample: &Sample, theme: &Theme, format: &'static str, made: Rendered) -> Self {
        let pages = made
            .pages
            .map_or_else(String::new, |pages| format!("{pages} pages, "));
        Self {
            name: format!("{}-{}-{format}", sample.name, theme.name),
            format,
            figures: format!(
                "{pages}{} KiB, {} ms, {} MiB",
                made.bytes.div_ceil(1024),
                made.wall_ms,
                made.peak_memory_bytes.div_ceil(1 << 20)
            ),
            diagnostics: (made.diagnostics.iter())
                .map(|told| {
                    let text = |name: &str| told[name].as_str().unwrap_or_default().to_owned();
                    format!("{} {}: {}", text("code"), text("pointer"), text("message"))
                })
                .collect(),
            file: made.file,
            sheets: Vec::new(),
        }
    }

    /// One line for the terminal.
    pub fn line(&self) -> String {
        let sheets: Vec<String> = (self.sheets.iter())
            .map(|sheet| sheet.display().to_string())
            .collect();
        format!(
            "{}: {}, {} diagnostics: {}",
            self.name,
            self.figures,
            self.diagnostics.len(),
            sheets.join(" ")
        )
    }
}

/// The page, with links relative to its folder.
pub fn page(entries: &[Entry]) -> String {
    let mut html = String::from(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Gallery</title>\n\
         <style>body{font:16px sans-serif;margin:2rem}img{max-width:100%}</style>\n<h1>Gallery</h1>\n",
    );
    for entry in entries {
        html.push_str(&format!(
            "<h2 id=\"{0}\">{0}</h2>\n<p><a href=\"{1}\">{1}</a>: {2}</p>\n",
            escaped(&entry.name),
            escaped(&file_name(&entry.file)),
            escaped(&entry.figures)
        ));
        if !entry.diagnostics.is_empty() {
            html.push_str("<ul>\n");
            for told in &entry.diagnostics {
                html.push_str(&format!("<li>{}</li>\n", escaped(told)));
            }
            html.push_str("</ul>\n");
        }
        for sheet in &entry.sheets {
            html.push_str(&format!(
                "<img src=\"sheets/{}\" alt=\"Pages of {}\">\n",
                escaped(&file_name(sheet)),
                escaped(&entry.name)
            ));
        }
    }
    html
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_renderer_says_is_text_on_the_page() {
        let html = page(&[Entry {
            name: "deck-de-light-pptx".into(),
            format: "pptx",
            file: "/tmp/deck.pptx".into(),
            sheets: vec!["/tmp/sheets/deck-1.png".into()],
            figures: "3 pages".into(),
            diagnostics: vec!["overflow /sections/0: <b> & \"x\"".into()],
        }]);
        assert!(
            html.contains("<li>overflow /sections/0: &lt;b&gt; &amp; &quot;x&quot;</li>"),
            "{html}"
        );
        assert!(html.contains("src=\"sheets/deck-1.png\""), "{html}");
    }
}
