//! Numbers, links and e-mail addresses in a text: the parts of a claim that must not be made up.
//!
//! A claim paraphrases, so its words cannot be compared. But a number, a link or an address that does not
//! occur in the evidence was invented by the backend or planted by a page. Literals match by value, not by
//! spelling: `1,200`, `1.200` and `1 200` are the same number, `https://www.a.example/` and `a.example` the
//! same link.

mod text_set;
mod tokens;

use gtm_lexicon::figures::PERCENT;
use gtm_lexicon::trade::BUSINESS_MODELS;
use gtm_lexicon::{fold, with_ascii_digits};
use gtm_page_text::bare_host;

use self::text_set::TextSet;
use self::tokens::{MAX_GROUPS, Tokens};

/// The literals of a text.
#[derive(Debug, Clone, Default)]
pub struct Literals {
    /// Normal forms of numbers; a percentage is stored as both `20%` and `20`.
    numbers: TextSet,
    /// Words that contain digits, such as `q3`, in lower case.
    words: TextSet,
    /// Links without scheme, `www.` and trailing slash, hosts in lower case.
    links: TextSet,
    /// Addresses in lower case.
    emails: TextSet,
}

/// The kind of literal that was not found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// A number, or a word with digits.
    Number,
    /// A link or host name.
    Link,
    /// An e-mail address.
    Email,
}

/// Longest piece of a text that is scanned at once.
const CHUNK_BYTES: usize = 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Number {
        form: String,
        parts: Vec<String>,
        percent: bool,
        plain_group: Option<String>,
    },
    Word(String),
    Link(String),
    Email(String),
    /// Any other word or sign; it separates numbers.
    Other,
}

impl Literals {
    /// Extracts the literals of a text that serves as evidence.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self::of_all([text])
    }

    /// Extracts the literals of several texts.
    #[must_use]
    pub fn of_all<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let mut found = Self::default();
        texts.into_iter().for_each(|text| found.add(text));
        let Self {
            numbers,
            words,
            links,
            emails,
        } = &mut found;
        for set in [numbers, words, links, emails] {
            set.settle();
        }
        found
    }

    fn add(&mut self, text: &str) {
        let mut tokens = Tokens::of(text);
        loop {
            let joined = tokens.joined();
            let Some(token) = tokens.next() else {
                return;
            };
            if let Some((number, percent, _)) = joined {
                self.number(&number, percent);
            }
            match token {
                Token::Number {
                    form,
                    parts,
                    percent,
                    ..
                } => {
                    self.number(&form, percent);
                    parts.iter().for_each(|part| self.number(part, percent));
                }
                Token::Word(word) => self.words.add(&word),
                Token::Link(link) => {
                    self.links.add(&link);
                    // A page's address also proves its host.
                    self.links.add(host_of(&link));
                }
                Token::Email(address) => self.emails.add(&address),
                Token::Other => {}
            }
        }
    }

    fn number(&mut self, form: &str, percent: bool) {
        if percent {
            self.numbers.add(&format!("{form}%"));
        }
        self.numbers.add(form);
    }

    /// The whole numbers among the literals.
    pub fn integers(&self) -> impl Iterator<Item = u64> {
        self.numbers.iter().filter_map(|form| form.parse().ok())
    }

    /// Whether a whole number lies between the bounds, both included.
    #[must_use]
    pub fn has_integer(&self, (low, high): (u64, u64)) -> bool {
        self.integers().any(|number| (low..=high).contains(&number))
    }

    /// The first literal of `claim` that none of `evidence` contains.
    #[must_use]
    pub fn first_missing(claim: &str, evidence: &[&Self]) -> Option<Missing> {
        let mut tokens = Tokens::of(claim);
        let number = |form: &str, percent: bool| {
            let percentage = percent.then(|| format!("{form}%"));
            let form = percentage.as_deref().unwrap_or(form);
            evidence.iter().any(|e| e.numbers.contains(form))
        };
        loop {
            // If 1200 is in the evidence, `1 200` is supported, and so is its second group.
            if let Some((joined, percent, groups)) = tokens.joined()
                && number(&joined, percent)
            {
                tokens.pass(groups);
                continue;
            }
            match tokens.next()? {
                Token::Number { form, percent, .. } => {
                    if !number(&form, percent) {
                        return Some(Missing::Number);
                    }
                }
                Token::Word(word) => {
                    if !BUSINESS_MODELS.contains(&word)
                        && !evidence.iter().any(|e| e.words.contains(&word))
                    {
                        return Some(Missing::Number);
                    }
                }
                Token::Link(link) => {
                    if !evidence.iter().any(|e| e.links.contains(&link)) {
                        return Some(Missing::Link);
                    }
                }
                Token::Email(address) => {
                    if !evidence.iter().any(|e| e.emails.contains(&address)) {
                        return Some(Missing::Email);
                    }
                }
                Token::Other => {}
            }
        }
    }
}

