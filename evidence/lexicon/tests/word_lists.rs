//! Words of languages are data of this crate. A list of them in other code is known to one reader only, in one
//! language only, so this test finds such lists in the sources.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use gtm_lexicon::countries::Country;
use gtm_lexicon::{fold, split};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::LitStr;
use toml::{Table, Value};

/// Fewest words that make a list.
const LEAST: usize = 3;
/// Folders of the sources that read texts: each list of words there is looked at.
const READERS: [&str; 2] = ["evidence", "plugins"];
/// Folders of the other sources. They have many lists of the names of their formats, so a list there must have
/// words of the lexicon, or letters that no name of a format has.
const OTHERS: [&str; 3] = ["connectors", "documents", "host"];
/// Words that nearly every English sentence has one of. Those that are also names of months are not among them.
const ENGLISH: [&str; 44] = [
    "a", "an", "and", "any", "are", "as", "at", "be", "by", "can", "cannot", "do", "does", "each",
    "for", "from", "has", "have", "in", "is", "it", "its", "more", "must", "no", "not", "of", "on",
    "one", "only", "or", "than", "that", "the", "these", "this", "to", "was", "were", "what",
    "which", "who", "with", "without",
];

/// A list of words in code.
#[derive(Debug, PartialEq, Eq)]
struct List {
    line: usize,
    words: Vec<String>,
}

impl List {
    /// What a list is known by: its file says the rest.
    fn opening(&self) -> String {
        self.words[..LEAST].join(" ")
    }
}

/// Whether a text may be a word or a phrase of a language: letters and blanks only, all small, or else the
/// code of a country. Names with underscores, dashes, digits or capitals belong to formats and protocols.
fn is_word(text: &str) -> bool {
    let plain = text.trim().trim_end_matches(['.', ':']);
    let letters = !plain.is_empty()
        && plain
            .chars()
            .all(|c| c.is_alphabetic() || matches!(c, ' ' | '\''))
        && !plain.chars().any(char::is_uppercase);
    letters || Country::of_code(text).is_some()
}

/// The words of a text that is a list itself: letters and blanks only, and no sentence or phrase of the program's own
/// English. Its words may have capitals, as the months of some languages do.
fn words_inside(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_list = words.len() >= LEAST
        && words.iter().all(|word| {
            word.chars().all(|c| c.is_alphabetic() || c == '\'')
                && !ENGLISH.contains(&word.to_lowercase().as_str())
        });
    let words = words.into_iter().map(str::to_owned);
    if is_list { words.collect() } else { Vec::new() }
}

/// One step through the tokens of a file.
enum Step {
    Text(String, usize),
    /// What may stand between the words of one list: commas, bars, references, brackets of tuples.
    Between,
    Other,
}

/// The tokens in a row, without tests and attributes.
fn steps(tokens: TokenStream, found: &mut Vec<Step>) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(mark) if mark.as_char() == '#' => {
                // `#![…]`, which the comment on a file is.
                let is_inner = |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == '!');
                tokens.next_if(is_inner);
                let attribute = match tokens.peek() {
                    Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket => {
                        group.stream().to_string()
                    }
                    _ => continue,
                };
                tokens.next();
                found.push(Step::Other);
                if attribute == "test" || attribute.replace(' ', "") == "cfg(test)" {
                    // Up to the body of the item, or to its semicolon.
                    for token in tokens.by_ref() {
                        match token {
                            TokenTree::Group(body) if body.delimiter() == Delimiter::Brace => break,
                            TokenTree::Punct(mark) if mark.as_char() == ';' => break,
                            _ => {}
                        }
                    }
                }
            }
            TokenTree::Group(group) => {
                let edge = || match group.delimiter() {
                    Delimiter::Parenthesis | Delimiter::None => Step::Between,
                    Delimiter::Brace | Delimiter::Bracket => Step::Other,
                };
                found.push(edge());
                steps(group.stream(), found);
                found.push(edge());
            }
            TokenTree::Literal(literal) => {
                let line = literal.span().start().line;
                let text = syn::parse_str::<LitStr>(&literal.to_string());
                found.push(text.map_or(Step::Other, |text| Step::Text(text.value(), line)));
            }
            TokenTree::Punct(mark) if matches!(mark.as_char(), ',' | '|' | '&') => {
                found.push(Step::Between);
            }
            TokenTree::Ident(name) if name == "Some" => found.push(Step::Between),
            TokenTree::Ident(_) | TokenTree::Punct(_) => found.push(Step::Other),
        }
    }
}

/// The lists of words in a source file.
fn lists(source: &str) -> Vec<List> {
    let tokens: TokenStream = source.parse().expect("the source has tokens");
    let mut all = Vec::new();
    steps(tokens, &mut all);
    all.push(Step::Other);
    let mut found = Vec::new();
    let mut row: Vec<(String, usize)> = Vec::new();
    for step in all {
        match step {
            Step::Text(text, line) => row.push((text, line)),
            Step::Between => {}
            Step::Other => {
                let row = std::mem::take(&mut row);
                let words = row.iter().filter(|(text, _)| is_word(text)).cloned();
                let (words, lines): (Vec<String>, Vec<usize>) = words.unzip();
                if words.len() >= LEAST {
                    found.push(List {
                        line: lines[0],
                        words,
                    });
                    continue;
                }
                for (text, line) in row {
                    let words = words_inside(&text);
                    if !words.is_empty() {
                        found.push(List { line, words });
                    }
                }
            }
        }
    }
    found
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            // Tests have texts of all languages.
            if !matches!(name.as_str(), "tests" | "benches" | "target") {
                sources(&path, found);
            }
        } else if name.ends_with(".rs") && name != "tests.rs" {
            found.push(path);
        }
    }
}

