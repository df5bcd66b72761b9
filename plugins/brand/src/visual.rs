//! How the brand looks: colours, typefaces and logos, from the bytes of its pages.
//!
//! Makes no judgement of its own: everything in the draft is what `gtm-site-signals` computes, so the host
//! gets the same result from the stored bytes, if it reads the receipts of a claim in the order in which the
//! claim names them.

use std::collections::BTreeSet;

use gtm_page_text::is_same_site;
use gtm_site_research::claim::Claim;
use gtm_site_research::failure::{self, Failure, FailureKind};
use gtm_site_research::host::{Call, Host, WEB_FETCH};
use gtm_site_signals::css::Sheet;
use gtm_site_signals::elements::Elements;
use gtm_site_signals::image::ImageInfo;
use gtm_site_signals::logos::{self, From, LogoCandidate, Variant};
use gtm_site_signals::vendors::is_of_vendor;
use gtm_site_signals::{palette, typography};
use serde_json::{Value, json};
use url::Url;

use crate::draft::{Draft, LOGOS, PALETTE, TYPOGRAPHY};
use crate::settings::Settings;
use crate::site::{Asset, Logo, Site};
use crate::styled::{Signals, StyledSheet};

/// From this score, the page itself calls the image a logo.
const CALLED_LOGO: u32 = 50;
/// Below this score, an image is unlikely to be a logo.
const LEAST_SCORE: u32 = 25;
/// Rounds of fetching images when some fail.
const LOGO_ROUNDS: usize = 3;
/// Most stylesheets cited, over all pages.
const MOST_SHEETS: usize = 12;

/// An image that may be a logo, and the receipt of the page that shows it.
type Found = (LogoCandidate, String);

/// Adds colours, typefaces and logos to the draft.
pub fn observe(site: &Site, draft: &mut Draft) {
    let (receipts, sheets, theme_colors) = sheets(site);
    let elements = Elements::of(site.styled.iter().map(|styled| &styled.markup));
    for swatch in palette::palette(&sheets, &theme_colors, Some(&elements)) {
        draft.push(PALETTE, Claim::observed(json!(swatch), receipts.clone()));
    }
    for typeface in typography::typography(&sheets, Some(&elements)) {
        draft.push(
            TYPOGRAPHY,
            Claim::observed(json!(typeface), receipts.clone()),
        );
    }
    for logo in &site.logos {
        let candidate = &logo.candidate;
        let value = json!({
            "url": candidate.url,
            "inline_svg": candidate.inline_svg,
            "variant": candidate.variant,
            "theme": candidate.theme,
        });
        let mut receipts = vec![logo.receipt_id.clone()];
        if logo.page_receipt_id != logo.receipt_id {
            receipts.push(logo.page_receipt_id.clone());
        }
        draft.push(LOGOS, Claim::observed(value, receipts));
    }
}

fn of_vendor(address: &str) -> bool {
    Url::parse(address).is_ok_and(|url| is_of_vendor(&url))
}

/// Receipts and sheets in the same order (a sheet that several pages use appears once), and the colours that
/// pages declare. Sheets of vendors are left out where the site has its own. A later sheet overrides an earlier one, so inline styles follow a page's linked sheets, and
/// the first page comes last: it decides where pages differ.
fn sheets(site: &Site) -> (Vec<String>, Vec<&Sheet>, Vec<String>) {
    let mut left: BTreeSet<&str> = BTreeSet::new();
    for address in site
        .styled
        .iter()
        .flat_map(|styled| styled.linked())
        .map(|(address, ..)| address)
        .filter(|address| !of_vendor(address))
    {
        if left.len() < MOST_SHEETS {
            left.insert(address);
        }
    }
    // A site may use nothing but a framework.
    if left.is_empty() {
        let all = site.styled.iter().flat_map(|styled| styled.linked());
        left.extend(all.map(|(address, ..)| address).take(MOST_SHEETS));
    }
    let mut receipts: Vec<String> = Vec::new();
    let mut sheets = Vec::new();
    let mut theme_colors = Vec::new();
    for styled in site.styled.iter().rev() {
        for (address, receipt, sheet) in styled.linked() {
            if left.remove(address) {
                receipts.push(receipt.to_owned());
                sheets.push(sheet);
            }
        }
        receipts.push(styled.receipt_id.clone());
        let own = |sheet: &&StyledSheet| sheet.receipt_id.is_none();
        sheets.extend(styled.sheets.iter().filter(own).map(|own| &own.sheet));
        theme_colors.extend(styled.markup.theme_colors.iter().cloned());
    }
    (receipts, sheets, theme_colors)
}

