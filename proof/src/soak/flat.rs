//! Whether a series of readings still grows.

use cut::measures::Measure;

use super::gauge::Reading;

/// Memory that may come on top over the second half of a run, KiB. The daemon keeps the last 65,536 request ids and
/// 512 results, timelines have buffers, and an allocator gives pages back when it likes; a leak of 5 bytes a command
/// is more than this at 250,000 commands.
pub const GROWTH_KIB: u64 = 1024;

/// One reading, and how much was done when it was taken.
pub type Point = (u64, Reading);

/// The rise of a series over its second half: that of the straight line that fits it best (least squares), so that
/// one high reading decides nothing. 0 where it falls, or where there are fewer than four readings.
pub fn growth(points: &[Point], of: impl Fn(&Reading) -> u64) -> u64 {
    let second = second_half(points);
    if second.len() < 4 {
        return 0;
    }
    let all: Vec<(f64, f64)> = second.iter().map(|(done, reading)| (*done as f64, of(reading) as f64)).collect();
    let mean = |part: fn(&(f64, f64)) -> f64| all.iter().map(part).sum::<f64>() / all.len() as f64;
    let (middle, height) = (mean(|point| point.0), mean(|point| point.1));
    let spread: f64 = all.iter().map(|point| (point.0 - middle).powi(2)).sum();
    let together: f64 = all.iter().map(|point| (point.0 - middle) * (point.1 - height)).sum();
    let wide = all.last().map_or(0.0, |point| point.0) - all.first().map_or(0.0, |point| point.0);
    if spread == 0.0 { 0 } else { (together / spread * wide).max(0.0).round() as u64 }
}

/// The most that was read in the first half (from a quarter on: the warm-up is over) and in the second.
pub fn peaks(points: &[Point], of: impl Fn(&Reading) -> u64) -> (u64, u64) {
    let most = |part: &[Point]| part.iter().map(|(_, reading)| of(reading)).max().unwrap_or(0);
    (most(points.get(points.len() / 4..points.len().div_ceil(2)).unwrap_or_default()), most(second_half(points)))
}

fn second_half(points: &[Point]) -> &[Point] {
    points.get(points.len() / 2..).unwrap_or_default()
}

/// Memory, as figures: what it was at the end, and its growth over the second half with its bar.
pub fn memory(what: &str, points: &[Point], most_kib: u64) -> [Measure; 2] {
    let grown = growth(points, |reading| reading.memory_kib);
    let last = points.last().map_or(0, |(_, reading)| reading.memory_kib);
    [
        Measure { name: format!("memory {what}"), value: kib(last), bar: String::new(), holds: true },
        Measure {
            name: format!("growth of memory {what}, second half (least squares)"),
            value: kib(grown),
            bar: format!("at most {}", kib(most_kib)),
            holds: grown <= most_kib,
        },
    ]
}

/// Something that is counted: no more of it in the second half than in the first.
pub fn steady(what: &str, points: &[Point], of: impl Fn(&Reading) -> u64) -> Measure {
    let (before, after) = peaks(points, of);
    Measure {
        name: what.to_owned(),
        value: after.to_string(),
        bar: format!("at most {before}, as in the first half"),
        holds: after <= before,
    }
}

/// Something that comes and goes with what is done at the moment, such as connections: it may not rise by more than a
/// fiftieth, and eight: a runtime takes a few threads more when a machine is busy, and gives them back after seconds. What
/// is lost with each command or connection is hundreds.
pub fn level(what: &str, points: &[Point], of: impl Fn(&Reading) -> u64) -> Measure {
    let (_, most) = peaks(points, &of);
    let (grown, bar) = (growth(points, of), most / 50 + 8);
    Measure {
        name: format!("growth of {what}, second half (least squares); at most {most} of them"),
        value: grown.to_string(),
        bar: format!("at most {bar}"),
        holds: grown <= bar,
    }
}

/// A size for people.
pub fn kib(kib: u64) -> String {
    format!("{}.{:02} MiB", kib / 1024, kib % 1024 * 100 / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(memory: impl Fn(u64) -> u64) -> Vec<Point> {
        (0..40).map(|at| (at * 1000, Reading { memory_kib: memory(at), ..Reading::default() })).collect()
    }

    #[test]
    fn a_warm_up_and_a_high_reading_are_no_growth_and_a_slow_leak_is() {
        let warm = series(|at| 9000 + (at * 500).min(5000) + if at == 30 { 900 } else { at % 3 });
        let [_, growth] = memory("", &warm, GROWTH_KIB);
        assert!(growth.holds, "{growth:?}");
        // 80 bytes a command: 78 KiB each thousand.
        let leak = series(|at| 9000 + at * 78);
        let [_, growth] = memory("", &leak, GROWTH_KIB);
        assert!(!growth.holds && growth.value.starts_with("1.44"), "{growth:?}");
    }

    #[test]
    fn one_more_descriptor_in_the_second_half_is_not_steady() {
        assert!(steady("", &series(|_| 5), |reading| reading.memory_kib).holds);
        assert!(steady("", &series(|at| if at < 15 { 5 } else { 4 }), |reading| reading.memory_kib).holds);
        assert!(!steady("", &series(|at| 5 + at / 35), |reading| reading.memory_kib).holds);
    }

    #[test]
    fn what_comes_and_goes_may_not_rise() {
        assert!(level("", &series(|at| 400 + at * 7 % 13), |reading| reading.memory_kib).holds);
        assert!(!level("", &series(|at| 400 + at), |reading| reading.memory_kib).holds);
    }
}
