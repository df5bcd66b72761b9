//! Reads the counters of `/metrics` in a test.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use metrics::{Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit};

/// The metrics counted on the thread of one test.
#[derive(Debug, Default)]
pub struct Counters(Mutex<HashMap<String, Arc<AtomicU64>>>);

impl Counters {
    /// The sum of all counters with this name that have the label.
    pub fn sum(&self, name: &str, label: Option<(&str, &str)>) -> u64 {
        let label = label.map(|(name, value)| format!("{name}={value};"));
        let counters = self.0.lock().unwrap();
        let chosen = counters.iter().filter(|(key, _)| {
            key.split_once(';').is_some_and(|(of, _)| of == name)
                && label.as_ref().is_none_or(|label| key.contains(label))
        });
        chosen.map(|(_, n)| n.load(Ordering::SeqCst)).sum()
    }
}

impl Recorder for Counters {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        let mut name = format!("{};", key.name());
        for label in key.labels() {
            name.push_str(&format!("{}={};", label.key(), label.value()));
        }
        let mut counters = self.0.lock().unwrap();
        Counter::from_arc(Arc::clone(counters.entry(name).or_default()))
    }
    fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::noop()
    }
    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::noop()
    }
}
