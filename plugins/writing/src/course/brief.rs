//! The brief: what the model settles before it writes.

use gtm_site_research::failure::Failure;
use gtm_site_research::instructions;
use serde_json::Value;

use super::{Course, Draft, ends_the_job};
use crate::answer;
use crate::fault::Fault;
use crate::form::{Layout, Part};
use crate::plan;
use crate::prompt::{neutral, one_line};
use crate::schema::{self, Extras};
use crate::units::units;

/// Longest text of a brief that goes into later prompts, in characters.
const LONGEST_NOTE: usize = 400;

impl Course<'_> {
    /// What the model thinks matters: notes for the calls that follow, and claims like those of any part. Nothing if its answer
    /// can't be used; the parts can be written without.
    pub(super) fn brief(&mut self) -> Result<(String, Vec<Draft>), Failure> {
        let parts = self.task.brief;
        let task = format!(
            "First settle what matters, before anything is written: a short brief of this {}, which the next steps keep to.\n{}",
            self.task.what,
            plan::instructions_of(parts)
        );
        let extras = Extras {
            reasons: self.task.reasons,
            full: true,
            found: false,
        };
        let schema = schema::schema(parts, extras, self.task.model.max_output_tokens);
        let told: Vec<Part> = parts
            .iter()
            .filter(|part| self.task.shown_of_brief.contains(&part.name))
            .copied()
            .collect();
        match self.answer(self.call(&task, schema, "brief"))? {
            Ok(answer) => {
                let drafts = self.checked(&told, &answer);
                // What a list of the brief says without an excerpt, such as what the site does not tell, is a note and no lost claim.
                let is_list = |path: &str| {
                    let mut lists = told.iter().filter(|part| part.name == path);
                    lists.any(|part| matches!(part.layout, Layout::Many(..)))
                };
                self.written
                    .losses
                    .retain(|loss| loss.fault != Fault::NoCitation || !is_list(&loss.path));
                Ok((self.notes_of(&answer), drafts))
            }
            Err(failure) if ends_the_job(&failure) => Err(failure),
            Err(failure) => {
                self.note("no brief of the model", &failure);
                self.written
                    .failed
                    .extend(told.iter().map(|part| part.name));
                Ok((String::new(), Vec::new()))
            }
        }
    }

    fn notes_of(&self, answer: &Value) -> String {
        let mut lines: Vec<String> = Vec::new();
        let mut left = self.reserved / 5;
        for part in self.task.brief {
            let value = answer.get(part.name).unwrap_or(&Value::Null);
            for (_, unit, value) in units(part, value).units {
                let texts: Vec<String> = unit
                    .fields
                    .iter()
                    .map(|field| answer::text_of(value, field.name))
                    .filter(|text| !text.is_empty())
                    .collect();
                let told = one_line(&texts.join(" -- "), LONGEST_NOTE);
                // What pages say to models must not come back as the model's own notes.
                if told.is_empty() || instructions::addressed_to_a_model(&told) {
                    continue;
                }
                let line = format!("{}: {}", part.name, neutral(&told));
                if let Some(rest) = left.checked_sub(line.chars().count() + 1) {
                    left = rest;
                    lines.push(line);
                }
            }
        }
        if lines.is_empty() {
            return String::new();
        }
        format!(
            "Your brief, drawn from the excerpts, which decide where they differ. Keep to it, and let each part say something of its own:\n{}\n\n",
            self.beginning.fenced("BRIEF", &lines.join("\n"))
        )
    }
}
