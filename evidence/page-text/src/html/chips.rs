//! Short labels that style alone sets apart: a row of `span` elements of one class, with nothing between them.

use gtm_lexicon::fold;
use gtm_lexicon::messages::FUNCTION_WORDS;

use super::lines::LINE_BREAK;
use super::scan::Element;

/// Fewest labels of a row.
const LEAST: usize = 4;
/// Fewest letters of a label, on average: animations set single letters.
const LETTERS: usize = 4;
/// Most letters of a label.
const LONGEST: usize = 80;

/// The labels of the run at hand.
#[derive(Default)]
pub(super) struct Chips {
    /// Open elements within the block.
    depth: usize,
    class: Option<String>,
    /// Where in the run each label begins.
    starts: Vec<usize>,
    /// Whether anything else stands among them.
    broken: bool,
}

impl Chips {
    /// An element within a block begins at a place of the run.
    pub(super) fn start(&mut self, element: &Element<'_>, at: usize) {
        if self.depth == 0 {
            let class = element.attribute("class").unwrap_or_default().trim();
            let known = self.class.get_or_insert_with(|| class.to_owned());
            self.broken |= element.name != "span" || class.is_empty() || known != class;
            self.starts.push(at);
        }
        self.depth += 1;
    }

    pub(super) fn end(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.broken |= self.depth == 0 && !text.trim_start().is_empty();
    }

    /// Parts a run that consists of labels. Words of one sentence, each in a `span` of its own for an animation, begin with
    /// small letters or are single words.
    pub(super) fn part(self, run: &mut String) {
        let Self { starts, broken, .. } = self;
        if broken || starts.len() < LEAST {
            return;
        }
        let ends = starts.iter().skip(1).copied().chain([run.len()]);
        let labels: Vec<&str> = starts
            .iter()
            .zip(ends)
            .filter_map(|(start, end)| run.get(*start..end))
            .map(str::trim)
            .collect();
        let letters: usize = labels.iter().map(|label| label.chars().count()).sum();
        let fits = |label: &&str| {
            !label.is_empty()
                && label.chars().count() <= LONGEST
                && !label.starts_with(char::is_lowercase)
                && !label.ends_with(['.', ',', ';', ':', '!', '?', '。', '、'])
                && !goes_on(label)
        };
        let are_labels = labels.len() == starts.len()
            && labels.iter().all(fits)
            && labels.iter().any(|label| label.contains(' '))
            && letters >= LETTERS * labels.len();
        if are_labels {
            let before = starts.first().and_then(|first| run.get(..*first));
            let before = before.unwrap_or_default().trim();
            // A page may consist of such labels, so what stands behind each of them is not moved for each.
            let mut parted = String::with_capacity(run.len());
            for text in std::iter::once(before).chain(labels) {
                if !parted.is_empty() {
                    parted.push(LINE_BREAK);
                    parted.push(LINE_BREAK);
                }
                parted.push_str(text);
            }
            *run = parted;
        }
    }
}

/// Whether a text ends in a small word of grammar, as a line of a sentence does: `Brücken für`.
fn goes_on(label: &str) -> bool {
    let last = label
        .rsplit_once(char::is_whitespace)
        .map(|(_, last)| last)
        .filter(|last| last.starts_with(char::is_lowercase));
    last.is_some_and(|last| FUNCTION_WORDS.any_has(&fold(last)))
}

#[cfg(test)]
mod tests {
    fn texts(html: &str) -> Vec<String> {
        let blocks = crate::extract(Some("text/html"), html.as_bytes()).blocks;
        blocks.into_iter().map(|block| block.text).collect()
    }

    #[test]
    fn labels_in_a_row_stand_apart() {
        let row = |labels: &[&str]| {
            let labels: String = labels
                .iter()
                .map(|label| format!("<span class='tag wide'>{label}</span>\n"))
                .collect();
            texts(&format!("<div class=tags>{labels}</div>"))
        };
        let labels = ["Globex AG", "Moorbad Quell", "INITECH", "Hoolibo"];
        assert_eq!(row(&labels), labels);
        for words in [
            &["Globex AG", "Moorbad Quell", "INITECH"][..],
            &["We", "Splice", "Every", "Rope"],
            &["We splice", "every", "rope", "by hand"],
            &["R", "o", "p", "e", "s a"],
            &["Wir bauen", "Brücken für", "Generationen", "Seit 1920"],
            &["We splice", "Ropes for", "Bridges", "Since 1920"],
        ] {
            assert_eq!(row(words).len(), 1, "{words:?}");
        }
        let mixed = "<div>For <span class=t>Globex AG</span> <span class=t>Initech</span> <span class=t>Umbra</span> <span class=t>Hoolibo</span></div>";
        assert_eq!(texts(mixed).len(), 1);
    }
}
