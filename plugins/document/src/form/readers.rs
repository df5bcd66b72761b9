//! Who reads the document, as its cover names them: the company, and the person with their role.
//!
//! Danger: a role or a company that belongs to somebody else is printed as the reader's. So only what stands directly behind
//! a reader's name is theirs, and only where its words are those of a role or a name.

use gtm_document_model::block::Block;
use gtm_document_model::plain_text;
use gtm_lexicon::company::WE;
use gtm_lexicon::documents::{
    ATTITUDES, CONFIDANTS, PRIVATE_LABELS, READER_ENDINGS, RECIPIENTS, SUBJECTS,
};
use gtm_lexicon::names::PARTICLES;
use gtm_lexicon::roles::{ENDINGS, ROLE_WORDS};
use gtm_lexicon::{fold, split};
use gtm_page_text::primary_language;

use crate::brief::{
    Brief, before_suffix, contact_of, is_legal_form, labeled_in_brackets, may_be_a_persons_name,
    may_be_attended, names_a_person_beside, one_line, reader_of, texts_of,
};

/// Most words of a role with its company, and of the name of a company.
const ROLE_WORDS_MOST: usize = 9;
const COMPANY_WORDS: usize = 4;
/// Most words of a person's name, and texts of a brief in which a label may name the reader.
const PERSON_WORDS: usize = 4;
const MOST_TEXTS: usize = 40;

/// For whom the document is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Readers {
    /// The first one who is named, with the role that stands behind the name.
    pub first: Option<String>,
    /// A person who is named besides, or with whom the first one is more than its name.
    pub person: Option<String>,
}

impl Readers {
    /// Reads the orders, and else the labels of the text: `Client: Northwind`.
    #[must_use]
    pub fn of(brief: &Brief, language: &str) -> Self {
        let primary = primary_language(language);
        let lines = of_lines(brief);
        let mut named: Vec<String> = Vec::new();
        let (mut honored, mut attended): (Option<String>, Option<String>) = (None, None);
        if let Some(name) = &brief.addressee.recipient {
            let order = brief.directions.iter().find(|order| order.contains(name));
            named.push(order.map_or_else(|| name.clone(), |order| whole(name, order, primary)));
        }
        let in_brackets = brief.directions.iter();
        let in_brackets: Vec<String> = in_brackets
            .filter_map(|it| labeled_in_brackets(it))
            .collect();
        let bracketed = in_brackets.iter();
        let bracketed = bracketed.map(|line| (line, reader_of(up_to_the_first_mark(line))));
        let told = brief.directions.iter().map(|line| (line, reader_of(line)));
        let labeled = lines.iter().map(|line| (line, reader_of(line)));
        for (line, found) in told.chain(bracketed).chain(labeled) {
            let found = found.or_else(|| before_suffix(line, primary));
            let Some(name) = found else { continue };
            let said = whole(&name, line, primary);
            let known = named.iter().any(|known| {
                fold(known).contains(&fold(&name)) || fold(&said).contains(&fold(known))
            });
            if !known {
                // `川村様` is a person, whatever the role.
                if !named.is_empty() && is_honored(line) {
                    honored.get_or_insert_with(|| said.clone());
                }
                if names_a_person_beside(line) && may_be_attended(&name) {
                    attended.get_or_insert_with(|| said.clone());
                }
                named.push(said);
            }
        }
        // An account of a customer is for everybody.
        if brief.case_study {
            named.clear();
        }
        let person = named.iter().skip(1).find(|said| has_role(said)).cloned();
        let person = person.or(honored).or(attended.filter(|_| named.len() > 1));
        let person = person.or_else(|| brief.addressee.person.clone());
        // Beside the customer's name at the top of a brief, a contact is the customer's.
        let opening = brief
            .chapters
            .first()
            .filter(|first| first.heading.is_none());
        let opening = opening
            .iter()
            .flat_map(|first| &first.blocks)
            .flat_map(lines_of);
        let mut top = brief.directions.iter().cloned().chain(opening);
        let person = person.or_else(|| top.find_map(|line| contact_in(&line, primary)));
        let person = person.filter(|_| !named.is_empty());
        Self {
            first: named.into_iter().next(),
            person,
        }
    }

    /// Whether a person is named with a role. A role alone (`the Head of Engineering`) names nobody.
    #[must_use]
    pub fn names_a_person(&self) -> bool {
        let named = |who: &str| who.contains([',', '(']) && has_role(who);
        let first = self.first.as_deref().is_some_and(named);
        first || self.person.is_some()
    }

    /// Who they are in one line.
    #[must_use]
    pub fn in_one_line(&self) -> Option<String> {
        let first = self.first.as_ref()?;
        Some(match &self.person {
            Some(person) => format!("{person}, {first}"),
            None => first.clone(),
        })
    }
}

