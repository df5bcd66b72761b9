//! Whether a draft says who writes, and says it honestly.

use gtm_domain::message::{Placeholder, RubricCheck, RubricKey};
use serde_json::json;

use super::super::notices::notices;
use super::super::praise::superlatives;
use super::super::template::Place;
use super::super::wording::{has_false_prefix, opens_urgently, quoted, urgency};
use super::{Finding, Reader, counted, findings, named};

impl Reader<'_> {
    pub(super) fn identity_variables(&self) -> RubricCheck {
        let wanted = [
            Placeholder::SenderFullName,
            Placeholder::SenderOrganization,
            Placeholder::CompliancePostalIdentity,
            Placeholder::ComplianceOptOut,
        ];
        let blocks = || {
            let lines = self.template.lines.iter();
            lines.filter(|line| matches!(line.place, Place::Block(_)))
        };
        let has =
            |value: Placeholder| blocks().any(|line| line.passage.values().any(|it| it == value));
        let mut missing: Vec<String> = wanted
            .into_iter()
            .filter(|value| !has(*value))
            .map(|value| format!("{{{{{}}}}}", value.name()))
            .collect();
        let notices: Vec<Finding> = self
            .template
            .lines
            .iter()
            .flat_map(|line| findings(line, notices(&line.passage, &line.words, self.vocabulary)))
            .collect();
        let passed = missing.is_empty() && notices.is_empty();
        let observed = wanted.len() - missing.len();
        RubricKey::IdentityVariables.decided(
            passed,
            Some(json!(observed)),
            Some(json!(wanted.len())),
            || {
                if !notices.is_empty() {
                    missing.push(format!(
                        "no other notice on how to object than {{{{compliance.opt_out}}}} (found: {})",
                        named(&notices)
                    ));
                }
                format!("Missing: {}.", missing.join(", "))
            },
        )
    }

    pub(super) fn honest_wording(&self) -> RubricCheck {
        let mut hits = Vec::new();
        for (line, claims) in self.template.lines.iter().zip(self.claims) {
            let text = &line.passage.text;
            let mut ranges = urgency(text, &line.words, self.vocabulary, &self.grounds.texts);
            ranges.extend(superlatives(text, &line.words, self.vocabulary));
            hits.extend(findings(line, ranges));
            let pretends = line.place == Place::Subject
                && (has_false_prefix(text) || opens_urgently(text, &line.words, self.vocabulary));
            if pretends || !claims.is_empty() {
                hits.push(Finding {
                    pointer: line.pointer_to(0),
                    written: quoted(&line.passage, &(0..text.len())),
                });
            }
        }
        if hits.is_empty() && self.vocabulary.superlatives.is_none() {
            return self.not_looked_for(RubricKey::HonestWording);
        }
        counted(
            RubricKey::HonestWording,
            hits,
            "presses, pretends, praises without proof or is forbidden",
        )
    }
}