/// Fetches the images that may be logos, and lists stylesheets and logos among the site's assets.
///
/// # Errors
/// `canceled`, or the failure of a quota.
pub fn fetch_logos(
    host: &dyn Host,
    settings: &Settings,
    home: &Url,
    site: &mut Site,
) -> Result<(), Failure> {
    let first_party = |address: &str| Url::parse(address).is_ok_and(|url| is_same_site(home, &url));
    let mut assets: Vec<Asset> = Vec::new();
    for styled in &site.styled {
        for sheet in &styled.sheets {
            if let (Some(address), Some(receipt_id)) = (&sheet.url, &sheet.receipt_id) {
                assets.push(Asset {
                    receipt_id: receipt_id.clone(),
                    first_party: first_party(address),
                });
            }
        }
    }
    let mut found: Vec<Found> = Vec::new();
    for styled in &site.styled {
        for candidate in logos::candidates(&styled.markup, &styled.json_ld, &styled.address) {
            found.push((candidate, styled.receipt_id.clone()));
        }
    }
    let found_on = |address: &str| {
        let pages: BTreeSet<&str> = found
            .iter()
            .filter(|(candidate, _)| candidate.url == address)
            .map(|(_, receipt)| receipt.as_str())
            .collect();
        pages.len()
    };
    // What only one further page shows is a customer's or a partner's.
    let first = site.styled.first().map(|styled| styled.receipt_id.as_str());
    let own: Vec<bool> = found
        .iter()
        .map(|(candidate, receipt)| {
            candidate.inline_svg.is_some()
                || Some(receipt.as_str()) == first
                || found_on(&candidate.url) > 1
        })
        .collect();
    let mut own = own.into_iter();
    found.retain(|_| own.next().unwrap_or(true));
    if settings.max_logos > 0 {
        for (candidate, receipt_id) in of_web_manifest(host, site)? {
            assets.push(Asset {
                receipt_id: receipt_id.clone(),
                first_party: true,
            });
            found.push((candidate, receipt_id));
        }
    }
    let mut logos: Vec<Logo> = Vec::new();
    for _ in 0..LOGO_ROUNDS {
        let chosen = choose(&found, settings.max_logos);
        let missing: Vec<&Found> = chosen
            .into_iter()
            .filter(|(candidate, _)| !logos.iter().any(|logo| logo.candidate.url == candidate.url))
            .collect();
        let (inside, files): (Vec<&Found>, Vec<&Found>) = missing
            .into_iter()
            .partition(|(candidate, _)| candidate.inline_svg.is_some());
        logos.extend(inside.into_iter().map(|(candidate, receipt_id)| Logo {
            candidate: candidate.clone(),
            receipt_id: receipt_id.clone(),
            page_receipt_id: receipt_id.clone(),
            image: None,
        }));
        let read = read_pictures(host, settings, &files)?;
        // An image that could not be fetched makes room for the next best.
        let mut lost: Vec<String> = Vec::new();
        for ((candidate, page_receipt_id), picture) in files.into_iter().zip(read) {
            let Some((receipt_id, image)) = picture else {
                lost.push(candidate.url.clone());
                continue;
            };
            assets.push(Asset {
                receipt_id: receipt_id.clone(),
                first_party: first_party(&candidate.url),
            });
            logos.push(Logo {
                candidate: by_shape(candidate, &image),
                receipt_id,
                page_receipt_id: page_receipt_id.clone(),
                image: Some(image),
            });
        }
        if lost.is_empty() {
            break;
        }
        found.retain(|(candidate, _)| !lost.contains(&candidate.url));
    }
    logos.sort_by_key(|logo| std::cmp::Reverse(logo.candidate.score));
    site.logos = logos;
    let mut known: Vec<String> = site
        .research
        .pages
        .iter()
        .map(|visited| visited.page.receipt_id.clone())
        .collect();
    assets.retain(|asset| {
        let new = !known.contains(&asset.receipt_id);
        known.push(asset.receipt_id.clone());
        new
    });
    site.assets = assets;
    Ok(())
}

/// Widest that a symbol is, for its height.
const WIDEST_SYMBOL: f64 = 1.8;

