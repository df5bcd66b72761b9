//! `gtm dev …`: what helps people who write clients of the API. Nothing here is needed to run one.

mod seed;

use clap::Subcommand;
use serde_json::json;

use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, table};

/// Commands for people who write clients.
#[derive(Debug, Subcommand)]
pub enum Dev {
    /// Make organizations with keys in every state, and say what each key is answered
    ///
    /// Each run adds new ones; `gtm org archive` puts them away. The secrets are shown once.
    Seed,
}

/// Run one.
///
/// # Errors
/// If the catalog lacks the plug-ins that are needed, or the store refuses.
pub async fn run(command: Dev, installation: &Installation, output: Output) -> Result<(), Failure> {
    match command {
        Dev::Seed => {
            let cases = seed::plant(installation).await?;
            output.print(&json!({ "cases": cases }), || {
                let cells = |case: &seed::Case| {
                    vec![
                        case.name.clone(),
                        case.secret.clone(),
                        case.request.to_string(),
                        case.expected.to_string(),
                    ]
                };
                format!(
                    "{}\n\nThe keys are not shown again. `--json` prints the requests with their bodies.",
                    table(
                        &["CASE", "KEY", "REQUEST", "ANSWER"],
                        &cases.iter().map(cells).collect::<Vec<_>>()
                    )
                )
            })
        }
    }
}