/// The number that the first token begins and that continues in space-separated groups of three digits,
/// whether it is a percentage, and how many tokens it spans.
fn joined_groups(tokens: &[Token]) -> Option<(String, bool, usize)> {
    let Token::Number {
        plain_group: Some(first),
        percent: false,
        ..
    } = tokens.first()?
    else {
        return None;
    };
    if first.len() > 3 {
        return None;
    }
    let mut joined = first.clone();
    let mut percentage = false;
    let mut groups = 1;
    for token in tokens.iter().take(MAX_GROUPS).skip(1) {
        let Token::Number {
            plain_group: Some(group),
            percent,
            ..
        } = token
        else {
            break;
        };
        if group.len() != 3 || percentage {
            break;
        }
        joined.push_str(group);
        percentage = *percent;
        groups += 1;
    }
    (groups > 1).then(|| (without_leading_zeros(&joined), percentage, groups))
}

/// Splits a word into pieces of at most [`CHUNK_BYTES`]. Scanning a piece is recursive and quadratic in the
/// worst case, and a page may be one word of a megabyte.
fn bounded_pieces(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut end = rest.len().min(CHUNK_BYTES);
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece)
    })
}

fn chunk_tokens(chunk: &str, following: &[&str], found: &mut Vec<Token>) {
    if let Some((before, address, after)) = email(chunk) {
        chunk_tokens(before, &[], found);
        found.push(Token::Email(address));
        chunk_tokens(after, following, found);
        return;
    }
    if let Some((before, link, after)) = link(chunk) {
        chunk_tokens(before, &[], found);
        found.push(Token::Link(link));
        chunk_tokens(after, following, found);
        return;
    }
    let chars: Vec<char> = chunk.chars().collect();
    let before = found.len();
    let mut at = 0;
    while at < chars.len() {
        if !chars[at].is_alphanumeric() {
            at += 1;
            continue;
        }
        let start = at;
        if is_digit(chars[at]) {
            while at < chars.len()
                && (is_digit(chars[at])
                    || (is_separator(chars[at]) && chars.get(at + 1).is_some_and(|c| is_digit(*c))))
            {
                at += 1;
            }
            let raw: String = chars[start..at].iter().collect();
            let raw = with_ascii_digits(&raw);
            let percent = is_percent(chars.get(at).copied(), following);
            // `10x`, `5G`, `2nd`: letters that follow directly belong to the number.
            while at < chars.len() && chars[at].is_alphanumeric() {
                at += 1;
            }
            let alone = start == 0 && raw.chars().all(|c| c.is_ascii_digit());
            found.push(number(&raw, percent, alone));
        } else {
            while at < chars.len() && chars[at].is_alphanumeric() {
                at += 1;
            }
            let word: String = chars[start..at].iter().collect();
            if word.chars().any(is_digit) {
                found.push(Token::Word(word.to_lowercase()));
            } else {
                found.push(Token::Other);
            }
        }
    }
    if found.len() == before {
        found.push(Token::Other);
    }
}

fn number(raw: &str, percent: bool, alone: bool) -> Token {
    let groups: Vec<&str> = raw.split(is_separator).collect();
    let separators: Vec<char> = raw.chars().filter(|c| is_separator(*c)).collect();
    let plain_group = (alone && groups.len() == 1).then(|| raw.to_owned());
    let mut parts = Vec::new();
    let grouped = |groups: &[&str]| {
        groups.len() > 1
            && groups[0].len() <= 3
            && groups[0] != "0"
            && groups[1..].iter().all(|g| g.len() == 3)
    };
    let uniform = separators.windows(2).all(|pair| pair[0] == pair[1]);
    let form = if groups.len() == 1 {
        without_leading_zeros(raw)
    } else if uniform && grouped(&groups) {
        groups.concat()
    } else if groups.len() == 2 {
        decimal(groups[0], groups[1])
    } else if !uniform && grouped(&groups[..groups.len() - 1]) {
        decimal(
            &groups[..groups.len() - 1].concat(),
            groups[groups.len() - 1],
        )
    } else {
        // A date or a version: it counts as a whole, and so does each of its parts.
        parts = groups.iter().map(|g| without_leading_zeros(g)).collect();
        raw.to_owned()
    };
    Token::Number {
        form,
        parts,
        percent,
        plain_group,
    }
}

fn decimal(whole: &str, fraction: &str) -> String {
    let whole = without_leading_zeros(whole);
    let fraction = fraction.trim_end_matches('0');
    if fraction.is_empty() {
        whole
    } else {
        format!("{whole}.{fraction}")
    }
}

