//! The company's line of business in titles of pages and in descriptions.

use gtm_lexicon::calls::VERBS;
use gtm_lexicon::company::{WE as WE_ALL, YOU};
use gtm_lexicon::founding::SINCE;
use gtm_lexicon::segments::{FOR_WHOM, JOINTS};
use gtm_lexicon::trade::{ARTICLES, BEYOND, BUSINESS_ENDINGS, BUSINESSES, NO_CATEGORIES, OF, WE};
use gtm_page_text::primary_language;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::Evidence;
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use super::{is_plain, without_open_bracket};
use crate::draft::{BRAND_NAME, Draft, HEADQUARTERS, LEGAL_NAME};
use crate::facts::address::regions::is_region;
use crate::facts::founding::year;
use crate::facts::speaker::says_what_it_is;
use crate::facts::{countries, legal_names, letters, names};
use crate::part::Part;
use crate::site::Site;

/// Most words before the noun that says what kind of business a company is.
const WORDS_BEFORE_NOUN: usize = 3;
/// Most words of a business in a description.
const LONGEST_DESCRIBED: usize = 14;

/// What business the home page's description begins with, behind the company's name: `Acme – manufacturer of pumps
/// for mines`.
pub(super) fn described(site: &Site) -> Option<(String, Excerpt)> {
    let home = site.research.pages.first().map(|visited| &visited.page)?;
    let texts = site.organizations.iter().filter_map(|organization| {
        let text = organization.text("description")?;
        Some((organization.page, text))
    });
    let texts = home
        .description
        .clone()
        .map(|text| (0, text))
        .into_iter()
        .chain(texts);
    let language = primary_language(&site.research.language);
    texts.into_iter().find_map(|(page, text)| {
        let own = |part: &str| {
            let part = letters(part);
            let names = site.research.names.iter();
            names.into_iter().any(|name| {
                let name = letters(legal_names::without_form(name));
                !name.is_empty() && part.contains(&name)
            })
        };
        let begun = [" – ", " — ", " - ", ": ", " | "]
            .into_iter()
            .filter_map(|mark| text.split_once(mark))
            .find(|(before, _)| own(before))
            .map_or(text.as_str(), |(_, rest)| rest);
        let label = business_in(begun, language)?.to_owned();
        let excerpt = Excerpt { page, text };
        Some((label, excerpt))
    })
}

/// The business that the home page's title or main heading names in one word, perhaps with its place behind:
/// `Metallbaubetrieb in Ulm`.
pub(super) fn compound(site: &Site) -> Option<(String, Excerpt)> {
    let home = site.research.pages.first().map(|visited| &visited.page)?;
    let language = primary_language(&site.research.language);
    let headings = home.blocks.iter().filter(|block| block.level == Some(1));
    let texts = headings.map(|block| block.text.as_str());
    home.title
        .as_deref()
        .into_iter()
        .chain(texts)
        .find_map(|text| {
            let mut segments = names::segments(text).into_iter();
            let label = segments.find_map(|segment| compound_in(segment, language))?;
            let excerpt = Excerpt {
                page: 0,
                text: text.to_owned(),
            };
            Some((without_name(label, site).to_owned(), excerpt))
        })
}

/// A compound without the company's name before its hyphen: `Acme-Gebäudereinigung`.
fn without_name<'t>(label: &'t str, site: &Site) -> &'t str {
    let parts = label.split_once('-');
    let is_own = |own: &str| {
        let mut names = site.research.names.iter();
        names.any(|name| letters(name) == letters(own))
    };
    parts
        .filter(|(own, rest)| is_own(own) && rest.starts_with(char::is_uppercase))
        .map_or(label, |(_, rest)| rest)
}

/// The compound with which a text begins, if nothing follows it but where or since when.
fn compound_in<'t>(text: &'t str, language: &str) -> Option<&'t str> {
    let mut tokens = words::tokens(text).into_iter();
    let (_, end, first) = tokens.next()?;
    let label = text.get(..end)?.trim_end_matches([',', ':']);
    let word = words::fold(label);
    let is_compound = is_compound(&word, language);
    let ends = tokens
        .next()
        .is_none_or(|(.., next)| BEYOND.of(language).contains(&words::fold(next)));
    let is_word = first.starts_with(char::is_uppercase) || language != "de";
    (is_compound && is_word && ends && !is_plain(label) && !BUSINESSES.has_word(&word))
        .then_some(label)
}

/// Whether a folded word is compounded of what a business does and a noun for it.
pub(super) fn is_compound(word: &str, language: &str) -> bool {
    let long = |ending: &str| word.chars().count() >= ending.chars().count() + SHORTEST_BEFORE;
    BUSINESS_ENDINGS
        .of(language)
        .iter()
        .any(|ending| word.ends_with(ending) && long(ending))
}

