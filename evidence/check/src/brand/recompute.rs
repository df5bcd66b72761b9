//! Signals computed from the stored bytes: colours, typefaces, logos and writing habits. The connector and
//! the backend use the same pure crate.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use gtm_domain::ReceiptId;
use gtm_domain::guideline::governance::{FailingPair, MIN_CONTRAST_RATIO};
use gtm_domain::guideline::sections::DraftLogo;
use gtm_page_text::{Media, decode, extract};
use gtm_site_signals::css::Sheet;
use gtm_site_signals::elements::Elements;
use gtm_site_signals::image::ImageInfo;
use gtm_site_signals::logos::{self, LogoCandidate};
use gtm_site_signals::markup::Markup;
use gtm_site_signals::prose::{self, Prose};
use gtm_site_signals::{contrast, image, palette, typography};
use serde::Serialize;
use serde_json::{Value, json};
use url::Url;

use super::facts::PageFacts;
use crate::library::{Library, Stored};
use crate::stop_flag::StopFlag;

/// How well a drafted value agrees with the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// The computation gives the same value.
    Equal,
    /// It gives another one, but the value's literal part (a colour, a family) occurs in the bytes.
    Literal,
}

/// A logo as its stored bytes show it, in the form of annex A2.
pub type LogoValue = Value;

/// Values computed from cited answers, keyed by their receipts in order of citation. The claims of one field
/// mostly cite the same answers, and a value depends on nothing else.
#[derive(Debug, Default)]
struct Computed<T>(RefCell<BTreeMap<Vec<ReceiptId>, Rc<T>>>);

impl<T> Computed<T> {
    fn of(&self, cited: &[&Stored], compute: impl FnOnce() -> T) -> Rc<T> {
        let receipts: Vec<ReceiptId> = cited.iter().map(|stored| stored.receipt.id).collect();
        if let Some(known) = self.0.borrow().get(&receipts) {
            return Rc::clone(known);
        }
        let value = Rc::new(compute());
        self.0.borrow_mut().insert(receipts, Rc::clone(&value));
        value
    }
}

/// Stored pages and style sheets, read once, and the signals computed from them.
#[derive(Debug, Default)]
pub struct Signals {
    markups: BTreeMap<ReceiptId, (Markup, Url)>,
    sheets: BTreeMap<ReceiptId, Sheet>,
    /// Language in which the prose is measured.
    language: Option<String>,
    palettes: Computed<Vec<Value>>,
    typographies: Computed<Vec<Value>>,
    habits: Computed<Value>,
}

impl Signals {
    /// Reads all pages, manifests and style sheets of the library. `language` is the language of their prose.
    #[must_use]
    pub fn read(library: &Library, language: Option<&str>, stop: &StopFlag) -> Self {
        let mut signals = Self {
            language: language.map(str::to_owned),
            ..Self::default()
        };
        for stored in library.iter().take_while(|_| !stop.is_raised()) {
            let id = stored.receipt.id;
            let content_type = stored.receipt.content_type.as_deref();
            if stored.is_style_sheet() {
                let text = decode(content_type, Media::Text, stored.readable()).text;
                signals.sheets.insert(id, Sheet::read(&text));
            } else if let Ok(url) = Url::parse(&stored.receipt.final_url) {
                let markup = Markup::read(content_type, stored.readable(), &url);
                if !markup.inline_css.is_empty() {
                    signals.sheets.insert(id, Sheet::read(&markup.inline_css));
                }
                signals.markups.insert(id, (markup, url));
            }
        }
        signals
    }

    fn sheets(&self, cited: &[&Stored]) -> Vec<&Sheet> {
        let ids = cited.iter().map(|stored| stored.receipt.id);
        ids.filter_map(|id| self.sheets.get(&id)).collect()
    }

    fn markups(&self, cited: &[&Stored]) -> impl Iterator<Item = &(Markup, Url)> {
        let ids: Vec<ReceiptId> = cited.iter().map(|stored| stored.receipt.id).collect();
        ids.into_iter().filter_map(|id| self.markups.get(&id))
    }

    /// The elements of the cited pages.
    fn elements(&self, cited: &[&Stored]) -> Elements {
        Elements::of(self.markups(cited).map(|(markup, _)| markup))
    }

