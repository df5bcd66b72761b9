//! Words of customers: quotations with the name of who says so.

mod marked_up;
mod of_customers;

pub use marked_up::quotations;
pub use of_customers::of_customers;

use marked_up::has_given_name;

use gtm_lexicon::company::WE;
use gtm_lexicon::proofs::HOUSE;
use gtm_site_research::evidence::Passage;
use gtm_site_research::organization::texts;
use gtm_site_research::page::BlockKind;
use gtm_site_research::{sentences, staff, words};

use serde_json::Value;

use super::legal_names;
use super::others::Own;
use super::people::People;
use super::sold::SOLD;
use crate::site::Site;

/// The company and its people: their praise of themselves proves nothing.
pub struct House {
    own: Own,
    people: People,
}

impl House {
    /// The house behind a site.
    pub fn of(site: &Site) -> Self {
        Self {
            own: Own::new(site, None),
            people: People::of(site),
        }
    }
}

/// Marks that open quotations, and those that close them.
const MARKS: [(char, char); 10] = [
    ('"', '"'),
    ('“', '”'),
    ('“', '“'),
    ('”', '”'),
    ('„', '“'),
    ('„', '”'),
    ('«', '»'),
    ('»', '«'),
    ('「', '」'),
    ('『', '』'),
];
/// Fewest and most characters of a quotation on a card.
const CARD: std::ops::RangeInclusive<usize> = 25..=600;
/// Fewest words of a sentence that lacks its stop.
const UNSTOPPED: usize = 8;
/// Most signs between a quotation and the name of its author: stars, initials.
const MOST_SIGNS: usize = 2;
/// Most words of a person's name.
const LONGEST_NAME: usize = 3;
/// Lowest level of a heading that may be a name on a card: those above begin parts of the page.
const OF_CARDS: u8 = 4;

/// A quotation with the author that it names at its end, or that the next blocks name; without one it proves nothing.
/// `all` are the passages of the site, and `at` is its place among them.
pub fn with_author(all: &[Passage], at: usize, house: &House) -> Option<String> {
    let quote = all.get(at)?;
    let behind = all.get(at + 1..).unwrap_or_default();
    if is_signed_above(all, at) {
        return None;
    }
    let authors: Vec<&str> = behind
        .iter()
        .zip(quote.block + 1..)
        .take_while(|(passage, block)| {
            // The brand's name at the top of a footer stands right behind it, too.
            passage.page == quote.page
                && passage.block == *block
                && passage.main == quote.main
                && (names_author(passage) || is_initials(&passage.text))
        })
        .filter(|(passage, _)| !is_initials(&passage.text))
        .map(|(passage, _)| passage.text.as_str())
        .take(3)
        .collect();
    if authors
        .first()
        .is_some_and(|author| house.people.has(author))
    {
        return None;
    }
    // A third line names the author's company.
    if authors.len() < 3 && authors.iter().any(|author| is_of_the_house(author, house)) {
        return None;
    }
    if !authors.is_empty() {
        // Texts that a quotation only sets in are followed by other lines, too.
        let marked_up = behind
            .first()
            .is_some_and(|line| line.kind == BlockKind::Quote);
        let signed = marked_up
            || is_in_marks(quote.text.trim())
            || authors.iter().any(|author| signs(author));
        if !signed {
            return None;
        }
        let authors: Vec<&str> = authors.into_iter().take(2).collect();
        return Some(format!("{} {}", quote.text, authors.join(" ")));
    }
    let parts = sentences::split(&quote.text, "en");
    let last = parts.last().filter(|last| parts.len() > 1 && signs(last))?;
    let signed = last.trim_start_matches(['—', '–', '-', '―', '~', ' ']);
    (!signed.ends_with(['.', '!', '?', '…', '”', '"'])
        && is_name_like(signed)
        && !is_of_the_house(signed, house))
    .then(|| quote.text.clone())
}

/// Most lines of a card beside what somebody says.
const BESIDE: usize = 3;

