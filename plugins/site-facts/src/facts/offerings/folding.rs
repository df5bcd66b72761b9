//! One name for each thing that is sold: cards, menus, titles and structured data may call it by a shorter or a fuller one.

use std::collections::{BTreeMap, BTreeSet};

use gtm_lexicon::pages::PRODUCTS;
use gtm_lexicon::prose::SMALL_WORDS;
use gtm_lexicon::segments::FOR_WHOM;
use gtm_lexicon::words::STOPWORDS;
use gtm_page_text::primary_language;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::page::Link;

use super::doubles;
use super::named::is_page;
use crate::facts::letters;
use crate::facts::page_address::bare;
use crate::site::Site;

/// Most excerpts kept of one name.
const MOST_EXCERPTS: usize = 4;
/// Fewest names that two lists must have in a shorter and a fuller form, so that one list is the other.
const LEAST_PAIRS: usize = 2;
/// Most lists that are compared with each other.
const MOST_LISTS: usize = 60;
/// Most words by which the fuller name may be longer and still be a name.
const LONGEST_REST: usize = 2;
/// Most letters of a word that only joins others: `de`.
const SHORT: usize = 2;
/// Fewest letters of a word that two names of one thing share.
const LEAST_OF_WORD: usize = 4;

/// The names that each list of the site has, as places among the claims.
#[derive(Debug, Default)]
pub struct Lists {
    of: Vec<BTreeSet<usize>>,
}

impl Lists {
    /// Begins another list: what is noted from now on stands beside each other.
    pub fn begin(&mut self) {
        if self.of.last().is_none_or(|last| !last.is_empty()) {
            self.of.push(BTreeSet::new());
        }
    }

    pub fn note(&mut self, claim: usize) {
        if self.of.is_empty() {
            self.begin();
        }
        if let Some(last) = self.of.last_mut() {
            last.insert(claim);
        }
    }

    /// The lists, each once: a site has one for each of its sections.
    fn distinct(&self) -> BTreeSet<&BTreeSet<usize>> {
        self.of.iter().collect()
    }

    /// The pairs of names that some list has beside each other.
    fn together(&self) -> BTreeSet<(usize, usize)> {
        let lists = self.distinct().into_iter();
        let pairs = lists.flat_map(|list| {
            list.iter()
                .flat_map(move |one| list.iter().map(move |other| (*one, *other)))
        });
        pairs.collect()
    }
}

/// Adds another place where a name stands.
pub fn cite(claim: &mut Claim, excerpts: Vec<Excerpt>) {
    for excerpt in excerpts {
        if claim.excerpts.len() < MOST_EXCERPTS && !claim.excerpts.contains(&excerpt) {
            claim.excerpts.push(excerpt);
        }
    }
}

/// How a fuller name goes on behind, or before, a shorter one.
struct Rest {
    /// Its words besides those of the shorter name.
    words: Vec<String>,
    /// Whether it goes on like `for schools`, which makes another thing of it.
    narrows: bool,
}

struct Names<'a> {
    claims: &'a [Claim],
    keys: Vec<Vec<String>>,
    language: &'a str,
}

