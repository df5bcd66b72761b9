//! What the styles of an HTML brief hide or strike out: those of its own sheets, and its elements' own.
//!
//! Danger: word processors and mail programs mark struck and hidden text by a style alone, often by a class, and it would
//! be printed. So a rule counts for whatever the last part of its selector fits, whatever stands before that part.

use cssparser::{ParseError, Parser, Token};
use gtm_page_text::html::{Element, Place, Visitor};

/// Most rules that are kept, and most selectors of one.
const MOST_RULES: usize = 2000;
const MOST_SELECTORS: usize = 24;
/// Functions within functions of a value that are looked into.
const MOST_DEPTH: usize = 3;
/// From here on, in any unit, something stands beside the page.
const BESIDE_THE_PAGE: f32 = -999.0;

/// The sheets of a document, collected while it is scanned.
#[derive(Debug, Default)]
pub struct Sheets {
    css: String,
    styles: usize,
}

impl Visitor for Sheets {
    fn start(&mut self, element: &Element<'_>, _: &Place) {
        self.styles += usize::from(element.name == "style" && element.has_end);
    }

    fn end(&mut self, name: &str, _: &Place) {
        if name == "style" {
            self.styles = self.styles.saturating_sub(1);
        }
    }

    fn text(&mut self, text: &str, _: &Place) {
        if self.styles > 0 {
            self.css.push_str(text);
        }
    }
}

impl Sheets {
    /// The rules that hide, strike out, or undo it.
    pub fn rules(&self) -> Rules {
        let mut rules = Rules::default();
        sheet(&mut Parser::new(&self.css), 0, &mut rules);
        rules
    }
}

/// The rules of a document's own sheets, in order.
#[derive(Debug, Default)]
pub struct Rules {
    rules: Vec<Rule>,
}

#[derive(Debug)]
struct Rule {
    selectors: Vec<Selector>,
    effects: Vec<Effect>,
}

/// A property, and whether its value hides or strikes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Effect {
    property: Property,
    leaves_out: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Property {
    Display,
    Visibility,
    Opacity,
    FontSize,
    Color,
    Decoration,
    /// Word's own for hidden text.
    WordHide,
    Place,
    Transform,
    Height,
}

/// The last part of a selector, and how much it weighs.
#[derive(Debug, Default, PartialEq, Eq)]
struct Selector {
    name: Option<String>,
    id: Option<String>,
    classes: Vec<String>,
    /// Whether it has a condition that is not read, such as `:hover`.
    is_conditional: bool,
}

impl Selector {
    fn weight(&self) -> (usize, usize, usize) {
        let names = usize::from(self.name.is_some());
        (usize::from(self.id.is_some()), self.classes.len(), names)
    }

    fn fits(&self, element: &Element<'_>) -> bool {
        let has_class = |class: &String| {
            let own = element.attribute("class").unwrap_or_default();
            own.split_ascii_whitespace().any(|own| own == class)
        };
        !self.is_conditional
            && self.name.as_deref().is_none_or(|it| it == element.name)
            && self
                .id
                .as_deref()
                .is_none_or(|id| element.attribute("id") == Some(id))
            && self.classes.iter().all(has_class)
    }
}

impl Rules {
    /// Whether an element's text is hidden or struck out.
    pub fn leave_out(&self, element: &Element<'_>) -> bool {
        if element.attribute("popover").is_some() || is_words_comment(element) {
            return true;
        }
        let mut winners: Vec<((usize, usize, usize), Effect)> = Vec::new();
        let mut put = |weight: (usize, usize, usize), effect: Effect| {
            let known = winners
                .iter_mut()
                .find(|(_, known)| known.property == effect.property);
            match known {
                Some(known) if known.0 <= weight => *known = (weight, effect),
                Some(_) => {}
                None => winners.push((weight, effect)),
            }
        };
        for rule in &self.rules {
            let fitting = rule.selectors.iter().filter(|it| it.fits(element));
            if let Some(weight) = fitting.map(Selector::weight).max() {
                rule.effects.iter().for_each(|effect| put(weight, *effect));
            }
        }
        if let Some(style) = element.attribute("style") {
            let own = effects(&mut Parser::new(style));
            own.into_iter()
                .for_each(|effect| put((usize::MAX, 0, 0), effect));
        }
        winners.iter().any(|(_, effect)| effect.leaves_out)
    }
}

/// Whether Word marks it as a comment or as deleted.
fn is_words_comment(element: &Element<'_>) -> bool {
    let classes = element.attribute("class").unwrap_or_default();
    let mut classes = classes.split_ascii_whitespace();
    classes.any(|class| class.starts_with("MsoComment") || class == "msoDel")
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
    if rules.rules.len() >= MOST_RULES {
        return;
    }
    let effects = effects(parser);
    if !effects.is_empty() {
        let selectors = selectors(prelude);
        rules.rules.push(Rule { selectors, effects });
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
        found.extend(effect(&name, &words));
    }
    if is_clipped && is_flat {
        found.push(Effect {
            property: Property::Height,
            leaves_out: true,
        });
    }
    found
}

