//! What the company sells: names of its products and services.

mod announcements;
mod aspects;
mod called;
mod declared;
mod doubles;
mod ends;
mod folding;
mod groups;
mod in_sentences;
mod links;
mod models;
mod named;
mod naming;
mod rank;

pub use announcements::{is_announcement, only_announces};
pub use links::in_menus;
pub use naming::praises;
pub use rank::is_overview;

use std::collections::BTreeSet;

use gtm_lexicon::company::YOU;
use gtm_lexicon::numbers::is_unspaced;
use gtm_lexicon::offer::LABELS;
use gtm_lexicon::trade::INDUSTRY_LABELS;
use gtm_site_research::claim::{Basis, Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::fixed_texts::FORM_SAYS_SO;
use gtm_site_research::page::Page;
use gtm_site_research::words;

use self::announcements::{lists_of_sentences, says_nothing};
use self::aspects::Aspects;
use self::called::ends_with_call;
use self::folding::Lists;
use self::groups::{Headings, is_card};
use self::links::Shown;
use self::named::Named;
use self::naming::{bare, has_words, is_name, is_prose, is_told, without_price};
use self::rank::Rank;
use super::labels::{Labelled, labelled, listed};
use super::outline::{Item, Section, sections, tiles};
use super::speaker::{addresses, speaks_as_we};
use super::{legal_names, letters, numbering, segments};
use crate::part::Part;
use crate::site::Site;

/// Most names kept.
const MOST: usize = 40;
/// Most rows of one list: more are a catalogue.
const MOST_LISTED: usize = 24;
/// Fewest words of a slogan.
const SLOGAN: usize = 4;
/// Fewest tiles of a list without markup, and most words of one.
const LEAST_TILES: usize = 3;
const LONGEST_TILE: usize = 5;

/// The names, the surest first: what structured data declares, what a label announces, what stands under a
/// heading for products and services, and the headings of pages about them. Lists of all that is sold come before
/// details of pages about single things.
/// `articles` are the letters of what catalogues list. Where nothing names anything, the words of a sentence do if they are
/// wanted: `in_sentences`.
pub fn offerings(
    site: &Site,
    evidence: &Evidence,
    (pairs, articles): (&[Labelled<'_>], &BTreeSet<String>),
    in_sentences: bool,
) -> Vec<Claim> {
    let sections = sections(site, evidence);
    let mut found = Found {
        site,
        articles,
        by_form: false,
        claims: Vec::new(),
        lists: Lists::default(),
        aspects: Aspects::of(&sections),
        buyers: BTreeSet::new(),
        entries: links::targets_of_submenus(site),
    };
    declared::add_to(&mut found, evidence);
    let of_trade = labelled(pairs, &INDUSTRY_LABELS).filter(|pair| listed(pair.value).len() > 1);
    // What stands under a heading belongs to its section, and a sentence is no list of names.
    let own_row = |pair: &&Labelled<'_>| pair.main && pair.excerpts.len() == 1;
    let of_terms = |pair: &&Labelled<'_>| pair.main && !pair.headed;
    let rows = labelled(pairs, &LABELS).filter(own_row);
    let rows = rows.chain(of_trade.filter(of_terms));
    for pair in rows.filter(|pair| !is_prose(pair.value)) {
        found.lists.begin();
        for name in listed(pair.value) {
            found.add(name, pair.excerpts.clone());
        }
    }
    for (index, _, content) in site.own_pages() {
        if matches!(Rank::of(index, site), Rank::Overview | Rank::Home) {
            for row in links::in_submenus((index, content), evidence) {
                found.lists.begin();
                for (name, excerpt) in row {
                    found.add(&name, vec![excerpt]);
                }
            }
        }
    }
    found.buyers = segments::named_under_headings(site, &sections);
    let named = Named::of(site);
    let page = Headings::new(site, evidence, &sections, &named);
    let mut groups = page.groups();
    groups.retain(|group| !found.aspects.are(group));
    let sold = page.sold(&groups);
    let lists = lists_of_sentences(site, evidence);
    let rank = |section: &Section<'_>| Rank::of(section.heading.page, site);
    let mut listed: Vec<(usize, usize, u8)> = Vec::new();
    for at in [Rank::Overview, Rank::Home, Rank::Product, Rank::Other] {
        if at == Rank::Product {
            found.titles(&sections, &named);
        }
        let of_rank = |section: &&Section<'_>| rank(section) == at;
        for section in sections.iter().filter(of_rank) {
            if !names_nothing(section) {
                continue;
            }
            if section.is_leaf() {
                found.items(section);
                found.tiles(section, evidence);
                found.two_scripts(section);
            } else if found.tiles(&section.before_headings(), evidence) {
                // What smaller headings tell below such a list is about that.
                listed.push((
                    section.heading.page,
                    section.heading.block,
                    section.heading.level,
                ));
            }
        }
        let own =
            |list: &&Section<'_>| matches!(list.part, Part::Home | Part::Product | Part::About);
        for list in lists.iter().filter(of_rank).filter(own) {
            found.items(list);
        }
        for (group, is_announced) in &sold {
            let here = group.first().filter(|first| of_rank(first));
            // What a page on one thing lists without a word are its parts.
            let below_list = |first: &Section<'_>| {
                let own = first.heading;
                let over = sections
                    .iter()
                    .rev()
                    .map(|section| section.heading)
                    .find(|other| {
                        other.page == own.page && other.block < own.block && other.level < own.level
                    });
                let place = over.map(|over| (over.page, over.block, over.level));
                place.is_some_and(|place| listed.contains(&place))
            };
            let details = |first: &&Section<'_>| {
                below_list(first)
                    || found.is_entry(first)
                    || !is_announced && found.tells_of_one(first)
            };
            if here.is_some_and(|first| !details(first)) {
                let own = group.iter().filter(|one| named.recurs(one.heading));
                found.by_form = !is_announced && own.count() * 2 < group.len();
                found.group(group, evidence);
                found.by_form = false;
            }
        }
        for (index, _, content) in site.own_pages() {
            if Rank::of(index, site) == at && at <= Rank::Home {
                found.links((index, content), evidence);
            }
        }
    }
    found.models(&sections, evidence);
    declared::add_topics(&mut found, evidence);
    if found.claims.is_empty() && in_sentences {
        found.lists.begin();
        for (name, excerpt) in in_sentences::told(site, evidence) {
            found.add(&name, vec![excerpt]);
        }
        for claim in &mut found.claims {
            claim.basis = Basis::Observed;
        }
    }
    let folded = folding::folded(found.claims, &found.lists, site);
    ends::without_common_end(folded, site)
}

struct Found<'a> {
    site: &'a Site,
    articles: &'a BTreeSet<String>,
    /// Whether nothing but the form of a page tells that what is added now is sold.
    by_form: bool,
    claims: Vec<Claim>,
    lists: Lists,
    aspects: Aspects,
    /// The groups of customers that headings announce, as folded letters.
    buyers: BTreeSet<String>,
    /// The addresses of pages that are each one entry of a menu of services.
    entries: BTreeSet<&'a str>,
}

