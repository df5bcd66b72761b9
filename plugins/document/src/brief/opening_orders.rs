//! The paragraph with which a brief orders its document: `Write a proposal for Northwind. They are wary of the cloud.`
//!
//! Danger: what such a paragraph says besides its order may be said to the writer, of the reader, who must not read it. And it may
//! be what is offered, which must not be lost. So a sentence behind the order is a direction if it speaks of the document, of the
//! reader as of somebody else, or of the one who orders; all else is content.

use gtm_document_model::block::Block;
use gtm_document_model::plain_text;
use gtm_lexicon::company::{REFERRING, WE};
use gtm_lexicon::documents::{
    ABSENT_READERS, ADDRESSING, ATTITUDES, DUE, HINTS, MANNERS, ORDERS, PAGE_UNITS, READING_ROLES,
    SLIDE_UNITS, TEXTS, TOLD_READERS, TONE_ORDERS,
};
use gtm_lexicon::names::WEEKDAYS;
use gtm_lexicon::prose::I;
use gtm_lexicon::trade::ARTICLES;
use gtm_lexicon::{fold, is_month, split};
use gtm_page_text::primary_language;

use super::openings::opens;
use super::soft_breaks::{ASKED_FOR, SOFT_BREAK_CHAR};
use super::verdicts::{Place, Verdict};
use super::{Part, document_names, one_line};
use crate::runs::sentences_of;

/// How many words behind a number its unit may stand: `two short pages`.
const UNIT_REACH: usize = 3;
/// How far into a sentence the one of whom it speaks is named, in words: `Their new director`.
const SUBJECT_REACH: usize = 4;
/// Longest request that is all of a brief, in words.
const REQUEST_WORDS: usize = 25;
/// Longest pronoun, in letters: it names a reader only where it begins a sentence.
const PRONOUN_LETTERS: usize = 4;

/// Whether a sentence behind an order is told to the writer. `after` says whether the sentence before it is.
pub fn is_told(sentence: &str, language: &str, after: bool) -> bool {
    if is_due(sentence) {
        return true;
    }
    if sentence.contains(ASKED_FOR) || states_figures(sentence) {
        return false;
    }
    if primary_language(language) == "ja" && lacks_its_verb(sentence) && is_of_manner(sentence) {
        return true;
    }
    let folded = fold(sentence);
    let words = split(&folded);
    let own = I.of(primary_language(language));
    let printed = sentence.split(|c: char| !c.is_alphabetic() && c != '\'' && c != '’');
    let asks_for_himself = printed
        .filter(|word| !word.is_empty())
        .any(|word| own.contains(&word.to_lowercase().replace('’', "'")));
    if asks_for_himself || ORDERS.open(&words) || HINTS.open(&words) || TOLD_READERS.open(&words) {
        return true;
    }
    // `We monitor cranes` tells what is offered, whatever stands behind it.
    let articles = ARTICLES.of(primary_language(language));
    // `Il nostro sistema`
    let behind_article = words
        .split_first()
        .is_some_and(|(first, rest)| articles.contains(first) && WE.open(rest));
    if WE.open(&words) || behind_article || speaks_to_the_reader(sentence, language) {
        return false;
    }
    speaks_of_the_document(&words, after) || speaks_of_the_reader(&words, language, after)
}

/// Whether a sentence behind an order to colleagues is clearly what is offered: it states a figure or has a label. Where hardly
/// anything stands besides, it may speak of those who offer, or to the reader.
pub fn is_offered(sentence: &str, language: &str, has_more: bool) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let speaks = || WE.open(&words) || speaks_to_the_reader(sentence, language);
    let tells =
        sentence.contains(ASKED_FOR) || states_figures(sentence) || sentence.contains([':', '：']);
    !is_due(sentence) && (tells || !has_more && speaks())
}

/// Whether a sentence says until when a document is wanted: `Need this by Thursday.`
pub fn is_due(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let timed = sentence.contains(char::is_numeric) || names_a_day(&words);
    timed && DUE.any_in(&words)
}

fn names_a_day(words: &[&str]) -> bool {
    words
        .iter()
        .any(|word| WEEKDAYS.contains(word) || is_month(word))
}

/// Whether a sentence above the head of a brief states a figure that is no day and no order.
pub fn states_a_fact(sentence: &str, language: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let is_time = names_a_day(&words);
    let is_order = Verdict::of(sentence, language, Place::Beginning).is_order();
    states_figures(sentence) && !is_time && !is_order
}

