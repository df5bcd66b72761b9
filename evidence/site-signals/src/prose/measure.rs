//! Measures how a text is written.

use std::collections::BTreeSet;

use gtm_lexicon::numbers::is_unspaced;
use gtm_lexicon::prose::{
    ALIKE_REGIONS, BRITISH_VERBS, CONJUNCTIONS, CONTRACTIBLE, CONTRACTION_ENDINGS, CONTRACTIONS,
    NO_BRITISH_VERBS, SWISS_ENDINGS, SWISS_STEMS,
};
use gtm_lexicon::sentences::ABBREVIATIONS;
use gtm_lexicon::{Words, english_spellings};
use gtm_page_text::{BlockKind, canonical_tag, primary_language, region_subtag};

use super::language::Language;
use super::{HeadlineCase, Person, Prose, japanese};

/// Fewest sentences from which a style can be told.
const LEAST_SENTENCES: usize = 5;
const LEAST_WORDS: usize = 60;
/// Fewest paragraphs with emoji that make a habit.
const LEAST_EMOJI: usize = 2;
/// Most words of running text that are read.
const MOST_WORDS: usize = 50_000;
/// Fewest words for which loose text and list items count as running text.
const LEAST_BLOCK_WORDS: usize = 6;

/// Measures blocks of one company's text. Quotations are left out because others wrote them. `language` is
/// the text's BCP 47 tag; without it, only what every language shows is measured.
pub fn measure(blocks: &[(BlockKind, &str)], language: Option<&str>) -> Prose {
    let mut text = Text::default();
    let mut headings = Vec::new();
    let mut running = Vec::new();
    // Headers and footers stand on every page.
    let mut known: BTreeSet<&str> = BTreeSet::new();
    for (kind, block) in blocks {
        if !known.insert(block) {
            continue;
        }
        if text.words.len() > MOST_WORDS {
            break;
        }
        match kind {
            BlockKind::Heading => headings.push(*block),
            BlockKind::Paragraph => {
                running.push(*block);
                text.add(block);
            }
            BlockKind::ListItem | BlockKind::Other => {
                if block.split(' ').count() >= LEAST_BLOCK_WORDS {
                    text.add(block);
                }
            }
            // Old pages are laid out with tables, so their paragraphs are in rows.
            BlockKind::TableRow => {
                if block.split(' ').count() >= LEAST_BLOCK_WORDS && is_ended(block) {
                    text.add(block);
                }
            }
            BlockKind::Quote | BlockKind::Code => {}
        }
    }
    let shown = known.iter().copied();
    let mut prose = Prose {
        sentences: u32::try_from(text.sentences.len()).unwrap_or(u32::MAX),
        emoji: emoji(shown, &running, &text),
        exclamation_marks: exclamation_marks(&text, &headings),
        mean_sentence_words: mean(&text),
        ..Prose::default()
    };
    let tag = language.unwrap_or_default();
    if primary_language(tag) == "ja" {
        japanese::measure(running.into_iter(), &mut prose);
    }
    let Some(language) = Language::of(tag) else {
        return prose;
    };
    prose.headline_case = headline_case(&headings, language);
    if text.is_enough() {
        prose.person = person(&text, language);
        prose.spelling_locale = spelling(&text, language, tag, &region(blocks, tag));
        if language == Language::English {
            prose.contractions = contractions(&text);
            prose.oxford_comma = oxford_comma(&text);
        }
        prose.formality = formality(&text, language, &prose);
    }
    prose
}

#[derive(Default)]
struct Text {
    /// Words as written, punctuation included, with straight apostrophes.
    words: Vec<String>,
    /// Where each sentence starts and ends in `words`.
    sentences: Vec<(usize, usize)>,
    exclamations: usize,
    /// Whether the script does not separate words by spaces.
    unspaced: bool,
}

impl Text {
    fn add(&mut self, block: &str) {
        let block = block.replace(['’', 'ʼ', '‘'], "'");
        let wide = block.chars().filter(|c| is_unspaced(*c)).count();
        self.unspaced |= wide * 3 > block.chars().count();
        let start = self.words.len();
        self.words.extend(block.split(' ').map(str::to_owned));
        let mut from = start;
        for at in start..self.words.len() {
            let word = self.words.get(at).map_or("", String::as_str);
            let next = self.words.get(at + 1).map(String::as_str);
            if let Some(mark) = ending(word, next) {
                self.exclamations += usize::from(mark == '!');
                self.sentences.push((from, at + 1));
                from = at + 1;
            }
        }
        // Text without an end mark is not a sentence, but its words are still the company's.
    }

