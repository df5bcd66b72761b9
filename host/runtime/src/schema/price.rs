//! The price of what a check does besides walking through schema and value: reading texts, and comparing the
//! items of lists with each other, and dividing. It is counted before the check begins.
//!
//! Danger: a pattern may cost its program's size for each byte of a text, so one string can take longer than
//! a hundred thousand numbers. The price of a text is therefore its bytes times what the keywords that apply
//! to it cost per byte. Only keywords that can apply count: a page's long text is not charged for the pattern
//! of its address.
//!
//! Danger: the library finds equal items by a hash that is the same for all lists of empty lists, so a
//! stranger can have each compared with all others.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::programs::Programs;
use super::{SchemaError, bounds, nodes, references};

/// Bytes of a program that the engine visits in one step.
const PROGRAM_BYTES_PER_STEP: u64 = 16;
/// Reading any text costs as much as this many bytes more.
const BEGINNING: u64 = 8;
/// Steps per byte of the check of a format.
const FORMAT_STEPS: u64 = 16;
/// Steps of `multipleOf`, which divides fractions of a thousand digits.
const DIVISION_STEPS: u64 = 2000;
/// How many different numbers may have the same hash: those that are one `f64`.
const NUMBERS_OF_A_HASH: u64 = 2048;
/// Maximum number of places of a value that are looked at for its price. It bounds the time of pricing; a
/// value with more is not checked.
const MAX_VISITS: u32 = 2_000_000;

/// Formats whose check takes more than linear time, or compiles what it checks.
const REFUSED_FORMATS: [&str; 3] = ["regex", "idn-hostname", "idn-email"];

/// The prices of a schema.
#[derive(Debug)]
pub struct Prices(Arc<Part>);

/// One subschema.
#[derive(Debug, Default)]
struct Part {
    /// Steps per byte, if everything in this part applied to all text of a value.
    anywhere: u64,
    /// Steps per byte of a value that is a string.
    string: u64,
    /// Steps per byte of a name of a member.
    names: u64,
    /// How often the part is checked.
    times: u64,
    /// Steps for each number.
    number: u64,
    /// Whether the items of a list are compared.
    unique: bool,
    /// Violations that the part's own keywords can find in one value.
    violations: u64,
    /// Violations that they can find in each member's name.
    of_names: u64,
    /// Whether this part has prices for other values than texts.
    beyond_text: bool,
    /// Parts that apply to the same value.
    same: Vec<Arc<Part>>,
    members: BTreeMap<String, Arc<Part>>,
    /// Parts that may apply to any member.
    any_member: Vec<Arc<Part>>,
    /// Parts that may apply to any item.
    items: Vec<Arc<Part>>,
}

impl Prices {
    /// The prices of a schema, which [`bounds::expanded`] found to be a finite tree.
    ///
    /// # Errors
    /// If it uses a format whose price has no bound.
    pub fn of(schema: &Value, programs: &Programs) -> Result<Self, SchemaError> {
        let mut reading = Reading {
            root: schema,
            programs,
            known: BTreeMap::new(),
        };
        reading.part(schema).map(Self)
    }

    /// How many violations a value can have at most. Unlike the schema's size times the value's, only the
    /// parts that apply to a place count there: a long list of small objects has few. Counting ends soon after
    /// `max`.
    pub fn violations(&self, value: &Value, max: u64) -> u64 {
        let mut count = Counting { violations: 0, max };
        count.add(&self.0, value);
        count.violations
    }

    /// The steps that a value costs. Counting ends soon after `max`.
    pub fn steps(&self, value: &Value, max: u64) -> u64 {
        if !self.0.beyond_text {
            let all = text_bytes(value).saturating_mul(self.0.anywhere);
            if all <= max {
                return all;
            }
        }
        let mut count = Pricing {
            steps: 0,
            max,
            visits_left: MAX_VISITS,
        };
        count.add(&self.0, value, 1);
        if count.visits_left == 0 {
            u64::MAX
        } else {
            count.steps
        }
    }
}

/// The steps of finding equal items. Strings have a hash that strangers cannot foresee.
fn comparisons(items: &[Value]) -> u64 {
    let (mut numbers, mut lists, mut values) = (0_u64, 0_u64, 0_u64);
    for item in items {
        match item {
            Value::Number(_) => numbers += 1,
            Value::Array(_) | Value::Object(_) => {
                lists += 1;
                values = values.saturating_add(u64::try_from(nodes(item)).unwrap_or(u64::MAX));
            }
            _ => {}
        }
    }
    let numbers = numbers.saturating_mul(numbers.min(NUMBERS_OF_A_HASH));
    let lists = values.saturating_mul(lists);
    numbers.saturating_add(lists)
}

