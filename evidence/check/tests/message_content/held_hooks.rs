//! The hooks of `../message_hooks/` against what a person says of them. README.md there says how to read them.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use gtm_domain::message::compliance::CheckKey;
use serde::Deserialize;

use super::message::Message;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// That of all excerpts, unless each has its own.
    language: Option<String>,
    excerpt: Vec<Excerpt>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Excerpt {
    language: Option<String>,
    text: String,
    r#true: Vec<String>,
    lies: Vec<String>,
}

fn read<T: for<'de> Deserialize<'de>>(name: &str) -> T {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/message_hooks");
    let text = fs::read_to_string(folder.join(name)).unwrap();
    toml::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// The words of a hook that its excerpt does not bear out; none if it passes.
fn refused(language: &str, excerpt: &str, hook: &str) -> Vec<String> {
    let leaked = |text: &str| -> &'static str { text.to_owned().leak() };
    let mut message = Message::good().hooked(leaked(excerpt), leaked(hook));
    message.language = leaked(language);
    let of_hooks = [CheckKey::EvidenceAnchors, CheckKey::NumericClaims];
    let failing = message.failing().into_iter();
    let failing = failing.filter(|(check, _)| of_hooks.contains(check));
    failing.flat_map(|(_, words)| words).collect()
}

#[test]
fn verdicts_on_hooks_agree_with_those_of_a_person() {
    let mut known: BTreeMap<String, String> = read("disagreements.toml");
    for (hook, reason) in &known {
        assert!(reason.split(' ').count() >= 5, "{hook}: {reason}");
    }
    let mut unexplained = Vec::new();
    let mut all = 0;
    for name in [
        "de.toml",
        "en.toml",
        "es.toml",
        "fr.toml",
        "it.toml",
        "later.toml",
        "nl.toml",
        "order.toml",
        "order_later.toml",
        "order_last.toml",
        "pt.toml",
    ] {
        let (mut passing, mut refused_lies, mut truths, mut lies) = (0, 0, 0, 0);
        let file: File = read(name);
        for excerpt in &file.excerpt {
            let hooks = (excerpt.r#true.iter().map(|hook| (hook, true)))
                .chain(excerpt.lies.iter().map(|hook| (hook, false)));
            for (hook, is_true) in hooks {
                let language = excerpt
                    .language
                    .as_ref()
                    .or(file.language.as_ref())
                    .unwrap();
                let words = refused(language, &excerpt.text, hook);
                let agrees = words.is_empty() == is_true;
                match is_true {
                    true => (truths, passing) = (truths + 1, passing + usize::from(agrees)),
                    false => (lies, refused_lies) = (lies + 1, refused_lies + usize::from(agrees)),
                }
                match (agrees, known.remove(hook)) {
                    (true, None) | (false, Some(_)) => {}
                    (true, Some(_)) => unexplained.push(format!("agrees: {hook}")),
                    (false, None) => unexplained.push(format!("{is_true}: {hook} {words:?}")),
                }
            }
        }
        println!(
            "{name}: {passing} of {truths} true hooks pass, {refused_lies} of {lies} lies are refused"
        );
        all += truths + lies;
    }
    assert!(all >= 200, "{all}");
    assert_eq!(known, BTreeMap::new(), "no such hooks");
    assert!(unexplained.is_empty(), "{}", unexplained.join("\n"));
}
