//! `GET /v1/company-dossier-specifications`.

use axum::Json;
use axum::extract::State;
use gtm_domain::DossierSpecificationId;
use gtm_engine::DossierSpecificationPage;
use serde_json::Value;
use utoipa::ToSchema as _;
use utoipa::openapi::{Ref, RefOr, Schema};

use super::ReadSpecifications;
use super::envelope::{self, SpecificationEnvelope};
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;
use crate::operation::{DeclaredError, Errors, Operation};
use crate::page::{Collection, ListQuery, PageBody, Published, Unfiltered};

/// The specifications of a project.
#[derive(Debug)]
pub struct Specifications;

impl Collection for Specifications {
    const NAME: &'static str = "company_dossier_specifications";
    type Filter = Unfiltered;
    type Key = DossierSpecificationId;
}

impl Published for Specifications {
    const SCHEMA: &'static str = "CompanyDossierSpecificationList";
    const ABOUT: &'static str = "A page of company dossier specifications, newest first.";

    fn row() -> RefOr<Schema> {
        Ref::from_schema_name(SpecificationEnvelope::name()).into()
    }

    fn example() -> (Vec<Value>, Option<&'static str>) {
        (vec![envelope::example()], None)
    }
}

pub struct ListSpecifications;

impl Operation for ListSpecifications {
    const ERRORS: &'static [DeclaredError] = DeclaredError::OF_A_LIST;
}

/// List company dossier specifications, newest first.
///
/// Lists the specifications of the key's project. Continue with `next_cursor` while `has_more` is true.
#[utoipa::path(
    get, path = "/v1/company-dossier-specifications", tag = "Company dossier specifications",
    operation_id = "list_company_dossier_specifications_v1_company_dossier_specifications_get",
    params(
        ListQuery::<Specifications>,
    ),
    responses(
        (status = 200, description = "A page of specifications.", body = ref("#/components/schemas/CompanyDossierSpecificationList"), content_type = "application/json"),
        Errors::<ListSpecifications>,
    )
)]
pub async fn list_company_dossier_specifications(
    api: State<Api>,
    caller: Authorized<ReadSpecifications>,
    query: ListQuery<Specifications>,
) -> Result<Json<PageBody<Specifications, SpecificationEnvelope>>, ApiError> {
    let page = query.page(&api, caller.scope(), "")?;
    let wanted = DossierSpecificationPage {
        before: page.after,
        limit: page.rows(),
    };
    let rows = api
        .engine()
        .store()
        .list_dossier_specifications(caller.scope(), wanted)
        .await?;
    Ok(Json(page.answer(rows, |row| row.id, Into::into)))
}
