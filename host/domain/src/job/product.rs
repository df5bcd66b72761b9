//! What a succeeded job leaves behind besides its result.

use super::file::{NewFile, check_files};
use crate::MessageTemplateRevisionId;
use crate::brand::NewGuideline;
use crate::message::NewRevision;
use crate::prospecting::ImportedCandidate;

/// What a job makes that is stored in the same transaction as its end. A job succeeds only with the product
/// that its type requires.
#[derive(Debug, Clone, PartialEq)]
pub enum Product {
    /// Nothing besides the result.
    None,
    /// A revision of a brand's guideline. The store refuses it as a conflict unless it follows the brand's
    /// current revision.
    Guideline(NewGuideline),
    /// Files, in order. They are deleted with the job's data.
    Files(Vec<NewFile>),
    /// A revision of a message template. The store numbers it within its template and writes the number into
    /// the result's `revision`, both in the transaction that ends the job.
    TemplateRevision(Box<NewTemplateRevision>),
    /// Candidates with their evidence, perhaps none, in order. Their addresses are sealed when they are stored.
    Candidates(Vec<ImportedCandidate>),
}

/// A revision of a message template that is about to be stored.
#[derive(Debug, Clone, PartialEq)]
pub struct NewTemplateRevision {
    pub id: MessageTemplateRevisionId,
    pub revision: NewRevision,
}

/// The product that a job type requires besides the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProductKind {
    /// Nothing.
    None,
    /// A revision of a brand's guideline.
    Guideline,
    /// At least one file; see [`check_files`].
    Files,
    /// A revision of a message template, or nothing: a request that lacks context makes none, and a message to
    /// a prospect is none.
    TemplateRevision,
    /// Candidates; a search may find none.
    Candidates,
}

impl ProductKind {
    /// Whether the product meets the requirement.
    #[must_use]
    pub fn is_met_by(self, product: &Product) -> bool {
        match (self, product) {
            (Self::None, Product::None)
            | (Self::Guideline, Product::Guideline(_))
            | (Self::TemplateRevision, Product::None | Product::TemplateRevision(_))
            | (Self::Candidates, Product::Candidates(_)) => true,
            (Self::Files, Product::Files(files)) => !files.is_empty() && check_files(files).is_ok(),
            (
                Self::None
                | Self::Guideline
                | Self::Files
                | Self::TemplateRevision
                | Self::Candidates,
                _,
            ) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::FileId;

    #[test]
    fn a_promise_of_files_is_not_met_by_none_and_not_by_bad_ones() {
        let file = NewFile {
            id: FileId::from_uuid(uuid::Uuid::from_u128(1)),
            name: "a.txt".to_owned(),
            media_type: "text/plain".to_owned(),
            bytes: Bytes::new(),
        };
        let products = [
            Product::None,
            Product::Files(Vec::new()),
            Product::Files(vec![file.clone()]),
            Product::Files(vec![file.clone(), file]),
            Product::Candidates(Vec::new()),
        ];
        for (kind, met) in [
            (ProductKind::None, [true, false, false, false, false]),
            (ProductKind::Guideline, [false, false, false, false, false]),
            (ProductKind::Files, [false, false, true, false, false]),
            (
                ProductKind::TemplateRevision,
                [true, false, false, false, false],
            ),
            (ProductKind::Candidates, [false, false, false, false, true]),
        ] {
            let found = products.each_ref().map(|product| kind.is_met_by(product));
            assert_eq!(found, met, "{kind:?}");
        }
    }
}
