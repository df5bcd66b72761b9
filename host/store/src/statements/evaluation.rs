//! Evaluates an expression to every text that it can have, as far as the source shows. It knows only the
//! forms that the store builds its statements with; any other form is unknown, and a statement of unknown
//! text is a fault.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::visit::Visit;
use syn::{Block, Expr, ExprClosure, Lit, LitStr, Pat, Stmt, Token};

use super::Engine;
use super::format_pieces::{Piece, pieces};
use super::source::{ASSERTED, Place, Source};

/// The values of an expression that is known only at run time.
pub(super) struct RuntimeValues {
    /// The file, and the expression's source text.
    pub at: (&'static str, &'static str),
    /// The file whose functions produce the texts, if that is its only purpose.
    pub made_in: Option<&'static str>,
    pub values: Vec<String>,
}

/// A function of the store that returns a part of a statement; the evaluation calls it.
pub(super) struct Builder {
    pub name: &'static str,
    pub call: fn(&[String]) -> String,
}

/// The values of the names in scope at one place of a function.
pub(super) type Names = BTreeMap<String, Value>;

#[derive(Clone)]
pub(super) enum Value {
    /// A text, and the literals that it was built from.
    Text(String, BTreeSet<Place>),
    List(Vec<Value>),
    Tuple(Vec<Value>),
    Closure(Rc<ExprClosure>, Names),
    /// An argument of the function.
    Parameter,
    /// An expression that is not understood, as source text.
    Unknown(String),
}

impl Value {
    /// Whether the two are interchangeable.
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text(one, from), Self::Text(two, also)) => one == two && from == also,
            (Self::Parameter, Self::Parameter) | (Self::Unknown(_), Self::Unknown(_)) => true,
            _ => false,
        }
    }
}

pub(super) struct Evaluator<'s> {
    pub sources: &'s [Source],
    pub engine: Engine,
    given: Vec<RuntimeValues>,
    builders: Vec<Builder>,
    used: RefCell<BTreeSet<usize>>,
}

impl<'s> Evaluator<'s> {
    pub(super) fn new(
        sources: &'s [Source],
        engine: Engine,
        given: Vec<RuntimeValues>,
        builders: Vec<Builder>,
    ) -> Self {
        Self {
            sources,
            engine,
            given,
            builders,
            used: RefCell::default(),
        }
    }

    /// Values that no expression used.
    pub(super) fn unused(&self) -> impl Iterator<Item = &RuntimeValues> {
        let rows = self.given.iter().enumerate();
        rows.filter(|(row, _)| !self.used.borrow().contains(row))
            .map(|(_, given)| given)
    }

    /// Files that produce given values.
    pub(super) fn made_in(&self) -> BTreeSet<&str> {
        self.given.iter().filter_map(|row| row.made_in).collect()
    }

    fn given(&self, file: &Source, text: &str) -> Option<Vec<Value>> {
        let row = self
            .given
            .iter()
            .position(|row| row.at.0 == file.name && row.at.1 == text)?;
        self.used.borrow_mut().insert(row);
        let values = self.given[row].values.iter();
        Some(
            values
                .map(|value| Value::Text(value.clone(), BTreeSet::new()))
                .collect(),
        )
    }

