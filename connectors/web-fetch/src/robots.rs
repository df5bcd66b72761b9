//! robots.txt according to RFC 9309.
//!
//! Decision 0007 says why this is not a library. The rules are short, so they are implemented here, in
//! linear time and without a panic on any bytes.

/// Names the robots.txt group for this connector.
pub(crate) const PRODUCT_TOKEN: &str = "gtm-web-fetch";

/// Maximum bytes of a robots.txt that are read; RFC 9309 requires at least 500 KiB.
pub(crate) const MAX_BYTES: u64 = 512 * 1024;

/// The rules that apply to this connector.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Rules {
    rules: Vec<Rule>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    allow: bool,
    pattern: Vec<u8>,
}

/// Which groups the lines being read belong to.
#[derive(Clone, Copy, PartialEq)]
enum Group {
    Ours,
    Everyone,
    Others,
}

impl Rules {
    /// Reads a robots.txt. Groups that name this connector take precedence over the group for everyone;
    /// several groups with one name count as one.
    pub(crate) fn parse(text: &str) -> Self {
        let mut ours = Vec::new();
        let mut everyone = Vec::new();
        let mut is_named = false;
        let mut groups: Vec<Group> = Vec::new();
        let mut reading_names = false;
        for line in text.trim_start_matches('\u{FEFF}').split(['\n', '\r']) {
            let line = line.split('#').next().unwrap_or_default();
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            let value = value.trim();
            match key.trim().to_ascii_lowercase().as_str() {
                "user-agent" => {
                    if !reading_names {
                        groups.clear();
                    }
                    reading_names = true;
                    let group = group_of(value);
                    is_named |= group == Group::Ours;
                    groups.push(group);
                }
                key @ ("allow" | "disallow") => {
                    reading_names = false;
                    // An empty pattern matches nothing.
                    if value.is_empty() {
                        continue;
                    }
                    let rule = Rule {
                        allow: key == "allow",
                        pattern: canonical(value),
                    };
                    if groups.contains(&Group::Ours) {
                        ours.push(rule);
                    } else if groups.contains(&Group::Everyone) {
                        everyone.push(rule);
                    }
                }
                // Other records (sitemap, crawl-delay) do not end a group.
                _ => {}
            }
        }
        Self {
            rules: if is_named { ours } else { everyone },
        }
    }

    /// Whether a path, including its query, may be fetched: the longest matching pattern decides, and of
    /// two equally long ones the one that allows.
    pub(crate) fn allows(&self, path: &str) -> bool {
        let path = canonical(path);
        self.rules
            .iter()
            .filter(|rule| matches(&rule.pattern, &path))
            .max_by_key(|rule| (rule.pattern.len(), rule.allow))
            .is_none_or(|rule| rule.allow)
    }
}

fn group_of(value: &str) -> Group {
    if value == "*" {
        return Group::Everyone;
    }
    // A name ends at the first character that a product token cannot contain, as in `bot/1.0`.
    let name = value
        .split(|c: char| !(c.is_ascii_alphabetic() || c == '-' || c == '_'))
        .next()
        .unwrap_or_default();
    if name.eq_ignore_ascii_case(PRODUCT_TOKEN) {
        Group::Ours
    } else {
        Group::Others
    }
}

/// Percent-encodes what is not ASCII and puts existing escapes in upper case, so that two spellings of one
/// path are equal (RFC 9309, 2.2.2). Escapes of unreserved characters are resolved.
fn canonical(path: &str) -> Vec<u8> {
    let bytes = path.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let escaped = (byte == b'%')
            .then(|| Some((hex(*bytes.get(at + 1)?)?, hex(*bytes.get(at + 2)?)?)))
            .flatten();
        let (value, width) = match escaped {
            Some((high, low)) => (high << 4 | low, 3),
            None => (byte, 1),
        };
        let plain = value.is_ascii_alphanumeric() || b"-._~".contains(&value);
        if plain || (width == 1 && value.is_ascii()) {
            out.push(value);
        } else {
            out.extend_from_slice(format!("%{value:02X}").as_bytes());
        }
        at += width;
    }
    out
}

fn hex(byte: u8) -> Option<u8> {
    char::from(byte)
        .to_digit(16)
        .and_then(|digit| u8::try_from(digit).ok())
}

