//! Rules and examples that follow from palette, typography, contrast, voice and legal lines.
//!
//! A rule says only what its pointers support: it names no colour, font or habit that was not found, and if
//! a pair of colours is unreadable, the rule says that instead.

use gtm_language_tag::primary_language;

use super::Guideline;
use super::claim::Claim;
use super::governance::{Applications, Example, MIN_CONTRAST_RATIO, Rule};
use super::sections::{Logo, Swatch, Typeface};
use super::words::{ColorRole, FontRole, HeadlineCase, LogoTheme, Person, Surface};

/// The contrast ratio of WCAG 2.2 between two `#rrggbb` colours; `None` if either is not a colour.
pub type Contrast<'a> = &'a dyn Fn(&str, &str) -> Option<f64>;

/// Minimum contrast of large text (WCAG 2.2, 1.4.3).
const MIN_LARGE_RATIO: f64 = 3.0;
/// How many failing pairs get a rule of their own.
const MAX_PAIR_RULES: usize = 5;

/// All rules and examples of a guideline whose other sections are complete.
#[must_use]
pub fn applications(guideline: &Guideline, contrast: Contrast<'_>) -> Applications {
    let mut book = RuleBook {
        guideline,
        contrast,
        rules: Vec::new(),
    };
    book.colors();
    book.failing_pairs();
    book.fonts();
    book.logos();
    book.voice();
    book.legal_lines();
    Applications {
        rules: book.rules,
        examples: examples(guideline),
    }
}

struct RuleBook<'a> {
    guideline: &'a Guideline,
    contrast: Contrast<'a>,
    rules: Vec<Rule>,
}

/// A value and its pointer.
type At<'a, T> = (&'a T, String);

fn first<'a, T>(
    list: &'a [Claim<T>],
    pointer: &str,
    wanted: impl Fn(&T) -> bool,
) -> Option<At<'a, T>> {
    list.iter().enumerate().find_map(|(index, claim)| {
        let value = claim.value.as_ref().filter(|value| wanted(value))?;
        Some((value, format!("{pointer}/{index}")))
    })
}

impl<'a> RuleBook<'a> {
    fn add(&mut self, surface: Surface, key: &str, rule: String, derived_from: &[&str]) {
        self.rules.push(Rule {
            key: format!("{}-{key}", surface.as_str()),
            surface,
            rule,
            derived_from: derived_from.iter().map(|at| (*at).to_owned()).collect(),
        });
    }

