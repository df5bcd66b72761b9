//! Reads style sheets for what hides text, strikes it out or paints it.

use cssparser::{ParseError, Parser, Token};

use super::rules::{Does, Effect, Property, Rule, Rules, Selector};

/// Most rules that are kept, and most selectors of one.
const MOST_RULES: usize = 2000;
const MOST_SELECTORS: usize = 24;
/// Functions within functions of a value that are looked into.
const MOST_DEPTH: usize = 3;
/// From here on, in any unit, something stands beside the page.
const BESIDE_THE_PAGE: f32 = -999.0;

/// Reads the rules of a sheet.
pub(super) fn read(css: &str, rules: &mut Rules) {
    sheet(&mut Parser::new(css), 0, rules);
}

/// What the declarations of an element's own style do to its text.
pub(super) fn own_effects(style: &str) -> Vec<Effect> {
    effects(&mut Parser::new(style))
}

/// Reads the rules of a sheet or of a block that holds rules.
fn sheet(parser: &mut Parser<'_>, depth: usize, rules: &mut Rules) {
    let mut start = parser.position();
    loop {
        let before = parser.position();
        let Ok(token) = parser.next_including_whitespace_and_comments().cloned() else {
            return;
        };
        match token {
            Token::Semicolon | Token::CDO | Token::CDC => start = parser.position(),
            Token::CurlyBracketBlock => {
                let prelude = parser.slice(start..before).trim().to_owned();
                let _: Result<(), ParseError<()>> = parser.parse_nested_block(|inner| {
                    block(inner, &prelude, depth, rules);
                    Ok(())
                });
                start = parser.position();
            }
            _ => {}
        }
    }
}

fn block(parser: &mut Parser<'_>, prelude: &str, depth: usize, rules: &mut Rules) {
    if let Some(rule) = prelude.strip_prefix('@') {
        let rule = rule.to_ascii_lowercase();
        let (name, condition) = rule.split_once([' ', '(']).unwrap_or((&rule, ""));
        let is_shown = match name {
            "media" => {
                ["screen", "all"].iter().any(|it| condition.contains(it))
                    || !condition.contains("print")
            }
            "supports" | "layer" => true,
            _ => false,
        };
        if is_shown && depth < MOST_DEPTH {
            sheet(parser, depth + 1, rules);
        }
        return;
    }
    if rules.len() >= MOST_RULES {
        return;
    }
    let effects = effects(parser);
    if !effects.is_empty() {
        let selectors = selectors(prelude);
        rules.push(selectors, Rule { effects });
    }
}

fn selectors(prelude: &str) -> Vec<Selector> {
    let mut parser = Parser::new(prelude);
    let mut found = vec![Selector::default()];
    let mut is_class = false;
    while let Ok(token) = parser.next_including_whitespace().cloned() {
        if token == Token::Comma {
            if found.len() >= MOST_SELECTORS {
                break;
            }
            found.push(Selector::default());
            continue;
        }
        let Some(last) = found.last_mut() else { break };
        match token {
            // Whatever stands before the last part.
            Token::WhiteSpace(_) | Token::Delim('>' | '+' | '~') => {
                if !parser.is_exhausted() && !ends_here(&mut parser) {
                    *last = Selector::default();
                }
            }
            Token::Delim('.') => {
                is_class = true;
                continue;
            }
            Token::Ident(name) if is_class => last.classes.push(name.to_string()),
            Token::Ident(name) => last.name = Some(name.to_ascii_lowercase()),
            Token::IDHash(id) => last.id = Some(id.to_string()),
            Token::Delim('*') => {}
            _ => last.is_conditional = true,
        }
        is_class = false;
    }
    found
}

/// Whether only a comma follows, so that a blank ends a selector and no part of one.
fn ends_here(parser: &mut Parser<'_>) -> bool {
    let state = parser.state();
    let next = parser.next().cloned();
    parser.reset(&state);
    matches!(next, Ok(Token::Comma))
}

/// What a block of declarations does to the text of its element.
fn effects(parser: &mut Parser<'_>) -> Vec<Effect> {
    let mut found = Vec::new();
    let (mut is_clipped, mut is_flat) = (false, false);
    let (mut colour, mut ground) = (None, None);
    while !parser.is_exhausted() {
        let mut words = Vec::new();
        let mut name = None;
        while let Ok(token) = parser.next().cloned() {
            match token {
                Token::Semicolon => break,
                Token::Ident(property) if name.is_none() => {
                    name = Some(property.to_ascii_lowercase());
                }
                token => piece(parser, &token, 0, &mut words),
            }
        }
        let name = name.unwrap_or_default();
        is_clipped |= name.starts_with("overflow") && has_word(&words, &["hidden", "clip"]);
        is_flat |=
            matches!(name.as_str(), "height" | "max-height") && has_number(&words, |it| it == 0.0);
        match name.as_str() {
            "color" => colour = colour_of(&words),
            "background" | "background-color" => ground = colour_of(&words),
            _ => {}
        }
        found.extend(effect(&name, &words));
    }
    // White on a ground that isn't white is left to whoever knows the ground.
    if colour.is_some() && colour == ground {
        found.push(Effect {
            property: Property::Color,
            does: Does::LeaveOut,
        });
    }
    if is_clipped && is_flat {
        found.push(Effect {
            property: Property::Height,
            does: Does::LeaveOut,
        });
    }
    found
}

