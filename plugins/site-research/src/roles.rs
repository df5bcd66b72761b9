//! The role of a page on a company's site, told from link texts and addresses in several languages.

use gtm_lexicon::Phrases;
use gtm_lexicon::pages::{
    ABOUT, CAREERS, CUSTOMERS, IMPRINT, NEWS, PRICING, PRODUCTS, TERMS, USELESS,
};
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

/// The role that a page's heading names, if it says little else.
pub fn named_in(heading: &str) -> Option<Role> {
    let folded = words::fold(heading);
    let words = words::split(&folded);
    // Vacancies may be called offers, so they come first.
    let careers = NAMES.iter().filter(|(role, _)| *role == Role::Careers);
    (words.len() <= 4)
        .then(|| {
            let mut all = careers.chain(&NAMES);
            all.find(|(_, names)| names.any_in(&words))
                .map(|(role, _)| *role)
        })
        .flatten()
}

/// The role of a page that a short heading names: `Our services`, `About us`.
pub fn named_page(words: &[&str]) -> Option<Role> {
    let named = |(role, names): (Role, &'static Phrases)| names.any_in(words).then_some(role);
    (words.len() <= 3)
        .then(|| NAMES.into_iter().find_map(named))
        .flatten()
}

/// Marks between the subjects of one link: `Impressum & Datenschutz`.
const BETWEEN_SUBJECTS: &[char] = &['&', '/', '|', ',', '·', '+'];

/// The role of the page behind a link, and the confidence in it (higher is surer). A link that names no role
/// leads to some other page. `None` for one that is not worth following, or leads to no page at all.
///
/// The link's text and its address are judged each by itself: `Imprint & privacy` is worth following for the
/// imprint, and `/privacy` is not where the text says `Company`.
pub fn of_link(url: &Url, text: &str, navigation: bool) -> Option<(Role, i32)> {
    let path = words::fold(&percent_decode_str(url.path()).decode_utf8_lossy());
    if FILE_ENDINGS.iter().any(|ending| path.ends_with(ending)) {
        return None;
    }
    let segments: Vec<&str> = path
        .split('/')
        .filter(|segment| !segment.is_empty())
        .collect();
    let folded = words::fold(text);
    let label = words::split(&folded);
    let last = segments.last().copied().unwrap_or_default();
    let last = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
    let last = words::split(last);
    let label_is_useless = label.len() <= 4 && USELESS.any_in(&label);
    let last_is_useless = USELESS.any_in(&last);
    // Support is one of the services where it stands among them and the text does not call it so.
    let may_be_product = !label.is_empty() && last.len() == 1;
    // Of several subjects one may be worth it; a page of the law often holds the notice on privacy too.
    let subjects: Vec<Vec<&str>> = folded.split(BETWEEN_SUBJECTS).map(words::split).collect();
    let names_role = |names: &'static Phrases, role: Role| {
        label.len() <= 5
            && if label_is_useless {
                role == Role::Imprint && names.any_in(&label)
                    || subjects
                        .iter()
                        .any(|subject| !USELESS.any_in(subject) && names.any_in(subject))
            } else {
                names.any_in(&label)
            }
    };
    let depth = i32::try_from(segments.len().saturating_sub(1))
        .unwrap_or(8)
        .min(8);
    let place =
        if navigation { 8 } else { 0 } - 4 * depth - if url.query().is_some() { 10 } else { 0 };
    let mut best: Option<(Role, i32)> = None;
    for (role, names) in NAMES {
        let mut score = 0i32;
        // A short link text that is the role's name says more than a headline that contains the word.
        if names_role(names, role) {
            score += if label.len() <= 2 { 40 } else { 25 };
        }
        let path_counts = !last_is_useless || role == Role::Imprint;
        if path_counts && names.any_in(&last) {
            score += if last.len() <= 2 { 30 } else { 12 };
        } else if (!last_is_useless || may_be_product && role == Role::Products)
            && !label_is_useless
            && segments
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
        score += place;
        // "Offers" are products on one site and vacancies on another; where a link speaks of work, they are
        // vacancies.
        let of_work =
            role == Role::Careers && best.is_some_and(|(known, _)| known == Role::Products);
        if of_work {
            best = Some((role, score.max(1)));
        } else if best.is_none_or(|(_, known)| score > known) {
            best = Some((role, score));
        }
    }
    // Terms of trade name who is liable where no other page does.
    if best.is_none() && label.len() <= 4 && TERMS.any_in(&label) {
        return Some((Role::Imprint, 1));
    }
    if best.is_none() && !label_is_useless && !last_is_useless {
        return of_other_link(&segments, text, &label, place);
    }
    best.filter(|&(_, score)| score > 0)
}

/// A link that names no role leads to some other page of the site: the shorter its text and its address, the
/// more it is one of the site's parts and not a single entry.
fn of_other_link(segments: &[&str], text: &str, label: &[&str], place: i32) -> Option<(Role, i32)> {
    let useless = segments
        .iter()
        .any(|segment| USELESS.any_in(&words::split(segment)));
    // Archives by date, pages of lists, entries by number.
    let numbered = segments.len() > 1
        && segments
            .iter()
            .any(|segment| segment.chars().all(|c| c.is_ascii_digit()));
    let short = !label.is_empty() && label.len() <= 4 && text.chars().count() <= 30;
    let score = 6 + place + if short { 4 } else { 0 };
    (!segments.is_empty() && !useless && !numbered && score > 0).then_some((Role::Other, score))
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
            ("/xyz", "Something", Some(Role::Other)),
            ("/kaisha", "会社案内", Some(Role::About)),
            ("/o-nas.html", "O nas", Some(Role::About)),
            ("/expertise", "Expertise", Some(Role::Other)),
            // Text or address: each may be worth following by itself.
            ("/impressum", "Impressum & Datenschutz", Some(Role::Imprint)),
            (
                "/impressum-datenschutz",
                "Impressum und Datenschutz",
                Some(Role::Imprint),
            ),
            ("/p/9", "Produkte & Downloads", Some(Role::Products)),
            ("/unternehmen", "Suche", Some(Role::About)),
            ("/support", "About", Some(Role::About)),
            ("/services/support.html", "Wartung", Some(Role::Products)),
            ("/services/support.html", "Support", None),
            ("/support.html", "Wartung", None),
            ("/datenschutz", "Datenschutz", None),
            ("/legal/terms", "Terms of service", Some(Role::Imprint)),
            ("/kunden/login", "Kunden-Login", None),
            ("/cdn-cgi/l/email-protection", "[email protected]", None),
            ("/blog-2/2024/05", "May 2024", Some(Role::News)),
            ("/archive/2024/05", "May 2024", None),
            // Whom they look for is not what they sell.
            (
                "/offres/stage-developpeur",
                "Offre de stage développeur",
                Some(Role::Careers),
            ),
            (
                "/nos-offres-emploi",
                "Nos offres d'emploi",
                Some(Role::Careers),
            ),
            ("/leistungen/praktikum", "Praktikum", Some(Role::Careers)),
            ("/servizi/tirocini", "Tirocinio", Some(Role::Careers)),
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
