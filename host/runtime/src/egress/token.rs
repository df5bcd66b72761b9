//! Tokens of `oauth2_client_credentials` schemes: used until shortly before they expire, never shown to a
//! guest and never in a receipt.
//!
//! Danger: a token that is no longer used is still a secret, because the provider accepts it until it
//! expires. So it stays known until then and a little longer, and searches still look for it.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use gtm_domain::{Digest, Failure, FailureKind};
use tokio::time::Instant;
use zeroize::Zeroizing;

use super::call_secrets::Token;
use super::grant::CallGrant;
use super::inject::{self, CLIENT_ID, CLIENT_SECRET};
use super::rendered_url::render_url;
use crate::manifest::Oauth2Scheme;

/// A token is not used during its last seconds.
const MARGIN: Duration = Duration::from_secs(30);
/// Lifetime of a token whose issuer states none.
const DEFAULT_LIFETIME: Duration = Duration::from_secs(300);
/// Longest time that a token is used, whatever its issuer says.
const LONGEST_USE: Duration = Duration::from_secs(86_400);
/// Maximum number of known tokens.
const MAX_TOKENS: usize = 10_000;
/// Maximum number of known tokens for one set of credentials. Each is searched for in everything that calls
/// with these credentials send and receive, and a provider that refuses every token is asked for a new one
/// each time.
const MAX_TOKENS_OF_ONE: usize = 32;
/// Maximum sum of their bytes: the cost of a search grows with their lengths, too.
const MAX_TOKEN_BYTES_OF_ONE: usize = 32 * 1024;
/// Maximum length of a token, in bytes. Few providers accept longer headers.
pub(super) const MAX_TOKEN_BYTES: usize = 8 * 1024;
/// How long a token stays known after it expires: the provider's clock may be slow.
const LEEWAY: Duration = Duration::from_secs(300);
/// An issued token.
struct Issued {
    token: Token,
    since: Instant,
    /// When it is no longer used.
    serves_until: Instant,
    /// When the provider no longer accepts it for certain; `None` if unknown.
    expires: Option<Instant>,
}

/// Tokens by the request that obtained them, the oldest first.
pub(super) struct TokenCache {
    issued: Mutex<HashMap<Digest, VecDeque<Issued>>>,
    /// Maximum number of known tokens.
    most: usize,
}

impl Default for TokenCache {
    fn default() -> Self {
        Self {
            issued: Mutex::default(),
            most: MAX_TOKENS,
        }
    }
}

impl TokenCache {
    /// The newest token, if it may still be used.
    pub(super) fn serving(&self, key: &Digest) -> Option<Token> {
        let now = Instant::now();
        let issued = self.lock();
        let newest = issued.get(key)?.back()?;
        (newest.serves_until > now).then(|| Arc::clone(&newest.token))
    }

    /// Keeps a token that was just issued.
    pub(super) fn keep(&self, key: Digest, token: Token, lifetime: Option<Duration>) {
        let now = Instant::now();
        let used = lifetime.unwrap_or(DEFAULT_LIFETIME).min(LONGEST_USE);
        let mut new = Issued {
            token,
            since: now,
            serves_until: now + used.saturating_sub(MARGIN),
            // One that outlasts what clocks can represent does not expire.
            expires: lifetime.and_then(|lifetime| now.checked_add(lifetime.saturating_add(LEEWAY))),
        };
        let mut all = self.lock();
        all.retain(|_, issued| {
            issued.retain(|one| one.expires.is_none_or(|expires| expires > now));
            !issued.is_empty()
        });
        let issued = all.entry(key).or_default();
        if let Some(same) = issued.iter().position(|one| one.token == new.token) {
            // If the same token is issued again, the longer lifetime holds.
            let known = issued.remove(same);
            let before = known.map(|one| one.expires);
            new.expires = before.map_or(new.expires, |before| Some(before?.max(new.expires?)));
        }
        issued.push_back(new);
        let bytes =
            |issued: &VecDeque<Issued>| issued.iter().map(|one| one.token.len()).sum::<usize>();
        while issued.len() > MAX_TOKENS_OF_ONE || bytes(issued) > MAX_TOKEN_BYTES_OF_ONE {
            issued.pop_front();
        }
        if all.values().map(VecDeque::len).sum::<usize>() > self.most {
            let since = |issued: &VecDeque<Issued>| issued.front().map(|one| one.since);
            let oldest = all.iter().min_by_key(|(_, issued)| since(issued));
            if let Some(key) = oldest.map(|(key, _)| *key)
                && let Some(issued) = all.get_mut(&key)
            {
                issued.pop_front();
                if issued.is_empty() {
                    all.remove(&key);
                }
            }
        }
    }

    /// The tokens obtained earlier that the provider may still accept.
    pub(super) fn known(&self, grant: &CallGrant, scheme: &Oauth2Scheme) -> Vec<Token> {
        let Ok((key, _)) = Self::key(grant, scheme) else {
            return Vec::new();
        };
        let now = Instant::now();
        let all = self.lock();
        let issued = all.get(&key).into_iter().flatten();
        issued
            .filter(|one| one.expires.is_none_or(|expires| expires > now))
            .map(|one| Arc::clone(&one.token))
            .collect()
    }

