//! How a note greets the colleague to whom it is: `Morning Lucy,`, `Olá Rui, preciso disto`, `hey tom need a deck`, `佐藤さん、`.

use gtm_lexicon::documents::{ANYBODY, COLLEAGUE_ENDINGS, GREETINGS, HELLOS};
use gtm_lexicon::names::GIVEN_NAMES;
use gtm_lexicon::{fold, split};

/// Longest greeting, in words.
const GREETING_WORDS: usize = 3;
/// Longest name of a script without blanks, in characters.
const NAME_CHARS: usize = 10;
/// Signs behind a greeting.
const ENDS: [char; 9] = [',', '،', '、', '，', '!', '！', ':', '–', '—'];

/// The greeting with which a note begins.
#[derive(Debug, Clone, Copy)]
pub struct Greeting<'t> {
    /// `Olá Rui,`, `hey tom`
    pub line: &'t str,
    pub name: &'t str,
    /// The note without it.
    pub below: &'t str,
}

pub fn greeting(note: &str) -> Option<Greeting<'_>> {
    let note = note.trim_start();
    let line = note.lines().next()?;
    let name = greeted_in(line)?;
    let end = line.find(name)? + name.len();
    let sign = line.get(end..)?.chars().next().filter(|c| ENDS.contains(c));
    let (line, below) = note.split_at_checked(end + sign.map_or(0, char::len_utf8))?;
    let below = below.trim_start_matches(' ');
    (!below.trim().is_empty()).then_some(Greeting { line, name, below })
}

/// Whether a note begins by greeting colleagues, whoever they are: `Hi team,`.
pub fn greets(note: &str) -> bool {
    let first = note.lines().find(|line| !line.trim().is_empty());
    first.is_some_and(|line| {
        let (clause, rest) = opening_clause(line);
        let folded = fold(clause);
        let words = split(&folded);
        !rest.is_empty() && words.len() <= GREETING_WORDS && HELLOS.open(&words)
    })
}

fn opening_clause(line: &str) -> (&str, &str) {
    let line = line.trim();
    line.split_at(line.find(ENDS).unwrap_or(line.len()))
}

/// Whom a line greets: `Morning Lucy,`, `Olá Rui, preciso disto`, `hey tom need a deck`, `佐藤さん、`.
fn greeted_in(line: &str) -> Option<&str> {
    let (clause, rest) = opening_clause(line);
    let ending = COLLEAGUE_ENDINGS
        .iter()
        .find_map(|end| clause.strip_suffix(end));
    if let Some(name) = ending.filter(|name| !name.is_empty()) {
        let fits = clause.chars().count() <= NAME_CHARS && !ANYBODY.contains(name);
        return fits.then_some(clause);
    }
    let printed = split(clause);
    let folded = fold(clause);
    let words = split(&folded);
    if printed.len() != words.len() {
        return None;
    }
    let hello = HELLOS.at_start(&words).chain(GREETINGS.at_start(&words));
    let hello = hello.map(<[_]>::len).max().unwrap_or(0);
    let is_given = |word: &str| GIVEN_NAMES.contains(&fold(word));
    let named = |word: &str| !word.starts_with(char::is_lowercase);
    let name = *printed
        .get(hello)
        .filter(|_| hello > 0)
        .or(printed.last())?;
    let ends = rest.chars().count() == 1;
    let is_one = match hello {
        // `Morning Lucy,`
        0 => (1..=GREETING_WORDS).contains(&words.len()) && ends && named(name) && rest != ":",
        _ => is_given(name) || named(name) && printed.len() == hello + 1 && !rest.is_empty(),
    };
    is_one.then_some(name)
}