/// The request that is all there is: `make me something nice for the customer meeting`. Nothing of it is content.
pub fn mere_request(content: &[Part], language: &str) -> Option<String> {
    let [Part::Block(Block::Paragraph(only))] = content else {
        return None;
    };
    let text = one_line(&plain_text(&only.runs));
    is_a_mere_request(&text, language).then_some(text)
}

/// Whether a text is one sentence that asks for something, whatever that be, and states no figure.
fn is_a_mere_request(text: &str, language: &str) -> bool {
    let folded = fold(text);
    let words = split(&folded);
    words.len() <= REQUEST_WORDS
        && opens(&ORDERS, text)
        && !WE.open(&words)
        // `Please note: the hall is closed` says something.
        && !text.contains(|c: char| c.is_numeric() || matches!(c, ':' | '：'))
        && sentences_of(text, language).len() == 1
}

/// Whether a Japanese sentence ends before the verb that would ask for it: `専門用語は控えめに。`
fn lacks_its_verb(sentence: &str) -> bool {
    sentence
        .trim_end_matches(['。', ' ', '\n', SOFT_BREAK_CHAR])
        .ends_with(['に', 'で'])
}

/// Whether a sentence has a word of a text or of its manner. Slogans lack their verbs, too: `安心を、すべての現場に。`
fn is_of_manner(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    [&MANNERS, &PAGE_UNITS, &SLIDE_UNITS, &TEXTS, &TONE_ORDERS]
        .into_iter()
        .chain(document_names::of_types())
        .any(|names| names.any_in(&words))
}

fn speaks_of_the_document(words: &[&str], after: bool) -> bool {
    let text = [&PAGE_UNITS, &SLIDE_UNITS, &TEXTS]
        .into_iter()
        .chain(document_names::of_types())
        .any(|names| names.any_in(words));
    // Further on, a document may be what is offered.
    text && after
}

/// Whether a sentence behind an order speaks of whoever reads the document, as of somebody else: `Their COO likes tables.`
fn speaks_of_the_reader(words: &[&str], language: &str, after: bool) -> bool {
    let first = words.first().copied().unwrap_or_default();
    // German `Sie` may be `they` there.
    let is_they = primary_language(language) == "de" && first == "sie";
    let is_pronoun = ABSENT_READERS
        .at_start(words)
        .any(|phrase| letters_of(phrase) <= PRONOUN_LETTERS);
    is_they
        || is_pronoun
        || says_of_the_reader(words)
        // Behind what is offered, `the client` is anybody's, and `This cuts downtime` goes on with it.
        || (after && (names_a_reader(words) || REFERRING.contains(first)))
}

/// Whether a sentence tells how a reader is: `The client is wary.` No reader of a document is to read that.
pub fn tells_an_attitude(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    says_of_the_reader(&words)
}

fn says_of_the_reader(words: &[&str]) -> bool {
    let opening = words
        .get(..SUBJECT_REACH.min(words.len()))
        .unwrap_or_default();
    // `The owner sees every fridge` may well be what is offered.
    let role = READING_ROLES.any_in(opening);
    let pronoun = ABSENT_READERS.open(words) && !WE.any_in(words);
    (role || pronoun || names_a_reader(words)) && ATTITUDES.any_in(words)
}

fn names_a_reader(words: &[&str]) -> bool {
    let opening = words
        .get(..SUBJECT_REACH.min(words.len()))
        .unwrap_or_default();
    ABSENT_READERS
        .places(opening)
        .any(|(_, phrase)| letters_of(phrase) > PRONOUN_LETTERS)
}

fn letters_of(phrase: &[&str]) -> usize {
    phrase.iter().map(|word| word.chars().count()).sum()
}

/// Whether a sentence states a number that counts no pages, slides or words of a document. A number in words may be another
/// word: French `neuf` is new, too.
fn states_figures(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let counts_text = |at: usize| {
        (at + 1..=at + UNIT_REACH).any(|at| {
            let rest = words.get(at..).unwrap_or_default();
            [&PAGE_UNITS, &SLIDE_UNITS, &TEXTS]
                .iter()
                .any(|units| units.open(rest))
        })
    };
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let mut numbered = words.iter().enumerate();
    numbered.any(|(at, word)| is_number(word) && !counts_text(at))
}

