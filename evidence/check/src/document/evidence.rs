//! What bears a text out: the words that were given, and the stored bytes of what it cites.

use std::collections::BTreeMap;

use crate::forbidden::ForbiddenClaims;
use gtm_domain::offer::OfferContent;
use gtm_lexicon::numbers::InWords;
use gtm_page_text::{bare_host, primary_language};

use super::CheckInput;
use super::draft::DraftSource;
use super::sentences::quotations;
use crate::caller_input::CallerInput;
use crate::library::Stored;
use crate::literals::{Literals, Reading};
use crate::seller;
use crate::stop_flag::StopFlag;
use crate::verdict::Dropped;

/// Longest brief that is read as HTML too, in bytes.
const MARKUP_BYTES: usize = 2 << 20;

/// A brief as its reader sees it, if it has tags or character references: `<b>27</b>%` says 27 %, and `10&nbsp;000` is a number.
fn as_read(brief: &str) -> Option<String> {
    let has_markup = brief.contains(['<', '&']) && brief.len() <= MARKUP_BYTES;
    has_markup.then(|| {
        let page = gtm_page_text::extract(Some("text/html; charset=utf-8"), brief.as_bytes());
        page.text()
    })
}

/// The evidence for one document.
pub(super) struct Evidence<'a> {
    given: CallerInput,
    /// Stored answers by the draft's ids of sources.
    cited: BTreeMap<&'a str, &'a Stored>,
    /// What the offer forbids to claim, and what the guideline restricts.
    forbidden: ForbiddenClaims,
    /// Hosts that texts about the offer may link to.
    hosts: &'a [String],
    language: String,
    pub(super) stop: &'a StopFlag,
}

impl<'a> Evidence<'a> {
    pub(super) fn of(by: &CheckInput<'a>, sources: &'a [DraftSource], language: &str) -> Self {
        let input = by.input;
        let offer = by.offer;
        let read = as_read(&input.brief);
        let mut caller: Vec<&str> = vec![&input.brief, by.year];
        caller.extend(read.as_deref());
        caller.extend(input.title.as_deref());
        caller.extend(input.target_domain.as_deref());
        caller.extend(offer.map(OfferContent::words).unwrap_or_default());
        caller.extend(offer.into_iter().flat_map(addresses));
        let identity = &by.guideline["identity"];
        let site = ["website_url", "domain"].map(|member| identity[member].as_str());
        let brand = seller::words(by.guideline);
        let brand = brand.into_iter().chain(site.into_iter().flatten());
        let stored = |source: &'a DraftSource| {
            Some((source.id.as_str(), by.library.find(&source.receipt_id)?))
        };
        let forbidden: &[String] = offer.map_or(&[], |offer| &offer.forbidden_claims);
        let restricted = seller::restricted(by.guideline).map(str::to_owned);
        let restricted: Vec<String> = restricted.collect();
        Self {
            given: CallerInput::of(caller, brand),
            cited: sources.iter().filter_map(stored).collect(),
            forbidden: ForbiddenClaims::of(&[forbidden, &restricted]),
            hosts: offer.map_or(&[], |offer| &offer.allowed_link_hosts),
            language: language.to_owned(),
            stop: by.stop,
        }
    }

    /// The fetched sources among these ids.
    pub(super) fn sources<'i>(&self, ids: impl IntoIterator<Item = &'i String>) -> Vec<&'a Stored> {
        let mut found: Vec<&Stored> = Vec::new();
        for id in ids {
            if let Some(stored) = self.cited.get(id.as_str())
                && !found.iter().any(|other| std::ptr::eq(*other, *stored))
            {
                found.push(stored);
            }
        }
        found
    }

    /// Whether the id is reserved or a source that was fetched.
    pub(super) fn has(&self, id: &str) -> bool {
        super::draft::RESERVED.contains(&id) || self.cited.contains_key(id)
    }

    /// What is wrong with a text that cites these sources. `lists` are what a small number in words may count.
    pub(super) fn fault(&self, text: &str, cited: &[&Stored], lists: &[&str]) -> Option<Dropped> {
        if self.stop.is_raised() {
            return Some(Dropped::Unsupported);
        }
        if self.forbidden.first_in(text).is_some() {
            return Some(Dropped::Forbidden);
        }
        let reading = Reading {
            words: InWords::Of(primary_language(&self.language)),
            sums: &[],
            lists,
            things: &[],
            stop: Some(self.stop),
        };
        if Literals::first_missing_of(text, &self.literals(cited), reading).is_some() {
            return Some(Dropped::Invented);
        }
        let stands = |words: &&str| self.says(words, cited);
        (!quotations(text).iter().all(stands)).then_some(Dropped::Misquoted)
    }

    /// Whether the words stand in what was given or in a cited source.
    pub(super) fn says(&self, words: &str, cited: &[&Stored]) -> bool {
        let words = gtm_page_text::normalize(words);
        self.given.holds(&words) || cited.iter().any(|stored| stored.find(&words).is_some())
    }

    /// Whether a number of a chart stands in the evidence, alone or with its unit.
    pub(super) fn has_value(&self, value: f64, unit: Option<&str>, cited: &[&Stored]) -> bool {
        let evidence = self.literals(cited);
        let stands = |text: &str| Literals::first_missing(text, &evidence).is_none();
        let number = value.abs().to_string();
        stands(&number) || unit.is_some_and(|unit| stands(&format!("{number} {unit}")))
    }

    /// Whether a link may stand: its address was given, was fetched, or is on a host that the offer allows.
    pub(super) fn has_link(&self, href: &str, cited: &[&Stored]) -> bool {
        if self.forbidden.first_in(href).is_some() {
            return false;
        }
        if let Some(address) = strip_scheme(href, "mailto:") {
            let address = address.split('?').next().unwrap_or_default();
            let evidence = self.literals(cited);
            return !address.is_empty() && Literals::first_missing(address, &evidence).is_none();
        }
        let host = url::Url::parse(href).ok().and_then(|url| {
            let host = url.host_str()?.to_ascii_lowercase();
            (url.username().is_empty() && url.password().is_none()).then_some(host)
        });
        let Some(host) = host else {
            return false;
        };
        self.hosts
            .iter()
            .any(|allowed| bare_host(allowed) == bare_host(&host))
            || Literals::first_missing(href, &self.literals(cited)).is_none()
    }

    fn literals<'l>(&'l self, cited: &[&'l Stored]) -> Vec<&'l Literals> {
        let own = std::iter::once(self.given.literals());
        own.chain(cited.iter().map(|stored| &stored.literals))
            .collect()
    }
}

