//! Merges the layers, each over the one before: defaults, file, `GTM_*` variables, flags. Remembers where
//! each value came from, so that `gtm config check` can show it and an error can name it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;
use toml::{Table, Value};

use super::sections::Configuration;
use super::settings::{self, Kind, SETTINGS, Setting};
use super::wrong_value::{self, Reason};
use crate::failure::Failure;

/// Name of the configuration file in the data directory.
const FILE_NAME: &str = "gtm.toml";
/// Replaces a secret.
const MASK: &str = "****";
/// Data directory if nothing names another.
const DEFAULT_DATA_DIR: &str = "data";

/// What to do about a file that is not TOML.
const HOW_TO_WRITE: &str = "a text stands in quotes, and a section has its name in [ ] above its settings; `gtm config reference` lists them all";

/// What to do about a missing catalog directory.
pub const FILL_CATALOG: &str = "`cargo xtask plugins --release` in a checkout of gtm builds the plug-ins into target/release/catalog; name a folder of packages with --catalog, GTM_CATALOG_DIRS or catalog_dirs in gtm.toml";

/// Flags of the command line.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    pub data_dir: Option<PathBuf>,
    pub config: Option<PathBuf>,
    pub listen: Option<String>,
    /// `--catalog`, any number of times.
    pub catalog: Vec<PathBuf>,
    pub allow_unsigned: bool,
}

/// The process environment, or a test's.
pub type Environment = BTreeMap<String, OsString>;

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Nowhere: the default applies.
    Default,
    /// The configuration file.
    File(PathBuf),
    Variable(String),
    Flag(&'static str),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => write!(f, "file {}", path.display()),
            Self::Variable(name) => write!(f, "variable {name}"),
            Self::Flag(name) => write!(f, "flag {name}"),
        }
    }
}

/// The merged configuration.
#[derive(Debug, Clone)]
pub struct Effective {
    pub configuration: Configuration,
    /// Absolute.
    pub data_dir: PathBuf,
    data_dir_origin: Origin,
    origins: BTreeMap<&'static str, Origin>,
    /// `GTM_*` variables that are not settings.
    pub ignored_variables: Vec<String>,
}

/// One line of `gtm config check`.
#[derive(Debug, Clone)]
pub struct Shown {
    pub name: &'static str,
    /// With secrets masked.
    pub value: Json,
    pub origin: Origin,
}

