//! How the brand introduces itself: its tagline and its descriptions.

mod declared;
mod deeds;
mod officers;

pub use self::officers::tells_of_an_officer;

use std::collections::BTreeSet;

use gtm_lexicon::Phrases;
use gtm_lexicon::company::{DOES, WE_AND_YOU, WELCOMES};
use gtm_lexicon::foundations::{
    MISSION_HEADINGS, PURPOSE_HEADINGS, VALUE_HEADINGS, VISION_HEADINGS,
};
use gtm_lexicon::places::BEFORE;
use gtm_lexicon::press::ABOUT;
use gtm_site_research::boilerplate;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Passage, Sentence};
use gtm_site_research::instructions;
use gtm_site_research::page::{BlockKind, Page};
use gtm_site_research::roles;
use gtm_site_research::sentences;
use gtm_site_research::words;

use self::deeds::tells_a_deed;
use super::names::{self, is_generic, segments};
use super::outline::{Section, labelled, sections};
use super::speaker::says_what_it_is;
use super::trade::says_category;
use super::{legal_names, letters};
use crate::draft::{BRAND_NAME, DESCRIPTION_LONG, DESCRIPTION_SHORT, Draft, TAGLINE};
use crate::part::Part;
use crate::site::Site;

/// Most characters of the short description (annex A2).
const SHORT: usize = 160;
/// Most characters of the long description.
const LONG: usize = 1_500;

/// Collects name, tagline and descriptions.
pub fn collect(given: Option<&str>, site: &Site, evidence: &Evidence, draft: &mut Draft) {
    let name = names::name(given, site);
    draft.set(TAGLINE, tagline(site, name.as_ref()));
    draft.set(BRAND_NAME, name);
    let (short, long) = descriptions(site, evidence);
    draft.set(DESCRIPTION_SHORT, short);
    draft.set(DESCRIPTION_LONG, long);
}

fn tagline(site: &Site, name: Option<&Claim>) -> Option<Claim> {
    let name = name
        .and_then(|claim| claim.value.as_str())
        .unwrap_or_default();
    let name_key = letters(name);
    let fits = |text: &str| {
        let folded = words::fold(text);
        let words = words::split(&folded);
        (2..=16).contains(&words::count(text))
            && text.chars().count() <= 110
            && letters(text) != name_key
            && !site.research.names.iter().any(|name| letters(name) == letters(text))
            // A heading that only says what kind of page it is, or whose.
            && roles::named_page(&words).is_none()
            && legal_names::find(text).is_empty()
            && !is_generic(text)
            && !WELCOMES.open(&words)
            // A greeting may share the heading with what stands on the line above.
            && !WELCOMES.places(&words).any(|(at, phrase)| {
                let shown = words::split(text);
                let begins = shown.get(at).is_some_and(|word| word.starts_with(char::is_uppercase));
                begins && at + phrase.len() < words.len()
            })
            && !ABOUT.open(&words)
            && !names_trade_and_place(text, site, &name_key)
            && !instructions::addressed_to_a_model(text)
    };
    let slogan = site.organizations.iter().find_map(|organization| {
        organization
            .text("slogan")
            .filter(|text| fits(text))
            .map(|text| Claim::quoted(&text, organization.page))
    });
    if slogan.is_some() {
        return slogan;
    }
    let home = site.research.pages.first().map(|visited| &visited.page)?;
    if let Some(text) = beside_name(site, home, name).filter(|text| fits(text)) {
        return Some(Claim::quoted(text, 0));
    }
    let first_heading = home
        .blocks
        .iter()
        .find(|block| block.kind == BlockKind::Heading && block.level == Some(1));
    if let Some(block) = first_heading.filter(|block| fits(&block.text)) {
        return Some(Claim::quoted(&block.text, 0));
    }
    if let Some(text) = below_name(site, home, name).filter(|text| fits(text)) {
        return Some(Claim::quoted(text, 0));
    }
    let og_title = home
        .metadata
        .get("og:title")
        .and_then(|value| value.as_str());
    [og_title, home.title.as_deref()]
        .into_iter()
        .flatten()
        .flat_map(|title| segments(title))
        .find(|segment| {
            fits(segment) && words::count(segment) >= 3 && !letters(segment).contains(&name_key)
        })
        .map(|segment| Claim::quoted(&gtm_page_text::normalize(segment), 0))
}

/// Most words of a trade with the name of a place, and of one with a word such as `in` before it.
const LONGEST_TRADE: usize = 4;
const LONGEST_PLACED: usize = 8;

