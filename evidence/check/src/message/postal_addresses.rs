//! Postal addresses in a text: their numbers count nothing. An address is a street with the number of a house, or the box
//! of a post office, beside the postcode of a place.
//!
//! DANGER: `Plants 500, 90000 Meters` has the form of `Hauptstraße 12, 10115 Berlin`. So a street must be known as one by a
//! word: its kind, its ending, or one that says where it is. And a kind that English has for many things (`500 Mills`) needs
//! a postcode as it is written where English streets are.

use std::ops::Range;

use gtm_lexicon::places::{
    NUMBERED_PARTS, NUMBERED_STREETS, POST_BOXES, STREET_ENDINGS, STREET_OPENINGS, STREETS,
    STREETS_AT,
};
use gtm_lexicon::{Words, countries, fold, split};

/// Most digits of a house number, and of one behind a word such as `Am`, which stands before many things.
const HOUSE_DIGITS: usize = 4;
const HOUSE_DIGITS_AT: usize = 2;
/// Most digits of the number of a box.
const BOX_DIGITS: usize = 6;
/// Words at the beginning or the end of a street among which its kind stands: `12 bis rue`, `Canal Street West`.
const STREET_WORDS: usize = 2;
/// Most words of a line of an address.
const ADDRESS_WORDS: usize = 6;
/// Most words of a line that names a part of a house.
const PART_WORDS: usize = 3;
/// Most words of a postcode.
const CODE_WORDS: usize = 2;
/// Most lines of a place: its name, and the region.
const PLACE_LINES: usize = 2;
/// Most lines from a street to the place, and between a street and a part of its house.
const NEAR: usize = 3;

/// The numbers of each address: of its house, of parts of it and of a box, and its postcode.
pub(super) fn addresses(text: &str) -> Vec<Range<usize>> {
    let lines: Vec<Vec<Token>> = lines(text).filter(|line| !line.is_empty()).collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(code) = postcode(line).filter(|_| ends_with_name(line)) else {
            found.extend(numbers_above_code(&lines, at).into_iter().flatten());
            continue;
        };
        // `Hauptstraße 12, 10115 Berlin` and `Hauptstraße 12 10115 Berlin`.
        let within = line.get(..code.at).unwrap_or_default();
        let first = at.saturating_sub(NEAR);
        let before = lines.get(first..at).unwrap_or_default();
        let number = house_number(within, code.form)
            .or_else(|| box_number(within))
            .or_else(|| house_above(before, code.form));
        let Some(number) = number else { continue };
        found.extend([number, code.range]);
        let near = lines
            .get(first.saturating_sub(NEAR)..at)
            .unwrap_or_default();
        found.extend(near.iter().filter_map(|line| part_number(line)));
    }
    found
}

/// The numbers of an address whose postcode has a line of its own, between place and country, as the value of a postal
/// identity has it: `Hauptstraße 12, Bochum, 44787, Germany`.
fn numbers_above_code(lines: &[Vec<Token>], at: usize) -> Option<[Range<usize>; 2]> {
    let line = lines.get(at)?;
    let is_sign = |c: char| c.is_ascii_digit() || c.is_ascii_uppercase() || c == '-';
    let is_code = line.len() <= CODE_WORDS
        && line.iter().all(|(word, _)| word.chars().all(is_sign))
        && line
            .iter()
            .any(|(word, _)| word.contains(|c: char| c.is_ascii_digit()));
    let country = lines.get(at + 1).filter(|_| is_code)?;
    let words: Vec<&str> = country.iter().map(|(word, _)| *word).collect();
    let country = fold(words.join(" ").trim_end_matches('.'));
    let country = countries::all().find(|it| it.names().any(|name| fold(name) == country))?;
    let form = match country.code_first {
        true => Form::BeforePlace,
        false => Form::BehindPlace,
    };
    // The place, and the region that it lies in.
    let is_place = |line: &&Vec<Token>| line.iter().all(|(word, _)| is_name(word));
    let above = lines.get(..at)?;
    let places = above.iter().rev().take(PLACE_LINES).take_while(is_place);
    let above = above
        .get(..at - places.count())
        .filter(|above| above.len() < at)?;
    let near = above.get(above.len().saturating_sub(NEAR)..)?;
    let number = house_above(near, form)?;
    let (first, last) = (line.first()?, line.last()?);
    Some([number, first.1.start..last.1.end])
}

