//! Which language a text is in, where the page doesn't say: by its commonest words.

use crate::words;

const MARKERS: &[(&str, &[&str])] = &[
    (
        "de",
        &[
            "der", "die", "und", "das", "ist", "nicht", "mit", "fur", "von", "wir", "ein", "eine",
            "auf", "sie",
        ],
    ),
    (
        "en",
        &[
            "the", "and", "of", "to", "is", "for", "with", "we", "our", "that", "are", "you", "in",
            "on",
        ],
    ),
    (
        "es",
        &[
            "el", "los", "las", "y", "de", "que", "para", "con", "una", "por", "del", "nuestra",
            "es", "en",
        ],
    ),
    (
        "fr",
        &[
            "le", "les", "et", "des", "nous", "pour", "une", "dans", "vous", "est", "avec", "sur",
            "de", "la",
        ],
    ),
    (
        "it",
        &[
            "il", "gli", "che", "per", "una", "con", "del", "della", "sono", "nostra", "di", "e",
            "noi", "le",
        ],
    ),
    (
        "nl",
        &[
            "het", "een", "van", "en", "wij", "voor", "met", "de", "zijn", "ons", "onze", "dat",
            "niet", "is",
        ],
    ),
    (
        "pt",
        &[
            "os", "uma", "para", "com", "nossa", "que", "do", "da", "em", "nos", "por", "mais",
            "de", "o",
        ],
    ),
];

/// The language's primary tag, or `und` when the text is too short or in none of the known ones.
pub fn detect(text: &str) -> &'static str {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let mut best = ("und", 0usize);
    let mut second = 0usize;
    for (tag, markers) in MARKERS {
        let hits = words
            .iter()
            .take(2_000)
            .filter(|word| markers.contains(word))
            .count();
        if hits > best.1 {
            second = best.1;
            best = (tag, hits);
        } else if hits > second {
            second = hits;
        }
    }
    if best.1 >= 4 && best.1 > second {
        best.0
    } else {
        "und"
    }
}

/// Canonical case of a BCP 47 tag (`en-GB`), or nothing if it doesn't look like one.
pub fn canonical(tag: &str) -> Option<String> {
    let tag = tag.trim().replace('_', "-");
    let mut parts = Vec::new();
    for (index, part) in tag.split('-').enumerate() {
        if part.is_empty() || part.len() > 8 || !part.chars().all(|c| c.is_ascii_alphanumeric()) {
            return None;
        }
        parts.push(match (index, part.len()) {
            (0, 2 | 3) if part.chars().all(|c| c.is_ascii_alphabetic()) => {
                part.to_ascii_lowercase()
            }
            (0, _) => return None,
            (_, 2) => part.to_ascii_uppercase(),
            (_, 4) => {
                let (head, tail) = part.split_at(1);
                format!("{}{}", head.to_ascii_uppercase(), tail.to_ascii_lowercase())
            }
            _ => part.to_ascii_lowercase(),
        });
    }
    Some(parts.join("-"))
}

/// The primary part of a tag.
pub fn primary(tag: &str) -> &str {
    tag.split('-').next().unwrap_or(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_and_canonicalizes() {
        assert_eq!(
            detect("We build the tools that keep the cold chain cold for our customers and you."),
            "en"
        );
        assert_eq!(
            detect(
                "Wir entwickeln die Messtechnik, mit der das Gebäude und die Anlage sparsam sind."
            ),
            "de"
        );
        assert_eq!(detect("Kühlkette"), "und");
        assert_eq!(canonical("en_gb").as_deref(), Some("en-GB"));
        assert_eq!(canonical("zh-hans-cn").as_deref(), Some("zh-Hans-CN"));
        assert_eq!(canonical("not a tag"), None);
        assert_eq!(canonical(""), None);
    }
}
