//! Chooses which pages of a site to read, and reads them: in waves, until the budget is used.
//!
//! What a page is for belongs to the backends ([`Kinds`]), and so does asking a model ([`Chooser`]). Without one,
//! the best page of each kind comes first, then some more of the kinds that tell most, in turn, then the rest of the
//! navigation, then links of the text.

use std::collections::{BTreeMap, BTreeSet};

use url::Url;

use crate::address::comparable;
use crate::failure::Failure;
use crate::reading::{Candidate, Reading, Visited, Wanted};
use crate::roles::Role;

/// Most waves, the home page not included.
const WAVES: usize = 3;
/// Links whose text is longer are headlines and sentences, not parts of the site.
const SHORT_LABEL: usize = 30;

/// How many pages of a kind that tells much are read before pages of no such kind.
const IN_TURN: usize = 3;
/// How many pages at addresses of one pattern are read while there are others: single products tell little.
const MOST_ALIKE: usize = 3;

/// What pages are for.
pub trait Kinds {
    type Kind: Copy + Ord;
    /// The kinds to look for, the best first.
    fn wanted(&self) -> &[Self::Kind];
    /// The kinds of which several pages are worth more than one of no kind.
    fn in_turn(&self) -> &[Self::Kind];
    /// The kind of the page that a link leads to, and the confidence in it; `None` if no page of its kind is
    /// worth reading.
    fn of_link(&self, candidate: &Candidate) -> Option<(Self::Kind, i32)>;
    /// The kind of a page that was read, and that was taken for this kind.
    fn of_page(&self, visited: &Visited, taken_for: Self::Kind) -> Self::Kind;
    /// How many pages of one kind are worth reading while there are others.
    fn most(&self, kind: Self::Kind) -> usize;
    fn role(&self, kind: Self::Kind) -> Role;
    /// Whether the page's styles are wanted; `styled` pages already have theirs.
    fn wants_style(&self, _kind: Self::Kind, _styled: usize) -> bool {
        false
    }
}

/// Chooses at most so many of the candidates, by index; `None` leaves the choice to the rules.
pub type Chooser<'c> = dyn FnMut(&[&Candidate], usize) -> Result<Option<Vec<usize>>, Failure> + 'c;

/// What was read as what.
#[derive(Debug)]
pub struct Outcome<K> {
    /// Pages that were requested.
    pub asked: Vec<(Url, K)>,
    /// Kinds of pages that were found and not requested.
    pub unread: BTreeSet<K>,
}

/// Reads the site as far as the budget goes.
///
/// # Errors
/// `canceled`, or the failure of a quota.
pub fn read<S: Kinds>(
    reading: &mut Reading<'_>,
    kinds: &S,
    choose: &mut Chooser<'_>,
) -> Result<Outcome<S::Kind>, Failure> {
    let mut asked: Vec<(Url, S::Kind)> = Vec::new();
    let mut mapped: Option<Vec<Candidate>> = None;
    let mut styled = 0;
    for wave in 0..WAVES {
        let left = reading.pages_left();
        if left == 0 {
            break;
        }
        let mut found = Found::of(reading, kinds, mapped.as_deref());
        // A site whose links scripts make, or whose links are all read.
        let few = if wave == 0 {
            found.links.is_empty()
        } else {
            found.links.len() < left
        };
        if few && mapped.is_none() {
            mapped = Some(reading.links_of_site_map());
            found = Found::of(reading, kinds, mapped.as_deref());
        }
        // Pages of the first wave lead to better ones than the last links of the home page are.
        let most = if wave == 0 { left - left / 4 } else { left };
        let have = counts(reading, kinds, &asked);
        let mut picked = match choose(&found.candidates(), most)? {
            Some(chosen) => found.with_missing(chosen, kinds, have.clone(), most),
            None => found.best(kinds, have.clone(), &asked, most),
        };
        // Many links of one kind may be worth less than what is left of the budget.
        if wave > 0 && picked.len() < most && mapped.is_none() {
            mapped = Some(reading.links_of_site_map());
            found = Found::of(reading, kinds, mapped.as_deref());
            let chosen = std::mem::take(&mut picked);
            picked = found.filled(chosen, kinds, have, &asked, most);
        }
        if picked.is_empty() {
            break;
        }
        let mut wanted = Vec::new();
        for index in picked {
            let Some((candidate, kind, _)) = found.links.get(index) else {
                continue;
            };
            let signals = kinds.wants_style(*kind, styled);
            styled += usize::from(signals);
            wanted.push(Wanted {
                url: candidate.url.clone(),
                role: kinds.role(*kind),
                signals,
            });
            asked.push((candidate.url.clone(), *kind));
        }
        reading.fetch(wanted)?;
        reading.report_progress();
    }
    let rest = Found::of(reading, kinds, mapped.as_deref());
    Ok(Outcome {
        asked,
        unread: rest.links.iter().map(|(_, kind, _)| *kind).collect(),
    })
}

