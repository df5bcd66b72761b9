//! The name of a file, made from the title of its document.

use unicode_normalization::UnicodeNormalization as _;

use super::format::DocumentFormat;
use crate::job::file::{MAX_FILE_NAME_BYTES, is_visible};

/// What a document without a usable title is called.
const UNTITLED: &str = "document";

/// A name for a file of this format that every file system takes: no separators, no characters that Windows forbids,
/// none that cannot be seen.
#[must_use]
pub fn file_name(title: &str, format: DocumentFormat) -> String {
    let ending = format.as_str();
    let allowed = title.nfc().map(|c| match c {
        '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => ' ',
        c if c.is_whitespace() => ' ',
        c => c,
    });
    let visible: String = allowed.filter(|c| is_visible(*c)).collect();
    let words: Vec<&str> = visible.split_whitespace().collect();
    let mut stem = words.join(" ").nfc().collect::<String>();
    let room = MAX_FILE_NAME_BYTES - ending.len() - 1;
    if stem.len() > room {
        stem.truncate(stem.floor_char_boundary(room));
        // Rather no last word than half of one.
        if let Some((whole, _)) = stem
            .rsplit_once(' ')
            .filter(|(whole, _)| whole.len() > room / 2)
        {
            stem.truncate(whole.len());
        }
    }
    let stem = stem.trim_matches(|c: char| c == '.' || c.is_whitespace());
    let stem = if stem.is_empty() || is_reserved(stem) {
        UNTITLED
    } else {
        stem
    };
    format!("{stem}.{ending}")
}

/// Names that Windows keeps for devices, whatever they end in.
fn is_reserved(stem: &str) -> bool {
    let base = stem
        .split('.')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    let numbered = |prefix: &str| {
        base.strip_prefix(prefix)
            .is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|b| b.is_ascii_digit()))
    };
    matches!(base.as_str(), "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::file::check_file_name;
    use proptest::prelude::*;

    fn pdf(title: &str) -> String {
        file_name(title, DocumentFormat::Pdf)
    }

    #[test]
    fn a_title_becomes_a_name() {
        for (title, name) in [
            ("Metering at handover", "Metering at handover.pdf"),
            ("Plan: Q3/Q4 – Zähler", "Plan Q3 Q4 – Zähler.pdf"),
            ("../../etc/passwd", "etc passwd.pdf"),
            ("報告書", "報告書.pdf"),
            ("invoice\u{202e}fdp.exe", "invoicefdp.exe.pdf"),
            ("  a\n\tb  ", "a b.pdf"),
            ("...", "document.pdf"),
            ("", "document.pdf"),
            ("CON", "document.pdf"),
            ("com1.x", "document.pdf"),
            ("Comet", "Comet.pdf"),
        ] {
            assert_eq!(pdf(title), name, "{title:?}");
        }
        let long = pdf(&"meters ".repeat(60));
        assert!(long.ends_with("meters.pdf"), "{long}");
    }

    proptest! {
        #[test]
        fn every_title_has_a_good_name(title in "\\PC{0,200}|[\u{0}-\u{300}\u{2000}-\u{2100}]{0,200}|(é|e\u{301}|👩\u{200d}💻|\\.|/| ){0,100}") {
            for format in DocumentFormat::ALL {
                let name = file_name(&title, format);
                prop_assert_eq!(check_file_name(&name), Ok(()), "{:?}", name);
                prop_assert!(name.ends_with(format.as_str()));
            }
        }
    }
}