/// The first texts of the brief's content, of which a label may stand in each.
fn of_lines(brief: &Brief) -> Vec<String> {
    let blocks = brief.chapters.iter().flat_map(|chapter| &chapter.blocks);
    let texts = blocks.flat_map(lines_of);
    let lines = texts
        .take(MOST_TEXTS)
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
    // `For: the night shift` and `To: Leeds` are labels of a table or a list as often.
    lines
        .filter(|line| {
            let label = line.split([':', '：']).next().map(fold);
            let is_preposition = |label: &String| {
                RECIPIENTS
                    .iter()
                    .any(|(_, words)| words.contains(label.trim()))
            };
            label.as_ref().is_some_and(|label| !is_preposition(label))
        })
        .collect()
}

/// The texts of a block; of a table with two columns, its rows as lines with a label: `Client: Northwind`.
fn lines_of(block: &Block) -> Vec<String> {
    let Block::Table(table) = block else {
        return texts_of(std::slice::from_ref(block));
    };
    let [label, said] = table.columns.as_slice() else {
        return Vec::new();
    };
    let line = |label: &str, said: &str| format!("{}: {}", label.trim(), said.trim());
    let rows = table.rows.iter().filter_map(|row| match row.as_slice() {
        [label, said] => Some(line(&plain_text(label), &plain_text(said))),
        _ => None,
    });
    std::iter::once(line(&label.label, &said.label))
        .chain(rows)
        .collect()
}

/// The person whom a line names as the reader's: `Contact: Anna Lindt, Head of Procurement`. Elsewhere it is the sender's own.
fn contact_in(line: &str, primary: &str) -> Option<String> {
    let said = contact_of(line)?;
    let name = said.split([',', '(', ';', '–', '—']).next()?.trim();
    // `Sales Team` is nobody, and `Jo Doe (our side)` no customer.
    if has_role(name) || is_the_senders_own(said.get(name.len()..).unwrap_or_default()) {
        return None;
    }
    let found = whole(name, said, primary);
    let words = name.split_whitespace().count();
    // Without a role that is known, only a name of several words is told from that of a place.
    let is_named = found != name || may_be_a_persons_name(name);
    ((1..=PERSON_WORDS).contains(&words) && is_named).then_some(found)
}

/// Whether what stands behind a name says that it is of the sender's people: `(our side)`, `(internal)`.
fn is_the_senders_own(behind: &str) -> bool {
    behind.split([',', '(', ')', ';', '–', '—']).any(|segment| {
        let folded = fold(segment);
        let words = split(&folded);
        WE.any_in(&words) || CONFIDANTS.are(&words) || PRIVATE_LABELS.open(&words)
    })
}

/// A line with a label up to the first mark behind the name: brackets tell anything of whoever reads.
fn up_to_the_first_mark(line: &str) -> &str {
    let label = line.find(": ").map_or(0, |at| at + 2);
    let said = line.get(label..).unwrap_or_default();
    let mut marks = said.match_indices([',', ';', '(', '–', '—']);
    let mark = marks.find(|(at, mark)| {
        let behind = said.get(at + mark.len()..).unwrap_or_default();
        *mark != "," || !goes_on_with_the_name(behind)
    });
    let mark = mark.map(|(at, _)| at);
    let end = mark.into_iter().chain(said.find(" - ")).min();
    let end = end.map_or(line.len(), |end| label + end);
    line.get(..end).unwrap_or(line).trim_end()
}

/// Whether a name goes on behind its comma: `Doe, Roe & Sons`, `Northwind, Inc`. Other words with capitals tell who that is.
fn goes_on_with_the_name(behind: &str) -> bool {
    let mut segments = behind.split([',', ';', '(', '–', '—']);
    let segment = segments.next().unwrap_or_default().trim();
    let is_part = |word: &str| word.starts_with(|c: char| c.is_uppercase() || "&+".contains(c));
    let folded = fold(segment);
    is_legal_form(segment)
        || segment.contains(['&', '+'])
            && segment.split_whitespace().all(is_part)
            && !ATTITUDES.any_in(&split(&folded))
}

/// The name with what stands behind it in its line: `, Head of Procurement at Acme`.
fn whole(name: &str, line: &str, primary: &str) -> String {
    let Some(at) = line.find(name) else {
        return name.to_owned();
    };
    let mut end = at + name.len();
    let mut has_role_yet = has_role(name);
    let persons_name = name.split_whitespace().count() <= PERSON_WORDS;
    while let Some(rest) = line.get(end..).filter(|_| persons_name) {
        let Some(behind) = rest.strip_prefix([',', '(']) else {
            break;
        };
        let segment = segment_of(behind, primary);
        let said = segment.trim();
        let is_new = match has_role_yet {
            true => is_company(said, behind.get(segment.len()..).unwrap_or_default()),
            false => is_role(said),
        };
        if !is_new {
            break;
        }
        has_role_yet = true;
        end += 1 + segment.len();
        if rest.starts_with('(') && line.get(end..).is_some_and(|rest| rest.starts_with(')')) {
            end += 1;
        }
    }
    let said = line.get(at..end).unwrap_or(name);
    let said = said.trim_end_matches([',', ';', ' ']);
    one_line(without_full_stop(said))
}

