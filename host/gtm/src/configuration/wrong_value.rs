//! How a wrong configuration value is reported: the setting, what was given, what is allowed, and an
//! example. The parser's messages name Rust types; they are reworded for an operator.

use toml::{Table, Value};

use super::settings::{SETTINGS, Setting};

/// Longest value that a message repeats, in characters.
const LONGEST_SHOWN: usize = 60;

/// Why a value is wrong.
#[derive(Debug, Clone, Copy)]
pub enum Reason<'m> {
    /// The parser says so, in a message that names Rust types.
    Unparsed(&'m str),
    /// It is a number outside of the setting's range; what is allowed says it all.
    OutOfRange,
}

/// The first setting whose number is outside of its range.
#[must_use]
pub fn out_of_range(given: &Table) -> Option<&'static str> {
    let outside = SETTINGS.iter().find(|setting| {
        let number = value_at(given, setting.name).and_then(Value::as_integer);
        let range = setting.range.zip(number);
        range.is_some_and(|(range, number)| !(range.least..=range.most).contains(&number))
    });
    outside.map(|setting| setting.name)
}

/// One sentence about what is wrong at `path`. `variable` is where the value was
/// given, if not in the file.
#[must_use]
pub fn told(path: &str, reason: Reason<'_>, given: &Table, variable: Option<&str>) -> String {
    let path = if path == "." { "" } else { path };
    let found = Setting::around(path);
    let (message, reason) = match reason {
        Reason::Unparsed(message) => (message, in_plain_words(message, path, found)),
        Reason::OutOfRange => ("", None),
    };
    // Danger: text in a place where no setting is may be anything, even a password.
    let unknown = message.starts_with("unknown field");
    let what = match value_at(given, path).and_then(|value| shown(path, value)) {
        _ if unknown => None,
        Some(value) => Some(format!("{path} is {value}")),
        None if path.is_empty() => None,
        None => Some(path.to_owned()),
    };
    let what = match (what, reason) {
        (Some(what), Some(reason)) => format!("{what}: {reason}"),
        (None, Some(reason)) => reason,
        (Some(what), None) if what == path => format!("{path} is not usable"),
        (Some(what), None) => what,
        (None, None) => message.to_owned(),
    };
    let Some(setting) = found else {
        return what;
    };
    let example = match variable {
        Some(variable) => setting.assignment(variable),
        None => setting.line(),
    };
    let allowed = if setting.name == path {
        "it must be".to_owned()
    } else {
        format!("{} takes", setting.name)
    };
    format!(
        "{what}; {allowed} {}, for example {example}",
        setting.allowed
    )
}

/// One sentence about a line that is not TOML. Danger: the rest of the line may hold a password, so at most the name of
/// its setting is repeated.
#[must_use]
pub fn not_toml(line: &str, message: &str) -> String {
    let message = message.trim().replace('\n', ", ");
    let name = line.split('=').next().unwrap_or_default().trim();
    let is_named = |setting: &&Setting| {
        let (_, own) = setting.name.rsplit_once('.').unwrap_or(("", setting.name));
        name == own || name == setting.name
    };
    match SETTINGS.iter().find(is_named) {
        Some(setting) => format!(
            "this is not TOML ({message}); {name} takes {}, for example {}",
            setting.allowed,
            setting.line()
        ),
        None => format!("this is not TOML: {message}"),
    }
}

/// The parser's message in other words; `None` if what is allowed says it all.
fn in_plain_words(message: &str, path: &str, setting: Option<&Setting>) -> Option<String> {
    if let Some(rest) = message.strip_prefix("unknown field `") {
        let (name, known) = rest.split_once('`')?;
        let known: Vec<&str> = known.split('`').skip(1).step_by(2).collect();
        return Some(no_such_setting(path, name, &known));
    }
    if let Some(rest) = message.strip_prefix("missing field `") {
        let (name, _) = rest.split_once('`')?;
        return Some(format!("`{name}` is missing"));
    }
    let mistyped = message
        .strip_prefix("invalid type: ")
        .or_else(|| message.strip_prefix("invalid value: "))
        .and_then(|rest| Some(rest.rsplit_once(", expected ")?.1));
    if let Some(expected) = mistyped.or_else(|| message.strip_prefix("expected ")) {
        return match setting {
            Some(setting) if setting.name == path => None,
            _ => Some(format!("it takes {}", plain_type(expected))),
        };
    }
    // Messages of libraries, such as those about URLs, may repeat the whole value with its password.
    let foreign = ["unknown variant", "invalid ", "relative URL", "empty host"];
    let own = !foreign.iter().any(|begin| message.starts_with(begin));
    (own && !path.ends_with("_url")).then(|| message.to_owned())
}

fn no_such_setting(path: &str, name: &str, known: &[&str]) -> String {
    let section = path
        .strip_suffix(name)
        .unwrap_or(path)
        .trim_end_matches('.');
    let place = if section.is_empty() {
        String::new()
    } else {
        format!(" in {section}")
    };
    let near = known
        .iter()
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= name.len() / 3 + 1)
        .min();
    match near {
        Some((_, candidate)) => {
            format!("there is no setting `{name}`{place}; did you mean `{candidate}`?")
        }
        None => format!(
            "there is no setting `{name}`{place}; there are {}",
            known.join(", ")
        ),
    }
}

/// A Rust type in an operator's words.
fn plain_type(expected: &str) -> String {
    let text = match expected {
        "a nonzero usize" | "a nonzero u64" => "a whole number of at least 1",
        "a nonzero u32" => "a whole number from 1 to 4294967295",
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" => "a whole number of at least 0",
        "f64" => "a number",
        "a string" | "string" => "a text in quotes",
        "a boolean" => "true or false",
        "a sequence" => "a list in [ ]",
        "a map" => "a table",
        other if other.starts_with("struct ") => "a table with settings",
        other => other,
    };
    text.to_owned()
}

/// The value at a path such as `egress.private_hosts[0].port`.
fn value_at<'t>(table: &'t Table, path: &str) -> Option<&'t Value> {
    let mut parts = path
        .split(['.', '['])
        .map(|part| part.trim_end_matches(']'));
    let first = table.get(parts.next()?)?;
    parts.try_fold(first, |value, part| match value {
        Value::Array(items) => items.get(part.parse::<usize>().ok()?),
        Value::Table(members) => members.get(part),
        _ => None,
    })
}

/// A value to repeat in a message; `None` for a table or anything that may hold a password.
fn shown(path: &str, value: &Value) -> Option<String> {
    if path.ends_with("_url") || matches!(value, Value::Table(_) | Value::Array(_)) {
        return None;
    }
    let text = value.to_string();
    (text.chars().count() <= LONGEST_SHOWN).then_some(text)
}

/// The edit distance of two words.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (line, character) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], line + 1);
        for (column, candidate) in other.iter().enumerate() {
            let changed = diagonal + usize::from(character != *candidate);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::super::settings::SETTINGS;
    use super::*;

    #[test]
    fn words_are_as_far_apart_as_their_letters() {
        for (one, other, far) in [
            ("", "", 0),
            ("lisen", "listen", 1),
            ("worker", "workers", 1),
            ("abc", "", 3),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(distance(one, other), far, "{one} {other}");
            assert_eq!(distance(other, one), far, "{other} {one}");
        }
    }

    #[test]
    fn every_setting_is_near_itself_alone() {
        let known: Vec<_> = SETTINGS.iter().map(|setting| setting.name).collect();
        for name in &known {
            let told = no_such_setting("", name, &known);
            assert!(told.ends_with(&format!("`{name}`?")), "{told}");
        }
    }
}