fn addresses(offer: &OfferContent) -> impl Iterator<Item = &str> {
    let proofs = offer.proof_points.iter();
    let proofs = proofs.filter_map(|proof| proof.source_url.as_deref());
    offer.url.as_deref().into_iter().chain(proofs)
}

fn strip_scheme<'t>(href: &'t str, scheme: &str) -> Option<&'t str> {
    let (start, rest) = href.split_at_checked(scheme.len())?;
    start.eq_ignore_ascii_case(scheme).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brief_is_read_as_its_reader_sees_it() {
        for (brief, said) in [
            ("<ul><li>Night&nbsp;: +35&nbsp;%</li></ul>", "Night : +35 %"),
            (
                "<li>from 10&nbsp;000&nbsp;: 0,31&nbsp;€</li>",
                "from 10 000 : 0,31 €",
            ),
            (
                "<li>H<sub>2</sub>O<sub>2</sub> : 210 €</li>",
                "H2O2 : 210 €",
            ),
            ("<p><strong>27</strong>% of all</p>", "27% of all"),
            (
                "<p><span>19</span><span>.50</span> an hour</p>",
                "19.50 an hour",
            ),
            ("<p>&#52;&#49; sites</p>", "41 sites"),
            ("Facts\n\n- 35&nbsp;% more", "35 % more"),
        ] {
            let read = as_read(brief).unwrap_or_default();
            let literals = Literals::of_all([read.as_str()]);
            assert!(
                Literals::first_missing(said, &[&literals]).is_none(),
                "{brief}: {read}"
            );
        }
        assert_eq!(as_read("35 % more"), None);
        let hidden = as_read("<p>Ours.</p><p hidden>1,200 flats</p>").unwrap_or_default();
        assert!(hidden.contains("Ours") && !hidden.contains("1,200"));
    }
}
