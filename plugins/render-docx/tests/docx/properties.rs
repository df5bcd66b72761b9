//! Properties of all valid documents.

use proptest::prelude::*;

use crate::arbitrary::document;
use crate::file::{File, Given};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_valid_document_becomes_a_file_in_order(document in document()) {
        prop_assume!(document.faults().is_empty());
        let file = File::of(&document);
        file.check();
        prop_assert!(file.rendered.pages >= 1 && file.rendered.pages < 100);
    }

    #[test]
    fn the_same_document_gives_the_same_bytes(document in document()) {
        prop_assume!(document.faults().is_empty());
        let (one, two) = (File::with(&document, &Given::default(), Some(b"{}")), File::with(&document, &Given::default(), Some(b"{}")));
        prop_assert!(one.rendered.bytes == two.rendered.bytes);
    }
}