/// Whether a sentence speaks to the reader of the document. One that has words of orders or of documents speaks to the writer,
/// and so may one that begins with the word: German `Sie` may be `they` there.
fn speaks_to_the_reader(sentence: &str, language: &str) -> bool {
    let primary = primary_language(language);
    let you = ADDRESSING.of(primary);
    let printed = sentence
        .split(|c: char| !c.is_alphabetic() && c != '\'' && c != '’')
        .filter(|word| !word.is_empty());
    let folded = fold(sentence);
    let words = split(&folded);
    let first = if primary == "de" { 1 } else { 0 };
    let addressed = printed.skip(first).any(|word| {
        let small = word.to_lowercase();
        you.contains(word) || (primary != "de" && you.contains(&small))
    });
    addressed && !HINTS.any_in(&words) && !TEXTS.any_in(&words)
}

#[cfg(test)]
mod tests {
    use super::super::Brief;

    #[test]
    fn what_an_opening_paragraph_says_of_the_reader_is_told_to_the_writer() {
        for (language, opening) in [
            (
                "en",
                "Write a proposal for Northwind. They are wary of the cloud. The COO likes tables.",
            ),
            (
                "en",
                "Hi Jo, need a deck for Northwind, 8 slides. Their last supplier went bust so reassure them.",
            ),
            (
                "de",
                "Bitte ein Angebot für Tannach. Der Inhaber ist skeptisch. Sie hatten schon zwei Anbieter.",
            ),
            (
                "fr",
                "Rédige une proposition pour Kerhoz. Leur directrice est pressée. Ils connaissent mal le sujet.",
            ),
            (
                "es",
                "Propuesta en PDF para Ardiela. Es un cliente muy tradicional.",
            ),
            (
                "it",
                "Scrivi una proposta per Vela. Il presidente guarda ai costi.",
            ),
            (
                "nl",
                "Maak een voorstel voor De Korenaar. De eigenaar leest op zijn telefoon.",
            ),
            (
                "pt",
                "Preciso de uma proposta para a Lezíria. O dono não gosta de rodeios.",
            ),
            (
                "ja",
                "ミナト様向けの提案書を作成してください。読み手は物流部長です。",
            ),
        ] {
            let brief = Brief::read(&format!("{opening}\n\n## A\n\n40 x 60."), language);
            assert_eq!(brief.chapters.len(), 1, "{}", brief.text());
            assert_eq!(brief.chapters[0].heading.as_deref(), Some("A"), "{opening}");
        }
    }

    #[test]
    fn a_day_until_when_a_document_is_wanted_is_told_to_the_writer() {
        for (language, opening) in [
            (
                "en",
                "Write a proposal for Northwind. Need this by Thu 26th.",
            ),
            (
                "en",
                "Write a proposal for Northwind.\n\nThey are wary. I need it by Monday.",
            ),
            (
                "fr",
                "Rédige une proposition pour Kerhoz. Elle doit le recevoir avant le 15 janvier 2027.",
            ),
            (
                "es",
                "Haz una propuesta para Ardiela. Lo necesito el lunes a primera hora.",
            ),
            (
                "ja",
                "ミナト様向けの提案書を作成してください。締め切りは2月10日です。",
            ),
        ] {
            let brief = Brief::read(&format!("{opening}\n\n## A\n\n40 x 60."), language);
            assert_eq!(brief.chapters.len(), 1, "{}", brief.text());
        }
        let fact = "The first invoice is due on 4 May.";
        let brief = Brief::read(
            &format!("Write a proposal for Leeds. {fact}\n\n## A\n\nB."),
            "en",
        );
        assert!(brief.text().contains(fact), "{:?}", brief.directions);
    }

    #[test]
    fn facts_in_figures_and_words_to_the_reader_stay() {
        for (language, opening, kept) in [
            (
                "en",
                "Write a proposal for Northwind, 2 pages. They lost 19 crane days.",
                "They lost 19 crane days.",
            ),
            (
                "en",
                "Write a proposal for Northwind. It should have three pages. With us your cranes move.",
                "With us your cranes move.",
            ),
            (
                "de",
                "Bitte ein Angebot für Tannach. Die Ablesung kostet 7.400 € im Jahr. Sie sind skeptisch.",
                "Die Ablesung kostet 7.400 € im Jahr.",
            ),
            (
                "fr",
                "Rédige une proposition pour Kerhoz. Avec nous, vos magasins sont livrés à temps.",
                "Avec nous, vos magasins sont livrés à temps.",
            ),
            (
                "es",
                "Propuesta en PDF para Ardiela. Cada parada dura 35 minutos.",
                "Cada parada dura 35 minutos.",
            ),
        ] {
            let brief = Brief::read(&format!("{opening}\n\n## A\n\nB."), language);
            assert_eq!(
                brief.text().lines().next(),
                Some(kept),
                "{:?}",
                brief.directions
            );
        }
    }

