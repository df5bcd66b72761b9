//! What no honest message has: pretended replies, pressure without a reason, praise that nobody can check.

use std::ops::Range;

use gtm_lexicon::figures::NUMBERS;
use gtm_lexicon::messages::{REPLY_OPENINGS, REPLY_PREFIXES};
use gtm_lexicon::{fold, split};
use unicode_normalization::UnicodeNormalization as _;

use gtm_domain::message::plain_letters::Reading;

use super::facts::ApprovedTexts;
use super::lapses::lapses;
use super::passage::{Passage, Word, found};
use super::vocabulary::Vocabulary;

/// Most letters of a prefix that mail programs write.
const LONGEST_PREFIX: usize = 16;
/// Most characters of the beginning of a subject that are read.
const BEGINNING: usize = 80;

/// Whether a subject pretends to answer or forward something: `Re: `, `AW:`, `[Fwd: …`, `RE[2]:`, `RE - `, `(Re) `, `↩ `,
/// `In reply to your message`.
pub(super) fn has_false_prefix(subject: &str) -> bool {
    let read = Reading::joined(subject);
    let visible: String = read.as_str().nfkc().take(BEGINNING).collect();
    let visible = visible.trim_start();
    let begin = visible.trim_start_matches(|c: char| c.is_whitespace() || "[(<*{".contains(c));
    if begin.starts_with(turns_back) {
        return true;
    }
    // Other arrows and signs before a mark hide it as little: `→ Re:`.
    let begin = begin.trim_start_matches(|c: char| !c.is_alphanumeric());
    let folded = fold(begin);
    if REPLY_OPENINGS.open(&split(&folded)) {
        return true;
    }
    if letters_before_a_colon(begin).is_some_and(|letters| REPLY_PREFIXES.contains(&fold(&letters)))
    {
        return true;
    }
    let letters: String = begin
        .chars()
        .take_while(|c| c.is_alphabetic() && !COLONS.contains(c))
        .collect();
    let count = letters.chars().count();
    if count > LONGEST_PREFIX || !REPLY_PREFIXES.contains(&fold(&letters)) {
        return false;
    }
    let next = begin.get(letters.len()..).unwrap_or_default();
    let behind = next.trim_start_matches(|c: char| {
        c.is_whitespace() || c.is_ascii_digit() || "[]()^".contains(c)
    });
    // Some programs write `[Fwd]` without a colon. `(Re)think` is a play with words, and `(R)` a sign.
    let in_brackets = visible.starts_with('[') && next.starts_with(']');
    let in_round_ones = count > 1
        && visible.starts_with('(')
        && next
            .strip_prefix(')')
            .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    // `Re-think` has no blank before its hyphen, and `TR -40 °C` a number behind it.
    let before_a_dash = count > 1
        && next.starts_with(|c: char| !DASHES.contains(&c))
        && behind
            .strip_prefix(DASHES)
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()));
    // `Re; our call`, `Re. our call`.
    let before_a_stop = count > 1
        && behind
            .strip_prefix([';', '.'])
            .is_some_and(|rest| rest.starts_with(char::is_whitespace));
    in_brackets || in_round_ones || before_a_dash || before_a_stop || behind.starts_with(COLONS)
}

/// The word whose letters stand one by one before a colon: `R e: `.
fn letters_before_a_colon(begin: &str) -> Option<String> {
    let (head, _) = begin.split_once(COLONS)?;
    let mut letters = head.split_whitespace();
    let are_apart = head.chars().count() <= LONGEST_PREFIX
        && head.split_whitespace().count() > 1
        && letters.all(|letter| letter.chars().count() == 1);
    are_apart.then(|| head.split_whitespace().collect())
}

/// Colons, and signs that look like one.
const COLONS: [char; 11] = [
    ':', '\u{2d0}', '\u{589}', '\u{5c3}', '\u{1361}', '\u{16ec}', '\u{205a}', '\u{2236}',
    '\u{a4fd}', '\u{a789}', '\u{fe55}',
];

/// Dashes, and what else parts a mark from the subject.
const DASHES: [char; 11] = [
    '-', '\u{2010}', '\u{2012}', '–', '—', '―', '−', '|', '>', '»', '›',
];

/// Whether it is an arrow that turns round, as mail programs show beside what was answered or forwarded, or the sign `back`.
const fn turns_back(c: char) -> bool {
    matches!(
        c,
        '\u{21a9}'..='\u{21ac}'
            | '\u{21b0}'..='\u{21b7}'
            | '\u{23ce}'
            | '\u{27a5}'..='\u{27a6}'
            | '\u{2934}'..='\u{293f}'
            | '\u{2b8c}'..='\u{2b91}'
            | '\u{2ba0}'..='\u{2ba7}'
            | '\u{1f519}'
    )
}

