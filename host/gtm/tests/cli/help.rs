//! Help, completions, and the program's version.

use std::process::Command;

use crate::process::Gtm;

fn printed(gtm: &Gtm, arguments: &[&str]) -> String {
    let output = gtm.run(arguments);
    assert!(output.status.success(), "{arguments:?}");
    assert!(!gtm.data().exists(), "{arguments:?} needs no installation");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn help_is_by_subject_and_the_same_whoever_asks() {
    let gtm = Gtm::new();
    let help = printed(&gtm, &["help"]);
    for heading in [
        "Tenants:",
        "Providers and plug-ins:",
        "Money and records:",
        "Options:",
    ] {
        assert!(help.lines().any(|l| l == heading), "{heading} in\n{help}");
    }
    assert!(!help.contains('\u{1b}'), "no colours where nobody looks");
    assert_eq!(printed(&gtm, &["--help"]), help);
    assert_eq!(printed(&gtm, &["-h"]), help);
    let create = printed(&gtm, &["help", "key", "create"]);
    assert_eq!(printed(&gtm, &["key", "create", "--help"]), create);
    assert!(create.contains("Example:\n  gtm key create"), "{create}");
    assert!(create.contains("[default: generate]"), "{create}");
    let (options, _) = create.split_once("\nExample:\n").unwrap();
    let (_, global) = options.split_once("\nGlobal options:\n").unwrap();
    assert!(global.contains("--data-dir") && !global.contains("--scopes"));
}

#[test]
fn the_version_is_told() {
    let said = printed(&Gtm::new(), &["--version"]);
    assert_eq!(said.trim(), concat!("gtm ", env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions_are_what_the_shells_read() {
    let gtm = Gtm::new();
    let dir = tempfile::tempdir().unwrap();
    for (shell, word) in [
        ("bash", "complete "),
        ("zsh", "#compdef gtm"),
        ("fish", "complete -c gtm"),
    ] {
        let script = printed(&gtm, &["completions", shell]);
        assert!(script.contains(word), "{shell}: {script}");
        assert!(script.contains("requests-per-minute"), "{shell}");
        let file = dir.path().join(shell);
        std::fs::write(&file, script).unwrap();
        // Checked by the shells that are installed; the others are not needed.
        let check = Command::new(shell).arg("-n").arg(&file).output();
        if let Ok(checked) = check {
            assert!(checked.status.success(), "{shell}: {checked:?}");
        }
    }
}