/// Bytes of all strings and names in a value.
fn text_bytes(value: &Value) -> u64 {
    let mut sum = 0_u64;
    let mut stack = vec![value];
    while let Some(value) = stack.pop() {
        match value {
            Value::String(text) => sum = sum.saturating_add(length(text)),
            Value::Array(items) => stack.extend(items),
            Value::Object(members) => {
                for (name, member) in members {
                    sum = sum.saturating_add(length(name));
                    stack.push(member);
                }
            }
            _ => {}
        }
    }
    sum
}

/// Bytes of a text, and as many more as it takes to begin with one.
fn length(text: &str) -> u64 {
    let bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
    bytes.saturating_add(BEGINNING)
}

struct Pricing {
    steps: u64,
    max: u64,
    visits_left: u32,
}

impl Pricing {
    /// Adds the price of a value. Recurses as deep as the schema, which has a bound.
    fn add(&mut self, part: &Part, value: &Value, times: u64) {
        let costs_nothing = part.anywhere == 0 && !part.beyond_text;
        if costs_nothing || self.steps > self.max || self.visits_left == 0 {
            return;
        }
        self.visits_left -= 1;
        let times = times.saturating_mul(part.times);
        match value {
            Value::String(text) => self.charge(length(text), part.string, times),
            Value::Array(items) => {
                if part.unique {
                    self.charge(1, comparisons(items), times);
                }
                for applied in &part.same {
                    self.add(applied, value, times);
                }
                for applied in &part.items {
                    for item in items {
                        self.add(applied, item, times);
                    }
                }
            }
            Value::Object(members) => {
                for applied in &part.same {
                    self.add(applied, value, times);
                }
                self.add_members(part, members, times);
            }
            Value::Number(_) => self.charge(1, part.number, times),
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn add_members(&mut self, part: &Part, members: &Map<String, Value>, times: u64) {
        if part.names > 0 {
            let names = members.keys().map(|name| length(name));
            self.charge(names.fold(0, u64::saturating_add), part.names, times);
        }
        for (name, applied) in &part.members {
            if let Some(member) = members.get(name) {
                self.add(applied, member, times);
            }
        }
        for applied in &part.any_member {
            for member in members.values() {
                self.add(applied, member, times);
            }
        }
    }

    fn charge(&mut self, bytes: u64, steps: u64, times: u64) {
        let price = bytes.saturating_mul(steps).saturating_mul(times);
        self.steps = self.steps.saturating_add(price);
    }
}

/// Counts at least one violation for each part that it visits, so `max` bounds its time, too.
struct Counting {
    violations: u64,
    max: u64,
}

impl Counting {
    /// Adds what a part may find in a value. Recurses as deep as the schema, which has a bound.
    fn add(&mut self, part: &Part, value: &Value) {
        if self.violations > self.max {
            return;
        }
        let own = part.violations.saturating_mul(part.times).max(1);
        self.violations = self.violations.saturating_add(own);
        for applied in &part.same {
            self.add(applied, value);
        }
        match value {
            Value::Array(items) => {
                for applied in &part.items {
                    for item in items {
                        self.add(applied, item);
                    }
                }
            }
            Value::Object(members) => {
                let names = u64::try_from(members.len()).unwrap_or(u64::MAX);
                let of_names = names.saturating_mul(part.of_names);
                self.violations = self.violations.saturating_add(of_names);
                for (name, applied) in &part.members {
                    if let Some(member) = members.get(name) {
                        self.add(applied, member);
                    }
                }
                for applied in &part.any_member {
                    for member in members.values() {
                        self.add(applied, member);
                    }
                }
            }
            _ => {}
        }
    }
}

struct Reading<'s> {
    root: &'s Value,
    programs: &'s Programs,
    /// By address: the schema is borrowed, so it does not move.
    known: BTreeMap<*const Value, Arc<Part>>,
}

impl<'s> Reading<'s> {
    fn part(&mut self, schema: &'s Value) -> Result<Arc<Part>, SchemaError> {
        let address = std::ptr::from_ref(schema);
        if let Some(known) = self.known.get(&address) {
            return Ok(Arc::clone(known));
        }
        let mut part = Part {
            times: 1,
            ..Part::default()
        };
        if let Value::Object(keywords) = schema {
            for (keyword, value) in keywords {
                self.keyword(&mut part, keyword, value)?;
            }
        }
        part.finish();
        let part = Arc::new(part);
        self.known.insert(address, Arc::clone(&part));
        Ok(part)
    }