    /// All values that an expression may have.
    pub(super) fn values(&self, file: &Source, names: &Names, expr: &Expr) -> Vec<Value> {
        let text = source_text(expr);
        if let Some(given) = self.given(file, &text) {
            return given;
        }
        let unknown = || vec![Value::Unknown(text.clone())];
        let mut values = match expr {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(literal) => vec![text_of(file, literal)],
                Lit::Int(number) => {
                    vec![Value::Text(
                        number.base10_digits().to_owned(),
                        BTreeSet::new(),
                    )]
                }
                _ => unknown(),
            },
            Expr::Path(path) => self.named(file, names, &path.path),
            Expr::Reference(inner) => self.values(file, names, &inner.expr),
            Expr::Paren(inner) => self.values(file, names, &inner.expr),
            Expr::Macro(call) if call.mac.path.is_ident("format") => {
                self.formatted(file, names, &call.mac)
            }
            Expr::If(choice) => {
                let mut values = self.of_block(file, names, &choice.then_branch);
                if let Some((_, other)) = &choice.else_branch {
                    values.extend(self.values(file, names, other));
                }
                values
            }
            Expr::Match(choice) => {
                let arms = choice.arms.iter().flat_map(|arm| {
                    let mut names = names.clone();
                    forget(&arm.pat, &mut names);
                    self.values(file, &names, &arm.body)
                });
                arms.collect()
            }
            Expr::Block(block) => self.of_block(file, names, &block.block),
            Expr::Array(array) => self.product(file, names, &array.elems, Value::List),
            Expr::Tuple(tuple) => self.product(file, names, &tuple.elems, Value::Tuple),
            Expr::Closure(closure) => {
                vec![Value::Closure(Rc::new(closure.clone()), names.clone())]
            }
            Expr::Call(call) => self
                .called(file, names, &call.func, &call.args)
                .unwrap_or_else(unknown),
            Expr::MethodCall(call) => {
                let stays = [
                    "clone",
                    "to_owned",
                    "to_string",
                    "as_str",
                    "into",
                    "into_iter",
                    "iter",
                ];
                if stays.contains(&call.method.to_string().as_str()) && call.args.is_empty() {
                    let receiver = self.values(file, names, &call.receiver);
                    let known = |value: &Value| {
                        matches!(value, Value::Text(..) | Value::List(_) | Value::Parameter)
                    };
                    if receiver.iter().all(known) {
                        return receiver;
                    }
                }
                unknown()
            }
            _ => unknown(),
        };
        let mut kept: Vec<Value> = Vec::new();
        for value in values.drain(..) {
            if !kept.iter().any(|known| known.same(&value)) {
                kept.push(value);
            }
        }
        kept
    }

    /// A local variable, or a constant of the file, of the engine, or of the only file that defines it.
    fn named(&self, file: &Source, names: &Names, path: &syn::Path) -> Vec<Value> {
        let name = last(path);
        if path.segments.len() == 1 {
            if let Some(given) = self.given(file, &name) {
                return given;
            }
            if let Some(value) = names.get(&name) {
                return vec![value.clone()];
            }
        }
        let has = |source: &&Source| source.constants.contains_key(&name);
        let own = (path.segments.len() == 1).then_some(file).filter(has);
        let engine = self.sources.iter().find(|s| s.name == self.engine.module());
        let mut all = self.sources.iter().filter(has);
        let only = match (all.next(), all.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        };
        match own.or(engine.filter(has)).or(only) {
            Some(source) => self.values(source, &Names::new(), &source.constants[&name]),
            None => vec![Value::Unknown(name)],
        }
    }

    fn called(
        &self,
        file: &Source,
        names: &Names,
        function: &Expr,
        arguments: &Punctuated<Expr, Token![,]>,
    ) -> Option<Vec<Value>> {
        let Expr::Path(function) = function else {
            return None;
        };
        let name = last(&function.path);
        let through = [ASSERTED, "Some", "Ok"];
        if let (true, Some(only)) = (through.contains(&name.as_str()), arguments.first()) {
            return Some(self.values(file, names, only));
        }
        // `LazyLock::new(|| …)`
        if let (Some(Expr::Closure(closure)), "new") = (arguments.first(), name.as_str()) {
            return Some(self.values(file, names, &closure.body));
        }
        if let Some(Value::Closure(closure, around)) = names.get(&name) {
            let mut values = Vec::new();
            for arguments in self.each(file, names, arguments) {
                let mut names = around.clone();
                for (parameter, argument) in closure.inputs.iter().zip(arguments) {
                    bind(parameter, argument, &mut names);
                }
                values.extend(self.values(file, &names, &closure.body));
            }
            return Some(values);
        }
        let builder = self.builders.iter().find(|builder| builder.name == name)?;
        let results = self.each(file, names, arguments).into_iter().map(|given| {
            let mut from = BTreeSet::new();
            let mut texts = Vec::new();
            for argument in given {
                match argument {
                    Value::Text(text, places) => {
                        texts.push(text);
                        from.extend(places);
                    }
                    other => return other,
                }
            }
            Value::Text((builder.call)(&texts), from)
        });
        Some(results.collect())
    }

    /// Every combination of the values of these expressions.
    fn each(
        &self,
        file: &Source,
        names: &Names,
        all: &Punctuated<Expr, Token![,]>,
    ) -> Vec<Vec<Value>> {
        combined(all.iter().map(|one| self.values(file, names, one)))
    }

    fn product(
        &self,
        file: &Source,
        names: &Names,
        all: &Punctuated<Expr, Token![,]>,
        make: fn(Vec<Value>) -> Value,
    ) -> Vec<Value> {
        self.each(file, names, all).into_iter().map(make).collect()
    }

    fn of_block(&self, file: &Source, names: &Names, block: &Block) -> Vec<Value> {
        let mut alternatives = vec![names.clone()];
        for statement in &block.stmts {
            match statement {
                Stmt::Local(local) => {
                    alternatives = self.after(file, alternatives, local);
                }
                Stmt::Expr(value, None) => {
                    let values = alternatives.iter();
                    return values
                        .flat_map(|names| self.values(file, names, value))
                        .collect();
                }
                _ => {}
            }
        }
        vec![Value::Unknown("a block without a value".to_owned())]
    }

    /// The values of names after a `let`.
    pub(super) fn after(
        &self,
        file: &Source,
        alternatives: Vec<Names>,
        local: &syn::Local,
    ) -> Vec<Names> {
        let Some(init) = &local.init else {
            let mut alternatives = alternatives;
            for names in &mut alternatives {
                forget(&local.pat, names);
            }
            return alternatives;
        };
        let mut after = Vec::new();
        for names in alternatives {
            for value in self.values(file, &names, &init.expr) {
                let mut names = names.clone();
                bind(&local.pat, value, &mut names);
                after.push(names);
            }
        }
        after
    }

    fn formatted(&self, file: &Source, names: &Names, call: &syn::Macro) -> Vec<Value> {
        let unknown = |what: &str| vec![Value::Unknown(what.to_owned())];
        let parse = Punctuated::<Expr, Token![,]>::parse_terminated;
        let Ok(arguments) = parse.parse2(call.tokens.clone()) else {
            return unknown("format!");
        };
        let mut arguments = arguments.iter();
        let Some(Expr::Lit(literal)) = arguments.next() else {
            return unknown("a format that is no literal");
        };
        let Lit::Str(format) = &literal.lit else {
            return unknown("a format that is no text");
        };
        let mut positional = Vec::new();
        let mut named = BTreeMap::new();
        for argument in arguments {
            match argument {
                Expr::Assign(assigned) => {
                    named.insert(source_text(&assigned.left), &*assigned.right);
                }
                argument => positional.push(argument),
            }
        }
        let Some(pieces) = pieces(&format.value()) else {
            return unknown("a format with more than names");
        };
        // A name that occurs several times has the same value each time.
        let mut holes: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        let mut next = 0;
        let mut order = Vec::new();
        for piece in pieces {
            let Piece::Hole(name) = piece else {
                order.push(piece);
                continue;
            };
            let name = if name.is_empty() {
                next += 1;
                (next - 1).to_string()
            } else {
                name
            };
            let index = name.parse::<usize>().ok();
            let values = match (index, named.get(&name)) {
                (Some(index), _) => match positional.get(index) {
                    Some(argument) => self.values(file, names, argument),
                    None => return unknown("a missing argument"),
                },
                (None, Some(argument)) => self.values(file, names, argument),
                (None, None) => {
                    let ident = syn::Ident::new(&name, format.span());
                    self.named(file, names, &ident.into())
                }
            };
            holes.insert(name.clone(), values);
            order.push(Piece::Hole(name));
        }
        let (keys, values): (Vec<String>, Vec<Vec<Value>>) = holes.into_iter().unzip();
        let ways = combined(values.into_iter());
        let filled = ways.into_iter().map(|way| {
            let way: BTreeMap<&String, Value> = keys.iter().zip(way).collect();
            let mut text = String::new();
            let mut from = BTreeSet::from([Place::of(&file.name, format.span())]);
            let mut parameter = false;
            for piece in &order {
                match piece {
                    Piece::Plain(plain) => text.push_str(plain),
                    Piece::Hole(name) => match &way[name] {
                        Value::Text(part, places) => {
                            text.push_str(part);
                            from.extend(places.iter().cloned());
                        }
                        Value::Parameter => parameter = true,
                        Value::Unknown(what) => return Value::Unknown(what.clone()),
                        _ => return Value::Unknown(name.clone()),
                    },
                }
            }
            if parameter {
                Value::Parameter
            } else {
                Value::Text(text, from)
            }
        });
        filled.collect()
    }
}

