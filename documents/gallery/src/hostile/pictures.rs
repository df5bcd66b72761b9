//! Pictures that are broken, enormous, something else, or that ask for more than a picture may.

use serde_json::{Value, json};

use super::{Hostile, with_blocks};
use crate::{Asset, themes};

/// Each picture: its name, how its file ends, its bytes.
type Picture = (&'static str, &'static str, Vec<u8>);

pub(super) fn documents() -> Vec<Hostile> {
    vec![
        with_pictures("pictures-broken", broken()),
        with_pictures("pictures-enormous", enormous()),
        with_pictures("pictures-svg", hostile_svg()),
        missing(),
    ]
}

/// Each picture in the document, and the first one as its logo.
fn with_pictures(name: &'static str, pictures: Vec<Picture>) -> Hostile {
    let blocks = pictures
        .iter()
        .map(|(name, ..)| json!({"type": "image", "asset": name, "alt": format!("The picture {name}"), "caption": [{"text": *name}]}))
        .collect();
    let mut hostile = with_blocks(name, blocks);
    if let Some((first, ..)) = pictures.first() {
        hostile.document["theme"]["logo"] = logo(first);
    }
    hostile.assets = pictures
        .into_iter()
        .map(|(name, extension, bytes)| Asset::new(name, extension, bytes))
        .collect();
    hostile
}

fn missing() -> Hostile {
    let mut hostile = with_blocks(
        "pictures-missing",
        vec![
            json!({"type": "image", "asset": "nowhere", "alt": "A picture that is not there"}),
            json!({"type": "image", "asset": "../../etc/passwd", "decorative": true}),
        ],
    );
    hostile.document["theme"]["logo"] = logo(themes::LOGO);
    hostile
}

fn logo(asset: &str) -> Value {
    json!({"asset": asset, "alt": "A logo", "width": 4_000_000_000_u32, "height": 1})
}

fn broken() -> Vec<Picture> {
    let whole = include_bytes!("../../assets/picture.png");
    let mut flipped = whole.to_vec();
    // In the compressed pixels, so that neither checksum fits.
    for byte in flipped.iter_mut().skip(200).step_by(97) {
        *byte ^= 0x5a;
    }
    vec![
        ("empty", "png", Vec::new()),
        ("one-byte", "png", vec![0x89]),
        ("half", "png", whole[..whole.len() / 2].to_vec()),
        ("flipped", "png", flipped),
        ("text", "png", b"This is not a picture.".to_vec()),
        ("page", "png", b"<!doctype html><title>404</title>".to_vec()),
        ("no-size", "png", png(0, 0, &[])),
        ("no-pixels", "png", png(64, 64, &[])),
        ("jpeg-start", "jpg", vec![0xff, 0xd8, 0xff, 0xe0, 0, 16]),
        ("jpeg-is-png", "jpg", whole.to_vec()),
        (
            "svg-cut",
            "svg",
            b"<svg xmlns=\"http://www.w3.org/2000/svg\"><g>".to_vec(),
        ),
        (
            "svg-not-utf8",
            "svg",
            vec![b'<', b's', b'v', b'g', 0xff, 0xfe, b'>'],
        ),
        (
            "svg-no-size",
            "svg",
            b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_vec(),
        ),
    ]
}

fn enormous() -> Vec<Picture> {
    vec![
        // Says that it has ten thousand million pixels, and has none.
        ("claims-much", "png", png(100_000, 100_000, &[])),
        // Really has 144 million, in a few kilobytes.
        (
            "is-much",
            "png",
            png(12_000, 12_000, &vec![0; (1 + 12_000 / 8) * 12_000]),
        ),
        ("one-wide", "png", png(60_000, 1, &vec![0; 1 + 60_000 / 8])),
        ("one-high", "png", png(1, 60_000, &vec![0; 2 * 60_000])),
        (
            "svg-wide",
            "svg",
            svg(
                "width=\"1e9\" height=\"1e9\"",
                "<rect width=\"9\" height=\"9\"/>",
            ),
        ),
        (
            "svg-nan",
            "svg",
            svg(
                "width=\"nan\" height=\"-5\" viewBox=\"0 0 0 1e308\"",
                "<rect width=\"9\" height=\"9\"/>",
            ),
        ),
    ]
}