    /// Keeps a token as if the grant's first scheme had obtained it.
    #[cfg(test)]
    pub(super) fn issue(&self, grant: &CallGrant, token: &Token) {
        let scheme = grant.schemes.iter().find_map(|scheme| match scheme {
            crate::manifest::CredentialScheme::Oauth2ClientCredentials(oauth) => Some(oauth),
            _ => None,
        });
        if let Some((key, _)) = scheme.and_then(|scheme| Self::key(grant, scheme).ok()) {
            self.keep(key, Arc::clone(token), Some(Duration::from_secs(1)));
        }
    }

    /// The provider refused the token: the next request obtains another.
    pub(super) fn refused(&self, grant: &CallGrant, scheme: &Oauth2Scheme) {
        if let Ok((key, _)) = Self::key(grant, scheme)
            && let Some(issued) = self.lock().get_mut(&key)
        {
            let now = Instant::now();
            for one in issued {
                one.serves_until = now;
            }
        }
    }

    /// The key under which a token is kept, and the URL that issues it.
    pub(super) fn key(
        grant: &CallGrant,
        scheme: &Oauth2Scheme,
    ) -> Result<(Digest, String), Failure> {
        if !scheme.token_request.response_settings.is_empty() {
            return Err(Failure::new(
                FailureKind::Internal,
                "credential_scheme_unsupported",
                "settings from a token response are not supported by this host",
            ));
        }
        let url = render_url(grant, &scheme.token_request.url)?;
        let parts = Zeroizing::new(
            serde_json::json!([
                grant.connector,
                scheme.id,
                url,
                scheme.token_request.scope,
                inject::credential(grant, CLIENT_ID)?,
                inject::credential(grant, CLIENT_SECRET)?,
            ])
            .to_string(),
        );
        Ok((Digest::of(parts.as_bytes()), url))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Digest, VecDeque<Issued>>> {
        self.issued.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(text: &str) -> Token {
        Arc::new(Zeroizing::new(text.to_owned()))
    }

    fn known(cache: &TokenCache, key: &Digest) -> Vec<String> {
        let all = cache.lock();
        let issued = all.get(key).into_iter().flatten();
        issued.map(|one| one.token.to_string()).collect()
    }

    #[tokio::test]
    async fn as_many_tokens_are_known_as_there_is_room_for_the_newest_of_them() {
        let cache = TokenCache {
            most: 100,
            ..TokenCache::default()
        };
        let key = Digest::of(b"one");
        for number in 0..MAX_TOKENS_OF_ONE + 2 {
            cache.keep(key, token(&format!("token-{number}")), None);
        }
        let kept = known(&cache, &key);
        assert_eq!(kept.len(), MAX_TOKENS_OF_ONE);
        assert_eq!(kept.first().map(String::as_str), Some("token-2"));

        for number in 0..cache.most - MAX_TOKENS_OF_ONE {
            let key = Digest::of(number.to_string().as_bytes());
            cache.keep(key, token("other"), None);
        }
        assert_eq!(known(&cache, &key).len(), MAX_TOKENS_OF_ONE);
        cache.keep(Digest::of(b"another"), token("other"), None);
        let kept = known(&cache, &key);
        assert_eq!(kept.len(), MAX_TOKENS_OF_ONE - 1);
        assert_eq!(kept.first().map(String::as_str), Some("token-3"));
    }

    #[tokio::test]
    async fn what_has_expired_is_known_no_more() {
        let cache = TokenCache::default();
        let key = Digest::of(b"one");
        cache.keep(key, token("gone"), Some(MARGIN));
        for one in cache.lock().values_mut().flatten() {
            one.expires = Some(Instant::now());
        }
        cache.keep(key, token("short"), Some(MARGIN));
        cache.keep(key, token("forever"), Some(Duration::from_secs(u64::MAX)));
        assert_eq!(known(&cache, &key), ["short", "forever"]);
        let serving = cache.serving(&key);
        assert_eq!(
            serving.map(|token| token.to_string()).as_deref(),
            Some("forever")
        );

        cache.keep(key, token("short"), Some(Duration::from_secs(60)));
        assert_eq!(
            known(&cache, &key),
            ["forever", "short"],
            "one token is one"
        );
    }

    #[tokio::test]
    async fn a_token_is_known_a_little_longer_than_it_lasts_and_used_shorter() {
        let cache = TokenCache::default();
        let key = Digest::of(b"one");
        let before = Instant::now();
        cache.keep(key, token("short"), Some(MARGIN));
        assert!(cache.serving(&key).is_none());
        let expires: Vec<_> = {
            let all = cache.lock();
            all.values().flatten().map(|one| one.expires).collect()
        };
        assert_eq!(expires.len(), 1);
        assert!(
            expires
                .iter()
                .all(|at| at.is_some_and(|at| at >= before + MARGIN + LEEWAY))
        );
    }

    #[tokio::test]
    async fn long_tokens_are_known_up_to_a_sum_of_their_bytes_the_newest_of_them() {
        let cache = TokenCache::default();
        let key = Digest::of(b"one");
        cache.keep(key, token("first"), None);
        for letter in ["a", "b", "c", "d"] {
            cache.keep(key, token(&letter.repeat(MAX_TOKEN_BYTES)), None);
        }
        let kept = known(&cache, &key);
        assert_eq!(kept.len(), 4, "as many as there is room for, exactly");
        assert!(kept.first().is_some_and(|one| one.starts_with('a')));

        cache.keep(key, token("last"), None);
        let kept = known(&cache, &key);
        let firsts: String = kept.iter().filter_map(|one| one.chars().next()).collect();
        assert_eq!(firsts, "bcdl");
    }
}
