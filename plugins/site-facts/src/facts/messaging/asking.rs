//! Which texts ask the reader to act, by their words and by where the verb stands in their language.

use gtm_lexicon::calls::{GENERIC, IMPERATIVES, NO_IMPERATIVES, NOUNS, SECOND_CHOICES, VERBS};
use gtm_page_text::primary_language;
use gtm_site_research::boilerplate;
use gtm_site_research::instructions;
use gtm_site_research::words;

/// Whether a text begins as those that every site has; of a single word, all must be that.
pub(super) fn is_generic(words: &[&str]) -> bool {
    GENERIC.are(words) || GENERIC.at_start(words).any(|phrase| phrase.len() > 1)
}

/// Languages whose calls begin with their verb. What looks like one at the end is a noun there: `10-point plan`, `Tras tu
/// visita`.
const VERBS_FIRST: [&str; 7] = ["ca", "en", "es", "fr", "it", "pl", "pt"];

/// Whether the verb may end a call in this language: `Termin vereinbaren`.
fn puts_verbs_last(language: &str) -> bool {
    !VERBS_FIRST.contains(&primary_language(language))
}

/// Whether the words open or close like a call in this language: words of another one mean something else
/// (`Come lavoriamo` is Italian). Nothing is known of languages without a list, so all lists count there.
fn asks_in(language: &str, words: &[&str], is_question: bool) -> bool {
    let code = primary_language(language);
    let closes = |verbs: &'static gtm_lexicon::Phrases| {
        let mut last = verbs.places(words);
        words.len() >= 2
            && puts_verbs_last(code)
            && last.any(|(at, phrase)| at + phrase.len() == words.len())
    };
    let asks = match VERBS.of(code) {
        Some(verbs) => verbs.open(words) || closes(verbs),
        None => VERBS
            .iter()
            .any(|(_, verbs)| verbs.open(words) || closes(verbs)),
    };
    asks || NOUNS.of(code).is_some_and(|nouns| nouns.open(words))
        || !is_question && is_imperative(code, words)
}

/// Whether the first words have the form of an imperative, where a form tells it: `Fragen Sie`, `Appelez`.
fn is_imperative(code: &str, words: &[&str]) -> bool {
    let first = words.first().copied().unwrap_or_default();
    let two = words.get(..2).map(|two| two.join(" ")).unwrap_or_default();
    first.chars().count() >= 4
        && !NO_IMPERATIVES.of(code).contains(first)
        && IMPERATIVES
            .of(code)
            .iter()
            .any(|ending| first.ends_with(ending) || two.ends_with(ending))
}

/// Whether a text names two things that there are: `Beratung & Planung`, `Book & gift shop`. With an object of its own, a verb
/// before the sign asks: `Request a quote & sample`. Without one it may be a noun, unless the text stands like a button.
fn names_two_things(text: &str, language: &str, alone: bool) -> bool {
    let Some((before, _)) = text.split_once('&') else {
        return false;
    };
    let code = primary_language(language);
    let folded = words::fold(before);
    let before = words::split(&folded);
    let asks = !puts_verbs_last(code) && VERBS.of(code).is_some_and(|verbs| verbs.open(&before));
    !asks || before.len() < 2 && !alone
}

/// Fewest letters of Korean, and of any other script, that are more than one word.
const LEAST_HANGUL: usize = 4;
const LEAST_SIGNS: usize = 8;

/// Whether a link's text asks the reader to act. `alone` tells whether one word may do.
pub(super) fn is_call(text: &str, language: &str, alone: bool) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let asks = boilerplate::is_call_to_act(text) || asks_in(language, &words, text.ends_with('?'));
    // A script without blanks counts as one word what others write in several, and Korean joins what belongs together.
    let hangul = text
        .chars()
        .filter(|c| matches!(c, '\u{ac00}'..='\u{d7af}'));
    let signs = text.chars().filter(|c| !c.is_ascii()).count();
    let several = words::count(text) >= 2 || hangul.count() >= LEAST_HANGUL || signs >= LEAST_SIGNS;
    let least = if alone || several && !text.contains(' ') {
        1
    } else {
        2
    };
    (least..=6).contains(&words.len())
        && text.chars().count() <= 50
        && !names_two_things(text, language, alone)
        && asks
        && !SECOND_CHOICES.any_in(&words)
        && !GENERIC.are(&words)
        && !instructions::addressed_to_a_model(text)
}

/// Languages in which the verb ends every sentence, so that a text ending with a verb that asks is a call.
const VERBS_LAST: [&str; 3] = ["ja", "ko", "tr"];