    /// Adds what a keyword applies, and where. Keywords that are not here look at no text, or only at as
    /// much as the schema itself holds.
    fn keyword(
        &mut self,
        part: &mut Part,
        keyword: &str,
        value: &'s Value,
    ) -> Result<(), SchemaError> {
        match (keyword, value) {
            ("pattern", Value::String(pattern)) => {
                part.string = part.string.saturating_add(self.program(pattern));
            }
            ("format", Value::String(format)) => {
                if REFUSED_FORMATS.contains(&format.as_str()) {
                    return Err(SchemaError::Format(format.clone()));
                }
                part.string = part.string.saturating_add(FORMAT_STEPS);
            }
            ("multipleOf", _) => part.number = part.number.saturating_add(DIVISION_STEPS),
            ("uniqueItems", Value::Bool(unique)) => part.unique = *unique,
            ("minLength" | "maxLength", _) => part.string = part.string.saturating_add(1),
            ("$ref", Value::String(reference)) => {
                let target = references::target(self.root, reference)?;
                part.same.push(self.part(target)?);
            }
            ("allOf" | "anyOf" | "oneOf", Value::Array(schemas)) => {
                for schema in schemas {
                    part.same.push(self.part(schema)?);
                }
            }
            ("not" | "if" | "then" | "else", schema) => part.same.push(self.part(schema)?),
            ("dependentSchemas" | "dependencies", Value::Object(schemas)) => {
                for schema in schemas.values() {
                    part.same.push(self.part(schema)?);
                }
            }
            ("properties", Value::Object(schemas)) => {
                for (name, schema) in schemas {
                    part.members.insert(name.clone(), self.part(schema)?);
                }
            }
            ("patternProperties", Value::Object(schemas)) => {
                for (pattern, schema) in schemas {
                    part.names = part.names.saturating_add(self.program(pattern));
                    part.any_member.push(self.part(schema)?);
                }
            }
            ("propertyNames", schema) => {
                let names = self.part(schema)?;
                part.names = part.names.saturating_add(names.string);
                part.of_names = u64::try_from(nodes(schema)).unwrap_or(u64::MAX);
            }
            ("additionalProperties" | "unevaluatedProperties", schema) => {
                part.any_member.push(self.part(schema)?);
            }
            ("items" | "prefixItems", Value::Array(schemas)) => {
                for schema in schemas {
                    part.items.push(self.part(schema)?);
                }
            }
            ("items" | "contains" | "additionalItems" | "unevaluatedItems", schema) => {
                part.items.push(self.part(schema)?);
            }
            _ => {}
        }
        if bounds::CHECKING_AGAIN.contains(&keyword) {
            part.times = bounds::AGAIN;
        }
        // Each absent member is a violation of its own; every other keyword finds one, or leaves that to its parts.
        let own = match (keyword, value) {
            ("required" | "dependentRequired" | "dependencies", value) => nodes(value),
            _ => 1,
        };
        let own = u64::try_from(own).unwrap_or(u64::MAX);
        part.violations = part.violations.saturating_add(own);
        Ok(())
    }

    /// Steps per byte of a pattern.
    fn program(&self, pattern: &str) -> u64 {
        let bytes = u64::try_from(self.programs.size(pattern)).unwrap_or(u64::MAX);
        (bytes / PROGRAM_BYTES_PER_STEP).max(1)
    }
}

impl Part {
    /// Sums up what the part's own parts cost.
    fn finish(&mut self) {
        for applied in &self.same {
            let times = applied.times;
            let price = applied.string.saturating_mul(times);
            self.string = self.string.saturating_add(price);
            let price = applied.number.saturating_mul(times);
            self.number = self.number.saturating_add(price);
        }
        let inner = self.same.iter().chain(self.members.values());
        let inner = inner.chain(&self.any_member).chain(&self.items);
        let own = self.unique || self.number > 0;
        self.beyond_text = own || inner.clone().any(|part| part.beyond_text);
        let inner = inner.fold(0_u64, |sum, part| sum.saturating_add(part.anywhere));
        let own = self.string.saturating_add(self.names).saturating_add(inner);
        self.anywhere = own.saturating_mul(self.times);
    }
}

#[cfg(test)]
mod tests;
