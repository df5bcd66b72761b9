//! Values of declarations: substitutes custom properties, then finds the colours and words.

use cssparser::{ParseError, Parser, Token};

use super::color::{self, Paint};

/// Most substitutions within one value, and how deep they may nest.
const MOST_STEPS: u32 = 32;
const MOST_DEPTH: u32 = 12;
/// Most bytes that a value may grow to.
const MOST_BYTES: usize = 4_000;

/// Skips the block that the token just read has opened; does nothing for any other token.
pub(super) fn skip_block(parser: &mut Parser<'_>, token: &Token<'_>) {
    if matches!(
        token,
        Token::Function(_)
            | Token::ParenthesisBlock
            | Token::SquareBracketBlock
            | Token::CurlyBracketBlock
    ) {
        let _: Result<(), ParseError<()>> = parser.parse_nested_block(|_| Ok(()));
    }
}

/// Whether a text closes everything it opens, so that nothing after it becomes part of it.
pub(super) fn is_closed(text: &str) -> bool {
    // Refuse characters that JSON writes in many more bytes and that no real sheet contains.
    if text.contains(|c: char| c.is_control() && !c.is_whitespace()) {
        return false;
    }
    let marked = format!("{text};x");
    let mut parser = Parser::new(&marked);
    let mut last = (false, false);
    while let Ok(token) = parser.next().cloned() {
        if last.0 && !last.1 && token == Token::Semicolon {
            return false;
        }
        last = match &token {
            Token::Semicolon => (true, false),
            Token::Ident(name) if last.0 => (true, &**name == "x"),
            _ => (false, false),
        };
        skip_block(&mut parser, &token);
    }
    last == (true, true)
}

/// A value after substitution.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Resolved {
    /// The value; unresolved references remain as `var(…)`.
    pub(super) text: String,
    /// Whether everything was resolved.
    pub(super) complete: bool,
    /// The custom properties that the value itself names.
    pub(super) names: Vec<String>,
}

/// Substitutes custom properties. DANGER: properties made of each other can grow exponentially, so `budget`
/// bounds the work on a whole sheet. `defined` gives a property's value.
pub(super) fn resolve<'v>(
    value: &str,
    defined: &dyn Fn(&str) -> Option<&'v str>,
    budget: &mut u32,
) -> Resolved {
    let mut resolved = Resolved {
        complete: true,
        ..Resolved::default()
    };
    let mut steps = MOST_STEPS;
    substitute(value, defined, budget, &mut steps, 0, &mut resolved);
    resolved
}

fn substitute<'v>(
    value: &str,
    defined: &dyn Fn(&str) -> Option<&'v str>,
    budget: &mut u32,
    steps: &mut u32,
    depth: u32,
    into: &mut Resolved,
) {
    let mut rest = value;
    while let Some(reference) = next_reference(rest) {
        into.text.push_str(reference.before);
        rest = reference.after;
        if depth == 0 {
            into.names.push(reference.name.to_owned());
        }
        let known = defined(reference.name).or(reference.fallback);
        match known {
            Some(value)
                if *steps > 0
                    && *budget > 0
                    && depth < MOST_DEPTH
                    && into.text.len() + value.len() <= MOST_BYTES =>
            {
                *steps -= 1;
                *budget -= 1;
                substitute(value, defined, budget, steps, depth + 1, into);
            }
            _ => {
                into.complete = false;
                into.text.push_str("var(");
                into.text.push_str(reference.name);
                into.text.push(')');
            }
        }
    }
    into.text.push_str(rest);
}

struct Reference<'a> {
    before: &'a str,
    name: &'a str,
    fallback: Option<&'a str>,
    after: &'a str,
}

/// The first `var(…)` of a value.
fn next_reference(text: &str) -> Option<Reference<'_>> {
    let bytes = text.as_bytes();
    let at = bytes.windows(4).enumerate().position(|(at, window)| {
        window.eq_ignore_ascii_case(b"var(")
            && !at
                .checked_sub(1)
                .and_then(|before| bytes.get(before))
                .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    })?;
    let inner = text.get(at + 4..)?;
    // Up to the closing parenthesis or, as in browsers, the end.
    let mut depth = 1;
    let mut comma = None;
    let mut quote = None;
    let mut end = inner.len();
    for (offset, byte) in inner.bytes().enumerate() {
        match byte {
            _ if quote == Some(byte) => quote = None,
            _ if quote.is_some() => {}
            b'"' | b'\'' => quote = Some(byte),
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    end = offset;
                    break;
                }
            }
            b',' if depth == 1 && comma.is_none() => comma = Some(offset),
            _ => {}
        }
    }
    let name = inner.get(..comma.unwrap_or(end))?.trim();
    Some(Reference {
        before: text.get(..at)?,
        name,
        fallback: comma
            .and_then(|comma| inner.get(comma + 1..end))
            .map(str::trim),
        after: inner.get(end + 1..).unwrap_or_default(),
    })
}

/// A part of a value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Part {
    Color(Paint),
    Word(String),
    Quoted(String),
    Number(f32),
    /// A length or percentage.
    Size,
    Comma,
    Slash,
    /// Something whose value is unknown here.
    Unknown,
}

/// The parts of a value. Colours inside gradients and mixtures are flattened into the list; those of a
/// mixture count as not opaque, since the mixture shows none of them unchanged.
pub(super) fn parts(value: &str) -> Vec<Part> {
    let mut found = Vec::new();
    collect(&mut Parser::new(value), true, &mut found);
    found
}

