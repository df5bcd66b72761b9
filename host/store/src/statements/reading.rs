//! Finds each place where the store hands a statement to sqlx, and every text that it may hand over there.
//! A place whose text cannot be determined is a fault, and so is a statement in the source that reaches no
//! place.

use std::collections::{BTreeMap, BTreeSet};

use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ExprCall, ExprMethodCall, FnArg, Pat};

use super::evaluation::{Evaluator, Names, Value, bind, forget, last};
use super::source::{ASSERTED, Function, Place, QUERIES, Source};

/// Methods of sqlx's connections that take a statement, and of its queries that take a connection.
const EXECUTES: [&str; 9] = [
    "execute",
    "execute_many",
    "fetch",
    "fetch_all",
    "fetch_many",
    "fetch_one",
    "fetch_optional",
    "prepare",
    "prepare_with",
];
/// Takes a statement, whatever it is called on.
const BEGINS: &str = "begin_with";

/// What is known about one place.
#[derive(Default)]
struct Found {
    statements: BTreeSet<String>,
    unknown: Option<String>,
}

#[derive(Default)]
struct Findings {
    places: BTreeMap<Place, Found>,
    /// Literals that are part of a statement.
    reached: BTreeSet<Place>,
    /// Marks that the walk has understood.
    seen: BTreeSet<Place>,
    /// Functions whose statements depend on their arguments, as file and name.
    takers: BTreeSet<(String, String)>,
}

/// The statements of a source by the place that hands them over, and its faults.
pub(super) struct Statements {
    pub at: BTreeMap<Place, BTreeSet<String>>,
    pub faults: Vec<String>,
}

/// Reads all statements of an engine.
pub(super) fn read(evaluator: &Evaluator<'_>) -> Statements {
    let sources = || {
        let all = evaluator.sources.iter();
        all.filter(|source| evaluator.engine.runs(&source.name))
    };
    // A caller that passes a statement to a function may have received it from its own caller.
    let mut takers = BTreeSet::new();
    let findings = loop {
        let mut findings = Findings {
            takers: takers.clone(),
            ..Findings::default()
        };
        for source in sources() {
            for function in source.functions() {
                let mut names = Names::new();
                for parameter in parameters(function) {
                    let mut unknown = Names::new();
                    forget(parameter, &mut unknown);
                    names.extend(unknown.into_keys().map(|name| (name, Value::Parameter)));
                }
                let mut walk = Walk {
                    evaluator,
                    source,
                    outermost: &function.name,
                    alternatives: vec![names],
                    depth: 0,
                    findings: &mut findings,
                };
                walk.visit_block(&function.body);
            }
        }
        if findings.takers == takers {
            break findings;
        }
        takers = findings.takers;
    };
    let mut faults = Vec::new();
    for (place, found) in &findings.places {
        if let Some(unknown) = &found.unknown {
            faults.push(format!("{place}: what may `{unknown}` be? Put the statement together with what `evaluation.rs` knows, or add a row to `given`"));
        } else if found.statements.is_empty() {
            faults.push(format!("{place}: no caller passes a statement"));
        }
    }
    for source in sources() {
        let marks = source.marks.difference(&findings.seen);
        faults.extend(marks.map(|mark| format!("{mark}: sqlx is called where it is not seen")));
        for name in findings
            .takers
            .iter()
            .filter(|(file, _)| *file == source.name)
        {
            if !source
                .function(&name.1)
                .is_some_and(|function| function.private)
            {
                faults.push(format!("{}: others may pass statements to `{}`: make it private, and its name the only one of the file", name.0, name.1));
            }
        }
        if evaluator.made_in().contains(source.name.as_str()) {
            continue;
        }
        for (place, text) in &source.literals {
            if !findings.reached.contains(place) {
                faults.push(format!("{place}: this reaches no statement: {text}"));
            }
        }
    }
    for row in evaluator.unused() {
        let (file, expression) = row.at;
        if evaluator.engine.runs(file) {
            faults.push(format!(
                "{file}: `{expression}` is given, but no statement has it"
            ));
        }
    }
    let at = findings.places.into_iter();
    Statements {
        at: at.map(|(place, found)| (place, found.statements)).collect(),
        faults,
    }
}

fn parameters(function: &Function) -> impl Iterator<Item = &Pat> {
    let inputs = function.signature.inputs.iter();
    inputs.filter_map(|input| match input {
        FnArg::Typed(typed) => Some(&*typed.pat),
        FnArg::Receiver(_) => None,
    })
}

/// A walk through one function.
struct Walk<'a, 's> {
    evaluator: &'a Evaluator<'s>,
    source: &'a Source,
    /// The function that the walk started from.
    outermost: &'a str,
    /// The possible values of names here, one map for each way.
    alternatives: Vec<Names>,
    depth: usize,
    findings: &'a mut Findings,
}

impl Walk<'_, '_> {
    fn values(&self, expr: &Expr) -> Vec<Value> {
        let each = self.alternatives.iter();
        each.flat_map(|names| self.evaluator.values(self.source, names, expr))
            .collect()
    }

    fn hands_over(&mut self, place: Place, statement: &Expr) {
        for value in self.values(statement) {
            let found = self.findings.places.entry(place.clone()).or_default();
            match value {
                Value::Text(text, from) => {
                    found.statements.insert(text);
                    self.findings.reached.extend(from);
                }
                Value::Parameter => {
                    let taker = (self.source.name.clone(), self.outermost.to_owned());
                    self.findings.takers.insert(taker);
                }
                Value::Unknown(what) => found.unknown = Some(what),
                Value::List(_) | Value::Tuple(_) | Value::Closure(..) => {
                    found.unknown = Some("a value that is no text".to_owned());
                }
            }
        }
    }