/// Whether a text is the company's name and, behind a mark, only what trade it has and where: `Acme – roofer Cassola`. What
/// says more than that may be its motto, and so may what says `we` or `you`.
pub fn names_trade_and_place(text: &str, site: &Site, name_key: &str) -> bool {
    let bare = |text: &str| letters(legal_names::without_form(text));
    let is_name = |part: &&str| {
        let part = bare(part);
        !part.is_empty()
            && (part == name_key || site.research.names.iter().any(|name| bare(name) == part))
    };
    let parts = segments(text);
    let others: Vec<&str> = parts
        .iter()
        .copied()
        .filter(|part| !is_name(part))
        .collect();
    let named = others.len() < parts.len();
    let said = others.join(" ");
    let placed = words::tokens(&said).windows(2).any(|pair| match pair {
        [(.., lead), (.., place)] => {
            BEFORE.contains(&words::fold(lead)) && place.starts_with(char::is_uppercase)
        }
        _ => false,
    });
    let folded = words::fold(&said);
    let speaks = WE_AND_YOU.any_in(&words::split(&folded));
    let most = if placed {
        LONGEST_PLACED
    } else {
        LONGEST_TRADE
    };
    let ends = said.ends_with(['.', '!', '?', '。', '！']);
    named && words::count(&said) <= most && !speaks && !ends
}

/// The line below a first heading that is only the company's name or its logo: what is set large there is the site's
/// tagline.
fn below_name<'a>(site: &Site, home: &'a Page, name: &str) -> Option<&'a str> {
    let is_name = |text: &str| {
        let bare = letters(legal_names::without_form(text));
        let names = site.research.names.iter().map(String::as_str);
        names
            .chain([name])
            .any(|name| letters(legal_names::without_form(name)) == bare)
    };
    let first = home.blocks.iter().position(|block| block.level == Some(1));
    let begin = match first {
        Some(at)
            if home
                .blocks
                .get(at)
                .is_some_and(|block| is_name(&block.text)) =>
        {
            at + 1
        }
        // A logo that is a picture has no text.
        None => 0,
        Some(_) => return None,
    };
    let mut below = home.blocks.iter().skip(begin).filter(|block| block.main);
    let next = below.next()?;
    let follows = below.next();
    let text = next.text.trim();
    let is_link = home.links.iter().any(|link| link.text.trim() == text);
    let large = match next.kind {
        BlockKind::Heading => true,
        // Without a heading above, a line may be anything.
        BlockKind::Paragraph | BlockKind::Other => {
            first.is_some() && text.chars().count() <= 80 && follows.is_some()
        }
        _ => false,
    };
    let whole = !text.ends_with([':', ',', ';', '?']) && !text.contains(['@', '|', '©']);
    let dated = text.chars().filter(char::is_ascii_digit).count() > 4;
    (large && whole && !dated && !is_link && words::count(text) >= 3).then_some(text)
}

/// Number of first blocks of a page that may belong to its header.
const HEADER_BLOCKS: usize = 8;

/// The text beside the name in the header of every page: many themes put the site's tagline there.
fn beside_name<'a>(site: &Site, home: &'a Page, name: &str) -> Option<&'a str> {
    let is_everywhere = |text: &str| {
        let pages = site
            .own_pages()
            .filter(|(.., page)| page.blocks.iter().any(|block| block.text == text));
        pages.count() >= 3
    };
    let is_prose = |text: &str| {
        let words = text.split_whitespace().count();
        // One word may match a link's text by chance; several mean that the text is the navigation.
        let of_links = home
            .links
            .iter()
            .filter(|link| !link.text.is_empty() && letters(&link.text) != letters(name))
            .filter(|link| text.contains(link.text.as_str()))
            .count();
        (3..=12).contains(&words) && of_links < 2 && !text.contains(['@', '+', '|', '·', '©'])
    };
    let first_heading = home.blocks.iter().position(|block| block.level == Some(1));
    let end = first_heading
        .unwrap_or(home.blocks.len())
        .min(HEADER_BLOCKS);
    let header = home.blocks.get(..end)?;
    header.iter().enumerate().find_map(|(at, block)| {
        let rest = block.text.strip_prefix(name).filter(|_| !name.is_empty())?;
        let text = if rest.is_empty() {
            let next = header.get(at + 1)?;
            let level = next.level.unwrap_or(u8::MAX);
            (level > 1 && is_everywhere(&next.text)).then_some(next.text.as_str())?
        } else {
            let begins = rest.starts_with([' ', ',', ':', '–', '—', '-', '|']);
            let notice = !legal_names::find(&block.text).is_empty();
            (begins && !notice && is_everywhere(&block.text)).then_some(rest)?
        };
        let text = text.trim_matches([' ', ',', ':', '–', '—', '-', '|']);
        // The name once more, in Latin letters.
        let other_script =
            text.is_ascii() && !name.is_ascii() && !text.contains(char::is_lowercase);
        (is_prose(text) && !other_script).then_some(text)
    })
}

