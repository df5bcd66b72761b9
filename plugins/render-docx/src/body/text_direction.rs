//! Stretches of one direction. WordprocessingML wants runs of right-to-left text marked; in others the marking
//! would change how numbers and signs stand.

/// The text in stretches, each with whether it runs from right to left. Characters without a direction of their
/// own go with what stands before them, at the beginning with the document.
pub fn stretches(text: &str, document_is_rtl: bool) -> Vec<(&str, bool)> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut current = None;
    for (index, character) in text.char_indices() {
        let Some(is_rtl) = direction(character) else {
            continue;
        };
        match current {
            None => current = Some(is_rtl),
            Some(before) if before != is_rtl => {
                found.push((&text[start..index], before));
                (start, current) = (index, Some(is_rtl));
            }
            Some(_) => {}
        }
    }
    if start < text.len() {
        found.push((&text[start..], current.unwrap_or(document_is_rtl)));
    }
    found
}

/// Whether a character runs from right to left, if it has a direction.
fn direction(character: char) -> Option<bool> {
    match u32::from(character) {
        0x590..=0x8ff
        | 0xfb1d..=0xfdff
        | 0xfe70..=0xfefc
        | 0x10800..=0x10fff
        | 0x1e800..=0x1efff
        | 0x200f => Some(true),
        _ if character.is_alphabetic() => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_told_apart() {
        assert_eq!(stretches("abc 12", true), [("abc 12", false)]);
        assert_eq!(
            stretches("نص ABC نص", false),
            [("نص ", true), ("ABC ", false), ("نص", true)]
        );
        assert_eq!(stretches("12 %", true), [("12 %", true)]);
        assert_eq!(stretches("", true), []);
    }
}
