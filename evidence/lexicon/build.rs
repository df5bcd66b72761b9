//! Turns the word lists into tables at build time, so that their users parse and split nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use toml::{Table, Value};

#[path = "build/reading.rs"]
mod reading;
use reading::{ByLanguage, array, classes, flag, only, read_table, table, text, texts, values};

/// The words of one section with the numbers that they stand for, by language.
type Valued = BTreeMap<String, BTreeMap<String, f64>>;
/// The classes of one section with their words, by language.
type Classed = BTreeMap<String, ByLanguage>;
/// All sections by their paths.
#[derive(Default)]
struct Words {
    lists: BTreeMap<String, ByLanguage>,
    values: BTreeMap<String, Valued>,
    classes: BTreeMap<String, Classed>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let sources = [
        "languages",
        "legal_forms.toml",
        "sections.toml",
        "networks.toml",
        "registers.toml",
        "countries.tsv",
        "country_codes.toml",
    ]
    .map(|name| root.join(name));
    for source in &sources {
        println!("cargo::rerun-if-changed={}", source.display());
    }
    let [
        languages,
        forms,
        sections,
        networks,
        registers,
        countries,
        codes,
    ] = sources;
    let sections = read_table(&sections)?;
    let mut words = Words::default();
    let mut tables = String::from("static LANGUAGES: &[Language] = &[\n");
    let mut in_part = String::new();
    let mut files = fs::read_dir(&languages)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<_>, std::io::Error>>()?;
    // The order must be the same on every machine: plug-ins are built reproducibly.
    files.sort();
    for file in files {
        read_language(&file, &sections, &mut words, (&mut tables, &mut in_part))
            .map_err(|e| format!("{}: {e}", file.display()))?;
    }
    tables.push_str("];\nstatic READ_IN_PART: &[Language] = &[\n");
    tables.push_str(&in_part);
    tables.push_str("];\nstatic LEGAL_FORMS: &[LegalForm] = &[\n");
    let read = read_table(&forms)?;
    for form in array(&read, "form")? {
        write_legal_form(form, &mut tables).map_err(|e| format!("{form}: {e}"))?;
    }
    tables.push_str("];\n");
    write_networks(&read_table(&networks)?, &mut tables).map_err(|e| format!("networks: {e}"))?;
    write_registers(&read_table(&registers)?, &mut tables)
        .map_err(|e| format!("registers: {e}"))?;
    write_countries(
        &fs::read_to_string(countries)?,
        &read_table(&codes)?,
        &mut tables,
    )
    .map_err(|e| format!("countries: {e}"))?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("tables.rs"), tables)?;
    fs::write(out.join("sections.rs"), write_sections(&sections, &words)?)?;
    Ok(())
}

/// Adds the words of one language's file, section by section. `tables` is for languages that are read in full, and
/// for those that are read in part.
fn read_language(
    file: &Path,
    sections: &Table,
    words: &mut Words,
    (in_full, in_part): (&mut String, &mut String),
) -> Result<(), Box<dyn Error>> {
    let code = file.file_stem().and_then(|stem| stem.to_str());
    let code = code.ok_or("no language's code as a name")?;
    let read = read_table(file)?;
    for (subject, members) in &read {
        if matches!(subject.as_str(), "months" | "months_alone" | "without") {
            continue;
        }
        let known = table(sections, subject)?;
        let members = members.as_table().ok_or(format!("{subject} is no table"))?;
        for (name, list) in members {
            let section = format!("{subject}.{name}");
            table(known, name).map_err(|_| format!("{section} is no section"))?;
            if let Some(table) = list.as_table() {
                if table.values().all(Value::is_array) {
                    let classes = classes(table).map_err(|e| format!("{section}: {e}"))?;
                    let of = words.classes.entry(section).or_default();
                    of.insert(code.to_owned(), classes);
                    continue;
                }
                let values = values(table).map_err(|e| format!("{section}: {e}"))?;
                let of = words.values.entry(section).or_default();
                of.insert(code.to_owned(), values);
                continue;
            }
            let texts = texts(list).map_err(|e| format!("{section}: {e}"))?;
            let texts = texts.into_iter().map(str::to_owned).collect();
            words
                .lists
                .entry(section)
                .or_default()
                .insert(code.to_owned(), texts);
        }
    }
    for (key, tables) in [("months", in_full), ("months_alone", in_part)] {
        if !read.contains_key(key) {
            continue;
        }
        write!(tables, "    Language {{ code: {code:?}, months: [")?;
        let months = array(&read, key)?;
        if months.len() != 12 {
            return Err(format!("{} months", months.len()).into());
        }
        for names in months {
            write!(tables, "&{:?}, ", texts(names)?)?;
        }
        tables.push_str("] },\n");
    }
    Ok(())
}

