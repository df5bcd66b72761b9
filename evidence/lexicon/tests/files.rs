//! The word lists are complete, sorted, free of duplicates, and in the form in which texts are compared.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use gtm_lexicon::{fold, languages, split};
use toml::{Table, Value};

fn table(path: &str) -> Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let text = fs::read_to_string(&path).expect("the file is there");
    text.parse().expect("it is a table")
}

/// The language files, by language code.
fn files() -> BTreeMap<String, Table> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("languages");
    let files = fs::read_dir(folder).unwrap();
    files
        .map(|file| {
            let path = file.unwrap().path();
            let code = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let table = table(&format!("languages/{code}.toml"));
            (code, table)
        })
        .collect()
}

/// The sections, by path, such as `founding.labels`.
fn sections() -> BTreeMap<String, Table> {
    let mut found = BTreeMap::new();
    for (subject, members) in table("sections.toml") {
        for (name, section) in members.as_table().unwrap() {
            let Some(section) = section.as_table().cloned() else {
                assert_eq!(name, "says");
                continue;
            };
            found.insert(format!("{subject}.{name}"), section);
        }
    }
    found
}

fn texts(list: &Value) -> Vec<&str> {
    let list = list.as_array().expect("a list");
    list.iter().map(|text| text.as_str().unwrap()).collect()
}

/// The lists of a file, by the path of their section.
fn lists(file: &Table) -> BTreeMap<String, Vec<&str>> {
    let mut found = BTreeMap::new();
    for (subject, members) in file {
        if matches!(subject.as_str(), "months" | "months_alone" | "without") {
            continue;
        }
        for (name, list) in members.as_table().unwrap() {
            let words = match list.as_table() {
                Some(values) => values.keys().map(String::as_str).collect(),
                None => texts(list),
            };
            found.insert(format!("{subject}.{name}"), words);
        }
    }
    found
}

/// A language in which sites are read has every section, or its file says why not; so does one whose file has
/// such reasons at all.
#[test]
fn languages_have_their_sections_or_say_why_not() {
    let (sections, files) = (sections(), files());
    let complete = files
        .iter()
        .filter(|(_, file)| file.contains_key("without"));
    let complete = complete.map(|(code, _)| code.as_str());
    let read = languages().iter().map(|language| language.code);
    let all: BTreeSet<&str> = read.chain(complete).collect();
    for (path, section) in &sections {
        let must: Vec<&str> = match section.get("languages") {
            Some(list) => texts(list),
            None => all.iter().copied().collect(),
        };
        for code in must {
            let file = &files[code];
            let without = file.get("without").and_then(Value::as_table);
            let lacks = without
                .into_iter()
                .flat_map(Table::values)
                .any(|paths| texts(paths).contains(&path.as_str()));
            let has = lists(file).contains_key(path);
            assert!(has != lacks, "{code}: {path}");
        }
    }
    for (code, file) in &files {
        let without = file.get("without").and_then(Value::as_table);
        for (reason, paths) in without.into_iter().flatten() {
            assert!(reason.split(' ').count() >= 3, "{code}: {reason}");
            for path in texts(paths) {
                assert!(sections.contains_key(path), "{code}: {path}");
            }
        }
    }
}

/// The phrases of the classes of a file, by section and name of the class.
fn classes(file: &Table) -> BTreeMap<String, Vec<&str>> {
    let mut found = BTreeMap::new();
    for (subject, members) in file {
        for (name, section) in members.as_table().into_iter().flatten() {
            let classes = section.as_table().into_iter().flatten();
            let classes = classes.filter(|(_, list)| list.is_array());
            found.extend(
                classes.map(|(class, list)| (format!("{subject}.{name}.{class}"), texts(list))),
            );
        }
    }
    found
}