    fn is_enough(&self) -> bool {
        self.sentences.len() >= LEAST_SENTENCES && self.words.len() >= LEAST_WORDS
    }

    /// Words in lower case, without surrounding punctuation.
    fn bare(&self) -> impl Iterator<Item = String> + '_ {
        self.words.iter().map(|word| bare(word).to_lowercase())
    }

    fn hits(&self, wanted: Words) -> usize {
        self.bare().filter(|word| wanted.contains(word)).count()
    }

    fn per_hundred(&self, hits: usize) -> f64 {
        hits as f64 * 100.0 / self.words.len().max(1) as f64
    }
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// The mark with which a word ends its sentence.
fn ending(word: &str, next: Option<&str>) -> Option<char> {
    let word = word.trim_end_matches(['"', '\'', '”', '»', ')', ']']);
    let mark = word.chars().last()?;
    if matches!(mark, '!' | '?' | '…' | '。' | '！' | '？' | '؟' | '۔') {
        return Some(if mark == '！' { '!' } else { mark });
    }
    if mark != '.' {
        return None;
    }
    let Some(next) = next else {
        return Some('.');
    };
    let stem = bare(word);
    let is_short = stem.chars().count() <= 1
        // Points inside an abbreviation: "e.g.", "z.B.".
        || stem.contains('.')
        || (stem.chars().all(|c| c.is_ascii_digit()) && stem.len() <= 2)
        || ABBREVIATIONS.contains(&stem.to_lowercase());
    let next_begins = next
        .chars()
        .find(|c| c.is_alphanumeric())
        .is_none_or(|c| !c.is_lowercase());
    (!is_short && next_begins).then_some('.')
}

/// Whether a block ends like a sentence.
fn is_ended(block: &str) -> bool {
    block
        .rsplit(' ')
        .next()
        .is_some_and(|word| ending(word, None).is_some())
}

fn mean(text: &Text) -> Option<f64> {
    if text.sentences.len() < LEAST_SENTENCES || text.unspaced {
        return None;
    }
    let words: usize = text.sentences.iter().map(|(from, to)| to - from).sum();
    let mean = words as f64 / text.sentences.len() as f64;
    Some((mean * 10.0).round() / 10.0)
}

/// Whether paragraphs use emoji as words do. Those before a text or alone are icons, which say nothing of the voice.
fn emoji<'a>(
    shown: impl IntoIterator<Item = &'a str>,
    running: &[&str],
    text: &Text,
) -> Option<bool> {
    let is_said = |block: &&&str| {
        let words = block.trim_start_matches(|c: char| !c.is_alphanumeric());
        has_emoji(words)
    };
    let said = running.iter().filter(is_said).count();
    if said >= LEAST_EMOJI && said * 20 >= text.sentences.len() {
        return Some(true);
    }
    let none = || shown.into_iter().all(|block| !has_emoji(block));
    (text.sentences.len() >= LEAST_SENTENCES && none()).then_some(false)
}

fn has_emoji(text: &str) -> bool {
    let mut before = ' ';
    text.chars().any(|c| {
        // These characters are emoji only if U+FE0F follows; otherwise they are icons.
        let on_demand = c == '\u{FE0F}' && matches!(before, '\u{2600}'..='\u{27BF}');
        before = c;
        matches!(c, '\u{1F300}'..='\u{1FAFF}') || on_demand
    })
}

fn exclamation_marks(text: &Text, headings: &[&str]) -> Option<bool> {
    if text.sentences.len() < LEAST_SENTENCES {
        return None;
    }
    // A heading that is repeated on every page counts once.
    let calls: BTreeSet<&str> = headings
        .iter()
        .copied()
        .filter(|heading| {
            heading
                .split(' ')
                .any(|word| ending(word, None) == Some('!'))
        })
        .collect();
    match text.exclamations + calls.len() {
        0 => Some(false),
        // A few in a long text are neither a habit nor a sign of avoidance.
        marks if marks > 1 && marks * 50 >= text.sentences.len() => Some(true),
        _ => None,
    }
}

