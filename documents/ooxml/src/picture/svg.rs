//! SVG drawings as PNG pictures, because not every reader of Office files shows SVG.
//!
//! A drawing is a program: it can refer to other files, and unfold to more shapes than any machine can hold.
//! What logos and diagrams don't need is refused before it is read: entities, styles that import, filters,
//! nesting and references without end. Text is refused, too, because there are no fonts here and the drawing
//! would lose its words.

use miniz_oxide::deflate::compress_to_vec_zlib;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{ImageHrefResolver, Options, Tree};

use super::PictureError;

const MOST_BYTES: usize = 1 << 20;
const MOST_ELEMENTS: usize = 20_000;
const MOST_DEPTH: usize = 100;
/// Each copy may hold further copies, so their number counts as an exponent.
const MOST_COPIES: usize = 24;
/// Pixels of the longer side: sharp at half a slide's width.
const SIDE: f32 = 1_200.0;

/// Whether the bytes are an SVG drawing, by their beginning.
#[must_use]
pub fn is_svg(bytes: &[u8]) -> bool {
    let begin = bytes.get(..bytes.len().min(1_024)).unwrap_or_default();
    let begin = String::from_utf8_lossy(begin);
    let begin = begin.trim_start_matches('\u{feff}').trim_start();
    begin.starts_with('<') && begin.contains("<svg")
}

/// The drawing as a PNG.
///
/// # Errors
/// Why it cannot be shown.
pub fn to_png(bytes: &[u8]) -> Result<Vec<u8>, PictureError> {
    if bytes.len() > MOST_BYTES {
        return Err(PictureError::TooLarge);
    }
    let text = std::str::from_utf8(bytes).map_err(|_| PictureError::Broken)?;
    check(text)?;
    let options = Options {
        // Neither files nor pictures inside pictures.
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    };
    let tree = Tree::from_str(text, &options).map_err(|_| PictureError::Broken)?;
    let size = tree.size();
    let scale = SIDE / size.width().max(size.height());
    // Between 1 and 1,200: the cast is exact enough.
    let pixels = |length: f32| (length * scale).round().clamp(1.0, SIDE) as u32;
    let (width, height) = (pixels(size.width()), pixels(size.height()));
    let mut pixmap = Pixmap::new(width, height).ok_or(PictureError::Broken)?;
    let transform = Transform::from_scale(scale, scale);
    resvg::render(&tree, transform, &mut pixmap.as_mut());
    Ok(png(&pixmap))
}

/// Refuses what a drawing for a document doesn't need.
fn check(text: &str) -> Result<(), PictureError> {
    let (mut elements, mut depth, mut copies) = (0_usize, 0_usize, 0_usize);
    for part in text.split('<').skip(1) {
        let name: String = part
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '/' | '!' | ':' | '?'))
            .collect();
        let local = name.rsplit(':').next().unwrap_or_default();
        match (name.as_bytes().first(), local) {
            (Some(b'/'), _) => depth = depth.saturating_sub(1),
            (Some(b'?'), _) => {}
            (Some(b'!'), _) if part.starts_with("!--") => {}
            // Declarations of entities stand in those of the document's type.
            (Some(b'!'), _) => return Err(PictureError::Unsafe),
            (_, "text" | "filter" | "foreignObject" | "script" | "animate" | "image") => {
                return Err(PictureError::Unsafe);
            }
            (_, local) => {
                elements += 1;
                copies += usize::from(matches!(
                    local,
                    "use" | "pattern" | "mask" | "marker" | "symbol"
                ));
                let tag = part.split('>').next().unwrap_or_default();
                if !tag.ends_with('/') {
                    depth += 1;
                }
            }
        }
        if elements > MOST_ELEMENTS || depth > MOST_DEPTH || copies > MOST_COPIES {
            return Err(PictureError::TooLarge);
        }
    }
    if text.contains("@import") {
        return Err(PictureError::Unsafe);
    }
    Ok(())
}

/// An RGBA picture, each line as its difference from the one above, which suits areas of one colour.
fn png(pixmap: &Pixmap) -> Vec<u8> {
    let stride = pixmap.width() as usize * 4;
    let mut straight = Vec::with_capacity(pixmap.data().len());
    for pixel in pixmap.pixels() {
        let color = pixel.demultiply();
        straight.extend([color.red(), color.green(), color.blue(), color.alpha()]);
    }
    const UP: u8 = 2;
    let mut filtered = Vec::with_capacity(straight.len() + pixmap.height() as usize);
    let mut above = vec![0; stride];
    for line in straight.chunks(stride) {
        filtered.push(UP);
        filtered.extend(
            line.iter()
                .zip(&above)
                .map(|(now, above)| now.wrapping_sub(*above)),
        );
        above.copy_from_slice(line);
    }
    let mut header = pixmap.width().to_be_bytes().to_vec();
    header.extend(pixmap.height().to_be_bytes());
    header.extend([8, 6, 0, 0, 0]);
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, content) in [
        (b"IHDR", header),
        (b"IDAT", compress_to_vec_zlib(&filtered, 6)),
        (b"IEND", Vec::new()),
    ] {
        let mut chunk = kind.to_vec();
        chunk.extend(content);
        // Bounded by the size of the picture.
        let length = u32::try_from(chunk.len() - 4).unwrap_or(u32::MAX);
        out.extend(length.to_be_bytes());
        out.extend(&chunk);
        out.extend(crc32fast::hash(&chunk).to_be_bytes());
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::picture::Picture;

    fn svg(inside: &str) -> Vec<u8> {
        let head = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' viewBox='0 0 30 10'>";
        format!("{head}{inside}</svg>").into_bytes()
    }

    #[test]
    fn a_drawing_becomes_a_picture_of_its_shape() {
        let drawing = svg("<rect width='30' height='10' fill='#ff0000'/>");
        assert!(is_svg(&drawing));
        let png = to_png(&drawing).unwrap();
        let picture = Picture::read(&png).unwrap();
        assert_eq!((picture.width, picture.height), (1_200, 400));
        assert_eq!(png, to_png(&drawing).unwrap());
    }

    #[test]
    fn what_could_harm_is_refused() {
        let uses = "<use href='#a'/>".repeat(30);
        let deep = "<g>".repeat(200) + &"</g>".repeat(200);
        for (drawing, error) in [
            (svg("<script>alert(1)</script>"), PictureError::Unsafe),
            (
                svg("<image href='file:///etc/hosts'/>"),
                PictureError::Unsafe,
            ),
            (
                svg("<filter id='f'><feTurbulence/></filter>"),
                PictureError::Unsafe,
            ),
            (
                svg("<style>@import url(https://a.example)</style>"),
                PictureError::Unsafe,
            ),
            (svg("<text>Words</text>"), PictureError::Unsafe),
            (
                b"<!DOCTYPE svg [<!ENTITY a 'b'>]><svg/>".to_vec(),
                PictureError::Unsafe,
            ),
            (svg(&uses), PictureError::TooLarge),
            (svg(&deep), PictureError::TooLarge),
            (svg(&"<g/>".repeat(30_000)), PictureError::TooLarge),
            (svg("<g>"), PictureError::Broken),
        ] {
            assert_eq!(
                to_png(&drawing),
                Err(error),
                "{}",
                String::from_utf8_lossy(&drawing).len()
            );
        }
    }
}
