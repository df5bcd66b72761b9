//! Hashes over parts of a text: a quick one for each position, and a second one, the proof, that confirms a
//! match of the first. Hashes of parts combine into the hash of the whole.

use std::sync::OnceLock;

/// Makes capitals equal to small letters, and the `+` of a form equal to a space.
pub(super) const fn folded(byte: u8) -> u8 {
    match byte {
        b'+' => b' ',
        other => other.to_ascii_lowercase(),
    }
}

/// The quick hash extended by one byte, folded.
pub(super) fn longer(hash: u64, byte: u8) -> u64 {
    hash.wrapping_mul(bases().0)
        .wrapping_add(u64::from(folded(byte)) + 1)
}

/// The quick hash over the bytes between two prefixes, given their hashes and the power for the bytes
/// between.
pub(super) const fn over(before: u64, after: u64, power: u64) -> u64 {
    after.wrapping_sub(before.wrapping_mul(power))
}

/// The proof extended by one byte, unfolded.
pub(super) fn proved(proof: u64, byte: u8) -> u64 {
    plus(times(proof, bases().1), u64::from(byte) + 1)
}

/// The proof over the bytes between two prefixes, given their proofs and the power for the bytes between.
pub(super) fn proof_over(before: u64, after: u64, power: u64) -> u64 {
    plus(after, PRIME - times(before, power))
}

/// The proof over two adjacent parts, given their proofs and the power for the second part's bytes.
pub(super) fn proof_of_both(first: u64, second: u64, power: u64) -> u64 {
    plus(times(first, power), second)
}

/// Powers of the bases, up to the length of the longest pattern.
#[derive(Default)]
pub(super) struct Powers {
    pub quick: Vec<u64>,
    pub proof: Vec<u64>,
}

impl Powers {
    /// Extends the powers to this length.
    pub(super) fn reach(&mut self, length: usize) {
        let (quick, proof) = bases();
        while self.quick.len() <= length {
            let next =
                |last: Option<&u64>, times: &dyn Fn(u64) -> u64| last.map_or(1, |p| times(*p));
            let next_quick = next(self.quick.last(), &|p| p.wrapping_mul(quick));
            let next_proof = next(self.proof.last(), &|p| times(p, proof));
            self.quick.push(next_quick);
            self.proof.push(next_proof);
        }
    }
}

/// Proofs are numbers modulo this prime. The base is secret, so two different texts collide with a
/// probability of their length in 2^61, whatever letters they have.
const PRIME: u64 = (1 << 61) - 1;

/// Both are at most the prime.
const fn plus(one: u64, other: u64) -> u64 {
    let sum = one + other;
    if sum >= PRIME { sum - PRIME } else { sum }
}

/// Both are less than the prime.
fn times(one: u64, other: u64) -> u64 {
    let product = u128::from(one) * u128::from(other);
    // Each part has at most 61 bits.
    plus((product & u128::from(PRIME)) as u64, (product >> 61) as u64)
}

/// The bases of both hashes, chosen at random so that nobody can construct collisions.
fn bases() -> (u64, u64) {
    static BASES: OnceLock<(u64, u64)> = OnceLock::new();
    *BASES.get_or_init(|| {
        let mut bytes = [0x5d; 16];
        // Without randomness, hashes are predictable, and somebody could construct a text that is taken for
        // a secret. A text that does hold a secret is still always found.
        let _ = aws_lc_rs::rand::fill(&mut bytes);
        let both = u128::from_le_bytes(bytes);
        let (quick, proof) = (both as u64, (both >> 64) as u64);
        (quick | 1, proof % (PRIME - 1024) + 512)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_of_parts_make_up_that_of_the_whole() {
        let proof = |text: &[u8]| text.iter().fold(0, |proof, byte| proved(proof, *byte));
        let mut powers = Powers::default();
        powers.reach(100);
        let text: Vec<u8> = (0..100_u8).map(|i| i.wrapping_mul(37)).collect();
        for cut in [0, 1, 50, 99, 100] {
            let (one, other) = text.split_at(cut);
            let power = powers.proof[other.len()];
            assert_eq!(proof_over(proof(one), proof(&text), power), proof(other));
            assert_eq!(proof_of_both(proof(one), proof(other), power), proof(&text));
        }
        assert_ne!(proof(b"canary"), proof(b"Canary"));
        let quick = |text: &[u8]| text.iter().fold(0, |hash, byte| longer(hash, *byte));
        assert_eq!(quick(b"canary+"), quick(b"Canary "));
    }
}