fn person(text: &Text, language: Language) -> Option<Person> {
    let we = text.bare().filter(|word| language.says_we(word)).count();
    let i = text.hits(language.i());
    if we >= 3 && we >= 3 * i {
        Some(Person::FirstPlural)
    } else if i >= 3 && i >= 3 * we {
        Some(Person::FirstSingular)
    } else if we + i == 0 && text.sentences.len() >= 8 && !language.drops_pronouns() {
        Some(Person::Third)
    } else {
        None
    }
}

/// Codes by which one calls countries whose languages are written elsewhere, too.
const CALLED: [(&str, &str); 7] = [
    ("+353", "IE"),
    ("+41", "CH"),
    ("+43", "AT"),
    ("+44", "GB"),
    ("+49", "DE"),
    ("+61", "AU"),
    ("+64", "NZ"),
];

/// The region that the page declares, else that of the numbers to call which it shows, if these are of one country.
fn region(blocks: &[(BlockKind, &str)], tag: &str) -> String {
    let declared = canonical_tag(tag)
        .and_then(|tag| region_subtag(&tag))
        .filter(|region| region.len() == 2);
    declared.unwrap_or_else(|| {
        let mut shown: Vec<&str> = CALLED
            .iter()
            .filter(|(code, _)| blocks.iter().any(|(_, text)| text.contains(code)))
            .map(|(_, region)| *region)
            .collect();
        match shown.as_slice() {
            [_] => shown.remove(0).to_owned(),
            _ => String::new(),
        }
    })
}

fn spelling(text: &Text, language: Language, tag: &str, region: &str) -> Option<String> {
    match language {
        Language::English => {
            let (mut british, mut american) = (0, 0);
            for word in text.bare() {
                if !NO_BRITISH_VERBS.contains(&word)
                    && BRITISH_VERBS.iter().any(|stem| word.starts_with(stem))
                {
                    british += 1;
                }
                for (here, there) in english_spellings() {
                    if word.starts_with(here) {
                        british += 1;
                        break;
                    } else if word.starts_with(there) {
                        american += 1;
                        break;
                    }
                }
            }
            // These regions spell like Britain; only the page can say which of them it is.
            let alike = ALIKE_REGIONS.contains(region);
            // One word is enough to confirm the locale that the page declares.
            let least = |declared: bool| if declared { 1 } else { 2 };
            if british >= least(alike || region == "GB") && british >= 3 * american {
                Some(format!("en-{}", if alike { region } else { "GB" }))
            } else if american >= least(region == "US") && american >= 3 * british {
                Some("en-US".to_owned())
            } else {
                None
            }
        }
        Language::German => {
            let sharp = text.words.iter().filter(|word| word.contains('ß')).count();
            let swiss = text
                .bare()
                .filter(|word| {
                    SWISS_STEMS.iter().any(|stem| word.starts_with(stem))
                        || SWISS_ENDINGS.iter().any(|ending| word.ends_with(ending))
                })
                .count();
            // As in English, one word confirms the locale that the page declares.
            let least = |declared: bool| if declared { 1 } else { 2 };
            let sharp_there = matches!(region, "AT" | "DE");
            if sharp >= least(sharp_there) && sharp >= 3 * swiss {
                Some(format!("de-{}", if region == "AT" { "AT" } else { "DE" }))
            } else if swiss >= least(region == "CH") && sharp == 0 {
                Some("de-CH".to_owned())
            } else {
                None
            }
        }
        // Elsewhere few words differ, and nobody declares a region by default.
        _ => canonical_tag(tag).filter(|tag| region_subtag(tag).is_some()),
    }
}

/// The number of contracted words, and of words that could have been contracted.
fn contracted(text: &Text) -> (usize, usize) {
    let words: Vec<String> = text.bare().collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let is_contracted = |word: &&&str| {
        CONTRACTIONS.contains(word)
            || CONTRACTION_ENDINGS
                .iter()
                .any(|ending| word.ends_with(ending))
    };
    let short = words.iter().filter(is_contracted).count();
    let long = CONTRACTIBLE.places(&words).count();
    (short, long)
}

