//! Mission, vision, purpose, values and commitments, in the company's own words.

mod cards;
mod listed_values;

use gtm_lexicon::Phrases;
use gtm_lexicon::foundations::{
    AIMS, BEFORE_COMPANIES, COMMITMENT_HEADINGS, COMMITMENT_NOUNS, COMMITS, MISSION_HEADINGS,
    MISSION_PHRASES, OFFERED_TO, OFFERS_HELP, PURPOSE_HEADINGS, PURPOSE_PHRASES, STANDS_FOR,
    VALUE_HEADINGS, VALUE_NOUNS, VISION_HEADINGS, VISION_PHRASES,
};
use gtm_lexicon::numbers::is_unspaced;
use gtm_site_research::boilerplate;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Passage, Sentence};
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;
use serde_json::json;

use self::listed_values::{enumerated, may_be_value, opened, told};
use super::figures::is_year;
use super::others::Own;
use super::outline::{Section, headed, labelled, sections};
use super::speaker::speaks_of_itself;
use super::{legal_names, letters};
use crate::draft::{COMMITMENTS, Draft, MISSION, One, PURPOSE, VALUES, VISION};
use crate::part::Part;
use crate::site::Site;

/// A field, the headings that announce it, and the phrases that state it in a sentence.
const STATEMENTS: [(One, &Phrases, &Phrases); 3] = [
    (MISSION, &MISSION_HEADINGS, &MISSION_PHRASES),
    (VISION, &VISION_HEADINGS, &VISION_PHRASES),
    (PURPOSE, &PURPOSE_HEADINGS, &PURPOSE_PHRASES),
];
/// Most characters of a statement.
const LONGEST: usize = 700;
/// Most words of a company's name.
const LONGEST_NAME: usize = 5;
/// Most values and commitments kept.
const MOST_VALUES: usize = 10;
const MOST_COMMITMENTS: usize = 6;

