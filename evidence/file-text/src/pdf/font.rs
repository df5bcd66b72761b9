//! Fonts: what the bytes of a string mean, and how wide each glyph is.

use std::rc::Rc;

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, SHIFT_JIS, UTF_16BE};

use super::cmap::CMap;
use super::encodings::{Base, characters_of, known_width};
use super::file::File;
use super::object::{Dict, Object};
use crate::Refusal;

/// Most entries of a composite font's widths.
const MAX_WIDTHS: usize = 70_000;

/// How the codes of a composite font are read.
#[derive(Debug)]
enum Codes {
    /// Two bytes each, and each is its character id.
    Identity,
    /// By a CMap in the file.
    Embedded(CMap),
    /// A predefined CMap of an encoding of characters.
    Characters(&'static Encoding),
}

#[derive(Debug)]
enum Kind {
    /// One byte a code: text and width of each.
    Simple(Vec<(Option<Rc<str>>, f64)>),
    Composite {
        codes: Codes,
        /// First and last character id with their widths: one for all, or one each.
        widths: Vec<(u32, u32, Vec<f64>)>,
        default_width: f64,
    },
}

#[derive(Debug)]
pub(super) struct Font {
    kind: Kind,
    to_unicode: CMap,
    /// Whether lines run downwards.
    pub(super) vertical: bool,
}

/// One code of a string.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) text: Option<Rc<str>>,
    /// In parts of the font's size.
    pub(super) width: f64,
    /// Whether it is the single byte 32, which word spacing widens.
    pub(super) is_space: bool,
}

impl Font {
    /// Reads a font's dictionary.
    pub(super) fn read(file: &mut File<'_, '_>, dict: &Dict) -> Result<Self, Refusal> {
        let to_unicode = match file.get(dict, "ToUnicode")? {
            Object::Stream(stream) => {
                let bytes = file.data(&stream)?;
                CMap::read(&bytes, file.budget)?
            }
            _ => CMap::default(),
        };
        let subtype = file.get(dict, "Subtype")?;
        let (kind, vertical) = if subtype.name() == Some(b"Type0") {
            composite(file, dict)?
        } else {
            (
                simple(file, dict, subtype.name().unwrap_or_default())?,
                false,
            )
        };
        let widths = match &kind {
            Kind::Simple(glyphs) => glyphs.len(),
            Kind::Composite { codes, widths, .. } => {
                let embedded = match codes {
                    Codes::Embedded(map) => map.size(),
                    _ => 0,
                };
                let widths = widths.iter().map(|(.., each)| each.len() + 1);
                widths.sum::<usize>() + embedded
            }
        };
        file.keep(to_unicode.size() + widths)?;
        Ok(Self {
            kind,
            to_unicode,
            vertical,
        })
    }

    /// The next code of a string, and how many bytes it has; `None` at the end.
    pub(super) fn next(&self, bytes: &[u8]) -> Option<(Shown, usize)> {
        let first = *bytes.first()?;
        match &self.kind {
            Kind::Simple(glyphs) => {
                let (text, width) = glyphs
                    .get(usize::from(first))
                    .cloned()
                    .unwrap_or((None, 0.5));
                let mapped = self.to_unicode.text(1, u32::from(first));
                let shown = Shown {
                    text: mapped.or(text),
                    width,
                    is_space: first == b' ',
                };
                Some((shown, 1))
            }
            Kind::Composite {
                codes,
                widths,
                default_width,
            } => {
                let length = codes.length(bytes).clamp(1, bytes.len());
                let code_bytes = bytes.get(..length)?;
                let code = code_bytes
                    .iter()
                    .fold(0u32, |code, byte| code << 8 | u32::from(*byte));
                let mapped = self.to_unicode.text(length, code);
                let (id, text) = match codes {
                    Codes::Identity => (Some(code), None),
                    Codes::Embedded(map) => (map.id(length, code), None),
                    Codes::Characters(encoding) => {
                        let (text, _) = encoding.decode_without_bom_handling(code_bytes);
                        let text = Some(text).filter(|text| !text.contains('\u{FFFD}'));
                        (None, text.map(|text| Rc::from(&*text)))
                    }
                };
                let width = id
                    .and_then(|id| width_of(widths, id))
                    .unwrap_or(*default_width);
                let shown = Shown {
                    text: mapped.or(text),
                    width: width / 1000.0,
                    is_space: length == 1 && first == b' ',
                };
                Some((shown, length))
            }
        }
    }
}

