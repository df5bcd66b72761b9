//! Sentences in the place of a name, a title or an address: `Head of Metering. Your bills shrink.`
//!
//! DANGER: nobody reads the words of who signs before they are sent, and no name tells anything. What a name has besides, such as
//! `Dr.` and `St. John`, are marks of abbreviations, so that a sentence needs a verb, or words that claim something.

use gtm_lexicon::messages::PREDICATES;

use super::facts::terms;
use super::passage::{Passage, Source, found};
use super::results::results;
use super::vocabulary::Vocabulary;

/// Fewest words of a sentence.
const FEWEST: usize = 3;
/// Fewest words before an exclamation mark that no name has so many of.
const EXCLAIMED: usize = 4;
/// Fewest letters before a full stop of a script without blanks.
const UNSPACED: usize = 4;

/// Whether what somebody gives as a name has a whole sentence in it.
pub(super) fn has_sentence(text: &str, vocabulary: &Vocabulary) -> bool {
    let ends_unspaced = |(at, _)| {
        text.get(..at)
            .unwrap_or_default()
            .chars()
            .nth(UNSPACED - 1)
            .is_some()
    };
    if text
        .match_indices(['。', '！', '．', '｡'])
        .any(ends_unspaced)
    {
        return true;
    }
    // The lines of an address are joined by commas, behind which no sentence ends.
    text.split(", ")
        .chain([text])
        .any(|part| has_sentence_in(part, vocabulary))
}

fn has_sentence_in(text: &str, vocabulary: &Vocabulary) -> bool {
    let mut passage = Passage::default();
    passage.push(text, Source::Literal);
    passage.sentences().into_iter().any(|range| {
        let sentence = text.get(range).unwrap_or_default();
        let bare = sentence.trim_end_matches(['"', '”', '’', ')', '»']);
        if !bare.ends_with(['.', '!', '?', '…']) {
            return false;
        }
        let mut passage = Passage::default();
        passage.push(sentence, Source::Literal);
        let words = passage.words(Source::is_own);
        let predicates = PREDICATES.of(&vocabulary.language);
        let mut printed = sentence.split(|c: char| !c.is_alphanumeric());
        let claims = || {
            !results(&passage, &words, vocabulary).is_empty()
                || !terms(&words, vocabulary).is_empty()
                || !found(&words, vocabulary.seller_claims).is_empty()
                || !found(&words, vocabulary.ask_phrases).is_empty()
        };
        (words.len() >= FEWEST && (printed.any(|word| predicates.contains(word)) || claims()))
            || (words.len() >= EXCLAIMED && bare.ends_with('!'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_told_from_names() {
        for (language, text) in [
            ("en", "Head of Metering. Your bills will shrink."),
            ("en", "Ana Reyes. Metering saves money."),
            ("en", "Tarnbeck Ltd. Every flat pays its own bill."),
            ("en", "The quickest readings in all of Leeds!"),
            ("en", "1 Canal Street. The first year is free of charge."),
            ("de", "Leiterin Vertrieb. Ihre Rechnung wird kleiner."),
            ("de", "Die Ablesung ist kostenlos."),
            ("fr", "Directrice. Votre facture sera réduite."),
            ("es", "Directora. La lectura es gratis."),
            ("it", "Direttrice. La lettura è gratuita."),
            ("pt", "Diretora. A leitura é gratuita."),
            ("nl", "Directeur. Uw rekening wordt lager."),
            ("ja", "営業部長。料金が安くなります。"),
            ("zh", "销售经理。费用会降低。"),
        ] {
            assert!(has_sentence(text, &Vocabulary::of(language)), "{text}");
        }
        for (language, text) in [
            ("en", "Dr. Ana Reyes"),
            ("en", "Ana Reyes, M.Sc."),
            ("en", "Tarnbeck & Sons Ltd."),
            ("en", "St. Mary Road 4, c/o A. B. Hollis Inc."),
            ("en", "Flat 3. 12 Canal Street. Leeds."),
            ("en", "Head of Metering, U.K."),
            ("en", "Yes!"),
            ("en", "Head of Will and Trust Services"),
            ("de", "Dipl.-Ing. Petra Kunze, Leiterin i. V."),
            ("de", "Kunze & Co. KG, Hauptstr. 12, 10115 Berlin"),
            ("fr", "Société de l’Est S.A."),
            ("es", "Hijos de Son S.L."),
            ("ja", "営業部長"),
        ] {
            assert!(!has_sentence(text, &Vocabulary::of(language)), "{text}");
        }
    }
}
