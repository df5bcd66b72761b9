//! Links and e-mail addresses of a text.

use gtm_domain::message::spelled_addresses::spelled_out;
use gtm_page_text::bare_host;

/// Longest piece of a text that is scanned at once.
const CHUNK_BYTES: usize = 1024;

/// A link or an address.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Address {
    Link(String),
    Email(String),
}

/// Calls `found` for each address of a text, also for `sales (at) a.example`, and returns the rest of it: the digits in an address count nothing.
pub(super) fn read(text: &str, mut found: impl FnMut(Address)) -> String {
    let spelled = spelled_out(text);
    let text = spelled.as_deref().unwrap_or(text);
    let mut rest = String::with_capacity(text.len());
    let mut ahead = text;
    while !ahead.is_empty() {
        let end = ahead.find(char::is_whitespace).unwrap_or(ahead.len());
        let (word, behind) = ahead.split_at(end);
        for piece in bounded_pieces(word) {
            read_piece(piece, &mut rest, &mut found);
            rest.push(' ');
        }
        ahead = behind.trim_start();
        let gap = behind.get(..behind.len() - ahead.len());
        if gap.is_some_and(parts_cells) && ahead.starts_with(char::is_numeric) {
            rest.push('\t');
        }
    }
    rest
}

/// Whether white space stands between two cells or lines. Digits on both sides of it are no number: `38<tab>112`; those on
/// both sides of one blank may be: `38 112`.
fn parts_cells(gap: &str) -> bool {
    gap.chars().count() > 1 || gap.contains(['\t', '\n', '\r'])
}

fn read_piece(piece: &str, rest: &mut String, found: &mut impl FnMut(Address)) {
    let mut piece = piece;
    loop {
        let next = match email(piece) {
            Some((before, address, after)) => Some((before, Address::Email(address), after)),
            None => link(piece).map(|(before, link, after)| (before, Address::Link(link), after)),
        };
        let Some((before, address, after)) = next else {
            rest.push_str(piece);
            return;
        };
        // A link may stand before an e-mail address.
        if let (Address::Email(_), Some((before, link, after))) = (&address, link(before)) {
            rest.push_str(before);
            found(Address::Link(link));
            rest.push_str(after);
        } else {
            rest.push_str(before);
        }
        rest.push(' ');
        found(address);
        piece = after;
    }
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

pub(super) fn host_of(link: &str) -> &str {
    link.split(['/', '?', '#']).next().unwrap_or(link)
}
