//! Parses CSS into rules: selectors, the scheme they apply in, and declarations as written.

use cssparser::{ParseError, Parser, Token};
use gtm_lexicon::legal::RIGHTS;

use super::declaration::{is_closed, skip_block};
use super::selector::{self, Selector};

/// Most rules read from one sheet.
const MOST_RULES: usize = 20_000;
/// Longest value that is read, in characters.
const MOST_VALUE: usize = 2_000;
/// Longest prelude that is read, in characters.
const MOST_PRELUDE: usize = 2_000;
/// Most outer selectors that a nested rule is joined to.
const MOST_PARENTS: usize = 4;

/// Most conditions of one rule that are told apart, and most characters of each.
const MOST_CONDITIONS: usize = 3;
const MOST_CONDITION: usize = 200;
/// Most layers of one sheet that are told apart.
const MOST_LAYERS: usize = 200;

#[derive(Debug)]
pub(super) struct Rule {
    pub(super) selectors: Vec<Selector>,
    /// Whether it applies only in the dark scheme.
    pub(super) dark: bool,
    /// The at-rules that make it conditional, such as one for narrow screens.
    pub(super) conditions: Vec<String>,
    /// The cascade layer that contains it.
    pub(super) layer: Option<usize>,
    pub(super) declarations: Vec<Declaration>,
}

/// A property and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Declaration {
    /// In lower case, except that custom properties stay as written.
    pub(super) name: String,
    /// Without `!important`.
    pub(super) value: String,
    pub(super) important: bool,
}

/// One `@font-face` rule.
#[derive(Debug)]
pub(super) struct Face {
    pub(super) declarations: Vec<Declaration>,
    /// SPDX identifier that a comment names.
    pub(super) license: Option<String>,
}

/// A sheet's rules in order.
#[derive(Debug, Default)]
pub(super) struct Style {
    pub(super) rules: Vec<Rule>,
    pub(super) faces: Vec<Face>,
    /// Names of cascade layers, weakest first.
    pub(super) layers: Vec<String>,
    /// The licence of a font, as named in the comments before the next rule.
    license: Option<String>,
}

/// Reads CSS in one pass; skips blocks nested deeper than the parser goes.
pub(super) fn read(css: &str) -> Style {
    let mut style = Style::default();
    block(&mut Parser::new(css), &Around::default(), &mut style);
    style
}

/// The context of a block.
#[derive(Default, Clone)]
struct Around<'a> {
    parents: &'a [Selector],
    dark: bool,
    conditions: Vec<String>,
    layer: Option<usize>,
}

impl Style {
    /// The layer of this name, created if nothing has named it before.
    fn layer(&mut self, name: String) -> Option<usize> {
        let known = self.layers.iter().position(|known| *known == name);
        known.or_else(|| {
            (self.layers.len() < MOST_LAYERS).then(|| {
                self.layers.push(name);
                self.layers.len() - 1
            })
        })
    }

    /// The full name of a layer that is named inside another one.
    fn layer_name(&self, outer: Option<usize>, name: &str) -> String {
        let outer = outer.and_then(|outer| self.layers.get(outer));
        match outer {
            Some(outer) => format!("{outer}.{name}"),
            None => name.to_owned(),
        }
    }
}