/// Collects the statements, values and commitments.
pub fn collect(site: &Site, evidence: &Evidence, draft: &mut Draft) {
    let mut sections = sections(site, evidence);
    // What terms and policies promise is for an order.
    let part = |page: usize| match site.part(page) {
        Part::Other | Part::Trust if site.is_policy(page) => Part::Legal,
        part => part,
    };
    for section in &mut sections {
        section.part = part(section.heading.page);
    }
    let own = |part: Part| {
        matches!(
            part,
            Part::Home | Part::About | Part::Careers | Part::Press | Part::Trust | Part::Other
        )
    };
    let name = Own::new(site, None);
    for (field, headings, phrases) in STATEMENTS {
        let labelled = labelled(site, evidence, headings);
        // Below a heading that holds another one of its kind, as a creed below a mission, its own lead still counts.
        let holding = sections
            .iter()
            .filter(|section| section.is_headed(headings));
        let headed = headed(&sections, headings)
            .into_iter()
            .chain(&labelled)
            .chain(holding)
            // `Your mission` of a job offer is another.
            .filter(|section| own(section.part) && section.part != Part::Careers)
            .find_map(|section| {
                let claim = of_heading(section, headings).or_else(|| lead_claim(section))?;
                // `Vision & Mission` over one block: nothing tells which of the two it is.
                let both = STATEMENTS
                    .iter()
                    .any(|(other, headings, _)| *other != field && section.is_headed(headings));
                let taken = STATEMENTS.iter().any(|(other, ..)| {
                    draft
                        .one(*other)
                        .is_some_and(|known| known.value == claim.value)
                });
                (!both && !taken).then_some(claim)
            });
        let said = |phrases, may: &dyn Fn(Part) -> bool| {
            evidence
                .sentences
                .iter()
                .filter(|sentence| may(part(sentence.page)))
                .find(|sentence| says(sentence, phrases))
                .map(sentence_claim)
        };
        // Only where the company presents itself is its aim that of the whole.
        let aim = || said(&AIMS, &|part| part == Part::About).filter(|_| field == MISSION);
        let stands = || {
            let mut told = evidence.sentences.iter();
            told.find(|sentence| {
                field == PURPOSE
                    && matches!(part(sentence.page), Part::Home | Part::About)
                    && says(sentence, &STANDS_FOR)
                    && is_of_the_name(&sentence.text, &name)
            })
            .map(sentence_claim)
        };
        // Pages of products tell of the company, too, where a sentence begins with that.
        let begun = || {
            let mut told = evidence.sentences.iter();
            told.find(|sentence| {
                part(sentence.page) == Part::Product
                    && says(sentence, phrases)
                    && phrases.open(&sentence.words())
            })
            .map(sentence_claim)
        };
        let told = headed
            .or_else(|| said(phrases, &own))
            .or_else(begun)
            .or_else(aim);
        draft.set(field, told.or_else(stands));
    }
    let labelled_values = labelled(site, evidence, &VALUE_HEADINGS);
    for section in headed(&sections, &VALUE_HEADINGS)
        .into_iter()
        .chain(&labelled_values)
        .chain(cards::counted(&sections, &VALUE_NOUNS))
        .filter(|section| own(section.part))
    {
        // `Four principles` on a page about sustainability are commitments.
        let commits =
            |outer: &Section<'_>| outer.holds(section) && outer.is_headed(&COMMITMENT_HEADINGS);
        if sections.iter().any(commits) {
            commitments(section, true, draft);
        } else {
            values(section, draft);
        }
    }
    // A creed of several sentences, as companies in Japan have, lists what they hold to.
    if draft.many(VALUES).is_empty() {
        let creeds = headed(&sections, &MISSION_HEADINGS).into_iter();
        let is_list = |section: &&Section<'_>| {
            own(section.part)
                && section.heading.text.contains(is_unspaced)
                && section.is_leaf()
                && section.lead().is_none()
        };
        creeds
            .filter(is_list)
            .for_each(|section| values(section, draft));
    }
    for sentence in evidence
        .sentences
        .iter()
        .filter(|sentence| own(part(sentence.page)) && sentence.kind != BlockKind::Quote)
    {
        let names = told(&sentence.text);
        if names.is_empty() || !is_said_by_itself(sentence, part(sentence.page), site, &name) {
            continue;
        }
        for name in names {
            let key = letters(name);
            let known = draft.many(VALUES).iter().any(|known| {
                let known = known.value["name"].as_str();
                known.is_some_and(|known| letters(known) == key)
            });
            if known || draft.many(VALUES).len() >= MOST_VALUES {
                continue;
            }
            let claim = sentence_claim(sentence);
            let value = json!({"name": name, "description": null});
            draft.push(VALUES, Claim { value, ..claim });
        }
    }
    let labelled_commitments = labelled(site, evidence, &COMMITMENT_HEADINGS);
    for section in headed(&sections, &COMMITMENT_HEADINGS)
        .into_iter()
        .chain(&labelled_commitments)
        .chain(cards::counted(&sections, &COMMITMENT_NOUNS))
        .filter(|section| own(section.part))
    {
        commitments(section, only_commits(section), draft);
    }
    for claim in cards::of_pages(site, evidence) {
        commit(claim, draft);
    }
    for sentence in evidence
        .sentences
        .iter()
        .filter(|sentence| own(part(sentence.page)))
    {
        if says(sentence, &COMMITS) {
            commit(sentence_claim(sentence), draft);
        }
    }
}

fn says(sentence: &Sentence, phrases: &'static Phrases) -> bool {
    // Some sites end paragraphs without a full stop.
    let is_whole =
        sentence.is_whole() || sentence.kind == BlockKind::Paragraph && sentence.is_quotable();
    words::count(&sentence.text) >= 6
        && is_whole
        && phrases.any_in(&sentence.words())
        && !sentence.text.ends_with(['?', '？'])
}

/// Whether no other company says a sentence: news items also quote others, who say `we`, too.
fn is_said_by_itself(sentence: &Sentence, part: Part, site: &Site, own: &Own) -> bool {
    let text = sentence.text.as_str();
    let mut named = legal_names::find(text).into_iter();
    if is_said_at_another(text, site, own) {
        return false;
    }
    match part {
        Part::Press => own.is_named_in(text) && speaks_of_itself(text, site),
        _ => named.all(|name| own.is_named_in(name)),
    }
}

/// Whether a sentence begins with where something is so, and that is no name of the company: `At Globex we …`.
fn is_said_at_another(text: &str, site: &Site, own: &Own) -> bool {
    let mut tokens = text.split_whitespace();
    let opens = tokens
        .next()
        .is_some_and(|word| BEFORE_COMPANIES.contains(&words::fold(word)));
    let name: Vec<&str> = tokens
        .take(LONGEST_NAME)
        .take_while(|word| word.starts_with(char::is_uppercase))
        .collect();
    let Some(first) = name.first().filter(|_| opens) else {
        return false;
    };
    // The company may be called by a part of its name.
    let first = letters(first);
    let mut names = site.research.names.iter();
    let is_part = names.any(|known| letters(known).contains(&first));
    !is_part && !own.is_named_in(&name.join(" "))
}