/// The number of the house or box in the lines above a place, the nearest first. A comma may part a street from its number:
/// `12, rue de Lyon`, `Calle Mayor, 12`.
fn house_above(lines: &[Vec<Token>], form: Form) -> Option<Range<usize>> {
    (0..lines.len()).rev().find_map(|at| {
        let line = lines.get(at)?;
        let whole = house_number(line, form).or_else(|| box_number(line));
        whole.or_else(|| {
            let [number] = line.as_slice() else {
                return None;
            };
            let street = |other: Option<usize>| other.and_then(|other| lines.get(other));
            let before =
                street(at.checked_sub(1)).is_some_and(|line| takes_number_behind(line, number));
            let behind = street(at.checked_add(1)).is_some_and(|line| begins_street(line, form));
            (is_house_number(number.0) && (before || behind)).then(|| number.1.clone())
        })
    })
}

/// A word of a line with its place.
type Token<'t> = (&'t str, Range<usize>);

/// The words of a text by lines, as a signature parts them.
fn lines(text: &str) -> impl Iterator<Item = Vec<Token<'_>>> {
    let mut start = 0;
    text.split([',', ';', '|', '·', '•', '\n'])
        .map(move |line| {
            let mut at = start;
            start += line.len();
            // The sign behind it.
            start += text
                .get(start..)
                .and_then(|rest| rest.chars().next())
                .map_or(0, char::len_utf8);
            line.split_inclusive(char::is_whitespace)
                .filter_map(|word| {
                    let begin = at;
                    at += word.len();
                    let bare = word.trim_end();
                    (!bare.is_empty()).then(|| (bare, begin..begin + bare.len()))
                })
                .collect()
        })
}

/// Where a postcode stands beside its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `10115 Berlin`, `1011 DL Amsterdam`.
    BeforePlace,
    /// `NY 10036`, `LS1 7BT`: where streets are English.
    BehindPlace,
}

struct Postcode {
    /// The first word of it in its line.
    at: usize,
    range: Range<usize>,
    form: Form,
}

/// The postcode of a line that has a place beside it.
fn postcode(line: &[Token]) -> Option<Postcode> {
    let word = |at: usize| line.get(at).map_or("", |(word, _)| *word);
    let (found, form) = (0..line.len()).find_map(|at| {
        let code = word(at);
        let (before, behind) = (at.checked_sub(1).map_or("", word), word(at + 1));
        // `D-10115`
        let digits = code.trim_start_matches(|c: char| c.is_ascii_uppercase() || c == '-');
        let count = digits.len();
        let all = count > 0 && digits.bytes().all(|c| c.is_ascii_digit());
        // `1011 DL Amsterdam`
        let place = match behind.len() == 2 && behind.chars().all(char::is_uppercase) {
            true => word(at + 2),
            false => behind,
        };
        let is_american = all && count == 5 && is_code(before, 2, 0);
        let is_british = is_code(before, 4, 1) && is_inward(code);
        let is_common = all && (4..=5).contains(&count) && is_name(place);
        match (is_american || is_british, is_common) {
            (true, _) => Some((at, Form::BehindPlace)),
            (false, true) => Some((at, Form::BeforePlace)),
            (false, false) => None,
        }
    })?;
    let (code, range) = line.get(found)?;
    // Both halves of `LS1 7BT` are numbers.
    let at = match is_inward(code) {
        true => found.checked_sub(1)?,
        false => found,
    };
    let start = line.get(at)?.1.start;
    Some(Postcode {
        at,
        range: start..range.end,
        form,
    })
}

fn is_name(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_uppercase)
        && letters.all(|c| c.is_alphabetic() || "-'’.".contains(c))
}

/// Whether a word has two to so many signs, capitals first, and at least so many digits.
fn is_code(word: &str, most: usize, digits: usize) -> bool {
    let capitals = word
        .chars()
        .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    let counted = word.chars().filter(char::is_ascii_digit).count();
    (2..=most).contains(&word.len())
        && capitals
        && counted >= digits
        && word.starts_with(|c: char| c.is_ascii_uppercase())
}

/// The second half of a British postcode: `7BT`.
fn is_inward(word: &str) -> bool {
    let mut letters = word.chars();
    word.len() == 3
        && letters.next().is_some_and(|c| c.is_ascii_digit())
        && letters.all(|c| c.is_ascii_uppercase())
}

fn leading_digits(word: &str) -> usize {
    word.bytes().take_while(u8::is_ascii_digit).count()
}

/// `12`, `12a`, `12-14`.
fn is_house_number(word: &str) -> bool {
    let digits = leading_digits(word);
    let rest = word.get(digits..).unwrap_or_default();
    (1..=HOUSE_DIGITS).contains(&digits)
        && rest.len() <= HOUSE_DIGITS
        && rest
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-/".contains(c))
}