/// Writes a module for each subject, with a table for each of its sections.
fn write_sections(sections: &Table, words: &Words) -> Result<String, Box<dyn Error>> {
    let mut out = String::new();
    for (subject, known) in sections {
        let known = known.as_table().ok_or("no table of sections")?;
        let says = text(known, "says")?.ok_or(format!("{subject} lacks says"))?;
        writeln!(out, "/// {says}\npub mod {subject} {{")?;
        let sections = known.iter().filter(|(name, _)| *name != "says");
        for (name, section) in sections {
            let path = format!("{subject}.{name}");
            let section = section.as_table().ok_or(format!("{path} is no table"))?;
            only(section, &["says", "kind", "languages"])?;
            let says = text(section, "says")?.ok_or(format!("{path} lacks says"))?;
            let kind = text(section, "kind")?;
            let none = format!("{path} has no words");
            let name = name.to_uppercase();
            if kind == Some("values") {
                let table = valued(words.values.get(&path).ok_or(none)?);
                writeln!(
                    out,
                    "/// {says}\npub static {name}: crate::Values = crate::Values::new({table});"
                )?;
                continue;
            }
            if kind == Some("classes") {
                let table = classed(words.classes.get(&path).ok_or(none)?);
                writeln!(
                    out,
                    "/// {says}\npub static {name}: crate::Classes = crate::Classes::new({table});"
                )?;
                continue;
            }
            let words = words.lists.get(&path).ok_or(none)?;
            let all: BTreeSet<&str> = words.values().flatten().map(String::as_str).collect();
            let (kind, table) = match kind {
                Some("phrases") => ("Phrases", phrases(&all)),
                Some("words") => ("Words", list(all.iter().copied())),
                Some("by_language") => ("ByLanguage", by_language(words)),
                Some("phrases_by_language") => ("PhrasesByLanguage", phrases_by_language(words)),
                other => return Err(format!("{path}: kind {other:?}").into()),
            };
            writeln!(
                out,
                "/// {says}\npub static {name}: crate::{kind} = crate::{kind}::new({table});"
            )?;
        }
        out.push_str("}\n");
    }
    Ok(out)
}

/// Three sorted lists: phrases whose first word is complete, those whose first word is only a prefix, and those
/// whose first word stands inside of a run of letters.
fn phrases(all: &BTreeSet<&str>) -> String {
    let split: BTreeSet<Vec<&str>> = all.iter().map(|text| text.split(' ').collect()).collect();
    let (inside, others): (Vec<_>, Vec<_>) = split
        .iter()
        .partition(|phrase| phrase.first().is_some_and(|word| word.starts_with('*')));
    let (begun, whole): (Vec<_>, Vec<_>) = others
        .into_iter()
        .partition(|phrase| phrase.first().is_some_and(|word| word.ends_with('*')));
    let write = |phrases: Vec<&Vec<&str>>| {
        let written: Vec<String> = phrases
            .into_iter()
            .map(|phrase| list(phrase.iter().copied()))
            .collect();
        format!("&[{}]", written.join(", "))
    };
    format!("{}, {}, {}", write(whole), write(begun), write(inside))
}

fn by_language(words: &ByLanguage) -> String {
    let written: Vec<String> = words
        .iter()
        .map(|(code, words)| {
            let words = list(words.iter().map(String::as_str));
            format!("({code:?}, crate::Words::new({words}))")
        })
        .collect();
    format!("&[{}]", written.join(", "))
}

fn phrases_by_language(words: &ByLanguage) -> String {
    let written: Vec<String> = words
        .iter()
        .map(|(code, words)| {
            let words: BTreeSet<&str> = words.iter().map(String::as_str).collect();
            format!("({code:?}, crate::Phrases::new({}))", phrases(&words))
        })
        .collect();
    format!("&[{}]", written.join(", "))
}

