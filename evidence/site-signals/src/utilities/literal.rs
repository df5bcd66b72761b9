//! Reads an object as a script writes it: names without quotes, comments, trailing commas. Whatever has to be computed
//! is left out.

/// How deep objects are read.
const DEEPEST: usize = 8;

/// A value of a script.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Literal {
    Text(String),
    List(Vec<Literal>),
    Object(Vec<(String, Literal)>),
    /// Something that has to be computed, or a number.
    Other,
}

impl Literal {
    /// The value that begins a text.
    pub(super) fn read(text: &str) -> Self {
        let mut reader = Reader {
            rest: text,
            depth: 0,
        };
        reader.value()
    }

    /// A member of an object, by the names on the way to it.
    pub(super) fn member(&self, path: &[&str]) -> Option<&Self> {
        let Some((first, rest)) = path.split_first() else {
            return Some(self);
        };
        let Self::Object(members) = self else {
            return None;
        };
        let (_, value) = members.iter().rev().find(|(name, _)| name == first)?;
        value.member(rest)
    }
}

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl Reader<'_> {
    fn value(&mut self) -> Literal {
        self.skip_blanks();
        let read = match self.rest.chars().next() {
            Some('{') if self.depth < DEEPEST => self.object(),
            Some('[') if self.depth < DEEPEST => self.list(),
            Some('"' | '\'' | '`') => self.text().map_or(Literal::Other, Literal::Text),
            _ => Literal::Other,
        };
        self.skip_blanks();
        let ends = matches!(
            self.rest.chars().next(),
            None | Some(',' | '}' | ']' | ')' | ';' | '\n')
        );
        // What follows makes it an expression. Behind the outermost object stands the rest of the script.
        if ends || self.depth == 0 {
            return read;
        }
        self.skip_value();
        Literal::Other
    }

    fn object(&mut self) -> Literal {
        self.take_char();
        self.depth += 1;
        let mut members = Vec::new();
        loop {
            self.skip_blanks();
            match self.rest.chars().next() {
                None => break,
                Some('}') => {
                    self.take_char();
                    break;
                }
                Some(',') => {
                    self.take_char();
                    continue;
                }
                _ => {}
            }
            let name = self.name();
            self.skip_blanks();
            match name {
                Some(name) if self.rest.starts_with(':') => {
                    self.take_char();
                    let value = self.value();
                    members.push((name, value));
                }
                _ => {
                    let before = self.rest.len();
                    self.skip_value();
                    // A bracket that closes nothing.
                    if self.rest.len() == before {
                        self.take_char();
                    }
                }
            }
        }
        self.depth -= 1;
        Literal::Object(members)
    }

    fn list(&mut self) -> Literal {
        self.take_char();
        self.depth += 1;
        let mut items = Vec::new();
        loop {
            self.skip_blanks();
            match self.rest.chars().next() {
                None => break,
                Some(']') => {
                    self.take_char();
                    break;
                }
                Some(',') => self.take_char(),
                _ => {
                    let before = self.rest.len();
                    items.push(self.value());
                    if self.rest.len() == before {
                        self.take_char();
                    }
                }
            }
        }
        self.depth -= 1;
        Literal::List(items)
    }

    fn name(&mut self) -> Option<String> {
        if self.rest.starts_with(['"', '\'']) {
            return self.text();
        }
        let end = self
            .rest
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$')))
            .unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        (!name.is_empty()).then(|| name.to_owned())
    }

    /// A text in quotation marks. What stands behind a backslash is taken as it is.
    fn text(&mut self) -> Option<String> {
        let mut chars = self.rest.char_indices();
        let (_, quote) = chars.next()?;
        let mut text = String::new();
        while let Some((at, c)) = chars.next() {
            match c {
                '\\' => text.extend(chars.next().map(|(_, escaped)| escaped)),
                c if c == quote => {
                    self.rest = self.rest.get(at + c.len_utf8()..)?;
                    return Some(text);
                }
                c => text.push(c),
            }
        }
        self.rest = "";
        None
    }

    /// Goes on to the end of a value: the comma or bracket that belongs to what contains it.
    fn skip_value(&mut self) {
        let mut open = 0_usize;
        loop {
            self.skip_blanks();
            match self.rest.chars().next() {
                None => return,
                Some('"' | '\'' | '`') => {
                    self.text();
                }
                Some('{' | '[' | '(') => {
                    open += 1;
                    self.take_char();
                }
                Some('}' | ']' | ')') => {
                    if open == 0 {
                        return;
                    }
                    open -= 1;
                    self.take_char();
                }
                Some(',') if open == 0 => return,
                Some(_) => self.take_char(),
            }
        }
    }

    fn take_char(&mut self) {
        let mut chars = self.rest.chars();
        chars.next();
        self.rest = chars.as_str();
    }

    /// Skips white space and comments.
    fn skip_blanks(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            let comment = if self.rest.starts_with("//") {
                self.rest.split_once('\n')
            } else if self.rest.starts_with("/*") {
                self.rest.split_once("*/")
            } else {
                return;
            };
            self.rest = comment.map_or("", |(_, rest)| rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(of: &str) -> Literal {
        Literal::Text(of.to_owned())
    }

    #[test]
    fn an_object_of_a_script_is_read() {
        let object = Literal::read(
            "{ // the theme\n darkMode: 'class', content: [], theme: { extend: { colors: { 'ink': \"#0a2540\", /* old */ \
             brand: { DEFAULT: `#f80`, 50: '#fff4e5', }, }, fontFamily: { sans: ['Inter', ...rest.sans, 'sans-serif'] }, }, }, \
             plugins: [require('x')({ a: 1 })], f() { return { colors: 1 } }, }; more()",
        );
        let member = |path: &[&str]| object.member(path).cloned();
        let colors = ["theme", "extend", "colors"];
        let of = |names: &[&str]| member(&[&colors[..], names].concat());
        assert_eq!(of(&["ink"]), Some(text("#0a2540")));
        assert_eq!(of(&["brand", "DEFAULT"]), Some(text("#f80")));
        assert_eq!(of(&["brand", "50"]), Some(text("#fff4e5")));
        assert_eq!(
            member(&["theme", "extend", "fontFamily", "sans"]),
            Some(Literal::List(vec![
                text("Inter"),
                Literal::Other,
                text("sans-serif")
            ]))
        );
        assert_eq!(
            member(&["plugins"]),
            Some(Literal::List(vec![Literal::Other]))
        );
        assert_eq!(member(&["f"]), None);
    }

    #[test]
    fn what_is_computed_or_broken_is_left_out() {
        for broken in [
            "{ a: 'b' + c, d: '#111' }",
            "{ a: colors.red, d: '#111' }",
            "{ a: x ? {} : [], d: '#111'",
        ] {
            let object = Literal::read(broken);
            assert_eq!(object.member(&["a"]), Some(&Literal::Other), "{broken}");
            assert_eq!(object.member(&["d"]), Some(&text("#111")), "{broken}");
        }
        for endless in [
            "{",
            "[[[[[[[[[[[[[[[[",
            "{a:",
            "'",
            "{'a",
            "{[x]: 1",
            "{a:}",
            "[)",
        ] {
            Literal::read(endless);
        }
    }
}