/// The short and the long description.
fn descriptions(site: &Site, evidence: &Evidence) -> (Option<Claim>, Option<Claim>) {
    // Preferred order: metadata, where the site must be brief, then structured data, then text.
    let declared = declared::descriptions(site);
    let stated = |text: &str, page: usize, carrier: &str| {
        Claim::stated(
            text,
            vec![Excerpt {
                page,
                text: carrier.to_owned(),
            }],
        )
    };
    // `Discover our world of …` calls searchers to the site; whatever else there is says more.
    let (calls, declared): (Vec<_>, Vec<_>) = declared
        .into_iter()
        .partition(|(text, _)| boilerplate::is_call_to_act(text));
    let brief = |told: &[(String, usize)]| {
        let whole = told
            .iter()
            .find(|(text, _)| text.chars().count() <= SHORT)
            .map(|(text, page)| stated(text, *page, text));
        whole.or_else(|| {
            told.iter().find_map(|(text, page)| {
                let first = sentences::split(text, &site.research.language)
                    .into_iter()
                    .next()?;
                let fits = (15..=SHORT).contains(&first.chars().count())
                    && first.ends_with(['.', '!', '。', '！']);
                fits.then(|| stated(first, *page, text))
            })
        })
    };
    let aims = below_aims(site, evidence);
    let cards = on_cards(site, evidence);
    let short = brief(&declared)
        .or_else(|| {
            let first = sections(site, evidence)
                .into_iter()
                .find(|section| section.part == Part::Home && section.heading.level == 1)?;
            // Below a name that a slogan follows, the company names itself again.
            let below_slogan = || {
                let rest = first
                    .body
                    .split_first()
                    .filter(|(slogan, _)| slogan.kind == BlockKind::Heading);
                rest.and_then(|(_, rest)| rest.first().copied())
                    .filter(|lead| {
                        lead.kind == BlockKind::Paragraph && names_company(&lead.text, site)
                    })
            };
            let lead = first.lead().or_else(below_slogan)?;
            let fits = (15..=SHORT).contains(&lead.text.chars().count())
                && words::count(&lead.text) >= 6
                && lead.text.ends_with(['.', '。'])
                && !tells_of_an_officer(&lead.text)
                && !boilerplate::is_call_to_act(&lead.text)
                && !gives_contact(&lead.text);
            let excerpt = Excerpt {
                page: lead.page,
                text: lead.text.clone(),
            };
            fits.then(|| Claim::told(lead.text.as_str(), excerpt))
        })
        .or_else(|| {
            evidence
                .sentences
                .iter()
                .filter(|sentence| matches!(site.part(sentence.page), Part::Home | Part::About))
                .filter(|sentence| sentence.is_quotable() && sentence.kind != BlockKind::Quote)
                .filter(|sentence| !aims.contains(&(sentence.page, sentence.block)))
                .filter(|sentence| {
                    !cards.contains(&(sentence.page, sentence.block))
                        || names_company(&sentence.text, site)
                })
                .find(|sentence| {
                    sentence.text.chars().count() <= SHORT && describes(sentence, site)
                })
                .map(|sentence| {
                    let excerpt = Excerpt {
                        page: sentence.page,
                        text: sentence.text.clone(),
                    };
                    Claim::told(sentence.text.as_str(), excerpt)
                })
        })
        .or_else(|| brief(&calls));
    let said = short.as_ref().and_then(|claim| claim.value.as_str());
    let adds = |text: &str| {
        said.is_none_or(|said| {
            !is_doubled(text, said) && !letters(text).starts_with(&letters(said))
        })
    };
    let in_full = |told: &[(String, usize)]| {
        told.iter()
            .find(|(text, _)| (SHORT + 1..=LONG).contains(&text.chars().count()) && adds(text))
            .map(|(text, page)| stated(text, *page, text))
    };
    let long = in_full(&declared)
        .or_else(|| {
            let paragraph = |part: Part| {
                evidence
                    .passages
                    .iter()
                    .filter(|passage| passage.main && is_paragraph(passage))
                    .filter(|passage| site.part(passage.page) == part)
                    .filter(|passage| !aims.contains(&(passage.page, passage.block)))
                    .find(|passage| {
                        let letters =
                            words::count(&passage.text) * 3 > passage.text.chars().count();
                        let least = if letters { SHORT / 2 } else { SHORT + 1 };
                        let words = words::fold(&passage.text);
                        (least..=LONG).contains(&passage.text.chars().count())
                            && words::count(&passage.text) >= 20
                            && adds(&passage.text)
                            && (names_company(&passage.text, site)
                                || begins_page(passage, evidence))
                            && says_what_it_is(&passage.text, site)
                            && tells_business(&passage.text, site)
                            && !sentences::refers_back(&words::split(&words))
                    })
                    .map(|passage| stated(&passage.text, passage.page, &passage.text))
            };
            paragraph(Part::About).or_else(|| paragraph(Part::Home))
        })
        .or_else(|| in_full(&calls));
    (short, long)
}

