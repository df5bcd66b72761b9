//! The judge of message templates that needs no model: it gives the nineteen points of annex A6 that the host
//! leaves to a judge, from the words of the copy alone.
//!
//! It asks four questions: does the copy serve the stated objective (`objective`), does it keep to what the
//! offer says (`paraphrase`), does each block have one idea (`ideas`), does the recipient learn what gets
//! better (`outcome`)? Everything is overlap of word stems and the form of sentences, so the same draft always
//! gets the same points. It cannot tell a clumsy sentence from an elegant one.
//!
//! Not here: checks that the host reads itself (`evidence/check`), words (`evidence/lexicon`, `judging`), and
//! how points add up (the host).
#![forbid(unsafe_code)]

mod copy;
mod ideas;
mod markup;
mod objective;
mod outcome;
mod paraphrase;
mod points;
mod question;
mod sentences;
mod stems;

use gtm_sdk::{Evaluator, Failure, Value, json};

use copy::Copy;
use question::Question;

/// The judge that the component exports.
#[derive(Debug, Clone, Copy)]
pub struct JudgeMessage;

impl Evaluator for JudgeMessage {
    fn evaluate(question: Value) -> Result<Value, Failure> {
        let question: Question = json::read(question)?;
        if question.rubric_version != points::RUBRIC_VERSION {
            return Err(Failure::invalid_input(
                "rubric_version_unknown",
                format!(
                    "This judge knows version {} of the rubric, not {}.",
                    points::RUBRIC_VERSION,
                    question.rubric_version
                ),
            ));
        }
        let copy = Copy::of(&question);
        Ok(points::judgement([
            objective::judge(&copy),
            paraphrase::judge(&copy),
            ideas::judge(&copy),
            outcome::judge(&copy),
        ]))
    }
}

gtm_sdk::evaluator!(JudgeMessage);
