//! What the result says elsewhere: a reader wants it once.

use std::collections::BTreeSet;

use gtm_site_research::words;
use serde_json::Value;

/// Fewest letters of a text that is told if it stands inside of another one: a short one may mean something else.
const LONG: usize = 25;
/// From so many digits on, a text is a number that means one thing.
const DIGITS: usize = 5;

/// The texts of a result, by their letters.
#[derive(Debug, Clone, Default)]
pub struct Told(BTreeSet<String>);

impl Told {
    /// All texts of a value, at any depth.
    pub fn of(value: &Value) -> Self {
        let mut told = Self::default();
        told.add(value);
        told
    }

    fn add(&mut self, value: &Value) {
        match value {
            Value::String(text) => {
                self.0.insert(words::letters(text));
            }
            Value::Array(items) => items.iter().for_each(|item| self.add(item)),
            Value::Object(members) => members.values().for_each(|member| self.add(member)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// Whether a text is one of them, or stands inside of one.
    pub fn has(&self, text: &str) -> bool {
        let letters = words::letters(text);
        let digits = letters.chars().filter(char::is_ascii_digit).count();
        let means_one_thing = letters.chars().count() >= LONG || digits >= DIGITS;
        self.0.contains(&letters)
            || means_one_thing && self.0.iter().any(|known| known.contains(&letters))
    }
}
