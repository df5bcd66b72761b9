//! The lines with which a brief begins and that belong on the cover: `Working title: …`, `Offer no.: …`, `Prepared by: …`,
//! `z. Hd. Frau Dr. Lind`. Which reader and which day they name, others read.
//!
//! Danger: a list of content may begin with labels, too. So only a block whose lines are all short and labeled is a head, and only
//! what has a known label leaves it.

use gtm_document_model::block::Block;
use gtm_lexicon::documents::{
    ATTENTION_LABELS, AUTHOR_LABELS, DATE_LABELS, RECIPIENT_LABELS, REFERENCE_LABELS,
    SUBJECT_LABELS, TITLE_LABELS,
};
use gtm_lexicon::{fold, is_month, split};

use super::line_kinds::is_direction_label;
use super::{Part, contacts, one_line, part_lines};

/// How many parts at the beginning are searched.
const MOST_PARTS: usize = 8;
/// Most lines of a head, words of a line, and words of a label.
const MOST_LINES: usize = 14;
const LINE_WORDS: usize = 24;
const LABEL_WORDS: usize = 5;
/// Longest title, in words and characters.
const TITLE_WORDS: usize = 20;
const TITLE_CHARS: usize = 140;
/// Longest number of a document, day without its number, and name of whoever presents it, in words.
const REFERENCE_WORDS: usize = 6;
const MONTH_WORDS: usize = 4;
const AUTHOR_WORDS: usize = 14;
/// Longest label that may be a mere preposition, in letters: `From`, `Da`.
const PREPOSITION_LETTERS: usize = 4;
/// Longest label that is a mere `Title`, `Titel` or `Titolo`, in letters.
const BARE_TITLE_LETTERS: usize = 6;

/// What a head says.
#[derive(Debug, Default)]
pub struct Head {
    /// The parts without what belongs on the cover.
    pub parts: Vec<Part>,
    pub title: Option<String>,
    /// The lines for the cover as the brief has them, without the label where the words say what they are.
    pub facts: Vec<String>,
    /// A month that stands for the day: `November 2026`.
    pub month: Option<String>,
    /// Lines that name the person who reads it, with a colon behind their label.
    pub readers: Vec<String>,
    /// Which part is the first with a head.
    pub at: Option<usize>,
    titled: bool,
    /// Whether the line directly before names the person who reads it.
    after_reader: bool,
}

/// What a line says.
#[derive(Debug, PartialEq, Eq)]
enum Fact {
    Title(String),
    /// A line for the cover.
    Cover(String),
    /// A month in the place of the day.
    Month(String),
    /// A person, behind a label with a colon.
    Reader(String),
    /// Others read it: the reader, the subject, an order.
    Known,
}

/// Takes the head off the parts before the first heading. A brief that is `titled` has its title already.
pub fn taken(parts: Vec<Part>, titled: bool) -> Head {
    let mut head = Head {
        titled,
        ..Head::default()
    };
    let mut before_headings = true;
    for (at, part) in parts.into_iter().enumerate() {
        before_headings &= !matches!(part, Part::Heading { .. });
        if !before_headings || at >= MOST_PARTS || !is_head(&part) {
            head.parts.push(part);
            continue;
        }
        // Orders alone are none.
        if lines_of(&part).iter().any(|line| is_fact(line)) {
            head.at.get_or_insert(at);
        }
        let rest = part_lines::retain(part, |line| !head.takes(line));
        head.parts.extend(rest);
    }
    head
}

/// Whether a line has a label that tells a reader, a day or a number of the document.
pub fn is_fact(line: &str) -> bool {
    fact_of(line).is_some_and(|fact| !is_order(line, &fact))
}

fn is_order(line: &str, fact: &Fact) -> bool {
    let label = line.split([':', '：']).next().unwrap_or_default();
    *fact == Fact::Known && is_direction_label(label)
}

impl Head {
    fn takes(&mut self, line: &str) -> bool {
        let after_reader = std::mem::replace(&mut self.after_reader, names_a_person(line));
        match fact_of(line) {
            Some(Fact::Title(title))
                if !self.titled
                    && self.title.is_none()
                    && !(after_reader && may_be_of_a_job(line)) =>
            {
                self.title = Some(title);
            }
            Some(Fact::Cover(fact)) => self.facts.push(fact),
            Some(Fact::Month(month)) if self.month.is_none() => self.month = Some(month),
            Some(Fact::Reader(reader)) => self.readers.push(reader),
            Some(Fact::Title(_) | Fact::Month(_) | Fact::Known) | None => return false,
        }
        true
    }
}