impl Effective {
    /// Reads and merges all layers.
    ///
    /// # Errors
    /// If a file cannot be read, a field is unknown or a value is wrong; the message names it.
    pub fn load(flags: &Flags, environment: &Environment) -> Result<Self, Failure> {
        let (data_dir, data_dir_origin) = data_dir(flags, environment)?;
        let (mut table, mut origins) = read_file(flags, environment, &data_dir)?;
        for setting in SETTINGS {
            let variable = setting.variable();
            if let Some(text) = environment.get(&variable) {
                let text = text
                    .to_str()
                    .ok_or_else(|| Failure::new(format!("{variable} is not valid UTF-8")))?;
                let value = parse_variable(text, setting.kind)
                    .map_err(|why| Failure::new(unreadable(setting, text, why)))?;
                set(&mut table, setting.name, value);
                origins.insert(setting.name, Origin::Variable(variable));
            }
        }
        for (setting, flag, value) in flag_values(flags)? {
            set(&mut table, setting, value);
            origins.insert(setting, Origin::Flag(flag));
        }
        let wrong = |path: &str, reason: Reason<'_>| {
            let origin = Setting::around(path).and_then(|setting| origins.get(setting.name));
            let variable = match origin {
                Some(Origin::Variable(name)) => Some(name.as_str()),
                _ => None,
            };
            let from = origin.map_or_else(String::new, |origin| format!(" ({origin})"));
            let told = wrong_value::told(path, reason, &table, variable);
            Failure::new(format!("configuration{from}: {told}"))
        };
        let mut configuration: Configuration =
            serde_path_to_error::deserialize(Value::Table(table.clone())).map_err(|error| {
                let reason = Reason::Unparsed(error.inner().message());
                wrong(&error.path().to_string(), reason)
            })?;
        if let Some(name) = wrong_value::out_of_range(&table) {
            return Err(wrong(name, Reason::OutOfRange));
        }
        fill_in(&mut configuration, &data_dir);
        let ignored_variables = environment
            .keys()
            .filter(|name| name.starts_with("GTM_") && !settings::is_known(name))
            .cloned()
            .collect();
        Ok(Self {
            configuration,
            data_dir,
            data_dir_origin,
            origins,
            ignored_variables,
        })
    }

    /// Catalog directories that were named but do not exist. The default one may be absent.
    #[must_use]
    pub fn absent_catalog_dirs(&self) -> Vec<&Path> {
        if self.names_catalog_dirs() {
            self.unfilled_catalog_dirs()
        } else {
            Vec::new()
        }
    }

    /// Catalog directories that do not exist, whether named or default.
    #[must_use]
    pub fn unfilled_catalog_dirs(&self) -> Vec<&Path> {
        let dirs = self.configuration.catalog_dirs.iter().flatten();
        dirs.map(PathBuf::as_path)
            .filter(|dir| !dir.exists())
            .collect()
    }

    /// The data directory that a flag or a variable names, if it does not exist: its name may be mistyped.
    #[must_use]
    pub fn absent_data_dir(&self) -> Option<&Path> {
        let named = self.data_dir_origin != Origin::Default;
        let absent = matches!(self.data_dir.try_exists(), Ok(false));
        (named && absent).then_some(self.data_dir.as_path())
    }

    fn names_catalog_dirs(&self) -> bool {
        self.origins.contains_key("catalog_dirs")
    }

    /// Checks that every named catalog directory exists. Danger: a missing one loads nothing and looks like
    /// an empty one.
    ///
    /// # Errors
    /// The first that does not exist, with where it is named and how to fill it.
    pub fn check_catalog_dirs(&self) -> Result<(), Failure> {
        let absent = self.absent_catalog_dirs();
        let (Some(dir), Some(origin)) = (absent.first(), self.origins.get("catalog_dirs")) else {
            return Ok(());
        };
        Err(Failure::new(format!(
            "catalog_dirs ({origin}): the folder {} does not exist",
            dir.display()
        ))
        .hint(FILL_CATALOG))
    }

    /// Checks that the files and directories that the configuration names exist.
    ///
    /// # Errors
    /// The first that does not exist.
    pub fn check_paths(&self) -> Result<(), Failure> {
        self.check_catalog_dirs()?;
        for file in &self.configuration.egress.extra_root_certificates {
            std::fs::metadata(file).map_err(|error| {
                Failure::new(format!(
                    "configuration: egress.extra_root_certificates: {}: {error}",
                    file.display()
                ))
            })?;
        }
        Ok(())
    }

    /// The configuration file, if it holds a URL with a password and others than its owner can read it.
    #[must_use]
    pub fn readable_secrets(&self) -> Option<&Path> {
        let urls = [
            ("database_url", &self.configuration.database_url),
            ("redis_url", &self.configuration.redis_url),
        ];
        let file = urls.into_iter().find_map(|(name, url)| {
            let holds = url::Url::parse(url.as_deref()?).is_ok_and(|url| holds_secrets(&url));
            match self.origins.get(name) {
                Some(Origin::File(path)) if holds => Some(path),
                _ => None,
            }
        })?;
        // The file was readable a moment ago, so a failure here does not matter.
        let mode = std::fs::metadata(file).ok()?.permissions().mode();
        (mode & 0o077 != 0).then_some(file.as_path())
    }

    /// `database_url` without its password.
    #[must_use]
    pub fn database_url_shown(&self) -> Option<String> {
        let url = Json::from(self.configuration.database_url.as_deref()?);
        mask_password(&url).as_str().map(str::to_owned)
    }

    #[must_use]
    pub fn shown(&self) -> Vec<Shown> {
        // A configuration serializes by construction; null values would fail the tests.
        let all = serde_json::to_value(&self.configuration).unwrap_or_default();
        let data_dir = Shown {
            name: "data_dir",
            value: Json::from(self.data_dir.display().to_string()),
            origin: self.data_dir_origin.clone(),
        };
        let rest = SETTINGS.iter().map(|&Setting { name, .. }| {
            let value = all
                .pointer(&format!("/{}", name.replace('.', "/")))
                .cloned()
                .unwrap_or_default();
            let value = if matches!(name, "database_url" | "redis_url") {
                mask_password(&value)
            } else {
                value
            };
            Shown {
                name,
                value,
                origin: self.origins.get(name).cloned().unwrap_or(Origin::Default),
            }
        });
        std::iter::once(data_dir).chain(rest).collect()
    }
}

