//! What the pages say of the registered name, and how much each place counts.
//!
//! The law makes a company name itself behind a label or under a notice, and nowhere else. Notices of copyright repeat an
//! older or shorter name on every page, in whatever variants, so a kind of place counts a name once.

use std::collections::BTreeMap;

use gtm_lexicon::legal::{NAME_LABELS, NOTICES};
use gtm_site_research::claim::Excerpt;
use gtm_site_research::words;

use crate::conflicts::Statement;
use crate::draft::{BRAND_NAME, Draft};
use crate::facts::company_table::{self, Form};
use crate::facts::labels::{Labelled, labelled};
use crate::facts::others::offset_in;
use crate::facts::{Line, legal_names, letters, placeholders};
use crate::part::Part;
use crate::site::Site;

/// Weight of a name behind a label: whatever else the pages say is about related companies.
const LABELLED: u32 = 5;
/// Weight of a name that only structured data and pages about the company itself reach.
const STATED: u32 = 3;
/// Most words before a name that a line names and does not only mention.
const OPENING: usize = 4;
/// Most words of a name without a legal form.
const LONGEST_NAME: usize = 5;
/// Fewest words of running text.
const RUNNING: usize = 8;

/// A kind of place that names a company, weighing more or less.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Data,
    Label,
    Notice,
    Terms,
    Legal,
    Contact,
    Particulars,
    Copyright,
    Mention,
    Text,
}

impl Place {
    fn weight(self) -> u32 {
        match self {
            // The first name below "Angaben gemäß § 5 DDG" is the company's by law, even if the brand's name differs.
            Self::Notice => 6,
            Self::Label => LABELLED,
            Self::Legal => 4,
            // Companies rarely update their terms of trade after a change of name.
            Self::Terms | Self::Contact | Self::Particulars | Self::Data => STATED,
            Self::Copyright | Self::Mention => 2,
            Self::Text => 1,
        }
    }

    /// How many lines of this kind count for one name.
    fn most(self) -> usize {
        match self {
            Self::Notice | Self::Legal => 2,
            _ => 1,
        }
    }
}

/// The statements, each kind of place counted at most so often for a name.
#[derive(Default)]
struct Statements {
    found: Vec<Statement>,
    counts: BTreeMap<(String, Place), usize>,
}

impl Statements {
    fn add(&mut self, name: &str, place: Place, excerpts: Vec<Excerpt>) {
        if placeholders::is_in(name) {
            return;
        }
        let key = legal_names::key(name);
        let count = self.counts.entry((key.clone(), place)).or_insert(0);
        if *count < place.most() {
            *count += 1;
            self.found.push(Statement {
                key,
                value: name.into(),
                excerpts,
                weight: place.weight(),
            });
        }
    }
}

