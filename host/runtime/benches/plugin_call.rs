//! One plug-in call with a fresh instance, through the runtime, compared in the same run with the same
//! component called by plain wasmtime (`InstancePre`, on-demand allocator, no limits, no schemas).
//!
//! `cargo bench -p gtm-runtime` after `cargo xtask plugins --fixtures`. Prints median and 99th
//! percentile in microseconds, and the ratio of the medians. Without `--bench`, which cargo passes, each case
//! is only tried.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    dead_code
)]

#[path = "../tests/plugins/fixtures.rs"]
mod fixtures;

use std::time::{Duration, Instant};

use gtm_runtime::{CallLabels, EvaluateCall, PluginKind};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use wasmtime::component::{Component, Linker};
use wasmtime::{Engine, Store};

const WARM_UP: usize = 300;
const CALLS: usize = 5000;
/// Calls of a case that is only tried.
const TRIED: usize = 20;

mod plain {
    wasmtime::component::bindgen!({ path: "../../wit", world: "gtm:plugin/evaluator" });
}

fn main() {
    let rt = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let input =
        json!({ "name": "Fjord Cable", "employees": 120, "domains": ["fjord-cable.example"] });

    let runtime = rt.block_on(fixtures::runtime());
    let plugin = fixtures::plugin(&runtime, PluginKind::Evaluator, "echo-evaluator");
    let through_runtime = measure(|| {
        let call = EvaluateCall {
            plugin: plugin.clone(),
            input: input.clone(),
            deadline: Duration::from_secs(10),
            cancel: CancellationToken::new(),
            span_fields: CallLabels::default(),
        };
        let outcome = rt.block_on(runtime.evaluate(call));
        assert_eq!(outcome.result.unwrap()["members"], 3);
    });
    let connector = measure(|| {
        let outcome = rt.block_on(fixtures::misbehave(&runtime, "none", 7));
        assert_eq!(outcome.result.unwrap()["value"], 7);
    });

    let engine = Engine::default();
    let path = fixtures::catalog_dir().join("evaluator/echo-evaluator/0.1.0/component.wasm");
    let component = Component::new(&engine, std::fs::read(path).unwrap()).unwrap();
    let linker: Linker<()> = Linker::new(&engine);
    let pre = plain::EvaluatorPre::new(linker.instantiate_pre(&component).unwrap()).unwrap();
    let text = input.to_string();
    let plainly = measure(|| {
        let mut store = Store::new(&engine, ());
        let guest = pre.instantiate(&mut store).unwrap();
        let answer = guest.call_evaluate(&mut store, &text).unwrap().unwrap();
        assert_eq!(
            serde_json::from_str::<Value>(&answer).unwrap()["members"],
            3
        );
    });

    let show = |name: &str, (p50, p99): (f64, f64)| {
        println!("{name:<44} p50 {p50:>8.1} µs   p99 {p99:>8.1} µs")
    };
    show("evaluator through the runtime", through_runtime);
    show("connector through the runtime (no request)", connector);
    show("the same evaluator by plain wasmtime", plainly);
    println!(
        "ratio of the medians (runtime / plain): {:.2}",
        through_runtime.0 / plainly.0
    );
}

/// Median and 99th percentile in microseconds.
fn measure(mut call: impl FnMut()) -> (f64, f64) {
    let (warm_up, calls) = if std::env::args().any(|argument| argument == "--bench") {
        (WARM_UP, CALLS)
    } else {
        (1, TRIED)
    };
    (0..warm_up).for_each(|_| call());
    let mut times: Vec<f64> = (0..calls)
        .map(|_| {
            let begun = Instant::now();
            call();
            begun.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    (times[calls / 2], times[calls * 99 / 100])
}
