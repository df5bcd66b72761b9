//! How a note greets the colleagues to whom it is: `Morning Lucy,`, `Olá Rui, preciso disto`, `hey tom need a deck`, `Meg — usual
//! house style`, `佐藤さん、`.
//!
//! Danger: `Leeds, Hull and York` begins with a name, too. So a greeting is known, a line of its own, or says something to whom it
//! names.

use gtm_lexicon::company::YOU;
use gtm_lexicon::documents::{
    ANYBODY, COLLEAGUE_ENDINGS, GREETINGS, HELLOS, MAIL_LABELS, MAIL_SENDERS, SALUTATIONS,
    SUBJECT_LABELS,
};
use gtm_lexicon::names::GIVEN_NAMES;
use gtm_lexicon::prose::{FAMILIAR, I};
use gtm_lexicon::{fold, split};
use gtm_page_text::primary_language;

use super::{document_names, line_kinds, one_line};

/// Longest greeting before what is said, and longest line that only greets, in words.
const GREETING_WORDS: usize = 3;
const LINE_WORDS: usize = 6;
/// Longest name of a script without blanks, in characters.
const NAME_CHARS: usize = 10;
/// Most lines above a greeting: a title, and the head of a mail.
const LINES_ABOVE: usize = 5;
/// Signs behind a greeting.
const ENDS: [char; 10] = [',', '،', '、', '，', '!', '！', ':', '–', '—', '.'];

/// The greeting of a note.
#[derive(Debug, Clone)]
pub struct Greeting {
    /// `Olá Rui,`, `hey tom`
    pub line: String,
    /// Folded.
    pub names: Vec<String>,
    /// The note without it.
    pub below: String,
}

/// The greeting with which a note begins, perhaps below its title or the head of its mail.
pub fn greeting(note: &str, language: &str) -> Option<Greeting> {
    let mut begin = 0;
    let mut above = 0;
    for line in note.split_inclusive('\n') {
        let is_above = line_kinds::is_heading(line) || is_of_a_mails_head(line);
        if !line.trim().is_empty() && !is_above || above > LINES_ABOVE {
            break;
        }
        above += usize::from(is_above);
        begin += line.len();
    }
    let (before, rest) = note.split_at_checked(begin)?;
    let line = rest.lines().next()?;
    let paragraph = rest.split("\n\n").next().unwrap_or(line);
    let (length, names) = greeted_in(line, paragraph, language)?;
    let (line, below) = rest.split_at_checked(length)?;
    let below = below.trim_start_matches([' ', '—', '–']);
    (!below.trim().is_empty()).then(|| Greeting {
        line: one_line(line),
        names: names.into_iter().map(fold).collect(),
        below: format!("{before}{below}"),
    })
}

/// Whether a note begins by greeting colleagues, whoever they are: `Hi team,`.
pub fn greets(note: &str) -> bool {
    let first = note.lines().find(|line| !line.trim().is_empty());
    first.is_some_and(|line| {
        let clause = opening_clause(line);
        let folded = fold(clause);
        let words = split(&folded);
        clause.len() < line.trim().len() && words.len() <= GREETING_WORDS && HELLOS.open(&words)
    })
}

fn is_of_a_mails_head(line: &str) -> bool {
    line.split_once(':').is_some_and(|(label, _)| {
        let folded = fold(label);
        let words = split(&folded);
        [&MAIL_LABELS, &MAIL_SENDERS, &SUBJECT_LABELS]
            .iter()
            .any(|labels| labels.are(&words))
    })
}

fn opening_clause(line: &str) -> &str {
    let line = line.trim();
    line.split(ENDS).next().unwrap_or(line)
}

