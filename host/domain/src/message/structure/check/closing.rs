//! What the blocks after the letter may have: signature, postal identity and privacy notice. DANGER: their words
//! are no part of the letter and are not counted, so nothing but their own values and short joints may stand there.

use super::{Checker, literal_text};
use crate::message::characters::is_question_mark;
use crate::message::link::looks_like_address;
use crate::message::placeholder::Placeholder;
use crate::message::structure::{Block, BlockKind, Inline};

/// Longest literal text of a line between its values, all together, in code points. What a notice on data protection
/// is called is long in some languages.
const fn joints_chars(kind: BlockKind) -> usize {
    match kind {
        BlockKind::PrivacyNotice => 80,
        _ => 40,
    }
}

/// The values that a line of the kind must have, and those that it may have besides.
const fn own_values(kind: BlockKind) -> Option<(&'static [Placeholder], &'static [Placeholder])> {
    use Placeholder as P;
    match kind {
        BlockKind::Signature => Some((
            &[P::SenderFullName, P::SenderOrganization],
            &[P::SenderRole, P::SenderReplyEmail],
        )),
        BlockKind::PostalIdentity => Some((&[P::CompliancePostalIdentity], &[])),
        BlockKind::PrivacyNotice => Some((&[P::CompliancePrivacyNotice], &[])),
        _ => None,
    }
}

impl Checker {
    pub(super) fn closing(&mut self, block: &Block, at: &str) {
        let Some((needed, other)) = own_values(block.kind) else {
            return;
        };
        self.closing_line(
            block.kind,
            &block.inlines,
            &format!("{at}/inlines"),
            needed,
            other,
        );
        if !block.fallback.is_empty() {
            self.closing_line(
                block.kind,
                &block.fallback,
                &format!("{at}/fallback"),
                needed,
                other,
            );
        }
    }

    fn closing_line(
        &mut self,
        kind: BlockKind,
        inlines: &[Inline],
        at: &str,
        needed: &[Placeholder],
        other: &[Placeholder],
    ) {
        let used = |inline: &Inline| match inline {
            Inline::Var { name } => Placeholder::from_name(name),
            Inline::Text { .. } | Inline::Link { .. } => None,
        };
        for placeholder in needed {
            if !inlines.iter().any(|it| used(it) == Some(*placeholder)) {
                self.fault(
                    at,
                    "block_value_missing",
                    format!(
                        "The block of the kind {} must have {}.",
                        kind.as_str(),
                        placeholder.name()
                    ),
                );
            }
        }
        for (index, inline) in inlines.iter().enumerate() {
            let at = format!("{at}/{index}");
            if matches!(inline, Inline::Link { .. }) {
                self.fault(at, "link_not_allowed", "No link may stand here.");
            } else if let Some(placeholder) = used(inline)
                && !needed.contains(&placeholder)
                && !other.contains(&placeholder)
            {
                self.fault(
                    format!("{at}/name"),
                    "placeholder_misplaced",
                    format!(
                        "This value has no place in the block of the kind {}.",
                        kind.as_str()
                    ),
                );
            }
        }
        // A value stands between two texts as a mark that no address has.
        let joints: Vec<&str> = inlines
            .iter()
            .map(|it| literal_text(it).unwrap_or(" "))
            .collect();
        let literal: String = inlines.iter().filter_map(literal_text).collect();
        // A telephone number or a number of a register belongs to a signature. What it claims, the check of numbers
        // reads.
        let has_numbers = kind == BlockKind::Signature;
        let refused = |c: char| (c.is_numeric() && !has_numbers) || is_question_mark(c);
        let most = joints_chars(kind);
        if literal.chars().nth(most).is_some()
            || literal.contains(refused)
            || looks_like_address(&joints.concat())
        {
            let name = kind.as_str();
            let without = if has_numbers {
                "question marks and addresses"
            } else {
                "digits, question marks and addresses"
            };
            self.fault(
                at,
                "block_text",
                format!(
                    "The texts of the block of the kind {name} join its values: together at most {most} characters without {without}."
                ),
            );
        }
    }
}
