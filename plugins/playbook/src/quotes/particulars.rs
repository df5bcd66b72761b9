//! What identifies the company, and what it has been since when: particulars that no field of the profile takes.

use gtm_lexicon::ownership::PRIVATE;
use gtm_site_facts::draft::{
    Draft as Facts, EMPLOYEE_RANGE, FOUNDED_YEAR, HEADQUARTERS, IDENTIFIERS, LEGAL_NAME, LOCALES,
    ORIGIN_STORY, OWNERSHIP,
};
use gtm_site_facts::facts as site_facts;
use gtm_site_facts::site::Site;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::facts;
use gtm_site_research::fixed_texts::{
    ADDRESS_IS, DIFFERENT_FOUNDING_YEARS, FOUNDED_IN, FURTHER_PLACE_IS, FixedText, HOURS_ARE,
    LANGUAGES_ARE, LEI_IS, MAILBOX_IS, NOT_FOR_PROFIT, OWNED_BY_A_STATE, OWNED_BY_OTHERS,
    OWNED_BY_SHAREHOLDERS, OWNED_PRIVATELY, REGISTER_NUMBER, REGISTERED_NAME, TELEPHONE_IS,
    TICKER_IS, VAT_NUMBER,
};
use gtm_site_research::{sentences, staff as staff_of, words};

use crate::draft::{Risk, RiskKind};

/// Most characters of a sentence that tells how many work there.
const LONGEST_SENTENCE: usize = 200;
/// Fewest letters of a text that is told if it stands inside of another one.
const LEAST_TOLD: usize = 25;
/// Most characters of the story of how it began.
const LONGEST_STORY: usize = 560;

/// The particulars as texts, each with the words that carry it.
pub fn particulars(told: &Facts, site: &Site, language: &str) -> Vec<Claim> {
    let mut found = Vec::new();
    found.extend(
        told.one(FOUNDED_YEAR)
            .and_then(|claim| founded(claim, language)),
    );
    if let Some(claim) = told.one(LEGAL_NAME)
        && let Some(name) = claim.value.as_str()
    {
        found.push(Claim {
            value: REGISTERED_NAME.filled(language, &[("name", name)]).into(),
            ..claim.clone()
        });
    }
    found.extend(owned(told, language));
    found.extend(began(told, &site.research.language));
    found.extend(told.one(EMPLOYEE_RANGE).and_then(staff));
    let contact = site_facts::contact(site, told.one(HEADQUARTERS));
    let further = site_facts::further(site, &contact);
    for (text, claim) in [
        (&ADDRESS_IS, contact.address),
        (&TELEPHONE_IS, contact.telephone),
        (&MAILBOX_IS, contact.mailbox),
        (&HOURS_ARE, contact.hours),
    ] {
        found.extend(claim.and_then(|claim| worded(text, claim, language)));
    }
    for claim in further.addresses {
        found.extend(worded(&FURTHER_PLACE_IS, claim, language));
    }
    for claim in further.mailboxes {
        found.extend(worded(&MAILBOX_IS, claim, language));
    }
    found.extend(languages(told.many(LOCALES), language));
    for claim in told.many(IDENTIFIERS) {
        let text = match claim.value["scheme"].as_str() {
            Some("company_register") => &REGISTER_NUMBER,
            Some("vat") => &VAT_NUMBER,
            Some("lei") => &LEI_IS,
            Some("ticker") => &TICKER_IS,
            _ => continue,
        };
        let number = claim.value["value"].as_str().unwrap_or_default();
        found.push(Claim {
            value: text.filled(language, &[("number", number)]).into(),
            ..claim.clone()
        });
    }
    each_once(found)
}

/// The texts without those that stand inside of another one.
fn each_once(found: Vec<Claim>) -> Vec<Claim> {
    let texts: Vec<String> = found
        .iter()
        .map(|claim| words::letters(claim.value.as_str().unwrap_or_default()))
        .collect();
    let told = |at: usize| {
        let text = texts.get(at).map(String::as_str).unwrap_or_default();
        text.len() >= LEAST_TOLD
            && texts.iter().enumerate().any(|(other, known)| {
                other != at && known.contains(text) && (known.len() > text.len() || other < at)
            })
    };
    let kept = found.iter().enumerate().filter(|(at, _)| !told(*at));
    kept.map(|(_, claim)| claim.clone()).collect()
}

