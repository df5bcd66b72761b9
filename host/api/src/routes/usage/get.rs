//! `GET /v1/usage`.

use axum::Json;
use axum::extract::State;
use gtm_domain::ErrorCode;

use super::ReadUsage;
use super::query::UsageQuery;
use super::report::{RateLimit, UsageReport};
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;
use crate::operation::{DeclaredError, Errors, Operation};

pub struct GetUsage;

impl Operation for GetUsage {
    const ERRORS: &'static [DeclaredError] = &[DeclaredError::when(
        ErrorCode::InvalidRequest,
        "an unknown group, a month that the calendar does not have, or a future one",
    )];
}

/// Read usage.
///
/// What the key's project used in a month, in UTC. A job counts as `created` in the month of its creation.
/// Its outcome, tokens, cost and requests count in the month in which it ended, including provider calls
/// made before. So `totals` is always the sum of the jobs by capability and the sum of the jobs by key,
/// where `jobs` is the number created. `by_connector` shows the provider calls of the jobs that ended in
/// the month, and its `cost_usd` adds up to that of `totals`. In the current month `active` counts all jobs
/// of the project that are queued or running; in an earlier one, those created in it. Rate limit, tier,
/// quotas, budgets and credits are as of now, whichever month is requested.
#[utoipa::path(
    get, path = "/v1/usage", tag = "Usage", operation_id = "get_usage_v1_usage_get",
    params(
        ("month" = Option<String>, Query, description = "The UTC month; by default the current one, and never a future one.", pattern = "^[0-9]{4}-(0[1-9]|1[0-2])$", example = "2026-03"),
        ("group_by" = Option<String>, Query, description = "Which breakdowns to fill, separated by commas: capability, key, connector. By default capability.", pattern = "^(capability|key|connector)(,(capability|key|connector))*$", example = "capability,connector")),
    responses(
        (status = 200, description = "Totals of the month, breakdowns, limits and what is left of them.", body = UsageReport, content_type = "application/json"),
        Errors::<GetUsage>,
    )
)]
pub async fn get_usage(
    api: State<Api>,
    caller: Authorized<ReadUsage>,
    query: UsageQuery,
) -> Result<Json<UsageReport>, ApiError> {
    let scope = caller.scope();
    let (usage, money) = api
        .engine()
        .store()
        .usage(scope, query.month, query.groups.connector)
        .await?;
    Ok(Json(UsageReport::of(
        scope,
        &usage,
        query.groups,
        &money,
        RateLimit::of(caller.scope()),
    )))
}
