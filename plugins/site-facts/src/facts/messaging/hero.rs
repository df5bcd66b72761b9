//! What a home page says first and largest: its first heading and the text right below it.

use gtm_lexicon::company::WELCOMES;
use gtm_lexicon::figures::DISCOUNTS;
use gtm_lexicon::press::ABOUT;
use gtm_site_research::boilerplate;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::instructions;
use gtm_site_research::page::BlockKind;
use gtm_site_research::roles;
use gtm_site_research::words;

use super::super::introduction::{gives_contact, names_trade_and_place};
use super::super::letters;
use super::asking::asks_at_its_end;
use crate::part::Part;
use crate::site::Site;

/// Fewest and most words of the text below the heading.
const LEAST_WORDS: usize = 6;
const MOST_WORDS: usize = 60;
/// Fewest words of a heading that says something by itself.
const LEAST_OF_HEADING: usize = 3;
/// Most blocks between the heading and its text: a line above, a second heading.
const MOST_BETWEEN: usize = 2;
const SENTENCE_ENDS: [char; 6] = ['.', '!', '…', '。', '！', '？'];

/// The company's message as its home page begins with it: what stands below the first heading, together with the heading
/// where that is a sentence of its own or goes on below. Many pages have both in their header.
pub(super) fn core_message(site: &Site, evidence: &Evidence) -> Option<Claim> {
    let (home, ..) = site.own_pages().find(|(_, part, _)| *part == Part::Home)?;
    let of_home = |passage: &&Passage| passage.page == home;
    let passages: Vec<&Passage> = evidence.passages.iter().filter(of_home).collect();
    let at = passages
        .iter()
        .position(|passage| passage.kind == BlockKind::Heading && passage.level == 1)?;
    let title = passages.get(at)?;
    let below = passages.get(at + 1..).unwrap_or_default();
    let lead = lead(below, site).filter(|lead| says_something(lead, site));
    let is_sentence = is_motto(title, site) && title.text.ends_with(SENTENCE_ENDS);
    let Some(lead) = lead else {
        // Alone, only a whole sentence is a message.
        return is_sentence.then(|| Claim::quoted(&title.text, title.page));
    };
    let goes_on = lead.text.starts_with(char::is_lowercase);
    let adjacent = title.block + 1 == lead.block;
    if goes_on && !adjacent {
        return None;
    }
    let text = if adjacent && (is_sentence || goes_on) {
        format!("{} {}", title.text, lead.text)
    } else {
        lead.text.clone()
    };
    let excerpt = Excerpt {
        page: lead.page,
        text: text.clone(),
    };
    Some(Claim::stated(text, vec![excerpt]))
}

/// The first text below the heading; a second heading may stand between them, as a motto below the name does.
fn lead<'a>(below: &[&'a Passage], site: &Site) -> Option<&'a Passage> {
    let mut headings = 0;
    for passage in below.iter().take(MOST_BETWEEN + 1) {
        match passage.kind {
            BlockKind::Heading => {
                headings += 1;
                if headings > 1 {
                    return None;
                }
            }
            BlockKind::Paragraph | BlockKind::Other
                if words::count(&passage.text) >= LEAST_WORDS && !holds_links(passage, site) =>
            {
                return Some(passage);
            }
            _ => {}
        }
    }
    None
}

/// Whether a line outside the main part is a row of links, as menus are.
fn holds_links(passage: &Passage, site: &Site) -> bool {
    let links = site.research.pages.get(passage.page);
    let links = links.into_iter().flat_map(|visited| &visited.page.links);
    let within = links.filter(|link| !link.text.is_empty() && passage.text.contains(&link.text));
    !passage.main && within.take(2).count() > 1
}

/// Marks that part facts which stand beside each other, and how many of them a sentence may have.
const PARTING: [char; 6] = ['·', '|', '•', '✦', '⚡', '★'];
const MOST_PARTING: usize = 1;

/// Whether a text tells of the company or its offer: no offer for some days, no call, no greeting.
pub(in crate::facts) fn says_something(passage: &Passage, site: &Site) -> bool {
    let text = passage.text.as_str();
    let folded = words::fold(text);
    let words = words::split(&folded);
    (LEAST_WORDS..=MOST_WORDS).contains(&words::count(text))
        && !WELCOMES.open(&words)
        && !DISCOUNTS.any_in(&words)
        && !text.contains('%')
        && text.matches(PARTING).count() <= MOST_PARTING
        && !text.ends_with(['?', '？', ':', '：'])
        && !gives_contact(text)
        && !boilerplate::is_boilerplate(text)
        && !boilerplate::is_call_to_act(text)
        && !asks_at_its_end(text, &site.research.language)
        && !instructions::addressed_to_a_model(text)
}

/// Whether a heading says more than who the company is, what trade it has and where.
pub(in crate::facts) fn is_motto(title: &Passage, site: &Site) -> bool {
    let text = title.text.as_str();
    let folded = words::fold(text);
    let words = words::split(&folded);
    let is_name = site
        .research
        .names
        .iter()
        .any(|name| letters(name) == letters(text));
    words::count(text) >= LEAST_OF_HEADING
        && !is_name
        && !WELCOMES.open(&words)
        && !ABOUT.open(&words)
        && roles::named_page(&words).is_none()
        && !names_trade_and_place(text, site, "")
        && !DISCOUNTS.any_in(&words)
        && !instructions::addressed_to_a_model(text)
}
