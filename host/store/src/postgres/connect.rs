//! The first connection to PostgreSQL, and why it fails, in words that an operator can act on.

use std::io;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions, Connection};

use crate::error::StoreError;

/// Connects once and disconnects again.
///
/// # Errors
/// [`StoreError::Unreachable`] with the server's or the system's own reason.
pub(super) async fn check(options: &PgConnectOptions, within: Duration) -> Result<(), StoreError> {
    match tokio::time::timeout(within, options.connect()).await {
        Ok(Ok(connection)) => {
            // Only a courtesy: a server that misses it notices the closed socket.
            let _ = PgConnection::close(connection).await;
            Ok(())
        }
        Ok(Err(error)) => Err(unreachable(&error)),
        Err(_) => Err(StoreError::Unreachable {
            cause: format!("the server did not answer within {} s", within.as_secs()),
            advice: "are host and port right, and does a firewall let them through?",
        }),
    }
}

/// Checks that row-level security applies to the role of this connection.
///
/// # Errors
/// [`StoreError::UnrestrictedRole`] if it does not, unless `any_role` accepts that; each start then logs a
/// warning.
pub(super) async fn check_role(
    connection: &mut PgConnection,
    any_role: bool,
) -> Result<(), StoreError> {
    let sql =
        "SELECT rolname::text, rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user";
    let (role, unrestricted): (String, bool) = sqlx::query_as(sql).fetch_one(connection).await?;
    match (unrestricted, any_role) {
        (false, _) => Ok(()),
        (true, false) => Err(StoreError::UnrestrictedRole(role)),
        (true, true) => {
            tracing::warn!(
                role,
                "row-level security is void for this database role, as allow_unrestricted_database_role accepts"
            );
            Ok(())
        }
    }
}

fn unreachable(error: &sqlx::Error) -> StoreError {
    let (cause, advice) = match error {
        sqlx::Error::Io(error) => (error.to_string(), of_network(error)),
        sqlx::Error::Database(refusal) => (
            refusal.message().to_owned(),
            of_server(refusal.code().as_deref().unwrap_or_default()),
        ),
        sqlx::Error::Tls(error) => (
            error.to_string(),
            "do sslmode and sslrootcert in database_url fit the server's certificate?",
        ),
        other => (other.to_string(), "is this a PostgreSQL server?"),
    };
    StoreError::Unreachable { cause, advice }
}

fn of_network(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => {
            "nothing listens there: does the server run, and on this host and port?"
        }
        io::ErrorKind::NotFound => "there is no such socket: does the server run?",
        // A resolver's failure has no error kind of its own.
        _ if error.to_string().contains("lookup") => {
            "the host name in database_url is unknown: is it spelled right?"
        }
        _ => "are host and port right, and does the server run?",
    }
}

/// Advice by SQLSTATE.
fn of_server(code: &str) -> &'static str {
    match code {
        "28P01" => {
            "the password in database_url is wrong, or PGPASSWORD or ~/.pgpass holds another"
        }
        "28000" => "the server's pg_hba.conf does not let this user in, or there is no such user",
        "3D000" => "make the database first: createdb, or CREATE DATABASE as its owner",
        "53300" => "the server has no room for another connection: raise max_connections",
        "57P03" => "the server is starting or stopping: try again shortly",
        _ => "the server's own log says more",
    }
}
