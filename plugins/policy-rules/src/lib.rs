//! What the policies share: the question and the verdict, how a ground is read from the evidence, and the
//! notices by language.
//!
//! **Danger: a policy that says too little lets a message through that the law forbids.** So whatever the facts
//! don't tell is `unknown`, and a country that isn't the policy's gets no verdict on ground or address at all.
//! The host takes everything but `met` for a refusal.
//!
//! A policy is one crate beside this one: it implements [`Policy`] and is an evaluator without any import. What
//! the law of a country says stands there, not here. Gates and what becomes of a verdict are the host's.
#![forbid(unsafe_code)]

mod ground;
mod notices;
mod policy;
mod question;
mod verdict;

pub use ground::{Claim, Ground};
pub use notices::{OptOutForm, languages};
pub use policy::{Policy, answer};
pub use question::{
    AddressSourceClass, BasisEvidence, EvidenceKind, LawfulBasis, MessagePurpose, PolicyQuestion,
};
pub use verdict::{Finding, OptOutNotice, PolicyVerdict};