/// Whether all lines of a part are short and labeled, and one says what the cover has.
fn is_head(part: &Part) -> bool {
    let lines = lines_of(part);
    let facts: Vec<Option<Fact>> = lines.iter().map(|line| fact_of(line)).collect();
    let labeled = |(line, fact): (&String, &Option<Fact>)| fact.is_some() || is_labeled(line);
    let telling = lines
        .iter()
        .zip(&facts)
        .any(|(line, fact)| fact.is_some() && !is_behind_a_preposition(line));
    (1..=MOST_LINES).contains(&lines.len())
        && telling
        && lines.iter().zip(&facts).all(labeled)
        && lines
            .iter()
            .all(|line| line.split_whitespace().count() <= LINE_WORDS)
}

/// The lines of a paragraph or of a plain list, without blank ones.
fn lines_of(part: &Part) -> Vec<String> {
    let is_plain = match part {
        Part::Block(Block::Paragraph(_)) => true,
        Part::Block(Block::Bullets(list)) => list.items.iter().all(|it| it.items.is_empty()),
        Part::Heading { .. } | Part::Block(_) => false,
    };
    if !is_plain {
        return Vec::new();
    }
    let lines = part_lines::lines_of(part).into_iter();
    lines
        .map(|line| line.trim().to_owned())
        .filter(|line| !line.is_empty())
        .collect()
}

fn parted(line: &str) -> Option<(&str, &str)> {
    let (label, said) = line.split_once([':', '：'])?;
    let (label, said) = (label.trim(), said.trim());
    (!label.is_empty() && !said.is_empty()).then_some((label, said))
}

fn is_labeled(line: &str) -> bool {
    parted(line).is_some_and(|(label, _)| {
        label.split_whitespace().count() <= LABEL_WORDS && label.starts_with(char::is_alphabetic)
    })
}

/// Whether the label is no more than a preposition: `From: Leeds`, `To: Hull`.
fn is_behind_a_preposition(line: &str) -> bool {
    parted(line).is_some_and(|(label, _)| {
        label.is_ascii()
            && label.chars().count() <= PREPOSITION_LETTERS
            && (is_one_of(&AUTHOR_LABELS, label) || is_one_of(&RECIPIENT_LABELS, label))
            && !is_one_of(&ATTENTION_LABELS, label)
    })
}

/// Whether a line names the person who reads the document.
fn names_a_person(line: &str) -> bool {
    match parted(line) {
        Some((label, _)) => is_one_of(&ATTENTION_LABELS, label),
        None => matches!(fact_of(line), Some(Fact::Reader(_))),
    }
}

/// Whether the label is a mere `Title`, which people have, too.
fn may_be_of_a_job(line: &str) -> bool {
    parted(line).is_some_and(|(label, _)| {
        let folded = fold(label);
        folded.is_ascii() && folded.len() <= BARE_TITLE_LETTERS
    })
}

fn is_one_of(labels: &'static gtm_lexicon::Phrases, label: &str) -> bool {
    let folded = fold(label);
    labels.are(&split(&folded))
}

fn fact_of(line: &str) -> Option<Fact> {
    let line = line.trim();
    let Some((label, said)) = parted(line) else {
        return unlabeled(line);
    };
    let words = said.split_whitespace().count();
    let is = |labels: &'static gtm_lexicon::Phrases| is_one_of(labels, label);
    let named = said.starts_with(|c: char| c.is_uppercase() || c.is_numeric() || !c.is_ascii());
    if is(&TITLE_LABELS) {
        let fits = words <= TITLE_WORDS && said.chars().count() <= TITLE_CHARS;
        return fits.then(|| Fact::Title(one_line(said)));
    }
    if is(&REFERENCE_LABELS) && words <= REFERENCE_WORDS && said.contains(char::is_numeric) {
        return Some(Fact::Cover(one_line(line)));
    }
    if is(&AUTHOR_LABELS) && words <= AUTHOR_WORDS && named {
        return Some(Fact::Cover(one_line(line)));
    }
    if is(&DATE_LABELS) {
        let is_month = words <= MONTH_WORDS && is_a_month(said);
        return Some(if is_month {
            Fact::Month(one_line(said))
        } else {
            Fact::Known
        });
    }
    let known = is(&RECIPIENT_LABELS)
        || is(&SUBJECT_LABELS)
        || is(&ATTENTION_LABELS)
        || is_direction_label(label);
    known.then_some(Fact::Known)
}

/// What a line without a colon says: `z. Hd. Frau Dr. Lind`, `Preventivo n. 4/2026`.
fn unlabeled(line: &str) -> Option<Fact> {
    if let Some(reader) = contacts::with_colon(&ATTENTION_LABELS, line) {
        let named = reader.split_once(": ").is_some_and(|(_, name)| {
            let words = name.split_whitespace().count();
            let title = name.split_whitespace().next().unwrap_or_default();
            // `T.a.v. mevrouw De Wit`
            let behind = name.get(title.len()..).unwrap_or_default().trim_start();
            (1..=AUTHOR_WORDS).contains(&words)
                && (title.contains('.')
                    || !title.starts_with(char::is_lowercase)
                    || behind.starts_with(char::is_uppercase))
        });
        return named.then_some(Fact::Reader(reader));
    }
    let folded = fold(line);
    let words = split(&folded);
    let behind = REFERENCE_LABELS
        .at_start(&words)
        .map(<[_]>::len)
        .max()
        .and_then(|length| words.get(length..))?;
    let is_number = (1..=REFERENCE_WORDS).contains(&behind.len())
        && behind
            .first()
            .is_some_and(|word| word.contains(char::is_numeric));
    is_number.then(|| Fact::Cover(one_line(line)))
}

