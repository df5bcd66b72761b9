//! The words of all forbidden claims together, and which of them a sentence says at which of its places.
//!
//! Each different word of a text is compared with each different word of the claims once, however often either stands there.

use std::collections::HashMap;
use std::rc::Rc;

use gtm_lexicon::numbers::is_unspaced;

use super::compounds::{Stem, joins};
use super::looks::{has_look, look_of};
use super::meanings::classes;
use super::words::{Form, ReadWord};

/// The different words of claims. A word is known by its place here.
#[derive(Debug, Default)]
pub(super) struct ClaimWords {
    words: Vec<ReadWord>,
    places: HashMap<String, usize>,
    /// Places of those with other forms, by the letters with which these begin.
    by_opening: HashMap<Vec<char>, Vec<usize>>,
    /// Places of those that may stand anywhere within a word: they are of scripts without blanks.
    within: Vec<usize>,
    /// Places among all classes of those that some claim has a part of, sorted.
    classes: Vec<usize>,
    /// Pairs of parts that one word may join.
    pairs: Vec<[Vec<Stem>; 2]>,
    /// Places of those that may be written in other signs, by their looks.
    by_look: HashMap<String, usize>,
}

impl ClaimWords {
    pub(super) fn place_of(&mut self, word: &str) -> usize {
        if let Some(place) = self.places.get(word) {
            return *place;
        }
        let place = self.words.len();
        let read = ReadWord::of(word);
        match read.opening() {
            Some(opening) => self
                .by_opening
                .entry(opening.to_vec())
                .or_default()
                .push(place),
            None if word.starts_with(is_unspaced) => self.within.push(place),
            None => {}
        }
        self.words.push(read);
        self.places.insert(word.to_owned(), place);
        if has_look(word) {
            self.by_look.insert(look_of(word), place);
        }
        place
    }

    pub(super) fn place_of_pair(&mut self, pair: [Vec<Stem>; 2]) -> usize {
        self.pairs.push(pair);
        self.pairs.len() - 1
    }

    /// The word that has this look.
    pub(super) fn of_look(&self, look: &str) -> Option<&str> {
        let place = self.by_look.get(look)?;
        self.words.get(*place).map(ReadWord::as_str)
    }

    pub(super) fn note_class(&mut self, class: usize) {
        if let Err(at) = self.classes.binary_search(&class) {
            self.classes.insert(at, class);
        }
    }

    /// Whether a folded word is a form of one of them.
    pub(super) fn have_form(&self, word: &str) -> bool {
        self.forms_of(&ReadWord::of(word)).next().is_some()
    }

    /// Of which of them the word is a form, and how.
    fn forms_of<'w>(&'w self, word: &'w ReadWord) -> impl Iterator<Item = (usize, Form)> + 'w {
        let same = self.places.get(word.as_str()).copied();
        let begun = word.opening().and_then(|it| self.by_opening.get(it));
        let others = begun.into_iter().flatten().chain(&self.within).copied();
        let others = others.filter(move |place| Some(*place) != same);
        same.into_iter().chain(others).filter_map(|place| {
            let form = word.form_of(self.words.get(place)?)?;
            Some((place, form))
        })
    }
}

/// What the words of a sentence say of the claims.
#[derive(Debug)]
pub(super) struct Said {
    /// For each word of the sentence.
    words: Vec<Rc<SaidWord>>,
    /// For each word, the classes of which a phrase begins there, sorted.
    classes: Vec<Vec<usize>>,
}

/// What a word says of the claims, in whatever sentence it stands.
#[derive(Debug)]
struct SaidWord {
    /// Places of the claims' words of which it is a form, sorted.
    forms: Vec<(usize, Form)>,
    /// Pairs of parts that it joins, sorted.
    pairs: Vec<usize>,
}

impl Said {
    /// How many words the sentence has.
    pub(super) const fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether the word there is a form of this one.
    pub(super) fn is_form_at(&self, at: usize, word: usize) -> bool {
        self.form_at(at, word).is_some()
    }

    /// How the word there is a form of this one.
    pub(super) fn form_at(&self, at: usize, word: usize) -> Option<Form> {
        let forms = &self.words.get(at)?.forms;
        let place = forms.binary_search_by_key(&word, |(place, _)| *place);
        forms.get(place.ok()?).map(|(_, form)| *form)
    }

    /// Whether the word there joins both parts of the pair.
    pub(super) fn joins_at(&self, at: usize, pair: usize) -> bool {
        let word = self.words.get(at);
        word.is_some_and(|word| word.pairs.binary_search(&pair).is_ok())
    }

    /// Whether a phrase of the class begins there.
    pub(super) fn is_of_class_at(&self, at: usize, class: usize) -> bool {
        let classes = self.classes.get(at);
        classes.is_some_and(|classes| classes.binary_search(&class).is_ok())
    }
}

/// Words of a text that were compared with those of the claims.
pub(super) struct KnownWords<'c> {
    claims: &'c ClaimWords,
    words: HashMap<String, Rc<SaidWord>>,
}

impl<'c> KnownWords<'c> {
    pub(super) fn of(claims: &'c ClaimWords) -> Self {
        Self {
            claims,
            words: HashMap::new(),
        }
    }

    pub(super) fn said_by(&mut self, words: &[String]) -> Said {
        let said = words.iter().map(|word| self.said_by_word(word)).collect();
        let bare: Vec<&str> = words.iter().map(String::as_str).collect();
        let all = classes();
        let classes = (0..bare.len()).map(|at| {
            let rest = bare.get(at..).unwrap_or_default();
            let begin = |class: &&usize| all.get(**class).is_some_and(|it| it.phrases.open(rest));
            self.claims.classes.iter().filter(begin).copied().collect()
        });
        Said {
            classes: classes.collect(),
            words: said,
        }
    }

    fn said_by_word(&mut self, word: &str) -> Rc<SaidWord> {
        if let Some(known) = self.words.get(word) {
            return Rc::clone(known);
        }
        let mut forms: Vec<(usize, Form)> = self.claims.forms_of(&ReadWord::of(word)).collect();
        forms.sort_unstable_by_key(|(place, _)| *place);
        let pairs = self.claims.pairs.iter().enumerate();
        let pairs = pairs.filter(|(_, [one, other])| joins(word, one, other));
        let pairs = pairs.map(|(place, _)| place).collect();
        let said = Rc::new(SaidWord { forms, pairs });
        self.words.insert(word.to_owned(), Rc::clone(&said));
        said
    }
}