fn data_dir(flags: &Flags, environment: &Environment) -> Result<(PathBuf, Origin), Failure> {
    let (path, origin) = match (&flags.data_dir, environment.get(settings::DATA_DIR)) {
        (Some(path), _) => (path.clone(), Origin::Flag("--data-dir")),
        (None, Some(path)) if !path.is_empty() => (
            PathBuf::from(path),
            Origin::Variable(settings::DATA_DIR.to_owned()),
        ),
        _ => (PathBuf::from(DEFAULT_DATA_DIR), Origin::Default),
    };
    let absolute = std::path::absolute(&path)
        .map_err(|error| Failure::new(format!("data directory {}: {error}", path.display())))?;
    Ok((absolute, origin))
}

type Layer = (Table, BTreeMap<&'static str, Origin>);

/// The values of the file, checked on their own so that an error can name the line.
fn read_file(flags: &Flags, environment: &Environment, data_dir: &Path) -> Result<Layer, Failure> {
    let named = flags.config.clone().or_else(|| {
        environment
            .get(settings::CONFIG)
            .filter(|p| !p.is_empty())
            .map(PathBuf::from)
    });
    let path = std::path::absolute(named.clone().unwrap_or_else(|| data_dir.join(FILE_NAME)))?;
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && named.is_none() => {
            return Ok(Layer::default());
        }
        Err(error) => {
            return Err(Failure::new(format!(
                "configuration file {}: {error}",
                path.display()
            )));
        }
    };
    // Danger: a line of the file may hold a password. So only the message of an error is shown, not its
    // excerpt.
    let wrong = |field: String, error: &toml::de::Error| {
        let line = line_of(&text, error);
        // A text that is not TOML has no values.
        let given = toml::from_str(&text).unwrap_or_default();
        let told = wrong_value::told(&field, Reason::Unparsed(error.message()), &given, None);
        Failure::new(format!("{}, line {line}: {told}", path.display()))
    };
    let checked = toml::Deserializer::parse(&text).map_err(|error| {
        let line = line_of(&text, &error);
        let excerpt = text.lines().nth(line - 1).unwrap_or_default();
        let told = wrong_value::not_toml(excerpt, error.message());
        Failure::new(format!("{}, line {line}: {told}", path.display())).hint(HOW_TO_WRITE)
    })?;
    serde_path_to_error::deserialize::<_, Configuration>(checked)
        .map_err(|error| wrong(error.path().to_string(), error.inner()))?;
    let mut table: Table = toml::from_str(&text).map_err(|error| wrong(String::new(), &error))?;
    let base = path.parent().unwrap_or(data_dir);
    let mut origins = BTreeMap::new();
    for &Setting { name, kind, .. } in SETTINGS {
        if let Some(value) = find(&mut table, name) {
            if matches!(kind, Kind::Path | Kind::PathList) {
                make_absolute(value, base);
            }
            origins.insert(name, Origin::File(path.clone()));
        }
    }
    Ok((table, origins))
}

/// The line that an error is about, from 1 on.
fn line_of(text: &str, error: &toml::de::Error) -> usize {
    let start = error.span().map_or(0, |span| span.start);
    let before = text.get(..start).unwrap_or_default();
    before.matches('\n').count() + 1
}

fn flag_values(flags: &Flags) -> Result<Vec<(&'static str, &'static str, Value)>, Failure> {
    let mut values = Vec::new();
    if let Some(listen) = &flags.listen {
        values.push(("listen", "--listen", Value::from(listen.as_str())));
    }
    if !flags.catalog.is_empty() {
        let here = std::env::current_dir()?;
        let mut list = Value::Array(
            flags
                .catalog
                .iter()
                .map(|dir| Value::from(dir.to_string_lossy().as_ref()))
                .collect(),
        );
        make_absolute(&mut list, &here);
        values.push(("catalog_dirs", "--catalog", list));
    }
    if flags.allow_unsigned {
        values.push(("allow_unsigned", "--allow-unsigned", Value::from(true)));
    }
    Ok(values)
}