/// Whether each quotation of the row in which one stands has its author above it: a name opens the row, and none ends it. What
/// stands behind such a quotation is the name on the next card.
fn is_signed_above(all: &[Passage], at: usize) -> bool {
    let (before, rest) = all.split_at_checked(at).unwrap_or_default();
    let Some((quote, behind)) = rest.split_first() else {
        return false;
    };
    let is_said = |line: &Passage| is_quotation(line, None);
    let opens = row(quote, before.iter().rev(), is_said);
    let closes = row(quote, behind.iter(), is_said);
    let is_name =
        |line: &&Passage| !is_initials(&line.text) && !is_mark(line) && is_signature(line);
    opens.iter().any(is_name) && !closes.iter().any(is_name)
}

/// The lines with which a row of quotations ends in one direction: those beyond its last quotation.
fn row<'a>(
    from: &'a Passage,
    lines: impl Iterator<Item = &'a Passage>,
    is_said: impl Fn(&Passage) -> bool,
) -> Vec<&'a Passage> {
    let mut last = from;
    let mut beyond = Vec::new();
    for line in lines {
        let follows = line.page == last.page && line.block.abs_diff(last.block) == 1;
        if !follows || beyond.len() >= BESIDE {
            break;
        }
        last = line;
        if is_said(line) {
            beyond.clear();
        } else {
            beyond.push(line);
        }
    }
    beyond
}

/// Whether a line by itself is the name of a person on a card: one of its words is given to people.
fn is_signature(line: &Passage) -> bool {
    let heads = line.kind == BlockKind::Heading && line.level >= OF_CARDS;
    words::count(&line.text) <= LONGEST_NAME
        && (heads || names_author(line))
        && has_given_name(&line.text)
}

/// Whether a block is what somebody says: by its kind, or a whole text in quotation marks.
fn is_quotation(passage: &Passage, previous: Option<&Passage>) -> bool {
    let text = passage.text.trim();
    let words = words::count(text) >= 5 && text.chars().count() >= *CARD.start();
    let by_kind = passage.kind == BlockKind::Quote && !is_attribution(passage, previous);
    words && (by_kind || passage.kind != BlockKind::Heading && is_in_marks(text))
}

/// Whether the block at this place behind a quotation can say who its author is. Only the first may be a heading, of a
/// level below those that begin parts of a page.
fn is_line_of_author(passage: &Passage, nth: usize) -> bool {
    let text = passage.text.trim();
    let heads = passage.kind == BlockKind::Heading && passage.level >= OF_CARDS && nth == 0;
    let plain = matches!(
        passage.kind,
        BlockKind::Paragraph | BlockKind::Other | BlockKind::Quote
    );
    // `Globex, with 15,000 employees.` is no sentence, but tells of the author's company.
    let of_company =
        nth > 0 && staff::counted(text).is_some() && !WE.any_in(&words::split(&words::fold(text)));
    (heads || plain || of_company)
        && words::count(text) <= 10
        && text.chars().count() <= 90
        && (of_company || !text.ends_with(['.', '!', '?', '…', ':', '。']))
}

/// Whether a text is one to three capitals, as stand in the place of a picture.
fn is_initials(text: &str) -> bool {
    let letters = text.trim_matches(|c: char| !c.is_alphanumeric());
    (1..=3).contains(&letters.chars().count())
        && letters
            .chars()
            .all(|c| c.is_uppercase() || c.is_whitespace())
}

/// Whether a block is nothing but a quotation mark or a row of stars, as cards show above what somebody says.
fn is_mark(passage: &Passage) -> bool {
    let is_sign = |c: char| {
        matches!(
            c,
            '★' | '☆' | '⭐' | '❝' | '❞' | '\u{fe0f}' | '\'' | '’' | '‘' | ' '
        ) || MARKS.iter().any(|(open, close)| c == *open || c == *close)
    };
    passage.text.chars().count() <= 12 && passage.text.chars().all(is_sign)
}

