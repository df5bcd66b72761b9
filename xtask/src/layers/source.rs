//! Reads the files of a crate into its [`ModuleTree`].

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use proc_macro2::{TokenStream, TokenTree};
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{Attribute, Field, ImplItem, Item, Meta, TraitItem, UseTree};

use super::module_tree::{Import, Module, ModuleId, ModuleTree, UsedPath};

/// Reads a crate from its root file, without the code that is compiled for tests only.
pub fn read_crate(root: &Path) -> Result<ModuleTree> {
    let file = fs::canonicalize(root).with_context(|| format!("cannot find {}", root.display()))?;
    let folder = folder_of(&file);
    let mut tree = ModuleTree {
        modules: Vec::new(),
    };
    read_module(&mut tree, file, None, folder)?;
    Ok(tree)
}

/// Reads a file as a module. The files of its submodules are in `folder`.
fn read_module(
    tree: &mut ModuleTree,
    file: PathBuf,
    parent: Option<ModuleId>,
    folder: PathBuf,
) -> Result<ModuleId> {
    let text =
        fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let syntax = syn::parse_file(&text)
        .with_context(|| format!("{} is no Rust that can be read", file.display()))?;
    let module = tree.modules.len();
    tree.modules.push(Module::new(file, parent));
    let mut reader = Reader {
        tree,
        module,
        folder,
        failure: None,
    };
    reader.visit_file(&syntax);
    match reader.failure {
        Some(failure) => Err(failure),
        None => Ok(module),
    }
}

struct Reader<'t> {
    tree: &'t mut ModuleTree,
    module: ModuleId,
    folder: PathBuf,
    /// Why a module's file could not be read; the visitor's methods cannot return errors.
    failure: Option<anyhow::Error>,
}

