//! The offer that jobs of a binding sell, as named on the command line.

use gtm_domain::OfferId;
use gtm_domain::binding::BindingScope;
use gtm_domain::offer::OfferSelection;
use gtm_store::Operator;

use crate::failure::Failure;

/// The id of the organization's offer with this id or key.
pub async fn sold(
    scope: BindingScope,
    named: &str,
    operator: &Operator,
) -> Result<OfferId, Failure> {
    let absent = || Failure::absent("offer", named);
    let by: OfferSelection = named.parse().map_err(|_| absent())?;
    let organization = match scope {
        BindingScope::Organization(organization) => organization,
        BindingScope::Project(project) => {
            let found = operator.show_project(project).await?;
            let found = found.ok_or_else(|| Failure::absent("project", project))?;
            found.organization
        }
        BindingScope::Platform => {
            return Err(Failure::new("an offer belongs to an organization")
                .hint("give --org or --project instead of --platform"));
        }
    };
    let found = operator.find_offer(organization, by).await?;
    found.map(|found| found.id).ok_or_else(absent)
}