/// How many pages of each kind were read.
fn counts<S: Kinds>(
    reading: &Reading<'_>,
    kinds: &S,
    asked: &[(Url, S::Kind)],
) -> BTreeMap<S::Kind, usize> {
    let mut counts = BTreeMap::new();
    for visited in &reading.pages {
        let taken = asked
            .iter()
            .find(|(url, _)| url.as_str() == visited.page.url);
        if let Some((_, kind)) = taken {
            *counts.entry(kinds.of_page(visited, *kind)).or_insert(0) += 1;
        }
    }
    counts
}

/// Links that were not followed yet, each address once.
struct Found<K> {
    links: Vec<(Candidate, K, i32)>,
}

impl<K: Copy + Ord> Found<K> {
    fn of<S: Kinds<Kind = K>>(
        reading: &Reading<'_>,
        kinds: &S,
        mapped: Option<&[Candidate]>,
    ) -> Self {
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        let mut links: Vec<(Candidate, K, i32)> = Vec::new();
        let linked = reading.candidates();
        for candidate in linked.iter().chain(mapped.into_iter().flatten()) {
            let address = comparable(&candidate.url);
            let Some((kind, score)) = kinds
                .of_link(candidate)
                .filter(|_| !reading.has_seen(&candidate.url))
            else {
                continue;
            };
            match known.get(&address).and_then(|at| links.get_mut(*at)) {
                // One address may have several texts: the one that says most about it counts.
                Some(other) => {
                    let navigation = other.0.navigation || candidate.navigation;
                    if score > other.2 {
                        *other = (candidate.clone(), kind, score);
                    }
                    other.0.navigation = navigation;
                }
                None => {
                    known.insert(address, links.len());
                    links.push((candidate.clone(), kind, score));
                }
            }
        }
        Self { links }
    }

    fn candidates(&self) -> Vec<&Candidate> {
        self.links.iter().map(|(candidate, ..)| candidate).collect()
    }

