//! Contact sheets: the pages of a PDF file as pictures, some on each sheet.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::process::run;

/// Pages on one sheet: more would be too small to see a wrong line break.
const PAGES: usize = 12;

/// Makes the sheets of a PDF file in `<folder>/sheets/` and returns their paths.
pub fn make(pdf: &Path, folder: &Path, name: &str) -> Result<Vec<PathBuf>> {
    if !pdf.exists() {
        bail!("LibreOffice made no {}", pdf.display());
    }
    let pictures = folder.join("pages").join(name);
    if pictures.exists() {
        fs::remove_dir_all(&pictures)?;
    }
    fs::create_dir_all(&pictures).with_context(|| format!("cannot make {}", pictures.display()))?;
    run(Command::new("pdftoppm")
        .args(["-png", "-r", "60"])
        .arg(pdf)
        .arg(pictures.join("page")))?;
    let mut pages: Vec<PathBuf> = fs::read_dir(&pictures)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    // pdftoppm fills the numbers up with zeros, so the order of names is that of pages.
    pages.sort();
    let sheets = folder.join("sheets");
    fs::create_dir_all(&sheets)?;
    let mut made = Vec::new();
    for (index, pages) in pages.chunks(PAGES).enumerate() {
        let sheet = sheets.join(format!("{name}-{}.png", index + 1));
        run(Command::new("montage")
            .args(pages)
            .args(["-tile", "4x", "-geometry", "+6+6", "-background", "#808080"])
            .arg(&sheet))?;
        made.push(sheet);
    }
    Ok(made)
}