/// Fewest letters of what a business does before the noun for it.
const SHORTEST_BEFORE: usize = 4;

/// The business that a text begins with.
pub(super) fn business_in<'a>(text: &'a str, language: &str) -> Option<&'a str> {
    let beyond = BEYOND.of(language);
    let tokens = words::tokens(text);
    let folded: Vec<String> = tokens
        .iter()
        .map(|(_, _, word)| words::split(&words::fold(word)).join(" "))
        .collect();
    let all: Vec<&str> = folded.iter().map(String::as_str).collect();
    let noun = (0..=WORDS_BEFORE_NOUN).find(|at| {
        BUSINESSES
            .at_start(all.get(*at..).unwrap_or_default())
            .next()
            .is_some()
    })?;
    // `Ihr Fachbetrieb für …`: the pronoun belongs to the reader.
    let speaks = |word: &&str| YOU.any_in(&[*word]) || WE_ALL.any_in(&[*word]);
    let first = usize::from(all.first().is_some_and(speaks));
    let begin = tokens.get(first)?.0;
    let mut end = begin;
    let mut comma = None;
    for (at, &(start, _, word)) in tokens.iter().enumerate().skip(first) {
        let bare = word.trim_end_matches([',', '.', ';', ':', '!', '?']);
        if at > noun && beyond.contains(all.get(at)?) {
            // A list that goes on behind the word is cut before its last item.
            let joined = |part: &str| {
                words::split(&words::fold(part))
                    .iter()
                    .any(|word| JOINTS.any_has(word))
            };
            end = match comma {
                Some(comma) if !joined(text.get(comma..end)?) => comma,
                _ => end,
            };
            break;
        }
        if at - first >= LONGEST_DESCRIBED || matches!(word, "–" | "—" | "-" | "|" | "·") {
            break;
        }
        // What stands before a comma and the noun is about something else: `Discover Acme, maker of …`.
        if at < noun && bare.len() != word.len() {
            return None;
        }
        end = start + bare.len();
        if word.ends_with(',') {
            comma = Some(end);
        } else if bare.len() != word.len() {
            break;
        }
    }
    let label = without_open_bracket(text.get(begin..end)?.trim());
    (words::count(label) >= 2 && !is_plain(label)).then_some(label)
}

/// A business that is too long to call a company by, without what it is for: `Zimmerei` of `Zimmerei für Dachstühle, …`.
pub(super) fn business_alone(label: &str) -> &str {
    if words::count(label) <= LONGEST_BUSINESS {
        return label;
    }
    let tokens = words::tokens(label);
    let purpose = |(.., word): &&(usize, usize, &str)| FOR_WHOM.any_has(&words::fold(word));
    let place = tokens.iter().skip(1).find(purpose);
    place
        .and_then(|(start, ..)| label.get(..*start))
        .map_or(label, str::trim_end)
}

/// Most words of a business in a title.
pub(super) const LONGEST_BUSINESS: usize = 6;

