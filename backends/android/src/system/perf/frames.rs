//! `dumpsys gfxinfo PKG framestats`.

use contract::answer::evidence::Frames;

/// Two frames further apart belong to two movements: nothing was drawn in between, ms.
const REST_NS: u64 = 250_000_000;

/// Reads the numbers of the app's main process; `None` where there are none.
pub fn read(dump: &str, app: &str) -> Option<Frames> {
    const HEAD: &str = "** Graphics info for pid ";
    let name = format!("[{app}]");
    let mut blocks = dump.split(HEAD).skip(1);
    let block = blocks
        .clone()
        .find(|block| block.lines().next().is_some_and(|line| line.contains(&name)))
        .or_else(|| blocks.next())?;
    let number = |label: &str| block.lines().find_map(|line| leading(line.trim().strip_prefix(label)?));
    let percentile = |percent: u32| number(&format!("{percent}th percentile:"));
    let total_frames = number("Total frames rendered:")?;
    let janky_frames = number("Janky frames:").unwrap_or_default();
    let (fps, fps_frames) = rate(block);
    Some(Frames {
        pid: u32::try_from(leading(block)?).ok()?,
        total_frames,
        janky_frames,
        janky_percent: share(janky_frames, total_frames),
        p50_ms: percentile(50),
        p90_ms: percentile(90),
        p95_ms: percentile(95),
        p99_ms: percentile(99),
        missed_vsync: number("Number Missed Vsync:"),
        high_input_latency: number("Number High input latency:"),
        slow_ui_thread: number("Number Slow UI thread:"),
        slow_draw_commands: number("Number Slow issue draw commands:"),
        fps,
        fps_frames,
    })
}

/// The number at the beginning of a text.
fn leading(text: &str) -> Option<u64> {
    let text = text.trim_start();
    text.get(..text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()))?.parse().ok()
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { (part as f64 / whole as f64 * 10_000.0).round() / 100.0 }
}

/// Frames per second from the times at which frames were meant to begin, pauses left out, and from how many frames.
fn rate(block: &str) -> (Option<f64>, u64) {
    let mut gaps = Vec::new();
    // Every window has a block of its own between two of these lines.
    for window in block.split("---PROFILEDATA---").skip(1).step_by(2) {
        let mut lines = window.lines().filter(|line| !line.trim().is_empty());
        let Some(heading) = lines.next() else { continue };
        let column = |name: &str| heading.split(',').position(|column| column.trim() == name);
        let (Some(flags), Some(begin)) = (column("Flags"), column("IntendedVsync")) else { continue };
        let mut begins: Vec<u64> = lines
            .filter_map(|line| {
                let cells: Vec<_> = line.split(',').map(str::trim).collect();
                // A frame with a flag is not like the others: the first of a window, one that was skipped.
                (*cells.get(flags)? == "0").then(|| cells.get(begin)?.parse().ok())?
            })
            .collect();
        begins.sort_unstable();
        let between = begins.iter().zip(begins.iter().skip(1)).map(|(one, next)| next - one);
        gaps.extend(between.filter(|gap| *gap > 0 && *gap < REST_NS));
    }
    let frames = gaps.len() as u64;
    let time: u64 = gaps.iter().sum();
    let fps = (frames > 0).then(|| (frames as f64 * 1e10 / time as f64).round() / 10.0);
    (fps, frames)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten frames at 60 Hz, two seconds of rest, five frames at 30 Hz: 13 gaps in 0.283 s.
    const FPS: f64 = 45.9;

    #[test]
    fn the_numbers_are_read_in_every_format() {
        for (android, dump, p50, janky) in [
            ("6", include_str!("../../../testdata/system/gfxinfo-6.txt"), None, 2),
            ("10", include_str!("../../../testdata/system/gfxinfo-10.txt"), Some(6), 2),
            ("14", include_str!("../../../testdata/system/gfxinfo-14.txt"), Some(6), 1),
        ] {
            let frames = read(dump, "com.example").unwrap();
            assert_eq!((frames.pid, frames.total_frames, frames.janky_frames), (5432, 16, janky), "{android}");
            assert_eq!((frames.p50_ms, frames.p90_ms, frames.p99_ms), (p50, Some(18), Some(57)), "{android}");
            assert_eq!((frames.missed_vsync, frames.slow_draw_commands), (Some(1), Some(1)), "{android}");
            assert_eq!((frames.fps, frames.fps_frames), (Some(FPS), 13), "{android}");
        }
    }

    #[test]
    fn the_apps_own_process_is_chosen_and_none_is_none() {
        let two = "** Graphics info for pid 1 [com.example:remote] **\nTotal frames rendered: 0\nJanky frames: 0 (0.00%)\n\n** Graphics info for pid 2 [com.example] **\nTotal frames rendered: 4\nJanky frames: 1 (25.00%)\n";
        let frames = read(two, "com.example").unwrap();
        assert_eq!((frames.pid, frames.total_frames, frames.janky_percent, frames.fps), (2, 4, 25.0, None));
        assert_eq!(read("No process found for: com.example\n", "com.example"), None);
    }
}
