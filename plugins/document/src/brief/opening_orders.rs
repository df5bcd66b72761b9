//! The paragraph with which a brief orders its document: `Write a proposal for Northwind. They are wary of the cloud.`
//!
//! Danger: what such a paragraph says besides its order may be said to the writer, of the reader, who must not read it. And it may
//! be what is offered, which must not be lost. So a sentence behind the order is a direction if it speaks of the document, of the
//! reader as of somebody else, or of the one who orders; all else is content.

use gtm_lexicon::company::{REFERRING, WE};
use gtm_lexicon::documents::{
    ABSENT_READERS, ADDRESSING, ATTITUDES, HINTS, ORDERS, PAGE_UNITS, READING_ROLES, SLIDE_UNITS,
    TEXTS,
};
use gtm_lexicon::prose::I;
use gtm_lexicon::trade::ARTICLES;
use gtm_lexicon::{fold, split};
use gtm_page_text::primary_language;

use super::forms::KINDS;
use super::soft_breaks::ASKED_FOR;

/// How many words behind a number its unit may stand: `two short pages`.
const UNIT_REACH: usize = 3;
/// How far into a sentence the one of whom it speaks is named, in words: `Their new director`.
const SUBJECT_REACH: usize = 4;
/// Longest pronoun, in letters: it names a reader only where it begins a sentence.
const PRONOUN_LETTERS: usize = 4;

/// Whether a sentence behind an order is told to the writer. `after` says whether the sentence before it is.
pub fn is_told(sentence: &str, language: &str, after: bool) -> bool {
    if sentence.contains(ASKED_FOR) || states_figures(sentence) {
        return false;
    }
    let folded = fold(sentence);
    let words = split(&folded);
    let own = I.of(primary_language(language));
    let printed = sentence.split(|c: char| !c.is_alphabetic() && c != '\'' && c != '’');
    let asks_for_himself = printed
        .filter(|word| !word.is_empty())
        .any(|word| own.contains(&word.to_lowercase().replace('’', "'")));
    if asks_for_himself || ORDERS.open(&words) || HINTS.open(&words) {
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

fn speaks_of_the_document(words: &[&str], after: bool) -> bool {
    let text = [&PAGE_UNITS, &SLIDE_UNITS, &TEXTS]
        .into_iter()
        .chain(KINDS)
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
    fn an_order_that_is_all_there_is_loses_only_its_orders() {
        let brief = Brief::read(
            "Write a proposal for Northwind. They are wary of the cloud.",
            "en",
        );
        assert_eq!(brief.text().trim(), "They are wary of the cloud.");
    }
}