/// Whether a text is a call in a language that puts the verb last: `無料で見積もりを依頼する`. In others a promise may open
/// with a verb as a call does: `Save time`.
pub fn asks_at_its_end(text: &str, language: &str) -> bool {
    VERBS_LAST.contains(&primary_language(language)) && is_call(text, language, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_where_the_verb_comes_last_its_place_tells_a_call() {
        for (language, text) in [
            ("ja", "無料で見積もりを依頼する"),
            ("ko", "온라인 상담 신청"),
            ("tr", "Hemen Teklif Alın"),
        ] {
            assert!(asks_at_its_end(text, language), "{text}");
        }
        for (language, text) in [
            ("en", "Book a demo"),
            ("ja", "安心の長期保証"),
            ("tr", "Zamanında teslimat"),
        ] {
            assert!(!asks_at_its_end(text, language), "{text}");
        }
    }

    #[test]
    fn calls_are_told_from_other_links() {
        let is_call = |text: &str| super::is_call(text, "en-GB", false);
        assert!(is_call("Book a demo") && is_call("Get a quote") && is_call("Start free trial"));
        assert!(is_call("Request a quote & sample") && !is_call("Book & gift shop"));
        assert!(super::is_call("Book & save", "en", true));
        assert!(!super::is_call("Beratung & Planung", "de", true));
        assert!(super::is_call("Termin vereinbaren", "de", false));
        assert!(
            !is_call("Learn more")
                && !is_call("Products")
                && !is_call("Read more")
                && !is_call("Call us instead")
                && !is_call("10-point plan")
                && !is_call("Why we built our own reader for meters in basements")
        );
    }

    #[test]
    fn calls_are_told_in_the_language_of_their_page() {
        for (language, text) in [
            ("de", "Fragen Sie uns!"),
            ("de", "Kontakt aufnehmen"),
            ("fr", "Appelez l’atelier"),
            ("fr", "Demande de devis"),
            ("it", "Preventivo gratuito"),
            ("it", "Esplora il catalogo"),
            ("es", "Presupuesto sin compromiso"),
            ("nl", "Boek een bezoek"),
        ] {
            assert!(is_call(text, language, false), "{language}: {text}");
        }
        for (language, text) in [
            ("it", "Come lavoriamo"),
            ("fr", "Plan de formation"),
            ("fr", "Chez nous"),
            ("fr", "Avez-vous une question ?"),
            ("de", "Haben Sie Fragen?"),
            ("es", "Come con nosotros"),
            ("es", "Tras tu visita"),
            ("de", "Beratung & Planung"),
            ("it", "Dopo la visita"),
            ("it", "Contattaci"),
        ] {
            assert!(!is_call(text, language, false), "{language}: {text}");
        }
        assert!(is_call("Contattaci", "it", true) && is_call("Anrufen", "de", true));
        assert!(!is_call("Kontakt", "de", true) && !is_call("Chi siamo", "it", true));
    }

    #[test]
    fn turkish_and_polish_calls_are_told_from_other_links() {
        for call in [
            "Hemen Teklif Alın",
            "TEKLİF ALIN",
            "Bizi Arayın",
            "Randevu oluştur",
        ] {
            assert!(is_call(call, "tr", false), "{call}");
        }
        for call in ["Umów spotkanie", "Zamów próbkę", "Bezpłatna wycena"] {
            assert!(is_call(call, "pl", false), "{call}");
        }
        for (other, language) in [
            ("Devamını oku", "tr"),
            ("Cam Fenerler", "tr"),
            ("Kalite belgelerimiz", "tr"),
            ("Dowiedz się więcej", "pl"),
            ("Zegary wieżowe", "pl"),
            ("Umowa o pracę", "pl"),
        ] {
            assert!(!is_call(other, language, false), "{other}");
        }
    }

    #[test]
    fn verbs_may_end_a_call() {
        for (language, text) in [
            ("ja", "資料請求"),
            ("ja", "無料で見積もりを依頼する"),
            ("ja", "SMS を無料で試してみる"),
            ("ja", "来店予約はこちら"),
            ("ja", "今すぐ電話する"),
            ("zh", "立即咨询"),
            ("ko", "온라인 상담 신청"),
            ("ko", "지금 무료로 시작하기"),
            ("ko", "견적문의"),
            ("tr", "Ücretsiz keşif iste"),
            ("tr", "Uzmanımızla iletişime geçin"),
        ] {
            assert!(is_call(text, language, false), "{language}: {text}");
        }
        for (language, text) in [
            ("ja", "製品"),
            ("ja", "採用情報"),
            ("ja", "予約システム"),
            ("zh", "产品中心"),
            ("ko", "회사소개"),
            ("ko", "채용 공고"),
            ("tr", "Keşif raporu"),
        ] {
            assert!(!is_call(text, language, false), "{language}: {text}");
        }
    }
}
