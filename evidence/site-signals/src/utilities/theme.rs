//! The theme of utility classes: the names of colours and typefaces, those that come with the builder and those of the
//! page's own.

use std::collections::BTreeMap;

use super::Version;
use super::literal::Literal;
use crate::css::hex_of;

/// Most names of a theme that are kept.
const MOST: usize = 400;
/// Most families of a list: each class that names the list is written with all of them.
const MOST_FAMILIES: usize = 10;
/// Most themes that a page's scripts may set, each of which may be as long as the scripts.
const MOST_CONFIGS: usize = 4;
/// What a script calls the theme of version 3.
const CONFIG: &str = "tailwind.config";
/// The name of a colour in a group that the group's own name stands for.
const DEFAULT: &str = "DEFAULT";

/// A theme.
#[derive(Debug)]
pub(super) struct Theme {
    version: Version,
    /// Own colours by name.
    colors: BTreeMap<String, String>,
    /// Whether there are no other colours.
    replaces: bool,
    /// Lists of families by name.
    families: BTreeMap<String, String>,
}

impl Theme {
    pub(super) fn of(version: Version, scripts: &str, styles: &str) -> Self {
        let mut theme = Self {
            version,
            colors: BTreeMap::new(),
            replaces: false,
            families: BTreeMap::new(),
        };
        for value in scripts
            .match_indices(CONFIG)
            .filter_map(|(at, name)| scripts.get(at + name.len()..))
            .filter_map(|behind| behind.trim_start().strip_prefix('='))
            .take(MOST_CONFIGS)
        {
            theme.configure(&Literal::read(value));
        }
        // Version 4 has its theme among the styles.
        let mut rest = styles;
        while let Some((block, after)) = rest
            .split_once("@theme")
            .and_then(|(_, block)| block.split_once('{'))
            .and_then(|(_, block)| block.split_once('}'))
        {
            for (name, value) in block.split(';').filter_map(|one| one.split_once(':')) {
                theme.declare(name.trim(), value.trim());
            }
            rest = after;
        }
        theme
    }

    fn configure(&mut self, config: &Literal) {
        if let Some(Literal::Object(own)) = config.member(&["theme", "colors"]) {
            self.replaces = true;
            self.add_colors("", own);
        }
        if let Some(Literal::Object(own)) = config.member(&["theme", "extend", "colors"]) {
            self.add_colors("", own);
        }
        for path in [
            &["theme", "fontFamily"][..],
            &["theme", "extend", "fontFamily"],
        ] {
            let Some(Literal::Object(own)) = config.member(path) else {
                continue;
            };
            for (name, list) in own {
                let families: Vec<&str> = match list {
                    Literal::Text(list) => list.split(',').collect(),
                    Literal::List(items) => items
                        .iter()
                        .filter_map(|item| match item {
                            Literal::Text(family) => Some(family.as_str()),
                            _ => None,
                        })
                        .collect(),
                    _ => continue,
                };
                self.add_families(name, &families);
            }
        }
    }

    /// Adds the colours of an object; those of inner objects are called after both.
    fn add_colors(&mut self, group: &str, members: &[(String, Literal)]) {
        for (name, value) in members {
            let name = match (group, name.as_str()) {
                ("", name) => name.to_owned(),
                (group, DEFAULT) => group.to_owned(),
                (group, name) => format!("{group}-{name}"),
            };
            match value {
                Literal::Text(value) => self.add_color(&name, value),
                Literal::Object(inner) if group.len() < name.len() && is_name(&name) => {
                    self.add_colors(&name, inner);
                }
                _ => {}
            }
        }
    }

    fn add_color(&mut self, name: &str, value: &str) {
        let value = value.replace("<alpha-value>", "1");
        if is_name(name) && is_plain(&value) && self.colors.len() < MOST {
            self.colors.insert(name.to_owned(), value);
        }
    }

