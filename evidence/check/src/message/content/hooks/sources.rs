//! Who gets something, and from whom: of `Tarn bought vans from us` a hook must not make `you bought vans from Tarn`.
//!
//! DANGER: who buys stands before the verb and who sells behind a preposition, so that the order of words alone tells nothing.

use gtm_lexicon::messages::{ACTED_ON, ACTING, PARAPHRASES, PREPOSITIONS};
use gtm_lexicon::prose::{NO_PLURAL_VERBS, PLURAL_VERBS};

use super::said::Same;
use super::tellings::{Place, Telling};

/// The class of prepositions before where something comes from.
const FROM: &str = "from";
/// The class of words for buying.
const BUYING: &str = "buy";

/// Somebody by his word, or nothing for a pronoun of who tells or of the reader.
type Somebody = Option<usize>;

/// Whether who gets something in one telling is in the other who it comes from.
pub(super) fn are_turned(
    hook: &Telling<'_>,
    told: &Telling<'_>,
    same: &Same<'_>,
    verbs: &[(usize, usize)],
) -> bool {
    if hook.is_passive() || told.is_passive() {
        return false;
    }
    let (sources, other_sources) = (sources(hook), sources(told));
    if sources.is_empty() && other_sources.is_empty() {
        return false;
    }
    let is_it = |one: &Somebody, other: &Somebody| match (one, other) {
        (Some(one), Some(other)) => same.are_one(*one, *other),
        (None, None) => true,
        _ => false,
    };
    let mut verbs = verbs
        .iter()
        .filter(|(verb, other_verb)| buys(hook, *verb) && buys(told, *other_verb));
    verbs.any(|(verb, other_verb)| {
        let (getting, other_getting) = (getting(hook, *verb), getting(told, *other_verb));
        let is_among = |one: &Somebody, others: &[Somebody]| others.iter().any(|it| is_it(one, it));
        let gives = sources
            .iter()
            .any(|one| is_among(one, &other_getting) && !is_among(one, &other_sources));
        let gets = getting
            .iter()
            .any(|one| is_among(one, &other_sources) && !is_among(one, &other_getting));
        gives || gets
    })
}

/// Who stands behind a preposition of where something comes from; of what is bought, others tell it as well: `von`, `da`.
fn sources(telling: &Telling<'_>) -> Vec<Somebody> {
    let class_of_sellers = match telling.language {
        "de" | "es" | "nl" | "pt" => "of",
        "it" => "by",
        _ => FROM,
    };
    let is_source = |class: &str| class == FROM || class == class_of_sellers;
    let mut found = Vec::new();
    for at in 0..telling.words.len() {
        // `de ustedes` is tied like a name.
        if is_pronoun(telling, at) {
            found.extend(
                class_before(telling, at)
                    .filter(|class| is_source(class))
                    .map(|_| None),
            );
        } else if telling.tie_of(at).is_some_and(is_source) {
            found.push(Some(at));
        }
    }
    found
}

/// Whether a word is one for buying.
fn buys(telling: &Telling<'_>, at: usize) -> bool {
    let mut classes = PARAPHRASES.of(telling.language);
    telling.words.get(at).is_some_and(|word| {
        classes.any(|(class, phrases)| class == BUYING && phrases.has_word(&word.folded))
    })
}

fn is_pronoun(telling: &Telling<'_>, at: usize) -> bool {
    let printed = telling.words.get(at).map(|word| telling.read.printed(word));
    let lists = [&ACTED_ON, &ACTING].map(|lists| lists.of(telling.language));
    printed.is_some_and(|printed| {
        let lower = printed.to_lowercase();
        lists
            .iter()
            .any(|list| list.contains(printed) || list.contains(&lower))
    })
}

/// The class of the preposition that the word before is.
fn class_before(telling: &Telling<'_>, at: usize) -> Option<&'static str> {
    let before = telling.words.get(at.checked_sub(1)?)?;
    let mut classes = PREPOSITIONS.of(telling.language);
    let class = classes.find(|(_, phrases)| phrases.has_word(&before.folded));
    class.map(|(class, _)| class)
}

/// Who is told of before a verb, tied to nothing.
fn getting(telling: &Telling<'_>, verb: usize) -> Vec<Somebody> {
    let mut found = Vec::new();
    let ends =
        |word: &str, endings: gtm_lexicon::Words| endings.iter().any(|end| word.ends_with(end));
    for at in 0..=verb {
        if telling.places.get(at) == Some(&Place::Core) && at < verb {
            found.push(Some(at));
        } else if is_pronoun(telling, at) && class_before(telling, at).is_none() {
            found.push(None);
        }
    }
    // `Compramos` says by its ending that the writer does.
    let word = telling.words.get(verb).map(|word| word.folded.as_str());
    if word.is_some_and(|word| {
        ends(word, PLURAL_VERBS.of(telling.language))
            && !ends(word, NO_PLURAL_VERBS.of(telling.language))
    }) {
        found.push(None);
    }
    found
}
