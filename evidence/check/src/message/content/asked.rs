//! What the value that asks states. DANGER: the caller words it for one message and nobody reviews it, so it would carry any
//! claim in front of a question. A question of time or interest states nothing; a clause beside it does, and so does one
//! [within](stated) it.

mod stated;

use std::ops::Range;

use gtm_domain::message::Placeholder;
use gtm_lexicon::messages::CONDITIONS;

use self::stated::stated_in;
use super::super::asks::{Ask, asks};
use super::super::facts::{ApprovedTexts, Form, facts, terms};
use super::super::passage::{Passage, Source, Word, found};
use super::super::results::results;
use super::super::strangers::strangers;
use super::super::vocabulary::Vocabulary;
use super::{Hit, Reader};

/// Fewest words of a clause that tells something of its reader: `you choose` leaves it to him.
const CLAUSE: usize = 3;

impl Reader<'_> {
    /// What asks state without a ground: of the reader, for which evidence is wanted, or of the offer.
    pub(super) fn loose_asks(&self, of_evidence: bool) -> Vec<Hit> {
        let approved = self.approved_for_asks();
        let loose = |text: &str| {
            let asked = Asked::of(text, &approved, self.vocabulary);
            let stated = asked.stated().into_iter();
            let stated = stated.filter(|(form, _)| form.is_of_reader() == of_evidence);
            let mut ranges: Vec<Range<usize>> = stated.map(|(_, range)| range).collect();
            ranges.sort_by_key(|range| range.start);
            ranges.dedup();
            ranges
        };
        let mut hits = Vec::new();
        for (paragraph, part, placeholder, text) in self.values() {
            if placeholder == Placeholder::NextStepAsk {
                let ranges = loose(text).into_iter();
                let ranges = ranges.map(|range| shifted(&range, part.range.start));
                hits.extend(ranges.map(|range| Hit::of(self.filled, paragraph, &range)));
            }
        }
        for (pointer, line) in self.shown_first() {
            for part in &line.parts {
                if part.source == Source::Value(Placeholder::NextStepAsk) {
                    let text = line.text.get(part.range.clone()).unwrap_or_default();
                    let ranges = loose(text).into_iter();
                    let ranges = ranges.map(|range| shifted(&range, part.range.start));
                    hits.extend(ranges.map(|range| Hit::of_line(pointer, line, &range)));
                }
            }
        }
        hits
    }

    /// The offer's words, what the template asks for, and whom the other values name: no ask bears out itself.
    fn approved_for_asks(&self) -> ApprovedTexts {
        let given = self.given;
        let ask = Placeholder::NextStepAsk.name();
        let others = given.values.iter().filter(|(name, _)| *name != ask);
        let texts = given.offer.texts.iter().map(String::as_str);
        ApprovedTexts::of(texts.chain([given.desired_next_step]))
            .naming(others.map(|(_, value)| value.as_str()))
            .naming(given.recipient.iter().copied())
            .quoting(given.evidence.iter().map(|record| record.excerpt))
    }
}

const fn shifted(range: &Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

/// An ask, read by itself.
struct Asked<'a> {
    passage: Passage,
    words: Vec<Word>,
    approved: &'a ApprovedTexts,
    vocabulary: &'a Vocabulary,
}

impl<'a> Asked<'a> {
    fn of(text: &str, approved: &'a ApprovedTexts, vocabulary: &'a Vocabulary) -> Self {
        let mut passage = Passage::default();
        passage.push(text, Source::Literal);
        let words = passage.words(Source::is_own);
        Self {
            passage,
            words,
            approved,
            vocabulary,
        }
    }

    /// The sentences that state something which rests on nothing, with the forms by which they do.
    fn stated(&self) -> Vec<(Form, Range<usize>)> {
        let sentences = self.passage.sentences();
        let asked = self.asks(&sentences);
        // A question may pretend an acquaintance as a whole.
        let mut stated: Vec<(Form, Range<usize>)> = facts(
            &self.passage,
            (&sentences, &asked),
            self.approved,
            self.vocabulary,
            false,
        )
        .into_iter()
        .filter(|fact| fact.form == Form::Acquaintance)
        .map(|fact| (fact.form, fact.sentence))
        .collect();
        for sentence in &sentences {
            let asks = asked.iter().any(|ask| ask.sentence == *sentence);
            let forms = self.forms(sentence, asks).into_iter();
            stated.extend(forms.map(|form| (form, sentence.clone())));
        }
        stated
    }

    fn asks(&self, ranges: &[Range<usize>]) -> Vec<Ask> {
        asks(&self.passage, ranges, self.vocabulary, Source::is_own)
    }

    fn forms(&self, sentence: &Range<usize>, asks: bool) -> Vec<Form> {
        let statements = match asks {
            true => self.statements(sentence),
            false => vec![sentence.clone()],
        };
        let stated = facts(
            &self.passage,
            (&statements, &[]),
            self.approved,
            self.vocabulary,
            true,
        );
        let loose = stated.iter().filter(|fact| fact.rests_on.is_none());
        let forms = loose.filter_map(|fact| match fact.form {
            // When, how long and where to meet is the caller's to propose.
            Form::Number => self.claims(&fact.sentence),
            Form::Name if asks => self.claims(&fact.sentence),
            form => Some(form),
        });
        let mut forms: Vec<Form> = forms.collect();
        if asks {
            forms.extend(self.forms_within(sentence));
        }
        if statements.iter().any(|it| self.tells_of_reader(it)) {
            forms.push(Form::Observation);
        }
        if asks && self.promises(sentence) {
            forms.push(Form::Term);
        }
        if asks && self.names_who_gains(sentence) {
            forms.push(Form::Name);
        }
        forms
    }

