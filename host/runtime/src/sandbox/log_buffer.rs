//! The lines that a guest logs: limited in number and length, for the outcome of the call and the host's
//! tracing. A guest never sees a secret, so its lines hold none.

use crate::interfaces::text::one_line;
use crate::outcome::{LogLevel, LogLine};

/// The log lines of one call.
#[derive(Debug)]
pub struct LogBuffer {
    lines: Vec<LogLine>,
    max_lines: usize,
    max_line_bytes: usize,
    dropped: u64,
}

impl LogBuffer {
    /// Room for `max_lines` lines of `max_line_bytes` bytes.
    pub const fn new(max_lines: usize, max_line_bytes: usize) -> Self {
        Self {
            lines: Vec::new(),
            max_lines,
            max_line_bytes,
            dropped: 0,
        }
    }

    pub fn push(&mut self, level: LogLevel, message: &str) {
        if self.lines.len() >= self.max_lines {
            self.dropped += 1;
            return;
        }
        let line = LogLine {
            level,
            message: one_line(message, self.max_line_bytes),
        };
        trace(&line);
        self.lines.push(line);
    }

    /// The lines; a last one says how many were dropped.
    pub fn finish(mut self) -> Vec<LogLine> {
        if self.dropped > 0 {
            let line = LogLine {
                level: LogLevel::Warn,
                message: format!("{} more lines were dropped", self.dropped),
            };
            trace(&line);
            self.lines.push(line);
        }
        self.lines
    }
}

fn trace(line: &LogLine) {
    match line.level {
        LogLevel::Debug => tracing::debug!(target: "gtm::plugin", "{}", line.message),
        LogLevel::Info => tracing::info!(target: "gtm::plugin", "{}", line.message),
        LogLevel::Warn => tracing::warn!(target: "gtm::plugin", "{}", line.message),
        LogLevel::Error => tracing::error!(target: "gtm::plugin", "{}", line.message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_counted_and_dropped() {
        let mut log = LogBuffer::new(2, 5);
        for _ in 0..10 {
            log.push(LogLevel::Info, "abcdefgh");
        }
        let lines = log.finish();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0].message, "abcde");
        assert_eq!(lines[2].message, "8 more lines were dropped");
    }
}
