//! Source text with its mutants compiled in. Each mutant is a switch beside the rule that it breaks; the
//! environment variable [`VARIABLE`] of a test program turns one of them on. So all of them cost only one
//! build.
//!
//! Switches are only inserted, and without line breaks, so that the lines of compiler errors still match.

use std::fmt::Write as _;

use anyhow::{Context as _, Result};
use proc_macro2::{Span, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, BinOp, Expr, Lit, Pat, UnOp};

use super::subjects::Rules;

/// Holds the number of the mutant that is turned on.
pub const VARIABLE: &str = "GTM_MUTANT";

/// A rule that can be broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub number: usize,
    /// Line of the file, from 1.
    pub line: usize,
    /// The source text of the rule.
    pub rule: String,
}

/// A file with switches.
pub struct Switched {
    pub text: String,
    pub places: Vec<Place>,
    /// Lines of rules that cannot have a switch: those in constants and in macro statements.
    pub left_out: Vec<usize>,
    /// The number of the next mutant.
    pub next: usize,
}

/// Puts a switch beside each rule in these functions; in all functions if the list is empty. Numbers start at
/// `first`; a number in `without` is used up but gets no switch.
pub fn switched(
    text: &str,
    functions: &[&str],
    rules: Rules,
    first: usize,
    without: &[usize],
) -> Result<Switched> {
    let file = syn::parse_file(text).context("is no Rust that can be read")?;
    let mut switches = Switches {
        source: text,
        functions,
        rules,
        next: first,
        without,
        inside: false,
        put_in: Vec::new(),
        places: Vec::new(),
        left_out: Vec::new(),
    };
    switches.visit_file(&file);
    // A stable sort keeps insertions at the same place in order, the outer before the inner.
    switches.put_in.sort_by_key(|(place, _)| *place);
    let mut all = String::with_capacity(text.len() * 2);
    let mut from = 0;
    for (place, new) in &switches.put_in {
        all.push_str(&text[from..*place]);
        all.push_str(new);
        from = *place;
    }
    all.push_str(&text[from..]);
    if !switches.places.is_empty() {
        let _ = write!(
            all,
            "\nfn mutant_chosen() -> usize {{ static CHOSEN: std::sync::OnceLock<usize> = std::sync::OnceLock::new(); \
             *CHOSEN.get_or_init(|| std::env::var(\"{VARIABLE}\").ok().and_then(|n| n.parse().ok()).unwrap_or(0)) }}\n\
             #[allow(dead_code)]\nfn mutant(number: usize) -> bool {{ mutant_chosen() == number }}\n"
        );
    }
    Ok(Switched {
        text: all,
        places: switches.places,
        left_out: switches.left_out,
        next: switches.next,
    })
}

struct Switches<'s> {
    source: &'s str,
    functions: &'s [&'s str],
    rules: Rules,
    next: usize,
    without: &'s [usize],
    /// Whether the visitor is inside one of the wanted functions.
    inside: bool,
    put_in: Vec<(usize, String)>,
    places: Vec<Place>,
    left_out: Vec<usize>,
}