impl Found<'_> {
    fn add(&mut self, name: &str, excerpts: Vec<Excerpt>) {
        let name = without_price(bare(name));
        let key = letters(name);
        if self.articles.contains(&key) {
            return;
        }
        let known = |claim: &Claim| claim.value.as_str().map(letters).as_ref() == Some(&key);
        // `Why Acme`, `Acme's services` are headings about the company.
        let of_company = |own: &String| {
            let own = letters(legal_names::without_form(own));
            own.chars().count() >= 3
                && (has_words(name, &own) || own.contains(is_unspaced) && key.contains(&own))
        };
        let language = &self.site.research.language;
        let words = doubles::key(name, language);
        let told = |claim: &Claim| {
            let known = claim.value.as_str().unwrap_or_default();
            let known = doubles::key(known, language);
            doubles::are_alike(&known, &words)
        };
        let side = |claim: &Claim| {
            let known = claim.value.as_str().unwrap_or_default();
            doubles::is_side(name, known, language)
        };
        let is_other = self.site.research.names.iter().any(of_company);
        // Under some names stands the same in another script: `塗装工事 COATING`.
        let translated = |claim: &Claim| {
            let known = claim.value.as_str().map(letters).unwrap_or_default();
            let rest = key.strip_prefix(&known);
            !known.is_ascii() && rest.is_some_and(|rest| rest.is_ascii())
        };
        let same = |claim: &Claim| known(claim) || told(claim) || side(claim) || translated(claim);
        if let Some(at) = self.claims.iter().position(same) {
            if let Some(claim) = self.claims.get_mut(at) {
                folding::cite(claim, excerpts);
                if !self.by_form {
                    claim.basis = Basis::Stated;
                    claim.reasoning = None;
                }
            }
            self.lists.note(at);
            return;
        }
        // `Ascoltiamo` is a step of the company's work.
        let is_step = words::split(&words::fold(name))
            .first()
            .is_some_and(|first| speaks_as_we(first, self.site));
        let is_aspect = self.aspects.has(name) || self.buyers.contains(&key);
        // `Care that you can feel` is a slogan.
        // A word at the beginning has its capital anyway, so it does not stand there.
        let is_slogan =
            words::count(name) >= SLOGAN && addresses(&YOU, &format!("– x {name}"), language);
        if is_name(name)
            && !is_step
            && !is_aspect
            && !is_slogan
            && !is_other
            && self.claims.len() < MOST
        {
            self.lists.note(self.claims.len());
            let claim = if self.by_form {
                let reasoning = FORM_SAYS_SO.in_language(language);
                Claim::inferred(name, reasoning, excerpts)
            } else {
                Claim::stated(name, excerpts)
            };
            self.claims.push(claim);
        }
    }

    fn passage(&mut self, passage: &Passage) {
        if self.is_choice(passage) {
            return;
        }
        let excerpt = Excerpt {
            page: passage.page,
            text: passage.text.clone(),
        };
        self.add(&passage.text, vec![excerpt]);
    }

    /// The headings of a group, but for those that say again what another page's list says: `Repairs` beside
    /// `Repairs and care`.
    fn group(&mut self, group: &[&Section<'_>], evidence: &Evidence) {
        self.lists.begin();
        if group.len() > MOST_LISTED {
            return;
        }
        let page = group.first().map(|section| section.heading.page);
        let ornate = self.ends_headings_with_points(group);
        let told = self.told_elsewhere(page);
        if let Some(labels) = groups::labels_over_slogans(group, evidence) {
            labels.into_iter().for_each(|label| self.passage(label));
            return;
        }
        let in_order = |(at, section): (usize, &&Section<'_>)| {
            let place = numbering::place_of(section.heading);
            place.and_then(|place| usize::try_from(place).ok()) == Some(at + 1)
        };
        // What a list numbers may be products, too, where words announce such.
        let numbered = group.len() > 1 && group.iter().enumerate().all(in_order);
        // A card that asks the reader to write or to call, beside others that do not, offers nothing else.
        let calls = group
            .iter()
            .filter(|section| ends_with_call(section))
            .count();
        let may_call = calls * 2 > group.len();
        for section in group {
            let heading = section.heading;
            if is_told(&heading.text, &told) || !may_call && ends_with_call(section) {
                continue;
            }
            if numbered {
                let name = numbering::without_place(&heading.text);
                let excerpt = Excerpt {
                    page: heading.page,
                    text: heading.text.clone(),
                };
                self.add(name, vec![excerpt]);
            } else if ornate {
                let excerpt = Excerpt {
                    page: heading.page,
                    text: heading.text.clone(),
                };
                let name = heading.text.trim_end_matches('.').trim_end();
                self.add(name, vec![excerpt]);
            } else {
                self.passage(heading);
            }
        }
    }

    /// Whether a page ends every heading with a point, as an ornament: the one that does nothing but announce what is sold,
    /// and all of the group.
    fn ends_headings_with_points(&self, group: &[&Section<'_>]) -> bool {
        let page = group.first().map(|section| section.heading.page);
        let page = page.and_then(|page| self.site.research.pages.get(page));
        let mut blocks = page.into_iter().flat_map(|visited| &visited.page.blocks);
        let pointed = |text: &str| text.ends_with('.') && !text.ends_with("..");
        blocks.any(|block| {
            block.level.is_some() && pointed(&block.text) && only_announces(&block.text)
        }) && group.iter().all(|section| pointed(&section.heading.text))
    }

    /// What only links name: tiles under an announcement, and the menu of products.
    fn links(&mut self, page: (usize, &Page), evidence: &Evidence) {
        let told = self.told_elsewhere(Some(page.0));
        let rows = links::under_announcements(page, evidence).into_iter();
        let rows = rows.chain([links::below_in_menus(page, evidence)]);
        let own = |(name, _): &Shown| !says_nothing(name) && !is_told(name, &told);
        for row in rows {
            self.lists.begin();
            for (name, excerpt) in row.into_iter().filter(own) {
                self.add(&name, vec![excerpt]);
            }
        }
    }

    /// The names known from other pages, folded.
    fn told_elsewhere(&self, page: Option<usize>) -> Vec<String> {
        self.claims
            .iter()
            .filter(|claim| claim.excerpts.first().map(|excerpt| excerpt.page) != page)
            .filter_map(|claim| claim.value.as_str().map(words::fold))
            .collect()
    }

    /// The titles of pages that tell of one thing each.
    fn titles(&mut self, sections: &[Section<'_>], named: &Named) {
        self.lists.begin();
        for section in sections {
            let heading = section.heading;
            let titles = heading.level == 1 && section.part == Part::Product;
            let shown = matches!(section.part, Part::Home | Part::Product | Part::Other);
            let leads = || shown && is_card(section) && named.heads_page(heading);
            if (titles || leads()) && named.has_page(heading) {
                self.passage(heading);
            }
        }
    }

    /// Whether a section stands on the page of one thing whose name is known.
    fn tells_of_one(&self, section: &Section<'_>) -> bool {
        let Some(page) = self.site.research.pages.get(section.heading.page) else {
            return false;
        };
        let mut titles = page
            .page
            .blocks
            .iter()
            .filter(|block| block.level == Some(1));
        titles.any(|title| {
            let title = letters(&title.text);
            let known = |claim: &Claim| claim.value.as_str().map(letters).as_ref() == Some(&title);
            self.claims.iter().any(known)
        })
    }

    /// Whether a section stands on a page that is one entry of a menu of services: what it lists is a part of that.
    fn is_entry(&self, section: &Section<'_>) -> bool {
        let page = self.site.research.pages.get(section.heading.page);
        page.is_some_and(|visited| {
            let own = [visited.page.url.as_str(), visited.page.final_url.as_str()];
            own.iter().any(|own| self.entries.contains(own))
        })
    }

    /// What is listed under a heading, unless half of it are aspects of one thing.
    fn items(&mut self, section: &Section<'_>) {
        self.lists.begin();
        let items = section.items();
        let aspects = items
            .iter()
            .filter(|item| self.aspects.has(item.name))
            .count();
        if aspects * 2 < items.len() && items.len() <= MOST_LISTED {
            items.iter().for_each(|item| self.item(item));
        }
    }

    /// Lines in a row under a heading without a list, if there are several; whether there are.
    fn tiles(&mut self, section: &Section<'_>, evidence: &Evidence) -> bool {
        self.lists.begin();
        if !section.items().is_empty() {
            return false;
        }
        let tiles = tiles(section, evidence, |text| {
            words::count(text) <= LONGEST_TILE && is_name(text)
        });
        // Rows of links are read with their addresses.
        let page = self.site.research.pages.get(section.heading.page);
        let links = page.map_or(&[][..], |visited| &visited.page.links);
        let is_link = |tile: &Item<'_>| links.iter().any(|link| link.text == tile.name);
        if tiles.iter().any(is_link) {
            return false;
        }
        let aspects = tiles.iter().filter(|tile| self.aspects.has(tile.name));
        let fits =
            (LEAST_TILES..=MOST_LISTED).contains(&tiles.len()) && aspects.count() * 2 < tiles.len();
        if fits {
            tiles.iter().for_each(|tile| self.item(tile));
        }
        fits
    }

    fn item(&mut self, item: &Item<'_>) {
        if self.is_choice(item.name_passage) {
            return;
        }
        self.add(item.name, item.excerpts(false));
    }
}

impl Found<'_> {
    /// Whether a passage stands in a form: what one can choose there answers a question.
    fn is_choice(&self, passage: &Passage) -> bool {
        let page = self.site.research.pages.get(passage.page);
        let block = page.and_then(|visited| visited.page.blocks.get(passage.block));
        block.is_some_and(|block| block.form)
    }
}

/// The names under headings that announce products and services, as folded letters.
pub fn named_under_headings(site: &Site, sections: &[Section<'_>]) -> Vec<String> {
    let named = Named::of(site);
    let own = |section: &&Section<'_>| is_card(section) && named.recurs(section.heading);
    let headings = sections
        .iter()
        .filter(own)
        .map(|section| section.heading.text.as_str());
    announced(sections).chain(headings.map(letters)).collect()
}

/// The names that stand as a list under headings for products and services, as folded letters.
pub fn announced(sections: &[Section<'_>]) -> impl Iterator<Item = String> {
    let cards = sections.iter().filter(|section| announces(section));
    let items = cards.flat_map(Section::items);
    items.map(|item| letters(item.name))
}

/// Whether a section's heading does nothing but announce products and services: `Our products and services`. What
/// is listed under a heading that names something, as `Editing services`, are its parts and tools.
fn names_nothing(section: &Section<'_>) -> bool {
    announces(section) && only_announces(&section.heading.text)
}

/// Whether a section's heading announces products or services: it is a few words, one of them such a word.
fn announces(section: &Section<'_>) -> bool {
    matches!(
        section.part,
        Part::Home | Part::Product | Part::About | Part::Other
    ) && is_announcement(&section.heading.text)
}
