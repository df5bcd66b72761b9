//! The placeholders that a template may have, as the host lists them, and mending of their spelling.

use serde::Deserialize;

/// A placeholder of the host's list.
#[derive(Debug, Clone, Deserialize)]
pub struct Placeholder {
    /// As it stands between the braces.
    pub name: String,
    /// Form of its value.
    #[serde(rename = "type")]
    pub kind: String,
    /// Most code points of its value.
    pub max_length: u32,
    /// Whether a message can't be written without it.
    pub required: bool,
    /// Where its value comes from.
    pub source: String,
    /// How many words a value usually has: with so many it is counted.
    #[serde(default)]
    pub usual_words: Option<f64>,
    /// Code points that few values exceed: with so many it counts in a subject.
    #[serde(default)]
    pub usual_chars: Option<u32>,
}

impl Placeholder {
    /// Whether the model may write it. The others stand in blocks that are added here: what is said of the
    /// sender, and what the law asks for.
    #[must_use]
    pub fn is_for_the_writer(&self) -> bool {
        !self.name.starts_with("sender.") && !self.name.starts_with("compliance.")
    }
}

/// Those that the model may write.
pub fn for_the_writer(all: &[Placeholder]) -> impl Iterator<Item = &Placeholder> {
    all.iter()
        .filter(|placeholder| placeholder.is_for_the_writer())
}

/// Names of the placeholders in a text.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    let behind = text.split("{{").skip(1);
    behind.filter_map(|rest| rest.split_once("}}").map(|(name, _)| name))
}

/// The text with placeholders spelled as in the list: `{{ First_Name }}` is `{{recipient.first_name}}`. A name that
/// could be two stays as it is, and so does an unknown one: the host refuses it and says so.
#[must_use]
pub fn mended(text: &str, all: &[Placeholder]) -> String {
    let mut read = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("{{") {
        let Some((name, after)) = behind.split_once("}}") else {
            break;
        };
        read.push_str(before);
        let known = meant(name, all).unwrap_or(name);
        read.push_str(&format!("{{{{{known}}}}}"));
        rest = after;
    }
    read.push_str(rest);
    read
}

/// The one placeholder that is called so, or whose last part is.
fn meant<'p>(name: &str, all: &'p [Placeholder]) -> Option<&'p str> {
    let wanted = name.trim().to_lowercase();
    if let Some(known) = all.iter().find(|known| known.name == wanted) {
        return Some(&known.name);
    }
    let mut called =
        for_the_writer(all).filter(|known| known.name.rsplit('.').next() == Some(wanted.as_str()));
    match (called.next(), called.next()) {
        (Some(only), None) => Some(&only.name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list() -> Vec<Placeholder> {
        let names = [
            "recipient.first_name",
            "recipient.role",
            "company.name",
            "offer.name",
            "sender.role",
            "compliance.opt_out",
        ];
        let of = |name: &&str| Placeholder {
            name: (*name).to_owned(),
            kind: "text".to_owned(),
            max_length: 60,
            required: false,
            source: "prospect".to_owned(),
            usual_words: None,
            usual_chars: None,
        };
        names.iter().map(of).collect()
    }

    #[test]
    fn spellings_are_mended_and_guesses_are_not_made() {
        for (written, expected) in [
            (
                "Hi {{ recipient.first_name }},",
                "Hi {{recipient.first_name}},",
            ),
            ("Hi {{Recipient.First_Name}}", "Hi {{recipient.first_name}}"),
            ("{{first_name}}", "{{recipient.first_name}}"),
            ("{{role}}", "{{recipient.role}}"),
            ("{{name}}", "{{name}}"),
            ("{{opt_out}}", "{{opt_out}}"),
            ("{{recipient.email}}", "{{recipient.email}}"),
            ("{{open", "{{open"),
            ("none", "none"),
        ] {
            assert_eq!(mended(written, &list()), expected);
        }
        assert_eq!(
            names("{{a}} b {{c.d}} {{e").collect::<Vec<_>>(),
            ["a", "c.d"]
        );
    }
}
