//! The type and size of an image, read from its bytes.

use imagesize::ImageType;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImageInfo {
    /// Media type, read from the bytes.
    pub media_type: String,
    /// Width in pixels; for an icon with several sizes, that of the largest.
    pub width: Option<u32>,
    /// Height in pixels; for an icon with several sizes, that of the largest.
    pub height: Option<u32>,
}

/// Most bytes of an SVG that may precede its root element.
const MAX_PROLOGUE: usize = 64 * 1024;

/// Reads the first bytes of an image: PNG, JPEG, GIF, WebP, ICO or SVG. `None` if they are none of these,
/// whatever type the sender declared.
pub fn read(bytes: &[u8]) -> Option<ImageInfo> {
    if let Some(media_type) = raster_type(bytes) {
        let size = imagesize::blob_size(bytes).ok();
        let pixels = |length: usize| u32::try_from(length).ok().filter(|pixels| *pixels > 0);
        return Some(ImageInfo {
            media_type: media_type.to_owned(),
            width: size.and_then(|size| pixels(size.width)),
            height: size.and_then(|size| pixels(size.height)),
        });
    }
    svg(bytes)
}

fn raster_type(bytes: &[u8]) -> Option<&'static str> {
    match imagesize::image_type(bytes).ok()? {
        ImageType::Png => Some("image/png"),
        ImageType::Jpeg => Some("image/jpeg"),
        ImageType::Gif => Some("image/gif"),
        ImageType::Webp => Some("image/webp"),
        ImageType::Ico => Some("image/vnd.microsoft.icon"),
        _ => None,
    }
}

fn svg(bytes: &[u8]) -> Option<ImageInfo> {
    let head = bytes.get(..bytes.len().min(MAX_PROLOGUE))?;
    let text = String::from_utf8_lossy(head);
    let text = text.trim_start_matches('\u{FEFF}').trim_start();
    if !text.starts_with('<') {
        return None;
    }
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    loop {
        match reader.read_event() {
            Ok(Event::Start(root) | Event::Empty(root)) => {
                return (root.local_name().as_ref().eq_ignore_ascii_case("svg")).then(|| {
                    let (width, height) = size(&root);
                    ImageInfo {
                        media_type: "image/svg+xml".to_owned(),
                        width,
                        height,
                    }
                });
            }
            Ok(Event::Decl(_) | Event::PI(_) | Event::Comment(_) | Event::DocType(_)) => {}
            Ok(Event::Text(text)) if text.xml10_content().trim().is_empty() => {}
            _ => return None,
        }
    }
}

/// Width and height in CSS pixels, otherwise the extent of the view box.
fn size(root: &BytesStart<'_>) -> (Option<u32>, Option<u32>) {
    let attribute = |wanted: &str| {
        root.html_attributes()
            .with_checks(false)
            .filter_map(Result::ok)
            .find(|attribute| attribute.key.as_ref().eq_ignore_ascii_case(wanted))
            .map(|attribute| attribute.value.trim().to_owned())
    };
    let pixels = |value: &str| {
        let value = value.strip_suffix("px").unwrap_or(value).trim();
        let number: f64 = value.parse().ok()?;
        (number > 0.0 && number <= 100_000.0).then(|| (number.round() as u32).max(1))
    };
    let width = attribute("width").and_then(|value| pixels(&value));
    let height = attribute("height").and_then(|value| pixels(&value));
    if width.is_some() && height.is_some() {
        return (width, height);
    }
    let view_box = attribute("viewBox").unwrap_or_default();
    let numbers: Vec<&str> = view_box
        .split(|c: char| c.is_whitespace() || c == ',')
        .filter(|number| !number.is_empty())
        .collect();
    match numbers.as_slice() {
        // One length without the other does not give the size.
        [_, _, width, height] => match (pixels(width), pixels(height)) {
            (Some(width), Some(height)) => (Some(width), Some(height)),
            _ => (None, None),
        },
        _ => (width, height),
    }
}
