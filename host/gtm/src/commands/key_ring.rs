//! `gtm key-ring …`.

use clap::Subcommand;
use serde_json::json;

use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::Output;

/// Commands on the key ring.
#[derive(Debug, Subcommand)]
pub enum KeyRing {
    /// Encrypt stored credentials under the current master key
    ///
    /// The first master key is the current one. After this the older ones are no longer needed.
    #[command(after_help = "Example:\n  gtm key-ring reseal")]
    Reseal,
}

/// Runs a command.
///
/// # Errors
/// If a credential cannot be decrypted, or the store refuses; nothing has then changed.
pub async fn run(
    command: &KeyRing,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    match command {
        KeyRing::Reseal => {
            let resealed = installation.operator().reseal_credentials().await?;
            output.print(&json!({ "resealed": resealed }), || {
                format!("re-encrypted {resealed} credential fields")
            })
        }
    }
}
