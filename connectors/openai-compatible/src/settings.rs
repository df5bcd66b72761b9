//! The connection's settings, as `manifest.json` describes them.

use serde::Deserialize;

/// The settings that this connector needs. `prices` and `free` are for the host, which turns usage into
/// money.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Settings {
    base_url: String,
    pub(crate) model: String,
    #[serde(default)]
    authentication: Authentication,
    /// The strongest form of structured output to request from the server.
    #[serde(default)]
    pub(crate) response_format: ResponseFormat,
    /// Limit on the output, in tokens, if the call has none.
    pub(crate) max_output_tokens: Option<u64>,
    max_tokens_field: Option<MaxTokensField>,
    /// Time limit for one exchange, in milliseconds.
    pub(crate) timeout_ms: Option<u32>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Authentication {
    #[default]
    Bearer,
    None,
}

/// Ways to request JSON, strongest first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ResponseFormat {
    /// The server enforces the schema.
    #[default]
    JsonSchema,
    /// The server enforces JSON; the schema is in the prompt.
    JsonObject,
    /// Only the prompt asks for JSON.
    None,
}

impl ResponseFormat {
    /// What to try if the server does not support this one.
    pub(crate) fn weaker(self) -> Option<Self> {
        match self {
            Self::JsonSchema => Some(Self::JsonObject),
            Self::JsonObject => Some(Self::None),
            Self::None => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum MaxTokensField {
    MaxTokens,
    MaxCompletionTokens,
}

impl Settings {
    /// The address of chat completions.
    pub(crate) fn endpoint(&self) -> String {
        format!("{}/chat/completions", self.base_url.trim_end_matches('/'))
    }

    /// Id of the credential scheme to request. A server without keys must be configured as such: a
    /// forgotten key must fail, not become an anonymous call.
    pub(crate) fn credential(&self) -> Option<&'static str> {
        match self.authentication {
            Authentication::Bearer => Some("key"),
            Authentication::None => None,
        }
    }

    /// Name of the member that limits the output. OpenAI deprecated `max_tokens` and some of its models
    /// refuse it; most other servers know nothing else.
    pub(crate) fn max_tokens_field(&self) -> &'static str {
        let is_openai = self.base_url.starts_with("https://api.openai.com/");
        match self.max_tokens_field {
            Some(MaxTokensField::MaxTokens) => "max_tokens",
            Some(MaxTokensField::MaxCompletionTokens) => "max_completion_tokens",
            None if is_openai => "max_completion_tokens",
            None => "max_tokens",
        }
    }
}