impl Codes {
    /// Number of bytes of the first code.
    fn length(&self, bytes: &[u8]) -> usize {
        let first = bytes.first().copied().unwrap_or_default();
        match self {
            Self::Identity => 2,
            Self::Embedded(map) => map.code_length(bytes).unwrap_or(2),
            Self::Characters(encoding) if *encoding == UTF_16BE => {
                if (0xD8..=0xDB).contains(&first) { 4 } else { 2 }
            }
            Self::Characters(encoding) if *encoding == SHIFT_JIS => {
                if matches!(first, 0x81..=0x9F | 0xE0..=0xFC) {
                    2
                } else {
                    1
                }
            }
            Self::Characters(encoding) if *encoding == GB18030 => {
                let second = bytes.get(1).copied().unwrap_or_default();
                match first {
                    0..=0x80 => 1,
                    _ if second.is_ascii_digit() => 4,
                    _ => 2,
                }
            }
            Self::Characters(_) => {
                if first < 0x80 {
                    1
                } else {
                    2
                }
            }
        }
    }

    /// A predefined CMap by its name.
    fn of_name(name: &str) -> Option<Self> {
        let has = |part: &str| name.contains(part);
        Some(Self::Characters(if name.starts_with("Identity") {
            return Some(Self::Identity);
        } else if has("UCS2") || has("UTF16") {
            UTF_16BE
        } else if has("RKSJ") {
            SHIFT_JIS
        } else if has("KSC") {
            EUC_KR
        } else if has("B5") {
            BIG5
        } else if has("GB") {
            GB18030
        } else if name.starts_with("EUC") {
            EUC_JP
        } else {
            return None;
        }))
    }
}

fn width_of(widths: &[(u32, u32, Vec<f64>)], id: u32) -> Option<f64> {
    let after = widths.partition_point(|(first, ..)| *first <= id);
    let (first, last, each) = widths.get(after.checked_sub(1)?)?;
    if id > *last {
        return None;
    }
    match each.as_slice() {
        [all] => Some(*all),
        each => each.get(usize::try_from(id - first).ok()?).copied(),
    }
}

fn composite(file: &mut File<'_, '_>, dict: &Dict) -> Result<(Kind, bool), Refusal> {
    let (codes, vertical) = match file.get(dict, "Encoding")? {
        Object::Name(name) => {
            let name = String::from_utf8_lossy(&name).into_owned();
            let codes = Codes::of_name(&name).unwrap_or(Codes::Identity);
            (codes, name.ends_with("-V") || name == "V")
        }
        Object::Stream(stream) => {
            let bytes = file.data(&stream)?;
            let map = CMap::read(&bytes, file.budget)?;
            let vertical = file.get(&stream.dict, "WMode")?.integer() == Some(1);
            (Codes::Embedded(map), vertical)
        }
        _ => (Codes::Identity, false),
    };
    let descendants = file.get(dict, "DescendantFonts")?;
    let first = descendants.array().and_then(|fonts| fonts.first()).cloned();
    let descendant = file.resolve(&first.unwrap_or(Object::Null))?;
    let mut widths = Vec::new();
    let mut default_width = 1000.0;
    if let Some(descendant) = descendant.dict() {
        default_width = file.get(descendant, "DW")?.number().unwrap_or(1000.0);
        let all = file.get(descendant, "W")?;
        widths = composite_widths(file, all.array().unwrap_or_default())?;
    }
    let kind = Kind::Composite {
        codes,
        widths,
        default_width,
    };
    Ok((kind, vertical))
}