    fn swatch(&self, role: ColorRole) -> Option<At<'a, Swatch>> {
        first(&self.guideline.visual.palette, "/visual/palette", |s| {
            s.role == role
        })
    }

    fn typeface(&self, role: FontRole) -> Option<At<'a, Typeface>> {
        first(
            &self.guideline.visual.typography,
            "/visual/typography",
            |t| t.role == role,
        )
    }

    fn colors(&mut self) {
        let primary = self.swatch(ColorRole::Primary);
        let ground = self.swatch(ColorRole::Background);
        let text = self.swatch(ColorRole::Text);
        if let (Some((primary, at)), Some((ground, under))) = (&primary, &ground)
            && let Some(ratio) = (self.contrast)(&primary.hex, &ground.hex)
        {
            let (color, on) = (shown(primary), shown(ground));
            let rule = if ratio >= MIN_LARGE_RATIO {
                format!("Titles may be set in {color} on {on} (contrast {ratio:.2}:1).")
            } else {
                format!(
                    "Use {color} for shapes and bars, not for titles on {on}: their contrast is {ratio:.2}:1, below 3:1 for large text."
                )
            };
            for surface in [Surface::Pptx, Surface::Docx, Surface::Pdf] {
                self.add(surface, "title-color", rule.clone(), &[at, under]);
            }
            let link = if ratio >= MIN_CONTRAST_RATIO {
                format!(
                    "Links and buttons may be {color} on {on}, or {on} on {color} (contrast {ratio:.2}:1)."
                )
            } else {
                format!(
                    "Do not set links or button labels in {color} on {on}: their contrast is {ratio:.2}:1, below {MIN_CONTRAST_RATIO}:1."
                )
            };
            for surface in [Surface::Web, Surface::Email] {
                self.add(surface, "action-color", link.clone(), &[at, under]);
            }
        }
        if let (Some((text, at)), Some((ground, under))) = (&text, &ground)
            && let Some(ratio) = (self.contrast)(&text.hex, &ground.hex)
            && ratio >= MIN_CONTRAST_RATIO
        {
            let rule = format!(
                "Set running text in {} on {} (contrast {ratio:.2}:1).",
                shown(text),
                shown(ground)
            );
            let surfaces = [
                Surface::Pptx,
                Surface::Docx,
                Surface::Pdf,
                Surface::Email,
                Surface::Web,
            ];
            for surface in surfaces {
                self.add(surface, "text-color", rule.clone(), &[at, under]);
            }
        }
        if let Some((accent, at)) = self.swatch(ColorRole::Accent) {
            let ratio = ground.as_ref().and_then(|(ground, under)| {
                let ratio = (self.contrast)(&accent.hex, &ground.hex)?;
                (ratio < MIN_CONTRAST_RATIO).then_some((shown(ground), under, ratio))
            });
            let color = shown(accent);
            let (rule, derived_from) = match &ratio {
                Some((on, under, ratio)) => (
                    format!(
                        "Use {color} for highlights and chart series, not for text on {on}: their contrast is {ratio:.2}:1, below {MIN_CONTRAST_RATIO}:1."
                    ),
                    vec![at.as_str(), under],
                ),
                None => (
                    format!("Use {color} for highlights and chart series."),
                    vec![at.as_str()],
                ),
            };
            for surface in [Surface::Pptx, Surface::Social] {
                self.add(surface, "accent-color", rule.clone(), &derived_from);
            }
        }
    }

    fn failing_pairs(&mut self) {
        let pairs = &self.guideline.governance.accessibility.failing_pairs;
        for (index, pair) in pairs.iter().take(MAX_PAIR_RULES).enumerate() {
            let rule = format!(
                "Do not set text in {} on {} as the site does: their contrast is {:.2}:1, below {MIN_CONTRAST_RATIO}:1.",
                pair.foreground, pair.background, pair.ratio
            );
            let at = format!("/governance/accessibility/failing_pairs/{index}");
            self.add(
                Surface::Web,
                &format!("contrast-{}", index + 1),
                rule,
                &[&at],
            );
        }
    }

    fn fonts(&mut self) {
        let heading = self.typeface(FontRole::Heading);
        let body = self.typeface(FontRole::Body);
        if let Some((face, at)) = &heading {
            let rule = format!("Set headings in {}.", stack(face));
            for surface in [Surface::Pptx, Surface::Docx, Surface::Pdf, Surface::Web] {
                self.add(surface, "heading-font", rule.clone(), &[at]);
            }
        }
        if let Some((face, at)) = &body {
            let rule = format!("Set running text in {}.", stack(face));
            let surfaces = [
                Surface::Pptx,
                Surface::Docx,
                Surface::Pdf,
                Surface::Email,
                Surface::Web,
            ];
            for surface in surfaces {
                self.add(surface, "body-font", rule.clone(), &[at]);
            }
        }
        let faces = self.guideline.visual.typography.iter().enumerate();
        let mut named: Vec<&str> = Vec::new();
        for (index, claim) in faces {
            let Some(face) = claim
                .value
                .as_ref()
                .filter(|f| !named.contains(&f.family.as_str()))
            else {
                continue;
            };
            named.push(&face.family);
            let rule = match &face.license {
                Some(license) => format!(
                    "{} may be embedded under the terms of {license}.",
                    face.family
                ),
                None => format!(
                    "Embed {} only once its licence is cleared: the sources name none.",
                    face.family
                ),
            };
            let at = format!("/visual/typography/{index}");
            self.add(
                Surface::Pdf,
                &format!("embedding-{}", named.len()),
                rule,
                &[&at],
            );
        }
    }

    fn logos(&mut self) {
        let theme = |wanted| {
            first(&self.guideline.visual.logos, "/visual/logos", |l: &Logo| {
                l.theme == Some(wanted)
            })
        };
        for (wanted, ground) in [(LogoTheme::Light, "light"), (LogoTheme::Dark, "dark")] {
            if let Some((logo, at)) = theme(wanted) {
                let rule = format!(
                    "On {ground} grounds use the {} at {}.",
                    logo.variant.as_str(),
                    logo.url
                );
                for surface in [Surface::Pptx, Surface::Web] {
                    self.add(surface, &format!("logo-{ground}"), rule.clone(), &[&at]);
                }
            }
        }
    }

    fn voice(&mut self) {
        const WRITTEN: [Surface; 4] =
            [Surface::Email, Surface::Web, Surface::Social, Surface::Docx];
        let voice = &self.guideline.voice;
        if let Some(person) = voice.person.value {
            let rule = match person {
                Person::FirstPlural => "Speak of the company as \"we\".",
                Person::FirstSingular => "Speak of the company as \"I\".",
                Person::Third => "Speak of the company by its name, in the third person.",
            };
            self.habit(&WRITTEN, "person", rule.to_owned(), "/voice/person");
        }
        if let Some(locale) = &voice.spelling_locale.value {
            let rule = format!("Spell as in {locale}.");
            self.habit(&WRITTEN, "spelling", rule, "/voice/spelling_locale");
        }
        if let Some(rule) = self.form_of_address() {
            let surfaces = [Surface::Email, Surface::Docx];
            self.habit(&surfaces, "formality", rule.to_owned(), "/voice/formality");
        }
        let style = &voice.style;
        let told: [(_, &[Surface], _, _, _, _); 4] = [
            (
                style.contractions,
                &WRITTEN,
                "contractions",
                "Contractions are in keeping with the voice.",
                "Write without contractions.",
                "/voice/style/contractions",
            ),
            (
                style.oxford_comma,
                &[Surface::Web, Surface::Docx],
                "oxford-comma",
                "Put a comma before the last item of a series.",
                "Put no comma before the last item of a series.",
                "/voice/style/oxford_comma",
            ),
            (
                style.emoji,
                &[Surface::Email, Surface::Social],
                "emoji",
                "Emoji are in keeping with the voice.",
                "Use no emoji.",
                "/voice/style/emoji",
            ),
            (
                style.exclamation_marks,
                &[Surface::Email, Surface::Social],
                "exclamation-marks",
                "Exclamation marks are in keeping with the voice.",
                "Use no exclamation marks.",
                "/voice/style/exclamation_marks",
            ),
        ];
        for (seen, surfaces, key, with, without, at) in told {
            if let Some(seen) = seen {
                let rule = if seen { with } else { without };
                self.habit(surfaces, key, rule.to_owned(), at);
            }
        }
        if let Some(case) = style.headline_case {
            let rule = match case {
                HeadlineCase::Sentence => "Write headlines in sentence case.",
                HeadlineCase::Title => "Write headlines in title case.",
            };
            self.habit(
                &[Surface::Pptx, Surface::Web, Surface::Docx],
                "headline-case",
                rule.to_owned(),
                "/voice/style/headline_case",
            );
        }
    }

    /// How to address readers, where the site's own texts leave no doubt. English has one form of address only.
    fn form_of_address(&self) -> Option<&'static str> {
        let formality = self.guideline.voice.formality.value?.get();
        match (primary_language(&self.guideline.language), formality) {
            ("en", _) | (_, 3) => None,
            (_, 4..) => Some("Address readers formally, as the site's own texts do."),
            _ => Some("Address readers familiarly, as the site's own texts do."),
        }
    }

    fn habit(&mut self, surfaces: &[Surface], key: &str, rule: String, at: &str) {
        for surface in surfaces {
            self.add(*surface, key, rule.clone(), &[at]);
        }
    }

    fn legal_lines(&mut self) {
        let lines = &self.guideline.governance.required_legal_lines;
        if let Some((line, at)) = first(lines, "/governance/required_legal_lines", |_| true) {
            let rule = format!("Close with the company's legal line: \"{line}\".");
            for surface in [Surface::Email, Surface::Pdf, Surface::Docx] {
                self.add(surface, "legal-line", rule.clone(), &[&at]);
            }
        }
    }
}

