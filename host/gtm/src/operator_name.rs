//! Who the operator is, for the audit log. Local access to the database is the authentication, so the name
//! is what the machine or the operator says.

use std::ffi::OsString;

use crate::configuration::settings::OPERATOR;
use crate::failure::Failure;

const MAX_CHARS: usize = 100;

/// `GTM_OPERATOR`; else who called `sudo`; else the login name; else the user id.
///
/// # Errors
/// If `GTM_OPERATOR` is not a valid name: an audit entry must not record another name than was meant.
pub fn resolve() -> Result<String, Failure> {
    let user = rustix::process::getuid().as_raw();
    choose(|name| std::env::var_os(name), user)
}

fn choose(variable: impl Fn(&str) -> Option<OsString>, user: u32) -> Result<String, Failure> {
    if let Some(given) = variable(OPERATOR) {
        return usable(given).ok_or_else(|| {
            Failure::new(format!("{OPERATOR} is not a name")).hint(format!(
                "1 to {MAX_CHARS} printable characters, such as the name of a person or of a pipeline"
            ))
        });
    }
    let login = ["SUDO_USER", "USER"]
        .into_iter()
        .find_map(|name| usable(variable(name)?));
    Ok(login.unwrap_or_else(|| format!("uid-{user}")))
}

fn usable(text: OsString) -> Option<String> {
    let text = text.into_string().ok()?;
    let name = text.trim();
    let fits = (1..=MAX_CHARS).contains(&name.chars().count());
    (fits && !name.chars().any(char::is_control)).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(variables: &[(&str, &str)]) -> Result<String, Failure> {
        let look = |name: &str| {
            let found = variables.iter().find(|(n, _)| *n == name);
            found.map(|(_, value)| OsString::from(value))
        };
        choose(look, 1000)
    }

    #[test]
    fn the_nearest_name_counts() {
        let all = [
            ("GTM_OPERATOR", "ci"),
            ("SUDO_USER", "ada"),
            ("USER", "root"),
        ];
        assert_eq!(chosen(&all), Ok("ci".to_owned()));
        assert_eq!(chosen(&all[1..]), Ok("ada".to_owned()));
        assert_eq!(chosen(&all[2..]), Ok("root".to_owned()));
        assert_eq!(chosen(&[("USER", " ")]), Ok("uid-1000".to_owned()));
        assert_eq!(chosen(&[]), Ok("uid-1000".to_owned()));
    }

    #[test]
    fn a_name_that_is_none_is_refused() {
        for bad in ["", "  ", "a\nb", &"x".repeat(101)] {
            assert!(
                chosen(&[("GTM_OPERATOR", bad), ("USER", "ada")]).is_err(),
                "{bad:?}"
            );
        }
    }
}
