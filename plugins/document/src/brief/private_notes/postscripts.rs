//! What stands behind `P.S.`: in a letter it is the letter's own, if it speaks to its reader. Other documents have none: there the
//! writer adds something for whoever makes the document.

use gtm_lexicon::documents::POSTSCRIPTS;
use gtm_lexicon::{fold, split};

use super::super::{asks, spoken_to};
use super::{colleagues, others};

/// Dashes behind the name of who is called.
const DASHES: [&str; 3] = [" – ", " — ", " - "];

/// Whether a postscript is not for the reader; `in_letter` says whether a letter has it, and `is_cast` whether that names somebody.
pub fn is_private(text: &str, in_letter: bool, is_cast: &dyn Fn(&str) -> bool) -> bool {
    let Some(said) = said_in(text) else {
        return false;
    };
    let behind = DASHES.iter().filter_map(|dash| said.split_once(dash));
    let gossips = others::are_gossiped_of(said)
        || behind
            .into_iter()
            .any(|(_, behind)| others::are_gossiped_of(behind));
    let is_for_nobody = || !spoken_to::is_to_the_reader(said) && !asks::calls(said);
    gossips
        || colleagues::is_for_one(said, is_cast)
        || !in_letter && (others::are_told_of(said) || is_for_nobody())
}

/// Whether a text is a postscript that says something.
pub fn is_one(text: &str) -> bool {
    said_in(text).is_some()
}

/// What stands behind the mark of a postscript.
fn said_in(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let folded = fold(text);
    let length = POSTSCRIPTS
        .at_start(&split(&folded))
        .map(<[_]>::len)
        .max()?;
    let mut rest = text;
    for _ in 0..length {
        rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
        let word = split(rest).first().copied().unwrap_or_default();
        rest = rest.get(word.len()..)?;
    }
    let said = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
    (!said.is_empty()).then_some(said)
}

#[cfg(test)]
mod tests {
    fn is_private(text: &str, in_letter: bool) -> bool {
        super::is_private(text, in_letter, &|_| false)
    }

    #[test]
    fn gossip_is_for_nobody() {
        for said in [
            "P.S. Their chairman plays in my team, he says we are ahead.",
            "P.-S. Leur patron s'est fâché avec Morel.",
            "P.D. Me han dicho que pagan tarde.",
            "PS: Paul – be nice to her.",
            "追伸：先方の社長はご機嫌斜めです。",
        ] {
            assert!(is_private(said, false) && is_private(said, true), "{said}");
        }
    }

    #[test]
    fn what_speaks_to_the_reader_stays_in_a_letter() {
        for said in [
            "P.S. The drawings are enclosed.",
            "P.S. If you sign by Friday, we start on Monday.",
            "P.S. Die Zeichnungen liegen bei.",
            "P. D. Adjuntamos los planos.",
            "P.S. Su pedido sale el lunes.",
            "追伸：図面を同封いたしました。",
            "PS5 consoles are sold in May.",
        ] {
            assert!(!is_private(said, true), "{said}");
        }
        assert!(is_private("P.S. The margin is thin.", false));
    }
}