fn composite_widths(
    file: &mut File<'_, '_>,
    all: &[Object],
) -> Result<Vec<(u32, u32, Vec<f64>)>, Refusal> {
    let id = |object: Option<&Object>| {
        let id = object.and_then(Object::integer);
        id.and_then(|id| u32::try_from(id).ok())
    };
    let mut widths: Vec<(u32, u32, Vec<f64>)> = Vec::new();
    let (mut rest, mut count) = (all, 0usize);
    while let [first, second, after @ ..] = rest {
        file.budget.step(1)?;
        let Some(first) = id(Some(first)) else { break };
        match file.resolve(second)? {
            Object::Array(each) => {
                let each: Vec<f64> = each
                    .iter()
                    .map(|width| width.number().unwrap_or(0.0))
                    .collect();
                count += each.len();
                let last = first
                    .saturating_add(u32::try_from(each.len()).unwrap_or(0))
                    .saturating_sub(1);
                if !each.is_empty() {
                    widths.push((first, last, each));
                }
                rest = after;
            }
            second => {
                let [width, after @ ..] = after else { break };
                if let (Some(last), Some(width)) = (id(Some(&second)), width.number()) {
                    widths.push((first, last, vec![width]));
                }
                count += 1;
                rest = after;
            }
        }
        if count > MAX_WIDTHS {
            break;
        }
    }
    widths.sort_by_key(|(first, ..)| *first);
    Ok(widths)
}

fn simple(file: &mut File<'_, '_>, dict: &Dict, subtype: &[u8]) -> Result<Kind, Refusal> {
    let name = file.get(dict, "BaseFont")?;
    let name = String::from_utf8_lossy(name.name().unwrap_or_default()).into_owned();
    let is_symbols = ["Symbol", "ZapfDingbats", "Wingdings"]
        .iter()
        .any(|font| name.contains(font));
    let mut base = match subtype {
        _ if is_symbols => Base::Symbol,
        b"TrueType" => Base::WinAnsi,
        _ => Base::Standard,
    };
    let mut texts: Vec<Option<Rc<str>>> = Vec::new();
    let encoding = file.get(dict, "Encoding")?;
    if let Some(named) = encoding.name().and_then(Base::of_name) {
        base = named;
    }
    let mut differences = Object::Null;
    if let Some(encoding) = encoding.dict() {
        let named = file.get(encoding, "BaseEncoding")?;
        base = named.name().and_then(Base::of_name).unwrap_or(base);
        differences = file.get(encoding, "Differences")?;
    }
    for code in 0..=255u8 {
        let character = base.character(code);
        texts.push(character.map(|character| character.to_string().into()));
    }
    let mut code = 0usize;
    for difference in differences.array().unwrap_or_default() {
        file.budget.step(1)?;
        match difference {
            Object::Number(_) => code = difference.index().unwrap_or(usize::MAX),
            Object::Name(name) => {
                if let Some(text) = texts.get_mut(code) {
                    *text = characters_of(name).map(Rc::from);
                }
                code = code.saturating_add(1);
            }
            _ => {}
        }
    }
    let first = file.get(dict, "FirstChar")?.index().unwrap_or(0);
    let widths = file.get(dict, "Widths")?;
    let widths = widths.array().map(<[Object]>::to_vec);
    let scale = match subtype {
        // A font of drawings has a scale of its own.
        b"Type3" => {
            let matrix = file.get(dict, "FontMatrix")?;
            let scale = matrix
                .array()
                .and_then(|matrix| matrix.first())
                .and_then(Object::number);
            scale.unwrap_or(0.001)
        }
        _ => 0.001,
    };
    let mut glyphs = Vec::new();
    for (code, text) in texts.into_iter().enumerate() {
        let given = widths.as_ref().map(|widths| {
            let at = code.checked_sub(first);
            at.and_then(|at| widths.get(at))
                .cloned()
                .unwrap_or(Object::Null)
        });
        let width = match given {
            Some(width) => file.resolve(&width)?.number().unwrap_or(0.0),
            None => text
                .as_ref()
                .and_then(|text| text.chars().next())
                .map_or(500.0, |character| known_width(&name, character)),
        };
        glyphs.push((text, width * scale));
    }
    Ok(Kind::Simple(glyphs))
}