fn combined(all: impl Iterator<Item = Vec<Value>>) -> Vec<Vec<Value>> {
    all.fold(vec![Vec::new()], |ways, values| {
        let longer = |way: &Vec<Value>| {
            let way = way.clone();
            values.iter().map(move |value| {
                let mut way = way.clone();
                way.push(value.clone());
                way
            })
        };
        ways.iter().flat_map(longer).collect()
    })
}

/// Binds a pattern's names to a value. A text that may be changed later is unknown.
pub(super) fn bind(pattern: &Pat, value: Value, names: &mut Names) {
    match (pattern, value) {
        (Pat::Ident(name), value) if name.mutability.is_none() && name.subpat.is_none() => {
            names.insert(name.ident.to_string(), value);
        }
        (Pat::Type(typed), value) => bind(&typed.pat, value, names),
        (Pat::Reference(inner), value) => bind(&inner.pat, value, names),
        (Pat::Tuple(parts), Value::Tuple(values)) if parts.elems.len() == values.len() => {
            for (part, value) in parts.elems.iter().zip(values) {
                bind(part, value, names);
            }
        }
        (pattern, _) => forget(pattern, names),
    }
}

/// Makes a pattern's names unknown.
pub(super) fn forget(pattern: &Pat, names: &mut Names) {
    struct Forgetting<'n>(&'n mut Names);
    impl<'ast> Visit<'ast> for Forgetting<'_> {
        fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
            let name = pattern.ident.to_string();
            self.0.insert(name.clone(), Value::Unknown(name));
            syn::visit::visit_pat_ident(self, pattern);
        }
    }
    Forgetting(names).visit_pat(pattern);
}

fn text_of(file: &Source, literal: &LitStr) -> Value {
    let place = Place::of(&file.name, literal.span());
    Value::Text(literal.value(), BTreeSet::from([place]))
}

pub(super) fn last(path: &syn::Path) -> String {
    let segment = path.segments.last();
    segment.map(|s| s.ident.to_string()).unwrap_or_default()
}

/// The expression's source text, in one line.
pub(super) fn source_text(expr: &Expr) -> String {
    let text = expr.span().source_text().unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