    /// The best page of each wanted kind that is missing, then others: the navigation before links of the text,
    /// the site's parts before single entries, and no more of one kind than are worth reading.
    fn best<S: Kinds<Kind = K>>(
        &self,
        kinds: &S,
        mut have: BTreeMap<K, usize>,
        asked: &[(Url, K)],
        most: usize,
    ) -> Vec<usize> {
        let mut picked = self.of_missing(kinds, &mut have, most, Vec::new());
        let mut alike: BTreeMap<String, usize> = BTreeMap::new();
        let chosen = picked.iter().filter_map(|index| self.links.get(*index));
        let chosen = chosen.map(|(candidate, ..)| &candidate.url);
        for url in asked.iter().map(|(url, _)| url).chain(chosen) {
            *alike.entry(pattern(url)).or_insert(0) += 1;
        }
        let wordy = |candidate: &Candidate| {
            candidate.text.chars().count() > SHORT_LABEL || candidate.text.is_empty()
        };
        let mut order: Vec<(usize, &Candidate, K)> = self
            .links
            .iter()
            .enumerate()
            .map(|(index, (candidate, kind, _))| (index, candidate, *kind))
            .collect();
        // The sort is stable: of equal ones the first on the page wins.
        order.sort_by_key(|(_, candidate, _)| {
            (!candidate.navigation, wordy(candidate), candidate.depth())
        });
        for count in 1..=IN_TURN {
            for wanted in kinds.in_turn() {
                let next = order.iter().find(|(index, candidate, kind)| {
                    kind == wanted
                        && !wordy(candidate)
                        && !picked.contains(index)
                        && alike.get(&pattern(&candidate.url)).copied().unwrap_or(0) < MOST_ALIKE
                });
                let have = have.entry(*wanted).or_insert(0);
                if let Some((index, candidate, _)) = next
                    && *have < count
                    && picked.len() < most
                {
                    *have += 1;
                    *alike.entry(pattern(&candidate.url)).or_insert(0) += 1;
                    picked.push(*index);
                }
            }
        }
        for limit in [MOST_ALIKE, usize::MAX] {
            // More pages of one pattern only when no wave may find others.
            if limit == usize::MAX && asked.is_empty() && !picked.is_empty() {
                break;
            }
            for (index, candidate, kind) in &order {
                if picked.len() >= most {
                    break;
                }
                let have = have.entry(*kind).or_insert(0);
                let alike = alike.entry(pattern(&candidate.url)).or_insert(0);
                if *have < kinds.most(*kind) && *alike < limit && !picked.contains(index) {
                    *have += 1;
                    *alike += 1;
                    picked.push(*index);
                }
            }
        }
        picked
    }

    /// What was chosen; what room there is goes to wanted kinds that nothing was chosen for.
    fn with_missing<S: Kinds<Kind = K>>(
        &self,
        chosen: Vec<usize>,
        kinds: &S,
        mut have: BTreeMap<K, usize>,
        most: usize,
    ) -> Vec<usize> {
        for (_, kind, _) in chosen.iter().filter_map(|index| self.links.get(*index)) {
            *have.entry(*kind).or_insert(0) += 1;
        }
        self.of_missing(kinds, &mut have, most, chosen)
    }

    /// What was chosen; what room there is goes to the best others.
    fn filled<S: Kinds<Kind = K>>(
        &self,
        chosen: Vec<usize>,
        kinds: &S,
        mut have: BTreeMap<K, usize>,
        asked: &[(Url, K)],
        most: usize,
    ) -> Vec<usize> {
        let mut all: Vec<(Url, K)> = asked.to_vec();
        for (candidate, kind, _) in chosen.iter().filter_map(|index| self.links.get(*index)) {
            *have.entry(*kind).or_insert(0) += 1;
            all.push((candidate.url.clone(), *kind));
        }
        let room = most.saturating_sub(chosen.len());
        let mut picked = chosen;
        let others = self.best(kinds, have, &all, most).into_iter();
        let others: Vec<usize> = others.filter(|index| !picked.contains(index)).collect();
        picked.extend(others.into_iter().take(room));
        picked
    }

    fn of_missing<S: Kinds<Kind = K>>(
        &self,
        kinds: &S,
        have: &mut BTreeMap<K, usize>,
        most: usize,
        mut picked: Vec<usize>,
    ) -> Vec<usize> {
        for wanted in kinds.wanted() {
            if picked.len() >= most || have.get(wanted).is_some_and(|count| *count > 0) {
                continue;
            }
            let best = self
                .links
                .iter()
                .enumerate()
                .rev()
                .filter(|(index, (_, kind, _))| kind == wanted && !picked.contains(index))
                .max_by_key(|(_, (.., score))| *score);
            if let Some((index, _)) = best {
                *have.entry(*wanted).or_insert(0) += 1;
                picked.push(index);
            }
        }
        picked
    }
}

/// What addresses of entries of one list share: the folder they are in or, in none, the first word of the name.
fn pattern(url: &Url) -> String {
    let path = url.path().trim_matches('/');
    match path.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/"),
        None => path
            .split(['-', '_', '.'])
            .next()
            .unwrap_or_default()
            .to_owned(),
    }
}
