//! The verdict on a message to one prospect, computed a second time from `docs/message-gates.md` and compared: over
//! every combination of gates (`truth_table`), and from facts (`from_facts`). What the result then shows and hides is
//! in `results`, the values of variables in `values`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::print_stdout, reason = "the sizes of the tables")]

mod deviations;
mod from_facts;
mod results;
mod truth_table;
mod values;
mod world;