/// The blocks below headings of missions and values, which tell what a company wants to be, not what it does. Below
/// the title of a page only what stands before the next heading.
fn below_aims(site: &Site, evidence: &Evidence) -> BTreeSet<(usize, usize)> {
    const HEADINGS: [&Phrases; 4] = [
        &MISSION_HEADINGS,
        &PURPOSE_HEADINGS,
        &VALUE_HEADINGS,
        &VISION_HEADINGS,
    ];
    let headed = sections(site, evidence)
        .into_iter()
        .filter(|section| HEADINGS.iter().any(|headings| section.is_headed(headings)));
    let labelled = HEADINGS
        .iter()
        .flat_map(|headings| labelled(site, evidence, headings));
    let mut found = BTreeSet::new();
    for section in headed.chain(labelled) {
        let title = section.heading.kind == BlockKind::Heading && section.heading.level == 1;
        let body = section.body.iter();
        let body = body.take_while(|passage| !title || passage.kind != BlockKind::Heading);
        found.extend(body.map(|passage| (passage.page, passage.block)));
    }
    found
}

/// Lowest level of a heading that begins no part of a page, and so may be that of a card.
const OF_CARDS: u8 = 3;

/// The blocks on cards: below small headings beside others of their size. `We` there do what the card is about.
fn on_cards(site: &Site, evidence: &Evidence) -> BTreeSet<(usize, usize)> {
    let sections = sections(site, evidence);
    let is_card = |section: &Section<'_>| section.heading.level >= OF_CARDS && section.is_leaf();
    let rows = sections.chunk_by(|one, next| {
        let (one, next) = (one.heading, next.heading);
        one.page == next.page && one.level == next.level
    });
    let rows = rows.filter(|row| row.len() > 1 && row.iter().all(is_card));
    let body = rows.flatten().flat_map(|card| &card.body);
    body.map(|passage| (passage.page, passage.block)).collect()
}

/// Whether a text gives an address of mail or a telephone number, as snippets for search engines do.
pub fn gives_contact(text: &str) -> bool {
    let mut digits = 0;
    let numbered = text.chars().any(|c| {
        digits = match c {
            '0'..='9' => digits + 1,
            ' ' | '+' | '(' | ')' | '-' | '/' | '.' => digits,
            _ => 0,
        };
        digits >= 9
    });
    numbered || text.contains('@')
}

/// Whether a text says little that another does not: two thirds of its words are in that.
pub fn is_doubled(text: &str, known: &str) -> bool {
    let stems = words::stems(text);
    let known_stems = words::stems(known);
    let shared = stems.intersection(&known_stems).count();
    let (text, known) = (letters(text), letters(known));
    known.contains(&text) || !stems.is_empty() && shared * 3 >= stems.len() * 2
}

/// Whether a sentence describes the company: the company speaks, and says what it is or does.
fn describes(sentence: &Sentence, site: &Site) -> bool {
    let words = sentence.words();
    let named = names_company(&sentence.text, site);
    says_what_it_is(&sentence.text, site)
        && !sentences::refers_back(&words)
        && !tells_of_an_officer(&sentence.text)
        && (says_category(&sentence.text, site)
            // Further down, what a page says of `us` is about one service.
            || (DOES.any_in(&words) || tells_a_deed(&sentence.text, site))
                && (named || sentence.position < 4))
}

fn names_company(text: &str, site: &Site) -> bool {
    let folded = words::fold(text);
    site.research.names.iter().any(|name| {
        let name = words::fold(legal_names::without_form(name));
        !name.is_empty() && folded.contains(&name)
    })
}

/// Whether a passage is a paragraph, by its markup or, where a page has none for them, by its end.
fn is_paragraph(passage: &Passage) -> bool {
    passage.kind == BlockKind::Paragraph
        || passage.kind == BlockKind::Other && passage.text.ends_with(['.', '。'])
}

/// Whether a passage is the first paragraph of its page.
fn begins_page(passage: &Passage, evidence: &Evidence) -> bool {
    let paragraphs = |known: &&Passage| known.main && known.kind == BlockKind::Paragraph;
    let first = evidence
        .passages
        .iter()
        .filter(paragraphs)
        .find(|known| known.page == passage.page);
    first.is_some_and(|first| first.block == passage.block)
}

/// Whether a paragraph tells what the company is or does, and is no greeting.
fn tells_business(text: &str, site: &Site) -> bool {
    DOES.any_in(&words::split(&words::fold(text)))
        || sentences::split(text, &site.research.language)
            .into_iter()
            .any(|sentence| says_category(sentence, site) || tells_a_deed(sentence, site))
}