/// What each place says.
pub fn statements(
    site: &Site,
    lines: &[Line<'_>],
    pairs: &[Labelled<'_>],
    draft: &Draft,
) -> Vec<Statement> {
    let own = OwnNames::of(site, draft);
    let mut told = Statements::default();
    for organization in &site.organizations {
        for name in organization.texts("legalName") {
            let excerpt = Excerpt {
                page: organization.page,
                text: name.clone(),
            };
            told.add(&name, Place::Data, vec![excerpt]);
        }
    }
    let mut labelled_once = false;
    for pair in labelled(pairs, &NAME_LABELS) {
        // The label shows that the name is the company's, even if the brand's name differs. The value must be
        // nothing but the name. Of two spellings, the first is the name and the other its rendering in another script.
        let names = legal_names::find(pair.value);
        let letters_of = |text: &str| letters(text).chars().count();
        let nothing_else = names.iter().map(|name| letters_of(name)).sum::<usize>();
        if let Some(name) = names
            .first()
            .filter(|_| nothing_else == letters_of(pair.value))
        {
            labelled_once = true;
            told.add(name, Place::Label, pair.excerpts.clone());
        } else if names.is_empty() && own.is_all_of(pair.value) {
            // Houses without a legal form have a name, too.
            told.add(pair.value.trim(), Place::Particulars, pair.excerpts.clone());
        }
    }
    // Without a label, so does the first name among the company's particulars.
    let mut of_table = company_table::rows(pairs)
        .into_iter()
        .filter(|_| !labelled_once);
    if let Some((_, pair)) = of_table.find(|(form, _)| *form == Form::Name) {
        told.add(pair.value.trim(), Place::Label, pair.excerpts.clone());
    }
    let declared: Vec<String> = told
        .found
        .iter()
        .filter_map(|told| told.value.as_str().map(str::to_owned))
        .collect();
    of_lines(site, lines, &own, &mut told);
    let mut found = told.found;
    // If a page that must name the company does so, names elsewhere belong to related companies, or are out of date.
    let best = found.iter().map(|told| told.weight).max().unwrap_or(0);
    found.retain(|told| match best {
        LABELLED.. => told.weight >= STATED,
        2.. => told.weight > 1,
        _ => true,
    });
    without_words_before(&mut found, &declared);
    in_one_script(&mut found);
    if let Some(data) = &site.company_data
        && let Some(name) = &data.facts.legal_name
    {
        found.push(Statement {
            key: legal_names::key(name),
            value: name.as_str().into(),
            excerpts: vec![data.excerpt(name.as_str())],
            weight: 1,
        });
    }
    found
}

fn of_lines(site: &Site, lines: &[Line<'_>], own: &OwnNames, told: &mut Statements) {
    let newest = lines.iter().filter_map(copyright_year).max();
    let mut headed = HeadedNames::default();
    for line in lines {
        // An old copyright notice names the owner of that time, perhaps not today's.
        let stale = copyright_year(line) < newest && copyright_year(line).is_some();
        let is_notice = NOTICES.any_in(&words::split(&words::fold(line.text)));
        let under_notice = headed.follows(line, is_notice);
        for name in legal_names::find(line.text) {
            let mentioned = is_mentioned(line.text, name);
            let is_own = own.has(name);
            let place = match line.part {
                Part::Legal if under_notice && !headed.done && !mentioned => {
                    headed.done = true;
                    Place::Notice
                }
                // The footer is the same below the pages that must name the company.
                Part::Legal | Part::Contact if !line.main && line.text.contains('©') => {
                    if stale || !is_own {
                        continue;
                    }
                    Place::Copyright
                }
                Part::Legal if is_own && site.is_terms(line.page) => Place::Terms,
                Part::Legal if is_own && mentioned => Place::Mention,
                Part::Legal if is_own => Place::Legal,
                Part::Contact if is_own && !mentioned => Place::Contact,
                // The particulars of the company stand in a line that begins with its name.
                _ if is_own && starts_particulars(line.text, name) => Place::Particulars,
                _ if is_own && line.text.contains(['©']) && !stale => Place::Copyright,
                _ if is_own && line.text.chars().count() <= 200 => Place::Text,
                _ => continue,
            };
            told.add(name, place, vec![line.excerpt()]);
        }
    }
}

/// Whether running text only mentions a name: `… needs the consent of Globex AG`. A notice before the name in the same
/// text introduces it: `Responsible for these pages is Acme GmbH`.
fn is_mentioned(text: &str, name: &str) -> bool {
    let at = offset_in(text, name);
    let before = text.get(..at).unwrap_or_default();
    let after = text.get(at + name.len()..).unwrap_or_default();
    let last = before
        .rsplit(['.', ':', '|', '\u{b7}'])
        .next()
        .unwrap_or_default();
    let introduced = NOTICES.any_in(&words::split(&words::fold(before)));
    let runs = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let small = |word: &&&str| word.starts_with(char::is_lowercase);
        words.len() >= RUNNING && words.iter().filter(small).count() * 2 > words.len()
    };
    let deep = last.split_whitespace().count() > OPENING;
    !introduced && (deep && runs(text) || runs(after) && text.ends_with('.'))
}

/// A candidate that ends with a name behind a label or in structured data has words before it that are no part of the
/// name: `Imprint Acme GmbH`.
fn without_words_before(found: &mut Vec<Statement>, declared: &[String]) {
    found.retain(|told| {
        let name = told.value.as_str().unwrap_or_default();
        !declared.iter().any(|known| {
            let before = name.strip_suffix(known.as_str()).unwrap_or_default();
            before.ends_with(char::is_whitespace)
        })
    });
}

/// Of names in two scripts, one is the rendering of the other: the script of the place that says more counts, and of two
/// that say as much the one that is not Latin, since renderings are made for foreigners.
fn in_one_script(found: &mut Vec<Statement>) {
    let is_latin = |told: &Statement| {
        let name = told.value.as_str().unwrap_or_default();
        let mut letters = name.chars().filter(|c| c.is_alphabetic());
        letters.all(|c| c < '\u{250}' || ('\u{1e00}'..'\u{1f00}').contains(&c))
    };
    let best = |latin: bool| {
        let of_script = found.iter().filter(|told| is_latin(told) == latin);
        of_script.map(|told| told.weight).max()
    };
    if let Some((latin, other)) = best(true).zip(best(false)) {
        found.retain(|told| is_latin(told) == (latin > other));
    }
}

/// The first words of the company's names, as letters.
struct OwnNames(Vec<String>);

impl OwnNames {
    fn of(site: &Site, draft: &Draft) -> Self {
        let brand = draft
            .one(BRAND_NAME)
            .and_then(|claim| claim.value.as_str())
            .unwrap_or_default();
        let mut own: Vec<String> = site
            .research
            .names
            .iter()
            .map(|name| letters_of_first_word(name))
            .collect();
        own.push(letters_of_first_word(brand));
        own.extend(site.label().map(|label| letters(&label)));
        own.retain(|name| name.chars().count() >= 3);
        Self(own)
    }

    fn has(&self, name: &str) -> bool {
        let name = letters(name);
        self.0.iter().any(|known| name.contains(known.as_str()))
    }

    /// Whether a value is a name of a few words that begins like one of the company's, and nothing else.
    fn is_all_of(&self, value: &str) -> bool {
        let first = letters_of_first_word(value);
        let marked = |c: char| c.is_numeric() || ",;:.|/@–—（(".contains(c);
        value.split_whitespace().count() <= LONGEST_NAME
            && !value.contains(marked)
            && self.0.contains(&first)
    }
}

fn letters_of_first_word(name: &str) -> String {
    let folded = words::fold(legal_names::without_form(name));
    words::split(&folded)
        .first()
        .map(|word| letters(word))
        .unwrap_or_default()
}

/// Whether a line begins with the name and goes on with numbers: of an address, a register, taxes.
fn starts_particulars(text: &str, name: &str) -> bool {
    let rest = text.strip_prefix(name).unwrap_or_default();
    rest.chars().filter(char::is_ascii_digit).count() >= 5
}

/// The latest year of a copyright notice.
fn copyright_year(line: &Line<'_>) -> Option<u32> {
    if !line.text.contains('©') {
        return None;
    }
    let folded = words::fold(line.text);
    words::split(&folded)
        .into_iter()
        .filter(|word| word.len() == 4)
        .filter_map(|word| word.parse().ok())
        .filter(|year| (1900..2100).contains(year))
        .max()
}

/// Finds the first registered name below a notice.
#[derive(Default)]
struct HeadedNames {
    page: Option<usize>,
    lines_since: usize,
    /// Whether the name was found.
    done: bool,
}

impl HeadedNames {
    /// Whether this line may hold the first name below a notice of the same page, at most a few lines down.
    fn follows(&mut self, line: &Line<'_>, is_notice: bool) -> bool {
        if line.part != Part::Legal {
            return false;
        }
        if is_notice && self.page != Some(line.page) {
            self.page = Some(line.page);
            self.lines_since = 0;
            self.done = false;
        } else {
            self.lines_since += 1;
        }
        self.page == Some(line.page) && !self.done && self.lines_since <= 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_running_text_is_only_mentioned() {
        for (text, name, mentioned) in [
            ("Acme GmbH, Messweg 12, 89073 Ulm", "Acme GmbH", false),
            ("Firma: Acme GmbH", "Acme GmbH", false),
            (
                "Verantwortlich für den Inhalt dieser Seiten ist die Acme GmbH in Ulm.",
                "Acme GmbH",
                false,
            ),
            (
                "Jede weitere Verwertung der Bilder bedarf der vorherigen schriftlichen Zustimmung von Globex AG.",
                "Globex AG",
                true,
            ),
            (
                "Die Globex AG hat keinen Einfluss auf das, was hinter den verlinkten Seiten steht.",
                "Globex AG",
                true,
            ),
        ] {
            let found = legal_names::find(text);
            assert_eq!(found, [name]);
            assert!(
                found
                    .iter()
                    .all(|name| is_mentioned(text, name) == mentioned),
                "{text}"
            );
        }
    }

    #[test]
    fn words_before_a_declared_name_are_none_of_it() {
        let told = |name: &str| Statement {
            key: legal_names::key(name),
            value: name.into(),
            excerpts: vec![],
            weight: 4,
        };
        let mut found = vec![
            told("Acme GmbH"),
            told("Imprint Acme GmbH"),
            told("Neoacme GmbH"),
            told("Acme Rail GmbH"),
        ];
        without_words_before(&mut found, &["Acme GmbH".to_owned()]);
        let kept: Vec<&str> = found
            .iter()
            .filter_map(|told| told.value.as_str())
            .collect();
        assert_eq!(kept, ["Acme GmbH", "Neoacme GmbH", "Acme Rail GmbH"]);
    }

    #[test]
    fn of_two_scripts_the_better_placed_counts() {
        let told = |name: &str, weight: u32| Statement {
            key: legal_names::key(name),
            value: name.into(),
            excerpts: vec![],
            weight,
        };
        let kept = |mut statements: Vec<Statement>| {
            in_one_script(&mut statements);
            let names = statements.into_iter().map(|told| told.value);
            names
                .filter_map(|name| Some(name.as_str()?.to_owned()))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            kept(vec![told("株式会社青波社", 5), told("Aonami Co., Ltd.", 3)]),
            ["株式会社青波社"]
        );
        assert_eq!(
            kept(vec![told("株式会社青波社", 2), told("Aonami Co., Ltd.", 2)]),
            ["株式会社青波社"]
        );
        assert_eq!(
            kept(vec![told("株式会社青波社", 2), told("Aonami Co., Ltd.", 5)]),
            ["Aonami Co., Ltd."]
        );
        assert_eq!(
            kept(vec![told("Acme GmbH", 2), told("Acme AG", 5)]).len(),
            2
        );
    }
}