/// Whether a subject begins with a word that presses: `Urgent:`, `[ACTION REQUIRED]`, `Dringend!`.
pub(super) fn opens_urgently(subject: &str, words: &[Word], vocabulary: &Vocabulary) -> bool {
    let Some(openings) = vocabulary.urgent_openings else {
        return false;
    };
    let bare: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
    openings.at_start(&bare).any(|phrase| {
        let last = phrase.len().checked_sub(1).and_then(|last| words.get(last));
        let behind = last.and_then(|word| subject.get(word.range.end..));
        behind.is_some_and(|behind| {
            let next = behind.trim_start().chars().next();
            next.is_none_or(|c| ":!：！–—-|]】」".contains(c))
        })
    })
}

/// Where a passage presses. Whoever sells reminder letters has to write of a `final notice`: a phrase that may name such
/// a thing presses nobody if the offer has it in its own words. `Act now` names nothing, so no offer excuses it.
pub(super) fn urgency(
    text: &str,
    words: &[Word],
    vocabulary: &Vocabulary,
    texts: &ApprovedTexts,
) -> Vec<Range<usize>> {
    let names = found(words, vocabulary.urgency_names);
    let mut pressing = found(words, vocabulary.urgency);
    pressing.retain(|range| {
        let first = words.partition_point(|word| word.range.end <= range.start);
        let phrase = words.get(first..).unwrap_or_default().iter();
        let phrase: Vec<&str> = phrase
            .take_while(|word| word.range.start < range.end)
            .map(|word| word.folded.as_str())
            .collect();
        !(names.contains(range) && texts.have(&phrase))
    });
    let lapses = lapses(text, words, vocabulary);
    for more in [shortages(words, vocabulary), lapses].concat() {
        let known = |range: &Range<usize>| range.start < more.end && more.start < range.end;
        if !pressing.iter().any(known) {
            pressing.push(more);
        }
    }
    pressing.sort_by_key(|range| range.start);
    pressing
}

/// Where a passage presses with how few of something there are: `only 3 slots`. The number stands within the phrase.
fn shortages(words: &[Word], vocabulary: &Vocabulary) -> Vec<Range<usize>> {
    let Some(phrases) = vocabulary.shortages else {
        return Vec::new();
    };
    let language = Some(vocabulary.language.as_str());
    let is_number = |word: &str| {
        word.chars().all(char::is_numeric) || !NUMBERS.at_start(&[word], language).is_empty()
    };
    let others = words.iter().enumerate();
    let others: Vec<(usize, &str)> = others
        .map(|(at, word)| (at, word.folded.as_str()))
        .filter(|(_, word)| !is_number(word))
        .collect();
    let bare: Vec<&str> = others.iter().map(|(_, word)| *word).collect();
    let places = phrases.places(&bare).filter_map(|(at, phrase)| {
        let (first, _) = others.get(at)?;
        let (last, _) = others.get(at + phrase.len().checked_sub(1)?)?;
        let counts = last - first >= phrase.len();
        let (first, last) = (words.get(*first)?, words.get(*last)?);
        counts.then_some(first.range.start..last.range.end)
    });
    places.collect()
}

