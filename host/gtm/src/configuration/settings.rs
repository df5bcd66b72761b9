//! What a setting is: its name, its variable, what it accepts and what it is for. `listen` is `GTM_LISTEN`,
//! `engine.workers` is `GTM_ENGINE_WORKERS`. All of them are in [`declared`].

mod declared;

use gtm_engine::fail_points;

pub use declared::SETTINGS;

/// What kind of value a setting takes, so that a variable's text can be parsed and a default be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Text,
    Count,
    Seconds,
    Milliseconds,
    Bytes,
    Dollars,
    Boolean,
    /// Relative paths in a file are relative to that file.
    Path,
    /// Separated by commas in a variable.
    TextList,
    /// Separated by commas in a variable.
    PathList,
    /// Only in a file: no variable can hold them.
    Tables,
}

/// The least and the most of what a whole number may be, also in words.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    pub least: i64,
    pub most: i64,
    pub words: &'static str,
}

/// One setting, in an operator's words.
pub struct Setting {
    pub name: &'static str,
    pub kind: Kind,
    /// What it accepts.
    pub allowed: &'static str,
    /// The same of a whole number.
    pub range: Option<Range>,
    /// A value as written in the configuration file.
    pub example: &'static str,
    /// What it is for, in one sentence.
    pub meaning: &'static str,
    /// The flag that overrides it.
    pub flag: Option<&'static str>,
    /// The default in words, if it is not a value that can be shown.
    pub default_in_words: Option<&'static str>,
}

const fn setting(
    name: &'static str,
    kind: Kind,
    allowed: &'static str,
    example: &'static str,
    meaning: &'static str,
) -> Setting {
    Setting {
        name,
        kind,
        allowed,
        range: None,
        example,
        meaning,
        flag: None,
        default_in_words: None,
    }
}

const fn number(
    name: &'static str,
    kind: Kind,
    range: Range,
    example: &'static str,
    meaning: &'static str,
) -> Setting {
    Setting {
        range: Some(range),
        ..setting(name, kind, range.words, example, meaning)
    }
}

impl Setting {
    const fn flag(mut self, flag: &'static str) -> Self {
        self.flag = Some(flag);
        self
    }

    const fn by_default(mut self, words: &'static str) -> Self {
        self.default_in_words = Some(words);
        self
    }

    /// The setting at a path of the configuration, or the one that contains it.
    #[must_use]
    pub fn around(path: &str) -> Option<&'static Self> {
        SETTINGS.iter().find(|setting| {
            path.strip_prefix(setting.name)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        })
    }

    /// The variable that overrides it.
    #[must_use]
    pub fn variable(&self) -> String {
        format!("GTM_{}", self.name.replace('.', "_").to_ascii_uppercase())
    }

    /// The example as a line of the file.
    #[must_use]
    pub fn line(&self) -> String {
        if self.kind == Kind::Tables {
            return format!("`{}`", self.example);
        }
        match self.name.split_once('.') {
            Some((section, name)) => {
                format!("`{name} = {}` in the section [{section}]", self.example)
            }
            None => format!("`{} = {}`", self.name, self.example),
        }
    }

    /// The example as a variable.
    #[must_use]
    pub fn assignment(&self, variable: &str) -> String {
        let bare: String = self
            .example
            .chars()
            .filter(|character| !matches!(character, '"' | '[' | ']'))
            .collect();
        format!("`{variable}={bare}`")
    }
}

/// A variable that has no setting in the file.
pub struct Variable {
    pub name: &'static str,
    pub flag: Option<&'static str>,
    /// What applies without it.
    pub default: &'static str,
    pub meaning: &'static str,
}

pub const DATA_DIR: &str = "GTM_DATA_DIR";
pub const CONFIG: &str = "GTM_CONFIG";
pub const MASTER_KEY: &str = "GTM_MASTER_KEY";
pub const PEPPER: &str = "GTM_PEPPER";
pub const OPERATOR: &str = "GTM_OPERATOR";

/// The variables of an installation, besides those of the settings.
pub const VARIABLES: &[Variable] = &[
    Variable {
        name: DATA_DIR,
        flag: Some("--data-dir"),
        default: "`data` in the working directory",
        meaning: "The data directory: database, blobs, keys and `gtm.toml`, unless settings put them elsewhere.",
    },
    Variable {
        name: CONFIG,
        flag: Some("--config"),
        default: "`gtm.toml` in the data directory",
        meaning: "The configuration file.",
    },
    Variable {
        name: MASTER_KEY,
        flag: None,
        default: "`master.key` in the data directory",
        meaning: "The master keys that credentials are encrypted under: 32 bytes in base64 each, separated by \
                  commas, the current one first.",
    },
    Variable {
        name: PEPPER,
        flag: None,
        default: "derived from the master keys",
        meaning: "The keys that API keys are hashed with, in the same form. Read only where `GTM_MASTER_KEY` is \
                  set; API keys made under a key that is missing here stop working.",
    },
    Variable {
        name: OPERATOR,
        flag: None,
        default: "the user who called `sudo`, otherwise the login name",
        meaning: "The name under which the audit log records what the command line does.",
    },
];

/// Whether the program reads a variable.
#[must_use]
pub fn is_known(variable: &str) -> bool {
    VARIABLES.iter().any(|known| known.name == variable)
        || variable == fail_points::VARIABLE
        || SETTINGS
            .iter()
            .any(|setting| setting.variable() == variable)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::BTreeSet;

    use super::*;
    use crate::configuration::sections::Configuration;

    /// The names of all members except sections.
    fn members(value: &serde_json::Value) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for (name, value) in value.as_object().unwrap() {
            match value.as_object() {
                Some(section) => names.extend(section.keys().map(|key| format!("{name}.{key}"))),
                None => drop(names.insert(name.clone())),
            }
        }
        names
    }

    #[test]
    fn every_setting_is_declared() {
        let all = members(&serde_json::to_value(Configuration::default()).unwrap());
        let declared: BTreeSet<_> = SETTINGS.iter().map(|s| s.name.to_owned()).collect();
        assert_eq!(declared, all);
        assert_eq!(declared.len(), SETTINGS.len(), "none twice");
    }

    #[test]
    fn every_example_is_a_value_that_is_taken() {
        for setting in SETTINGS.iter().filter(|s| s.kind != Kind::Tables) {
            let text = match setting.name.split_once('.') {
                Some((section, name)) => format!("[{section}]\n{name} = {}", setting.example),
                None => format!("{} = {}", setting.name, setting.example),
            };
            let read: Result<Configuration, _> = toml::from_str(&text);
            assert!(read.is_ok(), "{text}: {read:?}");
        }
    }

    #[test]
    fn a_setting_is_found_by_what_stands_in_it() {
        let name = |path: &str| Setting::around(path).map(|setting| setting.name);
        assert_eq!(name("listen"), Some("listen"));
        assert_eq!(name("trusted_proxies[0]"), Some("trusted_proxies"));
        assert_eq!(
            name("egress.private_hosts[1].port"),
            Some("egress.private_hosts")
        );
        assert_eq!(name("limits.connections"), Some("limits.connections"));
        assert_eq!(
            name("limits.connections_per_address"),
            Some("limits.connections_per_address")
        );
        assert_eq!((name("engine"), name("listening")), (None, None));
    }
}
