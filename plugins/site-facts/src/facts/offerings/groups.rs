//! Groups of headings that name what a company sells: cards beside each other with a second sign that they are
//! products, such as a heading over them, pages of their own, prices or one call to act.

use std::collections::{BTreeMap, BTreeSet};

use gtm_lexicon::Phrases;
use gtm_lexicon::calls::{GENERIC, VERBS};
use gtm_lexicon::company::WE;
use gtm_lexicon::foundations::{
    COMMITMENT_HEADINGS, MISSION_HEADINGS, VALUE_HEADINGS, VISION_HEADINGS,
};
use gtm_lexicon::numbers::is_unspaced;
use gtm_lexicon::pages::PRODUCTS;
use gtm_lexicon::proofs::CERTIFICATE_HEADINGS;
use gtm_site_research::boilerplate;
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::BlockKind;
use gtm_site_research::roles::{self, Role};
use gtm_site_research::words;

use super::super::figures::names_a_sum;
use super::super::letters;
use super::super::outline::Section;
use super::announcements::{is_announcement, only_announces, tells_other_list, tells_whom_or_how};
use super::aspects::is_label;
use super::named::Named;
use super::{announces, is_overview, names_nothing};
use crate::part::Part;
use crate::site::Site;

/// Most words of a line above a heading that says what the section is.
const LONGEST_LINE: usize = 5;
/// Most words of a heading that says so itself.
const LONGEST_HEADING: usize = 7;
/// Fewest words of a heading that is a slogan, and most of a name above it.
const LEAST_OF_SLOGAN: usize = 3;
const LONGEST_NAME: usize = 3;
/// Fewest headings of a group.
const LEAST: usize = 2;
/// Fewest letters of a word that a thing and its variants share.
const LEAST_OF_WORD: usize = 4;

/// What heads a list of what the company stands for, not of what it sells.
const FOUNDATIONS: [&Phrases; 5] = [
    &CERTIFICATE_HEADINGS,
    &COMMITMENT_HEADINGS,
    &MISSION_HEADINGS,
    &VALUE_HEADINGS,
    &VISION_HEADINGS,
];

/// The sections of a site with what stands around them.
pub struct Headings<'a> {
    pub evidence: &'a Evidence,
    pub sections: &'a [Section<'a>],
    pub named: &'a Named,
    /// How many sections of a page have a level and end with a call, by page, level and the letters of the call.
    calls: BTreeMap<(usize, u8, String), usize>,
    /// The pages on all that is sold.
    overviews: BTreeSet<usize>,
}

