//! The points of annex A6 that are the judge's, and the answer.

use gtm_sdk::{Value, json};

use crate::copy::Sentence;

/// The version of the rubric that these points belong to.
pub const RUBRIC_VERSION: &str = "1";

/// What one question came to.
pub struct Judged {
    /// The check's key in the rubric.
    pub key: &'static str,
    /// Points given.
    pub points: u32,
    /// Points possible.
    pub max: u32,
    /// What is missing, for the writer; said only if points are.
    pub note: String,
}

/// Most sentences that a note quotes. With the longest of them it stays within what the host takes.
const QUOTED: usize = 2;

/// A note that quotes the sentences that it means.
pub fn note<'s>(says: &str, sentences: impl IntoIterator<Item = &'s Sentence>) -> String {
    let quoted: Vec<String> = sentences
        .into_iter()
        .take(QUOTED)
        .map(|sentence| format!("“{}”", sentence.shown()))
        .collect();
    match quoted.is_empty() {
        true => format!("{says}."),
        false => format!("{says}: {}.", quoted.join(", ")),
    }
}

/// The answer: points and notes by key.
pub fn judgement(all: [Judged; 4]) -> Value {
    let mut points = json::json!({});
    let mut notes = json::json!({});
    for judged in all {
        let given = judged.points.min(judged.max);
        points[judged.key] = given.into();
        notes[judged.key] = match given == judged.max {
            true => Value::Null,
            false => judged.note.into(),
        };
    }
    json::json!({ "points": points, "notes": notes })
}

/// A share as points: `full` for all, three quarters of it from three quarters on, half from a half on, one
/// for anything.
pub fn share(part: usize, whole: usize, full: u32) -> u32 {
    match (part, whole) {
        (0, _) | (_, 0) => 0,
        _ if part >= whole => full,
        _ if part * 4 >= whole * 3 => full * 3 / 4,
        _ if part * 2 >= whole => full / 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_graded() {
        let of = |part| share(part, 8, 4);
        assert_eq!([0, 1, 3, 4, 5, 6, 7, 8].map(of), [0, 1, 1, 2, 2, 3, 3, 4]);
        assert_eq!(share(0, 0, 4), 0);
    }
}