/// What pages say of the year of the founding, where they do not agree and nothing decides between them: one that few places
/// give may date something else.
pub fn conflict(told: &Facts, language: &str) -> Option<Risk> {
    if told.one(FOUNDED_YEAR).is_some() {
        return None;
    }
    let years: Vec<String> = told
        .contradiction(FOUNDED_YEAR)
        .filter_map(|year| year.as_i64().map(|year| year.to_string()))
        .collect();
    (years.len() > 1).then(|| Risk {
        text: DIFFERENT_FOUNDING_YEARS.filled(language, &[("values", &years.join(", "))]),
        kind: RiskKind::Conflict,
    })
}

/// A claim's text behind the words that say what it is.
fn worded(text: &FixedText, claim: Claim, language: &str) -> Option<Claim> {
    let value = text.filled(language, &[("text", claim.value.as_str()?)]);
    Some(Claim {
        value: value.into(),
        ..claim
    })
}

/// Who owns the company.
fn owned(told: &Facts, language: &str) -> Option<Claim> {
    let claim = told.one(OWNERSHIP)?;
    // `Family business in its third generation` says more than that it is private.
    let own_words = claim.excerpts.first().filter(|excerpt| {
        let folded = words::fold(&excerpt.text);
        excerpt.text.chars().count() <= LONGEST_SENTENCE
            && words::count(&excerpt.text) >= 3
            && PRIVATE.any_in(&words::split(&folded))
    });
    if let (Some("private"), Some(said)) = (claim.value.as_str(), own_words) {
        return Some(Claim {
            value: said.text.as_str().into(),
            ..claim.clone()
        });
    }
    let text = match claim.value.as_str()? {
        "subsidiary" => &OWNED_BY_OTHERS,
        "public" => &OWNED_BY_SHAREHOLDERS,
        "private" => &OWNED_PRIVATELY,
        "nonprofit" => &NOT_FOR_PROFIT,
        "government" => &OWNED_BY_A_STATE,
        _ => return None,
    };
    Some(Claim {
        value: text.in_language(language).into(),
        ..claim.clone()
    })
}

/// How the company began: the first sentences of its story that fit.
fn began(told: &Facts, language: &str) -> Option<Claim> {
    let claim = told.one(ORIGIN_STORY)?;
    let mut end = 0;
    let story = claim.value.as_str()?;
    for sentence in sentences::split(story, language) {
        let at = story.get(end..)?.find(sentence)? + end + sentence.len();
        if story.get(..at)?.chars().count() > LONGEST_STORY {
            break;
        }
        end = at;
    }
    let text = story.get(..end).filter(|text| !text.is_empty())?;
    Some(Claim {
        value: text.into(),
        ..claim.clone()
    })
}

/// The sentence with the number of those who work there, which the profile has only as a range.
fn staff(claim: &Claim) -> Option<Claim> {
    let is_sentence = |excerpt: &&Excerpt| {
        words::count(&excerpt.text) >= 3
            && excerpt.text.chars().count() <= LONGEST_SENTENCE
            && (!facts::numbers(&words::with_ascii_digits(&excerpt.text)).is_empty()
                || staff_of::counted(&excerpt.text).is_some())
    };
    let said = claim.excerpts.iter().find(is_sentence)?;
    Some(Claim {
        value: said.text.as_str().into(),
        excerpts: vec![said.clone()],
        ..claim.clone()
    })
}

/// The languages of the site, where it has several.
fn languages(locales: &[Claim], language: &str) -> Option<Claim> {
    let tags: Vec<&str> = locales
        .iter()
        .filter_map(|claim| claim.value.as_str())
        .collect();
    let mut receipts: Vec<String> = Vec::new();
    for receipt in locales.iter().flat_map(|claim| &claim.receipts) {
        if !receipts.contains(receipt) {
            receipts.push(receipt.clone());
        }
    }
    (tags.len() > 1).then(|| {
        let text = LANGUAGES_ARE.filled(language, &[("text", &tags.join(", "))]);
        Claim::observed(text, receipts)
    })
}

/// The year of the founding. DANGER: a page may tell it by an era or in words, and the host knows it only as the page shows
/// it: then the page's own words tell it.
fn founded(claim: &Claim, language: &str) -> Option<Claim> {
    let year = claim.value.as_i64()?.to_string();
    let shown = claim.excerpts.iter().any(|excerpt| {
        let text = words::with_ascii_digits(&excerpt.text);
        facts::numbers(&text).contains(&year)
    });
    let text = match shown {
        true => FOUNDED_IN.filled(language, &[("year", &year)]),
        false => claim.excerpts.first()?.text.clone(),
    };
    Some(Claim {
        value: text.into(),
        ..claim.clone()
    })
}