impl Switches<'_> {
    /// The number of a new mutant; `None` if this mutant is not wanted.
    fn number(&mut self, at: Span, rule: &str) -> Option<usize> {
        let number = self.next;
        self.next += 1;
        if self.without.contains(&number) {
            return None;
        }
        self.places.push(Place {
            number,
            line: at.start().line,
            rule: rule.to_owned(),
        });
        Some(number)
    }

    fn put(&mut self, at: usize, text: impl Into<String>) {
        self.put_in.push((at, text.into()));
    }

    /// Negates an expression while its mutant is on. `inner` visits its parts.
    fn negate(&mut self, whole: Span, at: Span, rule: &str, inner: impl FnOnce(&mut Self)) {
        let number = self.number(at, rule);
        if number.is_some() {
            self.put(whole.byte_range().start, "((");
        }
        inner(self);
        if let Some(number) = number {
            self.put(whole.byte_range().end, format!(") ^ mutant({number}))"));
        }
    }

    /// Visits a function's body if the function is one of those wanted.
    fn function(&mut self, signature: &syn::Signature, visit: impl FnOnce(&mut Self)) {
        let named =
            self.functions.is_empty() || self.functions.iter().any(|name| signature.ident == name);
        // Constant evaluation cannot read an environment variable.
        if signature.constness.is_some() || !(named || self.inside) {
            return;
        }
        let before = std::mem::replace(&mut self.inside, true);
        visit(self);
        self.inside = before;
    }

    /// Records the rules in a constant as left out.
    fn constant(&mut self, value: &Expr) {
        if self.rules == Rules::Scopes {
            for (span, literal) in literals_of(quote_of(value)) {
                self.left_out
                    .extend(predicates(&literal).iter().map(|_| span.start().line));
            }
        }
    }

    /// Chooses between texts: the original, and one for each rule in its literals.
    fn choose(&mut self, whole: Span, literals: &[(Span, String)]) {
        let mut arms = String::new();
        let range = whole.byte_range();
        let source = &self.source[range.clone()];
        for (span, literal) in literals {
            let own = span.byte_range();
            let (before, after) = (
                &source[..own.start - range.start],
                &source[own.end - range.start..],
            );
            for (place, broken) in predicates(literal) {
                if let Some(number) = self.number(*span, &place) {
                    let _ = write!(
                        arms,
                        "{number} => {}{broken:?}{}, ",
                        on_one_line(before),
                        on_one_line(after)
                    );
                }
            }
        }
        if !arms.is_empty() {
            self.put(
                range.start,
                format!("(match mutant_chosen() {{ {arms}_ => "),
            );
            self.put(range.end, "})");
        }
    }
}

impl<'ast> Visit<'ast> for Switches<'_> {
    fn visit_attribute(&mut self, _: &'ast Attribute) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    /// Skips inner modules, tests among them: the function that reads the variable is not in scope there.
    fn visit_item_mod(&mut self, _: &'ast syn::ItemMod) {}

    fn visit_pat(&mut self, pattern: &'ast Pat) {
        if let Pat::Guard(guard) = pattern {
            self.visit_expr(&guard.guard);
        }
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.constant(&item.expr);
    }
    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.constant(&item.expr);
    }
    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.constant(&item.expr);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, |this| visit::visit_block(this, &item.block));
    }
    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig, |this| visit::visit_block(this, &item.block));
    }

    fn visit_stmt_macro(&mut self, statement: &'ast syn::StmtMacro) {
        if self.inside && self.rules == Rules::Scopes {
            for (span, literal) in literals_of(statement.mac.tokens.clone()) {
                self.left_out
                    .extend(predicates(&literal).iter().map(|_| span.start().line));
            }
        }
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        if !self.inside {
            return;
        }
        match self.rules {
            Rules::Scopes => match expression {
                Expr::Lit(literal) => {
                    if let Lit::Str(text) = &literal.lit {
                        self.choose(literal.span(), &[(text.span(), text.value())]);
                    }
                }
                Expr::Macro(call) => {
                    self.choose(call.span(), &literals_of(call.mac.tokens.clone()));
                }
                _ => visit::visit_expr(self, expression),
            },
            Rules::Logic => self.logic(expression),
        }
    }
}

