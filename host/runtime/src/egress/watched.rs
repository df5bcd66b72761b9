//! Which secrets are looked for: those of the connection in all that a guest sends, and in what comes back
//! where the exchange could carry one. A host that gets no credential has none to give away, and searching
//! its answers all the same would only tell its owner something.

use zeroize::Zeroizing;

use super::grant::{CallGrant, SettingPlace, setting_place};
use super::redact::Secrets;
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
    /// Tokens that stand for the credentials, or did so before and may do so still.
    tokens: Vec<Token>,
}

impl Watched {
    /// Before the first hop.
    pub(super) fn of(grant: &CallGrant, tokens: &TokenCache) -> Self {
        let known = |scheme: &CredentialScheme| match scheme {
            CredentialScheme::Oauth2ClientCredentials(oauth) => tokens.known(grant, oauth),
            _ => Vec::new(),
        };
        let tokens: Vec<Token> = grant.schemes.iter().flat_map(known).collect();
        let (all, short) = every(grant, &tokens);
        Self {
            all,
            here: Secrets::default(),
            short,
            tokens,
        }
    }

    /// A token was asked for.
    pub(super) fn add(&mut self, grant: &CallGrant, token: &Token) {
        if !self.tokens.contains(token) {
            self.tokens.push(token.clone());
            self.all = every(grant, &self.tokens).0;
        }
    }

    /// The next hop goes to this host and carries these credentials, in an exchange that has some on one
    /// of its hops or none at all.
    pub(super) fn goes_to(
        &mut self,
        grant: &CallGrant,
        host: &HostName,
        credentials: &[Zeroizing<String>],
        on_some_hop: bool,
    ) {
        self.all = self.all.answering(credentials);
        let concerned = |scheme| belongs_to(grant, scheme, host);
        self.here = if on_some_hop || grant.schemes.iter().any(concerned) {
            self.all.clone()
        } else {
            Secrets::default()
        };
    }
}

fn every(grant: &CallGrant, tokens: &[Token]) -> (Secrets, usize) {
    let tokens = tokens.iter().map(|token| token.as_str());
    Secrets::of(grant.credentials.secrets().chain(tokens))
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
