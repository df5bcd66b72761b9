//! Digits with their separators.

/// Most groups of digits that make one number: quadrillions. A longer row of them is a table, and joining it from each of its
/// cells on would take quadratic time.
pub(super) const MAX_GROUPS: usize = 5;

/// A number in digits.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Digits {
    pub form: String,
    pub parts: Vec<String>,
    /// Whether the parts are groups with spaces between them.
    pub is_row: bool,
    /// The reading in which a group of three is decimals: `1.125` before `million`.
    pub as_decimals: Option<String>,
    /// How many bytes of the text it takes.
    pub length: usize,
}

/// Reads the number with which the text begins; its digits must be ASCII.
pub(super) fn read(text: &str) -> Digits {
    let bytes = text.as_bytes();
    let mut end = 0;
    let mut last = 0;
    for (at, c) in text.char_indices() {
        if c.is_ascii_digit() {
            end = at + 1;
            last = end;
        } else if !(is_separator(c) && at == last && is_digit_at(bytes, at + c.len_utf8())) {
            break;
        } else {
            last = at + c.len_utf8();
        }
    }
    let raw = text.get(..end).unwrap_or_default();
    let joined = if raw.bytes().all(|byte| byte.is_ascii_digit()) && raw.len() <= 3 {
        in_spaced_groups(text, end)
    } else {
        None
    };
    joined.unwrap_or_else(|| Digits {
        length: end,
        ..of(raw)
    })
}

/// A number whose groups of three are separated by spaces: `1 200 000`.
fn in_spaced_groups(text: &str, end: usize) -> Option<Digits> {
    let bytes = text.as_bytes();
    let mut groups = vec![text.get(..end)?];
    let mut length = end;
    let mut rest = String::new();
    while groups.len() < MAX_GROUPS {
        let behind = text.get(length..)?;
        let Some(space) = behind.chars().next().filter(|c| is_space(*c)) else {
            break;
        };
        let begin = length + space.len_utf8();
        let run = text
            .get(begin..)?
            .bytes()
            .take_while(u8::is_ascii_digit)
            .count();
        let next = text.get(begin + run..)?.chars().next();
        let ends = !next.is_some_and(char::is_alphabetic) || next.is_some_and(super::is_unspaced);
        if run != 3 || !ends {
            break;
        }
        groups.push(text.get(begin..begin + run)?);
        length = begin + run;
        // Decimals end the number, three of them as well: behind a blank that parts thousands a point parts none, and to read
        // `12 345.678 kg` as two numbers would bear out 345,678 kg. Cells with a tab or more between them are apart anyway.
        if let Some(mark @ (',' | '.')) = next
            && is_digit_at(bytes, length + 1)
        {
            let decimals = text
                .get(length + 1..)?
                .bytes()
                .take_while(u8::is_ascii_digit)
                .count();
            rest = text.get(length + 1..length + 1 + decimals)?.to_owned();
            length += mark.len_utf8() + decimals;
            break;
        }
    }
    if groups.len() < 2 {
        return None;
    }
    let whole = groups.concat();
    Some(Digits {
        form: decimal(&whole, &rest),
        parts: if rest.is_empty() {
            groups.into_iter().map(str::to_owned).collect()
        } else {
            Vec::new()
        },
        is_row: true,
        as_decimals: None,
        length,
    })
}

fn of(raw: &str) -> Digits {
    let groups: Vec<&str> = raw.split(is_separator).collect();
    let separators: Vec<char> = raw.chars().filter(|c| is_separator(*c)).collect();
    let first = groups.first().copied().unwrap_or_default();
    let grouped = |groups: &[&str]| {
        groups.len() > 1
            && first.len() <= 3
            && !first.starts_with('0')
            && groups.iter().skip(1).all(|group| group.len() == 3)
    };
    let uniform = separators
        .windows(2)
        .all(|pair| pair.first() == pair.last());
    let mut found = Digits::default();
    match groups.as_slice() {
        [only] => found.form = without_leading_zeros(only),
        all if uniform && grouped(all) => {
            found.form = all.concat();
            if let [whole, decimals] = all {
                found.as_decimals = Some(decimal(whole, decimals));
            }
        }
        [whole, decimals] => found.form = decimal(whole, decimals),
        [whole @ .., decimals] if !uniform && grouped(whole) => {
            found.form = decimal(&whole.concat(), decimals);
        }
        // A date or a version: it counts as a whole, and so does each of its parts.
        all => {
            found.parts = all.iter().map(|part| without_leading_zeros(part)).collect();
            found.form = raw.to_owned();
        }
    }
    found
}

fn decimal(whole: &str, decimals: &str) -> String {
    let whole = without_leading_zeros(whole);
    match decimals.trim_end_matches('0') {
        "" => whole,
        decimals => format!("{whole}.{decimals}"),
    }
}

pub(super) fn without_leading_zeros(digits: &str) -> String {
    match digits.trim_start_matches('0') {
        "" => "0".to_owned(),
        rest => rest.to_owned(),
    }
}

fn is_digit_at(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_some_and(u8::is_ascii_digit)
}

fn is_separator(c: char) -> bool {
    matches!(c, '.' | ',' | '\'' | '’' | '\u{66B}' | '\u{66C}')
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}')
}
