//! Which secrets are searched for: those of the connection in everything that a guest sends, and in answers
//! if the exchange could carry a credential. A host that receives no credential has none to echo, and
//! searching its answers anyway would only tell its owner something.

use gtm_domain::Failure;
use zeroize::Zeroizing;

use super::call_secrets::Token;
use super::grant::{CallGrant, SettingPlace, setting_place};
use super::redact::Secrets;
use super::rendered_url::render_url;
use super::searches::{SEARCHED_AT_ONCE, Searcher};
use super::target::{HostName, Target};
use super::token::TokenCache;
use crate::manifest::CredentialScheme;
use crate::manifest::template;

pub(super) struct ExchangeSecrets {
    /// Every secret of the call. Those that the present hop's request carries may be in its answer.
    pub all: Secrets,
    /// The secrets that the present hop's answer is searched for: all or none.
    pub here: Secrets,
    /// How many are too short to search for.
    pub short: usize,
}

impl ExchangeSecrets {
    /// The secrets before the first hop.
    pub(super) fn of(grant: &CallGrant, tokens: &TokenCache) -> Self {
        let known = grant
            .secrets
            .with(&grant.credentials, known(grant, tokens), None);
        Self {
            all: known.secrets,
            here: Secrets::default(),
            short: known.short,
        }
    }

    /// Adds a token that was just obtained.
    pub(super) fn add(&mut self, grant: &CallGrant, tokens: &TokenCache, token: &Token) {
        let known = known(grant, tokens);
        let own = &grant.credentials;
        self.all = grant.secrets.with(own, known, Some(token)).secrets;
    }

    /// The next hop goes to this host and carries these credentials. Another hop of the exchange may carry
    /// credentials although this one does not.
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

/// The tokens that stand for a call's credentials, or did so earlier and may still be accepted. The newest
/// of each scheme come first, then the second newest, so no issuer pushes out the tokens of another.
fn known(grant: &CallGrant, tokens: &TokenCache) -> Vec<Token> {
    let known = |scheme: &CredentialScheme| match scheme {
        CredentialScheme::Oauth2ClientCredentials(oauth) => tokens.known(grant, oauth),
        _ => Vec::new(),
    };
    let mut left: Vec<Vec<Token>> = grant.schemes.iter().map(known).collect();
    let mut all = Vec::new();
    while left.iter().any(|tokens| !tokens.is_empty()) {
        all.extend(left.iter_mut().filter_map(Vec::pop));
    }
    all
}

/// Whether a host, with any scheme and port, belongs to a credential scheme or issues its tokens.
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

/// Whether a host is that of a scheme's token endpoint: it receives the client secret.
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

    use super::super::tests::{grant, token_of_its_own_length};
    use super::*;

    fn token(text: &str) -> Token {
        Arc::new(Zeroizing::new(text.to_owned()))
    }

    /// A call whose scheme obtains tokens.
    fn asking() -> CallGrant {
        grant(serde_json::json!({
            "settings": { "base_url": "https://api.example" },
            "schemes": [{ "type": "oauth2_client_credentials", "id": "app", "hosts": ["${setting.base_url}"],
                "token_request": { "url": "${setting.base_url}/token", "client_auth": "body" },
                "inject": [{ "in": "header", "name": "Authorization", "value": "Bearer ${token}" }] }],
            "credentials": { "client_id": "client-1", "client_secret": "canary-client-secret" },
        }))
    }

    #[tokio::test]
    async fn a_call_looks_for_no_more_tokens_than_are_known() {
        let g = asking();
        let cache = TokenCache::default();
        for number in 0..40 {
            let mut secrets = ExchangeSecrets::of(&g, &cache);
            let new = token(&format!("canary-token-{number}."));
            cache.issue(&g, &new);
            secrets.add(&g, &cache, &new);
            assert!(secrets.all.any_in(new.as_bytes()));
            let known = g.secrets.lock().tokens.len();
            assert_eq!(known, 32.min(number + 1));
        }
        let secrets = ExchangeSecrets::of(&g, &cache);
        for (number, wanted) in [(7, false), (8, true), (39, true)] {
            let text = format!("canary-token-{number}.");
            assert_eq!(secrets.all.any_in(text.as_bytes()), wanted, "{number}");
        }
    }

    #[tokio::test]
    async fn tokens_of_many_lengths_push_out_the_oldest() {
        let (g, cache) = (asking(), TokenCache::default());
        let tokens: Vec<Token> = (0..32).map(token_of_its_own_length).collect();
        for new in &tokens {
            cache.issue(&g, new);
        }
        let mut secrets = ExchangeSecrets::of(&g, &cache);
        assert!(secrets.all.lengths() <= 64, "{}", secrets.all.lengths());
        let known = |secrets: &ExchangeSecrets| -> Vec<bool> {
            let known = tokens.iter();
            known
                .map(|token| secrets.all.any_in(token.as_bytes()))
                .collect()
        };
        let newest = known(&secrets);
        assert!(newest[31] && newest.is_sorted(), "{newest:?}");
        assert!(g.secrets.lock().secrets.any_in(b"canary-client-secret"));
        // A token just obtained is searched for although others are newer.
        secrets.add(&g, &cache, &tokens[0]);
        assert!(known(&secrets)[0]);
        // Tokens of one length cost no more than one of them.
        let (g, cache) = (asking(), TokenCache::default());
        for number in 10..42 {
            cache.issue(&g, &token(&format!("canary/+<token>-\"ü'{number}")));
        }
        assert_eq!(g.secrets.lock().tokens.len(), 0);
        ExchangeSecrets::of(&g, &cache);
        assert_eq!(g.secrets.lock().tokens.len(), 32);
    }
}
