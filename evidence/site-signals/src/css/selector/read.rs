//! Parses a rule's prelude into its selectors.

use cssparser::{ParseError, Parser, Token};

use super::{Compound, Selector};
use crate::css::declaration::skip_block;

/// Most characters of a selector that are kept.
const MOST_CHARS: usize = 80;
/// Most selectors of one rule that are read.
const MOST: usize = 24;

pub(crate) fn list(prelude: &str) -> Vec<Selector> {
    let mut parser = Parser::new(prelude);
    let mut selectors = Vec::new();
    let mut reader = Reader::default();
    let mut start = parser.position();
    while selectors.len() < MOST {
        let before = parser.position();
        let Ok(token) = parser.next_including_whitespace().cloned() else {
            let text = parser.slice(start..before);
            selectors.extend(reader.finish(text));
            break;
        };
        if token == Token::Comma {
            let text = parser.slice(start..before);
            selectors.extend(reader.finish(text));
            start = parser.position();
        } else {
            reader.token(&token, &mut parser);
        }
    }
    selectors
}

#[derive(Default)]
struct Reader {
    compound: Compound,
    around: Vec<Compound>,
    specificity: [u16; 3],
    /// Whether to leave what is read out of the specificity.
    uncounted: bool,
    next: Next,
    /// Number of open functions.
    functions: usize,
}

#[derive(Default, PartialEq)]
enum Next {
    #[default]
    Element,
    Class,
    Pseudo,
}

impl Reader {
    fn token(&mut self, token: &Token<'_>, parser: &mut Parser<'_>) {
        let next = std::mem::take(&mut self.next);
        match token {
            Token::Ident(name) => {
                let name = name.to_ascii_lowercase();
                self.counts(match next {
                    Next::Element => 2,
                    Next::Class | Next::Pseudo => 1,
                });
                match next {
                    Next::Element => {
                        if !matches!(name.as_str(), "html" | "body") {
                            self.need("", &name);
                        }
                        self.compound.element = name;
                    }
                    Next::Class => {
                        self.need(".", &name);
                        self.compound.names.push(name);
                    }
                    Next::Pseudo => self.compound.pseudo.push(name),
                }
            }
            Token::IDHash(name) | Token::Hash(name) => {
                let name = name.to_ascii_lowercase();
                self.counts(0);
                self.need("#", &name);
                self.compound.names.push(name);
            }
            Token::Delim('.') => self.next = Next::Class,
            Token::Delim('*') => self.compound.element = "*".to_owned(),
            Token::Colon => self.next = Next::Pseudo,
            Token::Function(name) => {
                let name = name.to_ascii_lowercase();
                if matches!(name.as_str(), "is" | "where" | "host" | "matches") {
                    // The first alternative represents all.
                    self.functions += 1;
                    let before = self.uncounted;
                    self.uncounted |= name == "where";
                    let _: Result<(), ParseError<()>> = parser.parse_nested_block(|inner| {
                        while let Ok(token) = inner.next_including_whitespace().cloned() {
                            if token == Token::Comma {
                                break;
                            }
                            self.token(&token, inner);
                        }
                        Ok(())
                    });
                    self.functions -= 1;
                    self.uncounted = before;
                } else {
                    self.counts(1);
                    self.compound.pseudo.push(name);
                    skip_block(parser, token);
                }
            }
            Token::SquareBracketBlock => {
                self.counts(1);
                self.compound.attributes = true;
                let from = parser.position();
                let mut text = String::new();
                let _: Result<(), ParseError<()>> = parser.parse_nested_block(|inner| {
                    while inner.next().is_ok() {}
                    text = inner.slice_from(from).to_ascii_lowercase();
                    Ok(())
                });
                // `[data-theme="dark"]`, `[type=submit]`, `[class*="btn"]` name what they select.
                self.compound.names.extend(
                    text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_')))
                        .filter(|word| !matches!(*word, "" | "class" | "type" | "id"))
                        .map(str::to_owned),
                );
            }
            Token::WhiteSpace(_) | Token::Delim('>' | '+' | '~') => self.step(),
            token => skip_block(parser, token),
        }
    }

    fn counts(&mut self, place: usize) {
        if !self.uncounted
            && let Some(count) = self.specificity.get_mut(place)
        {
            *count = count.saturating_add(1);
        }
    }

    fn need(&mut self, mark: &str, name: &str) {
        if self.functions == 0 {
            self.compound.needs.push(format!("{mark}{name}"));
        }
    }

    fn step(&mut self) {
        let compound = std::mem::take(&mut self.compound);
        if compound != Compound::default() {
            self.around.push(compound);
        }
    }

    fn finish(&mut self, text: &str) -> Option<Selector> {
        self.step();
        self.next = Next::Element;
        let mut around = std::mem::take(&mut self.around);
        let specificity = std::mem::take(&mut self.specificity);
        let subject = around.pop()?;
        let text: Vec<&str> = text.split_whitespace().collect();
        let key = text.join(" ");
        Some(Selector {
            text: key.chars().take(MOST_CHARS).collect(),
            key,
            specificity,
            subject,
            around,
            on_button: false,
            kinds: 0,
        })
    }
}