impl Names<'_> {
    fn text(&self, at: usize) -> &str {
        let claim = self.claims.get(at);
        claim
            .and_then(|claim| claim.value.as_str())
            .unwrap_or_default()
    }

    /// What the name at `fuller` has besides the one at `short`, if it begins or ends with it.
    fn rest(&self, short: usize, fuller: usize) -> Option<Rest> {
        let (short, long) = (self.keys.get(short)?, self.keys.get(fuller)?);
        let more = long.len().checked_sub(short.len()).filter(|more| *more > 0);
        let Some(more) = more else {
            return compound(short, long);
        };
        let (begin, behind) = long.split_at_checked(short.len())?;
        let (before, end) = long.split_at_checked(more)?;
        let words = if doubles::are_alike(short, begin) {
            behind
        } else if doubles::are_alike(short, end) {
            before
        } else {
            return None;
        };
        let code = primary_language(self.language);
        let [whom, small] = [FOR_WHOM.of(code), SMALL_WORDS.of(code)];
        let narrows = |word: &String| whom.contains(word) || small.contains(word);
        Some(Rest {
            words: words.to_vec(),
            narrows: words.iter().any(narrows),
        })
    }

    /// Whether the fuller name adds nothing but a word for services or products: `Roofing services`.
    fn adds_nothing(&self, short: usize, fuller: usize) -> bool {
        self.rest(short, fuller).is_some_and(|rest| {
            let joins = |word: &String| STOPWORDS.contains(word) || word.chars().count() <= SHORT;
            let own = rest.words.iter().filter(|word| !joins(word));
            let own: Vec<&str> = own.map(String::as_str).collect();
            !own.is_empty() && PRODUCTS.are(&own)
        })
    }

    /// Whether one is a side of the other, `Coating` of `Coating & hardening`, and nothing is called like the other side.
    fn is_only_side(&self, one: usize, of: usize) -> bool {
        let is_side = |at: usize| doubles::is_side(self.text(at), self.text(of), self.language);
        let mut others = (0..self.claims.len()).filter(|other| ![one, of].contains(other));
        is_side(one) && !others.any(is_side)
    }

    /// Names of one list that another list has in a fuller form: most of them have exactly one there. A word that only one
    /// of them has more makes another thing of it: `Repairs express` beside `Training online`.
    fn renamed(&self, one: &BTreeSet<usize>, other: &BTreeSet<usize>) -> Vec<(usize, usize)> {
        let mut pairs: Vec<(usize, usize, Vec<String>)> = Vec::new();
        let mut same = 0;
        for short in one {
            if other.contains(short) {
                same += 1;
                continue;
            }
            let others = other.iter().filter(|fuller| !one.contains(*fuller));
            let mut fuller = others.filter_map(|fuller| {
                let rest = self.rest(*short, *fuller);
                let rest = rest.filter(|rest| !rest.narrows)?;
                Some((*fuller, rest.words))
            });
            if let (Some((fuller, rest)), None) = (fuller.next(), fuller.next()) {
                pairs.push((*short, fuller, rest));
            }
        }
        let distinct: BTreeSet<usize> = pairs.iter().map(|(_, fuller, _)| *fuller).collect();
        let most = (pairs.len() + same) * 4 >= one.len() * 3;
        if !most || distinct.len() != pairs.len() || pairs.len() < LEAST_PAIRS {
            return Vec::new();
        }
        let mut rests: BTreeMap<&[String], usize> = BTreeMap::new();
        for (_, _, rest) in &pairs {
            *rests.entry(rest.as_slice()).or_insert(0) += 1;
        }
        let is_shared = |rest: &[String]| rests.get(rest).is_some_and(|n| *n >= LEAST_PAIRS);
        pairs
            .iter()
            .filter(|(short, fuller, rest)| is_shared(rest) || self.adds_nothing(*short, *fuller))
            .map(|(short, fuller, _)| (*short, *fuller))
            .collect()
    }

    /// Whether the fuller name has all words of the shorter one.
    fn has_all(&self, short: usize, fuller: usize) -> bool {
        let (Some(short), Some(fuller)) = (self.keys.get(short), self.keys.get(fuller)) else {
            return false;
        };
        let is_long = |word: &String| word.chars().count() >= LEAST_OF_WORD;
        short.iter().any(is_long) && short.iter().all(|word| fuller.contains(word))
    }
}

/// What a word has behind a shorter one, where other languages write two: `Malerarbeiten`.
fn compound(short: &[String], long: &[String]) -> Option<Rest> {
    let (last, before) = short.split_last()?;
    let (whole, begin) = long.split_last()?;
    let rest = whole.strip_prefix(last.as_str())?;
    let fits = before == begin && last.chars().count() >= LEAST_OF_WORD && !rest.is_empty();
    (fits && PRODUCTS.are(&[rest])).then(|| Rest {
        words: vec![rest.to_owned()],
        narrows: false,
    })
}

/// The pages that each name is the title of, or a link to.
fn targets(claims: &[Claim], site: &Site) -> Vec<BTreeSet<String>> {
    let names: BTreeMap<String, usize> = claims
        .iter()
        .enumerate()
        .filter_map(|(at, claim)| Some((letters(claim.value.as_str()?), at)))
        .collect();
    let mut found = vec![BTreeSet::new(); claims.len()];
    let home = site.own_pages().next();
    let home = home.map(|(_, _, page)| bare(&page.final_url).to_owned());
    let mut note = |name: &str, address: &str| {
        let address = bare(address);
        let at = names.get(&letters(name)).and_then(|at| found.get_mut(*at));
        if let Some(targets) = at
            && home.as_deref() != Some(address)
        {
            targets.insert(address.to_owned());
        }
    };
    for (_, _, page) in site.own_pages() {
        let leads = |link: &&Link| !link.url.contains('#') && is_page(&link.url);
        for link in page.links.iter().filter(leads) {
            note(&link.text, &link.url);
        }
        let mut titles = page.blocks.iter().filter(|block| block.level == Some(1));
        if let (Some(title), None) = (titles.next(), titles.next()) {
            note(&title.text, &page.final_url);
        }
    }
    found
}