impl Reader<'_> {
    fn here(&mut self) -> &mut Module {
        &mut self.tree.modules[self.module]
    }

    fn read_child(&mut self, item: &syn::ItemMod) -> Result<()> {
        let name = item.ident.to_string();
        let child = if let Some((_, items)) = &item.content {
            let file = self.here().file.clone();
            let child = self.tree.modules.len();
            self.tree.modules.push(Module::new(file, Some(self.module)));
            let mut inner = Reader {
                tree: self.tree,
                module: child,
                folder: self.folder.join(&name),
                failure: None,
            };
            for item in items {
                inner.visit_item(item);
            }
            if let Some(failure) = inner.failure {
                return Err(failure);
            }
            child
        } else {
            let (file, folder) = self.file_of_child(&name, &item.attrs)?;
            read_module(self.tree, file, Some(self.module), folder)?
        };
        self.here().children.insert(name, child);
        Ok(())
    }

    /// The file of a module, and the folder with its submodules.
    fn file_of_child(
        &mut self,
        name: &str,
        attributes: &[Attribute],
    ) -> Result<(PathBuf, PathBuf)> {
        if let Some(path) = attributes.iter().find_map(told_path) {
            let file = folder_of(&self.here().file).join(path);
            let file = fs::canonicalize(&file)
                .with_context(|| format!("cannot find {}", file.display()))?;
            let folder = folder_of(&file);
            return Ok((file, folder));
        }
        let folder = self.folder.join(name);
        for file in [
            self.folder.join(format!("{name}.rs")),
            folder.join("mod.rs"),
        ] {
            if file.is_file() {
                return Ok((file, folder));
            }
        }
        bail!(
            "{} declares the module {name}, whose file is not there",
            self.here().file.display()
        )
    }

    fn import(&mut self, tree: &UseTree, before: &[String], line: usize) {
        let with = |name: &syn::Ident| {
            let mut path = before.to_vec();
            if name != "self" {
                path.push(name.to_string());
            }
            path
        };
        let (path, name) = match tree {
            UseTree::Path(tree) => {
                let mut path = before.to_vec();
                path.push(tree.ident.to_string());
                return self.import(&tree.tree, &path, line);
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, before, line);
                }
                return;
            }
            UseTree::Glob(_) => {
                self.here().globs.push(before.to_vec());
                return;
            }
            UseTree::Name(tree) => {
                let path = with(&tree.ident);
                let name = path.last().cloned();
                (path, name)
            }
            UseTree::Rename(tree) => (with(&tree.ident), Some(tree.rename.to_string())),
        };
        if let Some(name) = name {
            self.here().imports.push(Import {
                name,
                path: path.clone(),
            });
        }
        self.here().paths.push(UsedPath {
            segments: path,
            line,
        });
    }

    /// Collects the paths among the tokens of a macro call. A single word counts if it may be a type.
    fn read_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut line = 0;
        // The colons since the last word, and whether a dot precedes the next one.
        let (mut colons, mut after_dot) = (0, false);
        for token in tokens {
            match token {
                TokenTree::Ident(word) => {
                    if colons != 2 {
                        self.end_path(&mut path, line);
                    }
                    if path.is_empty() {
                        line = word.span().start().line;
                    }
                    if !after_dot {
                        path.push(word.to_string());
                    }
                    (colons, after_dot) = (0, false);
                    continue;
                }
                TokenTree::Punct(sign) if sign.as_char() == ':' => colons += 1,
                TokenTree::Punct(sign) => {
                    self.end_path(&mut path, line);
                    // Two dots are a range, and a path may follow it.
                    (colons, after_dot) = (0, sign.as_char() == '.' && !after_dot);
                }
                TokenTree::Group(group) => {
                    self.end_path(&mut path, line);
                    self.read_tokens(group.stream());
                    (colons, after_dot) = (0, false);
                }
                TokenTree::Literal(_) => {
                    self.end_path(&mut path, line);
                    (colons, after_dot) = (0, false);
                }
            }
        }
        self.end_path(&mut path, line);
    }

    fn end_path(&mut self, path: &mut Vec<String>, line: usize) {
        let segments = std::mem::take(path);
        let may_be_type = |name: &String| name.starts_with(char::is_uppercase);
        if segments.len() > 1 || segments.first().is_some_and(may_be_type) {
            self.here().paths.push(UsedPath { segments, line });
        }
    }

    /// Collects paths written as text in an attribute: `#[serde(with = "crate::money")]`.
    fn read_texts(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.read_texts(group.stream()),
                TokenTree::Literal(literal) => {
                    let line = literal.span().start().line;
                    let text = literal.to_string();
                    let path = syn::parse_str::<syn::LitStr>(&text)
                        .and_then(|text| text.parse::<syn::Path>());
                    if let Ok(path) = path
                        && path.segments.len() > 1
                    {
                        let segments = words(&path);
                        self.here().paths.push(UsedPath { segments, line });
                    }
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let (attributes, name): (&[Attribute], _) = match item {
            Item::Const(item) => (&item.attrs, Some(&item.ident)),
            Item::Enum(item) => (&item.attrs, Some(&item.ident)),
            Item::Fn(item) => (&item.attrs, Some(&item.sig.ident)),
            Item::Macro(item) => (&item.attrs, item.ident.as_ref()),
            Item::Static(item) => (&item.attrs, Some(&item.ident)),
            Item::Struct(item) => (&item.attrs, Some(&item.ident)),
            Item::Trait(item) => (&item.attrs, Some(&item.ident)),
            Item::TraitAlias(item) => (&item.attrs, Some(&item.ident)),
            Item::Type(item) => (&item.attrs, Some(&item.ident)),
            Item::Union(item) => (&item.attrs, Some(&item.ident)),
            Item::Impl(item) => (&item.attrs, None),
            Item::Mod(item) => (&item.attrs, None),
            Item::Use(item) => (&item.attrs, None),
            _ => (&[], None),
        };
        if is_for_tests(attributes) {
            return;
        }
        if let Some(name) = name {
            let name = name.to_string();
            self.here().items.insert(name);
        }
        match item {
            Item::Mod(item) => {
                if let Err(failure) = self.read_child(item) {
                    self.failure.get_or_insert(failure);
                }
            }
            Item::Use(item) if item.leading_colon.is_none() => {
                self.import(&item.tree, &[], item.span().start().line);
            }
            Item::Macro(item) if item.ident.is_none() => {
                collect_words(item.mac.tokens.clone(), self.here());
                self.visit_macro(&item.mac);
            }
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        let attributes: &[Attribute] = match item {
            ImplItem::Const(item) => &item.attrs,
            ImplItem::Fn(item) => &item.attrs,
            ImplItem::Type(item) => &item.attrs,
            _ => &[],
        };
        if !is_for_tests(attributes) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        let attributes: &[Attribute] = match item {
            TraitItem::Const(item) => &item.attrs,
            TraitItem::Fn(item) => &item.attrs,
            TraitItem::Type(item) => &item.attrs,
            _ => &[],
        };
        if !is_for_tests(attributes) {
            visit::visit_trait_item(self, item);
        }
    }

    fn visit_field(&mut self, field: &'ast Field) {
        if !is_for_tests(&field.attrs) {
            visit::visit_field(self, field);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() {
            let (segments, line) = (words(path), path.span().start().line);
            self.here().paths.push(UsedPath { segments, line });
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.visit_path(&call.path);
        self.read_tokens(call.tokens.clone());
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if let Meta::List(list) = &attribute.meta {
            self.read_tokens(list.tokens.clone());
            self.read_texts(list.tokens.clone());
        }
    }
}

fn words(path: &syn::Path) -> Vec<String> {
    path.segments
        .iter()
        .map(|segment| segment.ident.to_string())
        .collect()
}

fn collect_words(tokens: TokenStream, module: &mut Module) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => {
                module.words_of_macros.insert(word.to_string());
            }
            TokenTree::Group(group) => collect_words(group.stream(), module),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Whether the attributes contain `#[cfg(test)]`, or an `all` with `test` in it.
fn is_for_tests(attributes: &[Attribute]) -> bool {
    fn names_test(tokens: TokenStream) -> bool {
        let mut negated = false;
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(word) => {
                negated = word == "not" || word == "any";
                word == "test"
            }
            TokenTree::Group(group) => !negated && names_test(group.stream()),
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        })
    }
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg") => names_test(list.tokens.clone()),
        _ => false,
    })
}

/// The text of `#[path = "…"]`.
fn told_path(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(told) = &attribute.meta else {
        return None;
    };
    let syn::Expr::Lit(value) = &told.value else {
        return None;
    };
    match &value.lit {
        syn::Lit::Str(text) if told.path.is_ident("path") => Some(text.value()),
        _ => None,
    }
}

fn folder_of(file: &Path) -> PathBuf {
    file.parent().map(Path::to_path_buf).unwrap_or_default()
}