/// Whether the company's name is what a sentence says stands for something, and not for a list of values or a number.
fn is_of_the_name(text: &str, name: &Own) -> bool {
    let tokens = words::tokens(text);
    let folded: Vec<String> = tokens
        .iter()
        .map(|(.., word)| words::split(&words::fold(word)).join(" "))
        .collect();
    let all: Vec<&str> = folded.iter().map(String::as_str).collect();
    let Some((at, phrase)) = STANDS_FOR.places(&all).next() else {
        return false;
    };
    let subject = tokens.get(at).and_then(|(start, ..)| text.get(..*start));
    let object = tokens
        .get(at + phrase.len())
        .and_then(|(start, ..)| text.get(*start..))
        .unwrap_or_default();
    let behind = all.get(at + phrase.len()..).unwrap_or_default();
    // `Acme steht für Sie bereit`
    let to_you = behind.first().is_some_and(|word| OFFERED_TO.contains(word));
    let is_offer = to_you || OFFERS_HELP.any_in(&all);
    (1..=LONGEST_NAME).contains(&at)
        && !is_offer
        && subject
            .is_some_and(|subject| name.is_named_in(subject) && !is_short_for(subject, object))
        && enumerated(object).is_empty()
        && !object.contains(char::is_numeric)
}

/// Whether the words behind a name begin with its letters: `ACME stands for Applied Climate Measuring Equipment.`
fn is_short_for(subject: &str, object: &str) -> bool {
    let name = subject.split_whitespace().next_back().map(letters);
    let name = name.unwrap_or_default();
    let firsts = object
        .split(|c: char| !c.is_alphanumeric())
        .filter_map(|word| word.chars().next());
    let all: String = firsts.clone().collect();
    let capitals: String = firsts.filter(|first| first.is_uppercase()).collect();
    let spells = |initials: &str| letters(initials).starts_with(name.as_str());
    name.chars().count() > 1 && (spells(&all) || spells(&capitals))
}

fn sentence_claim(sentence: &Sentence) -> Claim {
    let excerpt = Excerpt {
        page: sentence.page,
        text: sentence.text.clone(),
    };
    Claim::told(sentence.text.as_str(), excerpt)
}

/// Fewest words of a heading that is the statement itself.
const LEAST_OF_HEADING: usize = 7;

/// A heading that is a sentence below a label such as `Vision`: what follows it tells more of the same.
fn of_heading(section: &Section<'_>, headings: &'static Phrases) -> Option<Claim> {
    let label = section.label?;
    let folded = words::fold(&label.text);
    let heading = section.heading;
    let states = headings.are(&words::split(&folded))
        && heading.text.ends_with(['.', '!', '。', '！'])
        && words::count(&heading.text) >= LEAST_OF_HEADING;
    states.then(|| Claim::quoted(&heading.text, heading.page))
}

/// The paragraph directly under the heading.
fn lead_claim(section: &Section<'_>) -> Option<Claim> {
    let lead = section.lead()?;
    let fits = words::count(&lead.text) >= 5
        && lead.text.chars().count() <= LONGEST
        && !leads_on(&lead.text);
    fits.then(|| Claim::quoted(&lead.text, lead.page))
}

/// Whether a text leads to a list, without which it says nothing: `Our mission is:`
fn leads_on(text: &str) -> bool {
    text.ends_with([':', '：'])
}

/// Fewest items of a list that says it all.
const LEAST_LISTED: usize = 2;

/// The section up to its first smaller heading, if a list stands there: what the headings below tell is something else.
fn direct<'a>(section: &Section<'a>) -> Option<Section<'a>> {
    let is_heading = |passage: &&Passage| passage.kind == BlockKind::Heading;
    let end = section.body.iter().position(is_heading)?;
    let before = section.body.get(..end)?;
    let is_item = |passage: &&&Passage| passage.kind == BlockKind::ListItem;
    let listed = before.iter().filter(is_item).count();
    (listed >= LEAST_LISTED).then(|| Section {
        body: before.to_vec(),
        ..section.clone()
    })
}

