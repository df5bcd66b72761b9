//! The theme: what is kept, what is derived, what is repaired, and four whole ones.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use gtm_document_model::theme::FontClass;
use proptest::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

use super::*;
use crate::guideline::GUIDELINE_SCHEMA_VERSION;
use crate::guideline::governance::{Applications, Governance, Research};
use crate::guideline::sections::{
    Audience, Foundations, Identity, Messaging, Positioning, Visual, Voice,
};
use crate::{BrandId, Digest, JobId, Timestamp};

/// A guideline that says only this about its looks.
fn guideline(palette: &Value, typography: &Value, logos: &Value) -> Guideline {
    let known = |value: &Value| json!({"value": value, "confidence": "medium", "basis": "observed", "source_ids": [], "excerpt_ids": []});
    let claims =
        |values: &Value| -> Value { values.as_array().unwrap().iter().map(known).collect() };
    let mut visual = serde_json::to_value(Visual::default()).unwrap();
    visual["palette"] = claims(palette);
    visual["typography"] = claims(typography);
    visual["logos"] = claims(logos);
    let mut identity = Identity::default();
    identity.brand_name.value = Some("Example Metering".into());
    Guideline {
        schema_version: GUIDELINE_SCHEMA_VERSION.into(),
        brand_profile_id: BrandId::from_uuid(Uuid::from_u128(1)),
        revision: 1,
        guideline_hash: Digest::of(b""),
        generated_at: Timestamp::from_millis(0),
        language: "en-GB".into(),
        job_id: JobId::from_uuid(Uuid::from_u128(2)),
        identity,
        foundations: Foundations::default(),
        audience: Audience::default(),
        positioning: Positioning::default(),
        voice: Voice::default(),
        messaging: Messaging::default(),
        visual: serde_json::from_value(visual).unwrap(),
        applications: Applications::default(),
        governance: Governance::default(),
        research: Research {
            started_at: Timestamp::from_millis(0),
            finished_at: Timestamp::from_millis(0),
            sources: vec![],
            unknowns: vec![],
            conflicts: vec![],
            coverage: vec![],
            freshness: Default::default(),
        },
    }
}

fn swatch(role: &str, hex: &str) -> Value {
    json!({"name": null, "hex": hex, "role": role})
}

fn typeface(role: &str, family: &str, fallbacks: &[&str]) -> Value {
    json!({"family": family, "role": role, "weights": [400], "fallbacks": fallbacks, "license": null})
}

/// The theme of a brand with these colours.
fn painted(palette: &[(&str, &str)]) -> Theme {
    let palette = palette
        .iter()
        .map(|(role, hex)| swatch(role, hex))
        .collect();
    theme(&guideline(&palette, &json!([]), &json!([])))
}

fn rgb(text: &str) -> Rgb {
    text.parse().unwrap()
}

fn assert_readable(theme: &Theme) {
    for pair in theme.requirements() {
        assert!(pair.is_met(), "{pair:?} {}", pair.color.contrast(pair.on));
    }
}

#[test]
fn what_can_be_read_is_kept() {
    let theme = painted(&[
        ("primary", "#10243e"),
        ("secondary", "#4a6785"),
        ("accent", "#b23a0a"),
        ("background", "#ffffff"),
        ("text", "#222222"),
    ]);
    let c = &theme.colors;
    for (found, said) in [
        (c.primary, "#10243e"),
        (c.secondary, "#4a6785"),
        (c.accent, "#b23a0a"),
        (c.accent_text, "#b23a0a"),
        (c.background, "#ffffff"),
        (c.text, "#222222"),
        (c.on_primary, "#ffffff"),
        (theme.chart[0], "#10243e"),
        (theme.chart[1], "#b23a0a"),
        (theme.chart[2], "#4a6785"),
    ] {
        assert_eq!(found, rgb(said));
    }
    assert_eq!(theme.repairs, []);
    assert_readable(&theme);
}

#[test]
fn what_cannot_be_read_moves_in_lightness_only_and_is_reported() {
    let theme = painted(&[
        ("primary", "#ffd400"),
        ("accent", "#f97316"),
        ("background", "#ffffff"),
    ]);
    assert_readable(&theme);
    let repaired: Vec<&str> = theme
        .repairs
        .iter()
        .map(|repair| repair.role.as_str())
        .collect();
    assert_eq!(repaired, ["primary", "accent", "accent_text"]);
    for repair in &theme.repairs {
        let [before, chroma, hue] = repair.from.to_oklch();
        let [after, less, same] = repair.to.to_oklch();
        assert!(after < before, "{repair:?}");
        assert!((hue - same).abs() < 3.0, "{repair:?}");
        // Darker colours have less room for chroma, but never get more of it.
        assert!(less <= chroma + 0.01, "{repair:?}");
        assert!(repair.ratio_before < repair.ratio_after, "{repair:?}");
        assert!(repair.ratio_after >= 3.0, "{repair:?}");
    }
    assert_eq!(theme.repairs[0].from, rgb("#ffd400"));
    assert_eq!(theme.repairs[0].to, theme.colors.primary);
    assert_eq!(theme.repairs[0].against, "surface");
}