/// Whether a text begins and ends with the marks of a quotation.
fn is_in_marks(text: &str) -> bool {
    let closed = |mark: char| {
        text.trim_end_matches(['.', '!', '?', '…', '。'])
            .ends_with(mark)
    };
    MARKS
        .iter()
        .any(|(open, close)| text.starts_with(*open) && closed(*close))
}

/// A whole text in quotation marks on a card, or below a mark of its own, whose author stands right below it with at
/// least two words of a name.
pub fn on_card(
    all: &[Passage],
    at: usize,
    above: Option<&Passage>,
    house: &House,
) -> Option<String> {
    let passage = all.get(at)?;
    let behind = all.get(at + 1..).unwrap_or_default();
    let text = passage.text.trim();
    let marked = above.is_some_and(|above| {
        above.page == passage.page && above.block + 1 == passage.block && is_mark(above)
    });
    let quoted = is_in_marks(text);
    let inside = text.trim_matches(|c| MARKS.iter().any(|(open, close)| c == *open || c == *close));
    // A quotation is a whole sentence, a title is not.
    let stops = inside.ends_with(['.', '!', '?', '…', '。', '！']);
    let whole = stops || words::count(text) >= UNSTOPPED;
    let is_text = matches!(passage.kind, BlockKind::Paragraph | BlockKind::Other);
    let fits = is_text && (quoted || marked) && whole && CARD.contains(&text.chars().count());
    if !fits || words::count(text) < 5 || is_signed_above(all, at) {
        return None;
    }
    // A circle with the initials of the author stands for the picture, and stars may stand above the name.
    let signs = behind.iter().zip(passage.block + 1..);
    let signs = signs.take_while(|(next, block)| {
        next.page == passage.page
            && next.block == *block
            && (is_initials(&next.text) || is_mark(next))
    });
    let signs = signs.count().min(MOST_SIGNS);
    let (shown, behind) = behind.split_at_checked(signs)?;
    let starred = marked || shown.iter().any(is_mark);
    let name = behind.first().filter(|name| {
        // In quotation marks and with stars, a text is what somebody says, so that a given name is enough.
        let sure = quoted && (starred || has_role(&name.text));
        let of_card = name.kind == BlockKind::Heading && (name.level >= OF_CARDS || sure);
        name.page == passage.page
            && name.block == passage.block + 1 + signs
            && (of_card || names_author(name))
            && (is_personal(&name.text) || sure && has_given_name(&name.text))
    })?;
    let company = behind.get(1).filter(|next| {
        next.page == passage.page && next.block == name.block + 1 && names_author(next)
    });
    let author = match company {
        Some(company) => format!("{} {}", name.text, company.text),
        None => name.text.clone(),
    };
    let of_house = [Some(name), company]
        .into_iter()
        .flatten()
        .any(|line| is_of_the_house(&line.text, house));
    (!of_house).then(|| format!("{text} {author}"))
}

/// Whether a line is somebody's, and not just the next one: it begins with a dash, or has a given name or a role.
fn signs(line: &str) -> bool {
    line.starts_with(['—', '–', '-', '―', '~']) || has_role(line) || has_given_name(line)
}

/// Whether a name has something behind a comma or a stroke: a role, a company, a town.
fn has_role(name: &str) -> bool {
    let name = name.trim_start_matches(['—', '–', '-', '―', '~', ' ']);
    name.contains([',', '|', '·', '(']) || name.contains(" – ") || name.contains(" - ")
}

