//! Selects which pages of a brand's site to read, and in which order.

use gtm_lexicon::pages::{FOUNDATIONS, PRESS, QUESTIONS, TERMS, TRUST};
use gtm_site_research::choice::Kinds;
use gtm_site_research::reading::{Candidate, Visited};
use gtm_site_research::roles::Role;
use gtm_site_research::words;
use url::Url;

pub use gtm_site_facts::part::Part;

/// Most pages besides the home page whose styles and markup are read.
const STYLED_PAGES: usize = 2;

/// The parts that pages are read for.
#[derive(Debug, Clone, Copy)]
pub struct Parts;

impl Kinds for Parts {
    type Kind = Part;

    fn wanted(&self) -> &[Part] {
        &Part::WANTED
    }

    fn in_turn(&self) -> &[Part] {
        &[Part::Product, Part::About, Part::Customers, Part::Press]
    }

    fn of_link(&self, candidate: &Candidate) -> Option<(Part, i32)> {
        let folded = words::fold(&format!("{} {}", candidate.text, candidate.path()));
        let words = words::split(&folded);
        let part = Part::of(candidate.role, &candidate.url, &candidate.text);
        let short = candidate.text.split_whitespace().count() <= 4;
        Some(match part {
            Part::Other if short && FOUNDATIONS.any_in(&words) => (Part::About, 20),
            Part::Other if short && TERMS.any_in(&words) => (Part::Legal, 10),
            Part::Other if short && TRUST.any_in(&words) => (Part::Trust, 10),
            Part::Other if short && QUESTIONS.any_in(&words) => (Part::Questions, 10),
            Part::Press if PRESS.any_in(&words) => (part, candidate.score + 30),
            part => (part, candidate.score),
        })
    }

    fn of_page(&self, visited: &Visited, taken_for: Part) -> Part {
        let title = visited.page.title.as_deref().unwrap_or_default();
        match (taken_for, Url::parse(&visited.page.final_url)) {
            // What the link did not say the page did.
            (Part::Other, Ok(url)) => Part::of(visited.role, &url, title),
            (known, _) => known,
        }
    }

    fn most(&self, part: Part) -> usize {
        match part {
            Part::Home | Part::External => 0,
            Part::Questions => 1,
            Part::Legal | Part::Contact | Part::Pricing | Part::Careers | Part::Trust => 2,
            Part::Press => 3,
            Part::Customers => 4,
            Part::About | Part::Product => 8,
            Part::Other => usize::MAX,
        }
    }

    fn role(&self, part: Part) -> Role {
        part.role()
    }

    fn wants_style(&self, part: Part, styled: usize) -> bool {
        match part {
            Part::About | Part::Product | Part::Other => styled < STYLED_PAGES,
            // Pictures name customers, and only the markup tells.
            Part::Customers => styled <= STYLED_PAGES,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn contact_and_imprint_are_told_apart() {
        let part = |path: &str, text: &str| {
            let url = Url::parse(&format!("https://acme.example{path}")).unwrap();
            let (role, score) = gtm_site_research::roles::of_link(&url, text, true).unwrap();
            let candidate = Candidate {
                url,
                text: text.to_owned(),
                navigation: true,
                role,
                score,
            };
            Parts.of_link(&candidate).unwrap().0
        };
        assert_eq!(part("/kontakt", "Kontakt"), Part::Contact);
        assert_eq!(part("/impressum", "Impressum"), Part::Legal);
        assert_eq!(part("/mentions-legales", "Mentions légales"), Part::Legal);
        assert_eq!(part("/contact/imprint", "Contact"), Part::Legal);
        assert_eq!(part("/press", "Press"), Part::Press);
        assert_eq!(part("/produkte", "Produkte"), Part::Product);
        assert_eq!(part("/faq", "FAQ"), Part::Questions);
        assert_eq!(part("/werte", "Unsere Werte"), Part::About);
        assert_eq!(part("/agb", "AGB"), Part::Legal);
        assert_eq!(part("/werkstatt", "Werkstatt"), Part::Other);
    }
}
