//! The head of a letter: the lines between the orders to the writer and the salutation. They name the day, who writes, to whom,
//! and what about.
//!
//! Danger: orders stand above a letter as well. A head has no sentences, so the last block above the salutation with one ends
//! what is told to the writer.

use gtm_lexicon::documents::{DATE_LABELS, LETTERS, READER_ENDINGS};
use gtm_lexicon::names::PARTICLES;
use gtm_lexicon::{fold, split};

use super::super::verdicts::{Place, Verdict};
use super::super::{
    document_names, line_kinds, mails, one_line, own_date, private_notes, signatures,
};
use super::address::{self, Reader};
use super::formulas::is_unspaced;
use super::subject_of;

/// Most lines of a head, and words and characters of a line.
const MOST_LINES: usize = 16;
const LINE_WORDS: usize = 14;
const LINE_CHARS: usize = 110;
/// Fewest lines that are an address without a day or a subject beside them.
const FEWEST_LINES: usize = 2;
/// Fewest words that end as a sentence does: `S. A.` ends with a full stop, too.
const SENTENCE_WORDS: usize = 5;
/// Longest abbreviation that ends a line, with its full stop.
const ABBREVIATION_CHARS: usize = 3;
/// Longest subject, in words.
const SUBJECT_WORDS: usize = 16;

/// What stands above a salutation.
#[derive(Debug, Default)]
pub struct Head<'t> {
    /// What is told to the writer.
    pub above: Vec<&'t str>,
    /// The lines that belong to the letter, without those that name the day and the subject.
    pub lines: Vec<String>,
    pub subject: Option<String>,
    pub date: Option<String>,
    /// The line that names it, where that says more.
    pub date_words: Option<String>,
}

/// Parts the lines above a salutation.
pub fn of<'t>(before: &[&'t str], salutation: &str, language: &str) -> Head<'t> {
    let begin = begin_of(before, language);
    let (above, head) = before.split_at(begin);
    let mut found = Head::default();
    let mut rest: Vec<String> = Vec::new();
    let mut is_named = false;
    let reader_in =
        |line: &str| Reader::of(line, language).filter(|reader| reader.is_addressed(salutation));
    // Among orders, too, a line may name the reader.
    for line in above {
        match reader_in(line).filter(|_| !is_named) {
            Some(reader) => {
                is_named = true;
                rest.extend(reader.lines);
            }
            None => found.above.push(*line),
        }
    }
    if is_named {
        rest.push(String::new());
    }
    for line in head {
        let day = || own_date::of_line(line, language, own_date::Lines::OfLetters);
        if let Some(said) = subject_of(line).filter(|_| found.subject.is_none()) {
            found.subject = Some(said);
        } else if let Some(day) = day().filter(|_| found.date.is_none()) {
            found.date = Some(day);
            found.date_words = own_date::words_of(line);
        } else if let Some(reader) = reader_in(line) {
            is_named = true;
            rest.extend(reader.lines);
        } else if let Some(day) = dated_by_label(line).filter(|_| found.date_words.is_none()) {
            found.date_words = Some(day);
        } else if is_of_a_mail(line, language) {
            found.above.push(*line);
        } else if !address::is_label_alone(line) {
            rest.push((*line).to_owned());
        }
    }
    // Whatever its months are called: two dates would stand in the letter.
    if found.date.is_none()
        && let Some(at) = rest
            .iter()
            .position(|line| own_date::is_dated_by_form(line))
    {
        found.date_words = Some(one_line(line_kinds::without_emphasis(&rest.remove(at))));
    }
    let lines: Vec<&str> = rest.iter().map(String::as_str).collect();
    let subject = subject_in(&lines);
    if found.subject.is_none()
        && let Some(at) = subject
    {
        found.subject = Some(one_line(line_kinds::without_emphasis(&rest.remove(at))));
    }
    let filled = rest.iter().filter(|line| !line.trim().is_empty()).count();
    let is_dated = found.date.is_some() || found.date_words.is_some();
    let is_head = filled >= FEWEST_LINES || found.subject.is_some() || is_dated || is_named;
    if is_head {
        found.lines = rest;
        found.lines.push(String::new());
    } else {
        found.above = before.to_vec();
    }
    if filled == 0 {
        found.lines.clear();
    }
    found
}

/// The day behind its label in a language whose months are not known here.
fn dated_by_label(line: &str) -> Option<String> {
    let (label, said) = line_kinds::without_emphasis(line).split_once([':', '：'])?;
    let folded = fold(label);
    let is_day = DATE_LABELS.are(&split(&folded)) && own_date::is_dated_by_form(said);
    is_day.then(|| one_line(said))
}

