//! The store's source files, parsed for the statements in them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use syn::spanned::Spanned as _;
use syn::{Attribute, ImplItem, ImplItemFn, Item, ItemFn, LitStr, Signature, Visibility};

/// Functions of sqlx whose first argument is a statement.
pub(super) const QUERIES: [&str; 7] = [
    "query",
    "query_as",
    "query_scalar",
    "query_with",
    "query_as_with",
    "query_scalar_with",
    "raw_sql",
];
/// Marks a text that was built at run time.
pub(super) const ASSERTED: &str = "AssertSqlSafe";

/// Words that a statement can begin with.
const FIRST_WORDS: [&str; 22] = [
    "SELECT",
    "INSERT",
    "UPDATE",
    "DELETE",
    "WITH",
    "VALUES",
    "PRAGMA",
    "BEGIN",
    "COMMIT",
    "ROLLBACK",
    "SAVEPOINT",
    "RELEASE",
    "SET",
    "CREATE",
    "ALTER",
    "DROP",
    "EXPLAIN",
    "VACUUM",
    "ANALYZE",
    "LOCK",
    "TRUNCATE",
    "NOTIFY",
];

/// File, line and column.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub file: String,
    pub line: usize,
    column: usize,
}

impl Place {
    pub(super) fn of(file: &str, span: Span) -> Self {
        let start = span.start();
        Self {
            file: file.to_owned(),
            line: start.line,
            column: start.column,
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

pub(super) struct Function {
    pub name: String,
    pub signature: Signature,
    pub body: syn::Block,
    pub private: bool,
}

/// One source file without its tests.
pub(super) struct Source {
    /// Path below `src`, with slashes.
    pub name: String,
    functions: Vec<Function>,
    /// Constants and statics by name.
    pub constants: BTreeMap<String, syn::Expr>,
    /// Positions of the tokens that create a statement.
    pub marks: BTreeSet<Place>,
    /// Literals that begin like a statement.
    pub literals: BTreeMap<Place, String>,
}

impl Source {
    pub(super) fn parse(name: &str, text: &str) -> Self {
        let file = syn::parse_file(text).unwrap();
        let tests: Vec<(usize, usize)> = file
            .items
            .iter()
            .filter(|item| attributes(item).iter().any(is_test))
            .map(|item| (item.span().start().line, item.span().end().line))
            .collect();
        let mut items = file.items;
        items.retain(|item| !attributes(item).iter().any(is_test));
        let mut source = Self {
            name: name.to_owned(),
            functions: Vec::new(),
            constants: BTreeMap::new(),
            marks: BTreeSet::new(),
            literals: BTreeMap::new(),
        };
        for item in &items {
            source.index(item);
        }
        let in_a_test = |place: &Place| {
            tests
                .iter()
                .any(|(from, to)| (*from..=*to).contains(&place.line))
        };
        source.scan(text.parse().unwrap());
        source.marks.retain(|place| !in_a_test(place));
        source.literals.retain(|place, _| !in_a_test(place));
        source
    }

    fn index(&mut self, item: &Item) {
        match item {
            Item::Const(constant) => {
                let value = (*constant.expr).clone();
                self.constants.insert(constant.ident.to_string(), value);
            }
            Item::Static(constant) => {
                let value = (*constant.expr).clone();
                self.constants.insert(constant.ident.to_string(), value);
            }
            Item::Fn(ItemFn {
                vis, sig, block, ..
            }) => self.add(vis, sig, block),
            Item::Impl(implementation) => {
                for member in &implementation.items {
                    if let ImplItem::Fn(ImplItemFn {
                        vis, sig, block, ..
                    }) = member
                    {
                        self.add(vis, sig, block);
                    }
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, vis: &Visibility, signature: &Signature, body: &syn::Block) {
        self.functions.push(Function {
            name: signature.ident.to_string(),
            signature: signature.clone(),
            body: body.clone(),
            private: matches!(vis, Visibility::Inherited),
        });
    }

    pub(super) fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// The only function with this name; `None` if several have it, because a call does not show which it
    /// means.
    pub(super) fn function(&self, name: &str) -> Option<&Function> {
        let mut named = self.functions.iter().filter(|f| f.name == name);
        match (named.next(), named.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        }
    }

    /// Looks at every token, including those within macros.
    fn scan(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => self.scan(group.stream()),
                TokenTree::Ident(word) => {
                    let name = word.to_string();
                    let counts = name == ASSERTED || QUERIES.contains(&name.as_str());
                    let defined = at > 0
                        && matches!(&tokens[at - 1], TokenTree::Ident(before) if before == "fn");
                    if (counts && !defined && is_called(&tokens[at + 1..]))
                        || name == "QueryBuilder"
                    {
                        self.marks.insert(Place::of(&self.name, word.span()));
                    }
                }
                TokenTree::Literal(literal) => {
                    let Ok(text) = syn::parse_str::<LitStr>(&literal.to_string()) else {
                        continue;
                    };
                    let text = text.value();
                    let first = text.split(|c: char| !c.is_ascii_alphabetic()).next();
                    if first.is_some_and(|word| FIRST_WORDS.contains(&word)) {
                        let place = Place::of(&self.name, literal.span());
                        self.literals.insert(place, text);
                    }
                }
                TokenTree::Punct(_) => {}
            }
        }
    }
}

/// Whether the tokens after a name call it: parentheses, possibly after `::<…>`.
fn is_called(rest: &[TokenTree]) -> bool {
    match rest {
        [TokenTree::Group(group), ..] => group.delimiter() == Delimiter::Parenthesis,
        [
            TokenTree::Punct(one),
            TokenTree::Punct(two),
            TokenTree::Punct(angle),
            ..,
        ] => [one.as_char(), two.as_char(), angle.as_char()] == [':', ':', '<'],
        _ => false,
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn is_test(attribute: &Attribute) -> bool {
    let syn::Meta::List(list) = &attribute.meta else {
        return false;
    };
    list.path.is_ident("cfg") && list.tokens.to_string() == "test"
}

/// The store's files, without its test modules.
pub(super) fn of_the_store() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let text = std::fs::read_to_string(root.join("lib.rs")).unwrap();
    let tests: Vec<String> = syn::parse_file(&text)
        .unwrap()
        .items
        .into_iter()
        .filter(|item| attributes(item).iter().any(is_test))
        .filter_map(|item| match item {
            Item::Mod(module) => Some(module.ident.to_string()),
            _ => None,
        })
        .collect();
    let mut names = Vec::new();
    list(&root, "", &mut names);
    names.retain(|name| {
        let first = name.split(['/', '.']).next().unwrap_or_default();
        !tests.iter().any(|test| test == first)
    });
    names.sort();
    names
        .iter()
        .map(|name| {
            let text = std::fs::read_to_string(root.join(name)).unwrap();
            Source::parse(name, &text)
        })
        .collect()
}

fn list(folder: &Path, below: &str, names: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{below}{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            list(&entry.path(), &format!("{name}/"), names);
        } else if name.ends_with(".rs") {
            names.push(name);
        }
    }
}
