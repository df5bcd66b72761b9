//! The secrets of a call: the credentials of its connection and the tokens obtained with them.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use zeroize::Zeroizing;

use super::redact::Secrets;
use crate::credentials::Credentials;

/// Maximum number of different secret lengths to search for; tokens are left out to stay within it. Every
/// position of a text is examined once per length, and an issuer chooses how long its tokens are.
const MOST_LENGTHS: usize = 64;

/// A token obtained with credentials.
pub(super) type Token = Arc<Zeroizing<String>>;

/// The secrets of a call, compiled once for all its exchanges and again whenever the tokens change.
/// Forgotten tokens are removed, so a call never searches for more tokens than are known.
#[derive(Default)]
pub(super) struct CallSecrets(Mutex<Known>);

/// What a call searches for, and the tokens it was compiled from.
#[derive(Clone, Default)]
pub(super) struct Known {
    /// All known tokens, the newest first.
    of: Vec<Token>,
    /// The tokens searched for, sorted and without duplicates.
    pub tokens: Vec<Token>,
    pub secrets: Secrets,
    /// How many secrets are too short to search for.
    pub short: usize,
    /// Whether the secrets have been compiled.
    made: bool,
}

impl CallSecrets {
    /// The secrets of the call: its own credentials, these tokens, and the one that was just asked for.
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

/// Prints no secret.
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

/// The tokens to search for: the one that was just asked for, or else the newest, and then as many of the
/// others, in order, as keep a search affordable. A token of a length already searched for costs nothing
/// more.
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
        // Forgotten tokens are removed, so that there are never many.
        let newest = with(&["canary-token-2"]);
        assert!(newest.any_in(b"canary-token-2") && !newest.any_in(b"canary-token-1"));
    }
}