/// A class of one word says nothing, unless that begins others. A preposition is held against itself.
#[test]
fn classes_have_sorted_folded_phrases_and_more_than_one() {
    let mut seen = 0;
    for (code, file) in files() {
        for (path, list) in classes(&file) {
            let sorted: BTreeSet<&str> = list.iter().copied().collect();
            let sorted: Vec<&str> = sorted.into_iter().collect();
            assert_eq!(list, sorted, "{code}: {path}");
            let may_be_one = path.starts_with("messages.prepositions.") || list[0].ends_with("*");
            assert!(list.len() > 1 || may_be_one, "{code}: {path}");
            for phrase in list {
                let bare: Vec<&str> = (phrase.split(' '))
                    .map(|word| word.strip_suffix('*').unwrap_or(word))
                    .collect();
                let folded = fold(phrase);
                assert_eq!(split(&folded), bare, "{code}: {path}: {phrase}");
            }
            seen += 1;
        }
    }
    assert!(seen > 50, "{seen}");
}

#[test]
fn lists_are_sorted_and_have_no_word_twice() {
    for (code, file) in files() {
        for (path, list) in lists(&file) {
            let sorted: BTreeSet<&str> = list.iter().copied().collect();
            let sorted: Vec<&str> = sorted.into_iter().collect();
            assert_eq!(list, sorted, "{code}: {path}");
        }
    }
}

/// A phrase is looked for among folded words, so it must consist of folded words, or it is never found.
#[test]
fn phrases_are_folded_words() {
    let sections = sections();
    for (code, file) in files() {
        for (path, list) in lists(&file) {
            let kinds = ["phrases", "phrases_by_language", "values"];
            if !kinds.contains(&sections[&path]["kind"].as_str().unwrap()) {
                continue;
            }
            for phrase in list {
                let bare: Vec<&str> = phrase
                    .split(' ')
                    .map(|word| match word.strip_suffix('*') {
                        Some(begun) => begun.strip_prefix('*').unwrap_or(begun),
                        None => word,
                    })
                    .collect();
                let folded = fold(phrase);
                assert_eq!(split(&folded), bare, "{code}: {path}: {phrase}");
            }
        }
    }
}

/// A phrase inside of other letters counts only in scripts that put no blanks between words. One letter would
/// stand in too many words there, and behind the first word nothing looks inside.
#[test]
fn phrases_inside_of_other_letters_are_of_scripts_without_blanks() {
    let unspaced = |c: char| matches!(c, '\u{3005}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}');
    let mut seen = 0;
    for (code, file) in files() {
        for (path, list) in lists(&file) {
            let inside = |word: &&str| word.starts_with('*') && word.len() > 1;
            for phrase in list.into_iter().filter(|phrase| phrase.contains('*')) {
                let mut words = phrase.split(' ');
                let first = words.next().filter(inside);
                let bare = first.map(|word| word.trim_matches('*'));
                let fits = |bare: &str| bare.chars().count() >= 2 && bare.chars().all(unspaced);
                assert!(bare.is_none_or(fits), "{code}: {path}: {phrase}");
                assert_eq!(words.find(inside), None, "{code}: {path}: {phrase}");
                seen += usize::from(first.is_some());
            }
        }
    }
    assert!(seen > 100, "{seen}");
}

/// Sections are sorted by name, so that they are easy to find.
#[test]
fn sections_are_sorted() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("sections.toml"));
    let text = text.unwrap();
    let mut last: BTreeMap<&str, &str> = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with('[')) {
        let path = line.trim_matches(['[', ']']);
        let Some((subject, name)) = path.split_once('.') else {
            continue;
        };
        let before = last.insert(subject, name);
        assert!(before.is_none_or(|before| before < name), "{path}");
    }
}

/// A word of no single language counts in all of them, so a language need not repeat it.
#[test]
fn languages_do_not_repeat_what_all_of_them_have() {
    let files = files();
    let international = lists(&files["international"]);
    for (code, file) in files.iter().filter(|(code, _)| *code != "international") {
        for (path, list) in lists(file) {
            let shared = international.get(&path).into_iter().flatten();
            let shared: Vec<&&str> = shared.filter(|word| list.contains(word)).collect();
            assert!(shared.is_empty(), "{code}: {path}: {shared:?}");
        }
    }
}