/// Whether a line of a head says who sends it, or who else gets it: `From: Halden Lifts`. The letter says so itself.
fn is_of_a_mail(line: &str, language: &str) -> bool {
    mails::is_of_a_head(line) || Reader::of(line, language).is_some()
}

/// Where the head begins: the lines from there on are none that speak to the writer.
fn begin_of(before: &[&str], language: &str) -> usize {
    let mut begin = before.len();
    let blocks = blocks_of(before);
    for (from, to) in blocks.into_iter().rev() {
        let lines = before.get(from..to).unwrap_or_default();
        let filled = before.get(from..).unwrap_or_default();
        let filled = filled.iter().filter(|line| !line.trim().is_empty()).count();
        if filled > MOST_LINES {
            break;
        }
        if !lines.iter().all(|line| may_be_of_a_head(line, language)) {
            // Directly below an order, a label begins the head: `Write a letter.` above `To: Ms Olsen`.
            let own = lines.iter().rev();
            let own = own
                .take_while(|line| may_be_of_a_head(line, language))
                .count();
            let own = to - own..to;
            let labeled = |at: &usize| {
                before.get(*at).is_some_and(|line| {
                    address::is_label_alone(line)
                        || subject_of(line).is_some()
                        || Reader::of(line, language).is_some()
                })
            };
            return own.clone().find(labeled).unwrap_or(begin);
        }
        begin = from;
    }
    begin
}

/// The lines between blank ones, as places.
fn blocks_of(lines: &[&str]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut from = None;
    for (at, line) in lines.iter().chain(&[""]).enumerate() {
        match (line.trim().is_empty(), from) {
            (false, None) => from = Some(at),
            (true, Some(begin)) => {
                found.push((begin, at));
                from = None;
            }
            _ => {}
        }
    }
    found
}

/// Whether a line may belong to a letter's head. A subject behind its label may be anything but an order.
fn may_be_of_a_head(line: &str, language: &str) -> bool {
    let line = line.trim();
    let folded = fold(line);
    let words = split(&folded);
    let count = line.split_whitespace().count();
    // `Hoteles Alba Mar, S. A.`
    let last = line.rsplit(' ').next().unwrap_or_default();
    let is_short = last.chars().count() <= ABBREVIATION_CHARS || last.matches('.').count() > 1;
    let is_sentence = line_kinds::is_sentence(line)
        && (is_unspaced(line) || count >= SENTENCE_WORDS && !is_short);
    let is_direction = line
        .split_once([':', '：'])
        .is_some_and(|(label, _)| line_kinds::is_direction_label(label));
    let is_company = signatures::is_companys_name(line);
    let names_a_document = !is_unspaced(line)
        && !is_company
        && (LETTERS.any_in(&words) || document_names::of_types().any(|kind| kind.open(&words)));
    let dated = || own_date::of_line(line, language, own_date::Lines::OfLetters).is_some();
    subject_of(line).is_some()
        || address::is_label_alone(line)
        || Reader::of(line, language).is_some()
        || mails::is_of_a_head(line) && !is_direction
        || dated()
        || (1..=LINE_WORDS).contains(&count)
            && line.chars().count() <= LINE_CHARS
            && !is_sentence
            && !is_direction
            && !names_a_document
            && !line.ends_with([':', '：', '?', '？'])
            && !line_kinds::is_heading(line)
            && line_kinds::item_of(line).is_none()
            && !line.starts_with(['|', '>'])
            && !private_notes::opens(line)
            && !Verdict::of(line, language, Place::Beginning).is_order()
}

/// Which line of a head is its subject without saying so: the last, alone between blank lines below an address, and with words
/// that no name has.
fn subject_in(lines: &[&str]) -> Option<usize> {
    let blocks = blocks_of(lines);
    let ((from, to), above) = blocks.split_last()?;
    let line = lines.get(*from)?.trim();
    let alone = to - from == 1 && !above.is_empty();
    (alone && may_be_a_subject(line)).then_some(*from)
}

fn may_be_a_subject(line: &str) -> bool {
    let honored = READER_ENDINGS.iter().any(|end| line.ends_with(end));
    let small = |word: &str| {
        word.starts_with(char::is_lowercase) && !PARTICLES.contains(fold(word).as_str())
    };
    let says_something = is_unspaced(line) || line.split_whitespace().any(small);
    says_something
        && !honored
        && !line.contains('@')
        && line.split_whitespace().count() <= SUBJECT_WORDS
        && !line_kinds::is_sentence(line)
        && !line.ends_with([',', ':', '：', '、'])
}

