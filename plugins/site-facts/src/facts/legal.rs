//! Who is legally responsible: the registered name, and the legal lines below all texts.

use gtm_lexicon::legal::{
    CAPITAL, COPYRIGHT, DISCLAIMERS, FUNDED, NAME_LABELS, NOTICES, PUBLIC_FUNDERS, REQUIRED_LINES,
};
use gtm_lexicon::pages::{LEGAL, TERMS, USELESS};
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::words;

use super::company_table::{self, Form};
use super::labels::{Labelled, labelled};
use super::others::Own;
use super::{Line, legal_names, letters, tax_numbers};
use crate::conflicts::{Statement, settle};
use crate::draft::{BRAND_NAME, Draft, LEGAL_NAME, REQUIRED_LEGAL_LINES};
use crate::part::Part;
use crate::site::Site;

/// Most legal lines kept.
const MOST_LINES: usize = 6;

/// Collects the facts of legal pages and footers.
pub fn collect(site: &Site, lines: &[Line<'_>], pairs: &[Labelled<'_>], draft: &mut Draft) {
    let names = legal_name_statements(site, lines, pairs, draft);
    settle(draft, LEGAL_NAME, names);
    legal_lines(site, lines, draft);
    particulars(site, lines, draft);
}

fn legal_name_statements(
    site: &Site,
    lines: &[Line<'_>],
    pairs: &[Labelled<'_>],
    draft: &Draft,
) -> Vec<Statement> {
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
    let is_own = |name: &str| {
        let name = letters(name);
        own.iter().any(|known| name.contains(known.as_str()))
    };
    let mut found = Vec::new();
    for organization in &site.organizations {
        for name in organization.texts("legalName") {
            found.push(statement(&name, organization.page, &name, 2));
        }
    }
    for pair in labelled(pairs, &NAME_LABELS) {
        // The label shows that the name is the company's, even if the brand's name differs. The value must be
        // nothing but the name.
        // Of two spellings, the first is the name and the other its rendering in another script.
        let names = legal_names::find(pair.value);
        let letters_of = |text: &str| letters(text).chars().count();
        let nothing_else = names.iter().map(|name| letters_of(name)).sum::<usize>();
        if let Some(name) = names
            .first()
            .filter(|_| nothing_else == letters_of(pair.value))
        {
            let mut told = statement(name, pair.page, "", 5);
            told.excerpts.clone_from(&pair.excerpts);
            found.push(told);
        }
    }
    // Without a label, so does the first name among the company's particulars.
    let labelled = found.iter().any(|told| told.weight == 5);
    let mut of_table = company_table::rows(pairs).into_iter().filter(|_| !labelled);
    if let Some((_, pair)) = of_table.find(|(form, _)| *form == Form::Name) {
        let mut told = statement(pair.value.trim(), pair.page, "", 5);
        told.excerpts.clone_from(&pair.excerpts);
        found.push(told);
    }
    let newest = lines.iter().filter_map(copyright_year).max();
    let mut headed = HeadedNames::default();
    for line in lines {
        // An old copyright notice names the owner of that time, perhaps not today's.
        let stale = copyright_year(line) < newest && copyright_year(line).is_some();
        let is_notice = NOTICES.any_in(&words::split(&words::fold(line.text)));
        let under_notice = headed.follows(line, is_notice);
        for name in legal_names::find(line.text) {
            let weight = match line.part {
                // The first name below "Angaben gemäß § 5 DDG" is the company's by law, even if the brand's
                // name differs.
                Part::Legal if under_notice => 6,
                // Companies rarely update their terms of trade after a change of name.
                Part::Legal if is_own(name) && site.is_terms(line.page) => 3,
                Part::Legal if is_own(name) => 4,
                Part::Contact if is_own(name) => 3,
                // The particulars of the company stand in a line that begins with its name.
                _ if is_own(name) && starts_particulars(line.text, name) => 3,
                _ if is_own(name) && line.text.contains(['©']) && !stale => 2,
                _ if is_own(name) && line.text.chars().count() <= 200 => 1,
                _ => continue,
            };
            found.push(statement(name, line.page, line.text, weight));
        }
    }
    // If a page that must name the company does so, names elsewhere in the texts belong to related companies.
    if found.iter().any(|statement| statement.weight > 1) {
        found.retain(|statement| statement.weight > 1);
    }
    if let Some(data) = &site.company_data
        && let Some(name) = &data.facts.legal_name
    {
        let mut said = statement(name, data.page, name, 1);
        said.excerpts = vec![data.excerpt(name.as_str())];
        found.push(said);
    }
    found
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
        let counts = self.page == Some(line.page) && !self.done && self.lines_since <= 4;
        if counts && !legal_names::find(line.text).is_empty() {
            self.done = true;
        }
        counts
    }
}

fn letters_of_first_word(name: &str) -> String {
    let folded = words::fold(legal_names::without_form(name));
    words::split(&folded)
        .first()
        .map(|word| letters(word))
        .unwrap_or_default()
}

fn statement(name: &str, page: usize, carrier: &str, weight: u32) -> Statement {
    Statement {
        key: letters(name),
        value: name.into(),
        excerpts: vec![Excerpt {
            page,
            text: carrier.to_owned(),
        }],
        weight,
    }
}

/// Lines that the law requires below a company's texts: copyright, registration, mandatory notes.
fn legal_lines(site: &Site, lines: &[Line<'_>], draft: &mut Draft) {
    let own = Own::new(site, None);
    let registered = draft
        .one(LEGAL_NAME)
        .and_then(|claim| claim.value.as_str())
        .map(str::to_owned);
    let registered = registered.as_deref();
    let mut found: Vec<(&str, &Line<'_>)> = Vec::new();
    for line in lines {
        let length = line.text.chars().count();
        let folded = words::fold(line.text);
        let marked = line.text.contains('©')
            || COPYRIGHT
                .iter()
                .any(|mark| folded.trim_start().starts_with(mark))
            || folded.contains("(c) 20");
        // A notice that names nobody says nothing, and one that names another is the template's.
        let copyright = marked
            && (own.is_named_in(line.text) || !legal_names::find(line.text).is_empty())
            && !line.text.contains('@');
        // Legal pages consist of legal text; this looks only for the lines that other pages repeat.
        let words = words::split(&folded);
        // In the main part, a line without a number or a name is about what somebody else must say.
        let particular = !line.main
            || line.text.contains(|c: char| c.is_ascii_digit())
            || own.is_named_in(line.text);
        let required =
            line.part != Part::Legal && !marked && particular && REQUIRED_LINES.any_in(&words)
                || FUNDED.any_in(&words) && PUBLIC_FUNDERS.any_in(&words)
                || DISCLAIMERS.any_in(&words) && line.text.ends_with('.');
        // A site also has to say who takes its payments or holds its data.
        let of_another = !marked
            && !own.is_named_in(line.text)
            && legal_names::find(line.text)
                .into_iter()
                .any(|name| registered != Some(name));
        if !(copyright || required && !of_another)
            || !(6..=300).contains(&length)
            || tax_numbers::has_mistaken_number(line.text)
        {
            continue;
        }
        let text = if copyright {
            without_links(line, site, &own)
        } else {
            line.text
        };
        found.push((text, line));
    }
    // A short form of a line adds nothing to it.
    let stem = |text: &str| text.trim_end_matches(['.', ' ']).to_owned();
    let told = |text: &str| {
        let is_longer = |(other, _): &&(&str, &Line<'_>)| {
            other.len() > text.len() + 1 && other.contains(&stem(text))
        };
        found.iter().any(|other| is_longer(&other))
    };
    let whole = found.iter().filter(|(text, _)| !told(text));
    for (text, line) in whole {
        if draft.many(REQUIRED_LEGAL_LINES).len() < MOST_LINES {
            let claim = Claim::stated(*text, vec![line.excerpt()]);
            draft.push(REQUIRED_LEGAL_LINES, claim);
        }
    }
}

/// A line without the links that a footer puts around it, separated by bars or points: `Privacy | Contact | © Acme`.
fn without_links<'a>(line: &Line<'a>, site: &Site, own: &Own) -> &'a str {
    const PARTS: [char; 9] = [' ', '|', '·', '•', '/', '-', '–', '—', ','];
    let links: Vec<&str> = site
        .own_pages()
        .filter(|(page, ..)| *page == line.page)
        .flat_map(|(_, _, page)| &page.links)
        .map(|link| link.text.trim())
        .filter(|text| text.chars().count() >= 2 && !own.is_named_in(text) && !text.contains('©'))
        .collect();
    let is_apart =
        |edge: Option<char>| edge.is_some_and(|edge| PARTS.contains(&edge) || edge == '.');
    // What every footer links to is no part of the line, though only a blank parts it.
    let is_useless = |link: &str| {
        let folded = words::fold(link);
        let words = words::split(&folded);
        [&TERMS, &USELESS, &LEGAL]
            .iter()
            .any(|pages| pages.open(&words))
    };
    let mut text = line.text;
    loop {
        let shorter = links.iter().find_map(|link| {
            let behind = text.strip_suffix(link).map(|rest| rest.trim_end());
            let before = text.strip_prefix(link).map(|rest| rest.trim_start());
            behind
                .filter(|rest| is_apart(rest.chars().next_back()) || is_useless(link))
                .map(|rest| rest.trim_end_matches(PARTS))
                .or_else(|| {
                    before
                        .filter(|rest| is_apart(rest.chars().next()))
                        .map(|rest| rest.trim_start_matches(PARTS))
                })
        });
        match shorter {
            Some(rest) if rest.chars().count() >= 6 => text = rest,
            _ => return text,
        }
    }
}

/// Whether a line states the capital, which the law requires among a company's particulars.
fn tells_capital(line: &Line<'_>) -> bool {
    CAPITAL.any_in(&words::split(&words::fold(line.text)))
}

/// Adds the company's legal particulars if no line below the pages has them: an imprint's line that begins
/// with the registered name, or holds both that name and the capital.
fn particulars(site: &Site, lines: &[Line<'_>], draft: &mut Draft) {
    let Some(name) = draft
        .one(LEGAL_NAME)
        .and_then(|claim| claim.value.as_str())
        .map(str::to_owned)
    else {
        return;
    };
    let known = draft.many(REQUIRED_LEGAL_LINES).iter().any(|claim| {
        claim
            .value
            .as_str()
            .is_some_and(|line| line.contains(&name))
    });
    let line = lines.iter().find(|line| {
        line.part == Part::Legal
            && line.main
            && !site.is_terms(line.page)
            && (line.text.starts_with(&name) || line.text.contains(&name) && tells_capital(line))
            && line.text.len() > name.len() + 8
            && line.text.chars().count() <= 300
            && line.text.chars().any(|c| c.is_ascii_digit())
    });
    if let Some(line) = line.filter(|_| !known) {
        draft.push(
            REQUIRED_LEGAL_LINES,
            Claim::stated(line.text, vec![line.excerpt()]),
        );
    }
}
