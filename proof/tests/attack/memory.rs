//! How much memory this process had in use at most. Each test runs in a process of its own.

/// Bytes in a MiB.
pub const MIB: u64 = 1 << 20;

/// The peak of resident memory so far, bytes (`VmHWM` of proc(5)).
pub fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or(0) * 1024
}