/// The segment of the home page's title that at least two other places repeat word for word: description, headings,
/// texts of further pages. One of a list of things is no trade by itself: there, description, structured data and the
/// main heading must agree on it.
pub(super) fn agreed(site: &Site, evidence: &Evidence, draft: &Draft) -> Option<Claim> {
    let home = site.research.pages.first().map(|visited| &visited.page)?;
    let title = home.title.as_deref()?;
    // A title also says where the company is.
    let seat = draft.one(HEADQUARTERS).map(|claim| &claim.value);
    let towns: Vec<String> = ["locality", "region"]
        .into_iter()
        .filter_map(|part| seat?[part].as_str().map(letters))
        .collect();
    // DANGER: where nothing tells the company's name, what every page repeats may be just that.
    let told = [BRAND_NAME, LEGAL_NAME].into_iter();
    let told = told.filter_map(|field| draft.one(field)?.value.as_str());
    let known: Vec<String> = told
        .chain(site.research.names.iter().map(String::as_str))
        .map(|name| letters(legal_names::without_form(name)))
        .filter(|name| !name.is_empty())
        .collect();
    if known.is_empty() {
        return None;
    }
    let fits = |segment: &&str| {
        let folded = words::fold(segment);
        let words = words::split(&folded);
        (1..=LONGEST_BUSINESS).contains(&words::count(segment))
            && segment.chars().count() >= 4
            && !segment.chars().any(char::is_numeric)
            && !WE.contains(words.first().copied().unwrap_or_default())
            && gtm_site_research::roles::named_page(&words).is_none()
            && !NO_CATEGORIES.any_in(&words)
            && !names::is_generic(segment)
            && countries::named(segment).is_none()
            && !is_region(segment)
            && !towns.iter().any(|town| letters(segment).contains(town))
            && !known.iter().any(|name| letters(segment).contains(name))
    };
    let repeated = |segment: &&str| {
        let key = letters(segment);
        let mut texts: Vec<&str> = evidence
            .passages
            .iter()
            .filter(|passage| passage.main && letters(&passage.text).contains(&key))
            .map(|passage| passage.text.as_str())
            .collect();
        texts.extend(
            home.description
                .as_deref()
                .filter(|text| letters(text).contains(&key)),
        );
        texts.sort_unstable();
        texts.dedup();
        texts.len() >= 2
    };
    let all: Vec<&str> = names::segments(title)
        .into_iter()
        .map(without_year)
        .filter(fits)
        .collect();
    // A line above the main heading that is the same says what the company is, as the title does.
    let labels = |segment: &str| {
        let key = letters(segment);
        evidence.passages.windows(2).any(|pair| {
            let [line, title] = pair else { return false };
            (line.page, title.page) == (0, 0)
                && line.block + 1 == title.block
                && line.kind != BlockKind::Heading
                && title.kind == BlockKind::Heading
                && title.level == 1
                && letters(&line.text) == key
        })
    };
    let agrees = |one: &&str| repeated(one) || labels(one);
    let told: Vec<&str> = all.iter().copied().filter(agrees).collect();
    let is_list = told.len() > 1 || all.len() > LONGEST_TITLE;
    let mut told = told.into_iter();
    let chosen = match is_list {
        false => told.next(),
        true => {
            let agreed: Vec<&str> = told.filter(|one| introduced(one, site)).collect();
            // Where several are introduced alike, none is the trade.
            agreed.first().copied().filter(|_| agreed.len() == 1)
        }
    };
    chosen.map(|segment| Claim::quoted(segment, 0))
}

/// Most segments of a title, besides names and places, that are no list: a trade and a slogan.
const LONGEST_TITLE: usize = 2;

/// Whether at least two of the home page's description, the company's structured data and the main heading have a
/// text.
fn introduced(text: &str, site: &Site) -> bool {
    let key = letters(text);
    let has = |other: &str| letters(other).contains(&key);
    let Some(home) = site.research.pages.first().map(|visited| &visited.page) else {
        return false;
    };
    let headed = home
        .blocks
        .iter()
        .any(|block| block.level == Some(1) && has(&block.text));
    let described = home.description.as_deref().is_some_and(has);
    let declared = site.organizations.iter().any(|organization| {
        ["description", "knowsAbout", "industry"]
            .iter()
            .any(|member| organization.texts(member).iter().any(|text| has(text)))
    });
    [headed, described, declared]
        .into_iter()
        .filter(|is| *is)
        .count()
        >= 2
}

/// A title's segment without its end `since 1951`.
pub(super) fn without_year(segment: &str) -> &str {
    let tokens = words::tokens(segment);
    let folded: Vec<String> = tokens
        .iter()
        .map(|(_, _, word)| words::split(&words::fold(word)).join(" "))
        .collect();
    let all: Vec<&str> = folded.iter().map(String::as_str).collect();
    let dated = all.last().is_some_and(|last| year(last).is_some());
    let since = all.len().checked_sub(2).filter(|at| {
        let word = all.get(*at..*at + 1).unwrap_or_default();
        dated && *at > 0 && SINCE.any_in(word)
    });
    let end = since
        .and_then(|at| tokens.get(at - 1))
        .map(|(_, end, _)| *end);
    end.and_then(|end| segment.get(..end))
        .map_or(segment, |cut| {
            cut.trim_end_matches([',', ' ', '–', '—', '-'])
        })
}

/// What the company deals in according to titles and descriptions of its pages, wherever in them the noun for a
/// business stands: `Acme, fabricant français de cordages`. What most of them say comes first.
pub(super) fn dealt_in(site: &Site) -> Option<(String, Excerpt)> {
    let language = primary_language(&site.research.language);
    let mut found: Vec<(String, Excerpt, bool)> = Vec::new();
    for (page, part, content) in site.own_pages() {
        if !matches!(
            part,
            Part::Home | Part::About | Part::Product | Part::Customers
        ) {
            continue;
        }
        let metadata = content.metadata.get("og:description");
        let texts = [
            content.title.as_deref(),
            content.description.as_deref(),
            metadata.and_then(|value| value.as_str()),
        ];
        let mut read: Vec<&str> = texts.into_iter().flatten().collect();
        read.dedup();
        for text in read {
            let own = says_what_it_is(text, site);
            if let Some(label) = deals_in(text, language) {
                let excerpt = Excerpt {
                    page,
                    text: text.to_owned(),
                };
                found.push((label.to_owned(), excerpt, own));
            }
        }
    }
    let times = |label: &str| {
        let key = letters(label);
        found
            .iter()
            .filter(|(other, ..)| letters(other) == key)
            .count()
    };
    let mut best: Option<(usize, &(String, Excerpt, bool))> = None;
    for told in &found {
        let count = times(&told.0);
        // A text without the company's name may be about somebody else, unless several say the same.
        if (told.2 || count >= 2) && best.is_none_or(|(most, _)| count > most) {
            best = Some((count, told));
        }
    }
    best.map(|(_, (label, excerpt, _))| (label.clone(), excerpt.clone()))
}

