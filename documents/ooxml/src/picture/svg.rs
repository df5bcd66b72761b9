//! SVG drawings as PNG pictures, because not every reader of Office files shows SVG.
//!
//! A drawing is a program: it can refer to other files, and unfold to more shapes than any machine can hold.
//! What logos and diagrams don't need is refused before it is drawn: entities, styles that import, filters,
//! nesting and references without end. Text is refused, too, because there are no fonts here and the drawing
//! would lose its words.

mod cost;
mod effects;
mod sheet;

use std::borrow::Cow;

use miniz_oxide::deflate::compress_to_vec_zlib;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::roxmltree::{self, Document, ParsingOptions};
use resvg::usvg::{ImageHrefResolver, Options, Tree};

use super::PictureError;

const MOST_BYTES: usize = 1 << 20;
/// Elements, texts between them and comments.
const MOST_NODES: u32 = 100_000;
/// Pixels of the longer side: sharp at half a slide's width.
const SIDE: f32 = 1_200.0;
/// How far layers may reach beyond the frame, in its widths and heights: a layer is as large as what it shows.
const BEYOND: f32 = 1.0;

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
    let text = &without_doctype(text)?;
    let limits = ParsingOptions {
        nodes_limit: MOST_NODES,
        ..ParsingOptions::default()
    };
    let drawing = Document::parse_with_options(text, limits).map_err(|error| match error {
        roxmltree::Error::NodesLimitReached => PictureError::TooLarge,
        _ => PictureError::Broken,
    })?;
    let has_layers = cost::check(&drawing)?;
    let options = Options {
        // Neither files nor pictures inside pictures.
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    };
    let tree = Tree::from_xmltree(&drawing, &options).map_err(|_| PictureError::Broken)?;
    let size = tree.size();
    if has_layers && !is_near(&tree) {
        return Err(PictureError::TooLarge);
    }
    let scale = SIDE / size.width().max(size.height());
    // Between 1 and 1,200: the cast is exact enough.
    let pixels = |length: f32| (length * scale).round().clamp(1.0, SIDE) as u32;
    let (width, height) = (pixels(size.width()), pixels(size.height()));
    let mut pixmap = Pixmap::new(width, height).ok_or(PictureError::Broken)?;
    let transform = Transform::from_scale(scale, scale);
    resvg::render(&tree, transform, &mut pixmap.as_mut());
    Ok(png(&pixmap))
}

/// The text without the name of a document type, which drawing programs write.
///
/// # Errors
/// If the document declares something itself: entities unfold.
fn without_doctype(text: &str) -> Result<Cow<'_, str>, PictureError> {
    const DOCTYPE: &str = "<!DOCTYPE";
    if text.contains("<!ENTITY") {
        return Err(PictureError::Unsafe);
    }
    let Some((before, declared)) = text.split_once(DOCTYPE) else {
        return Ok(Cow::Borrowed(text));
    };
    let (name, after) = declared.split_once('>').ok_or(PictureError::Broken)?;
    if name.contains(['[', '<']) || after.contains(DOCTYPE) {
        return Err(PictureError::Unsafe);
    }
    Ok(Cow::Owned(format!("{before}{after}")))
}

