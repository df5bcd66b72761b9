//! `gtm config reference`: every setting with what it accepts, its default and its meaning, for a terminal,
//! for programs, and as the tables of `docs/operating.md`.

use serde_json::{Value, json};

use super::sections::Configuration;
use super::settings::{Kind, SETTINGS, Setting, VARIABLES};

/// The reference as JSON.
#[must_use]
pub fn as_json() -> Value {
    let defaults = defaults();
    let settings: Vec<_> = SETTINGS
        .iter()
        .map(|setting| {
            let default = default_value(&defaults, setting);
            json!({
                "name": setting.name,
                "variable": (setting.kind != Kind::Tables).then(|| setting.variable()),
                "flag": setting.flag,
                "allowed": setting.allowed,
                "default": default,
                "default_in_words": default_in_words(setting, default),
                "example": setting.example,
                "meaning": setting.meaning,
            })
        })
        .collect();
    let variables: Vec<_> = VARIABLES
        .iter()
        .map(|variable| {
            json!({
                "name": variable.name,
                "flag": variable.flag,
                "default_in_words": variable.default,
                "meaning": variable.meaning,
            })
        })
        .collect();
    json!({ "settings": settings, "variables": variables })
}

/// The reference for a terminal, one paragraph per setting.
#[must_use]
pub fn as_text() -> String {
    let defaults = defaults();
    let settings = SETTINGS.iter().map(|setting| {
        format!(
            "{}\n  {}\n  Takes: {}\n  Default: {}\n  Also: {}\n",
            setting.name,
            setting.meaning,
            setting.allowed,
            default_in_words(setting, default_value(&defaults, setting)),
            elsewhere(setting),
        )
    });
    let variables = VARIABLES.iter().map(|variable| {
        let flag = variable.flag.map(|flag| format!("\n  Also: {flag}"));
        format!(
            "{}\n  {}\n  Default: {}{}\n",
            variable.name,
            variable.meaning,
            variable.default,
            flag.unwrap_or_default(),
        )
    });
    settings.chain(variables).collect::<Vec<_>>().join("\n")
}

/// The reference as tables in Markdown.
#[must_use]
pub fn as_markdown() -> String {
    let defaults = defaults();
    let mut text = String::from(
        "| Setting | Variable, flag | Takes | Default | Meaning |\n|---|---|---|---|---|\n",
    );
    for setting in SETTINGS {
        text.push_str(&format!(
            "| `{}` | {} | {} | {} | {} |\n",
            setting.name,
            elsewhere(setting),
            setting.allowed,
            default_in_words(setting, default_value(&defaults, setting)),
            setting.meaning,
        ));
    }
    text.push_str(
        "\nThese cannot be set in the file:\n\n| Variable | Flag | Default | Meaning |\n|---|---|---|---|\n",
    );
    for variable in VARIABLES {
        let flag = variable.flag.map(|flag| format!("`{flag}`"));
        text.push_str(&format!(
            "| `{}` | {} | {} | {} |\n",
            variable.name,
            flag.unwrap_or_default(),
            variable.default,
            variable.meaning,
        ));
    }
    text
}

/// Where a setting can be given besides the file.
fn elsewhere(setting: &Setting) -> String {
    let variable = (setting.kind != Kind::Tables).then(|| format!("`{}`", setting.variable()));
    let flag = setting.flag.map(|flag| format!("`{flag}`"));
    let places: Vec<_> = variable.into_iter().chain(flag).collect();
    if places.is_empty() {
        "only in the file".to_owned()
    } else {
        places.join(", ")
    }
}

fn defaults() -> Value {
    // A configuration serializes by construction; a missing default would fail the tests.
    serde_json::to_value(Configuration::default()).unwrap_or_default()
}

fn default_value<'v>(defaults: &'v Value, setting: &Setting) -> &'v Value {
    let pointer = format!("/{}", setting.name.replace('.', "/"));
    defaults.pointer(&pointer).unwrap_or(&Value::Null)
}

