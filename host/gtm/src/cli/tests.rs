#![allow(clippy::unwrap_used, clippy::panic)]

use clap::{Command as Grammar, CommandFactory as _, Parser as _};

use super::*;
use crate::configuration::settings::{SETTINGS, VARIABLES};
use crate::help;

/// Calls `seen` with each executable command and the words that name it.
fn each_command(mut seen: impl FnMut(&[String], &Grammar)) {
    fn visit(words: &[String], grammar: &Grammar, seen: &mut impl FnMut(&[String], &Grammar)) {
        let visible = grammar.get_subcommands().filter(|c| !c.is_hide_set());
        let mut children = visible.filter(|c| c.get_name() != "help").peekable();
        if children.peek().is_none() {
            seen(words, grammar);
        }
        for child in children {
            let words = [words, &[child.get_name().to_owned()]].concat();
            visit(&words, child, seen);
        }
    }
    visit(&["gtm".to_owned()], &Cli::command(), &mut seen);
}

#[test]
fn the_grammar_is_sound() {
    help::command().debug_assert();
}

#[test]
fn no_option_takes_a_secret() {
    fn visit(command: &Grammar) {
        for argument in command.get_arguments() {
            let name = argument.get_id().as_str();
            assert!(
                !["secret", "password", "api_key", "token", "credential"].contains(&name),
                "{}: {name}",
                command.get_name()
            );
        }
        command.get_subcommands().for_each(visit);
    }
    visit(&Cli::command());
}

#[test]
fn every_command_and_every_argument_says_what_it_is() {
    each_command(|words, grammar| {
        let about = grammar.get_about().map(ToString::to_string);
        let about = about.unwrap_or_default();
        assert!(
            (10..=110).contains(&about.chars().count()) && !about.contains('\n'),
            "{words:?}: {about:?}"
        );
        for argument in grammar.get_arguments() {
            let help = argument.get_help().map(ToString::to_string);
            let help = help.unwrap_or_default();
            // A noun alone ("The file"), or a restriction without what it restricts ("Only this project's"),
            // tells a new operator nothing.
            let words_of_help = help.split_whitespace().count();
            assert!(
                (3..).contains(&words_of_help) && !help.starts_with("Only "),
                "{words:?} {argument}: {help:?}"
            );
        }
    });
}

/// The words of an example, with an id in place of each placeholder.
fn words_of(example: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut quoted = false;
    // The command ends where shell syntax begins.
    for word in example.split([' ']).take_while(|w| !["<", ">"].contains(w)) {
        let bare = word.replace('\'', "");
        match words.last_mut() {
            Some(last) if quoted => last.push_str(&format!(" {bare}")),
            _ => words.push(bare),
        }
        quoted ^= word.matches('\'').count() % 2 == 1;
    }
    let id = |word: String| match word.as_str() {
        "ORG" | "PRJ" | "KEY" | "CONN" | "BND" | "JOB" | "BRD" | "OFFR" | "PRS" | "TMPL" => {
            format!("{}_{}", word.to_lowercase(), "0".repeat(26))
        }
        "CALL" => format!("job_{}.0", "0".repeat(26)),
        _ => word,
    };
    words.into_iter().map(id).collect()
}

/// The examples of a help text. As in a shell, one goes on behind a backslash and within quotes.
fn examples_of(help: &str) -> Vec<String> {
    let mut examples: Vec<String> = Vec::new();
    for line in help.lines() {
        match examples.last_mut() {
            Some(open) if open.ends_with('\\') => {
                open.pop();
                open.push_str(line.trim_start());
            }
            Some(open) if open.matches('\'').count() % 2 == 1 => {
                open.push(' ');
                open.push_str(line.trim_start());
            }
            _ => examples.extend(line.strip_prefix("  ").map(str::to_owned)),
        }
    }
    examples
}

#[test]
fn every_command_has_examples_and_takes_them() {
    each_command(|words, grammar| {
        let after = grammar.get_after_help().map(ToString::to_string);
        let after = after.unwrap_or_default();
        let examples = examples_of(&after);
        assert!(!examples.is_empty(), "{words:?} has no example");
        for example in examples {
            let given = words_of(&example);
            assert!(given.starts_with(words), "{words:?}: {example}");
            if let Err(error) = Cli::try_parse_from(given) {
                panic!("{example}\n{error}");
            }
        }
    });
}

#[test]
fn every_command_stands_under_one_subject() {
    let text = help::command().render_help().to_string();
    let named = Cli::command();
    for command in named.get_subcommands() {
        let line = format!("  {} ", command.get_name());
        let times = text.lines().filter(|l| l.starts_with(&line)).count();
        assert_eq!(
            times,
            usize::from(!command.is_hide_set()),
            "{line:?} in\n{text}"
        );
    }
    assert!(text.contains("\nTenants:\n  org "), "{text}");
    assert!(text.contains("--data-dir"), "{text}");
}

#[test]
fn options_of_every_command_stand_apart() {
    let mut grammar = help::command();
    grammar.build();
    let job = grammar.find_subcommand_mut("job").unwrap();
    let text = job
        .find_subcommand_mut("list")
        .unwrap()
        .render_help()
        .to_string();
    let (options, _) = text.split_once("\nExample:\n").unwrap();
    let (own, global) = options.split_once("\nGlobal options:\n").unwrap();
    assert!(
        own.contains("--status") && !own.contains("--data-dir"),
        "{text}"
    );
    assert!(
        global.contains("--data-dir") && !global.contains("--status"),
        "{text}"
    );
}

#[test]
fn every_flag_that_a_setting_names_is_an_option() {
    let settings = SETTINGS.iter().filter_map(|setting| setting.flag);
    let variables = VARIABLES.iter().filter_map(|variable| variable.flag);
    let grammar = help::command();
    let serve = grammar.find_subcommand("serve").unwrap();
    for flag in settings.chain(variables) {
        let name = flag.strip_prefix("--");
        let mut options = grammar.get_arguments().chain(serve.get_arguments());
        assert!(options.any(|option| option.get_long() == name), "{flag}");
    }
}