    /// Walks into a function of this file that takes statements, with the arguments of this call.
    fn enter<'e>(&mut self, name: &str, arguments: impl Iterator<Item = &'e Expr> + Clone) {
        let taker = (self.source.name.clone(), name.to_owned());
        if !self.findings.takers.contains(&taker) {
            return;
        }
        assert!(self.depth < 8, "{name} calls itself");
        // A second function with this name would be a fault, and is reported as one.
        let Some(function) = self.source.function(name) else {
            return;
        };
        let mut alternatives = Vec::new();
        for names in &self.alternatives {
            let mut ways = vec![Names::new()];
            for (parameter, argument) in parameters(function).zip(arguments.clone()) {
                let values = self.evaluator.values(self.source, names, argument);
                let longer = ways.iter().flat_map(|way| {
                    values.iter().map(move |value| {
                        let mut way = way.clone();
                        bind(parameter, value.clone(), &mut way);
                        way
                    })
                });
                ways = longer.collect();
            }
            alternatives.extend(ways);
        }
        let mut walk = Walk {
            evaluator: self.evaluator,
            source: self.source,
            outermost: self.outermost,
            alternatives,
            depth: self.depth + 1,
            findings: self.findings,
        };
        walk.visit_block(&function.body);
    }

    /// Visits a scope that binds more names, and forgets them afterwards.
    fn within(&mut self, visit: impl FnOnce(&mut Self)) {
        let before = self.alternatives.clone();
        visit(self);
        self.alternatives = before;
    }

    fn forget(&mut self, pattern: &Pat) {
        for names in &mut self.alternatives {
            forget(pattern, names);
        }
    }
}

impl<'ast> Visit<'ast> for Walk<'_, '_> {
    fn visit_attribute(&mut self, _: &'ast Attribute) {}

    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.within(|walk| visit::visit_block(walk, block));
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        visit::visit_local(self, local);
        let alternatives = std::mem::take(&mut self.alternatives);
        self.alternatives = self.evaluator.after(self.source, alternatives, local);
    }

    fn visit_expr_for_loop(&mut self, repeated: &'ast syn::ExprForLoop) {
        self.visit_expr(&repeated.expr);
        self.within(|walk| {
            let mut inside = Vec::new();
            for names in &walk.alternatives {
                for value in walk.evaluator.values(walk.source, names, &repeated.expr) {
                    let elements = match value {
                        Value::List(elements) => elements,
                        Value::Parameter => vec![Value::Parameter],
                        _ => vec![Value::Unknown("an element".to_owned())],
                    };
                    for element in elements {
                        let mut names = names.clone();
                        bind(&repeated.pat, element, &mut names);
                        inside.push(names);
                    }
                }
            }
            walk.alternatives = inside;
            walk.visit_block(&repeated.body);
        });
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.within(|walk| {
            walk.forget(&arm.pat);
            visit::visit_arm(walk, arm);
        });
    }

    fn visit_expr_let(&mut self, expr: &'ast syn::ExprLet) {
        visit::visit_expr_let(self, expr);
        self.forget(&expr.pat);
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.within(|walk| {
            for parameter in &closure.inputs {
                walk.forget(parameter);
            }
            visit::visit_expr_closure(walk, closure);
        });
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        for argument in &call.args {
            self.visit_expr(argument);
        }
        let Expr::Path(function) = &*call.func else {
            self.visit_expr(&call.func);
            return;
        };
        let name = last(&function.path);
        let word = function.path.segments.last().map(|s| s.ident.span());
        let place = Place::of(&self.source.name, word.unwrap_or_else(|| call.span()));
        if QUERIES.contains(&name.as_str()) {
            self.findings.seen.insert(place.clone());
            if let Some(statement) = call.args.first() {
                self.hands_over(place, statement);
            }
        } else if name == ASSERTED {
            self.findings.seen.insert(place);
        } else if function.path.segments.len() == 1 || function.path.segments[0].ident == "Self" {
            self.enter(&name, call.args.iter());
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        visit::visit_expr_method_call(self, call);
        let name = call.method.to_string();
        let place = Place::of(&self.source.name, call.method.span());
        let Some(first) = call.args.first() else {
            return;
        };
        let is_statement = || {
            let asserted = matches!(first, Expr::Call(inner)
                if matches!(&*inner.func, Expr::Path(path) if last(&path.path) == ASSERTED));
            let text = |value: &Value| matches!(value, Value::Text(..));
            asserted || self.values(first).iter().any(text)
        };
        if name == BEGINS || (EXECUTES.contains(&name.as_str()) && is_statement()) {
            self.hands_over(place, first);
        } else if matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident("self")) {
            self.enter(&name, call.args.iter());
        }
    }

    /// A function that takes statements and is passed on instead of called.
    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        let name = last(&path.path);
        let taker = (self.source.name.clone(), name);
        let named = path.path.segments.len() == 1
            && self
                .alternatives
                .iter()
                .all(|names| !names.contains_key(&taker.1));
        if named && self.findings.takers.contains(&taker) {
            let place = Place::of(&self.source.name, path.span());
            let found = self.findings.places.entry(place).or_default();
            found.unknown = Some(taker.1);
        }
    }
}
