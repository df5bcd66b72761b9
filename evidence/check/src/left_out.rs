//! What a draft's author or the host left out of a result, and why, in a form that a job's events can show.
//!
//! The reasons are a closed list that the host words: no text of a plug-in reaches the reader, but of a document what the host
//! itself took out of it, which would have been printed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::basis::DraftError;
use super::verdict::Dropped;

/// Most entries of one draft.
pub const MAX_LEFT_OUT: usize = 200;
/// Longest pointer, in bytes.
const MAX_POINTER: usize = 100;
/// Most texts of one entry that are quoted, and longest quotation, in characters.
const MOST_QUOTED: usize = 3;
const QUOTED_CHARS: usize = 90;

/// Claims of one place that were left out for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// RFC 6901 pointer of the field or list that lacks them.
    pub pointer: String,
    /// Why.
    pub reason: Reason,
    /// How many.
    pub count: u32,
    /// What they say, if the host took them out of a document.
    #[serde(skip)]
    pub said: Vec<String>,
}

/// Why claims were left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// They name no evidence.
    NoCitation,
    /// A member that they need is missing or is none of the allowed words.
    Incomplete,
    /// A number in them stands nowhere, and no formula leads to it.
    Number,
    /// A web or e-mail address in them stands nowhere.
    Address,
    /// Words in quotation marks stand nowhere.
    Quotation,
    /// A name in them stands nowhere.
    Name,
    /// They name a person where a role belongs.
    Person,
    /// They name a rival that nobody mentioned.
    Rival,
    /// They read like an instruction for a language model.
    Instruction,
    /// They make a product of a job offer.
    JobOffer,
    /// A second reading found them contradicted by their evidence.
    Contradicted,
    /// The model gave no usable answer for the place.
    NoAnswer,
    /// The list is full.
    TooMany,
    /// The cited evidence is not in the stored sources.
    Unsupported,
    /// They are said to come from the request, which does not contain them.
    NotProvided,
    /// They tell in another language what the request says, and no second reader compared the two.
    Unread,
    /// A number, link or address in them is in none of their sources.
    Invented,
    /// The stored sources do not show them.
    NotSeen,
    /// They are no possible value of their field.
    Malformed,
    /// They make a claim that the offer forbids.
    Forbidden,
    /// The brief tells them in confidence.
    Confidential,
}

impl Reason {
    /// The reason as the end of a sentence about several claims.
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::NoCitation => "no evidence was given for it",
            Self::Incomplete => "the answer was incomplete",
            Self::Number => "a number stands neither in the sources nor in the request",
            Self::Address => "an address stands neither in the sources nor in the request",
            Self::Quotation => "quoted words stand neither in the sources nor in the request",
            Self::Name => "a name stands neither in the sources nor in the request",
            Self::Person => "a person was named where a role belongs",
            Self::Rival => "a rival was named that neither the sources nor the request mention",
            Self::Instruction => "the text reads like an instruction for a language model",
            Self::JobOffer => "the evidence is a job offer",
            Self::Contradicted => "a second reading found it contradicted by its evidence",
            Self::NoAnswer => "the model gave no usable answer",
            Self::TooMany => "the list is full",
            Self::Unsupported => Dropped::Unsupported.in_words(),
            Self::NotProvided => Dropped::NotProvided.in_words(),
            Self::Unread => Dropped::Unread.in_words(),
            Self::Invented => Dropped::Invented.in_words(),
            Self::NotSeen => Dropped::NotSeen.in_words(),
            Self::Malformed => Dropped::Malformed.in_words(),
            Self::Forbidden => Dropped::Forbidden.in_words(),
            Self::Confidential => "the brief tells it in confidence",
        }
    }
}

impl From<Dropped> for Reason {
    fn from(dropped: Dropped) -> Self {
        match dropped {
            Dropped::NoBasis => Self::NoCitation,
            Dropped::Unsupported => Self::Unsupported,
            Dropped::NotProvided => Self::NotProvided,
            Dropped::Unread => Self::Unread,
            Dropped::Invented => Self::Invented,
            Dropped::NotSeen => Self::NotSeen,
            Dropped::Malformed => Self::Malformed,
            Dropped::Forbidden => Self::Forbidden,
            Dropped::Misquoted => Self::Quotation,
        }
    }
}