/// Reads the rules and declarations of a block. At every level, what ends in `{` is a prelude and what ends
/// in `;` is a declaration. Returns the declarations.
fn block(parser: &mut Parser<'_>, around: &Around<'_>, style: &mut Style) -> Vec<Declaration> {
    let mut declarations = Vec::new();
    // The rule of these declarations comes before the rules nested in it.
    let own = (!around.parents.is_empty() && style.rules.len() < MOST_RULES).then(|| {
        style.rules.push(Rule {
            selectors: around.parents.to_vec(),
            dark: around.dark || around.parents.iter().all(Selector::is_dark),
            conditions: around.conditions.clone(),
            layer: around.layer,
            declarations: Vec::new(),
        });
        style.rules.len() - 1
    });
    // Where the statement being read starts; `None` until something other than white space occurs.
    let mut start = None;
    let mut is_custom = false;
    loop {
        let before = parser.position();
        let Ok(token) = parser.next_including_whitespace_and_comments().cloned() else {
            let text = start.map(|start| parser.slice(start..before));
            declarations.extend(text.and_then(declaration));
            break;
        };
        match token {
            Token::WhiteSpace(_) => {}
            Token::Comment(text) => {
                if start.is_none() && speaks_of_rights(text) {
                    // This comment replaces what an earlier one said, even if it names no font licence.
                    style.license = font_license(text).map(str::to_owned);
                }
            }
            Token::CDO | Token::CDC if start.is_none() => {}
            Token::Semicolon => {
                let text = start.take().map(|start| parser.slice(start..before));
                if let Some(names) = text.and_then(layer_statement) {
                    for name in names {
                        let name = style.layer_name(around.layer, name);
                        style.layer(name);
                    }
                }
                declarations.extend(text.and_then(declaration));
                is_custom = false;
            }
            Token::CurlyBracketBlock if !is_custom => {
                let prelude = parser.slice(start.take().unwrap_or(before)..before);
                rule(parser, prelude, around, style);
            }
            token => {
                if start.is_none() {
                    start = Some(before);
                    is_custom = matches!(&token, Token::Ident(name) if name.starts_with("--"));
                }
                skip_block(parser, &token);
            }
        }
    }
    if let Some(own) = own
        && let Some(rule) = style.rules.get_mut(own)
    {
        rule.declarations = declarations;
        return Vec::new();
    }
    declarations
}

/// Reads the block after a prelude.
fn rule(parser: &mut Parser<'_>, prelude: &str, around: &Around<'_>, style: &mut Style) {
    let prelude = prelude.trim();
    let at_rule = prelude.strip_prefix('@').map(|rest| {
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
            .unwrap_or(rest.len());
        let (name, condition) = rest.split_at(end);
        (name.to_ascii_lowercase(), condition)
    });
    let nested = |parser: &mut Parser<'_>, around: &Around<'_>, style: &mut Style| {
        let mut declarations = Vec::new();
        let _: Result<(), ParseError<()>> = parser.parse_nested_block(|inner| {
            declarations = block(inner, around, style);
            Ok(())
        });
        declarations
    };
    match at_rule {
        Some((name, _)) if name == "font-face" => {
            let declarations = nested(parser, &Around::default(), style);
            // A licence applies to the rules after its comment, up to the next comment on rights.
            let license = style.license.clone();
            style.faces.push(Face {
                declarations,
                license,
            });
            return;
        }
        Some((name, condition)) if holds_rules(&name) => {
            if let Some(dark) = scheme(&name, condition) {
                let mut inside = Around {
                    dark: around.dark || dark,
                    ..around.clone()
                };
                if name == "layer" {
                    let unnamed = format!("unnamed-{}", style.layers.len());
                    let own = Some(condition.trim()).filter(|name| is_layer_name(name));
                    let name = style.layer_name(around.layer, own.unwrap_or(&unnamed));
                    inside.layer = style.layer(name);
                } else if let Some(condition) = held_at_times(&name, condition) {
                    inside.conditions.push(condition);
                    inside.conditions.truncate(MOST_CONDITIONS);
                }
                nested(parser, &inside, style);
            } else {
                skip_block(parser, &Token::CurlyBracketBlock);
            }
        }
        // Animations, pages and others: they do not affect how the page looks.
        Some(_) => skip_block(parser, &Token::CurlyBracketBlock),
        None if prelude.len() <= MOST_PRELUDE => {
            let selectors = selector::list(&nested_in(around.parents, prelude));
            if !selectors.is_empty() {
                let inside = Around {
                    parents: &selectors,
                    ..around.clone()
                };
                nested(parser, &inside, style);
            } else {
                skip_block(parser, &Token::CurlyBracketBlock);
            }
        }
        None => skip_block(parser, &Token::CurlyBracketBlock),
    }
    style.license = None;
}

fn holds_rules(name: &str) -> bool {
    matches!(
        name,
        "media" | "supports" | "layer" | "container" | "scope" | "nest"
    )
}

/// The layers that a statement such as `@layer base, theme` puts in order.
fn layer_statement(text: &str) -> Option<impl Iterator<Item = &str>> {
    let names = text.strip_prefix("@layer")?;
    Some(names.split(',').map(str::trim).filter(|n| is_layer_name(n)))
}

fn is_layer_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= MOST_CONDITION
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