#[test]
fn a_dark_background_makes_a_dark_theme() {
    let theme = painted(&[("primary", "#1d4ed8"), ("background", "#0b1020")]);
    assert_eq!(theme.mode, Mode::Dark);
    assert_eq!(theme.colors.background, rgb("#0b1020"));
    assert!(theme.colors.primary.luminance() > rgb("#1d4ed8").luminance());
    assert_readable(&theme);
}

#[test]
fn a_page_between_light_and_dark_is_moved_and_reported() {
    let theme = painted(&[("primary", "#111111"), ("background", "#ff6a00")]);
    assert_eq!(theme.mode, Mode::Light);
    assert_eq!(theme.repairs[0].role, "background");
    assert_eq!(theme.repairs[0].from, rgb("#ff6a00"));
    assert_eq!(theme.repairs[0].to, theme.colors.background);
    assert!(theme.colors.text.contrast(theme.colors.background) >= 7.0);
    assert_readable(&theme);
}

#[test]
fn white_text_of_a_site_does_not_make_grey_pages() {
    let theme = painted(&[
        ("primary", "#10243e"),
        ("background", "#ffffff"),
        ("text", "#f5f5f5"),
    ]);
    assert!(theme.colors.text.contrast(rgb("#ffffff")) >= 7.0);
    assert_eq!(theme.repairs[0].role, "text");
}

#[test]
fn a_brand_without_colours_gets_the_neutral_theme_which_says_so() {
    for palette in [&[][..], &[("background", "#fff7ed")]] {
        let theme = painted(palette);
        assert_eq!(theme, neutral());
        let all = [
            ThemePart::Colors,
            ThemePart::HeadingFont,
            ThemePart::BodyFont,
        ];
        assert_eq!(theme.defaults, all);
        assert_eq!(theme.repairs, []);
        assert_readable(&theme);
    }
}

#[test]
fn one_colour_is_enough_and_no_second_is_invented() {
    let theme = painted(&[("accent", "#0f766e")]);
    assert_eq!(
        theme.defaults,
        [ThemePart::HeadingFont, ThemePart::BodyFont]
    );
    assert_eq!(theme.colors.primary, rgb("#0f766e"));
    assert_eq!(theme.colors.accent, rgb("#0f766e"));
    let hue = |color: Rgb| color.to_oklch()[2];
    assert!((hue(theme.colors.secondary) - hue(theme.colors.primary)).abs() < 4.0);
    assert_readable(&theme);
}

#[test]
fn typefaces_have_a_class_and_fallbacks() {
    let fonts = |typefaces: &[Value]| {
        let guideline = guideline(&json!([]), &json!(typefaces), &json!([]));
        let theme = theme(&guideline);
        (theme.fonts, theme.defaults)
    };
    let (found, defaults) = fonts(&[
        typeface("heading", "Playfair Display", &["Georgia", "serif"]),
        typeface(
            "body",
            "Work Sans",
            &["-apple-system", "var(--x)", "Arial", "sans-serif"],
        ),
    ]);
    assert_eq!(found.heading.class, FontClass::Serif);
    assert_eq!(
        found.heading.fallbacks,
        ["Georgia", "Source Serif 4", "Times New Roman"]
    );
    assert_eq!(found.body.class, FontClass::Sans);
    assert_eq!(found.body.fallbacks, ["Arial", "Inter"]);
    assert_eq!(defaults, [ThemePart::Colors]);

    // A body alone sets the headings too; headings alone do not set the body.
    let (found, defaults) = fonts(&[typeface("body", "\"Brand Text\"", &["serif"])]);
    assert_eq!(found.heading, found.body);
    assert_eq!(found.body.family, "Brand Text");
    assert_eq!(found.body.class, FontClass::Serif);
    assert_eq!(defaults, [ThemePart::Colors]);
    let (found, defaults) = fonts(&[typeface("heading", "Display Mono", &[])]);
    assert_eq!(found.heading.class, FontClass::Mono);
    assert_eq!(found.body.family, "Inter");
    assert_eq!(defaults, [ThemePart::Colors, ThemePart::BodyFont]);

    // Names that stand for whatever a device has are no typefaces.
    for family in ["system-ui", "sans-serif", "var(--body)", " ", "\u{202e}"] {
        let (_, defaults) = fonts(&[typeface("body", family, &[])]);
        assert_eq!(defaults.len(), 3, "{family}");
    }
}