/// Every single word of the languages' files, folded.
fn vocabulary() -> BTreeSet<String> {
    fn add(value: &Value, found: &mut BTreeSet<String>) {
        match value {
            Value::String(text) => found.extend(split(&fold(text)).into_iter().map(str::to_owned)),
            Value::Array(values) => values.iter().for_each(|value| add(value, found)),
            Value::Table(values) => values.values().for_each(|value| add(value, found)),
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("languages");
    for file in fs::read_dir(folder).unwrap() {
        let table: Table = fs::read_to_string(file.unwrap().path())
            .unwrap()
            .parse()
            .unwrap();
        add(&Value::Table(table), &mut found);
    }
    found
}

/// Whether at least half of the words are known to the lexicon.
fn is_known(words: &[String], vocabulary: &BTreeSet<String>) -> bool {
    let known = words.iter().filter(|word| {
        let folded = fold(word);
        split(&folded).iter().all(|part| vocabulary.contains(*part))
    });
    known.count() * 2 >= words.len()
}

/// The lists that may stay in code, by file, with whether they were found.
fn allowed(root: &Path) -> BTreeMap<(String, String), bool> {
    let path = root.join("evidence/lexicon/tests/word_lists.toml");
    let table: Table = fs::read_to_string(path).unwrap().parse().unwrap();
    let mut allowed = BTreeMap::new();
    for (reason, files) in table {
        assert!(reason.split(' ').count() >= 3, "{reason}");
        for (file, openings) in files.as_table().unwrap() {
            for opening in openings.as_array().unwrap() {
                let opening = opening.as_str().unwrap().to_owned();
                let before = allowed.insert((file.clone(), opening), false);
                assert_eq!(before, None, "{file}: a list twice");
            }
        }
    }
    allowed
}

#[test]
fn words_of_languages_are_in_the_lexicon() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let vocabulary = vocabulary();
    let mut allowed = allowed(&root);
    let mut unknown = BTreeSet::new();
    let mut files = Vec::new();
    for folder in READERS.iter().chain(&OTHERS) {
        sources(&root.join(folder), &mut files);
    }
    assert!(files.len() > 100, "{files:?}");
    for file in files {
        let name = file.strip_prefix(&root).unwrap();
        let name = name.to_string_lossy().replace('\\', "/");
        let reads = READERS.iter().any(|folder| name.starts_with(folder));
        for list in lists(&fs::read_to_string(&file).unwrap()) {
            let is_foreign = list.words.iter().any(|word| !word.is_ascii());
            if !reads && !is_foreign && !is_known(&list.words, &vocabulary) {
                continue;
            }
            match allowed.get_mut(&(name.clone(), list.opening())) {
                Some(found) => *found = true,
                None => {
                    unknown.insert(format!("{name}:{}: {}", list.line, list.opening()));
                }
            }
        }
    }
    assert!(
        unknown.is_empty(),
        "Words of a language belong into a section of evidence/lexicon/languages. If these are none, name the list \
         with the reason in evidence/lexicon/tests/word_lists.toml:\n{}",
        Vec::from_iter(unknown).join("\n")
    );
    let gone = allowed.iter().filter(|(_, found)| !**found);
    let gone: Vec<_> = gone.map(|(list, _)| list).collect();
    assert!(
        gone.is_empty(),
        "These lists are no longer in code: {gone:?}"
    );
}

#[test]
fn lists_are_told_from_other_texts() {
    let found = |source: &str| -> Vec<(usize, String)> {
        let lists = lists(source);
        lists
            .iter()
            .map(|list| (list.line, list.words.join("|")))
            .collect()
    };
    assert_eq!(
        found("const A: [&str; 3] = [\n  \"über\", \"l'été\",\n  \"don't\",\n];"),
        [(2, "über|l'été|don't".to_owned())]
    );
    assert_eq!(
        found("fn f() { matches!(x, Some(\"one\" | \"two\" | \"three\")) }"),
        [(1, "one|two|three".to_owned())]
    );
    assert_eq!(
        found("const A: &[&str] = &[\"DE\", \"FR\", \"GB\"];").len(),
        1
    );
    assert_eq!(
        found("fn f(l: &str) -> &str { match l { \"de\" => \"Januar Februar März\", _ => \"\" } }"),
        [(1, "Januar|Februar|März".to_owned())]
    );
    assert_eq!(
        found(
            "const A: &str = \"ledna\\n února\\n března\";\nconst B: &str = \"January February May\";"
        ),
        [
            (1, "ledna|února|března".to_owned()),
            (2, "January|February|May".to_owned())
        ]
    );
    for source in [
        "f(\"the list is empty\")",
        "f(\"not found: {name}\")",
        "f(\"two words\")",
        "//! Words of languages\nfn f() {}",
        "/// Words of languages\nfn f() {}",
    ] {
        assert_eq!(found(source), [], "{source}");
    }
    assert_eq!(found("match x { (\"a\", \"b\") => \"c\", _ => \"d\" }"), []);
    assert_eq!(
        found("f(\"one_two\", \"x-y\", \"camelCase\", \"b2b\", \"UPPER\")"),
        []
    );
    assert_eq!(
        found("#[cfg(test)] mod tests { const A: [&str; 3] = [\"a\", \"b\", \"c\"]; }"),
        []
    );
    assert_eq!(found("#[test] fn a() { f(\"a\", \"b\", \"c\") }"), []);
    assert_eq!(
        found("#[serde(a = \"a\", \"b\", \"c\", \"d\")] struct A;"),
        []
    );
}
