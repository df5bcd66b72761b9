//! Sentences of the company that tell of an event, on pages that are no news.

use gtm_lexicon::company::YOU;
use gtm_lexicon::roles::{JOBS, TRAINEES, TRAINS};
use gtm_lexicon::signals::{HIRING, STARTS};
use gtm_site_facts::facts::says_what_it_is;
use gtm_site_facts::site::Site;
use gtm_site_research::dates::{self, Date};
use gtm_site_research::evidence::{Evidence, Sentence};
use gtm_site_research::roles::Role;

use super::openings::{HIRING_KIND, is_for_every_sex};
use super::{OTHER, STALE_AFTER_MONTHS, Signal, denies, kind_of};
use crate::quotes::{excerpt, stands_alone};

/// Most sentences that tell whom the company is looking for.
const MOST_HIRING: usize = 2;

/// Sentences of a page that give their own recent date, or say that something begins now.
pub(super) fn dated(
    evidence: &Evidence,
    site: &Site,
    page: usize,
    now: Date,
    found: &mut Vec<Signal>,
) {
    let told = evidence.sentences.iter();
    for sentence in told.filter(|sentence| sentence.page == page && sentence.is_quotable()) {
        let date = dates::find(&sentence.text);
        let recent = |date: Date| now.months() - date.months() <= STALE_AFTER_MONTHS;
        let words = sentence.words();
        // What may begin for `you` is a call.
        let begins = date.is_none() && STARTS.any_in(&words) && !YOU.any_in(&words);
        if !(date.is_some_and(recent) || begins) || !says_what_it_is(&sentence.text, site) {
            continue;
        }
        let opens = begins && STARTS.open(&words) && !denies(&words);
        let kind = kind_of(&sentence.text).or_else(|| opens.then_some(OTHER));
        if let Some(kind) = kind.filter(|_| date.is_some() || stands_alone(sentence)) {
            found.push(signal(sentence, kind, date, found.len()));
        }
    }
}

/// Sentences in which the company says whom it is looking for, where no page lists its vacancies.
pub(super) fn hiring(evidence: &Evidence, site: &Site, found: &mut Vec<Signal>) {
    let names_job = |sentence: &Sentence| {
        let words = sentence.words();
        HIRING.any_in(&words)
            && !denies(&words)
            && (JOBS.any_in(&words) || TRAINEES.any_in(&words) || is_for_every_sex(&sentence.text))
    };
    let told = evidence.sentences.iter().filter(|sentence| {
        !matches!(sentence.role, Role::External | Role::Imprint | Role::News)
            && sentence.is_quotable()
            && names_job(sentence)
            && stands_alone(sentence)
            && says_what_it_is(&sentence.text, site)
    });
    for sentence in told.take(MOST_HIRING) {
        found.push(signal(sentence, HIRING_KIND, None, usize::MAX));
    }
}

/// Most sentences that tell whom the company trains.
const MOST_TRAINING: usize = 2;

/// Sentences in which the company says that it trains somebody, or is looking for somebody to train.
pub(super) fn training(evidence: &Evidence, site: &Site, found: &mut Vec<Signal>) {
    let told = evidence.sentences.iter().filter(|sentence| {
        let words = sentence.words();
        !matches!(
            sentence.role,
            Role::External | Role::Imprint | Role::News | Role::Products
        ) && sentence.is_quotable()
            && TRAINEES.any_in(&words)
            && (HIRING.any_in(&words) || TRAINS.any_in(&words))
            && !denies(&words)
            && says_what_it_is(&sentence.text, site)
    });
    for sentence in told.take(MOST_TRAINING) {
        if !found.iter().any(|known| known.text == sentence.text) {
            found.push(signal(sentence, HIRING_KIND, None, usize::MAX));
        }
    }
}

fn signal(sentence: &Sentence, kind: &'static str, date: Option<Date>, order: usize) -> Signal {
    Signal {
        text: sentence.text.clone(),
        kind,
        date,
        excerpts: vec![excerpt(sentence)],
        order,
    }
}