/// A condition that does not always hold; `None` for one that holds on every ordinary screen or only tests
/// the colour scheme.
fn held_at_times(name: &str, condition: &str) -> Option<String> {
    let condition: Vec<&str> = condition.split_whitespace().collect();
    let condition = condition.join(" ").to_ascii_lowercase();
    let always = match name {
        "media" => matches!(
            condition.replace(' ', "").as_str(),
            "" | "screen"
                | "all"
                | "onlyscreen"
                | "screen,print"
                | "(prefers-color-scheme:dark)"
                | "(prefers-color-scheme:light)"
                | "screenand(prefers-color-scheme:dark)"
                | "screenand(prefers-color-scheme:light)"
        ),
        // Browsers usually support what is tested.
        "supports" => !condition.starts_with("not"),
        _ => name == "nest",
    };
    // A condition that cannot be kept as written is told apart from every condition that can.
    let kept = condition.len() <= MOST_CONDITION && is_closed(&condition);
    let condition = if kept { condition.as_str() } else { "other" };
    (!always).then(|| format!("@{name} {condition}"))
}

/// Whether the content of a condition applies only in the dark scheme; `None` if it is not for an ordinary
/// screen at all.
fn scheme(name: &str, condition: &str) -> Option<bool> {
    if name != "media" {
        return Some(false);
    }
    let condition = condition.to_ascii_lowercase();
    let other = ["print", "speech", "forced-colors", "prefers-contrast"]
        .iter()
        .any(|word| condition.contains(word))
        && !condition.contains("screen")
        && !condition.contains("not print");
    if other {
        return None;
    }
    let dark = asks_for_dark(&condition);
    Some(dark && !condition.trim_start().starts_with("not"))
}

/// Whether a media query asks for the dark scheme.
pub(crate) fn asks_for_dark(query: &str) -> bool {
    query
        .to_ascii_lowercase()
        .split_once("prefers-color-scheme")
        .is_some_and(|(_, value)| {
            value
                .trim_start_matches(|c: char| c == ':' || c.is_whitespace())
                .starts_with("dark")
        })
}

/// A nested rule's prelude, with its outer selectors inserted.
fn nested_in(parents: &[Selector], prelude: &str) -> String {
    if parents.is_empty() {
        return prelude.to_owned();
    }
    let parents: Vec<_> = parents
        .iter()
        .take(MOST_PARENTS)
        .map(|parent| {
            if prelude.contains('&') {
                prelude.replace('&', &parent.key)
            } else {
                format!("{} {prelude}", parent.key)
            }
        })
        .collect();
    let mut joined = parents.join(",");
    if joined.len() > MOST_PRELUDE {
        joined = prelude.to_owned();
    }
    joined
}

/// A property and its value.
fn declaration(text: &str) -> Option<Declaration> {
    let (name, value) = text.split_once(':')?;
    let name = name.trim();
    let is_name = !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    let (value, important) = importance(value.trim());
    if !is_name || value.is_empty() || value.len() > MOST_VALUE {
        return None;
    }
    let name = if name.starts_with("--") {
        name.to_owned()
    } else {
        name.to_ascii_lowercase()
    };
    Some(Declaration {
        name,
        value: value.to_owned(),
        important,
    })
}

/// A value without `!important`, and whether it had one.
fn importance(value: &str) -> (&str, bool) {
    match value.rsplit_once('!') {
        Some((value, word)) if word.trim().eq_ignore_ascii_case("important") => {
            (value.trim_end(), true)
        }
        _ => (value, false),
    }
}

/// Whether a comment states an owner or a licence.
fn speaks_of_rights(comment: &str) -> bool {
    let text = comment.to_lowercase();
    RIGHTS.iter().any(|word| text.contains(word))
}

/// The font licence that a comment names, as an SPDX identifier.
fn font_license(comment: &str) -> Option<&'static str> {
    let text = comment.to_ascii_lowercase();
    let has = |word: &str| text.contains(word);
    if has("open font license") || has("sil ofl") || has("ofl-1.1") || has("scripts.sil.org/ofl") {
        Some("OFL-1.1")
    } else if has("ubuntu font licen") {
        Some("Ubuntu-font-1.0")
    } else if has("font") && has("apache license") {
        Some("Apache-2.0")
    } else {
        None
    }
}

#[cfg(test)]
mod tests;