/// A piece of a value.
#[derive(Debug)]
enum Piece {
    Word(String),
    Number(f32),
}

fn piece(parser: &mut Parser<'_>, token: &Token<'_>, depth: usize, found: &mut Vec<Piece>) {
    match token {
        Token::Ident(word) => found.push(Piece::Word(word.to_ascii_lowercase())),
        Token::Number { value, .. } | Token::Dimension { value, .. } => {
            found.push(Piece::Number(*value))
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

/// What a declaration does to text, if it is one of those that can hide it.
fn effect(name: &str, value: &[Piece]) -> Option<Effect> {
    let is_zero = |number: f32| number == 0.0;
    let (property, leaves_out) = match name {
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
    Some(Effect {
        property,
        leaves_out,
    })
}

#[cfg(test)]
mod tests {
    use gtm_page_text::html::scan;

    use super::*;

    struct Kept<'r> {
        rules: &'r Rules,
        kept: Vec<String>,
    }

    impl Visitor for Kept<'_> {
        fn start(&mut self, element: &Element<'_>, _: &Place) {
            if element.name == "p" && !self.rules.leave_out(element) {
                let id = element.attribute("id").unwrap_or_default();
                self.kept.push(id.to_owned());
            }
        }
        fn end(&mut self, _: &str, _: &Place) {}
        fn text(&mut self, _: &str, _: &Place) {}
    }

    fn kept(html: &str) -> Vec<String> {
        let mut sheets = Sheets::default();
        scan(html, &mut sheets);
        let rules = sheets.rules();
        let mut kept = Kept {
            rules: &rules,
            kept: Vec::new(),
        };
        scan(html, &mut kept);
        kept.kept
    }

    #[test]
    fn what_a_style_hides_or_strikes_out_is_left_out() {
        for style in [
            "display:none",
            "display:/**/none",
            "d\\isplay:none",
            "display:\\6eone",
            "DISPLAY : NONE !important",
            "visibility:hidden",
            "text-decoration:line-through",
            "text-decoration: underline line-through red",
            "text-decoration-line:line-through",
            "mso-hide:all",
            "font-size:0",
            "font-size:0px",
            "opacity:0",
            "opacity:0%",
            "color:transparent",
            "position:absolute;left:-9999px",
            "text-indent:-9999px",
            "height:0;overflow:hidden",
            "overflow:hidden;max-height:0px",
            "transform:scale(0)",
            "color:red;;display:none",
        ] {
            let own = format!("<body><p id=a style=\"{style}\">40</p><p id=b>2</p></body>");
            let by_class = format!(
                "<head><style>p.c5, .x{{{style}}}</style></head><body><p id=a class=\"c1 c5\">40</p><p id=b class=c1>2</p></body>"
            );
            assert_eq!(kept(&own), ["b"], "{style}");
            assert_eq!(kept(&by_class), ["b"], "{style}");
        }
    }

    #[test]
    fn what_a_style_shows_stays() {
        for style in [
            "display:block",
            "opacity:0.5",
            "font-size:10pt",
            "text-decoration:underline",
            "color:#fff",
            "left:-10px",
            "height:0",
            "overflow:hidden",
            "transform:scale(1.1)",
            "display:none;display:block",
            "--display:none",
            "",
        ] {
            let html = format!("<body><p id=a style=\"{style}\">40</p></body>");
            assert_eq!(kept(&html), ["a"], "{style}");
        }
    }

    #[test]
    fn sheets_are_read_by_the_last_part_of_a_selector_and_by_weight() {
        let html = "<style>
            @media print { .print { display: none } }
            @media screen { .screen { display: none } }
            .note { display: none } p.shown { display: block }
            #gone, .draft .secret { display:none }
            p:hover { display: none }
            @font-face { font-family: x }
        </style><body>
            <p id=a class=print>1</p><p id=b class=screen>2</p><p id=c class='note shown'>3</p>
            <p id=gone>4</p><p id=d class=secret>5</p><p id=e>6</p><p id=f class=note>7</p>
        </body>";
        assert_eq!(kept(html), ["a", "c", "e"]);
    }

    #[test]
    fn a_sheet_without_end_is_read_as_far_as_it_goes() {
        let deep = "a(".repeat(20_000);
        let html = format!(
            "<style>.x{{display:none}} .y{{width:{deep}</style><body><p id=a class=x>1</p><p id=b>2</p>"
        );
        assert_eq!(kept(&html), ["b"]);
    }
}