    /// The palette of the cited sheets and pages.
    pub(super) fn palette(&self, cited: &[&Stored]) -> Rc<Vec<Value>> {
        self.palettes.of(cited, || {
            let markups = self.markups(cited);
            let theme: Vec<String> = markups.flat_map(|(m, _)| m.theme_colors.clone()).collect();
            let elements = self.elements(cited);
            let sheets = self.sheets(cited);
            as_values(palette::palette(&sheets, &theme, Some(&elements)))
        })
    }

    /// The typefaces of the cited sheets and pages.
    pub(super) fn typography(&self, cited: &[&Stored]) -> Rc<Vec<Value>> {
        self.typographies.of(cited, || {
            let elements = self.elements(cited);
            as_values(typography::typography(&self.sheets(cited), Some(&elements)))
        })
    }

    /// Writing habits in the visible text of the cited pages, in order of citation: an object with one member
    /// per habit.
    #[must_use]
    pub fn habits(&self, cited: &[&Stored]) -> Rc<Value> {
        self.habits
            .of(cited, || json!(prose_of(cited, self.language.as_deref())))
    }

    /// Checks a colour of the palette. Removes a name that the computation does not confirm.
    #[must_use]
    pub fn swatch(&self, swatch: &Value, cited: &[&Stored]) -> Option<(Value, Agreement)> {
        let computed = self.palette(cited);
        if computed.contains(swatch) {
            return Some((swatch.clone(), Agreement::Equal));
        }
        let hex = swatch.get("hex").and_then(Value::as_str)?;
        let sheets = self.sheets(cited);
        let mut themes = self
            .markups(cited)
            .flat_map(|(markup, _)| &markup.theme_colors);
        let stands = sheets.iter().any(|s| s.colors.iter().any(|c| c.hex == hex))
            || themes.any(|color| color == hex);
        stands.then(|| {
            let twin = computed.iter().find(|s| s["hex"] == hex);
            let mut value = swatch.clone();
            value["name"] = twin.map_or(Value::Null, |twin| twin["name"].clone());
            (value, Agreement::Literal)
        })
    }

    /// Checks a typeface. Removes a licence that the computation does not confirm.
    #[must_use]
    pub fn typeface(&self, typeface: &Value, cited: &[&Stored]) -> Option<(Value, Agreement)> {
        let computed = self.typography(cited);
        if computed.contains(typeface) {
            return Some((typeface.clone(), Agreement::Equal));
        }
        let family = typeface.get("family").and_then(Value::as_str)?;
        let stands = self.sheets(cited).iter().any(|sheet| {
            let used = sheet.fonts.iter().map(|font| &font.family);
            used.chain(sheet.faces.iter().map(|face| &face.family))
                .any(|known| known.eq_ignore_ascii_case(family))
        });
        stands.then(|| {
            let twin = computed.iter().find(|t| t["family"] == family);
            let mut value = typeface.clone();
            value["license"] = twin.map_or(Value::Null, |twin| twin["license"].clone());
            (value, Agreement::Literal)
        })
    }

    /// A logo with its digest, type and size, if one of the cited pages shows it and its bytes are an image.
    #[must_use]
    pub fn logo(
        &self,
        logo: &DraftLogo,
        cited: &[&Stored],
        facts: &BTreeMap<ReceiptId, PageFacts>,
    ) -> Option<(LogoValue, Agreement)> {
        let wanted = Url::parse(&logo.url).ok()?;
        for stored in cited {
            let Some((markup, page)) = self.markups.get(&stored.receipt.id) else {
                continue;
            };
            let json_ld = facts
                .get(&stored.receipt.id)
                .map_or(&[][..], |f| &f.json_ld);
            let candidates = logos::candidates(markup, json_ld, page);
            if let Some(number) = logo.inline_svg {
                if wanted.as_str().split('#').next() != page.as_str().split('#').next() {
                    continue;
                }
                let svg = markup
                    .inline_svgs
                    .iter()
                    .find(|svg| svg.index as u64 == number)?;
                let bytes = stored.bytes.get(svg.start..svg.end)?;
                let info = image::read(bytes)?;
                let shown = candidates.iter().find(|c| c.inline_svg == Some(svg.index));
                let mut url = page.clone();
                url.set_fragment(Some(&format!("inline-svg-{number}")));
                return Some(finished(logo, url.as_str(), bytes, info, shown));
            }
            let shown = candidates
                .iter()
                .find(|c| c.inline_svg.is_none() && c.url == wanted.as_str());
            let mentioned = shown.is_some()
                || markup
                    .images
                    .iter()
                    .any(|image| image.url == wanted.as_str())
                || markup.icons.iter().any(|icon| icon.url == wanted.as_str());
            if !mentioned {
                continue;
            }
            let picture = cited.iter().find_map(|stored| {
                let asked = [&stored.receipt.url, &stored.receipt.final_url];
                asked.contains(&&wanted.to_string()).then_some(())?;
                image::read(&stored.bytes).map(|info| (stored, info))
            });
            if let Some((stored, info)) = picture {
                return Some(finished(logo, wanted.as_str(), &stored.bytes, info, shown));
            }
        }
        None
    }

