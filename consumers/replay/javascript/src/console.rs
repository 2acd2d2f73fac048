//! What scripts wrote with `console`, as much as is worth keeping.

/// Lines that are kept between two looks at the console, and bytes of each.
const CONSOLE: (usize, usize) = (1000, 16 << 10);

/// What was written since it was last taken.
#[derive(Default)]
pub struct Console {
    lines: Vec<String>,
    dropped: usize,
}

impl Console {
    pub fn log(&mut self, mut line: String) {
        let (lines, bytes) = CONSOLE;
        if self.lines.len() >= lines {
            self.dropped += 1;
            return;
        }
        if line.len() > bytes {
            let end = (0..=bytes).rev().find(|&end| line.is_char_boundary(end)).unwrap_or(0);
            line.truncate(end);
            line.push_str("...");
        }
        self.lines.push(line);
    }

    pub fn take(&mut self) -> Vec<String> {
        let mut lines = std::mem::take(&mut self.lines);
        match std::mem::take(&mut self.dropped) {
            0 => {}
            dropped => lines.push(format!("... and {dropped} more lines")),
        }
        lines
    }
}
