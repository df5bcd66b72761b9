//! Whether readers see a gap between two pieces of text that no blank parts: style sheets set elements apart.

/// Fewest letters of a word that a number counts. Shorter ones are units and endings: `4K`, `1er`, `12kg`.
const COUNTED: usize = 4;
/// Most characters of a number with its unit.
const LONGEST_QUANTITY: usize = 32;

/// What lies between two pieces of text of one run.
#[derive(Default, Clone, Copy)]
pub(super) struct Edge {
    pub(super) end: Option<Inline>,
    pub(super) start: Option<Inline>,
}

/// Inline elements that pages set apart by style, without a blank in their text.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Inline {
    Link,
    Span,
    /// Letters of another weight or size.
    Set,
}

impl Inline {
    pub(super) fn of(name: &str) -> Option<Self> {
        match name {
            "a" => Some(Self::Link),
            "span" | "label" => Some(Self::Span),
            "b" | "strong" | "em" | "i" | "small" => Some(Self::Set),
            _ => None,
        }
    }

    /// Of several at one edge, a link says most.
    pub(super) fn outer(known: Option<Self>, new: Self) -> Option<Self> {
        known.filter(|known| *known == Self::Link).or(Some(new))
    }
}

impl Edge {
    /// Whether readers see a gap here: between two links, after the end of a sentence or a number, between a number and a
    /// word that have elements of their own, and where one piece ends in a small letter and its neighbour, or a link that
    /// begins there, begins with a capital. `<b>W</b>elcome` and `4<span>K</span>` have none.
    pub(super) fn is_gap(self, before: &str, after: &str) -> bool {
        if self.end.is_none() && self.start.is_none() {
            return false;
        }
        let (Some(last), Some(first)) = (before.chars().next_back(), after.chars().next()) else {
            return false;
        };
        if last.is_whitespace() || first.is_whitespace() {
            return false;
        }
        let both = self.end.zip(self.start);
        let length = after.chars().take_while(|c| c.is_alphabetic()).count();
        let is_word = first.is_uppercase() && length > 1;
        both == Some((Inline::Link, Inline::Link))
            || (is_word && (matches!(last, '.' | '!' | '?' | '%' | '+') || last.is_ascii_digit()))
            || (both.is_some() && length >= COUNTED && is_quantity(before))
            || (both.is_some() && length > 1 && matches!(last, '+' | '%' | '²' | '³'))
            || (is_word
                && last.is_lowercase()
                && (both.is_some() || self.start == Some(Inline::Link)))
    }
}

/// Whether a text ends in a number, or in one with a short unit: `237`, `24 h`.
fn is_quantity(text: &str) -> bool {
    // DANGER: this is asked at every element of a run, which may be one word of megabytes.
    let end = text.char_indices().rev().take(LONGEST_QUANTITY).last();
    let text = end.and_then(|(at, _)| text.get(at..)).unwrap_or_default();
    let ends_in_digit = |word: &str| word.ends_with(|c: char| c.is_ascii_digit());
    let mut words = text.split_whitespace().rev();
    words.next().is_some_and(|last| {
        ends_in_digit(last)
            || (last.chars().count() < COUNTED && words.next().is_some_and(ends_in_digit))
    })
}

#[cfg(test)]
mod tests {
    use crate::html::blocks;

    fn text(html: &str) -> Vec<String> {
        let blocks = blocks(&format!("<main>{html}</main>"));
        blocks.into_iter().map(|block| block.text).collect()
    }

    #[test]
    fn what_style_sets_apart_is_not_glued() {
        for (html, expected) in [
            (
                "<p><b>Jane Roe</b><span>Managing Director</span></p>",
                "Jane Roe Managing Director",
            ),
            (
                "<p><strong>237</strong><span>finished projects</span></p>",
                "237 finished projects",
            ),
            (
                "<p><b>24 h</b><span>loading, all year</span></p>",
                "24 h loading, all year",
            ),
            (
                "<p><b>824</b><small>tamamlanan proje</small></p>",
                "824 tamamlanan proje",
            ),
            (
                "<p><strong>450+</strong><span>roofs done</span></p>",
                "450+ roofs done",
            ),
            (
                "<p><strong>2.000 m²</strong><span>di piazzale</span></p>",
                "2.000 m² di piazzale",
            ),
            ("<p><b>W</b>elcome to the works</p>", "Welcome to the works"),
            ("<p><b>4</b><span>K</span> pictures</p>", "4K pictures"),
            ("<p><b>1</b><i>er</i> prix</p>", "1er prix"),
            ("<p>un<b>believ</b><i>able</i></p>", "unbelievable"),
        ] {
            assert_eq!(text(html), [expected], "{html}");
        }
    }
}