    /// Pairs of text and background with too little contrast, worst first, in the styles of these pages:
    /// their own and the linked sheets.
    #[must_use]
    pub fn failing_pairs(&self, pages: &[&Stored], library: &Library) -> Vec<FailingPair> {
        let style_sheets = || library.iter().filter(|stored| stored.is_style_sheet());
        let mut sheets_by_address: BTreeMap<&str, &Stored> = BTreeMap::new();
        for stored in style_sheets() {
            sheets_by_address.insert(stored.receipt.final_url.as_str(), stored);
        }
        // A sheet requested under an address wins over one that reached it by a redirect.
        for stored in style_sheets() {
            sheets_by_address.insert(stored.receipt.url.as_str(), stored);
        }
        // A later sheet overrides an earlier one: a page's own styles usually follow its linked sheets. Where
        // pages differ, the page that was read first decides.
        let mut used: Vec<&Stored> = Vec::new();
        let mut known: BTreeSet<ReceiptId> = BTreeSet::new();
        for page in pages.iter().rev() {
            let linked = self.markups.get(&page.receipt.id).into_iter();
            for address in linked.flat_map(|(markup, _)| &markup.stylesheets) {
                let sheet = sheets_by_address.get(address.as_str()).copied();
                used.extend(sheet.filter(|sheet| known.insert(sheet.receipt.id)));
            }
            if known.insert(page.receipt.id) {
                used.push(page);
            }
        }
        let sheets = self.sheets(&used);
        // Ignore pairs that no page we read can show: nobody sees them.
        let elements = self.elements(pages);
        let failing = contrast::failing(&sheets, Some(&elements), MIN_CONTRAST_RATIO);
        let pair = |pair: contrast::FailingPair| FailingPair {
            foreground: pair.foreground,
            background: pair.background,
            ratio: pair.ratio,
        };
        failing.into_iter().map(pair).collect()
    }
}

fn finished(
    logo: &DraftLogo,
    url: &str,
    bytes: &[u8],
    info: ImageInfo,
    shown: Option<&LogoCandidate>,
) -> (LogoValue, Agreement) {
    let (variant, theme) = (json!(logo.variant), json!(logo.theme));
    let equal = shown.is_some_and(|c| json!(c.variant) == variant && json!(c.theme) == theme);
    let value = json!({
        "url": url,
        "digest": gtm_domain::Digest::of(bytes),
        "variant": variant,
        "theme": theme,
        "media_type": info.media_type,
        "width": info.width,
        "height": info.height,
    });
    (
        value,
        if equal {
            Agreement::Equal
        } else {
            Agreement::Literal
        },
    )
}

fn as_values<T: Serialize>(computed: Vec<T>) -> Vec<Value> {
    let values = computed.into_iter().map(serde_json::to_value);
    values.filter_map(Result::ok).collect()
}

fn prose_of(cited: &[&Stored], language: Option<&str>) -> Prose {
    let pages: Vec<_> = cited
        .iter()
        .filter(|stored| !stored.is_style_sheet())
        .map(|stored| extract(stored.receipt.content_type.as_deref(), stored.readable()))
        .collect();
    let blocks = pages.iter().flat_map(|page| &page.blocks);
    let blocks: Vec<_> = blocks
        .map(|block| (block.kind, block.text.as_str()))
        .collect();
    prose::measure(&blocks, language)
}

/// The contrast ratio of two colours, for rules.
#[must_use]
pub fn contrast_of(one: &str, other: &str) -> Option<f64> {
    Some(contrast::ratio(one, other))
}
