//! That language tags (BCP 47) are taken apart in one place, `documents/language-tag`: where two readers cut them in two
//! ways, one of them has words in a language and the other has none.

use std::collections::BTreeSet;
use std::fs;
use std::ops::RangeInclusive;

use anyhow::{Context as _, Result, anyhow};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::listing;
use crate::workspace::Workspace;

/// Folders whose sources are read, also those of plug-ins that are workspaces of their own.
const FOLDERS: &[&str] = &["connectors", "documents", "evidence", "host", "plugins"];
/// The place.
const OWN: &str = "documents/language-tag";
/// Methods that cut a text, here at a dash.
const CUTS: &[&str] = &[
    "rsplit",
    "rsplit_once",
    "rsplitn",
    "split",
    "split_once",
    "split_terminator",
    "splitn",
];
/// Methods that look for a subtag with its dash.
const LOOKS: &[&str] = &[
    "contains",
    "ends_with",
    "starts_with",
    "strip_prefix",
    "strip_suffix",
];
/// Parts of names that say that a function has a language tag in its hands.
const TAGS: &[&str] = &[
    "lang",
    "language",
    "languages",
    "locale",
    "locales",
    "tag",
    "tags",
];

/// Adds a line for each place where a function that names a language cuts a text at a dash.
pub fn check(workspace: &Workspace, found: &mut Vec<String>) -> Result<()> {
    for folder in FOLDERS {
        for path in listing::below(&workspace.root.join(folder))? {
            let shown = workspace.relative(&path);
            if !is_read(&shown) || path.is_dir() {
                continue;
            }
            let text = fs::read_to_string(&path).with_context(|| format!("cannot read {shown}"))?;
            let lines = lines_that_cut(&text).with_context(|| format!("cannot read {shown}"))?;
            found.extend(lines.into_iter().map(|line| {
                format!("{shown}:{line}: a language tag cut by hand; use `gtm_language_tag`")
            }));
        }
    }
    Ok(())
}

/// Whether a path is that of a source but the one place, and of no test: those show tags in all their forms.
fn is_read(path: &str) -> bool {
    let is_for_tests = |part: &str| ["benches", "tests", "tests.rs"].contains(&part);
    path.ends_with(".rs") && !path.starts_with(OWN) && !path.split('/').any(is_for_tests)
}

/// The lines on which functions that name a language cut a text at a dash.
fn lines_that_cut(source: &str) -> Result<BTreeSet<usize>> {
    let tokens: TokenStream = source.parse().map_err(|error| anyhow!("{error}"))?;
    let mut found = BTreeSet::new();
    functions(tokens, &mut found);
    Ok(found)
}

/// Looks at each function, but for those of tests.
fn functions(tokens: TokenStream, found: &mut BTreeSet<usize>) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(mark) if mark.as_char() == '#' => {
                let Some(TokenTree::Group(attribute)) = tokens.peek() else {
                    continue;
                };
                if is_for_tests(&attribute.stream()) {
                    item(&mut tokens);
                }
            }
            TokenTree::Ident(word) if word == "fn" => {
                let function = item(&mut tokens);
                if names_language(function.clone()) {
                    cuts(function, found);
                }
            }
            TokenTree::Group(group) => functions(group.stream(), found),
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

fn is_for_tests(attribute: &TokenStream) -> bool {
    let attribute = attribute.to_string().replace(' ', "");
    attribute == "test" || attribute == "cfg(test)" || attribute.starts_with("cfg(all(test")
}

/// The tokens up to the body of an item, or to its semicolon.
fn item(tokens: &mut impl Iterator<Item = TokenTree>) -> TokenStream {
    let mut item = Vec::new();
    for token in tokens {
        let ends = match &token {
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            TokenTree::Punct(mark) => mark.as_char() == ';',
            TokenTree::Ident(_) | TokenTree::Literal(_) => false,
        };
        item.push(token);
        if ends {
            break;
        }
    }
    item.into_iter().collect()
}

fn names_language(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(name) => {
            let name = name.to_string().to_lowercase();
            name.split('_').any(|part| TAGS.contains(&part))
        }
        TokenTree::Group(group) => names_language(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

fn cuts(tokens: TokenStream, found: &mut BTreeSet<usize>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for pair in tokens.windows(2) {
        if let [TokenTree::Ident(method), TokenTree::Group(arguments)] = pair
            && takes_apart(&method.to_string(), arguments.stream())
        {
            found.insert(method.span().start().line);
        }
    }
    for token in tokens {
        if let TokenTree::Group(group) = token {
            cuts(group.stream(), found);
        }
    }
}

fn takes_apart(method: &str, arguments: TokenStream) -> bool {
    let letters = if CUTS.contains(&method) {
        0..=4
    } else if LOOKS.contains(&method) {
        1..=4
    } else {
        return false;
    };
    has_subtag(arguments, &letters)
}

/// Whether arguments have a dash with a subtag of so many letters: `['-', '_']`, `"-CH"`.
fn has_subtag(arguments: TokenStream, letters: &RangeInclusive<usize>) -> bool {
    arguments.into_iter().any(|token| match token {
        TokenTree::Literal(literal) => {
            let literal = literal.to_string();
            let text = literal.trim_matches(['"', '\'']);
            let subtag = text.strip_prefix('-').or(text.strip_suffix('-'));
            subtag.is_some_and(|subtag| {
                letters.contains(&subtag.len())
                    && subtag.bytes().all(|byte| byte.is_ascii_alphabetic())
            })
        }
        TokenTree::Group(group) => has_subtag(group.stream(), letters),
        TokenTree::Ident(_) | TokenTree::Punct(_) => false,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn cut(source: &str) -> Vec<usize> {
        Vec::from_iter(lines_that_cut(source).unwrap())
    }

    #[test]
    fn no_source_of_this_workspace_cuts_a_tag_by_hand() {
        let mut found = Vec::new();
        check(&Workspace::load().unwrap(), &mut found).unwrap();
        assert!(found.is_empty(), "\n{}", found.join("\n"));
    }

    #[test]
    fn a_tag_that_is_cut_by_hand_is_found() {
        assert_eq!(
            cut("fn a(language: &str) -> Option<&str> {\n    language.split('-').next()\n}"),
            [2]
        );
        assert_eq!(
            cut(
                "impl A {\n fn of(tag: &str) { let l = tag.to_lowercase();\n l.split(['-', '_']); } }"
            ),
            [3]
        );
        assert_eq!(
            cut("fn a(x: X) { f(|| x.language_of_page.split_once(\"-\")) }"),
            [1]
        );
        assert_eq!(
            cut("fn a(locale: &str) -> bool { locale.ends_with(\"-CH\") }"),
            [1]
        );
        assert_eq!(
            cut("mod b { fn a(tag: &str) -> bool { assert!(tag.starts_with(\"de-\")) } }"),
            [1]
        );
    }

    #[test]
    fn other_texts_may_be_cut_at_dashes() {
        for source in [
            "fn a(range: &str) { range.split_once('-'); }\nfn b(language: &str) { f(language) }",
            "fn a(language: &str) { language.split(','); primary_language(language) }",
            "#[cfg(test)]\nmod tests { fn a(language: &str) { language.split('-'); } }",
            "#[test]\nfn a() { let language = f(); language.split('-'); }",
            "fn a(tag: &str) { tag.contains(\"data-language\") }",
            "fn a(name: &str, language: &str) { name.contains('-') }",
        ] {
            assert_eq!(cut(source), [0; 0], "{source}");
        }
    }
}