impl<'a> Headings<'a> {
    pub fn new(
        site: &Site,
        evidence: &'a Evidence,
        sections: &'a [Section<'a>],
        named: &'a Named,
    ) -> Self {
        let mut calls = BTreeMap::new();
        for section in sections {
            if let Some(call) = call_of(section) {
                let place = (section.heading.page, section.heading.level, call);
                *calls.entry(place).or_default() += 1;
            }
        }
        Self {
            evidence,
            sections,
            named,
            calls,
            overviews: site
                .own_pages()
                .map(|(page, ..)| page)
                .filter(|page| is_overview(*page, site))
                .collect(),
        }
    }

    /// Headings of one level under the same larger heading, if nearly all of them have none under them.
    pub fn groups(&self) -> Vec<Vec<&'a Section<'a>>> {
        let mut groups: Vec<(Option<&Passage>, Vec<&'a Section<'a>>)> = Vec::new();
        for section in self.sections {
            let over = self.over(section).map(|over| over.heading);
            let same =
                |one: &Passage, other: &Passage| (one.page, one.block) == (other.page, other.block);
            let known = groups.iter_mut().find(|(known, group)| {
                let beside = group.first().is_some_and(|first| {
                    first.heading.page == section.heading.page
                        && first.heading.level == section.heading.level
                });
                beside
                    && match (*known, over) {
                        (Some(known), Some(over)) => same(known, over),
                        (None, None) => true,
                        _ => false,
                    }
            });
            match known {
                Some((_, group)) => group.push(section),
                None => groups.push((over, vec![section])),
            }
        }
        groups
            .into_iter()
            .filter_map(|(over, group)| {
                let all = group.len();
                let leaves = group.iter().filter(|one| one.is_leaf()).count();
                let mostly = leaves >= LEAST && leaves * 3 >= all * 2;
                // What stands beside products that are announced is one, too.
                let beside = || mostly && over.is_some_and(|over| is_announcement(&over.text));
                let one = |section: &&'a Section<'a>| {
                    section.is_leaf() || self.has_variants(section, beside())
                };
                let kept: Vec<_> = group.into_iter().filter(one).collect();
                (mostly || kept.len() >= LEAST && kept.len() * 3 >= all * 2).then_some(kept)
            })
            .collect()
    }

    /// The groups that name what is sold, each with whether words announce it, without the variants of what other
    /// groups name.
    pub fn sold<'g>(
        &self,
        groups: &'g [Vec<&'a Section<'a>>],
    ) -> Vec<(&'g Vec<&'a Section<'a>>, bool)> {
        let mut found: Vec<(&'g Vec<&'a Section<'a>>, bool)> = Vec::new();
        // A larger heading comes before those under it.
        for group in groups {
            let over = group.first().and_then(|first| self.over(first));
            let is_variant = over.is_some_and(|over| {
                let place = |section: &Section<'_>| (section.heading.page, section.heading.block);
                let same = |section: &&Section<'a>| place(section) == place(over);
                found.iter().any(|(known, _)| known.iter().any(&same))
            });
            if !is_variant && self.sells(group) {
                found.push((group, over.is_some_and(|over| self.is_announced(over))));
            }
        }
        found
    }

    /// Whether a heading names one thing, and those under it are its variants or aspects: they have a word of its name
    /// or a number, or it has a page of its own. Otherwise it may be the theme of a list. `beside` tells whether it
    /// stands among names of what is sold.
    fn has_variants(&self, section: &Section<'a>, beside: bool) -> bool {
        let heading = section.heading;
        let folded = words::fold(&heading.text);
        let own: Vec<&str> = words::split(&folded);
        let stem = |word: &&str| word.chars().count() >= LEAST_OF_WORD;
        // What stands directly under it, in the order of the page.
        let behind = self.sections.iter().skip_while(|other| {
            (other.heading.page, other.heading.block) <= (heading.page, heading.block)
        });
        let inside: Vec<&Section<'_>> = behind
            .take_while(|other| {
                other.heading.page == heading.page && other.heading.level > heading.level
            })
            .collect();
        let level = inside.iter().map(|other| other.heading.level).min();
        let direct = |other: &&&Section<'_>| Some(other.heading.level) == level;
        let under: Vec<&Section<'_>> = inside.iter().filter(direct).copied().collect();
        let varies = |variant: &&&Section<'_>| {
            let folded = words::fold(&variant.heading.text);
            variant.heading.text.contains(|c: char| c.is_ascii_digit())
                || own
                    .iter()
                    .filter(|word| stem(word))
                    .any(|word| folded.contains(word))
                || is_label(&variant.heading.text)
        };
        let most = under.iter().filter(varies).count() * 2 > under.len();
        own.len() <= LONGEST_LINE
            && !is_announcement(&heading.text)
            && !tells_other_list(&heading.text)
            && (beside || most || self.named.has_page(heading))
    }

    /// Whether a group names what is sold.
    pub fn sells(&self, group: &[&Section<'a>]) -> bool {
        let Some(first) = group.first() else {
            return false;
        };
        let own = matches!(
            first.part,
            Part::Home | Part::Product | Part::About | Part::Other
        );
        let over = self.over(first);
        let most = |count: usize| count >= LEAST && count * 2 >= group.len();
        let count = |fits: &dyn Fn(&Section<'a>) -> bool| {
            most(group.iter().filter(|section| fits(section)).count())
        };
        // What costs something is sold, whatever the heading says: `Our collection`.
        let priced = count(&|section| has_price(section, self.above(section.heading)));
        if !own || !priced && over.is_some_and(|over| self.is_other_list(over)) {
            return false;
        }
        // Steps of the company's way of working are numbered.
        let numbered = count(&|section| {
            self.above(section.heading)
                .is_some_and(|above| is_ordinal(&above.text))
        });
        // A heading with words of its own, below other cards, may stand over what comes with the products.
        let named = over.is_some_and(|over| {
            self.is_announced(over)
                && (self.opens(first)
                    || self.only_announces(over)
                    || count(&|section| self.named.has_page(section.heading))
                    || priced)
        });
        let by_page = over.is_some_and(|over| over.heading.level == 1);
        let cards = || count(&|section| is_card(section) || !section.is_leaf());
        // The first list of a page about the company's products; below it stand reasons and ways of working.
        let listed = || {
            first.part == Part::Product
                && self.opens(first)
                && self.sections.iter().any(|section| {
                    section.heading.page == first.heading.page
                        && section.heading.level == 1
                        && self.is_announced(section)
                })
        };
        let shown = || {
            let elsewhere = first.part != Part::About;
            let recurring = |section: &&&Section<'a>| self.named.recurs(section.heading);
            elsewhere && count(&|section| self.named.recurs(section.heading))
                // Cards that all lead on, one of them to a page that is called like it.
                || elsewhere && group.iter().all(|section| self.leads_on(section)) && group.iter().any(|one| recurring(&one))
                || count(&|section| self.has_same_call(section))
                || priced
        };
        // Steps have no links to them from elsewhere.
        let listing = |section: &Section<'a>| {
            let mut body = section.body.iter();
            body.any(|passage| passage.kind == BlockKind::ListItem)
        };
        // What steps consist of is not listed below each.
        let are_steps = numbered
            && by_page
            && !count(&listing)
            && !count(&|section| self.named.has_page(section.heading));
        let recurring = || count(&|section| self.named.recurs(section.heading));
        named && !are_steps || (!numbered || recurring()) && cards() && (listed() || shown())
    }

    /// The larger heading over a section, or the one of its own size that leads its row.
    fn over(&self, section: &Section<'_>) -> Option<&'a Section<'a>> {
        let own = section.heading;
        self.leader(section).or_else(|| {
            self.sections.iter().rev().find(|other| {
                let other = other.heading;
                other.page == own.page && other.block < own.block && other.level < own.level
            })
        })
    }

    /// The heading that leads a row of cards of its own size: it announces what is sold, and nothing but the first card stands
    /// right under it. What is no card, or tells something else, ends the row.
    fn leader(&self, section: &Section<'_>) -> Option<&'a Section<'a>> {
        let own = section.heading;
        if !of_row(section) {
            return None;
        }
        let before = self.sections.iter().rev().filter(|other| {
            other.heading.page == own.page
                && other.heading.block < own.block
                && other.heading.level <= own.level
        });
        let mut before = before.skip_while(|other| {
            other.heading.level == own.level && of_row(other) && !names_nothing(other)
        });
        before.next().filter(|leader| {
            leader.heading.level == own.level && leader.body.is_empty() && names_nothing(leader)
        })
    }

    /// Whether at least three sections of a page at this level end with the same call to act: what one can book or
    /// order.
    fn has_same_call(&self, section: &Section<'_>) -> bool {
        call_of(section).is_some_and(|call| {
            let place = (section.heading.page, section.heading.level, call);
            self.calls.get(&place).is_some_and(|count| *count >= 3)
        })
    }

    /// Whether what stands under a heading ends with a call that every site has: `Read more`. Where that is a link of its own,
    /// it is no main text.
    fn leads_on(&self, section: &Section<'_>) -> bool {
        let is_call = |passage: &Passage| {
            let folded = words::fold(&passage.text);
            GENERIC.are(&words::split(&folded))
        };
        section
            .body
            .last()
            .is_some_and(|last| is_call(last) || self.below(last).is_some_and(is_call))
    }

    /// The passage right below another.
    fn below(&self, above: &Passage) -> Option<&'a Passage> {
        at(self.evidence, above.page, above.block + 1)
    }

    /// The passage right above a heading.
    fn above(&self, heading: &Passage) -> Option<&'a Passage> {
        at(self.evidence, heading.page, heading.block.checked_sub(1)?)
    }

    /// The line above a heading that says what its section is about.
    fn line(&self, heading: &Passage) -> Option<&'a Passage> {
        self.above(heading).filter(|above| {
            above.kind != BlockKind::Heading
                && words::count(&above.text) <= LONGEST_LINE
                && !above.text.ends_with(['.', '!', '…', '。'])
        })
    }

    /// Whether a heading, or the line above it, announces products.
    fn is_announced(&self, section: &Section<'_>) -> bool {
        // The title of a page, and what stands above it, may name one of many services. On the page on all of them, a label says
        // what it is where the title is a slogan.
        if section.heading.level == 1 {
            let is_labelled = || {
                self.overviews.contains(&section.heading.page)
                    && self
                        .line(section.heading)
                        .is_some_and(|line| only_announces(&line.text))
            };
            return names_nothing(section) || is_labelled();
        }
        announces(section)
            || self
                .line(section.heading)
                .is_some_and(|line| is_announcement(&line.text))
    }

    /// Whether a heading, or the line above it, does nothing but announce products.
    fn only_announces(&self, section: &Section<'_>) -> bool {
        names_nothing(section)
            || self
                .line(section.heading)
                .is_some_and(|line| only_announces(&line.text))
    }

    /// Whether no group of cards stands before a section on its page.
    fn opens(&self, section: &Section<'_>) -> bool {
        let own = section.heading;
        let over = self.over(section).map(|over| over.heading.block);
        !self.sections.iter().any(|other| {
            other.heading.page == own.page
                && other.heading.block < own.block
                && other.heading.level == own.level
                && self.over(other).map(|over| over.heading.block) != over
        })
    }

    /// Whether a heading of at most some words, or the line above it, says that what stands under it is no list of
    /// products: reasons, values, questions, groups of customers.
    fn is_other_list(&self, over: &Section<'_>) -> bool {
        let headed = words::count(&over.heading.text) <= LONGEST_HEADING
            && !is_announcement(&over.heading.text)
            && other_kind(&over.heading.text);
        let stands_for = || {
            FOUNDATIONS
                .iter()
                .any(|phrases| over.heading.level > 1 && over.is_headed(phrases))
        };
        headed
            || self
                .line(over.heading)
                .is_some_and(|line| !is_announcement(&line.text) && tells_other_list(&line.text))
            || !is_announcement(&over.heading.text) && stands_for()
    }
}

