//! Numbers that count nothing: codes of places, grades that people give.

/// Most digits of the code of a place.
const LONGEST_CODE: usize = 5;

/// Whether the only numbers of a text are codes in brackets behind names, as those of departments and districts are:
/// `Cergy (95)`, `Cassola (95), Marano (30)`.
pub fn names_coded_place(text: &str) -> bool {
    let mut rest = text;
    let mut coded = false;
    while let Some((name, behind)) = rest.split_once('(') {
        let Some((code, after)) = behind.split_once(')') else {
            return false;
        };
        let last = name.split_whitespace().next_back().unwrap_or_default();
        let named = last.starts_with(char::is_uppercase) && !name.contains(char::is_numeric);
        if !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_digit()) {
            coded = true;
            if !named || code.len() > LONGEST_CODE {
                return false;
            }
        }
        rest = after;
    }
    coded && !rest.contains(char::is_numeric)
}

/// The best grades that people give: of five, of ten.
const BEST_GRADES: [&str; 2] = ["5", "10"];

/// Whether a figure is a grade, which counts nothing: `4.9/5 on reviews`, `4,8 / 5`.
pub fn is_grade(text: &str) -> bool {
    text.match_indices('/').any(|(at, _)| {
        let (before, behind) = (text.get(..at), text.get(at + 1..));
        let before = before.unwrap_or_default().trim_end();
        let given: String = before
            .chars()
            .rev()
            .take_while(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
            .collect();
        let behind = behind.unwrap_or_default().trim_start();
        let best: String = behind.chars().take_while(char::is_ascii_digit).collect();
        // `24/7` and `1/5/2026` are none.
        let whole = given.trim_matches(['.', ',']).chars().next_back();
        let ends = !behind
            .get(best.len()..)
            .is_some_and(|rest| rest.starts_with('/'));
        whole.is_some() && ends && BEST_GRADES.contains(&best.as_str()) && given.len() <= 4
    })
}