fn default_in_words(setting: &Setting, value: &Value) -> String {
    if let Some(words) = setting.default_in_words {
        return words.to_owned();
    }
    match (value, setting.kind) {
        (Value::Null, _) => "none".to_owned(),
        (Value::Array(items), _) if items.is_empty() => "none".to_owned(),
        (Value::String(text), _) => format!("`{text}`"),
        (Value::Number(number), kind) => match (number.as_u64(), number.as_f64(), kind) {
            (Some(seconds), _, Kind::Seconds) => duration(seconds),
            (Some(milliseconds), _, Kind::Milliseconds) => format!("{milliseconds} ms"),
            (Some(bytes), _, Kind::Bytes) => size(bytes),
            (_, Some(amount), Kind::Dollars) => format!("${amount}"),
            _ => number.to_string(),
        },
        (other, _) => format!("`{other}`"),
    }
}

fn duration(seconds: u64) -> String {
    if seconds >= 120 && seconds.is_multiple_of(60) {
        format!("{} min", seconds / 60)
    } else {
        format!("{seconds} s")
    }
}

fn size(bytes: u64) -> String {
    const KIB: u64 = 1 << 10;
    const MIB: u64 = 1 << 20;
    if bytes >= MIB && bytes.is_multiple_of(MIB) {
        format!("{} MiB", bytes / MIB)
    } else if bytes >= KIB && bytes.is_multiple_of(KIB) {
        format!("{} KiB", bytes / KIB)
    } else {
        format!("{bytes} bytes")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/operating.md");
    const BEGIN: &str = "<!-- gtm config reference --markdown -->\n";
    const END: &str = "<!-- end of gtm config reference -->";
    /// If set, the test writes the tables instead of comparing them.
    const WRITE: &str = "GTM_WRITE_REFERENCE";

    #[test]
    fn the_operators_guide_has_every_setting() {
        let document = std::fs::read_to_string(DOCUMENT).unwrap();
        let (before, rest) = document.split_once(BEGIN).unwrap();
        let (there, after) = rest.split_once(END).unwrap();
        let expected = format!("\n{}\n", as_markdown());
        if std::env::var_os(WRITE).is_some() {
            let written = format!("{before}{BEGIN}{expected}{END}{after}");
            std::fs::write(DOCUMENT, written).unwrap();
        } else if there != expected {
            panic!(
                "the tables of docs/operating.md are out of date; regenerate them with\n  \
                 {WRITE}=1 cargo test --workspace --bin gtm -- the_operators_guide_has_every_setting"
            );
        }
    }

    #[test]
    fn only_what_has_no_value_has_a_default_in_words() {
        let defaults = defaults();
        for setting in SETTINGS {
            let value = default_value(&defaults, setting);
            assert!(
                setting.default_in_words.is_none() || value.is_null() || value.is_array(),
                "{} is {value} by default: words could say something else",
                setting.name
            );
        }
    }

    #[test]
    fn defaults_are_told_in_an_operators_units() {
        let told = |name: &str| {
            let setting = Setting::around(name).unwrap();
            default_in_words(setting, default_value(&defaults(), setting))
        };
        for (name, words) in [
            ("listen", "`127.0.0.1:8080`"),
            ("redis_timeout_ms", "200 ms"),
            ("shutdown_grace_seconds", "10 s"),
            ("engine.job_deadline_seconds", "15 min"),
            ("limits.plugin_output_bytes", "8 MiB"),
            ("limits.connections", "4096"),
            ("engine.job_cost_cap_usd", "$5"),
            ("engine.job_cost_estimate_usd", "$0.25"),
            ("egress.nat64", "`false`"),
            ("egress.open_web", "none"),
            ("metrics_listen", "none"),
            ("rate_limit_fallback", "`memory`"),
        ] {
            assert_eq!(told(name), words, "{name}");
        }
        assert_eq!(
            (size(1536), size(1000)),
            ("1536 bytes".into(), "1000 bytes".into())
        );
        assert_eq!(size(3 << 10), "3 KiB");
    }

    #[test]
    fn a_cell_of_a_table_stays_one() {
        for line in as_markdown().lines().filter(|l| l.starts_with('|')) {
            assert!([5, 6].contains(&line.matches('|').count()), "{line}");
        }
    }
}
