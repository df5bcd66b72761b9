//! The logo of a document.

use gtm_document_model::cleaned;
use gtm_document_model::theme::{self, Mode};

use crate::guideline::Guideline;
use crate::guideline::sections::Logo;
use crate::guideline::words::{LogoTheme, LogoVariant};

/// Name of the asset that holds the logo.
pub const LOGO_ASSET: &str = "logo";

/// The logo that suits a page of this mode best: one made for it before one that does not say, and the whole
/// logo before a part of it. One made for the other mode comes last; the theme says what it is made for.
#[must_use]
pub fn chosen_logo(guideline: &Guideline, mode: Mode) -> Option<&Logo> {
    let logos = guideline
        .visual
        .logos
        .iter()
        .filter_map(|claim| claim.value.as_ref());
    logos.min_by_key(|logo| {
        let fit = match logo.theme.as_ref().map(made_for) {
            Some(made_for) if made_for == mode => 0,
            None => 1,
            Some(_) => 2,
        };
        let variant = match logo.variant {
            LogoVariant::Logo => 0,
            LogoVariant::Wordmark => 1,
            LogoVariant::Symbol => 2,
        };
        (fit, variant)
    })
}

/// The logo as a theme has it, once its size is known; `None` where the guideline names no brand to say in its
/// alternative text, or the size is nothing.
#[must_use]
pub fn sized_logo(
    guideline: &Guideline,
    logo: &Logo,
    (width, height): (u32, u32),
) -> Option<theme::Logo> {
    let identity = &guideline.identity;
    let name = identity
        .brand_name
        .value
        .as_ref()
        .or(identity.legal_name.value.as_ref())?;
    let alt = cleaned(name).replace('\n', " ").trim().to_owned();
    (width > 0 && height > 0 && !alt.is_empty()).then(|| theme::Logo {
        asset: LOGO_ASSET.to_owned(),
        alt,
        width,
        height,
        r#for: logo.theme.as_ref().map(made_for),
    })
}

const fn made_for(theme: &LogoTheme) -> Mode {
    match theme {
        LogoTheme::Light => Mode::Light,
        LogoTheme::Dark => Mode::Dark,
    }
}