fn collect(parser: &mut Parser<'_>, as_is: bool, found: &mut Vec<Part>) {
    loop {
        parser.skip_whitespace();
        let start = parser.position();
        let Ok(token) = parser.next().cloned() else {
            return;
        };
        let part = match token {
            Token::Hash(digits) | Token::IDHash(digits) => color::of_hash(&digits).map(Part::Color),
            Token::Ident(word) => Some(match color::of_name(&word) {
                Some(paint) => Part::Color(paint),
                None => Part::Word(word.to_string()),
            }),
            Token::QuotedString(text) => Some(Part::Quoted(text.to_string())),
            Token::Number { value, .. } => Some(Part::Number(value)),
            Token::Dimension { .. } | Token::Percentage { .. } => Some(Part::Size),
            Token::Comma => Some(Part::Comma),
            Token::Delim('/') => Some(Part::Slash),
            Token::Function(name) => {
                let name = name.to_ascii_lowercase();
                function(parser, start, &name, as_is, found);
                None
            }
            Token::UnquotedUrl(_) => Some(Part::Unknown),
            token => {
                skip_block(parser, &token);
                None
            }
        };
        found.extend(part.map(|part| match part {
            Part::Color(paint) => Part::Color(Paint {
                opaque: paint.opaque && as_is,
                ..paint
            }),
            part => part,
        }));
    }
}

fn function(
    parser: &mut Parser<'_>,
    start: cssparser::SourcePosition,
    name: &str,
    as_is: bool,
    found: &mut Vec<Part>,
) {
    if color::is_color_function(name) {
        skip_block(parser, &Token::Function(name.into()));
        found.push(match color::of_function(parser.slice_from(start)) {
            Some(paint) => Part::Color(Paint {
                opaque: paint.opaque && as_is,
                ..paint
            }),
            None => Part::Unknown,
        });
        return;
    }
    let is_mixture = name.starts_with("color-") || name.ends_with("gradient");
    let is_choice = name == "light-dark";
    if !is_mixture && !is_choice {
        skip_block(parser, &Token::Function(name.into()));
        found.push(Part::Unknown);
        return;
    }
    let mut inside = Vec::new();
    let _: Result<(), ParseError<()>> = parser.parse_nested_block(|arguments| {
        collect(arguments, as_is && is_choice, &mut inside);
        Ok(())
    });
    for part in inside {
        match part {
            Part::Color(_) => found.push(part),
            // The light scheme's value comes first.
            Part::Comma if is_choice => break,
            _ => {}
        }
    }
}

/// The addresses in a value, without embedded data.
pub(super) fn urls(value: &str) -> Vec<String> {
    let mut parser = Parser::new(value);
    let mut urls = Vec::new();
    while let Ok(token) = parser.next().cloned() {
        let url = match token {
            Token::UnquotedUrl(url) => Some(url.to_string()),
            Token::Function(name) if name.eq_ignore_ascii_case("url") => {
                let url: Result<String, ParseError<()>> =
                    parser.parse_nested_block(|inner| Ok(inner.expect_string()?.to_string()));
                url.ok()
            }
            token => {
                skip_block(&mut parser, &token);
                None
            }
        };
        let usable = |url: &String| {
            !url.is_empty() && url.len() <= 2048 && !url.to_ascii_lowercase().starts_with("data:")
        };
        urls.extend(url.filter(usable));
    }
    urls
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(value: &str) -> Resolved {
        let defined = |name: &str| match name {
            "--a" => Some("#111"),
            "--b" => Some("var(--a)"),
            "--loop" => Some("var(--loop)"),
            "--rgb" => Some("10, 92,54"),
            _ => None,
        };
        resolve(value, &defined, &mut 1000)
    }

    fn hexes(value: &str) -> Vec<String> {
        parts(value)
            .into_iter()
            .filter_map(|part| match part {
                Part::Color(paint) => Some(paint.hex),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn custom_properties_are_put_in() {
        assert_eq!(resolved("1px var( --b ) x").text, "1px #111 x");
        assert_eq!(resolved("rgb(var(--rgb))").text, "rgb(10, 92,54)");
        assert_eq!(resolved("var(--no, var(--a, red))").text, "#111");
        assert_eq!(resolved("var(--no,rgb(1,2,3))").text, "rgb(1,2,3)");
        assert_eq!(resolved("var(--b)").names, ["--b"]);
        assert!(!resolved("var(--no)").complete);
        assert!(!resolved("var(--loop)").complete);
        assert_eq!(resolved("no-var(x) 'var(").text, "no-var(x) 'var()");
    }

    #[test]
    fn properties_made_of_each_other_end_soon() {
        let defined = |_: &str| Some("var(--x)var(--x)var(--x)");
        let mut budget = 1000;
        let text = resolve("var(--x)", &defined, &mut budget).text;
        assert!(text.len() < 10_000 && budget >= 900, "{budget}");
    }

    #[test]
    fn colours_are_found_wherever_they_stand() {
        assert_eq!(hexes("1px solid #f80"), ["#ff8800"]);
        assert_eq!(
            hexes("linear-gradient(90deg,#f80,transparent,rgb(0 0 0))"),
            ["#ff8800", "#000000"]
        );
        assert_eq!(hexes("light-dark(#fff, #000)"), ["#ffffff"]);
        assert_eq!(
            hexes("color-mix(in srgb, red 10%, white)"),
            ["#ff0000", "#ffffff"]
        );
        assert_eq!(
            hexes("url(#f80) url('red') calc(1 + 2) rgb(calc(1),2,3) var(--red)"),
            [""; 0]
        );
    }
}