/// The words of a range, as they are printed, for a sentence about them. Of a value that is not known yet its placeholder
/// is shown.
pub(super) fn quoted(passage: &Passage, range: &Range<usize>) -> String {
    const MOST: usize = 60;
    let text = passage.shown(range);
    let mut shown: String = text.chars().take(MOST).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use gtm_domain::message::Inline;

    use super::super::passage::Source;
    use super::*;

    fn own_words(passage: &Passage) -> Vec<Word> {
        passage.words(Source::is_own)
    }

    fn passage(text: &str) -> Passage {
        Passage::of_inlines(&[Inline::Text { v: text.to_owned() }])
    }

    #[test]
    fn pretended_replies_are_known() {
        for subject in [
            "Re: metering",
            "RE : relevés",
            "AW: Zähler",
            "Fwd: offer",
            "[Fwd: offer]",
            "re[2]: x",
            "WG: x",
            "TR : x",
            "RV: x",
            "R\u{200b}e: x",
            "Ｒｅ：x",
            "Antw: x",
            "回复：x",
            "[Re] our call",
            "Re\u{2236} our call",
            "Re\u{a789} our call",
            "Re\u{2d0} our call",
            "RE - our call",
            "Re – our call",
            "AW | Zähler",
            "(Re) our call",
            "R e: our call",
            "F w d : our call",
            "(Fwd): our call",
            "↩ our call",
            "↪\u{fe0f} our call",
            "[↩] our call",
            "Re\u{2800}: our call",
            "ʀᴇ: our call",
            "🆁🅴: our call",
            "Re; our call",
            "Re. our call",
            "→ Re: our call",
            "» WG: Zähler",
            "R\u{20dd}e: our call",
            "ΣΧΕΤ: μετρητές",
            "Απάντηση: μετρητές",
            "Antwort: Zähler",
            "Weitergeleitet: Zähler",
            "Réponse : relevés",
            "Respuesta: contadores",
            "Risposta: contatori",
            "返信: 検針",
            "Ответ: счётчики",
            "Antwort auf Ihre Anfrage: Zähler",
            "In reply to your message",
            "Your reply from Monday - our call",
            "Réponse à votre message : relevés",
        ] {
            assert!(has_false_prefix(subject), "{subject}");
        }
        for subject in [
            "Metering: a question",
            "Refit at Acme",
            "Re metering",
            "",
            "Reading: by hand?",
            "3:1",
            "(Re)think your meters",
            "A or B: our meters",
            "Re-think your meters",
            "(R) meters",
            "Re.meter your flats",
            "I. Quartal",
            "TR -40 °C",
            "→ meters",
            "Reply rates of your mailings",
            "Antwort in einem Tag",
            "Antwort auf Ihre Ausschreibung",
            "Your reply counts",
        ] {
            assert!(!has_false_prefix(subject), "{subject}");
        }
    }

    #[test]
    fn pressure_is_known() {
        let urgent = |language: &str, text: &str| {
            let passage = passage(text);
            let words = own_words(&passage);
            let vocabulary = Vocabulary::of(language);
            opens_urgently(text, &words, &vocabulary)
                || !urgency(text, &words, &vocabulary, &ApprovedTexts::default()).is_empty()
        };
        for (language, text) in [
            ("en", "URGENT: metering"),
            ("en", "[Action required] metering"),
            ("en", "Act now"),
            ("en", "A\u{34f}ct no\u{fe0f}w"),
            ("en", "A\u{e0041}ct\u{200f} now"),
            ("en", "Don’t miss it"),
            ("de", "Wichtig!"),
            ("de", "Nur noch wenige Plätze"),
            ("fr", "Dernière chance"),
            ("es", "Última oportunidad"),
            ("it", "Ultima occasione"),
            ("nl", "Laatste kans"),
            ("pt", "Última oportunidade"),
            ("en", "Slots are left, but they go quickly."),
            ("en", "Only 3 places left"),
            ("en", "Only three slots for October"),
            ("en", "Book one before they’re gone."),
            ("de", "Nur noch 3 Plätze"),
            ("de", "Buchen Sie, bevor alle Plätze vergeben sind."),
            ("es", "Quedan tres plazas."),
            ("es", "Reserve antes de que se agoten."),
            ("fr", "Plus que 3 places"),
            ("fr", "Réservez avant qu’il n’en reste plus."),
            ("it", "Restano tre posti."),
            ("it", "Prenoti prima che finiscano."),
            ("nl", "Nog maar 3 plekken"),
            ("nl", "Reserveer voordat ze op zijn."),
            ("pt", "Restam 3 vagas."),
            ("pt", "Reserve antes que acabem."),
            ("en", "The price goes up on Friday."),
            ("en", "This offer ends next week"),
            ("en", "On Monday our prices will rise."),
            ("de", "Ab Freitag steigt der Preis."),
            ("de", "Das Angebot endet am Monatsende."),
            ("fr", "Le prix augmente vendredi."),
            ("es", "El viernes sube el precio."),
            ("it", "L’offerta scade domenica."),
            ("pt", "O preço sobe na sexta-feira."),
            ("nl", "Vrijdag gaat de prijs omhoog."),
            ("ja", "価格は金曜日に上がります。"),
            ("ja", "本日限りのご案内です。"),
            ("ja", "今だけの特別なご案内です。"),
            ("ja", "残りわずかです。お急ぎください。"),
            ("ja", "先着10名様にご案内します。"),
            ("ja", "残り3席です。"),
            ("ja", "【至急】検針の件"),
            ("ja-JP", "数量限定でお届けします。"),
            ("zh", "仅限今日,先到先得。"),
            ("zh-Hant", "名額有限,最後機會。"),
            ("ko", "오늘만 드리는 제안입니다. 마감 임박!"),
            ("ar", "هذا العرض لفترة محدودة"),
            ("en", "The price of your seat goes up on Friday."),
            ("en", "The price goes up no later than Friday."),
            ("en", "The price not only ends on Friday."),
            ("en", "On Friday, the price goes up."),
            ("en", "The price goes up\u{a0}on Friday."),
            ("en", "The price goes  up on Friday."),
            ("en", "Your discount ends on Friday."),
        ] {
            assert!(urgent(language, text), "{text}");
        }
        for (language, text) in [
            (
                "en",
                "What is left to do is little, and two steps are left.",
            ),
            (
                "en",
                "Three places of work remain open, before they are cleaned.",
            ),
            ("en", "Only one team left its old shift plan."),
            ("en", "Turn left at both slots."),
            ("de", "Was noch zu tun bleibt: nur noch drei Schritte."),
            ("de", "Die Prüfung dauert nur noch 3 Tage."),
            ("es", "Lo que queda por hacer: quedan dos pasos."),
            (
                "fr",
                "Ce qu’il reste à faire : il ne reste que deux étapes.",
            ),
            ("it", "Quello che resta da fare: restano solo due passi."),
            ("nl", "Wat er nog te doen is: nog maar twee stappen."),
            ("pt", "O que falta fazer: restam apenas dois passos."),
            ("en", "Urgent repairs in your blocks"),
            ("en", "Act on readings"),
            ("de", "Wichtige Zähler"),
            ("pl", "Ostatnia szansa"),
            ("en", "You get the prices at the end of the week."),
            ("en", "Meter prices rise every year."),
            ("en", "You get a price. Rises are told on Friday."),
            ("en", "Your night shift ends on Friday."),
            ("de", "Am Freitag steigt die Temperatur im Lager."),
            ("de", "Sie bekommen das Angebot bis Freitag."),
            ("fr", "Vous recevez nos tarifs vendredi."),
            ("es", "Recibe el precio el viernes."),
            ("it", "Riceve il prezzo venerdì."),
            ("pt", "Recebe o preço na sexta-feira."),
            ("nl", "U krijgt de prijs vrijdag."),
            ("ja", "価格は金曜日にお送りします。"),
            ("ja", "今日の残りの作業は三つです。"),
            ("ja", "至急便の配送を管理します。"),
            ("zh", "我们今天寄出报价。"),
            ("ko", "오늘 견적을 보내 드립니다."),
            ("ar", "نرسل العرض اليوم"),
            ("en", "Half the seats end up empty on a Tuesday."),
            ("en", "Half your seats end empty on a Tuesday."),
            ("en", "The price won’t go up soon."),
            ("de", "Die Preise steigen nicht am Freitag."),
            ("fr", "Le prix n’augmente pas vendredi."),
        ] {
            assert!(!urgent(language, text), "{text}");
        }
    }

    #[test]
    fn what_is_offered_may_be_called_by_a_phrase_that_presses() {
        let presses = |language: &str, offer: &str, text: &str| {
            let words = own_words(&passage(text));
            let texts = ApprovedTexts::of([offer]);
            !urgency(text, &words, &Vocabulary::of(language), &texts).is_empty()
        };
        let letters = "Reminder letters: first reminder and final notice, by post.";
        assert!(!presses(
            "en",
            letters,
            "Your final notice goes out by post."
        ));
        assert!(presses("en", "Meters", "This is our final notice."));
        assert!(presses("en", letters, "This is our last reminder."));
        // No name of anything, whoever approved it.
        assert!(presses("en", "Act now, the offer ends today", "Act now"));
        let shipping = "Time-sensitive freight within a day";
        assert!(!presses(
            "en",
            shipping,
            "Your time-sensitive freight arrives."
        ));
        // Another language's words.
        assert!(!presses("fr", "", "Les urgences de votre hôpital"));
    }

    #[test]
    fn placeholders_are_quoted_by_name() {
        let var = |name: &str| Inline::Var {
            name: name.to_owned(),
        };
        let text = |v: &str| Inline::Text { v: v.to_owned() };
        let passage =
            Passage::of_inlines(&[var("next_step.ask"), text(" At "), var("company.name")]);
        let whole = 0..passage.text.len();
        assert_eq!(
            quoted(&passage, &whole),
            "{{next_step.ask}} At {{company.name}}"
        );
    }
}