    fn add_families(&mut self, name: &str, families: &[&str]) {
        let families: Vec<String> = families
            .iter()
            .filter_map(|family| quoted(family))
            .take(MOST_FAMILIES)
            .collect();
        if is_name(name) && !families.is_empty() && self.families.len() < MOST {
            self.families.insert(name.to_owned(), families.join(","));
        }
    }

    fn declare(&mut self, name: &str, value: &str) {
        if let Some(name) = name.strip_prefix("--color-") {
            self.add_color(name, value);
        } else if let Some(name) = name.strip_prefix("--font-") {
            let families: Vec<&str> = value.split(',').collect();
            self.add_families(name, &families);
        }
    }

    /// What holds on the whole page: the names of the page's own colours, and its typeface.
    pub(super) fn css(&self) -> String {
        let named: String = self
            .colors
            .iter()
            .filter(|(_, value)| hex_of(value).is_some())
            .map(|(name, value)| format!("--color-{name}:{value};"))
            .collect();
        let sans = self.families.get("sans");
        let sans = sans.map(|families| format!("html{{font-family:{families}}}\n"));
        format!(":root{{{named}}}\n{}", sans.unwrap_or_default())
    }

    /// The value of a colour's name, with `opacity` from 0 to 1.
    pub(super) fn color(&self, name: &str, opacity: f32) -> Option<String> {
        let own = self.colors.get(name);
        let known = own
            .map(String::as_str)
            .or_else(|| self.default_color(name))?;
        let hex = hex_of(known);
        match hex {
            Some(hex) if opacity < 1.0 => Some(translucent(&hex, opacity)),
            Some(_) if own.is_some() => Some(format!("var(--color-{name})")),
            None if opacity < 1.0 => None,
            _ => Some(known.to_owned()),
        }
    }

    fn default_color(&self, name: &str) -> Option<&'static str> {
        match name {
            _ if self.replaces => None,
            "black" => Some("#000"),
            "white" => Some("#fff"),
            "transparent" => Some("transparent"),
            "inherit" => Some("inherit"),
            "current" => Some("currentColor"),
            name => default_colors()
                .find(|(known, ..)| *known == name)
                .map(|(_, three, four)| match self.version {
                    Version::Three => three,
                    Version::Four => four,
                }),
        }
    }

    /// The families of a name.
    pub(super) fn families(&self, name: &str) -> Option<&str> {
        self.families.get(name).map(String::as_str)
    }
}

/// The colours that come with the builder: name, value of version 3, value of version 4.
fn default_colors() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    include_str!("colours.tsv").lines().filter_map(|line| {
        let mut cells = line.split('\t');
        Some((cells.next()?, cells.next()?, cells.next()?))
    })
}

/// Whether a custom property holds a colour that comes with the builder, used or not: `--color-sky-600`.
pub(crate) fn is_default_color(property: &str) -> bool {
    property
        .strip_prefix("--color-")
        .is_some_and(|name| default_colors().any(|(known, ..)| known == name))
}

/// A colour as it is with this opacity.
fn translucent(hex: &str, opacity: f32) -> String {
    let alpha = (opacity.clamp(0.0, 1.0) * 255.0).round();
    format!("{hex}{:02x}", alpha as u8)
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 60
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// Whether a value can stand in a rule without ending it.
pub(super) fn is_plain(value: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || " #(),.%/_-+".contains(c);
    let opened = value.matches('(').count();
    !value.is_empty()
        && value.len() <= 120
        && value.chars().all(allowed)
        && opened == value.matches(')').count()
}

/// A family's name as rules write it.
pub(super) fn quoted(family: &str) -> Option<String> {
    let name = family.trim().trim_matches(['"', '\'']).trim();
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.');
    let fits = !name.is_empty() && name.len() <= 60 && name.chars().all(allowed);
    let is_generic = !name.contains(' ') && name.chars().all(|c| c.is_lowercase() || c == '-');
    fits.then(|| {
        if is_generic {
            name.to_owned()
        } else {
            format!("'{name}'")
        }
    })
}
