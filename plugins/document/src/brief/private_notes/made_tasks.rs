//! What is still to be settled with somebody of the writer's own people, which no reader is to see: `Check with Anna: …`, `Mit Anna
//! klären: …`, `à vérifier avec Anna`.

use gtm_lexicon::documents::{ADDRESSING, CHECKING, CHECKING_ENDS, CHECKING_WITH, OWN_DEPARTMENTS};
use gtm_lexicon::names::GIVEN_NAMES;
use gtm_lexicon::trade::ARTICLES;
use gtm_lexicon::{fold, split};

/// Longest label of that kind, in words.
const LABEL_WORDS: usize = 7;
/// Letters of a name before a capital within: `MacLeod`.
const EARLY_LETTERS: usize = 3;

/// Whether a word has a capital within, as names of products have and few of people: `DocuSign`. `McKay` has it early.
fn has_inner_capital(word: &str) -> bool {
    let mut letters = word.chars().skip(EARLY_LETTERS);
    let mut before_is_lower = false;
    letters.any(|c| {
        let is_inner = before_is_lower && c.is_uppercase();
        before_is_lower = c.is_lowercase();
        is_inner
    })
}

/// Whether a label says what is to be settled with whom. The name tells it from what a reader is to do: `Check with your installer`.
pub fn is_task_with_somebody(label: &str) -> bool {
    let label = label.trim_matches(|c: char| !c.is_alphanumeric());
    let folded = fold(label);
    let words = split(&folded);
    let printed = split(label);
    if words.len() > LABEL_WORDS || words.len() != printed.len() {
        return false;
    }
    // `Mit Ihrem Betriebsrat abstimmen` is for the reader.
    let is_capital = |at: usize| {
        let word = printed.get(at);
        word.is_some_and(|word| word.starts_with(char::is_uppercase))
    };
    // Nor is what has the name of a product: `Confirm with One Tap`, `Consultar con SAP`.
    let is_name = |at: usize| {
        let (word, folded) = (printed.get(at), words.get(at));
        let all_capitals = word.is_some_and(|word| !word.contains(char::is_lowercase));
        let is_made = word.is_some_and(|word| has_inner_capital(word));
        let is_given = folded.is_some_and(|word| GIVEN_NAMES.contains(word));
        is_capital(at)
            && !all_capitals
            && !is_made
            && (is_given || !is_capital(at + 1))
            && !word.is_some_and(|word| ADDRESSING.any_has(word))
    };
    let is_article = |at: usize| {
        let word = words.get(at).copied().unwrap_or_default();
        ARTICLES.iter().any(|(_, articles)| articles.contains(word))
    };
    let in_one_run =
        |phrase: gtm_lexicon::Phrase| phrase.first().is_some_and(|word| word.starts_with('*'));
    let names_behind = (0..words.len()).any(|at| {
        let rest = words.get(at..).unwrap_or_default();
        CHECKING.at_start(rest).any(|phrase| {
            let behind = at + phrase.len();
            // `confirmar com o Rui`
            let own = words.get(behind..).unwrap_or_default();
            let named = is_name(behind)
                || is_article(behind) && is_name(behind + 1)
                || OWN_DEPARTMENTS.are(own);
            in_one_run(phrase) || at <= 1 && named
        })
    });
    // The verb stands at the end: `Noch mit Anna klären`.
    let names_before = words
        .last()
        .is_some_and(|last| CHECKING_ENDS.has_word(last))
        && (0..words.len().min(3)).any(|at| {
            words
                .get(at)
                .is_some_and(|word| CHECKING_WITH.has_word(word))
                && is_name(at + 1)
        });
    names_behind || names_before
}