impl Switches<'_> {
    fn logic(&mut self, expression: &Expr) {
        let whole = expression.span();
        match expression {
            Expr::Binary(binary) => {
                let at = binary.op.span();
                let operator = self.source[at.byte_range()].to_owned();
                match binary.op {
                    BinOp::And(_) | BinOp::Or(_) if !binds(expression) => {
                        self.exchange(binary, &operator);
                    }
                    BinOp::Eq(_)
                    | BinOp::Ne(_)
                    | BinOp::Lt(_)
                    | BinOp::Le(_)
                    | BinOp::Gt(_)
                    | BinOp::Ge(_) => self.negate(whole, at, &operator, |this| {
                        visit::visit_expr_binary(this, binary);
                    }),
                    _ => visit::visit_expr_binary(self, binary),
                }
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) && !says(&unary.expr) => {
                self.negate(whole, whole, "!", |this| {
                    visit::visit_expr_unary(this, unary);
                });
            }
            Expr::Lit(literal) => {
                if let Lit::Bool(value) = &literal.lit {
                    let rule = if value.value { "true" } else { "false" };
                    self.negate(whole, whole, rule, |_| {});
                }
            }
            Expr::Macro(call) if call.mac.path.is_ident("matches") => {
                self.negate(whole, whole, "matches!", |_| {});
            }
            Expr::MethodCall(call) => match (call.method.to_string().as_str(), call.args.first()) {
                // `any` and `all` turn into each other when negated both inside and outside.
                (
                    name @ ("any" | "all" | "is_some_and" | "is_none_or"),
                    Some(Expr::Closure(test)),
                ) => {
                    let Some(number) = self.number(call.method.span(), name) else {
                        visit::visit_expr_method_call(self, call);
                        return;
                    };
                    let said = test.body.span().byte_range();
                    self.put(whole.byte_range().start, "((");
                    self.visit_expr(&call.receiver);
                    self.put(said.start, "((");
                    self.visit_expr(&test.body);
                    self.put(said.end, format!(") ^ mutant({number}))"));
                    self.put(whole.byte_range().end, format!(") ^ mutant({number}))"));
                }
                _ => visit::visit_expr_method_call(self, call),
            },
            _ => visit::visit_expr(self, expression),
        }
    }

    /// `a && b` becomes `a
    ///
    /// b` and vice versa: negates both operands and the result.
    fn exchange(&mut self, binary: &syn::ExprBinary, operator: &str) {
        let Some(number) = self.number(binary.op.span(), operator) else {
            visit::visit_expr_binary(self, binary);
            return;
        };
        let switch = format!(") ^ mutant({number}))");
        self.put(binary.span().byte_range().start, "((((");
        self.visit_expr(&binary.left);
        self.put(binary.left.span().byte_range().end, switch.clone());
        self.put(binary.right.span().byte_range().start, "((");
        self.visit_expr(&binary.right);
        self.put(binary.right.span().byte_range().end, switch.clone());
        self.put(binary.span().byte_range().end, switch);
    }
}

/// Whether a chain of conditions binds names, so that it cannot be negated.
fn binds(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
            binds(&binary.left) || binds(&binary.right)
        }
        _ => false,
    }
}

/// Whether an expression gets a negating switch of its own, which makes a second one redundant.
fn says(expression: &Expr) -> bool {
    match expression {
        Expr::Paren(inner) => says(&inner.expr),
        Expr::Macro(call) => call.mac.path.is_ident("matches"),
        Expr::Binary(_) => true,
        _ => false,
    }
}

fn quote_of(expression: &Expr) -> TokenStream {
    match expression {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => TokenTree::from(text.token()).into(),
            _ => TokenStream::new(),
        },
        Expr::Macro(call) => call.mac.tokens.clone(),
        _ => TokenStream::new(),
    }
}

/// The string literals among tokens, with their values.
fn literals_of(tokens: TokenStream) -> Vec<(Span, String)> {
    let mut found = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => found.extend(literals_of(group.stream())),
            TokenTree::Literal(literal) => {
                if let Lit::Str(text) = Lit::new(literal) {
                    found.push((text.span(), text.value()));
                }
            }
            _ => {}
        }
    }
    found
}

/// Columns that say which tenant owns a row.
const OWNERS: [&str; 2] = ["project_id", "organization_id"];

/// Each comparison of an owner column with a value, and the SQL that makes it ineffective.
fn predicates(sql: &str) -> Vec<(String, String)> {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for owner in OWNERS {
        // The value follows in the next part of the query's text.
        if sql == format!("{owner} =") {
            found.push((sql.to_owned(), format!("TRUE OR {sql}")));
        }
        for (place, _) in sql.match_indices(owner) {
            if sql[..place].ends_with(part) {
                continue;
            }
            let Some(rest) = sql[place + owner.len()..].strip_prefix(" = $") else {
                continue;
            };
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            if digits == 0 {
                continue;
            }
            let end = place + owner.len() + " = $".len() + digits;
            let alias = sql[..place].trim_end_matches(|c| part(c) || c == '.').len();
            let (rule, value) = (&sql[alias..end], &rest[..digits]);
            let broken = format!(
                "{}({rule} OR ${value} IS NOT NULL){}",
                &sql[..alias],
                &sql[end..]
            );
            found.push((rule.to_owned(), broken));
        }
    }
    found
}

/// Code without comment lines and without line breaks, including those that a backslash removes from a
/// string.
fn on_one_line(code: &str) -> String {
    let mut lines = code.lines();
    let mut all = lines.next().unwrap_or_default().to_owned();
    for line in lines.filter(|line| !line.trim_start().starts_with("//")) {
        if let Some(going_on) = all.strip_suffix('\\') {
            all.truncate(going_on.len());
        } else {
            all.push(' ');
        }
        all.push_str(line.trim_start());
    }
    all
}

#[cfg(test)]
mod tests;
