//! Memory and time of a process, and the machine, from /proc.

use std::{fs, time::Duration};

/// Resident memory of a process, bytes (`VmRSS`); `None` where it is gone.
pub fn rss(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// The same, written.
pub fn rss_written(pid: u32) -> String {
    rss(pid).map_or_else(|| "gone".to_owned(), crate::figures::megabytes)
}

/// Time that a process spent computing, in user and kernel. The kernel counts in hundredths of a second on Linux.
pub fn computed(pid: u32) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold spaces; utime and stime are fields 14 and 15 of all, 12 and 13 after it.
    let after_name = stat.rsplit_once(')')?.1;
    let mut fields = after_name.split_whitespace().skip(11);
    let mut next = || fields.next().and_then(|field| field.parse::<u64>().ok());
    Some(Duration::from_millis((next()? + next()?) * 10))
}

/// Kind of machine and how busy it was, in one line: a figure from a busy machine is not worth much.
pub fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let load = fs::read_to_string("/proc/loadavg").ok();
    let load =
        load.as_deref().and_then(|text| text.split_whitespace().next()).and_then(|word| word.parse::<f64>().ok());
    let busy = match load {
        Some(load) if load > cores as f64 / 2.0 => {
            format!("load average {load:.1} at the start: **busy, the figures are provisional**")
        }
        Some(load) => format!("load average {load:.1} at the start"),
        None => "load unknown".to_owned(),
    };
    format!("{cores} cores, {}, {busy}.", std::env::consts::OS)
}