/// Fetches images; `None` for one that is unavailable.
fn read_pictures(
    host: &dyn Host,
    settings: &Settings,
    files: &[&Found],
) -> Result<Vec<Option<(String, ImageInfo)>>, Failure> {
    if host.canceled() {
        return Err(failure::canceled());
    }
    let calls: Vec<Call> = files
        .iter()
        .map(|(candidate, _)| Call {
            capability: WEB_FETCH,
            input: json!({"url": candidate.url, "max_bytes": settings.shared.max_page_bytes, "accept": "image"}),
        })
        .collect();
    if calls.is_empty() {
        return Ok(Vec::new());
    }
    let mut pictures = Vec::new();
    for answer in host.invoke(&calls) {
        pictures.push(match answer.map(|answer| image_of(&answer)) {
            Ok(Some(picture)) => Some(picture),
            Ok(None) => {
                host.note("a logo's bytes are no picture");
                None
            }
            Err(failure) if failure.kind == FailureKind::Canceled => {
                return Err(failure::canceled());
            }
            Err(failure) if failure.kind == FailureKind::Quota => return Err(failure),
            Err(failure) => {
                host.note(&format!("logo not read: {}", failure.code));
                None
            }
        });
    }
    Ok(pictures)
}

/// The candidate, whose picture's own shape counts more than its name: what is much wider than high is no symbol.
fn by_shape(candidate: &LogoCandidate, image: &ImageInfo) -> LogoCandidate {
    let is_wide = match (image.width, image.height) {
        (Some(width), Some(height)) => f64::from(width) > f64::from(height) * WIDEST_SYMBOL,
        _ => false,
    };
    let mut candidate = candidate.clone();
    if is_wide && candidate.variant == Variant::Symbol {
        candidate.variant = Variant::Logo;
    }
    candidate
}

fn image_of(answer: &Value) -> Option<(String, ImageInfo)> {
    let receipt = answer.get("receipt_id")?.as_str()?.to_owned();
    let image = serde_json::from_value(answer.get("image")?.clone()).ok()?;
    Some((receipt, image))
}

/// Icons of the web manifest that the home page names, with the manifest's receipt.
fn of_web_manifest(host: &dyn Host, site: &Site) -> Result<Vec<Found>, Failure> {
    let Some(address) = site
        .styled
        .first()
        .and_then(|styled| styled.markup.web_manifest.clone())
    else {
        return Ok(Vec::new());
    };
    let call = Call {
        capability: WEB_FETCH,
        input: json!({"url": address, "signals": true}),
    };
    let answer = match gtm_site_research::host::invoke_one(host, call) {
        Ok(answer) => answer,
        Err(failure) if failure.kind == FailureKind::Canceled => return Err(failure::canceled()),
        Err(failure) if failure.kind == FailureKind::Quota => return Err(failure),
        Err(failure) => {
            host.note(&format!("web manifest not read: {}", failure.code));
            return Ok(Vec::new());
        }
    };
    let read = |answer: &Value| -> Option<Vec<Found>> {
        let receipt = answer.get("receipt_id")?.as_str()?.to_owned();
        let base = Url::parse(answer.get("final_url")?.as_str()?).ok()?;
        let signals: Signals = serde_json::from_value(answer.get("signals")?.clone()).ok()?;
        let icons = logos::candidates(&signals.markup, &[], &base);
        Some(
            icons
                .into_iter()
                .map(|icon| (icon, receipt.clone()))
                .collect(),
        )
    };
    Ok(read(&answer).unwrap_or_default())
}

/// The best image of each variant and theme, best first; unlikely images are used only if nothing is called a
/// logo. An inline drawing and a file of the same variant and theme may both be chosen, because the drawing
/// has no address of its own.
fn choose(found: &[Found], most: usize) -> Vec<&Found> {
    let mut order: Vec<&Found> = found.iter().collect();
    // The sort is stable: among equal scores, the image of the first page wins.
    order.sort_by_key(|(candidate, _)| std::cmp::Reverse(candidate.score));
    let any_logo = order
        .iter()
        .any(|(candidate, _)| candidate.score >= CALLED_LOGO);
    let mut chosen: Vec<&Found> = Vec::new();
    for both in order {
        let candidate = &both.0;
        let same_kind = chosen.iter().any(|(known, _)| {
            known.variant == candidate.variant
                && known.theme == candidate.theme
                && known.inline_svg.is_some() == candidate.inline_svg.is_some()
        });
        let known = chosen.iter().any(|(known, _)| known.url == candidate.url);
        // A sharing card is a logo only if the page calls it one.
        let card = candidate.from == From::OpenGraph && candidate.score < CALLED_LOGO;
        let weak = candidate.score < LEAST_SCORE && any_logo;
        if known || same_kind || card || weak || chosen.len() >= most {
            continue;
        }
        chosen.push(both);
    }
    chosen
}