    #[test]
    fn what_is_offered_stays_beside_the_order() {
        for (language, opening, kept) in [
            (
                "en",
                "Write a proposal for Northwind. We monitor cranes around the clock. This cuts downtime. They are wary.",
                "We monitor cranes around the clock. This cuts downtime.",
            ),
            (
                "en",
                "Northwind runs its cranes day and night. Write a proposal for Northwind.",
                "Northwind runs its cranes day and night.",
            ),
            (
                "en",
                "Make a one-pager for restaurant owners. The owner sees every fridge on one screen. I'd like it cheerful.",
                "The owner sees every fridge on one screen.",
            ),
            (
                "de",
                "Bitte ein Angebot für Tannach. Unsere Funkzähler melden jeden Ausfall sofort. Der Inhaber ist skeptisch.",
                "Unsere Funkzähler melden jeden Ausfall sofort.",
            ),
            (
                "fr",
                "Rédige une proposition pour Kerhoz. Nos capteurs lisent tout à distance. Leur directrice est pressée.",
                "Nos capteurs lisent tout à distance.",
            ),
            (
                "es",
                "Haz una propuesta para Ardiela. Nuestro sistema etiqueta sin parar la línea.",
                "Nuestro sistema etiqueta sin parar la línea.",
            ),
            (
                "it",
                "Scrivi una proposta per Vela. Il nostro sistema legge i contatori a distanza.",
                "Il nostro sistema legge i contatori a distanza.",
            ),
            (
                "nl",
                "Maak een voorstel voor De Korenaar. Onze weegbrug werkt zonder personeel.",
                "Onze weegbrug werkt zonder personeel.",
            ),
            (
                "ja",
                "ミナト様向けの提案書を作成してください。弊社はクレーンを常時監視しています。",
                "弊社はクレーンを常時監視しています。",
            ),
            (
                "ja",
                "ミナト様向けの提案書を作成してください。専門用語は控えめに。安心を、すべての現場に。",
                "安心を、すべての現場に。",
            ),
            (
                "ja",
                "ミナト様向けの提案書を作成してください。価格には触れずに。数字を中心に。価格は最後に。安心を、すべての現場に。",
                "安心を、すべての現場に。",
            ),
        ] {
            let brief = Brief::read(&format!("{opening}\n\n## A\n\nB."), language);
            assert_eq!(
                brief.text().lines().next(),
                Some(kept),
                "{:?}",
                brief.directions
            );
        }
    }

    #[test]
    fn what_a_reader_is_like_is_told_wherever_a_brief_that_orders_says_it() {
        for (language, brief, kept) in [
            (
                "en",
                "Write a proposal for Leeds.\n\nWe read 9 meters. Their director is wary of the cloud.",
                "We read 9 meters.",
            ),
            (
                "es",
                "Haz una propuesta para Ardiela.\n\nEtiquetamos 900 latas. El cliente es muy desconfiado.",
                "Etiquetamos 900 latas.",
            ),
            (
                "fr",
                "Rédige une fiche pour les hôteliers. Nous rénovons étage par étage. Le client ne voit pas de poussière.\n\nUn étage \
                 dure 9 jours.",
                "Nous rénovons étage par étage. Le client ne voit pas de poussière.\nUn étage dure 9 jours.",
            ),
        ] {
            let brief = Brief::read(brief, language);
            assert_eq!(brief.text().trim(), kept, "{:?}", brief.directions);
        }
    }

    #[test]
    fn a_request_that_is_all_there_is_is_not_printed() {
        for (language, request) in [
            ("en", "make me something nice for the board meeting"),
            ("de", "mach mal was Schönes für den Termin"),
            ("fr", "fais moi un truc sympa pour le salon"),
        ] {
            let brief = Brief::read(request, language);
            assert!(!brief.has_content(), "{}", brief.text());
            assert_eq!(brief.directions, [request]);
        }
        assert!(Brief::read("We need a better way to read meters.", "en").has_content());
    }

    #[test]
    fn one_request_below_a_title_is_what_the_document_says() {
        let brief = Brief::read("# Quiet gates\n\nTurn noisy gates into quiet ones", "en");
        assert!(brief.has_content(), "{:?}", brief.directions);
    }

    #[test]
    fn an_order_that_is_all_there_is_loses_only_its_orders() {
        let brief = Brief::read(
            "Write a proposal for Northwind. They are wary of the cloud.",
            "en",
        );
        assert_eq!(brief.text().trim(), "They are wary of the cloud.");
    }
}