/// Whether a pattern matches the beginning of a path. `*` stands for any run of characters, and a `$` at
/// the end for the end of the path. The greedy search backtracks only to the last `*`, which is enough for
/// an unanchored pattern and limits the work to the product of the lengths.
fn matches(pattern: &[u8], path: &[u8]) -> bool {
    let (pattern, anchored) = match pattern.split_last() {
        Some((b'$', head)) => (head, true),
        _ => (pattern, false),
    };
    let (mut in_pattern, mut in_path) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    loop {
        match pattern.get(in_pattern) {
            Some(b'*') => {
                star = Some((in_pattern, in_path));
                in_pattern += 1;
                continue;
            }
            Some(expected) if path.get(in_path) == Some(expected) => {
                in_pattern += 1;
                in_path += 1;
                continue;
            }
            None if !anchored || in_path == path.len() => return true,
            _ => {}
        }
        // Mismatch: let the last star match one more character.
        match star {
            Some((star_pattern, star_path)) if star_path < path.len() => {
                star = Some((star_pattern, star_path + 1));
                in_pattern = star_pattern + 1;
                in_path = star_path + 1;
            }
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn allowed(robots: &str, path: &str) -> bool {
        Rules::parse(robots).allows(path)
    }

    #[test]
    fn our_group_wins_over_everyone() {
        let robots = "User-agent: *\nDisallow: /\n\nUser-Agent: other\nUSER-AGENT: Gtm-Web-Fetch/2.0\nDisallow: /private # mine\n";
        assert!(allowed(robots, "/"));
        assert!(!allowed(robots, "/private/x"));
        let empty = "User-agent: *\nDisallow: /\nUser-agent: gtm-web-fetch\nDisallow:\n";
        assert!(allowed(empty, "/anything"));
    }

    #[test]
    fn groups_of_one_name_are_one() {
        let robots = "User-agent: gtm-web-fetch\nDisallow: /a\nUser-agent: x\nDisallow: /\nUser-agent: gtm-web-fetch\nDisallow: /b\n";
        assert!(!allowed(robots, "/a"));
        assert!(!allowed(robots, "/b"));
        assert!(allowed(robots, "/c"));
    }

    #[test]
    fn the_longest_pattern_decides() {
        let robots =
            "User-agent: *\nDisallow: /shop\nAllow: /shop/public\nDisallow: /x\nAllow: /x\n";
        assert!(!allowed(robots, "/shop/cart"));
        assert!(allowed(robots, "/shop/public/1"));
        assert!(allowed(robots, "/x"));
    }

    #[test]
    fn wildcards_and_ends_are_known() {
        let robots = "User-agent: *\r\nDisallow: /*.pdf$\r\nDisallow: /a*/b*c\r\nSitemap: https://x.example/s.xml\r\nDisallow: *?print=\r\n";
        assert!(!allowed(robots, "/docs/x.pdf"));
        assert!(allowed(robots, "/docs/x.pdf?v=1"));
        assert!(!allowed(robots, "/aa/bb/b1c2"));
        assert!(allowed(robots, "/aa/b"));
        assert!(!allowed(robots, "/page?print=1"));
        assert!(!allowed("User-agent: *\nDisallow: /*a$", "/bab/a"));
    }

    #[test]
    fn spellings_of_a_path_are_equal() {
        let robots = "User-agent: *\nDisallow: /über\nDisallow: /%7euser\nDisallow: /a%2fb\n";
        assert!(!allowed(robots, "/%c3%bcber/uns"));
        assert!(!allowed(robots, "/~user"));
        assert!(!allowed(robots, "/a%2Fb"));
        assert!(allowed(robots, "/a/b"));
    }

    #[test]
    fn what_is_no_robots_txt_allows_all() {
        assert!(allowed("", "/"));
        assert!(allowed(
            "<!doctype html><title>Not found: sorry</title>",
            "/"
        ));
        assert!(allowed("Disallow: /", "/"));
    }

    #[test]
    fn hostile_patterns_end() {
        let robots = format!("User-agent: *\nDisallow: /{}x$\n", "*a".repeat(2000));
        assert!(allowed(&robots, &format!("/{}", "a".repeat(4000))));
    }

    proptest! {
        #[test]
        fn no_file_and_no_path_panics(robots in any::<String>(), path in any::<String>()) {
            let text = format!("User-agent: *\nDisallow: {robots}\n{robots}");
            let _ = Rules::parse(&text).allows(&path);
        }

        /// Compares the matcher with a recursive definition.
        #[test]
        fn matching_is_as_defined(pattern in "[ab*]{0,8}\\$?", path in "[ab]{0,8}") {
            fn defined(pattern: &[u8], path: &[u8]) -> bool {
                match pattern {
                    [] => true,
                    [b'$'] => path.is_empty(),
                    [b'*', rest @ ..] => (0..=path.len()).any(|skip| defined(rest, &path[skip..])),
                    [first, rest @ ..] => path.first() == Some(first) && defined(rest, &path[1..]),
                }
            }
            prop_assert_eq!(matches(pattern.as_bytes(), path.as_bytes()), defined(pattern.as_bytes(), path.as_bytes()));
        }
    }
}
