//! Which secrets are looked for: those of the connection in all that a guest sends, and in what comes back
//! where the exchange could carry one. A host that gets no credential has none to give away, and searching
//! its answers all the same would only tell its owner something.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use gtm_domain::Failure;
use zeroize::Zeroizing;

use super::grant::{CallGrant, SettingPlace, setting_place};
use super::redact::Secrets;
use super::searches::{SEARCHED_AT_ONCE, Searcher};
use super::target::{HostName, Target};
use super::token::{Token, TokenCache};
use super::verify::render_url;
use crate::manifest::CredentialScheme;
use crate::manifest::template;

/// The secrets of one exchange.
pub(super) struct Watched {
    /// Every secret of the call. Those that the request of the present hop carries may be in its answer.
    pub all: Secrets,
    /// Those that the answer of the present hop is searched for: all or none.
    pub here: Secrets,
    /// How many are too short to be looked for.
    pub short: usize,
}

impl Watched {
    /// Before the first hop.
    pub(super) fn of(grant: &CallGrant, tokens: &TokenCache) -> Self {
        let known = grant.secrets.with(grant, known(grant, tokens));
        Self {
            all: known.secrets,
            here: Secrets::default(),
            short: known.short,
        }
    }

    /// A token was asked for.
    pub(super) fn add(&mut self, grant: &CallGrant, tokens: &TokenCache, token: &Token) {
        let known = known(grant, tokens).into_iter();
        let all = known.chain([token.clone()]).collect();
        self.all = grant.secrets.with(grant, all).secrets;
    }

    /// The next hop goes to this host and carries these credentials, in an exchange that has some on one
    /// of its hops or none at all.
    ///
    /// # Errors
    /// As [`Searcher::run`].
    pub(super) async fn goes_to(
        &mut self,
        grant: &CallGrant,
        searcher: &Searcher,
        host: &HostName,
        credentials: Vec<Zeroizing<String>>,
        on_some_hop: bool,
    ) -> Result<(), Failure> {
        let costs = credentials.iter().map(|c| self.all.cost_of(c.as_bytes()));
        self.all = if costs.sum::<usize>() <= SEARCHED_AT_ONCE {
            self.all.answering(&credentials)
        } else {
            let all = self.all.clone();
            let search = move || Some(all.answering(&credentials));
            searcher.run("request", search).await?
        };
        let concerned = |scheme| belongs_to(grant, scheme, host);
        self.here = if on_some_hop || grant.schemes.iter().any(concerned) {
            self.all.clone()
        } else {
            Secrets::default()
        };
        Ok(())
    }
}

/// The tokens of a call's schemes that stand for its credentials, or did so before and may do so still.
fn known(grant: &CallGrant, tokens: &TokenCache) -> Vec<Token> {
    let known = |scheme: &CredentialScheme| match scheme {
        CredentialScheme::Oauth2ClientCredentials(oauth) => tokens.known(grant, oauth),
        _ => Vec::new(),
    };
    grant.schemes.iter().flat_map(known).collect()
}

/// The secrets of a call, put together once for all its exchanges, and again whenever there are other
/// tokens. Those that are known no more go, so that there never are more than are known at once.
#[derive(Default)]
pub(super) struct CallSecrets(Mutex<Known>);

#[derive(Clone, Default)]
struct Known {
    /// The tokens among them, each once, in order.
    tokens: Vec<Token>,
    secrets: Secrets,
    short: usize,
    /// Whether they were put together yet.
    made: bool,
}

impl CallSecrets {
    /// The secrets of the call, these tokens among them.
    fn with(&self, grant: &CallGrant, mut tokens: Vec<Token>) -> Known {
        tokens.sort_unstable_by(|one, other| one.as_str().cmp(other.as_str()));
        tokens.dedup();
        let mut known = self.lock();
        if !known.made || tokens != known.tokens {
            *known = Known::of(grant, tokens);
        }
        known.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
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
    fn of(grant: &CallGrant, tokens: Vec<Token>) -> Self {
        let values = tokens.iter().map(|token| token.as_str());
        let (secrets, short) = Secrets::of(grant.credentials.secrets().chain(values));
        Self {
            tokens,
            secrets,
            short,
            made: true,
        }
    }
}

/// Whether a host, by any scheme and port, is one of a scheme's, or the one that gives out its tokens.
fn belongs_to(grant: &CallGrant, scheme: &CredentialScheme, host: &HostName) -> bool {
    if gives_tokens(grant, scheme, host) {
        return true;
    }
    scheme.hosts().iter().any(|name| {
        let own = match template::whole_setting(name) {
            None => HostName::parse(name),
            Some(key) => match setting_place(&key, &grant.settings) {
                Ok(Some(SettingPlace::Url(target))) => Some(target.origin.host),
                Ok(Some(SettingPlace::Host(host))) => Some(host),
                Ok(None) | Err(_) => None,
            },
        };
        own.as_ref() == Some(host)
    })
}

/// Whether a host is that of a scheme's token endpoint: it is sent the client secret.
fn gives_tokens(grant: &CallGrant, scheme: &CredentialScheme, host: &HostName) -> bool {
    let CredentialScheme::Oauth2ClientCredentials(oauth) = scheme else {
        return false;
    };
    render_url(grant, &oauth.token_request.url)
        .and_then(|url| Target::parse(&url))
        .is_ok_and(|target| target.origin.host == *host)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::Arc;

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
            g.clone().secrets.with(&g, tokens).secrets
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

    #[tokio::test]
    async fn a_call_looks_for_no_more_tokens_than_are_known() {
        let g = grant(serde_json::json!({
            "settings": { "base_url": "https://api.example" },
            "schemes": [{ "type": "oauth2_client_credentials", "id": "app", "hosts": ["${setting.base_url}"],
                "token_request": { "url": "${setting.base_url}/token", "client_auth": "body" },
                "inject": [{ "in": "header", "name": "Authorization", "value": "Bearer ${token}" }] }],
            "credentials": { "client_id": "client-1", "client_secret": "canary-client-secret" },
        }));
        let cache = TokenCache::default();
        for number in 0..40 {
            let mut watched = Watched::of(&g, &cache);
            let new = token(&format!("canary-token-{number}."));
            cache.issue(&g, &new);
            watched.add(&g, &cache, &new);
            assert!(watched.all.any_in(new.as_bytes()));
            let known = g.secrets.lock().tokens.len();
            assert_eq!(known, 32.min(number + 1));
        }
        let watched = Watched::of(&g, &cache);
        for (number, wanted) in [(7, false), (8, true), (39, true)] {
            let text = format!("canary-token-{number}.");
            assert_eq!(watched.all.any_in(text.as_bytes()), wanted, "{number}");
        }
    }
}