/// Which line directly below the salutation is the subject: alone between blank lines, no sentence, and text below it.
pub fn subject_below(letter: &[&str], salutation: usize, closing: usize) -> Option<usize> {
    let is_blank = |at: usize| letter.get(at).is_none_or(|line| line.trim().is_empty());
    let at = (salutation + 1..closing).find(|at| !is_blank(*at))?;
    let line = letter.get(at)?.trim();
    let below = (at + 1..closing).find(|at| !is_blank(*at))?;
    let is_apart = at > salutation + 1 && is_blank(at + 1);
    let goes_on = letter.get(below).is_some_and(|line| {
        line_kinds::item_of(line.trim_start()).is_none() && !line.trim_start().starts_with('|')
    });
    let plain = line_kinds::item_of(line).is_none()
        && !line.starts_with(['|', '>', '#'])
        && !is_unspaced(line);
    (is_apart && goes_on && plain && may_be_a_subject(line)).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::super::super::{Brief, texts_of};

    fn read(brief: &str, language: &str) -> (Brief, Vec<String>) {
        let brief = Brief::read(brief, language);
        let texts = brief.chapters.iter().flat_map(|it| texts_of(&it.blocks));
        let texts = texts.collect();
        (brief, texts)
    }

    #[test]
    fn the_head_of_a_letter_stays_with_its_subject_for_a_title() {
        for (language, order, head, title, date, body) in [
            (
                "en",
                "Please turn this into a letter in Word, one page.",
                "Halden Lifts\n4 Quay Lane, Hull\n\n3 May 2027\n\nMs Petra Olsen\nHead of Sites\nVela Ltd",
                "Lift 4 in hall B: a new door",
                Some("2027-05-03"),
                "Dear Ms Olsen,\n\nLift 4 in hall B: a new door\n\nThank you for the visit. The door costs £480.\n\nYours sincerely,\n\n\
                 Jo Marsh",
            ),
            (
                "de",
                "Bitte als Brief in Word, eine Seite.",
                "Halden Gerüste GmbH · Kai 4 · 24103 Kiel\n\nVela eG\nFrau Petra Olm\n24376 Kappeln\n\nKiel, 3. Mai 2027\n\n\
                 Betreff: Gerüst am Kai",
                "Gerüst am Kai",
                Some("2027-05-03"),
                "Sehr geehrte Frau Olm,\n\ndas Gerüst kostet 480 €.\n\nMit freundlichen Grüßen\n\nUte Kern",
            ),
            (
                "es",
                "Haz una carta en Word con esto, por favor.",
                "Cádiz, 3 de mayo de 2027\n\nSra. D.ª Inés Vela\nDirectora\nHoteles Alba Mar, S. A.\n\nAsunto: toallas para 2028",
                "toallas para 2028",
                Some("2027-05-03"),
                "Estimada Sra. Vela:\n\nCada toalla cuesta 1,20 €.\n\nAtentamente,\n\nRafael Gil",
            ),
            (
                "ja",
                "下の内容をお客様あての手紙にしてください。丁寧にお願いします。",
                "2027年5月3日\n\n株式会社ヴェラ\n購買部 部長 川村 恵 様\n\n有限会社ハルデン\n営業部 森 亮\n\n料金改定のお願い",
                "料金改定のお願い",
                Some("2027-05-03"),
                "拝啓 貴社ますますご清栄のこととお慶び申し上げます。\n\n料金は480円です。\n\n敬具",
            ),
        ] {
            let (brief, texts) = read(&format!("{order}\n\n{head}\n\n{body}"), language);
            assert!(brief.is_letter, "{:?}", brief.directions);
            assert_eq!(brief.title.as_deref(), Some(title), "{texts:?}");
            assert_eq!(brief.date.as_deref(), date);
            let printed = texts.join("\n");
            for line in head
                .lines()
                .filter(|it| !it.is_empty() && !it.contains("2027") && !it.contains(title))
            {
                let kept = printed.contains(line) || line == title;
                assert!(kept, "{line}: {printed} {:?}", brief.directions);
            }
            assert!(!printed.contains(title), "{printed}");
            assert_eq!(
                brief.directions.len(),
                order.matches(['.', '。']).count(),
                "{:?}",
                brief.directions
            );
        }
    }

    #[test]
    fn tables_in_a_letter_are_tables() {
        for (language, letter) in [
            (
                "en",
                "Dear Ms Olsen,\n\nthe prices:\n| Door | Price |\n|---|---:|\n| A | £480 |\n\nYours sincerely,\nJo Marsh",
            ),
            (
                "ja",
                "拝啓\n\n記\n\n【料金】\n| 項目 | 月額 |\n|---|---:|\n| 清掃 | 480円 |\n\n以上\n\n敬具",
            ),
        ] {
            let brief = Brief::read(letter, language);
            let blocks = &brief.chapters[0].blocks;
            let is_table = |block: &gtm_document_model::block::Block| {
                matches!(block, gtm_document_model::block::Block::Table(_))
            };
            assert!(blocks.iter().any(is_table), "{blocks:?}");
        }
    }
}