/// By language, each class with its phrases, sorted.
fn classed(words: &Classed) -> String {
    let written: Vec<String> = words
        .iter()
        .map(|(code, classes)| format!("({code:?}, {})", phrases_by_language(classes)))
        .collect();
    format!("&[{}]", written.join(", "))
}

/// By language, the words of each phrase with its number, sorted.
fn valued(words: &Valued) -> String {
    let written: Vec<String> = words
        .iter()
        .map(|(code, values)| {
            let sorted: BTreeMap<Vec<&str>, f64> = values
                .iter()
                .map(|(phrase, value)| (phrase.split(' ').collect(), *value))
                .collect();
            let values: Vec<String> = sorted
                .iter()
                .map(|(phrase, value)| format!("({}, {value:?})", list(phrase.iter().copied())))
                .collect();
            format!("({code:?}, &[{}])", values.join(", "))
        })
        .collect();
    format!("&[{}]", written.join(", "))
}

fn list<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    format!("&{:?}", texts.collect::<Vec<_>>())
}

fn write_legal_form(form: &Value, tables: &mut String) -> Result<(), Box<dyn Error>> {
    let form = form.as_table().ok_or("no table")?;
    only(
        form,
        &["written", "letters", "means", "elsewhere", "in_domains"],
    )?;
    let written = texts(form.get("written").ok_or("it lacks written")?)?;
    let letters = match text(form, "letters")?.unwrap_or("capital") {
        "capital" => "Capital",
        "any" => "Any",
        "exact" => "Exact",
        "uncased" => "Uncased",
        "joined" => "Joined",
        other => return Err(format!("letters: {other}").into()),
    };
    let means = match text(form, "means")? {
        None => "None",
        Some("private") => "Some(Meaning::Private)",
        Some("nonprofit") => "Some(Meaning::Nonprofit)",
        Some(other) => return Err(format!("means: {other}").into()),
    };
    let (elsewhere, in_domains) = (flag(form, "elsewhere")?, flag(form, "in_domains")?);
    writeln!(
        tables,
        "    LegalForm {{ written: &{written:?}, letters: Letters::{letters}, means: {means}, \
         elsewhere: {elsewhere}, in_domains: {in_domains} }},"
    )?;
    Ok(())
}

fn write_networks(read: &Table, tables: &mut String) -> Result<(), Box<dyn Error>> {
    only(read, &["sharing", "no_pages", "posts", "network"])?;
    for list in ["sharing", "no_pages", "posts"] {
        let name = list.to_uppercase();
        let words = texts(read.get(list).ok_or(format!("it lacks {list}"))?)?;
        writeln!(tables, "static {name}: Words = Words::new(&{words:?});")?;
    }
    tables.push_str("static NETWORKS: &[Network] = &[\n");
    for network in array(read, "network")? {
        let network = network.as_table().ok_or("no table")?;
        only(
            network,
            &[
                "name",
                "also",
                "hosts",
                "short_hosts",
                "companies",
                "coloured",
            ],
        )?;
        let name = text(network, "name")?.ok_or("a network lacks name")?;
        let [also, hosts, short_hosts, companies] = ["also", "hosts", "short_hosts", "companies"]
            .map(|member| network.get(member).map_or(Ok(Vec::new()), texts));
        let (also, hosts, short_hosts) = (also?, hosts?, short_hosts?);
        let companies = companies?;
        let coloured = flag(network, "coloured")?;
        writeln!(
            tables,
            "    Network {{ name: {name:?}, also: &{also:?}, hosts: &{hosts:?}, \
             short_hosts: &{short_hosts:?}, companies: &{companies:?}, coloured: {coloured} }},"
        )?;
    }
    tables.push_str("];\n");
    Ok(())
}

