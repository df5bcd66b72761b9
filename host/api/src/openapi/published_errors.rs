//! What is published about each code of the specification's table of errors, including codes that this
//! server never sends.

use serde::Serialize;

/// A code of the table.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct PublishedError {
    /// The value of `error.code`.
    pub code: &'static str,
    /// The statuses that the specification gives it.
    pub statuses: &'static [u16],
    /// Whether the specification calls it transient: the same request may succeed at any time.
    pub transient: bool,
    /// `later` if the same request succeeds once something in progress has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<&'static str>,
    /// When it is sent.
    pub condition: &'static str,
    /// What the caller should do.
    pub action: &'static str,
}

/// Refused again until something changes.
const fn lasting(
    code: &'static str,
    statuses: &'static [u16],
    condition: &'static str,
    action: &'static str,
) -> PublishedError {
    PublishedError {
        code,
        statuses,
        transient: false,
        retry: None,
        condition,
        action,
    }
}

/// Refused only until something in progress has ended.
const fn for_now(
    code: &'static str,
    statuses: &'static [u16],
    condition: &'static str,
    action: &'static str,
) -> PublishedError {
    PublishedError {
        retry: Some("later"),
        ..lasting(code, statuses, condition, action)
    }
}

/// May go away without any change.
const fn transient(
    code: &'static str,
    statuses: &'static [u16],
    condition: &'static str,
    action: &'static str,
) -> PublishedError {
    PublishedError {
        transient: true,
        ..lasting(code, statuses, condition, action)
    }
}