    /// The forms by which clauses within a question state what rests on nothing.
    fn forms_within(&self, question: &Range<usize>) -> Vec<Form> {
        let clauses = clauses(&self.passage.text, question);
        let words = self.words_in(question);
        let mut forms = Vec::new();
        for stated in stated_in(&self.passage, words, &clauses, self.vocabulary) {
            let found = facts(
                &self.passage,
                (std::slice::from_ref(&stated.whole), &[]),
                self.approved,
                self.vocabulary,
                true,
            );
            let loose = found.iter().filter(|fact| fact.rests_on.is_none());
            forms.extend(loose.filter_map(|fact| match fact.form {
                Form::Number => self.claims(&fact.sentence),
                // `how we bill` asks to be told, and so does `what you look after`.
                Form::SellerClaim | Form::Observation if stated.is_manner => None,
                form => Some(form),
            }));
            if !stated.is_manner && self.tells_of_reader(&stated.behind) {
                forms.push(Form::Observation);
            }
        }
        forms
    }

    /// The clauses of a sentence that asks which do not ask themselves, nor say under which condition it does.
    fn statements(&self, sentence: &Range<usize>) -> Vec<Range<usize>> {
        let mut clauses = clauses(&self.passage.text, sentence);
        let asking = self.asks(&clauses);
        clauses.retain(|clause| {
            let asks = asking.iter().any(|ask| ask.sentence == *clause);
            !asks && !self.is_condition(clause)
        });
        clauses
    }

    /// The words that begin in a range.
    fn words_in(&self, range: &Range<usize>) -> &[Word] {
        let first = (self.words).partition_point(|word| word.range.start < range.start);
        let end = (self.words).partition_point(|word| word.range.start < range.end);
        self.words.get(first..end).unwrap_or_default()
    }

    fn is_condition(&self, clause: &Range<usize>) -> bool {
        let words = self.words_in(clause).iter();
        let bare: Vec<&str> = words.map(|word| word.folded.as_str()).collect();
        let conditions = CONDITIONS.of(&self.vocabulary.language);
        conditions.is_some_and(|conditions| conditions.at_start(&bare).next().is_some())
    }

    /// By what words besides a number or a name a clause claims something.
    fn claims(&self, clause: &Range<usize>) -> Option<Form> {
        let words = self.words_in(clause);
        let has = |phrases| !found(words, phrases).is_empty();
        if has(self.vocabulary.observations) {
            return Some(Form::Observation);
        }
        let claims = has(self.vocabulary.seller_claims)
            || !results(&self.passage, words, self.vocabulary).is_empty()
            || !terms(words, self.vocabulary).is_empty();
        claims.then_some(Form::SellerClaim)
    }

    /// Whether a clause that does not ask begins with its reader: `your supplier closes`, `you asked for our prices`.
    fn tells_of_reader(&self, clause: &Range<usize>) -> bool {
        let words = self.words_in(clause);
        let first = words.first();
        let printed = first.and_then(|word| self.passage.text.get(word.range.clone()));
        let begins = self.vocabulary.you_and_we(printed.into_iter());
        words.len() >= CLAUSE
            && begins.is_some_and(|(you, _)| you > 0)
            && !(self.approved).say(&self.passage, words, &self.vocabulary.language)
    }

    /// Whether a question has a price or a condition that no approved text has.
    fn promises(&self, sentence: &Range<usize>) -> bool {
        let words = self.words_in(sentence);
        let terms = terms(words, self.vocabulary);
        terms.iter().any(|term| {
            let of_term = words.iter().filter(|word| term.contains(&word.range.start));
            let of_term: Vec<&str> = of_term.map(|word| word.folded.as_str()).collect();
            !self.approved.has_forms(&of_term)
        })
    }

    /// Whether a question names somebody, whom nobody approved, beside words of a result.
    fn names_who_gains(&self, sentence: &Range<usize>) -> bool {
        let words = self.words_in(sentence);
        let is_known = |word: &str| self.approved.name(word);
        let sentences = std::slice::from_ref(sentence);
        !results(&self.passage, words, self.vocabulary).is_empty()
            && !strangers(&self.passage, sentences, words, is_known, self.vocabulary).is_empty()
    }
}

/// Marks that part a sentence into clauses.
const MARKS: [char; 14] = [
    ',', ';', ':', '–', '—', '(', ')', '…', '\n', '،', '؛', '、', '，', '；',
];

/// The clauses of a sentence. A mark between two digits parts none: `18,000`, `10:30`; a hyphen does between blanks.
fn clauses(text: &str, sentence: &Range<usize>) -> Vec<Range<usize>> {
    let within = text.get(sentence.clone()).unwrap_or_default();
    let mut clauses = Vec::new();
    let mut begin = sentence.start;
    let mut before: Option<char> = None;
    let mut chars = within.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let is_in = |of: fn(char) -> bool| before.is_some_and(of) && next.is_some_and(of);
        let parts = match c {
            '-' => is_in(char::is_whitespace),
            _ => MARKS.contains(&c) && !is_in(|c| c.is_ascii_digit()),
        };
        if parts {
            clauses.push(begin..sentence.start + at);
            begin = sentence.start + at + c.len_utf8();
        }
        before = Some(c);
    }
    clauses.push(begin..sentence.end);
    clauses.retain(|clause| {
        let text = text.get(clause.clone());
        text.is_some_and(|text| text.contains(char::is_alphanumeric))
    });
    clauses
}
