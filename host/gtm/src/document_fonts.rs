//! Fonts that the operator gives the renderers of documents.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use gtm_engine::config::DocumentFonts;
use gtm_runtime::Asset;

use crate::failure::Failure;

/// Most fonts.
const MAX_FONTS: usize = 100;
/// Most bytes of all fonts together. Every renderer of every job is given all of them.
const MAX_BYTES: u64 = 64 * 1024 * 1024;
/// Endings of fonts with their media types.
const KINDS: [(&str, &str); 3] = [
    ("ttf", "font/ttf"),
    ("otf", "font/otf"),
    ("ttc", "font/collection"),
];

/// Reads the fonts of a folder; other files are passed over.
///
/// # Errors
/// If the folder or a font cannot be read, or there are too many.
pub fn read(folder: &Path) -> Result<DocumentFonts, Failure> {
    let unreadable = |path: &Path, error: std::io::Error| {
        Failure::new(format!("{} cannot be read: {error}", path.display()))
            .hint("check document_fonts_dir")
    };
    let mut fonts = BTreeMap::new();
    let mut room = MAX_BYTES;
    for entry in fs::read_dir(folder).map_err(|error| unreadable(folder, error))? {
        let path = entry.map_err(|error| unreadable(folder, error))?.path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        let ending = ending.unwrap_or_default().to_ascii_lowercase();
        let kind = KINDS.iter().find(|(known, _)| *known == ending);
        let (Some((_, media_type)), Some(name)) = (kind, path.file_name().and_then(|n| n.to_str()))
        else {
            continue;
        };
        let meta = fs::metadata(&path).map_err(|error| unreadable(&path, error))?;
        if !meta.is_file() {
            continue;
        }
        let left = room.checked_sub(meta.len());
        let (Some(left), true) = (left, fonts.len() < MAX_FONTS) else {
            return Err(Failure::new(format!(
                "{} has more than {MAX_FONTS} fonts, or more than {} MiB of them",
                folder.display(),
                MAX_BYTES / (1024 * 1024)
            )));
        };
        room = left;
        let bytes = fs::read(&path).map_err(|error| unreadable(&path, error))?;
        let asset = Asset {
            media_type: (*media_type).to_owned(),
            bytes: bytes.into(),
        };
        fonts.insert(format!("fonts/{name}"), asset);
    }
    Ok(fonts)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn fonts_are_read_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["b.TTF", "a.otf", "LICENSE.txt", "c.woff2"] {
            fs::write(dir.path().join(name), name).unwrap();
        }
        fs::create_dir(dir.path().join("d.ttf")).unwrap();
        let fonts = read(dir.path()).unwrap();
        let names: Vec<&str> = fonts.keys().map(String::as_str).collect();
        assert_eq!(names, ["fonts/a.otf", "fonts/b.TTF"]);
        assert_eq!(fonts["fonts/a.otf"].media_type, "font/otf");
        assert!(read(&dir.path().join("absent")).is_err());
        for n in 0..MAX_FONTS {
            fs::write(dir.path().join(format!("{n}.ttc")), "x").unwrap();
        }
        assert!(read(dir.path()).is_err());
    }
}
