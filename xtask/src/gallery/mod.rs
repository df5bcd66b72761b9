//! `cargo xtask gallery`: renders the documents of the gallery and shows all pages on contact sheets, for a person to
//! look at.

mod index;
mod sheets;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use gtm_document_gallery::{SAMPLES, Sample, THEMES, Theme};

use crate::documents::checks;
use crate::plugins::Purpose;
use crate::process::find_program;
use crate::rendering::{FORMATS, Rendered, Renderers};
use crate::workspace::Workspace;
use index::Entry;

/// Programs of the system, and the Debian package that has each.
const PROGRAMS: [(&str, &str); 3] = [
    (
        "soffice",
        "libreoffice-impress libreoffice-writer libreoffice-calc",
    ),
    ("pdftoppm", "poppler-utils"),
    ("montage", "imagemagick"),
];

/// Render the gallery in each theme and format, and put its pages on contact sheets to look at.
///
/// Needs LibreOffice, poppler and ImageMagick. Fonts that the themes name should be installed too, or LibreOffice
/// shows others (Debian: fonts-inter fonts-noto-core fonts-noto-cjk).
#[derive(clap::Args)]
pub struct Args {
    /// Only documents of this type, or whose name begins with it: deck, deck-de; may be repeated
    #[arg(long = "type", value_name = "TYPE")]
    types: Vec<String>,
    /// Only this theme: light, dark, serif, vivid; may be repeated
    #[arg(long = "theme", value_name = "THEME")]
    themes: Vec<String>,
    /// Only this format, and also where nobody would ask for it; may be repeated
    #[arg(long = "format", value_name = "FORMAT", value_parser = ["pptx", "docx", "pdf"])]
    formats: Vec<String>,
    /// Where everything goes [default: gallery in cargo's target directory]
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let missing: Vec<&str> = (PROGRAMS.iter())
        .filter(|(program, _)| find_program(&[program]).is_none())
        .map(|(_, package)| *package)
        .collect();
    if !missing.is_empty() {
        bail!("this machine lacks programs; install {}", missing.join(" "));
    }
    let (samples, themes) = chosen(args)?;
    let workspace = Workspace::load()?;
    let renderers = Renderers::prepare(
        &workspace,
        &workspace.target.join("documents"),
        Purpose::Development,
    )?;
    if !renderers.has_east_asian_font() {
        println!("no font for Japanese on this machine; install fonts-noto-cjk");
    }
    let output = match &args.output {
        Some(output) => std::path::absolute(output)?,
        None => workspace.target.join("gallery"),
    };
    fs::create_dir_all(&output).with_context(|| format!("cannot make {}", output.display()))?;

    let mut entries = Vec::new();
    for sample in samples {
        for theme in &themes {
            for (format, _) in FORMATS {
                let is_wanted = if args.formats.is_empty() {
                    sample.formats.contains(&format)
                } else {
                    args.formats.iter().any(|wanted| wanted == format)
                };
                if is_wanted && renderers.can(format) {
                    let made = render(&renderers, &output, sample, theme, format)?;
                    entries.push(Entry::new(sample, theme, format, made));
                }
            }
        }
    }
    for (format, renderer) in FORMATS {
        if !renderers.can(format) {
            println!("SKIPPED: {format}: {renderer} is not in this checkout");
        }
    }
    let pages = output.join("pages");
    for format in ["pptx", "docx"] {
        let files: Vec<&Path> = (entries.iter())
            .filter(|entry| entry.format == format)
            .map(|entry| entry.file.as_path())
            .collect();
        checks::convert(&files, &pages.join(format), &output)?;
    }
    for entry in &mut entries {
        let pdf = match entry.format {
            "pdf" => entry.file.clone(),
            format => (pages
                .join(format)
                .join(entry.file.file_name().unwrap_or_default()))
            .with_extension("pdf"),
        };
        entry.sheets = sheets::make(&pdf, &output, &entry.name)?;
        println!("{}", entry.line());
    }
    let index = output.join("index.html");
    fs::write(&index, index::page(&entries))
        .with_context(|| format!("cannot write {}", index.display()))?;
    println!("{}", index.display());
    Ok(())
}

/// The documents and themes that were asked for.
fn chosen(args: &Args) -> Result<(Vec<&'static Sample>, Vec<&'static Theme>)> {
    let samples: Vec<&Sample> = (SAMPLES.iter())
        .filter(|sample| {
            args.types.is_empty()
                || args.types.iter().any(|wanted| {
                    sample.document_type == wanted || sample.name.starts_with(wanted.as_str())
                })
        })
        .collect();
    let themes: Vec<&Theme> = (THEMES.iter())
        .filter(|theme| args.themes.is_empty() || args.themes.iter().any(|it| it == theme.name))
        .collect();
    if samples.is_empty() || themes.is_empty() {
        let names: Vec<&str> = SAMPLES.iter().map(|sample| sample.name).collect();
        let themes: Vec<&str> = THEMES.iter().map(|theme| theme.name).collect();
        bail!(
            "nothing to show; there are the documents {} and the themes {}",
            names.join(", "),
            themes.join(", ")
        );
    }
    Ok((samples, themes))
}

fn render(
    renderers: &Renderers,
    output: &Path,
    sample: &Sample,
    theme: &Theme,
    format: &str,
) -> Result<Rendered> {
    let name = format!("{}-{}", sample.name, theme.name);
    let document = sample.document(theme);
    let assets = sample.assets(theme);
    match renderers.render(format, output, &name, &document, &assets)? {
        Ok(made) => Ok(made),
        Err(refusal) => bail!("{name}.{format}: {} {}", refusal.code, refusal.message),
    }
}
