//! Who does what to whom, by the order of words: of `Tarn bought Hollis` a hook must not make `Hollis bought Tarn`.

use std::collections::BTreeSet;

use gtm_lexicon::messages::{
    ACTED_ON, ACTING, DETERMINERS, MASCULINE_OBJECTS, OBJECT_DETERMINERS, SUBJECT_DETERMINERS,
};
use gtm_lexicon::prose::{NO_PLURAL_VERBS, PLURAL_VERBS};

use super::super::super::strangers::NOUNS_IN_CAPITALS;
use super::said::Same;
use super::sources;
use super::tellings::{Place, Telling};

/// The class of prepositions before somebody to whom something is given or sold.
const TO: &str = "to";
/// Languages in which a verb may stand behind both of whom is told: that of a passive, and one behind its auxiliary, as in
/// `Tarn hat Hollis gekauft`.
const VERB_LAST: [&str; 2] = ["de", "nl"];

/// Somebody or something that may do what is told, or to whom it may be done.
struct End {
    /// Nothing for a pronoun.
    word: Option<usize>,
    /// Where it stands: behind its place by one, since who acts stands before all others.
    order: usize,
    is_tied: bool,
    /// Whether it is tied like who does what is done to another.
    is_agent: bool,
    /// Whether its form is one that verbs have as well, where nouns have another.
    may_be_verb: bool,
}

/// Whether one does to another what in the other telling that one does to him.
pub(super) fn is_turned(hook: &Telling<'_>, told: &Telling<'_>, same: &Same<'_>) -> bool {
    let (mut ends, mut others) = (ends(hook), ends(told));
    let masculine = [masculine(hook), masculine(told)].concat();
    let is_masculine = |word: &str| masculine.contains(&word);
    order_by_case(hook, &mut ends, is_masculine);
    order_by_case(told, &mut others, is_masculine);
    let verbs = verbs(hook).flat_map(|at| verbs(told).map(move |other| (at, other)));
    let (voice, other_voice) = (Voice::of(hook), Voice::of(told));
    let is_other_voice = voice.is_passive != other_voice.is_passive;
    let verbs: Vec<(usize, usize)> = verbs.collect();
    if sources::are_turned(hook, told, same, &verbs) {
        return true;
    }
    // Another word of one meaning may tell it from the other side: who joins is welcomed. In the passive that is told.
    let verbs = verbs.into_iter().filter(|(at, other)| {
        same.are_forms(*at, *other) || (is_other_voice && same.are_one(*at, *other))
    });
    let verbs: Vec<(usize, usize)> = verbs.collect();
    let is_it = |end: &End, other: &End| match (end.word, other.word) {
        (Some(at), Some(other_at)) => !(end.is_tied && other.is_tied) && same.are_one(at, other_at),
        (None, None) => true,
        _ => false,
    };
    // The first and the last place of each are enough: whatever stands between two others stands between these.
    let ends = ends.iter().map(|end| {
        let mut those = others.iter().filter(|other| is_it(end, other));
        let (first, last) = (those.next(), those.next_back());
        (end, first.into_iter().chain(last).collect())
    });
    let ends: Vec<(&End, Vec<&End>)> = ends.collect();
    let is_pair_turned = |(one, ones): &(&End, Vec<&End>), (two, twos): &(&End, Vec<&End>)| {
        let (mut is_told, mut is_turned) = (false, false);
        for (verb, other_verb) in &verbs {
            let Some(acts) = voice.acts_first(one, two, *verb) else {
                continue;
            };
            for other_one in ones {
                for other_two in twos {
                    match other_voice.acts_first(other_one, other_two, *other_verb) {
                        Some(acted) if acted == acts => is_told = true,
                        Some(_) => is_turned = true,
                        None => {}
                    }
                }
            }
        }
        is_turned && !is_told
    };
    ends.iter().any(|one| {
        let behind = ends.iter().filter(|two| one.0.order < two.0.order);
        let mut behind = behind.filter(|two| one.0.word.is_some() || two.0.word.is_some());
        behind.any(|two| is_pair_turned(one, two))
    })
}