/// A noun for a business in a text with what it deals in: `manufacturer of ropes`.
pub(super) fn deals_in<'a>(text: &'a str, language: &str) -> Option<&'a str> {
    let tokens = words::tokens(text);
    let folded: Vec<String> = tokens
        .iter()
        .map(|(_, _, word)| words::split(&words::fold(word)).join(" "))
        .collect();
    let all: Vec<&str> = folded.iter().map(String::as_str).collect();
    let (of, articles, beyond) = (OF.of(language), ARTICLES.of(language), BEYOND.of(language));
    // French elides the word: `d'outils`.
    let is_of = |word: &str| {
        of.contains(word) && !beyond.contains(word) || of.contains("de") && word.starts_with("d ")
    };
    for (at, phrase) in BUSINESSES.places(&all) {
        let word = |at: usize| all.get(at).copied().unwrap_or_default();
        let before = at.checked_sub(1).map(word).unwrap_or_default();
        let asked = at.checked_sub(2).map(word).unwrap_or_default();
        // `Your distributor of …`, `Find a distributor of …` are about others.
        let of_others =
            YOU.any_in(&[before]) || articles.contains(before) && VERBS.any_in(&[asked]);
        let behind = at + phrase.len();
        let ends = phrase.last().is_some_and(|last| is_of(last));
        let joint = if ends {
            Some(behind - 1)
        } else {
            (behind..=behind + 1).find(|at| is_of(word(*at)))
        };
        let begin = tokens.get(at)?.0;
        let parted = tokens.get(at..joint.unwrap_or(at)).unwrap_or_default();
        let parted = parted
            .iter()
            .any(|(_, _, word)| word.ends_with([',', '.', ':', ';', '!', '?']));
        // A name behind it is a place's or a company's; German writes every noun with a capital.
        let named = |joint: usize| {
            let next = tokens.get(joint + 1);
            language != "de"
                && next.is_some_and(|(_, _, next)| next.starts_with(char::is_uppercase))
        };
        let Some(joint) = joint.filter(|joint| !of_others && !parted && !named(*joint)) else {
            continue;
        };
        let mut end = None;
        for (place, (start, _, token)) in
            tokens.iter().enumerate().skip(joint).take(LONGEST_BUSINESS)
        {
            let bare = token.trim_end_matches([',', '.', ';', ':', '!', '?']);
            let stops =
                beyond.contains(word(place)) || matches!(*token, "–" | "—" | "-" | "|" | "·");
            if stops && place > joint {
                break;
            }
            if place > joint || bare.contains(['\'', '’']) {
                end = Some(start + bare.len());
            }
            if bare.len() != token.len() {
                break;
            }
        }
        let label = end
            .and_then(|end| text.get(begin..end))
            .map(without_open_bracket);
        if let Some(label) = label.filter(|label| !is_plain(label) && !joins_at_end(label)) {
            return Some(label);
        }
    }
    None
}

/// Whether a cut text ends with a word that joins it to what is cut.
pub(super) fn joins_at_end(text: &str) -> bool {
    let folded = words::fold(text);
    let last = words::split(&folded).last().copied().unwrap_or_default();
    JOINTS.any_has(last) || OF.any_has(last) || ARTICLES.any_has(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_may_name_the_business() {
        for (text, label) in [
            ("Metallbaubetrieb in Ulm", Some("Metallbaubetrieb")),
            (
                "Elektroinstallationsbetrieb",
                Some("Elektroinstallationsbetrieb"),
            ),
            ("Geigenwerkstatt seit 1951", Some("Geigenwerkstatt")),
            ("Familienbetrieb in Ulm", None),
            ("Ausbildungsbetrieb", None),
            ("Betrieb", None),
            ("Metallbaubetrieb gesucht", None),
        ] {
            assert_eq!(compound_in(text, "de"), label, "{text}");
        }
    }
}