/// What structured data of the company, or of what it sells, declares as reviews by named people.
pub fn declared(site: &Site, house: &House) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let pages = site.own_pages();
    let owners = pages.flat_map(|(page, _, content)| {
        let sold = content.json_ld_of(SOLD).into_iter();
        sold.map(move |object| (page, object))
    });
    let companies = site.of_the_whole();
    let companies = companies.map(|organization| (organization.page, &organization.members));
    for (page, object) in companies.chain(owners) {
        let reviews = match object.get("review").or_else(|| object.get("reviews")) {
            Some(Value::Array(items)) => items.iter().filter_map(Value::as_object).collect(),
            Some(Value::Object(one)) => vec![one],
            _ => Vec::new(),
        };
        for review in reviews {
            let author = texts(review, "author").into_iter().next();
            let body = texts(review, "reviewBody").into_iter().next();
            let (Some(author), Some(body)) = (author, body) else {
                continue;
            };
            let fits = CARD.contains(&body.chars().count()) && words::count(&body) >= 5;
            if fits && is_name_like(&author) && !is_of_the_house(&author, house) {
                found.push((page, body));
            }
        }
    }
    found
}

/// Whether a text begins with two words written like a name, or is one in a script without capitals.
fn is_personal(text: &str) -> bool {
    let text = text.trim_start_matches(['—', '–', '-', '―', '~', ' ']);
    let mut words = text.split_whitespace();
    let is_name = |word: &str| word.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase());
    let two = [words.next(), words.next()];
    two.into_iter().all(|word| word.is_some_and(is_name))
        || text.chars().count() <= 20 && text.starts_with(|c: char| c > '\u{2e80}')
}

/// Whether the words about an author say that it is the company's founder, owner, apprentice or the like, and name no
/// other company: its own people's praise proves nothing.
fn is_of_the_house(author: &str, house: &House) -> bool {
    names_the_house(author, house) || house.people.has(author)
}

/// Whether the words about an author say so without a name: by the role, or by the company's own name at their end.
fn names_the_house(author: &str, house: &House) -> bool {
    let folded = words::fold(author);
    let words = words::split(&folded);
    // What stands behind the role is whose: `Founder, Fellside Creamery`.
    let ends = HOUSE
        .places(&words)
        .any(|(at, phrase)| at + phrase.len() == words.len());
    // `Founder Jane Roe` names no other company either.
    let opens = || {
        HOUSE
            .at_start(&words)
            .any(|phrase| (1..=LONGEST_NAME).contains(&(words.len() - phrase.len())))
            && !author.contains([',', '|', '–', '(', '@'])
    };
    ends || opens() || house.own.ends(author)
}

/// Whether a block behind a quotation can be the name, the role or the company of its author.
fn names_author(passage: &Passage) -> bool {
    let text = passage
        .text
        .trim_start_matches(['—', '–', '-', '―', '~', ' ']);
    // `Oona P.`, `Globex S.p.A.`
    let is_short_form = || {
        let last = text.split_whitespace().next_back().unwrap_or_default();
        last.chars().filter(|c| c.is_alphabetic()).count() == 1 || legal_names::find(text) == [text]
    };
    !matches!(passage.kind, BlockKind::Heading | BlockKind::TableRow)
        && (!text.ends_with(['.', '!', '?', '…', ':']) || text.ends_with('.') && is_short_form())
        && is_name_like(text)
}

fn is_name_like(text: &str) -> bool {
    text.split_whitespace().count() <= 10
        && text.chars().count() <= 90
        && text.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase())
}

/// Whether the block names the author of the quotation before it: a block of its own, without the end of a
/// sentence.
pub fn is_attribution(passage: &Passage, previous: Option<&Passage>) -> bool {
    let text = passage.text.trim();
    let whole = text
        .trim_end_matches(['"', '”', '“', '»', '’', ')'])
        .ends_with(['.', '!', '?', '…', '؟']);
    let words = text.split_whitespace().count();
    // `They cast a spare. Jane Roe, Acme` is a quotation with its author, not just the author.
    let alone = sentences::split(text, "en").len() == 1;
    let dashed = text.starts_with(['—', '–', '-', '―', '~']);
    let follows = previous.is_some_and(|previous| {
        previous.kind == BlockKind::Quote
            && previous.page == passage.page
            && previous.block + 1 == passage.block
    });
    alone && words <= 16 && (dashed || !whole && (follows || text.contains(',') && words <= 10))
}
