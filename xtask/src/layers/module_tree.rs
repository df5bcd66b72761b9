//! The modules of one crate as its files declare them, and the resolution of paths to modules.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A module, as an index into [`ModuleTree::modules`].
pub type ModuleId = usize;

/// All modules of a crate; the first is its root.
pub struct ModuleTree {
    pub modules: Vec<Module>,
}

/// One module, in a file of its own or inline.
pub struct Module {
    pub file: PathBuf,
    pub parent: Option<ModuleId>,
    pub children: BTreeMap<String, ModuleId>,
    /// Names defined in this module.
    pub items: BTreeSet<String>,
    /// Every word inside macros called at item level, such as `ids! { JobId = "job" }`; the names that they
    /// define are among these.
    pub words_of_macros: BTreeSet<String>,
    pub imports: Vec<Import>,
    /// Paths of glob imports, without `::*`.
    pub globs: Vec<Vec<String>>,
    pub paths: Vec<UsedPath>,
}

/// A name imported by `use`.
pub struct Import {
    pub name: String,
    pub path: Vec<String>,
}

/// A path as written in the source, `use` declarations included.
pub struct UsedPath {
    pub segments: Vec<String>,
    pub line: usize,
}

/// What a path refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    Module(ModuleId),
    /// An item defined in this module.
    ItemOf(ModuleId),
}

/// Names whose look-up is in progress, so that modules that re-export each other do not recurse forever.
type Asked = BTreeSet<(ModuleId, String, bool)>;

impl Module {
    pub fn new(file: PathBuf, parent: Option<ModuleId>) -> Self {
        Self {
            file,
            parent,
            children: BTreeMap::new(),
            items: BTreeSet::new(),
            words_of_macros: BTreeSet::new(),
            imports: Vec::new(),
            globs: Vec::new(),
            paths: Vec::new(),
        }
    }
}

impl ModuleTree {
    /// Resolves a path written in module `from`; `None` if it begins with another crate.
    pub fn resolve(&self, from: ModuleId, path: &[String]) -> Option<Target> {
        self.resolve_path(from, path, false, &mut Asked::new())
    }

    /// Whether one module is inside the other, or both are in one file.
    pub fn are_related(&self, one: ModuleId, other: ModuleId) -> bool {
        let (one, other) = (self.of_file(one), self.of_file(other));
        self.lies_in(one, other) || self.lies_in(other, one)
    }

    /// The outermost module in the same file.
    fn of_file(&self, mut module: ModuleId) -> ModuleId {
        while let Some(parent) = self.modules[module].parent
            && self.modules[parent].file == self.modules[module].file
        {
            module = parent;
        }
        module
    }

    fn lies_in(&self, inner: ModuleId, outer: ModuleId) -> bool {
        let mut open = Some(inner);
        while let Some(module) = open {
            if module == outer {
                return true;
            }
            open = self.modules[module].parent;
        }
        false
    }

    /// `followed` says that the path continues after this part, so that its end is a module rather than a
    /// function of the same name.
    fn resolve_path(
        &self,
        from: ModuleId,
        path: &[String],
        followed: bool,
        asked: &mut Asked,
    ) -> Option<Target> {
        let mut at = None;
        for (place, name) in path.iter().enumerate() {
            let followed = followed || place + 1 < path.len();
            at = Some(match (at, name.as_str()) {
                (None, "crate") => Target::Module(0),
                (None, "self") => Target::Module(from),
                (None, "super") => Target::Module(self.modules[from].parent?),
                (None, name) => self.look_up(from, name, followed, asked)?,
                (Some(Target::Module(module)), "super") => {
                    Target::Module(self.modules[module].parent?)
                }
                (Some(Target::Module(module)), "self") => Target::Module(module),
                (Some(Target::Module(module)), name) => {
                    match self.look_up(module, name, followed, asked) {
                        Some(target) => target,
                        // A macro defined it, or this module re-exports it from another crate.
                        None => return Some(Target::ItemOf(module)),
                    }
                }
                // A variant of an enum, or an associated function of a type.
                (Some(Target::ItemOf(module)), _) => return Some(Target::ItemOf(module)),
            });
        }
        at
    }

    fn look_up(
        &self,
        module: ModuleId,
        name: &str,
        followed: bool,
        asked: &mut Asked,
    ) -> Option<Target> {
        if !asked.insert((module, name.to_owned(), followed)) {
            return None;
        }
        let found = &self.modules[module];
        let child = found.children.get(name).copied().map(Target::Module);
        let item = found.items.contains(name).then_some(Target::ItemOf(module));
        let here = if followed {
            child.or(item)
        } else {
            item.or(child)
        };
        here.or_else(|| {
            found
                .imports
                .iter()
                .filter(|import| import.name == name)
                .find_map(|import| self.resolve_path(module, &import.path, followed, asked))
        })
        .or_else(|| {
            found.globs.iter().find_map(|path| {
                match self.resolve_path(module, path, true, asked)? {
                    Target::Module(source) => self.look_up(source, name, followed, asked),
                    Target::ItemOf(_) => None,
                }
            })
        })
        .or_else(|| {
            found
                .words_of_macros
                .contains(name)
                .then_some(Target::ItemOf(module))
        })
    }
}
