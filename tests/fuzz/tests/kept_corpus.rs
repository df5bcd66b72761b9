//! Runs every target on all inputs of the kept corpus and on some mutations of them. For many more
//! mutations, run `cargo xtask fuzz`.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;
use std::path::Path;

use gtm_fuzz_targets::mutate::Pool;
use gtm_fuzz_targets::{TARGETS, Target, target};

/// Number of mutated inputs for each target.
const MADE: usize = 300;

fn corpus(target: Target) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/corpus")
        .join(target.name);
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
        .iter()
        .map(|file| std::fs::read(file).unwrap())
        .collect()
}

fn holds(name: &str) {
    let target = target(name);
    let kept = corpus(target);
    let words: BTreeSet<String> = kept.iter().map(|input| (target.run)(input)).collect();
    assert!(
        words.len() > 2,
        "{name}: a corpus that reaches little: {words:?}"
    );
    let mut pool = Pool::new(target, kept, 1);
    for _ in 0..MADE {
        let input = pool.next_input();
        let word = (target.run)(&input);
        pool.heard(input, word);
    }
}

#[test]
fn urls_are_read_as_others_read_them() {
    holds("url");
}

#[test]
fn bodies_are_decoded_within_their_bounds() {
    holds("body");
}

#[test]
fn json_is_what_others_take_for_json() {
    holds("strict_json");
}

#[test]
fn manifests_and_their_schemas_are_judged() {
    holds("manifest");
}

#[test]
fn documents_are_read_or_refused_alike_each_time() {
    holds("file_text");
}

#[test]
fn only_own_cursors_open() {
    holds("cursor");
}

#[test]
fn imports_are_those_of_valid_components() {
    holds("imports");
}

#[test]
fn no_client_chooses_its_address() {
    holds("client_address");
}

#[test]
fn templates_are_what_they_say() {
    holds("template");
}

#[test]
fn no_template_harms_a_message() {
    holds("message");
}

#[test]
fn every_target_has_a_test_and_a_libfuzzer_program() {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/fuzz_targets");
    let tests = include_str!("kept_corpus.rs");
    for target in TARGETS {
        let program = programs.join(format!("{}.rs", target.name));
        assert!(program.is_file(), "{}", program.display());
        assert!(tests.contains(&format!("holds(\"{}\")", target.name)));
    }
}
