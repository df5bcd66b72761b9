//! Sheets that a sheet imports.

use cssparser::{ParseError, Parser, Token};

use super::declaration::skip_block;
use super::rules::asks_for_dark;

/// Most imports of one sheet.
const MOST: usize = 40;

/// The addresses, as written, of the sheets that CSS imports for ordinary screens and the light scheme. Imports
/// stand before all rules, so reading ends at the first of these.
pub fn imports(css: &str) -> Vec<String> {
    let mut parser = Parser::new(css);
    let mut found = Vec::new();
    while found.len() < MOST {
        match parser.next().cloned() {
            Ok(Token::AtKeyword(name)) if name.eq_ignore_ascii_case("import") => {
                found.extend(import(&mut parser));
            }
            Ok(Token::AtKeyword(name))
                if name.eq_ignore_ascii_case("charset") || name.eq_ignore_ascii_case("layer") =>
            {
                rest(&mut parser);
            }
            Ok(Token::CDO | Token::CDC | Token::Semicolon) => {}
            _ => break,
        }
    }
    found
}

/// What follows `@import`: the address, then conditions.
fn import(parser: &mut Parser<'_>) -> Option<String> {
    let address = match parser.next().cloned() {
        Ok(Token::QuotedString(address) | Token::UnquotedUrl(address)) => address.to_string(),
        Ok(Token::Function(name)) if name.eq_ignore_ascii_case("url") => {
            let read: Result<String, ParseError<()>> =
                parser.parse_nested_block(|inner| Ok(inner.expect_string()?.to_string()));
            read.ok()?
        }
        _ => return None,
    };
    let conditions = rest(parser).to_ascii_lowercase();
    let elsewhere = (conditions.contains("print") || conditions.contains("speech"))
        && !conditions.contains("screen");
    (!address.trim().is_empty() && !elsewhere && !asks_for_dark(&conditions))
        .then(|| address.trim().to_owned())
}

/// The rest of a statement.
fn rest<'i>(parser: &mut Parser<'i>) -> &'i str {
    let start = parser.position();
    loop {
        let before = parser.position();
        match parser.next().cloned() {
            Ok(Token::Semicolon) | Err(_) => return parser.slice(start..before),
            Ok(token) => skip_block(parser, &token),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_stand_before_all_rules() {
        let css = "@charset 'utf-8';/* x */ @import 'a.css'; @IMPORT url(b.css) screen;@import url(\"c.css\") layer(base);\
            @import 'print.css' print; @import url(d.css) (prefers-color-scheme: dark); @layer x, y; @import '';\
            body{color:red} @import 'late.css';";
        assert_eq!(imports(css), ["a.css", "b.css", "c.css"]);
        assert_eq!(imports("@import"), Vec::<String>::new());
        assert_eq!(imports("body{}"), Vec::<String>::new());
    }
}