/// The passage that is a block of a page: passages stand in the order of pages and blocks.
fn at(evidence: &Evidence, page: usize, block: usize) -> Option<&Passage> {
    let found = (evidence.passages)
        .binary_search_by_key(&(page, block), |passage| (passage.page, passage.block));
    evidence.passages.get(found.ok()?)
}

/// Whether a section may be one of a row of cards that a heading of their own size leads.
fn of_row(section: &Section<'_>) -> bool {
    let text = &section.heading.text;
    let folded = words::fold(text);
    let words = words::split(&folded);
    is_card(section)
        && (1..=LONGEST_LINE).contains(&words.len())
        && !WE.open(&words)
        && !other_kind(text)
        && roles::named_page(&words).is_none_or(|role| role == Role::Products)
}

/// Whether a heading's words say that it stands over reasons, values, questions or groups of customers.
fn other_kind(text: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    tells_whom_or_how(&words) || !PRODUCTS.any_in(&words) && tells_other_list(text)
}

/// The labels of a group whose headings are slogans, if they name what is sold: most headings have one of their own
/// right above, the first among them, as what ends a card stands above the second.
pub fn labels_over_slogans<'a>(
    group: &[&Section<'_>],
    evidence: &'a Evidence,
) -> Option<Vec<&'a Passage>> {
    let labelled = |section: &&Section<'_>| {
        let heading = section.heading;
        let label = at(evidence, heading.page, heading.block.checked_sub(1)?)?;
        let is_slogan = words::count(&heading.text) >= LEAST_OF_SLOGAN;
        let is_name = matches!(label.kind, BlockKind::Other | BlockKind::Paragraph)
            && (1..=LONGEST_NAME).contains(&words::count(&label.text))
            && !label
                .text
                .contains(|c: char| c.is_numeric() || ".!?:…".contains(c))
            && !boilerplate::is_call_to_act(&label.text);
        // Above Japanese headings stands the same in English.
        let translates = label.text.is_ascii() && heading.text.contains(is_unspaced);
        // `Next step` above `Tell us about your plans`
        let calls = boilerplate::is_call_to_act(&heading.text) || asks_reader(&heading.text);
        (is_slogan && is_name && !translates && !calls).then_some(label)
    };
    group.first().and_then(labelled)?;
    if begin_alike(group) {
        return None;
    }
    let labels: Vec<&Passage> = group.iter().filter_map(labelled).collect();
    let distinct: BTreeSet<String> = labels.iter().map(|label| letters(&label.text)).collect();
    let most = labels.len() >= LEAST && labels.len() * 2 > group.len();
    (most && distinct.len() == labels.len()).then_some(labels)
}

