//! Measures how the work of a function grows with its input. Work is the processor time of this thread as the
//! system reports it, because wall-clock time means nothing on a busy machine. Steps cannot be counted from
//! outside: most of them are in libraries.

use std::time::{Duration, Instant};

/// The shortest work that the system's clock can measure.
const GRAIN: Duration = Duration::from_millis(2);
/// How far the input may grow until a run is long enough to measure.
const LARGEST: usize = 256;

/// The processor time of this thread where the system reports it (Linux), otherwise the elapsed time.
fn spent(since: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    told.and_then(|line| line.split(' ').next()?.parse().ok())
        .map_or_else(|| since.elapsed(), Duration::from_nanos)
}

/// The work of the lightest of three runs: disturbances only add to it.
pub fn work(run: impl Fn()) -> Duration {
    let since = Instant::now();
    let one = |_| {
        let before = spent(since);
        run();
        spent(since).saturating_sub(before)
    };
    (0..3).map(one).min().unwrap()
}

/// Asserts that a run takes at most this much of the processor's time, however busy the machine is. It must not leave its
/// work to other threads.
///
/// # Panics
/// If it takes more.
pub fn takes_at_most(seconds: u64, run: impl FnOnce()) {
    let since = Instant::now();
    let before = spent(since);
    run();
    let took = spent(since).saturating_sub(before);
    let most = Duration::from_secs(seconds);
    assert!(
        took < most,
        "{took:?} of the processor, {most:?} are allowed"
    );
}

/// Asserts that eight times the input takes about eight times the work; quadratic growth would take 64 times.
/// `make` creates an input of a given size, which grows until its work can be measured.
///
/// # Panics
/// If the work grows faster, or is too little to measure even with the largest input.
pub fn is_linear(what: &str, make: impl Fn(usize) -> String, run: impl Fn(&str)) {
    let of = |size: usize| {
        let input = make(size);
        work(|| run(&input))
    };
    let mut size = 1;
    let mut one = of(size);
    while one < GRAIN && size < LARGEST {
        size *= 2;
        one = of(size);
    }
    assert!(one >= GRAIN, "{what}: {one:?} is too little to measure");
    let eight = of(8 * size);
    assert!(eight < one * 24, "{what}: {one:?} became {eight:?}");
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    fn steps(count: usize) {
        for step in 0..count {
            black_box(step);
        }
    }

    #[test]
    fn linear_work_is_told_from_quadratic() {
        let make = |size: usize| "x".repeat(400 * size);
        is_linear("linear", make, |input| steps(input.len() * 100));
        let quadratic = || is_linear("quadratic", make, |input| steps(input.len().pow(2)));
        assert!(std::panic::catch_unwind(quadratic).is_err());
    }

    #[test]
    fn only_the_processors_time_counts() {
        takes_at_most(1, || std::thread::sleep(Duration::from_millis(1_100)));
        let busy = || {
            let begun = Instant::now();
            takes_at_most(0, || {
                while begun.elapsed() < Duration::from_millis(50) {
                    steps(1_000);
                }
            });
        };
        assert!(std::panic::catch_unwind(busy).is_err());
    }

    #[test]
    fn work_that_begins_small_is_measured_where_it_is_large() {
        let make = |size: usize| "x".repeat(50 * size);
        let quadratic = || is_linear("quadratic", make, |input| steps(input.len().pow(2)));
        let panic = std::panic::catch_unwind(quadratic).unwrap_err();
        let told = panic.downcast_ref::<String>().unwrap();
        assert!(told.contains("became"), "{told}");
        let nothing = || is_linear("nothing", make, |_| ());
        let panic = std::panic::catch_unwind(nothing).unwrap_err();
        let told = panic.downcast_ref::<String>().unwrap();
        assert!(told.contains("too little"), "{told}");
    }
}