/// The number of a house at the beginning or at the end of a line, beside the name of a street.
fn house_number(line: &[Token], form: Form) -> Option<Range<usize>> {
    let ((first, behind), (last, before)) = (line.split_first()?, line.split_last()?);
    let found = if is_house_number(first.0) && begins_street(behind, form) {
        first
    } else if is_house_number(last.0) && takes_number_behind(before, last) {
        last
    } else {
        return None;
    };
    (line.len() <= ADDRESS_WORDS).then(|| found.1.clone())
}

fn bare(word: &str) -> String {
    fold(word).trim_end_matches(['.', '/']).to_owned()
}

/// Whether words behind a number are a street. `500 Plants` are none, so the kind of the street must be known.
fn begins_street(words: &[Token], form: Form) -> bool {
    let is_kind = |list: Words, (word, _): &Token| list.contains(&bare(word));
    let mut first = words.iter().take(STREET_WORDS);
    let mut last = words.iter().rev().take(STREET_WORDS);
    words.iter().any(|(word, _)| is_name(word))
        && (first.any(|word| is_kind(NUMBERED_STREETS, word))
            || (form == Form::BehindPlace && last.any(|word| is_kind(STREETS, word))))
}

/// Whether words before a number are a street: `Hauptstraße 12`, `Calle Mayor 12`, `An der Mühle 12`. `Plants 500` are none.
fn takes_number_behind(words: &[Token], number: &Token) -> bool {
    let (Some((first, _)), Some((last, _))) = (words.first(), words.last()) else {
        return false;
    };
    if !is_name(last) || words.len() >= ADDRESS_WORDS {
        return false;
    }
    let (opening, end) = (bare(first), bare(last));
    let end = end.rsplit('-').next().unwrap_or_default();
    let folded: Vec<String> = words.iter().map(|(word, _)| bare(word)).collect();
    let folded: Vec<&str> = folded.iter().map(String::as_str).collect();
    let is_small = leading_digits(number.0) <= HOUSE_DIGITS_AT;
    STREET_ENDINGS.iter().any(|ending| end.ends_with(ending))
        || (words.len() > 1 && STREETS.contains(end))
        || (words.len() > 1
            && (STREET_OPENINGS.contains(&opening) || NUMBERED_STREETS.contains(&opening)))
        || (is_small
            && STREETS_AT
                .at_start(&folded)
                .any(|at| at.len() < folded.len()))
}

/// The number of a box at a post office: `PO Box 1234`.
fn box_number(line: &[Token]) -> Option<Range<usize>> {
    let (number, before) = line.split_last()?;
    let words: Vec<String> = before.iter().map(|(word, _)| fold(word)).collect();
    let words = words.join(" ");
    let words: Vec<&str> = split(&words)
        .into_iter()
        .filter(|it| !it.is_empty())
        .collect();
    let is_box = POST_BOXES
        .at_start(&words)
        .any(|phrase| phrase.len() == words.len());
    let digits = number.0.len();
    let all = number.0.bytes().all(|c| c.is_ascii_digit());
    (is_box && all && (1..=BOX_DIGITS).contains(&digits)).then(|| number.1.clone())
}

/// The number of a part of a house in a line that names nothing else: `Unit 4`, `2. Stock`.
fn part_number(line: &[Token]) -> Option<Range<usize>> {
    let is_number = |word: &str| {
        let digits = leading_digits(word);
        let rest = word.get(digits..).unwrap_or_default();
        let rest = rest.trim_end_matches(['.', 'º', 'ª', '°']);
        (1..=HOUSE_DIGITS).contains(&digits)
            && rest.len() <= STREET_WORDS
            && rest.chars().all(char::is_alphanumeric)
    };
    let mut numbers = line.iter().filter(|(word, _)| is_number(word));
    let number = numbers.next()?;
    let named = line
        .iter()
        .any(|(word, _)| NUMBERED_PARTS.contains(&bare(word)));
    (named && numbers.next().is_none() && line.len() <= PART_WORDS).then(|| number.1.clone())
}

/// Whether nothing is said behind the place of a postcode: `90000 Meters read` is no place.
fn ends_with_name(line: &[Token]) -> bool {
    let mut words = line.iter().rev().map(|(word, _)| *word);
    let last = words.find(|word| word.contains(char::is_alphabetic));
    last.is_some_and(|word| word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()))
}