#[test]
fn the_logo_suits_the_mode() {
    let logo = |variant: &str, theme: Value, size: Value| {
        json!({
            "url": "https://example.com/logo", "digest": format!("sha256:{}", "0".repeat(64)),
            "variant": variant, "theme": theme, "media_type": "image/png", "width": size, "height": size,
        })
    };
    let shown = |logos: &[Value]| theme(&guideline(&json!([]), &json!([]), &json!(logos))).logo;
    let dark = logo("logo", json!("dark"), json!(10));
    let any = logo("symbol", json!(null), json!(20));
    let light = logo("wordmark", json!("light"), json!(30));
    let found = shown(&[dark.clone(), any.clone(), light]).unwrap();
    assert_eq!((found.width, found.r#for), (30, Some(Mode::Light)));
    assert_eq!(
        (found.asset.as_str(), found.alt.as_str()),
        (LOGO_ASSET, "Example Metering")
    );
    assert_eq!(shown(&[dark.clone(), any]).unwrap().r#for, None);
    assert_eq!(shown(&[dark]).unwrap().r#for, Some(Mode::Dark));
    // A size that nobody knows is not made up.
    assert_eq!(shown(&[logo("logo", json!(null), json!(null))]), None);
    assert_eq!(shown(&[]), None);
}

/// Guidelines of four kinds of brands, and their themes as files. Renderers try their layouts on them.
#[test]
fn four_themes_look_as_they_did() {
    let light = guideline(
        &json!([
            swatch("primary", "#0f4c81"),
            swatch("secondary", "#5b7c99"),
            swatch("accent", "#e4572e"),
            swatch("background", "#ffffff"),
            swatch("text", "#1c2733"),
        ]),
        &json!([
            typeface("heading", "Inter", &["sans-serif"]),
            typeface("body", "Inter", &["sans-serif"])
        ]),
        &json!([]),
    );
    let dark = guideline(
        &json!([
            swatch("primary", "#7aa2ff"),
            swatch("accent", "#00d4a6"),
            swatch("background", "#0d1117"),
            swatch("text", "#e6edf3"),
        ]),
        &json!([typeface(
            "body",
            "IBM Plex Sans",
            &["system-ui", "sans-serif"]
        )]),
        &json!([]),
    );
    let serif = guideline(
        &json!([
            swatch("primary", "#5a1f2b"),
            swatch("accent", "#b08d57"),
            swatch("background", "#fbf8f3"),
            swatch("text", "#2b2320"),
            swatch("other", "#3f5a4a"),
        ]),
        &json!([
            typeface("heading", "Playfair Display", &["Georgia", "serif"]),
            typeface("body", "Source Serif 4", &["Georgia", "serif"]),
        ]),
        &json!([]),
    );
    let vivid = guideline(
        &json!([
            swatch("primary", "#6d28d9"),
            swatch("secondary", "#ff3d81"),
            swatch("accent", "#ffd60a"),
            swatch("background", "#ffffff"),
            swatch("other", "#00c2ff"),
        ]),
        &json!([
            typeface("heading", "Space Grotesk", &["sans-serif"]),
            typeface("body", "Work Sans", &["sans-serif"]),
        ]),
        &json!([]),
    );
    for (guideline, name, golden) in [
        (
            light,
            "light",
            include_str!("../../../tests/themes/light.json"),
        ),
        (
            dark,
            "dark",
            include_str!("../../../tests/themes/dark.json"),
        ),
        (
            serif,
            "serif",
            include_str!("../../../tests/themes/serif.json"),
        ),
        (
            vivid,
            "vivid",
            include_str!("../../../tests/themes/vivid.json"),
        ),
    ] {
        let found = theme(&guideline);
        assert_readable(&found);
        let found = serde_json::to_string_pretty(&found).unwrap() + "\n";
        assert!(found == golden, "tests/themes/{name}.json is now:\n{found}");
    }
}

fn any_swatch() -> impl Strategy<Value = Value> {
    let role = proptest::sample::select(vec![
        "primary",
        "secondary",
        "accent",
        "background",
        "text",
        "other",
    ]);
    (role, any::<[u8; 3]>()).prop_map(|(role, color)| swatch(role, &Rgb(color).to_string()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn every_palette_becomes_readable(swatches in proptest::collection::vec(any_swatch(), 0..9)) {
        let guideline = guideline(&swatches.into(), &json!([]), &json!([]));
        let found = theme(&guideline);
        assert_readable(&found);
        for (index, color) in found.chart.iter().enumerate() {
            for other in &found.chart[..index] {
                prop_assert!(chart::difference(*color, *other) >= chart::DISTINCT, "{color} {other}");
            }
        }
        for repair in &found.repairs {
            prop_assert!(repair.from != repair.to && repair.ratio_before < repair.ratio_after, "{repair:?}");
        }
        prop_assert_eq!(theme(&guideline), found);
    }
}