fn contractions(text: &Text) -> Option<bool> {
    let (short, long) = contracted(text);
    match short + long {
        0..=2 => None,
        both => Some(short * 10 >= both * 3),
    }
}

/// Lists of three or more: `a, b, and c` against `a, b and c`.
fn oxford_comma(text: &Text) -> Option<bool> {
    let (mut with, mut without) = (0, 0);
    for (from, to) in &text.sentences {
        let Some(words) = text.words.get(*from..*to) else {
            continue;
        };
        for (at, word) in words.iter().enumerate() {
            if !CONJUNCTIONS.contains(word) || at < 3 {
                continue;
            }
            let comma = |back: usize| {
                at.checked_sub(back)
                    .filter(|index| *index > 0)
                    .and_then(|index| words.get(index))
                    .is_some_and(|word| word.ends_with(','))
            };
            // If no other comma precedes, a comma before "and" separates clauses.
            if comma(1) && (2..=4).any(comma) {
                with += 1;
            } else if !comma(1) && comma(2) {
                without += 1;
            }
        }
    }
    if with + without < 2 {
        None
    } else if with >= 3 * without {
        Some(true)
    } else if without >= 3 * with {
        Some(false)
    } else {
        None
    }
}

fn headline_case(headings: &[&str], language: Language) -> Option<HeadlineCase> {
    if !language.has_headline_case() {
        return None;
    }
    let (mut titles, mut sentences) = (0, 0);
    for heading in headings.iter().take(500) {
        // In a heading of several sentences, each begins with a capital.
        let inner = heading.trim_end_matches(['.', '!', '?']);
        if inner.contains(['.', '!', '?', ':']) {
            continue;
        }
        let words: Vec<&str> = heading
            .split(' ')
            .skip(1)
            .map(bare)
            .filter(|word| {
                word.chars().next().is_some_and(char::is_alphabetic)
                    && !language.is_small_word(&word.to_lowercase())
            })
            .collect();
        let is_shouted = !heading.chars().any(char::is_lowercase);
        if words.len() < 2 || is_shouted {
            continue;
        }
        let capitals = words
            .iter()
            .filter(|word| word.chars().next().is_some_and(char::is_uppercase))
            .count();
        if capitals == words.len() {
            titles += 1;
        } else if capitals * 2 < words.len() {
            sentences += 1;
        }
    }
    if titles + sentences < 3 {
        None
    } else if titles >= 3 * sentences {
        Some(HeadlineCase::Title)
    } else if sentences >= 3 * titles {
        Some(HeadlineCase::Sentence)
    } else {
        None
    }
}

/// Judged by how the reader is addressed and how long the sentences are. English has only one "you", so there
/// contractions and the choice of words count instead.
fn formality(text: &Text, language: Language, prose: &Prose) -> Option<u8> {
    let familiar = text.hits(language.familiar());
    let mut score: i32 = 3;
    let mut polite = false;
    if language == Language::English {
        let (short, _) = contracted(text);
        let distant = text.hits(language.distant());
        match prose.contractions {
            Some(true) if text.per_hundred(short) >= 0.8 => score -= 1,
            Some(false) => score += 1,
            _ => {}
        }
        score += i32::from(text.per_hundred(distant) >= 0.3);
        score -= i32::from(text.per_hundred(familiar) >= 0.5);
    } else {
        // A capital at the start of a sentence says nothing.
        let distant = text
            .sentences
            .iter()
            .filter_map(|(from, to)| text.words.get(from + 1..*to))
            .flatten()
            .filter(|word| language.distant().contains(bare(word)))
            .count();
        if familiar + distant < 2 {
            return None;
        }
        if distant >= 3 * familiar {
            // How the reader is addressed weighs more than the marks at the ends of sentences.
            polite = true;
            score = 4;
        } else if familiar >= 3 * distant {
            score = 2;
        }
    }
    if prose.mean_sentence_words.is_some_and(|mean| mean > 24.0) {
        score += 1;
    }
    if !polite && text.exclamations * 8 >= text.sentences.len() {
        score -= 1;
    }
    u8::try_from(score.clamp(1, 5)).ok()
}
