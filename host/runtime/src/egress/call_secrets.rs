//! The secrets of a call: the credentials of its connection and the tokens that stand for them.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use zeroize::Zeroizing;

use super::redact::Secrets;
use crate::credentials::Credentials;

/// Lengths of spellings that are looked for at most, as far as tokens can be left out for it. Each place of a
/// text costs a look for each of them, and an issuer chooses how long its tokens are.
const MOST_LENGTHS: usize = 64;

/// A token that was given out for credentials.
pub(super) type Token = Arc<Zeroizing<String>>;

/// The secrets of a call, put together once for all its exchanges, and again whenever there are other
/// tokens. Those that are known no more go, so that there never are more than are known at once.
#[derive(Default)]
pub(super) struct CallSecrets(Mutex<Known>);

/// What is looked for on behalf of a call, and what it was made of.
#[derive(Clone, Default)]
pub(super) struct Known {
    /// The tokens that there were, the newest first.
    of: Vec<Token>,
    /// Those that are looked for, each once, in the order of their letters.
    pub tokens: Vec<Token>,
    pub secrets: Secrets,
    /// How many are too short to be looked for.
    pub short: usize,
    /// Whether they were put together yet.
    made: bool,
}

impl CallSecrets {
    /// The secrets of the call, with its own credentials, these tokens and the one that was just asked for.
    pub(super) fn with(
        &self,
        own: &Credentials,
        tokens: Vec<Token>,
        asked: Option<&Token>,
    ) -> Known {
        let mut known = self.lock();
        let of_these = known.made && tokens == known.of;
        if !(of_these && asked.is_none_or(|asked| known.tokens.contains(asked))) {
            let looked_for = looked_for(own, &tokens, asked);
            if !known.made || looked_for != known.tokens {
                *known = Known::of(own, looked_for);
            }
            known.of = tokens;
        }
        known.clone()
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Nothing of them.
impl fmt::Debug for CallSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CallSecrets")
    }
}

impl Known {
    fn of(own: &Credentials, tokens: Vec<Token>) -> Self {
        let values = tokens.iter().map(|token| token.as_str());
        let (secrets, short) = Secrets::of(own.secrets().chain(values));
        Self {
            of: Vec::new(),
            tokens,
            secrets,
            short,
            made: true,
        }
    }
}

/// Those of these tokens that are looked for: the one that was just asked for or else the newest, and of the
/// others as many, the first ones, as do not make a search too dear. A token that is as long as another costs
/// nothing more.
fn looked_for(own: &Credentials, tokens: &[Token], asked: Option<&Token>) -> Vec<Token> {
    let lengths_of_own = own.secrets().map(Secrets::lengths_of);
    let mut lengths: BTreeSet<usize> = lengths_of_own.flatten().collect();
    let (mut kept, mut full) = (Vec::new(), false);
    for token in asked.into_iter().chain(tokens) {
        let of_token = Secrets::lengths_of(token.as_str());
        let more = of_token.difference(&lengths).count();
        full |= !kept.is_empty() && lengths.len() + more > MOST_LENGTHS;
        if more == 0 || !full {
            lengths.extend(of_token);
            kept.push(Arc::clone(token));
        }
    }
    kept.sort_unstable_by(|one, other| one.as_str().cmp(other.as_str()));
    kept.dedup();
    kept
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::tests::grant;
    use super::*;

    fn token(text: &str) -> Token {
        Arc::new(Zeroizing::new(text.to_owned()))
    }

    #[test]
    fn the_secrets_of_a_call_are_put_together_once_and_again_for_other_tokens() {
        let g = grant(serde_json::json!({ "credentials": { "one": "canary-one" } }));
        let with = |tokens: &[&str]| {
            let tokens = tokens.iter().map(|text| token(text)).collect();
            g.clone().secrets.with(&g.credentials, tokens, None).secrets
        };
        let first = with(&[]);
        assert!(first.any_in(b"canary-one"));
        assert!(with(&[]).is_the_same_as(&first));

        let more = with(&["canary-token-2", "canary-token-1"]);
        assert!(!more.is_the_same_as(&first) && more.any_in(b"canary-token-1"));
        for same in [
            &["canary-token-1", "canary-token-2"][..],
            &["canary-token-1", "canary-token-2", "canary-token-1"],
        ] {
            assert!(with(same).is_the_same_as(&more), "{same:?}");
        }
        // Those go that are known no more, so that there never are many.
        let newest = with(&["canary-token-2"]);
        assert!(newest.any_in(b"canary-token-2") && !newest.any_in(b"canary-token-1"));
    }
}