/// The words up to the next comma, the end of the sentence, or the subject of the document.
fn segment_of<'l>(text: &'l str, primary: &str) -> &'l str {
    let marks = text.match_indices([',', ';', ':', '(', ')', '!', '?', '\n', '–', '—']);
    let marks = marks.map(|(at, _)| at);
    let sentence = text.match_indices('.').map(|(at, _)| at).find(|at| {
        let behind = text.get(at + 1..).unwrap_or_default();
        behind.trim().is_empty() || behind.starts_with(char::is_whitespace)
    });
    let mut end = marks.chain(sentence).min().unwrap_or(text.len());
    let subjects = SUBJECTS.of(primary);
    let mut from = 0;
    for word in text.get(..end).unwrap_or_default().split_whitespace() {
        let at = text.get(from..).and_then(|rest| rest.find(word));
        let Some(at) = at.map(|at| at + from) else {
            break;
        };
        if subjects.contains(fold(word).as_str()) {
            end = at;
            break;
        }
        from = at + word.len();
    }
    text.get(..end).unwrap_or(text)
}

/// The text without the full stop of its sentence. The one of `S.L.` belongs to the name.
fn without_full_stop(text: &str) -> &str {
    let last = text.rsplit(' ').next().unwrap_or_default();
    match last.matches('.').count() {
        1 => text.trim_end_matches('.'),
        _ => text,
    }
}

/// Whether a line ends with a word of respect behind a name.
fn is_honored(line: &str) -> bool {
    READER_ENDINGS
        .iter()
        .any(|end| line.trim_end().ends_with(end))
}

fn has_role(text: &str) -> bool {
    let folded = fold(text);
    ROLE_WORDS.any_in(&split(&folded))
}

/// Whether a segment behind a name tells a role: `Head of Procurement at Acme`.
fn is_role(segment: &str) -> bool {
    let words = segment.split_whitespace().count();
    let folded = fold(segment);
    let split = split(&folded);
    let ends = |word: &&str| ENDINGS.iter().any(|end| word.ends_with(end)) && word.len() > 5;
    (1..=ROLE_WORDS_MOST).contains(&words)
        && (segment.starts_with(|c: char| c.is_uppercase() || !c.is_ascii())
            || ROLE_WORDS.open(&split))
        && !WE.any_in(&split)
        // `picky Head of Purchasing`
        && !ATTITUDES.any_in(&split)
        && !segment.contains(char::is_numeric)
        && (ROLE_WORDS.any_in(&split) || (words <= 3 && split.iter().any(ends)))
}