/// Whether a heading tells the reader what to do next, as the last one of a page does: it opens with a verb of calls.
fn asks_reader(heading: &str) -> bool {
    VERBS.open(&words::split(&words::fold(heading)))
}

/// Whether most headings of a group begin with the same word, as names of things of one kind do: `Transport of grain`.
fn begin_alike(group: &[&Section<'_>]) -> bool {
    let mut firsts: BTreeMap<String, usize> = BTreeMap::new();
    for section in group {
        let first = section.heading.text.split_whitespace().next();
        *firsts
            .entry(words::fold(first.unwrap_or_default()))
            .or_default() += 1;
    }
    firsts.values().any(|count| count * 2 > group.len())
}

/// Whether a section is a card: a smaller heading with a text under it and no further heading.
pub fn is_card(section: &Section<'_>) -> bool {
    (2..=4).contains(&section.heading.level) && section.lead().is_some() && section.is_leaf()
}

/// Whether a text is a number and nothing else.
fn is_ordinal(text: &str) -> bool {
    let bare = text.trim().trim_end_matches(['.', ')']);
    (1..=2).contains(&bare.chars().count()) && bare.chars().all(char::is_numeric)
}

/// The call to act in a section.
fn call_of(section: &Section<'_>) -> Option<String> {
    let call = section.body.iter().find(|passage| {
        let folded = words::fold(&passage.text);
        let words = words::split(&folded);
        (2..=5).contains(&words.len())
            && (VERBS.open(&words) || VERBS.any_in(&words))
            && !GENERIC.are(&words)
    })?;
    Some(letters(&call.text))
}

/// Whether a price stands right under a heading or above it: what costs something is for sale.
fn has_price(section: &Section<'_>, above: Option<&Passage>) -> bool {
    let below = section.body.iter().take(4).copied();
    below.chain(above).any(|passage| {
        passage.kind != BlockKind::Heading
            && passage.text.chars().count() <= 60
            && names_a_sum(&passage.text)
    })
}
