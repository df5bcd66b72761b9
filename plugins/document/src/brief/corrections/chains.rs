//! Phrases in a row that correct something: `no, sorry, I mean`.

use gtm_lexicon::documents::{CORRECTION_NOUNS, CORRECTIONS, HESITATIONS, RETRACTIONS};
use gtm_lexicon::{Phrases, fold, split};

use super::pieces::Piece;

/// Most phrases in a row that correct or hesitate: `no, sorry, I mean 12`.
const MOST_PHRASES: usize = 4;

/// Phrases in a row that correct something.
pub struct Chain {
    /// The piece behind them.
    pub end: usize,
    /// Whether the first of them takes something back as a whole.
    pub takes_back: bool,
    /// Whether one of them also names work: `Rettifica: 5 ore` is grinding.
    pub may_name_work: bool,
}

impl Chain {
    /// The phrases that correct something and begin at a piece.
    pub fn at(text: &str, pieces: &[Piece], begin: usize) -> Option<Self> {
        let rest = pieces.get(begin..)?;
        let words: Vec<String> = rest
            .iter()
            .take_while(|piece| !piece.is_number)
            .take(3 * MOST_PHRASES)
            .map(|piece| fold(piece.of(text)))
            .collect();
        let words: Vec<&str> = words.iter().flat_map(|word| split(word)).collect();
        let longest = |phrases: &Phrases, at: usize| {
            let rest = words.get(at..).unwrap_or_default();
            phrases.at_start(rest).map(<[_]>::len).max()
        };
        let takes_back = longest(&RETRACTIONS, 0).is_some();
        let mut may_name_work = false;
        let mut at = 0;
        let mut corrects = false;
        for _ in 0..MOST_PHRASES {
            let correcting = longest(&CORRECTIONS, at).or_else(|| longest(&RETRACTIONS, at));
            corrects |= correcting.is_some();
            may_name_work |= longest(&CORRECTION_NOUNS, at).is_some();
            match correcting.or_else(|| longest(&HESITATIONS, at)) {
                Some(length) => at += length,
                None => break,
            }
        }
        (corrects && at > 0).then_some(Self {
            end: begin + at,
            takes_back,
            may_name_work,
        })
    }
}