/// A piece of a value.
#[derive(Debug)]
enum Piece {
    Word(String),
    Number(f32),
    /// `fff` of `#fff`.
    Hash(String),
}

fn piece(parser: &mut Parser<'_>, token: &Token<'_>, depth: usize, found: &mut Vec<Piece>) {
    match token {
        Token::Ident(word) => found.push(Piece::Word(word.to_ascii_lowercase())),
        Token::Number { value, .. } | Token::Dimension { value, .. } => {
            found.push(Piece::Number(*value))
        }
        Token::Hash(hash) | Token::IDHash(hash) => {
            found.push(Piece::Hash(hash.to_ascii_lowercase()));
        }
        Token::Percentage { unit_value, .. } => found.push(Piece::Number(unit_value * 100.0)),
        Token::Function(name) if depth < MOST_DEPTH => {
            found.push(Piece::Word(name.to_ascii_lowercase()));
            let _: Result<(), ParseError<()>> = parser.parse_nested_block(|inner| {
                while let Ok(token) = inner.next().cloned() {
                    piece(inner, &token, depth + 1, found);
                }
                Ok(())
            });
        }
        _ => {}
    }
}

fn has_word(of: &[Piece], words: &[&str]) -> bool {
    of.iter()
        .any(|piece| matches!(piece, Piece::Word(word) if words.contains(&word.as_str())))
}

fn has_number(of: &[Piece], fits: impl Fn(f32) -> bool) -> bool {
    of.iter()
        .any(|piece| matches!(piece, Piece::Number(number) if fits(*number)))
}

/// A colour that a value names: `white`, `#fff`, `rgb(255, 255, 255)`.
fn colour_of(of: &[Piece]) -> Option<[u8; 3]> {
    let numbers = || {
        let numbers = of.iter().filter_map(|piece| match piece {
            Piece::Number(number) if (0.0..=255.0).contains(number) => Some(*number),
            _ => None,
        });
        // The casts are of numbers that fit.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let channels: Vec<u8> = numbers.map(|number| number as u8).collect();
        <[u8; 3]>::try_from(channels).ok()
    };
    match of.first()? {
        Piece::Word(word) if word == "white" && of.len() == 1 => Some([255; 3]),
        Piece::Word(word) if word == "rgb" => numbers(),
        Piece::Hash(hash) => {
            let digit = |at: usize| char::to_digit(char::from(*hash.as_bytes().get(at)?), 16);
            let channel = |at: usize| match hash.len() {
                3 => u8::try_from(digit(at)? * 17).ok(),
                6 => u8::try_from(digit(2 * at)? * 16 + digit(2 * at + 1)?).ok(),
                _ => None,
            };
            Some([channel(0)?, channel(1)?, channel(2)?])
        }
        _ => None,
    }
}

/// What a declaration does to text, if it is one of those that can hide it.
fn effect(name: &str, value: &[Piece]) -> Option<Effect> {
    let is_zero = |number: f32| number == 0.0;
    let (property, leaves_out) = match name {
        "color" if colour_of(value) == Some([255; 3]) => {
            return Some(Effect {
                property: Property::Color,
                does: Does::Whiten,
            });
        }
        "background" | "background-color" | "background-image" => {
            let paints = colour_of(value) != Some([255; 3])
                && !has_word(
                    value,
                    &["none", "transparent", "initial", "inherit", "unset"],
                );
            return Some(Effect {
                property: Property::Ground,
                does: if paints { Does::Paint } else { Does::Nothing },
            });
        }
        "display" => (Property::Display, has_word(value, &["none"])),
        "visibility" => (
            Property::Visibility,
            has_word(value, &["hidden", "collapse"]),
        ),
        "opacity" => (Property::Opacity, has_number(value, is_zero)),
        "font-size" => (Property::FontSize, has_number(value, is_zero)),
        "color" => (Property::Color, has_word(value, &["transparent"])),
        "text-decoration" | "text-decoration-line" => {
            (Property::Decoration, has_word(value, &["line-through"]))
        }
        "mso-hide" => (Property::WordHide, has_word(value, &["all", "screen"])),
        "left" | "top" | "right" | "margin-left" | "text-indent" => (
            Property::Place,
            has_number(value, |it| it <= BESIDE_THE_PAGE),
        ),
        "transform" => {
            let shrinks = has_word(value, &["scale", "scalex"]) || has_word(value, &["scaley"]);
            (Property::Transform, shrinks && has_number(value, is_zero))
        }
        _ => return None,
    };
    let does = match leaves_out {
        true => Does::LeaveOut,
        false => Does::Nothing,
    };
    Some(Effect { property, does })
}