/// The claims with those made one that name one thing: one name goes on with a word for services, or has more words and leads
/// to the same page, or two lists have the same things under shorter and fuller names. What one list has beside each other
/// stays apart.
pub fn folded(claims: Vec<Claim>, lists: &Lists, site: &Site) -> Vec<Claim> {
    let language = &site.research.language;
    let names = Names {
        keys: claims
            .iter()
            .map(|claim| doubles::key(claim.value.as_str().unwrap_or_default(), language))
            .collect(),
        claims: &claims,
        language,
    };
    let mut found: Vec<(usize, usize)> = Vec::new();
    let compared: BTreeSet<&BTreeSet<usize>> = lists.of.iter().take(MOST_LISTS).collect();
    for one in compared.iter().filter(|list| list.len() >= LEAST_PAIRS) {
        for other in compared.iter().filter(|list| list.len() >= LEAST_PAIRS) {
            found.extend(names.renamed(one, other));
        }
    }
    let targets = targets(&claims, site);
    // What several names of one list lead to is no page of one thing.
    let mut shared: BTreeSet<&String> = BTreeSet::new();
    for list in lists.distinct() {
        let mut led: BTreeSet<&String> = BTreeSet::new();
        let leads = list.iter().filter_map(|at| targets.get(*at)).flatten();
        shared.extend(leads.filter(|target| !led.insert(*target)));
    }
    for one in 0..claims.len() {
        for other in (0..claims.len()).filter(|other| *other != one) {
            let same_page = || {
                let (one, other) = (targets.get(one), targets.get(other));
                let mut both = one.zip(other).into_iter().flat_map(|(a, b)| a & b);
                both.any(|target| !shared.contains(&target))
            };
            let is_one = names.adds_nothing(one, other)
                || names.is_only_side(one, other)
                || names.has_all(one, other) && same_page();
            if is_one {
                found.push((one, other));
            }
        }
    }
    let mut known = BTreeSet::new();
    found.retain(|pair| known.insert(*pair));
    let groups = groups(claims.len(), &found, &lists.together());
    let groups = &groups;
    let members = |root: usize| (0..groups.len()).filter(move |at| groups.get(*at) == Some(&root));
    let roots = (0..claims.len()).filter(|at| groups.get(*at) == Some(at));
    let all = roots.filter_map(|root| {
        let best = members(root)
            .filter(|at| {
                let rest = names.rest(root, *at);
                *at == root || rest.is_some_and(|rest| rest.words.len() <= LONGEST_REST)
            })
            .max_by_key(|at| {
                let words = names.keys.get(*at).map_or(0, Vec::len);
                (words, names.text(*at).len(), std::cmp::Reverse(*at))
            });
        let mut kept = claims.get(best?)?.clone();
        for member in members(root).filter_map(|at| claims.get(at)) {
            cite(&mut kept, member.excerpts.clone());
        }
        Some(kept)
    });
    all.collect()
}

/// The first of the claims that each is one with.
fn groups(
    count: usize,
    pairs: &[(usize, usize)],
    together: &BTreeSet<(usize, usize)>,
) -> Vec<usize> {
    let mut groups: Vec<usize> = (0..count).collect();
    for (one, other) in pairs {
        let [Some(one), Some(other)] = [one, other].map(|at| groups.get(*at).copied()) else {
            continue;
        };
        if one == other {
            continue;
        }
        let of = |root: usize| {
            groups
                .iter()
                .enumerate()
                .filter(move |(_, own)| **own == root)
        };
        let apart = of(one).any(|(a, _)| of(other).any(|(b, _)| together.contains(&(a, b))));
        if !apart {
            let (first, last) = (one.min(other), one.max(other));
            for group in groups.iter_mut().filter(|group| **group == last) {
                *group = first;
            }
        }
    }
    groups
}