/// How long the greeting is with which a line begins, and whom it names.
fn greeted_in<'t>(line: &'t str, paragraph: &str, language: &str) -> Option<(usize, Vec<&'t str>)> {
    let clause = opening_clause(line);
    let begin = line.len() - line.trim_start().len();
    let sign = |end: usize| {
        let sign = line
            .get(end..)
            .and_then(|rest| rest.trim_start().chars().next());
        let gap = line
            .get(end..)
            .map_or(0, |rest| rest.len() - rest.trim_start().len());
        sign.filter(|c| ENDS.contains(c))
            .map_or(end, |c| end + gap + c.len_utf8())
    };
    let bare = clause.trim();
    let mut endings = COLLEAGUE_ENDINGS
        .iter()
        .filter_map(|end| bare.strip_suffix(end));
    if let Some(name) = endings.find(|name| !name.is_empty()) {
        let fits = bare.chars().count() <= NAME_CHARS && !ANYBODY.contains(name);
        return fits.then(|| (sign(begin + clause.len()), vec![bare]));
    }
    let printed = split(clause);
    let folded = fold(clause);
    let words = split(&folded);
    if printed.len() != words.len() || SALUTATIONS.open(&words) {
        return None;
    }
    let is_given = |word: &str| GIVEN_NAMES.contains(&fold(word));
    // Scripts without capitals have none to tell a name by.
    let named = |word: &&str| {
        let folded = fold(word);
        let is_word = document_names::of_any().any(|kind| kind.any_in(&[folded.as_str()]));
        word.starts_with(char::is_alphabetic) && !word.starts_with(char::is_lowercase) && !is_word
    };
    let is_capital = |word: &&str| named(word) && word.starts_with(char::is_uppercase);
    // `Servus Vroni, servus Hias,`
    let all = split(line);
    let closed = line.trim().ends_with([',', '،', '!', '、', '，']);
    if closed && all.len() <= LINE_WORDS && !line.contains(char::is_numeric) {
        let from = usize::from(all.len() > 1);
        let names: Vec<&str> = all.into_iter().skip(from).filter(is_capital).collect();
        return (!names.is_empty()).then_some((line.len(), names));
    }
    let hello = HELLOS.at_start(&words).chain(GREETINGS.at_start(&words));
    let hello = hello.map(<[_]>::len).max().unwrap_or(0);
    let name = match hello {
        0 => printed.last().copied(),
        _ => printed.get(hello).copied(),
    }?;
    let end = line.find(name)? + name.len();
    let signed = clause.len() < line.trim().len();
    let said = paragraph.get(clause.len()..).unwrap_or_default();
    let is_one = match hello {
        // `Gigi, questo è per te`, `Alright Shaz — me again`
        0 => {
            let is_label = line
                .trim_start()
                .get(clause.len()..)
                .is_some_and(|rest| rest.starts_with([':', '.']));
            words.len() < GREETING_WORDS
                && !clause.contains(char::is_numeric)
                && signed
                && !is_label
                && is_capital(&name)
                && (is_given(name) && tells(said) || speaks_to_somebody(said, language))
        }
        _ => is_given(name) || named(&name) && printed.len() == hello + 1 && signed,
    };
    is_one.then(|| (sign(end), vec![name]))
}

/// Whether words go on like a sentence.
fn tells(said: &str) -> bool {
    let first = said.trim_start_matches(|c: char| !c.is_alphanumeric());
    first.starts_with(char::is_lowercase) && said.split_whitespace().count() > GREETING_WORDS
}

/// Whether words speak to somebody familiar, or of who writes.
fn speaks_to_somebody(said: &str, language: &str) -> bool {
    let primary = primary_language(language);
    let folded = fold(said);
    let words = split(&folded);
    let has = |list: &gtm_lexicon::ByLanguage| {
        let list = list.of(primary);
        split(said)
            .iter()
            .any(|word| list.contains(word.to_lowercase().as_str()))
    };
    let familiar = match primary {
        "en" => words.iter().any(|word| YOU.has_word(word)),
        _ => has(&FAMILIAR),
    };
    familiar || has(&I)
}
