//! Mutates inputs as libFuzzer does, but without its view of the code. An input is kept for further
//! mutation if the target returns a word for it that it never returned before.

use std::collections::HashSet;

use fastrand::Rng;

use crate::Target;

/// The longest input that is made.
const LONGEST: usize = 64 * 1024;
/// The most inputs that are kept.
const MOST: usize = 4096;

/// Inputs and the words that the target returned for them.
pub struct Pool {
    target: Target,
    random: Rng,
    inputs: Vec<Vec<u8>>,
    words: HashSet<String>,
}

impl Pool {
    /// A pool that starts with these inputs, without running them first.
    #[must_use]
    pub fn new(target: Target, corpus: Vec<Vec<u8>>, seed: u64) -> Self {
        let mut inputs = corpus;
        if inputs.is_empty() {
            inputs.push(Vec::new());
        }
        Self {
            target,
            random: Rng::with_seed(seed),
            inputs,
            words: HashSet::new(),
        }
    }

    /// The next input to run.
    pub fn next_input(&mut self) -> Vec<u8> {
        let mut input = self
            .random
            .choice(&self.inputs)
            .cloned()
            .unwrap_or_default();
        for _ in 0..=self.random.u8(0..6) {
            self.change(&mut input);
        }
        input.truncate(LONGEST);
        input
    }

    /// Records the target's word for an input. Returns whether the word is new.
    pub fn heard(&mut self, input: Vec<u8>, word: String) -> bool {
        let news = self.words.insert(word);
        if news && self.inputs.len() < MOST {
            self.inputs.push(input);
        }
        news
    }

    /// Number of distinct words so far.
    #[must_use]
    pub fn words(&self) -> usize {
        self.words.len()
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let random = &mut self.random;
        let place = random.usize(0..=input.len());
        let length = random.usize(0..=(input.len() - place).min(64));
        match random.u8(0..9) {
            0 if place < input.len() => input[place] ^= 1 << random.u8(0..8),
            1 if place < input.len() => input[place] = random.u8(..),
            2 if place < input.len() => {
                input[place] = *random
                    .choice(&[0, 1, 0x7f, 0x80, 0xff, b'\n', b'"'])
                    .unwrap_or(&0);
            }
            3 => drop(input.drain(place..place + length)),
            4 => {
                let piece = input[place..place + length].to_vec();
                let times = random.usize(1..8);
                insert(input, place, &piece.repeat(times));
            }
            5 => {
                let other = random.choice(&self.inputs).cloned().unwrap_or_default();
                let from = random.usize(0..=other.len());
                let to = random.usize(from..=other.len());
                insert(input, place, &other[from..to]);
            }
            6 => {
                let other = random.choice(&self.inputs).cloned().unwrap_or_default();
                input.truncate(place);
                input.extend_from_slice(&other[random.usize(0..=other.len())..]);
            }
            _ => {
                if let Some(token) = random.choice(self.target.dictionary) {
                    insert(input, place, token);
                }
            }
        }
    }
}

fn insert(input: &mut Vec<u8>, place: usize, piece: &[u8]) {
    if input.len() + piece.len() <= LONGEST {
        input.splice(place..place, piece.iter().copied());
    }
}