fn values(section: &Section<'_>, draft: &mut Draft) {
    let items = direct(section).map_or_else(|| section.items(), |direct| direct.items());
    if items.is_empty()
        && let Some(lead) = section.lead()
    {
        let mut names = enumerated(&lead.text);
        if !names.iter().all(|name| may_be_value(name)) {
            names.clear();
        }
        if names.is_empty() {
            names = opened(&lead.text);
        }
        for name in names {
            let excerpt = Excerpt {
                page: lead.page,
                text: lead.text.clone(),
            };
            let value = json!({"name": name, "description": null});
            draft.push(VALUES, Claim::stated(value, vec![excerpt]));
        }
    }
    for item in items {
        let name = item.name.trim_end_matches(['.', ':', '。']);
        if !(1..=12).contains(&words::count(name))
            || name.chars().count() > 90
            || name.ends_with(['?', '？'])
            || boilerplate::is_call_to_act(name)
            || draft.many(VALUES).len() >= MOST_VALUES
            || draft
                .many(VALUES)
                .iter()
                .any(|known| known.value["name"] == name)
        {
            continue;
        }
        let description = item
            .text
            .filter(|text| (8..=500).contains(&text.chars().count()));
        let excerpts = item.excerpts(description.is_some());
        draft.push(
            VALUES,
            Claim::stated(json!({"name": name, "description": description}), excerpts),
        );
    }
}

/// Whether a heading, or the label above it, is a word for commitments with at most one beside it. Among more words, as in
/// `Doors with responsibility and care`, it says what the page is about, and what stands there may be anything.
fn only_commits(section: &Section<'_>) -> bool {
    section.announced().any(|text| {
        let folded = words::fold(text);
        let words = words::split(&folded);
        let mut places = COMMITMENT_HEADINGS.places(&words);
        places.any(|(_, phrase)| words.len() <= phrase.len() + 1)
            || cards::counts(text, &COMMITMENT_NOUNS)
    })
}

/// Whether a list tells years: the stations of somebody's life, a history.
fn tells_years(items: &[&Passage]) -> bool {
    let dated = |item: &&&Passage| words::split(&item.text).into_iter().any(is_year);
    let count = items.iter().filter(dated).count();
    count > 1 && count * 3 >= items.len()
}

/// Adds what a section tells as commitments: all of it if it is `sure` that its heading announces them.
fn commitments(section: &Section<'_>, sure: bool, draft: &mut Draft) {
    let mut items: Vec<&Passage> = section
        .body
        .iter()
        .filter(|passage| matches!(passage.kind, BlockKind::ListItem))
        .copied()
        .collect();
    if tells_years(&items) {
        items.clear();
    }
    let says_so = |passage: &Passage| {
        let folded = words::fold(&passage.text);
        sure || COMMITS.any_in(&words::split(&folded))
    };
    let headed: Vec<&Passage> = section
        .items()
        .iter()
        .filter(|item| item.name_passage.kind == BlockKind::Heading)
        .filter_map(|item| item.text_passage)
        .collect();
    // Cards say more than the paragraph above them; under the title of a page, headings begin its sections.
    let is_title = section.heading.level == 1
        && section
            .body
            .iter()
            .any(|passage| passage.kind == BlockKind::Heading);
    let chosen = match section.lead() {
        _ if !items.is_empty() => items,
        _ if headed.len() >= 2 && !is_title => headed,
        Some(lead) if !is_title => vec![lead],
        _ => Vec::new(),
    };
    for passage in chosen {
        let fits = words::count(&passage.text) >= 5
            && passage.text.chars().count() <= 500
            && !leads_on(&passage.text);
        if fits && says_so(passage) {
            commit(Claim::quoted(&passage.text, passage.page), draft);
        }
    }
}

/// Adds a commitment, unless another says it or is said by it.
fn commit(claim: Claim, draft: &mut Draft) {
    let text = |claim: &Claim| claim.value.as_str().map(letters).unwrap_or_default();
    let new = text(&claim);
    let known = draft.many(COMMITMENTS).iter().map(text);
    let doubled = known
        .into_iter()
        .any(|known| known.contains(&new) || new.contains(&known));
    if draft.many(COMMITMENTS).len() < MOST_COMMITMENTS && !doubled {
        draft.push(COMMITMENTS, claim);
    }
}

#[cfg(test)]
mod tests;