/// Two sections with the same words would be two names for one list.
#[test]
fn no_two_sections_have_the_same_words() {
    let files = files();
    let mut known: BTreeMap<Vec<(String, Vec<String>)>, String> = BTreeMap::new();
    for path in sections().into_keys() {
        let of_file = |(code, file): (&String, &Table)| {
            let list = lists(file).remove(&path)?;
            Some((code.clone(), list.into_iter().map(str::to_owned).collect()))
        };
        let words: Vec<_> = files.iter().filter_map(of_file).collect();
        // A single list of one or two words may well mean two things.
        if words
            .iter()
            .map(|(_, list): &(_, Vec<String>)| list.len())
            .sum::<usize>()
            < 3
        {
            continue;
        }
        if let Some(other) = known.insert(words, path.clone()) {
            panic!("{path} has the words of {other}");
        }
    }
}

/// These languages are read in full: whatever a section wants, they have words for it or no need of any.
#[test]
fn the_main_languages_have_all_sections() {
    let files = files();
    for code in ["de", "en", "es", "fr", "it", "ja", "nl", "pt"] {
        let without = files[code].get("without").and_then(Value::as_table);
        let reasons = without.into_iter().flat_map(Table::keys);
        let mut missing = reasons.filter(|reason| reason.contains("not collected"));
        assert_eq!(missing.next(), None, "{code}");
    }
}

/// A sentence may end behind an abbreviation of a legal form, which must be known as an abbreviation.
#[test]
fn abbreviations_of_legal_forms_are_abbreviations() {
    use gtm_lexicon::sentences::{ABBREVIATIONS, COMPANY_FORMS};
    for form in COMPANY_FORMS.iter() {
        assert!(ABBREVIATIONS.contains(form), "{form}");
    }
}

/// Whoever reads such a phrase takes its value from there.
#[test]
fn multiples_of_messages_have_values() {
    use gtm_lexicon::figures::{MULTIPLES, NUMBERS, SHARES};
    for (code, phrases) in gtm_lexicon::messages::MULTIPLES.iter() {
        for phrase in phrases.iter() {
            let words: Vec<&str> = phrase.iter().map(|word| word.trim_matches('*')).collect();
            let has_value = (0..words.len()).any(|at| {
                [MULTIPLES, SHARES, NUMBERS]
                    .iter()
                    .any(|values| !values.at_start(&words[at..], Some(code)).is_empty())
            });
            assert!(has_value, "{code}: {phrase:?}");
        }
    }
}

/// An exception from a list that has nothing of it is never looked at.
#[test]
fn plain_superlatives_have_a_superlative() {
    use gtm_lexicon::messages::{PLAIN_SUPERLATIVES, SUPERLATIVES};
    for (code, phrases) in PLAIN_SUPERLATIVES.iter() {
        let praise = SUPERLATIVES.of(code).unwrap();
        for phrase in phrases.iter() {
            // Greetings only begin like praise.
            let greets = phrase.first() == Some(&"best");
            assert!(greets || praise.any_in(phrase), "{code}: {phrase:?}");
        }
    }
}

/// An exception for roles is a superlative elsewhere.
#[test]
fn superlatives_of_roles_are_superlatives() {
    use gtm_lexicon::messages::{SUPERLATIVES, SUPERLATIVES_OF_ROLES};
    for (code, phrases) in SUPERLATIVES_OF_ROLES.iter() {
        let praise: Vec<_> = SUPERLATIVES.of(code).unwrap().iter().collect();
        for phrase in phrases.iter() {
            assert!(praise.contains(&phrase), "{code}: {phrase:?}");
        }
    }
}

/// A phrase that may name what is offered presses elsewhere.
#[test]
fn urgency_names_are_phrases_of_urgency() {
    use gtm_lexicon::messages::{URGENCY, URGENCY_NAMES};
    for (code, phrases) in URGENCY_NAMES.iter() {
        let urgency: Vec<_> = URGENCY.of(code).unwrap().iter().collect();
        for phrase in phrases.iter() {
            assert!(urgency.contains(&phrase), "{code}: {phrase:?}");
        }
    }
}
