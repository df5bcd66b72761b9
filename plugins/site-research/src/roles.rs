//! The role of a page on a company's site, told from link texts and addresses in several languages.

use gtm_lexicon::Phrases;
use gtm_lexicon::pages::{ABOUT, CAREERS, CUSTOMERS, IMPRINT, NEWS, PRICING, PRODUCTS, USELESS};
use percent_encoding::percent_decode_str;
use url::Url;

use crate::words;

/// The role of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Where research began.
    Home,
    /// Who they are.
    About,
    /// What they sell.
    Products,
    /// Whom they serve.
    Customers,
    /// What happened lately.
    News,
    /// Whom they look for.
    Careers,
    /// What it costs.
    Pricing,
    /// Who is liable, and where they are.
    Imprint,
    /// Anything else on the company's site.
    Other,
    /// A page of another site.
    External,
}

impl Role {
    /// Roles that research looks for, the most useful first.
    pub const WANTED: [Self; 7] = [
        Self::About,
        Self::Products,
        Self::Customers,
        Self::News,
        Self::Careers,
        Self::Pricing,
        Self::Imprint,
    ];

    /// The name for people and prompts.
    pub fn title(self) -> &'static str {
        match self {
            Self::Home => "home",
            Self::About => "about",
            Self::Products => "products",
            Self::Customers => "customers",
            Self::News => "news",
            Self::Careers => "careers",
            Self::Pricing => "pricing",
            Self::Imprint => "imprint",
            Self::Other => "other page",
            Self::External => "another site",
        }
    }
}

/// The roles that research looks for, with the words by which links and addresses name them.
const NAMES: [(Role, &Phrases); 7] = [
    (Role::About, &ABOUT),
    (Role::Products, &PRODUCTS),
    (Role::Customers, &CUSTOMERS),
    (Role::News, &NEWS),
    (Role::Careers, &CAREERS),
    (Role::Pricing, &PRICING),
    (Role::Imprint, &IMPRINT),
];

const FILE_ENDINGS: &[&str] = &[
    ".pdf", ".jpg", ".jpeg", ".png", ".gif", ".svg", ".webp", ".zip", ".mp4", ".mp3", ".doc",
    ".docx", ".xls", ".xlsx", ".ppt", ".pptx", ".ics", ".xml", ".json", ".css", ".js", ".woff2",
    ".exe", ".dmg", ".apk",
];

/// The role of the page behind a link, and the confidence in it (higher is surer).
pub fn of_link(url: &Url, text: &str, navigation: bool) -> Option<(Role, i32)> {
    let path = words::fold(&percent_decode_str(url.path()).decode_utf8_lossy());
    if FILE_ENDINGS.iter().any(|ending| path.ends_with(ending)) {
        return None;
    }
    let segments: Vec<&str> = path
        .split('/')
        .filter(|segment| !segment.is_empty())
        .collect();
    let text_folded = words::fold(text);
    let text_words = words::split(&text_folded);
    let last = segments.last().copied().unwrap_or_default();
    let last = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
    let last_words = words::split(last);
    if USELESS.any_in(&text_words) && text_words.len() <= 4 || USELESS.any_in(&last_words) {
        return None;
    }
    let mut best: Option<(Role, i32)> = None;
    for (role, names) in NAMES {
        let mut score = 0i32;
        // A short link text that is the role's name says more than a headline that contains the word.
        if text_words.len() <= 5 && names.any_in(&text_words) {
            score += if text_words.len() <= 2 { 40 } else { 25 };
        }
        if names.any_in(&last_words) {
            score += if last_words.len() <= 2 { 30 } else { 12 };
        } else if segments
            .iter()
            .rev()
            .skip(1)
            .any(|segment| names.any_in(&words::split(segment)))
        {
            score += 10;
        }
        if score == 0 {
            continue;
        }
        score += if navigation { 8 } else { 0 };
        score -= 4 * i32::try_from(segments.len().saturating_sub(1))
            .unwrap_or(8)
            .min(8);
        score -= if url.query().is_some() { 10 } else { 0 };
        // "Offers" are products on one site and vacancies on another; where a link speaks of work, they are vacancies.
        let vacancies =
            role == Role::Careers && best.is_some_and(|(known, _)| known == Role::Products);
        if vacancies || best.is_none_or(|(_, known)| score > known) {
            best = Some((role, score));
        }
    }
    best.filter(|&(_, score)| score > 0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn role(path: &str, text: &str) -> Option<Role> {
        let url = Url::parse(&format!("https://acme.example{path}")).unwrap();
        of_link(&url, text, true).map(|(role, _)| role)
    }

    #[test]
    fn links_tell_their_role() {
        for (path, text, expected) in [
            ("/about.html", "About", Some(Role::About)),
            ("/de/unternehmen/", "Über uns", Some(Role::About)),
            ("/%C3%BCber-uns", "Firma", Some(Role::About)),
            ("/loesungen", "Lösungen", Some(Role::Products)),
            ("/p/1", "Produits", Some(Role::Products)),
            ("/case-studies", "Success", Some(Role::Customers)),
            ("/reviews", "Reviews", Some(Role::Customers)),
            ("/k", "Kundenstimmen", Some(Role::Customers)),
            ("/blog", "Blog", Some(Role::News)),
            ("/jobs", "Karriere", Some(Role::Careers)),
            ("/nos-offres", "Offres de recrutement", Some(Role::Careers)),
            ("/precios", "Precios", Some(Role::Pricing)),
            ("/impressum", "Impressum", Some(Role::Imprint)),
            ("/p/7", "من نحن", Some(Role::About)),
            ("/p/8", "צור קשר", Some(Role::Imprint)),
            ("/privacy", "Privacy", None),
            ("/brochure.pdf", "Products", None),
            ("/login", "Log in", None),
            ("/xyz", "Something", None),
        ] {
            assert_eq!(role(path, text), expected, "{path} {text}");
        }
    }

    #[test]
    fn shallow_links_with_the_role_as_text_win() {
        let url = |path: &str| Url::parse(&format!("https://acme.example{path}")).unwrap();
        let index = of_link(&url("/news"), "News", true).unwrap();
        let article = of_link(
            &url("/news/2026/we-opened-a-site"),
            "We opened a site in Ghent last week",
            false,
        )
        .unwrap();
        assert_eq!((index.0, article.0), (Role::News, Role::News));
        assert!(index.1 > article.1);
    }
}
