//! Why now is the moment to talk: buying signals with a date that say what happened.

use gtm_site_research::claim::Claim;
use gtm_site_research::facts;
use serde_json::{Value, json};

/// Most of them.
const MOST: usize = 3;

/// Of signals, the newest first, the events: those with a date, and with a figure or a kind.
pub fn why_now(signals: &[Claim]) -> Vec<Claim> {
    signals
        .iter()
        .filter_map(|claim| {
            let member = |name: &str| claim.value.get(name).and_then(Value::as_str);
            let text = member("signal")?;
            member("observed_at")?;
            let kind = member("kind").filter(|kind| *kind != "other");
            // The title of a vacancy tells no event.
            let is_title = kind == Some("hiring") && !text.ends_with(['.', '!', '。', '！']);
            (!is_title && (kind.is_some() || !facts::numbers(text).is_empty())).then(|| Claim {
                value: json!(text),
                ..claim.clone()
            })
        })
        .take(MOST)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_have_a_date_and_a_figure_or_a_kind() {
        let signal = |text: &str, kind: &str, date: Option<&str>| {
            Claim::stated(
                json!({"signal": text, "kind": kind, "observed_at": date}),
                vec![],
            )
        };
        let told = why_now(&[
            signal("Acme opens a plant", "expansion", Some("2026-10-14")),
            signal("Acme is looking for a welder", "hiring", None),
            signal("Welder (full time, 40 h)", "hiring", Some("2026-10")),
            signal("Acme turns over a new leaf", "other", Some("2026-09")),
            signal("Acme serves 40 lines", "other", Some("2026-08")),
            signal("Acme has a new head", "leadership", Some("2026-07")),
            signal("Acme has a loan", "funding", Some("2026-06")),
        ]);
        let texts: Vec<&Value> = told.iter().map(|claim| &claim.value).collect();
        assert_eq!(
            texts,
            [
                "Acme opens a plant",
                "Acme serves 40 lines",
                "Acme has a new head"
            ]
        );
    }
}