/// The codes in the order of the specification's table.
pub const PUBLISHED_ERRORS: &[PublishedError] = &[
    lasting(
        "invalid_request",
        &[400, 422],
        "The request is malformed (400), or its body or parameters failed validation (422).",
        "Correct what error.message and error.details.violations name, and send the request again.",
    ),
    lasting(
        "invalid_cursor",
        &[400],
        "The pagination cursor is malformed or not of this list.",
        "Start the list again without a cursor, and send each next_cursor exactly as you received it.",
    ),
    lasting(
        "brand_profile_mismatch",
        &[400],
        "The brand profile's id and key identify different profiles.",
        "Send the id or the key, or both of one brand profile.",
    ),
    lasting(
        "missing_api_key",
        &[401],
        "The request carries no Bearer key.",
        "Send the API key as Authorization: Bearer <API_KEY>.",
    ),
    lasting(
        "invalid_api_key",
        &[401],
        "The API key is unknown or revoked.",
        "Check that the key is whole and belongs to this deployment; otherwise ask its operator for another.",
    ),
    lasting(
        "expired_api_key",
        &[401],
        "The API key has expired.",
        "Ask the operator for a new key.",
    ),
    lasting(
        "insufficient_credits",
        &[402],
        "No spendable prepaid credit remains.",
        "Have the operator grant the organization credit, or, if error.details.awaiting_usd shows calls whose cost is uncertain, settle them; then send the request again.",
    ),
    lasting(
        "forbidden",
        &[403],
        "The key may not perform this action, or not be used from this address.",
        "Use a key with the permission that error.message names, from an address that the key may be used from.",
    ),
    lasting(
        "project_archived",
        &[403],
        "The key's project is archived.",
        "Use a key of an active project.",
    ),
    lasting(
        "capability_disabled",
        &[403],
        "The capability is not enabled for the organization.",
        "Ask the operator to enable the capability for the organization.",
    ),
    lasting(
        "not_found",
        &[404],
        "The path or the resource does not exist in the project of the key.",
        "Check the path and the id, and that the key belongs to the project that owns it.",
    ),
    lasting(
        "result_unavailable",
        &[404],
        "An audience's result is no longer available.",
        "Have the result made again.",
    ),
    lasting(
        "brand_profile_not_found",
        &[404],
        "The organization has no such brand profile.",
        "Check the id or key of the brand profile.",
    ),
    lasting(
        "brand_not_found",
        &[404],
        "The organization has no such brand, or it is archived; details.reason tells: unknown or archived.",
        "Check the brand's id or key, or name an active brand.",
    ),
    lasting(
        "offer_not_found",
        &[404],
        "The organization has no such offer, or none of its revisions was approved yet; details.reason tells: unknown or not_approved.",
        "Check the offer's id or key, or have the operator approve it. Playbooks sell the offer that the operator bound, and documents too if the request names none.",
    ),
    for_now(
        "not_ready",
        &[409],
        "The asynchronous job is not complete yet.",
        "Poll the job until it ends, then read again.",
    ),
    lasting(
        "idempotency_key_reused",
        &[409],
        "The Idempotency-Key was used with other input.",
        "Send another input with an Idempotency-Key of its own, or the first input with this one.",
    ),
    for_now(
        "idempotency_in_progress",
        &[409],
        "The first request with this Idempotency-Key is still being processed. Repeat the same request shortly.",
        "Wait a second, then repeat the same request with the same Idempotency-Key.",
    ),
    lasting(
        "campaign_archived",
        &[409],
        "The campaign is archived and cannot run another cycle.",
        "Use an active campaign.",
    ),
    for_now(
        "cycle_in_progress",
        &[409],
        "A cycle of the campaign is queued or running.",
        "Wait until the running cycle has ended.",
    ),
    lasting(
        "brand_profile_archived",
        &[409],
        "The selected brand profile is archived.",
        "Select an active brand profile.",
    ),
    lasting(
        "brand_profile_not_ready",
        &[409],
        "The selected brand profile has no guideline to bind: none is completed yet, or its review rejected it.",
        "Wait until the brand's research has succeeded, research it again after a rejection, or select another brand profile.",
    ),
    lasting(
        "missing_default_brand_profile",
        &[409],
        "No brand profile is named, and the organization has no default one, or one that cannot be used; details.reason tells: archived, guideline_rejected or no_guideline.",
        "Name a brand in the request: GET /v1/brands lists those that there are, and POST /v1/brands has one researched (with is_default for the default). Or have the operator set, change or clear the default (gtm brand default).",
    ),
    lasting(
        "brand_guideline_missing",
        &[409],
        "The brand has no completed guideline yet, or its review rejected it; details.reason tells: no_guideline or guideline_rejected.",
        "Wait until the brand's research has succeeded, research it again after a rejection, or name another brand.",
    ),
    lasting(
        "offer_archived",
        &[409],
        "The offer is archived.",
        "Select an active offer, or have the operator bind another one.",
    ),
    lasting(
        "audiences_result_unavailable",
        &[409],
        "The audiences backend cannot provide the completed result.",
        "Have the result made again.",
    ),
    lasting(
        "job_expired",
        &[410],
        "The job and its result passed the 30-day retention.",
        "Create a new job; results must be fetched within 30 days.",
    ),
    transient(
        "rate_limit_exceeded",
        &[429],
        "Too many requests of this key, too many keys from this address that were not accepted, or too many of its requests at work; carries Retry-After.",
        "Wait for at least the larger of Retry-After and RateLimit-Reset (where it is sent), in seconds, and send the request again.",
    ),
    lasting(
        "quota_exceeded",
        &[429],
        "A usage quota of the project, the key or the organization is exhausted until the next UTC month.",
        "Wait for the next UTC month (error.details.resets_at), or have the operator raise the quota that error.details.scope names.",
    ),
    lasting(
        "budget_exceeded",
        &[429],
        "A hard monthly cost budget is reached, the usage tier's cap included; it resets at error.details.resets_at.",
        "Wait for the next UTC month (error.details.resets_at), or have the operator raise the budget that error.details.scope names.",
    ),
    transient(
        "internal_error",
        &[500],
        "Something went wrong on our side. Quote the request id when you report it.",
        "Repeat a GET with backoff and jitter, and a create call only with its original body and Idempotency-Key. If the error persists, report the request id.",
    ),
    transient(
        "audiences_backend_error",
        &[502],
        "The audiences service failed.",
        "Repeat a GET with backoff and jitter.",
    ),
    transient(
        "audiences_backend_invalid_response",
        &[502],
        "The audiences service answered invalidly.",
        "Repeat a GET with backoff and jitter.",
    ),
    transient(
        "audiences_backend_unavailable",
        &[503],
        "The audiences service is unavailable.",
        "Repeat a GET with backoff and jitter.",
    ),
];