/// Whether a text is a month with its year: `November 2026`, `2026年11月`.
fn is_a_month(said: &str) -> bool {
    let numbers = said.split(|c: char| !c.is_numeric());
    let numbers = numbers.filter(|number| !number.is_empty()).count();
    if said.contains('月') {
        return numbers == 2 && !said.contains('日');
    }
    let folded = fold(said);
    let words = split(&folded);
    words.iter().any(|word| is_month(word)) && numbers == 1
}

#[cfg(test)]
mod tests {
    use super::super::Brief;

    #[test]
    fn what_the_head_of_a_brief_says_stands_on_the_cover() {
        for (language, brief, title, reader, facts) in [
            (
                "en",
                "Working title: Gates that close. Every night.\nClient: Halden Gates Ltd\nAttn: Jo Marsh, Head of Sites\n\
                 Our ref: HG-27/4\n\n## Why\n\nTwo of 9 gates stay open.",
                "Gates that close. Every night.",
                "Halden Gates Ltd",
                vec!["Our ref: HG-27/4"],
            ),
            (
                "de",
                "# Tore\n\nKunde: Tannach Tore GmbH & Co. KG\nz. Hd. Frau Dr. Ute Kern, Werkleiterin\nAngebotsnummer: T-27/4\n\n\
                 ## Warum\n\nZwei von 9 Toren stehen offen.",
                "Tore",
                "Tannach Tore GmbH & Co. KG",
                vec!["Angebotsnummer: T-27/4"],
            ),
            (
                "it",
                "# Cancelli\n\nPreparato per: Vela Cancelli S.p.A.\nAlla c.a. dott.ssa Anna Riva\nData: marzo 2027\n\n## Perché\n\n\
                 Due cancelli su 9 restano aperti.",
                "Cancelli",
                "Vela Cancelli S.p.A.",
                Vec::new(),
            ),
            (
                "ja",
                "# 門扉\n\n宛先：有限会社ハルデン\n提出者：株式会社トール 営業部\n\n## 背景\n\n9か所のうち2か所が開いています。",
                "門扉",
                "有限会社ハルデン",
                vec!["提出者：株式会社トール 営業部"],
            ),
        ] {
            let read = Brief::read(brief, language);
            assert_eq!(read.title.as_deref(), Some(title));
            assert_eq!(read.addressee.recipient.as_deref(), Some(reader));
            assert_eq!(read.cover_facts, facts);
            let month = (language == "it").then_some("marzo 2027");
            assert_eq!(read.date_words.as_deref(), month);
            let first = read.chapters.first().and_then(|it| it.heading.as_deref());
            assert!(first.is_some(), "{}", read.text());
        }
    }

    #[test]
    fn a_second_title_and_the_title_of_a_person_are_no_title() {
        let brief =
            "# Gates\n\nWorking title: Quiet Vela nights\nOur ref: HG-27/4\n\n## A\n\nVela 40.";
        let read = Brief::read(brief, "en");
        assert_eq!(read.title.as_deref(), Some("Gates"));
        let said = format!("{}{:?}", read.text(), read.directions);
        assert!(said.contains("Quiet Vela nights"), "{said}");
        let brief = "Client: Vela Ltd\nAttn: Jo Marsh\nTitle: Plant Manager\nOur ref: HG-27/4\n\n## A\n\nVela 40.";
        let read = Brief::read(brief, "en");
        assert_ne!(read.title.as_deref(), Some("Plant Manager"));
        let brief = "Attn: Jo Marsh\nWorking title: Gates\n\n## A\n\nVela 40.";
        assert_eq!(Brief::read(brief, "en").title.as_deref(), Some("Gates"));
    }

    #[test]
    fn lists_of_content_keep_their_labels() {
        for (language, brief) in [
            ("en", "- From: Leeds\n- To: Hull\n\nWe carry 40 pallets."),
            (
                "de",
                "- Beginn: 8 Uhr\n- Ende: 17 Uhr\n\nWir tragen 40 Paletten.",
            ),
        ] {
            let read = Brief::read(brief, language);
            assert!(read.cover_facts.is_empty() && read.title.is_none());
            let text = read.text();
            assert!(text.contains('7') || text.contains("Leeds"), "{text}");
        }
    }
}