fn without_leading_zeros(digits: &str) -> String {
    let trimmed = digits.trim_start_matches('0');
    if trimmed.is_empty() {
        "0".to_owned()
    } else {
        trimmed.to_owned()
    }
}

fn is_digit(c: char) -> bool {
    c.is_numeric()
}
fn is_separator(c: char) -> bool {
    matches!(c, '.' | ',' | '\'' | '’' | '\u{66B}' | '\u{66C}')
}

/// Whether a percent sign follows, or the words for it come next.
fn is_percent(next: Option<char>, following: &[&str]) -> bool {
    if let Some(next) = next {
        return next == '%';
    }
    let signed = following.first().is_some_and(|word| {
        word.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '%') == "%"
    });
    let folded: Vec<String> = following.iter().take(2).map(|word| fold(word)).collect();
    let words: Vec<&str> = folded
        .iter()
        .map(|word| word.trim_end_matches(|c: char| !c.is_alphanumeric()))
        .collect();
    signed || PERCENT.open(&words)
}

/// The first e-mail address of a chunk: the text before it, the address, the text after it.
fn email(chunk: &str) -> Option<(&str, String, &str)> {
    let local = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '%' | '+' | '-');
    let host = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-');
    for (at, _) in chunk.match_indices('@') {
        let start = chunk[..at]
            .char_indices()
            .rev()
            .take_while(|(_, c)| local(*c))
            .last()
            .map_or(at, |(i, _)| i);
        let length: usize = chunk[at + 1..]
            .chars()
            .take_while(|c| host(*c))
            .map(char::len_utf8)
            .sum();
        let domain = chunk[at + 1..at + 1 + length].trim_end_matches(['.', '-']);
        if start < at && domain.contains('.') && !domain.starts_with('.') {
            let end = at + 1 + domain.len();
            return Some((
                &chunk[..start],
                chunk[start..end].to_lowercase(),
                &chunk[end..],
            ));
        }
    }
    None
}

/// The first link or host name of a chunk: the text before it, the link, the text after it.
fn link(chunk: &str) -> Option<(&str, String, &str)> {
    let start = match chunk.find("://") {
        Some(at) => chunk[..at]
            .char_indices()
            .rev()
            .take_while(|(_, c)| c.is_ascii_alphanumeric())
            .last()
            .map_or(at, |(i, _)| i),
        None => start_of_host(chunk)?,
    };
    let rest = &chunk[start..];
    // A closing bracket, quotation mark, comma or semicolon ends a link.
    let end = rest
        .find([
            '"', '<', '>', '»', '”', '“', '|', '\\', '^', '`', '{', '}', ')', ']', ',', ';',
        ])
        .unwrap_or(rest.len());
    let raw = rest[..end].trim_end_matches(['.', ':', '!', '?', '\'', '’', '*', '_', '…']);
    Some((&chunk[..start], normal_link(raw), &rest[raw.len()..]))
}

/// Where a host name without scheme begins: labels joined by dots, the last one of at least two letters, as
/// in `a.example/path`. `e.g.` and `3.5` are not host names.
fn start_of_host(chunk: &str) -> Option<usize> {
    let in_name = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-');
    let mut at = 0;
    while at < chunk.len() {
        let rest = &chunk[at..];
        let skip: usize = rest
            .chars()
            .take_while(|c| !in_name(*c))
            .map(char::len_utf8)
            .sum();
        let begin = at + skip;
        let length: usize = chunk[begin..]
            .chars()
            .take_while(|c| in_name(*c))
            .map(char::len_utf8)
            .sum();
        if length == 0 {
            return None;
        }
        let run = &chunk[begin..begin + length];
        let name = run.trim_start_matches(['.', '-']);
        let labels: Vec<&str> = name.trim_end_matches(['.', '-']).split('.').collect();
        let last = labels.last().copied().unwrap_or_default();
        if labels.len() >= 2
            && labels.iter().all(|l| !l.is_empty())
            && last.chars().count() >= 2
            && last.chars().all(char::is_alphabetic)
        {
            return Some(begin + (run.len() - name.len()));
        }
        at = begin + length;
    }
    None
}

fn normal_link(raw: &str) -> String {
    let bare = raw.split_once("://").map_or(raw, |(_, rest)| rest);
    let split = bare.find(['/', '?', '#']).unwrap_or(bare.len());
    let host = bare[..split].to_lowercase();
    let host = bare_host(&host);
    format!("{host}{}", bare[split..].trim_end_matches('/'))
}

fn host_of(link: &str) -> &str {
    link.split(['/', '?', '#']).next().unwrap_or(link)
}

#[cfg(test)]
mod tests;