fn hostile_svg() -> Vec<Picture> {
    const SIZE: &str = "width=\"200\" height=\"100\"";
    let deep = "<g>".repeat(50_000) + &"</g>".repeat(50_000);
    let many = "<circle cx=\"9\" cy=\"9\" r=\"5\" opacity=\".5\"/>".repeat(50_000);
    let laughs = {
        let mut text = "<!DOCTYPE svg [<!ENTITY a \"hahahahaha\">".to_owned();
        for (name, before) in ["b", "c", "d", "e", "f", "g", "h", "i"]
            .iter()
            .zip(["a", "b", "c", "d", "e", "f", "g", "h"])
        {
            text.push_str(&format!(
                "<!ENTITY {name} \"{}\">",
                format!("&{before};").repeat(10)
            ));
        }
        text + "]><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><text>&i;</text></svg>"
    };
    vec![
        ("script", "svg", svg(SIZE, "<script>fetch('https://evil.example/')</script><rect width=\"50\" height=\"50\" onclick=\"alert(1)\"/>")),
        ("link", "svg", svg(SIZE, "<image href=\"https://evil.example/track.png\" width=\"9\" height=\"9\"/>")),
        ("file", "svg", svg(SIZE, "<image href=\"file:///etc/passwd\" width=\"9\" height=\"9\"/><use href=\"/etc/hosts#a\"/>")),
        ("style", "svg", svg(SIZE, "<style>@import url(https://evil.example/a.css); rect{fill:url(https://evil.example/#b)}</style><rect width=\"50\" height=\"50\"/>")),
        ("foreign", "svg", svg(SIZE, "<foreignObject width=\"90\" height=\"90\"><iframe xmlns=\"http://www.w3.org/1999/xhtml\" src=\"https://evil.example\"/></foreignObject>")),
        ("entity", "svg", b"<!DOCTYPE svg [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><text>&x;</text></svg>".to_vec()),
        ("laughs", "svg", laughs.into_bytes()),
        ("circle", "svg", svg(SIZE, "<g id=\"a\"><use href=\"#b\"/></g><g id=\"b\"><use href=\"#a\"/></g><use href=\"#a\"/>")),
        ("doubling", "svg", svg(SIZE, &doubling())),
        ("deep", "svg", svg(SIZE, &deep)),
        ("many", "svg", svg(SIZE, &many)),
        ("blur", "svg", svg(SIZE, "<filter id=\"f\" width=\"9999999%\"><feGaussianBlur stdDeviation=\"99999\"/></filter><rect width=\"50\" height=\"50\" filter=\"url(#f)\"/>")),
        ("dashes", "svg", svg(SIZE, "<path d=\"M0 0L1e9 1e9\" stroke=\"red\" stroke-dasharray=\".001\"/>")),
    ]
}

/// Thirty groups that each use the one before twice: a thousand million shapes.
fn doubling() -> String {
    let mut text = "<g id=\"g0\"><rect width=\"1\" height=\"1\"/></g>".to_owned();
    for index in 1..30 {
        let before = index - 1;
        text.push_str(&format!(
            "<g id=\"g{index}\"><use href=\"#g{before}\"/><use href=\"#g{before}\"/></g>"
        ));
    }
    text
}

fn svg(attributes: &str, inside: &str) -> Vec<u8> {
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\" {attributes}>{inside}</svg>").into_bytes()
}

/// A PNG of black and white that says it has this size, with these rows.
fn png(width: u32, height: u32, rows: &[u8]) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut head = width.to_be_bytes().to_vec();
    head.extend(height.to_be_bytes());
    head.extend([1, 0, 0, 0, 0]);
    chunk(&mut file, *b"IHDR", &head);
    if !rows.is_empty() {
        chunk(
            &mut file,
            *b"IDAT",
            &miniz_oxide::deflate::compress_to_vec_zlib(rows, 1),
        );
    }
    chunk(&mut file, *b"IEND", &[]);
    file
}

fn chunk(file: &mut Vec<u8>, name: [u8; 4], content: &[u8]) {
    let length = u32::try_from(content.len()).unwrap_or(u32::MAX);
    file.extend(length.to_be_bytes());
    let from = file.len();
    file.extend(name);
    file.extend(content);
    let checksum = crc32fast::hash(&file[from..]);
    file.extend(checksum.to_be_bytes());
}