/// Whether all shapes lie within the frame, or about as far from it as it is large.
fn is_near(tree: &Tree) -> bool {
    let (size, shapes) = (tree.size(), tree.root().abs_layer_bounding_box());
    let (across, down) = (size.width() * BEYOND, size.height() * BEYOND);
    shapes.left() >= -across
        && shapes.top() >= -down
        && shapes.right() <= size.width() + across
        && shapes.bottom() <= size.height() + down
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
        let deep = "<g>".repeat(200) + &"</g>".repeat(200);
        for (drawing, error) in [
            (svg("<script>alert(1)</script>"), PictureError::Unsafe),
            (
                svg("<image href='file:///etc/hosts'/>"),
                PictureError::Unsafe,
            ),
            (
                svg("<filter id='f'><feTurbulence/></filter><g filter='url(#f)'/>"),
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

    /// `kinds` nested: each element of a level refers twice to the level below.
    fn chain(
        open: impl Fn(usize) -> String,
        close: &str,
        refer: impl Fn(usize) -> String,
    ) -> String {
        let levels =
            (1..30).map(|level| format!("{}{}{close}", open(level), refer(level - 1).repeat(2)));
        format!(
            "{}<rect width='9' height='9'/>{close}{}{}",
            open(0),
            levels.collect::<String>(),
            refer(29)
        )
    }

    #[test]
    fn what_unfolds_without_end_is_refused_at_once() {
        let copies = chain(
            |n| format!("<g id='c{n}'>"),
            "</g>",
            |n| format!("<use href='#c{n}'/>"),
        );
        let clips = chain(
            |n| format!("<clipPath id='c{n}'>"),
            "</clipPath>",
            |n| format!("<rect width='9' height='9' clip-path='url(#c{n})'/>"),
        );
        let quoted = clips
            .replace("url(#", "url( &quot;#")
            .replace(")'", "&quot;)'");
        let styled = clips.replace("clip-path='", "style='clip-path:");
        let sheet = (0..30).map(|n| format!(".k{n}{{clip-path:url(#c{n})}}"));
        let classes = (0..30).rev().fold(clips.clone(), |text, n| {
            text.replace(&format!("clip-path='url(#c{n})'"), &format!("class='k{n}'"))
        });
        let classes = format!("<style>{}</style>{classes}", sheet.collect::<String>());
        let masks = clips
            .replace("clipPath", "mask")
            .replace("clip-path", "mask");
        // A string is no comment, however it looks.
        let hidden = classes.replace("<style>", "<style>.z{font-family:\"/*\"}");
        let commented = styled.replace("style='", "style='/*;*/");
        let nested =
            (0..30).map(|n| format!("clipPath rect[class='k{n}']{{clip-path:url(#c{n})}}"));
        let nested = format!(
            "<style>{}</style>{}",
            nested.collect::<String>(),
            classes.split_once("</style>").unwrap().1
        );
        for (name, drawing) in [
            ("hidden", hidden),
            ("commented", commented),
            ("nested", nested),
            ("copies", copies),
            ("clips", clips),
            ("quoted", quoted),
            ("styled", styled),
            ("classes", classes),
            ("masks", masks),
        ] {
            assert_eq!(
                to_png(&svg(&drawing)),
                Err(PictureError::TooLarge),
                "{name}"
            );
        }
    }

    #[test]
    fn depth_is_that_of_the_elements_whatever_their_attributes_hold() {
        for open in ["<g>", "<g a='/>'>", "<g a=\"/\" >"] {
            let deep = open.repeat(3_000) + &"</g>".repeat(3_000);
            assert_eq!(to_png(&svg(&deep)), Err(PictureError::TooLarge), "{open}");
        }
        // A chain of references goes as deep as nesting does.
        let levels = (1..3_000).map(|n| format!("<g id='c{n}'><use href='#c{}'/></g>", n - 1));
        let chain: String = levels.collect();
        assert_eq!(to_png(&svg(&chain)), Err(PictureError::TooLarge));
        let backwards = (1..3_000).map(|n| format!("<g id='c{n}'><use href='#c{}'/></g>", n + 1));
        assert_eq!(
            to_png(&svg(&backwards.collect::<String>())),
            Err(PictureError::TooLarge)
        );
    }

    #[test]
    fn layers_copies_of_long_paths_and_self_reference_are_refused() {
        let layers = "<g opacity='.5'><rect width='30' height='10'/></g>".repeat(1_000);
        let line = "L1 1 2 2".repeat(10_000);
        let copied = format!(
            "<path id='p' d='M0 0{line}'/>{}",
            "<use href='#p'/>".repeat(200)
        );
        for (drawing, error) in [
            (layers, PictureError::TooLarge),
            (copied, PictureError::TooLarge),
            (
                "<g id='a'><use href='#a'/></g>".to_owned(),
                PictureError::Unsafe,
            ),
            (
                "<clipPath id='a' clip-path='url(#a)'/>".to_owned(),
                PictureError::Unsafe,
            ),
            ("<use href='other.svg#a'/>".to_owned(), PictureError::Unsafe),
            (
                "<rect fill='url(https://a.example/p)'/>".to_owned(),
                PictureError::Unsafe,
            ),
            (
                "<path stroke-dasharray='.001' d='M0 0L9 9'/>".to_owned(),
                PictureError::Unsafe,
            ),
            ("<pattern id='a'/>".to_owned(), PictureError::Unsafe),
            (
                "<rect id='a'/><g id='a'/><use href='#a'/>".to_owned(),
                PictureError::Unsafe,
            ),
            (
                "<g filter='blur(9) blur(9)'><rect width='9' height='9'/></g>".to_owned(),
                PictureError::Unsafe,
            ),
            (
                format!(
                    "{}<rect width='9' height='9'/>{}",
                    "<svg width='9' height='9'>".repeat(7),
                    "</svg>".repeat(7)
                ),
                PictureError::TooLarge,
            ),
            (
                format!(
                    "{}<rect width='30' height='10'/>{}",
                    "<g opacity='.9'>".repeat(7),
                    "</g>".repeat(7)
                ),
                PictureError::TooLarge,
            ),
            (
                "<g opacity='.9'><rect x='-90' width='300' height='90'/></g>".to_owned(),
                PictureError::TooLarge,
            ),
        ] {
            assert_eq!(
                to_png(&svg(&drawing)),
                Err(error),
                "{}",
                drawing.get(..60).unwrap_or(&drawing)
            );
        }
    }

    #[test]
    fn logos_as_drawing_programs_write_them_are_drawn() {
        let exported = "<defs><style>.a{fill:none;}.b{clip-path:url(#clip);}.c{fill:url(#g);opacity:.9}</style>\
            <clipPath id='clip'><rect class='a' width='30' height='10'/></clipPath>\
            <linearGradient id='g0'><stop offset='0' stop-color='#123'/><stop offset='1'/></linearGradient>\
            <linearGradient id='g' xlink:href='#g0' x2='9'/></defs>\
            <a xlink:href='https://acme.example/'><g class='b'><path class='c' d='M0 0h30v10z'/></g></a>\
            <use xlink:href='#clip'/><title>Acme</title>";
        assert!(to_png(&svg(exported)).is_ok());
        // Names of types, unused effects and ids that nobody refers to, as programs leave them.
        let left = format!(
            "<?xml version='1.0'?><!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd'>{}",
            String::from_utf8(svg(
                "<defs><filter id='shadow'><feOffset/></filter></defs><g id='a' style='/* mark */fill:#123'>\
                 <rect id='a' width='9' height='9'/></g>"
            ))
            .unwrap()
        );
        assert!(to_png(left.as_bytes()).is_ok());
        // A background that reaches beyond the frame, with nothing that needs a layer.
        assert!(to_png(&svg("<rect x='-90' width='300' height='90'/>")).is_ok());
        let many = "<path d='M0 0h3v1z' fill='#f00'/>".repeat(3_000);
        assert!(to_png(&svg(&many)).is_ok());
    }
}