impl LeftOut {
    /// Whether it was left out for its evidence, and not for want of room or because it is nobody's to read.
    #[must_use]
    pub fn is_unverified(&self) -> bool {
        !matches!(self.reason, Reason::TooMany | Reason::Confidential)
    }

    /// Whether the entry speaks of the field at `pointer` or of something inside it.
    #[must_use]
    pub fn is_of(&self, pointer: &str) -> bool {
        self.pointer
            .strip_prefix(pointer)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The sentence that tells the reader of the job's events.
    #[must_use]
    pub fn in_words(&self) -> String {
        let statements = match self.count {
            1 => "1 statement".to_owned(),
            count => format!("{count} statements"),
        };
        let why = self.reason.in_words();
        let quoted: Vec<String> = self
            .said
            .iter()
            .take(MOST_QUOTED)
            .map(|it| quoted(it))
            .collect();
        let rest = usize::try_from(self.count).unwrap_or(usize::MAX);
        match (quoted.as_slice(), rest.saturating_sub(quoted.len())) {
            ([], _) => {
                let place = self.pointer.trim_start_matches('/').replace('_', " ");
                format!(
                    "Left out of {}: {statements}, because {why}.",
                    place.replace('/', ", ")
                )
            }
            (_, 0) => format!("Left out: {}, because {why}.", quoted.join(" · ")),
            (_, more) => format!(
                "Left out: {} and {more} more, because {why}.",
                quoted.join(" · ")
            ),
        }
    }
}

/// The beginning of a text in quotation marks.
fn quoted(text: &str) -> String {
    let text = gtm_page_text::normalize(text);
    if text.chars().count() <= QUOTED_CHARS {
        return format!("“{text}”");
    }
    let head: String = text.chars().take(QUOTED_CHARS).collect();
    let end = head.rfind(' ').filter(|end| *end > head.len() / 2);
    let head = head.get(..end.unwrap_or(head.len())).unwrap_or(&head);
    format!("“{}…”", head.trim_end())
}

/// What the draft's author and the host left out, each place and reason once, in order of place. Where there are too many, those
/// that the host left out come first.
#[must_use]
pub fn in_all(drafted: &[LeftOut], dropped: &[(String, Dropped)]) -> Vec<LeftOut> {
    let mut counts: BTreeMap<(&str, Reason), u32> = BTreeMap::new();
    let own = dropped
        .iter()
        .map(|(pointer, reason)| (place_of(pointer), Reason::from(*reason), 1));
    let told = drafted
        .iter()
        .map(|left| (left.pointer.as_str(), left.reason, left.count));
    for (pointer, reason, more) in own.chain(told) {
        if counts.len() >= MAX_LEFT_OUT && !counts.contains_key(&(pointer, reason)) {
            continue;
        }
        let count = counts.entry((pointer, reason)).or_insert(0);
        *count = count.saturating_add(more);
    }
    counts
        .into_iter()
        .map(|((pointer, reason), count)| LeftOut {
            pointer: pointer.to_owned(),
            reason,
            count,
            said: Vec::new(),
        })
        .collect()
}

/// The entries of known fields, each at the place that the host has a name for: a pointer of the draft's author becomes text that
/// people read.
pub(crate) fn of_fields(left_out: Vec<LeftOut>, fields: &[&str]) -> Vec<LeftOut> {
    let known = |left: LeftOut| {
        let inside = |outer: &str, inner: &str| {
            inner
                .strip_prefix(outer)
                .is_some_and(|rest| rest.starts_with('/'))
        };
        let is_known = fields
            .iter()
            .any(|field| *field == left.pointer || inside(&left.pointer, field));
        if is_known {
            return Some(left);
        }
        let around = fields.iter().find(|field| inside(field, &left.pointer))?;
        let pointer = (*around).to_owned();
        Some(LeftOut { pointer, ..left })
    };
    left_out.into_iter().filter_map(known).collect()
}

/// The list of an element, or the field itself: the pointer without a number at its end.
fn place_of(pointer: &str) -> &str {
    match pointer.rsplit_once('/') {
        Some((place, last)) if last.bytes().all(|byte| byte.is_ascii_digit()) => place,
        _ => pointer,
    }
}

/// Refuses entries that no reader wants: too many, or with a pointer that is none.
pub(crate) fn within_bounds(left_out: &[LeftOut]) -> Result<(), DraftError> {
    if left_out.len() > MAX_LEFT_OUT {
        return Err(DraftError::TooLarge {
            what: "entries in left_out",
            most: MAX_LEFT_OUT,
        });
    }
    let plain = |pointer: &str| {
        pointer.len() <= MAX_POINTER
            && pointer.starts_with('/')
            && pointer.bytes().all(|byte| {
                byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"/_".contains(&byte)
            })
    };
    match left_out.iter().find(|left| !plain(&left.pointer)) {
        Some(left) => Err(DraftError::new(format!(
            "left_out: {:?} is no pointer into the result",
            left.pointer
        ))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn left(pointer: &str, reason: Reason, count: u32) -> LeftOut {
        LeftOut {
            pointer: pointer.to_owned(),
            reason,
            count,
            said: Vec::new(),
        }
    }

    #[test]
    fn what_was_taken_out_of_a_document_is_quoted() {
        let mut left = left("/sections/4/text", Reason::Number, 1);
        left.said = vec!["We save 30 % of your time.".to_owned()];
        assert_eq!(
            left.in_words(),
            "Left out: “We save 30 % of your time.”, because a number stands neither in the sources nor in the request."
        );
        left.count = 4;
        left.said.push("word ".repeat(40));
        let told = left.in_words();
        assert!(told.contains("word…” and 2 more, because"), "{told}");
    }

    #[test]
    fn both_checks_are_told_together() {
        let all = in_all(
            &[
                left("/sales_angles", Reason::Number, 2),
                left("/talk_track/ask", Reason::Name, 1),
            ],
            &[
                ("/sales_angles/0".to_owned(), Dropped::Invented),
                ("/sales_angles/3".to_owned(), Dropped::Invented),
                ("/business_summary".to_owned(), Dropped::NoBasis),
            ],
        );
        assert_eq!(
            all,
            [
                left("/business_summary", Reason::NoCitation, 1),
                left("/sales_angles", Reason::Number, 2),
                left("/sales_angles", Reason::Invented, 2),
                left("/talk_track/ask", Reason::Name, 1),
            ]
        );
        assert_eq!(
            all[1].in_words(),
            "Left out of sales angles: 2 statements, because a number stands neither in the sources nor in the request."
        );
        assert_eq!(
            all[3].in_words(),
            "Left out of talk track, ask: 1 statement, because a name stands neither in the sources nor in the request."
        );
    }

    #[test]
    fn only_fields_of_the_result_are_told() {
        let fields = ["/sales_angles", "/talk_track/ask"];
        let entries = [
            "/please_pay_at_evil_example",
            "/sales_angles",
            "/sales_angles/pay/now",
            "/talk_track",
            "/talk_track/pay_now",
            "/",
        ];
        let entries = entries.map(|pointer| left(pointer, Reason::Name, 1));
        let told = of_fields(entries.to_vec(), &fields);
        let told: Vec<&str> = told.iter().map(|left| left.pointer.as_str()).collect();
        assert_eq!(told, ["/sales_angles", "/sales_angles", "/talk_track"]);
    }

    #[test]
    fn what_the_host_left_out_is_told_first() {
        let many: Vec<LeftOut> = (0..MAX_LEFT_OUT)
            .map(|n| left(&format!("/a{n}"), Reason::Name, 1))
            .collect();
        let all = in_all(&many, &[("/sales_angles/0".to_owned(), Dropped::Invented)]);
        assert_eq!(all.len(), MAX_LEFT_OUT);
        assert!(all.contains(&left("/sales_angles", Reason::Invented, 1)));
    }

    #[test]
    fn an_entry_is_of_its_field_and_of_what_contains_it() {
        assert!(left("/talk_track/ask", Reason::Name, 1).is_of("/talk_track"));
        assert!(left("/talk_track", Reason::Name, 1).is_of("/talk_track"));
        assert!(!left("/talk_tracks", Reason::Name, 1).is_of("/talk_track"));
    }

    #[test]
    fn a_plug_in_cannot_write_into_the_events() {
        assert!(within_bounds(&[left("/sales_angles", Reason::Name, 1)]).is_ok());
        assert!(within_bounds(&[left("/visit evil.example", Reason::Name, 1)]).is_err());
        assert!(within_bounds(&vec![left("/a", Reason::Name, 1); 201]).is_err());
        let own = serde_json::from_value::<LeftOut>(
            serde_json::json!({"pointer": "/a", "reason": "buy now", "count": 1}),
        );
        assert!(own.is_err());
    }
}