/// Whether a segment behind a role is the name of its company; `behind` is what follows it.
fn is_company(segment: &str, behind: &str) -> bool {
    let mut words = segment.split_whitespace();
    let count = words.clone().count();
    let capital = |word: &str| {
        word.starts_with(|c: char| c.is_uppercase() || c == '&') || PARTICLES.contains(&fold(word))
    };
    let folded = fold(segment);
    let ends = behind.trim_start_matches([')', '.', ';']).trim_start();
    (1..=COMPANY_WORDS).contains(&count)
        && words.all(capital)
        && !WE.any_in(&split(&folded))
        && !segment.contains(char::is_numeric)
        && (ends.is_empty() || behind.starts_with(['.', ')', ';', '\n']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, language: &str) -> (String, String) {
        let brief = Brief::read(text, language);
        let found = Readers::of(&brief, language);
        (
            found.first.unwrap_or_default(),
            found.person.unwrap_or_default(),
        )
    }

    #[test]
    fn a_reader_has_a_role_and_a_company() {
        for (language, text, first, person) in [
            (
                "en",
                "Write a proposal for Anna Lindt, Head of Procurement at Acme. Two pages.\n\nIt is cold.",
                "Anna Lindt, Head of Procurement at Acme",
                "",
            ),
            (
                "en",
                "Write a proposal for Anna Lindt, Head of Procurement, Acme Foods.\n\nIt is cold.",
                "Anna Lindt, Head of Procurement, Acme Foods",
                "",
            ),
            (
                "en",
                "Client: Acme Foods\nAttn: Anna Lindt, Head of Procurement\n\nIt is cold.",
                "Acme Foods",
                "Anna Lindt, Head of Procurement",
            ),
            (
                "de",
                "Erstelle ein Angebot für Anna Lindt, Leiterin Einkauf bei Acme, über Kühlung.\n\nEs ist kalt.",
                "Anna Lindt, Leiterin Einkauf bei Acme",
                "",
            ),
            (
                "es",
                "Redacta una propuesta para Conservas de Ardiela sobre el frío.\n\nHace frío.",
                "Conservas de Ardiela",
                "",
            ),
            (
                "fr",
                "Rédigez une proposition pour Anna Lindt, directrice des achats chez Acme.\n\nIl fait froid.",
                "Anna Lindt, directrice des achats chez Acme",
                "",
            ),
            (
                "fr",
                "Proposition commerciale pour les Fromageries Acme (à l'attention de Anna Lindt, directrice des achats). 3 pages \
                 max, ton sobre.\n\nIl fait froid.",
                "les Fromageries Acme",
                "Anna Lindt, directrice des achats",
            ),
            (
                "fr",
                "Client : Acme\nÀ l'attention de : Anna Lindt, Directrice des achats\n\nIl fait froid.",
                "Acme",
                "Anna Lindt, Directrice des achats",
            ),
            (
                "ja",
                "みどり物流様向けの提案書を作成してください。\n\n寒いです。",
                "みどり物流",
                "",
            ),
            (
                "ja",
                "株式会社みなと製氷様向けに、提案書を作成してください。\nご担当：設備課 川村様\n\n寒いです。",
                "株式会社みなと製氷",
                "設備課 川村",
            ),
            (
                "de",
                "Für die Molkerei Tannhof brauchen wir ein Angebot. Ansprechpartner dort: Frau Dr. Ellen Brandt, Betriebsleitung.\n\nEs ist kalt.",
                "die Molkerei Tannhof",
                "Frau Dr. Ellen Brandt, Betriebsleitung",
            ),
            (
                "es",
                "# Agua\n\nCliente: Hoteles Miramar S.L.\nContacto: Anna Lindt, Directora de Operaciones\n\nHace frío.",
                "Hoteles Miramar S.L.",
                "Anna Lindt, Directora de Operaciones",
            ),
            (
                "de",
                "# Kälte\n\n| Kunde | Acme Kost GmbH |\n|---|---|\n| Ansprechpartnerin | Anna Lindt, Leiterin Einkauf |\n\n## Lage\n\nEs ist kalt.",
                "Acme Kost GmbH",
                "Anna Lindt, Leiterin Einkauf",
            ),
            (
                "en",
                "Client: Acme\nContact: Anna Lindt, Keeper of the Loop\n\nIt is cold.",
                "Acme",
                "Anna Lindt",
            ),
            (
                "en",
                "Client: Acme\nContact: Emma Leadbetter, Head of Procurement\n\nIt is cold.",
                "Acme",
                "Emma Leadbetter, Head of Procurement",
            ),
            (
                "en",
                "Client: Acme\nContact: Jo Doe (our side)\n\nIt is cold.",
                "Acme",
                "",
            ),
            (
                "en",
                "Client: Acme\nContact: Sales Team\n\nIt is cold.",
                "Acme",
                "",
            ),
            (
                "en",
                "Proposal for Halden (attn Petra, picky Head of Purchasing).\n\nIt is cold.",
                "Halden",
                "",
            ),
            (
                "en",
                "Make a deck (attn Petra – hates jargon)\n\nIt is cold.",
                "Petra",
                "",
            ),
            (
                "en",
                "Client: Acme\nContact hours: Monday to Friday\n\nIt is cold.",
                "Acme",
                "",
            ),
            (
                "en",
                "Client: Acme\n\n## Facts\n\nIt is cold.\n\n## Next\n\nContact: Jo Doe, Account Manager",
                "Acme",
                "",
            ),
            (
                "en",
                "build a deck for Northwind, I present on Thursday\n\nIt is cold.",
                "Northwind",
                "",
            ),
            (
                "en",
                "# Cold rooms\n\n## Facts\n\nIt is cold.\n\n- Client: Acme Foods\n- Rooms: 4\n",
                "Acme Foods",
                "",
            ),
            (
                "en",
                "# Rooms\n\n## Facts\n\nIt is cold.\n\n- For: the night shift\n- To: Leeds",
                "",
                "",
            ),
        ] {
            assert_eq!(
                of(text, language),
                (first.to_owned(), person.to_owned()),
                "{text}"
            );
        }
        for (line, cut) in [
            ("Client: Doe, Roe & Sons, slow", "Client: Doe, Roe & Sons"),
            ("Client: Northwind, Inc", "Client: Northwind, Inc"),
            ("Attn: Petra, Picky & Stingy", "Attn: Petra"),
        ] {
            assert_eq!(up_to_the_first_mark(line), cut);
        }
    }
}