/// How a telling says who does it.
#[derive(Clone, Copy)]
struct Voice {
    is_passive: bool,
    /// Whether the verb may stand behind both.
    is_verb_last: bool,
    /// The last word that is told of, where such a verb stands unless the passive tells it. Nothing if somebody is tied like
    /// who does it: then it may be a passive that no list knows.
    last: Option<usize>,
}

impl Voice {
    fn of(telling: &Telling<'_>) -> Self {
        let is_passive = telling.is_passive();
        let has_agent = (0..telling.words.len()).any(|at| telling.is_agent(at));
        let last = (telling.places.iter()).rposition(|place| *place != Place::Grammar);
        Self {
            is_passive,
            is_verb_last: VERB_LAST.contains(&telling.language),
            last: last.filter(|_| !has_agent),
        }
    }

    /// Whether the first of two does it: it stands before the verb and the other one behind. In the passive one of the two
    /// is said to do it.
    fn acts_first(self, one: &End, two: &End, verb: usize) -> Option<bool> {
        // Of a name that is told to do it, one word does nothing to the other.
        if self.is_passive && one.is_agent == two.is_agent {
            return None;
        }
        // Of `stehen bereit` one part stands before the other and does nothing to anybody.
        let are_told_of = !one.may_be_verb && !two.may_be_verb;
        let is_last = self.last == Some(verb) && are_told_of;
        let may_be_last = self.is_verb_last && (self.is_passive || is_last);
        let verb = verb + 1;
        let (first, last) = (one.order.min(two.order), one.order.max(two.order));
        let is_between = first < verb && verb < last;
        let acts = match self.is_passive {
            true => one.is_agent,
            false => one.order < two.order,
        };
        (is_between || (may_be_last && last < verb)).then_some(acts)
    }
}

/// Nouns that the words before them show to be masculine: they stand behind a word that only an object has, or begin the
/// sentence behind one that then only who acts has. In other languages there are none.
fn masculine<'t>(telling: &'t Telling<'_>) -> Vec<&'t str> {
    let (subjects, objects) = (
        SUBJECT_DETERMINERS.of(telling.language),
        MASCULINE_OBJECTS.of(telling.language),
    );
    let words = telling.words.windows(2).enumerate();
    let shown = words.filter_map(|(at, pair)| match pair {
        [before, noun] => {
            let before = before.folded.as_str();
            (objects.contains(before) || (at == 0 && subjects.contains(before)))
                .then_some(noun.folded.as_str())
        }
        _ => None,
    });
    shown.collect()
}

/// What stands first is often, and not always, who acts: in `die Firma kauft der Konzern` the article of a masculine noun
/// says that it acts. Whoever is told of before it does not.
fn order_by_case(telling: &Telling<'_>, ends: &mut [End], is_masculine: impl Fn(&str) -> bool) {
    let subjects = SUBJECT_DETERMINERS.of(telling.language);
    let acts = |end: &End| {
        let at = end.word?;
        let (word, before) = (
            telling.words.get(at)?,
            telling.words.get(at.checked_sub(1)?)?,
        );
        (!end.is_tied && subjects.contains(&before.folded) && is_masculine(&word.folded))
            .then_some(at)
    };
    let Some(acting) = ends.iter().find_map(acts) else {
        return;
    };
    for end in ends {
        match end.word {
            Some(at) if at < acting => end.order = telling.words.len() + 1,
            Some(at) if at == acting => end.order = 0,
            _ => {}
        }
    }
}

