//! The template's numbering, with ours after it.

use gtm_ooxml::tree::Element;

use super::styles::mark_bullets;

/// Both numberings, and by how much our numbers of lists are higher now.
pub fn merged(theirs: &Element, ours: &Element) -> (Element, i64) {
    let highest = |element: &str, attribute: &str| {
        let numbers = theirs.elements().filter(|child| child.name == element);
        let numbers = numbers.filter_map(|child| child.number(attribute));
        numbers
            .filter(|number| *number < 1_000_000)
            .max()
            .unwrap_or(0)
    };
    let abstracts = highest("w:abstractNum", "w:abstractNumId") + 1;
    let lists = highest("w:num", "w:numId");
    let mut root = theirs.clone();
    for child in ours.elements() {
        let mut child = child.clone();
        if child.name == "w:abstractNum" {
            add(&mut child, "w:abstractNumId", abstracts);
            root.insert_before(&["w:num", "w:numIdMacAtCleanup"], child);
        } else if child.name == "w:num" {
            add(&mut child, "w:numId", lists);
            if let Some(of) = child.child_mut("w:abstractNumId") {
                add(of, "w:val", abstracts);
            }
            root.insert_before(&["w:numIdMacAtCleanup"], child);
        }
    }
    (root, lists)
}

/// Counts the lists of a part of ours on from those of the template.
pub fn renumber(root: &mut Element, offset: i64) {
    mark_bullets(root);
    root.visit_mut(&mut |element| {
        if element.name == "w:numId" {
            add(element, "w:val", offset);
        }
    });
}

fn add(element: &mut Element, attribute: &str, offset: i64) {
    if let Some(number) = element.number(attribute) {
        element.set(attribute, (number + offset).to_string());
    }
}