fn shown(swatch: &Swatch) -> String {
    match &swatch.name {
        Some(name) => format!("{} ({name})", swatch.hex),
        None => swatch.hex.clone(),
    }
}

fn stack(face: &Typeface) -> String {
    if face.fallbacks.is_empty() {
        face.family.clone()
    } else {
        format!("{}, else {}", face.family, face.fallbacks.join(", "))
    }
}

/// Texts of the guideline placed where they would appear; nothing is rewritten.
fn examples(guideline: &Guideline) -> Vec<Example> {
    let messaging = &guideline.messaging;
    let mut examples = Vec::new();
    let mut add = |surface, text: Option<&String>, at: &str| {
        if let Some(text) = text {
            examples.push(Example {
                surface,
                text: text.clone(),
                derived_from: vec![at.to_owned()],
            });
        }
    };
    add(
        Surface::Web,
        guideline.identity.tagline.value.as_ref(),
        "/identity/tagline",
    );
    add(
        Surface::Pptx,
        messaging.core_message.value.as_ref(),
        "/messaging/core_message",
    );
    add(
        Surface::Pdf,
        messaging.boilerplate.value.as_ref(),
        "/messaging/boilerplate",
    );
    add(
        Surface::Social,
        messaging.pitches.seconds_10.value.as_ref(),
        "/messaging/pitches/seconds_10",
    );
    examples
}