fn write_registers(read: &Table, tables: &mut String) -> Result<(), Box<dyn Error>> {
    only(read, &["hosts", "register", "vat", "numbered"])?;
    let hosts = texts(read.get("hosts").ok_or("it lacks hosts")?)?;
    writeln!(
        tables,
        "static REGISTER_HOSTS: Words = Words::new(&{hosts:?});"
    )?;
    tables.push_str("static REGISTERS: &[Register] = &[\n");
    for register in array(read, "register")? {
        let register = register.as_table().ok_or("no table")?;
        only(register, &["country", "marks"])?;
        let country = text(register, "country")?.ok_or("a register lacks country")?;
        let marks = texts(register.get("marks").ok_or("a register lacks marks")?)?;
        writeln!(
            tables,
            "    Register {{ country: {country:?}, marks: &{marks:?} }},"
        )?;
    }
    tables.push_str("];\nstatic VAT_LABELS: &[VatLabels] = &[\n");
    for vat in array(read, "vat")? {
        let vat = vat.as_table().ok_or("no table")?;
        only(vat, &["country", "labels", "cells", "length", "begins"])?;
        let country = text(vat, "country")?.ok_or("a label lacks country")?;
        let labels = texts(vat.get("labels").ok_or("a country lacks labels")?)?;
        let cells = vat.get("cells").map_or(Ok(Vec::new()), texts)?;
        let length = vat.get("length").and_then(Value::as_integer);
        let length = length.ok_or("a country lacks length")?;
        let begins = text(vat, "begins")?;
        writeln!(
            tables,
            "    VatLabels {{ country: {country:?}, labels: &{labels:?}, cells: &{cells:?}, \
             length: {length}, begins: {begins:?} }},"
        )?;
    }
    tables.push_str("];\nstatic NUMBERED: &[Numbered] = &[\n");
    for register in array(read, "numbered")? {
        let register = register.as_table().ok_or("no table")?;
        only(register, &["name", "labels", "digits"])?;
        let name = text(register, "name")?.ok_or("a register lacks name")?;
        let labels = texts(register.get("labels").ok_or("a register lacks labels")?)?;
        let [Value::Integer(least), Value::Integer(most)] = array(register, "digits")? else {
            return Err(format!("{name}: digits are not two numbers").into());
        };
        writeln!(
            tables,
            "    Numbered {{ name: {name:?}, labels: &{labels:?}, least: {least}, most: {most} }},"
        )?;
    }
    tables.push_str("];\n");
    Ok(())
}

/// Joins the names of countries with the codes that some of them print.
fn write_countries(names: &str, codes: &Table, tables: &mut String) -> Result<(), Box<dyn Error>> {
    only(codes, &["subdivisions", "country"])?;
    let subdivisions = texts(codes.get("subdivisions").ok_or("it lacks subdivisions")?)?;
    writeln!(
        tables,
        "static SUBDIVISIONS: Words = Words::new(&{subdivisions:?});"
    )?;
    let mut printed = BTreeMap::new();
    for country in array(codes, "country")? {
        let country = country.as_table().ok_or("no table")?;
        let lists = [
            "postal",
            "mail",
            "languages",
            "regions",
            "vat",
            "vat_endings",
        ];
        let others = ["code", "code_first", "divided", "domain"];
        only(country, &[&lists[..], &others].concat())?;
        let code = text(country, "code")?.ok_or("a country lacks code")?;
        let mut members = format!(
            "code_first: {}, divided: {}, domain: {:?}",
            flag(country, "code_first")?,
            flag(country, "divided")?,
            text(country, "domain")?.unwrap_or_default()
        );
        for list in lists {
            let list_of = country.get(list).map_or(Ok(Vec::new()), texts)?;
            write!(members, ", {list}: &{list_of:?}")?;
        }
        if printed.insert(code, members).is_some() {
            return Err(format!("{code} stands twice").into());
        }
    }
    let none = "code_first: false, divided: false, domain: \"\", postal: &[], mail: &[], languages: &[], \
                regions: &[], vat: &[], vat_endings: &[]";
    tables.push_str("static COUNTRIES: &[countries::Country] = &[\n");
    for line in names.lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        let [code, prefix, names] = columns.as_slice() else {
            return Err(format!("{line} has not three columns").into());
        };
        let names: Vec<&str> = names.split('|').collect();
        let members = printed.remove(code).unwrap_or_else(|| none.to_owned());
        writeln!(
            tables,
            "    countries::Country {{ code: {code:?}, prefix: {prefix:?}, names: &{names:?}, {members} }},"
        )?;
    }
    tables.push_str("];\n");
    printed.into_keys().next().map_or(Ok(()), |code| {
        Err(format!("{code} is no country of countries.tsv").into())
    })
}
