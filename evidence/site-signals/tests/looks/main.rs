//! Small pages and stylesheets, and what a person would see on them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod contrast;
mod palette;
mod typefaces;

use gtm_site_signals::contrast::{FailingPair, failing as failing_pairs};
use gtm_site_signals::css::Sheet;
use gtm_site_signals::palette::{ColorRole, palette as read_palette};

/// Role, colour and name of each swatch.
fn swatches(sheets: &[&str], theme: &[&str]) -> Vec<(ColorRole, String, Option<String>)> {
    let sheets: Vec<Sheet> = sheets.iter().map(|css| Sheet::read(css)).collect();
    let sheets: Vec<&Sheet> = sheets.iter().collect();
    let theme: Vec<String> = theme.iter().map(|hex| (*hex).to_owned()).collect();
    read_palette(&sheets, &theme, None)
        .into_iter()
        .map(|swatch| (swatch.role, swatch.hex, swatch.name))
        .collect()
}

fn roles(sheets: &[&str]) -> Vec<(ColorRole, String)> {
    swatches(sheets, &[])
        .into_iter()
        .map(|(role, hex, _)| (role, hex))
        .collect()
}

fn is(role: ColorRole, hex: &str) -> (ColorRole, String) {
    (role, hex.to_owned())
}

fn failing(css: &str) -> Vec<(String, String, f64)> {
    failing_pairs(&[&Sheet::read(css)], None, 4.5)
        .into_iter()
        .map(|pair: FailingPair| (pair.foreground, pair.background, pair.ratio))
        .collect()
}

fn fails(foreground: &str, background: &str, ratio: f64) -> (String, String, f64) {
    (foreground.to_owned(), background.to_owned(), ratio)
}

const COMPANY: &str = "
:root{--brand-primary:#0a5c36;--brand-secondary:#f2a900;--ink:#1d2420;--paper:#fffdf8;--grey:#d9d9d9}
body{background:var(--paper);color:var(--ink);font-family:'Source Sans 3',Arial,sans-serif}
h1,h2{font-family:Fraunces,Georgia,serif;font-weight:600;color:var(--brand-primary)}
a{color:var(--brand-primary)} a:hover{color:#084a2c}
.btn{background:var(--brand-primary);color:#fff} .btn--ghost{background:var(--brand-secondary);color:var(--ink)}
table{border:1px solid var(--grey)} .alert-danger{background:#c00;color:#fff} code{font-family:'Fira Code',monospace}
";