/// The message for a variable whose text is not a value of its setting.
fn unreadable(setting: &Setting, text: &str, why: &str) -> String {
    let variable = setting.variable();
    if setting.kind == Kind::Tables {
        // A setting that variables cannot express has no example.
        return format!("{variable}: {why}");
    }
    format!(
        "{variable} is {text:?}; it must be {}, for example {}",
        setting.allowed,
        setting.assignment(&variable)
    )
}

fn parse_variable(text: &str, kind: Kind) -> Result<Value, &'static str> {
    let list = || {
        text.split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty())
            .map(Value::from)
            .collect::<Vec<_>>()
    };
    match kind {
        Kind::Text | Kind::Path => Ok(Value::from(text)),
        Kind::Count | Kind::Seconds | Kind::Milliseconds | Kind::Bytes => text
            .trim()
            .parse::<i64>()
            .map(Value::from)
            .map_err(|_| "expected a whole number"),
        Kind::Dollars => text
            .trim()
            .parse::<f64>()
            .map(Value::from)
            .map_err(|_| "expected a number"),
        Kind::Boolean => text
            .trim()
            .parse::<bool>()
            .map(Value::from)
            .map_err(|_| "expected true or false"),
        Kind::TextList | Kind::PathList => Ok(Value::Array(list())),
        Kind::Tables => Err("this setting can be given in the configuration file only"),
    }
}

/// Fills in what follows from the data directory if nothing else is set.
fn fill_in(configuration: &mut Configuration, data_dir: &Path) {
    configuration
        .database_url
        .get_or_insert_with(|| format!("sqlite://{}", data_dir.join("gtm.db").display()));
    configuration
        .blob_dir
        .get_or_insert_with(|| data_dir.join("blobs"));
    configuration
        .catalog_dirs
        .get_or_insert_with(|| vec![data_dir.join("catalog")]);
}

fn find<'t>(table: &'t mut Table, name: &str) -> Option<&'t mut Value> {
    match name.split_once('.') {
        Some((section, rest)) => find(table.get_mut(section)?.as_table_mut()?, rest),
        None => table.get_mut(name),
    }
}

fn set(table: &mut Table, name: &str, value: Value) {
    match name.split_once('.') {
        Some((section, rest)) => {
            let section = table
                .entry(section)
                .or_insert_with(|| Value::Table(Table::new()));
            if let Some(section) = section.as_table_mut() {
                set(section, rest, value);
            }
        }
        None => drop(table.insert(name.to_owned(), value)),
    }
}

fn make_absolute(value: &mut Value, base: &Path) {
    match value {
        Value::String(path) => *path = base.join(&*path).to_string_lossy().into_owned(),
        Value::Array(items) => items.iter_mut().for_each(|item| make_absolute(item, base)),
        _ => {}
    }
}

/// The URL with its password and all query values masked: drivers also accept passwords and key paths
/// there, under various names.
fn mask_password(url: &Json) -> Json {
    let Some(text) = url.as_str() else {
        return url.clone();
    };
    let Ok(mut parsed) = url::Url::parse(text) else {
        return Json::from(MASK);
    };
    if !holds_secrets(&parsed) {
        return url.clone();
    }
    if parsed.password().is_some() && parsed.set_password(Some(MASK)).is_err() {
        return Json::from(MASK);
    }
    let masked: Vec<String> = parsed
        .query()
        .unwrap_or_default()
        .split('&')
        .map(|pair| match pair.split_once('=') {
            Some((name, _)) => format!("{name}={MASK}"),
            None => MASK.to_owned(),
        })
        .collect();
    if parsed.query().is_some() {
        parsed.set_query(Some(&masked.join("&")));
    }
    parsed.set_fragment(None);
    Json::from(parsed.to_string())
}

/// Whether a URL can hold secrets.
fn holds_secrets(url: &url::Url) -> bool {
    url.password().is_some() || url.query().is_some() || url.fragment().is_some()
}

#[cfg(test)]
mod tests;
