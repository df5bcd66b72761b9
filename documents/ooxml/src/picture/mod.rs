//! Pictures: what they are, and how large, by their first bytes.

#[cfg(feature = "svg")]
pub mod svg;

/// Formats that Office shows everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Png,
    Jpeg,
}

impl Format {
    #[must_use]
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
        }
    }

    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpeg",
        }
    }
}

/// A picture that can be put into a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Picture {
    pub format: Format,
    /// Pixels.
    pub width: u32,
    pub height: u32,
}

/// Why a picture cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureError {
    /// Neither PNG nor JPEG.
    UnknownFormat,
    /// Its beginning or end is not that of an intact file.
    Broken,
    /// More bytes or pixels than a document should carry.
    TooLarge,
    /// A drawing that runs, refers to other files or to itself, has text without fonts, or patterns.
    Unsafe,
}

impl PictureError {
    /// A sentence for people.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::UnknownFormat => "it is neither PNG nor JPEG nor SVG",
            Self::Broken => "the file is damaged",
            Self::TooLarge => "it is too large",
            Self::Unsafe => {
                "the drawing has text, filters, patterns, dashes, scripts or references, which are not drawn"
            }
        }
    }
}

const MOST_BYTES: usize = 20 << 20;
/// What a reader has to unpack: some 400 MB in the worst case.
const MOST_PIXELS: u64 = 100_000_000;
const MOST_SIDE: u32 = 30_000;

impl Picture {
    /// Reads the headers.
    ///
    /// # Errors
    /// Why the picture cannot be used.
    pub fn read(bytes: &[u8]) -> Result<Self, PictureError> {
        if bytes.len() > MOST_BYTES {
            return Err(PictureError::TooLarge);
        }
        let (format, (width, height)) = if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            (Format::Png, png(bytes).ok_or(PictureError::Broken)?)
        } else if bytes.starts_with(&[0xff, 0xd8, 0xff]) {
            (Format::Jpeg, jpeg(bytes).ok_or(PictureError::Broken)?)
        } else {
            return Err(PictureError::UnknownFormat);
        };
        if width == 0 || height == 0 {
            return Err(PictureError::Broken);
        }
        let is_large = width > MOST_SIDE || height > MOST_SIDE;
        if is_large || u64::from(width) * u64::from(height) > MOST_PIXELS {
            return Err(PictureError::TooLarge);
        }
        Ok(Self {
            format,
            width,
            height,
        })
    }
}

/// Width and height of a PNG whose chunks are intact from the first to the last.
fn png(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut rest = bytes.get(8..)?;
    let mut size = None;
    let mut has_data = false;
    loop {
        let length = usize::try_from(u32_at(rest, 0)?).ok()?;
        let kind = rest.get(4..8)?;
        let end = length.checked_add(8)?;
        let content = rest.get(8..end)?;
        if crc32fast::hash(rest.get(4..end)?) != u32_at(rest, end)? {
            return None;
        }
        match (kind, size) {
            (b"IHDR", None) => size = Some((u32_at(content, 0)?, u32_at(content, 4)?)),
            (_, None) => return None,
            (b"IDAT", _) => has_data = true,
            (b"IEND", _) => return size.filter(|_| has_data),
            _ => {}
        }
        rest = rest.get(end.checked_add(4)?..)?;
    }
}

/// Width and height of a JPEG, from the first frame header.
fn jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2_usize;
    loop {
        if *bytes.get(at)? != 0xff {
            return None;
        }
        let marker = *bytes.get(at + 1)?;
        match marker {
            0xff => at += 1,
            0x01 | 0xd0..=0xd7 => at += 2,
            0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf => {
                let height = u16_at(bytes, at + 5)?;
                let width = u16_at(bytes, at + 7)?;
                return Some((u32::from(width), u32::from(height)));
            }
            0xd8..=0xda => return None,
            _ => at += 2 + usize::from(u16_at(bytes, at + 2)?.max(2)),
        }
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let field = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_be_bytes([field[0], field[1]]))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let field = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes([field[0], field[1], field[2], field[3]]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    pub(super) fn sample_png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
        let mut header = width.to_be_bytes().to_vec();
        header.extend(height.to_be_bytes());
        header.extend([8, 2, 0, 0, 0]);
        for (kind, content) in [(b"IHDR", header), (b"IDAT", vec![1]), (b"IEND", Vec::new())] {
            bytes.extend(u32::try_from(content.len()).unwrap_or(0).to_be_bytes());
            let mut chunk = kind.to_vec();
            chunk.extend(content);
            bytes.extend(&chunk);
            bytes.extend(crc32fast::hash(&chunk).to_be_bytes());
        }
        bytes
    }

    #[test]
    fn sizes_are_read() {
        let read = Picture::read(&sample_png(320, 200));
        let format = Format::Png;
        assert_eq!(
            read,
            Ok(Picture {
                format,
                width: 320,
                height: 200
            })
        );
        let jpeg = [
            0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc2, 0, 11, 8, 0, 50, 0, 90, 1, 1, 1,
            1,
        ];
        let format = Format::Jpeg;
        assert_eq!(
            Picture::read(&jpeg),
            Ok(Picture {
                format,
                width: 90,
                height: 50
            })
        );
    }

    #[test]
    fn what_readers_choke_on_is_refused() {
        assert_eq!(
            Picture::read(&sample_png(40_000, 2)),
            Err(PictureError::TooLarge)
        );
        assert_eq!(
            Picture::read(&sample_png(20_000, 20_000)),
            Err(PictureError::TooLarge)
        );
        assert_eq!(Picture::read(&sample_png(0, 2)), Err(PictureError::Broken));
        let whole = sample_png(3, 3);
        assert_eq!(
            Picture::read(&whole[..whole.len() - 5]),
            Err(PictureError::Broken)
        );
        assert_eq!(Picture::read(b"<svg/>"), Err(PictureError::UnknownFormat));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200), png in any::<bool>()) {
            let mut file = if png { b"\x89PNG\r\n\x1a\n".to_vec() } else { vec![0xff, 0xd8, 0xff] };
            file.extend(bytes);
            let _ = Picture::read(&file);
        }
    }
}