/// The words that may be verbs: told of, without a capital, and not behind a word that stands before nouns. Where the pronoun
/// of who acts is left out, a sentence may begin with one.
fn verbs(telling: &Telling<'_>) -> impl Iterator<Item = usize> {
    let determiners = DETERMINERS.of(telling.language);
    let places = telling.places.iter().enumerate();
    let told = places.filter(|(_, place)| **place == Place::Core);
    told.map(|(at, _)| at).filter(move |at| {
        let before = at
            .checked_sub(1)
            .and_then(|before| telling.words.get(before));
        (!telling.is_capital(*at) || (*at == 0 && begins_with_verb(telling)))
            && !before.is_some_and(|before| determiners.contains(&before.folded))
    })
}

/// Whether a sentence of a language that leaves pronouns out begins with a verb, behind which its object follows: `Fornite il
/// fieno`.
fn begins_with_verb(telling: &Telling<'_>) -> bool {
    let determiners = DETERMINERS.of(telling.language);
    let next = telling.words.get(1);
    leaves_pronouns_out(telling)
        && telling.places.first() == Some(&Place::Core)
        && next.is_some_and(|word| determiners.contains(&word.folded))
}

fn leaves_pronouns_out(telling: &Telling<'_>) -> bool {
    PLURAL_VERBS.of(telling.language).iter().next().is_some()
}

/// Whether the ending of a word alone says that its writer acts: `consegniamo`.
fn is_of_the_writer(word: &str, language: &str) -> bool {
    let ends = |endings: gtm_lexicon::Words| endings.iter().any(|end| word.ends_with(end));
    ends(PLURAL_VERBS.of(language)) && !ends(NO_PLURAL_VERBS.of(language))
}

/// Somebody who has no word of his own but a pronoun, or an ending of a verb.
const fn unnamed(order: usize) -> End {
    End {
        word: None,
        order,
        is_tied: false,
        is_agent: false,
        may_be_verb: false,
    }
}

fn ends(telling: &Telling<'_>) -> Vec<End> {
    let is_passive = telling.is_passive();
    let verbs: BTreeSet<usize> = match telling.language == NOUNS_IN_CAPITALS {
        true => verbs(telling).collect(),
        false => BTreeSet::new(),
    };
    let mut found: Vec<End> = Vec::new();
    let (acting, acted_on) = (ACTING.of(telling.language), ACTED_ON.of(telling.language));
    let objects = OBJECT_DETERMINERS.of(telling.language);
    let behind_all = telling.words.len() + 1;
    let mut is_told_of = false;
    // Whom something is given to does not give it, so the reader does.
    let is_given = (0..telling.words.len()).any(|at| telling.tie_of(at) == Some(TO));
    if begins_with_verb(telling) && is_given {
        found.push(unnamed(0));
    }
    for (at, (word, place)) in telling.words.iter().zip(&telling.places).enumerate() {
        let is_tied = matches!(place, Place::Tied(_));
        let is_agent = is_passive && telling.is_agent(at);
        let may_act = *place == Place::Core || telling.tie_of(at) == Some(TO) || is_agent;
        let before = at
            .checked_sub(1)
            .and_then(|before| telling.words.get(before));
        let is_object = before.is_some_and(|before| objects.contains(&before.folded));
        if may_act {
            found.push(End {
                word: Some(at),
                order: if is_object { behind_all } else { at + 1 },
                is_tied,
                is_agent,
                may_be_verb: verbs.contains(&at),
            });
        }
        let printed = telling.read.printed(word);
        let lower = printed.to_lowercase();
        let is_in = |list: gtm_lexicon::Words| list.contains(printed) || list.contains(&lower);
        let acts = match (is_in(acting), is_in(acted_on)) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            // `Hollis supplies you`: whoever is told of before it acts.
            (true, true) => Some(!is_told_of),
            (false, false) => {
                let acts = *place == Place::Core && is_of_the_writer(&lower, telling.language);
                acts.then_some(true)
            }
        };
        if let Some(acts) = acts {
            found.push(unnamed(if acts { 0 } else { behind_all }));
        }
        is_told_of |= *place == Place::Core;
    }
    found
}
