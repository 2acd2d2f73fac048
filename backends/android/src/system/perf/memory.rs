//! `dumpsys meminfo PKG`.

use contract::answer::evidence::{Memory, MemoryArea, ProcessMemory};

/// How many areas are named.
const TOP: usize = 5;

/// Reads the numbers of the app's processes; `None` where there are none.
pub fn read(dump: &str, app: &str) -> Option<Memory> {
    const HEAD: &str = "** MEMINFO in pid ";
    let mut memory = Memory::default();
    let mut rss = Vec::new();
    for block in dump.split(HEAD).skip(1) {
        let (pid, name) = head(block.lines().next()?)?;
        if name != app && name.strip_prefix(app).is_none_or(|rest| !rest.starts_with(':')) {
            continue;
        }
        let table = table(block);
        let total = table.iter().find(|row| row.name == "TOTAL")?;
        memory.total_pss_kb += total.pss;
        memory.processes.push(ProcessMemory { pid, name: name.to_owned(), pss_kb: total.pss });
        rss.push(total.rss);
        for row in table.iter().filter(|row| row.name != "TOTAL") {
            match memory.top_consumers.iter_mut().find(|area| area.name == row.name) {
                Some(area) => area.pss_kb += row.pss,
                None => memory.top_consumers.push(MemoryArea { name: row.name.clone(), pss_kb: row.pss }),
            }
        }
    }
    memory.total_rss_kb = rss.into_iter().sum();
    memory.top_consumers.sort_by_key(|area| std::cmp::Reverse(area.pss_kb));
    memory.top_consumers.truncate(TOP);
    (!memory.processes.is_empty()).then_some(memory)
}

/// `5432 [com.example] **`.
fn head(line: &str) -> Option<(u32, &str)> {
    let (pid, rest) = line.split_once(' ')?;
    Some((pid.parse().ok()?, rest.trim().strip_prefix('[')?.split_once(']')?.0))
}

struct Row {
    name: String,
    pss: u64,
    rss: Option<u64>,
}

/// The first table of a process: areas, each with its numbers. The column of the resident memory is where the heading
/// says; before Android 11 there is none.
fn table(block: &str) -> Vec<Row> {
    let mut rss = None;
    let mut rows = Vec::new();
    for line in block.lines().skip(1) {
        let words: Vec<_> = line.split_whitespace().collect();
        if words.first() == Some(&"Pss") && rows.is_empty() {
            rss = words.iter().position(|word| *word == "Rss");
            continue;
        }
        if line.trim() == "App Summary" || line.trim().ends_with("Details") {
            break;
        }
        let first = words.iter().position(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        let Some(first) = first.filter(|first| *first > 0) else { continue };
        let number = |column: usize| words.get(first + column)?.parse().ok();
        let Some(pss) = number(0) else { continue };
        rows.push(Row { name: words.get(..first).unwrap_or_default().join(" "), pss, rss: rss.and_then(number) });
        if words.first() == Some(&"TOTAL") {
            break;
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_read_in_every_format() {
        for (android, dump, pss, rss) in [
            ("6", include_str!("../../../testdata/system/meminfo-6.txt"), 28348, None),
            ("10", include_str!("../../../testdata/system/meminfo-10.txt"), 28348, None),
            ("13", include_str!("../../../testdata/system/meminfo-13.txt"), 28358, Some(89972)),
        ] {
            let memory = read(dump, "com.example").unwrap();
            assert_eq!((memory.total_pss_kb, memory.total_rss_kb), (pss, rss), "{android}");
            let top: Vec<_> = memory.top_consumers.iter().map(|area| (area.name.as_str(), area.pss_kb)).collect();
            assert_eq!(
                top,
                [
                    ("Native Heap", 9612),
                    (".dex mmap", 6012),
                    (".so mmap", 4120),
                    ("Dalvik Heap", 3120),
                    ("Gfx dev", 2816)
                ],
                "{android}"
            );
            assert_eq!(memory.processes, [ProcessMemory { pid: 5432, name: "com.example".into(), pss_kb: pss }]);
        }
    }

    #[test]
    fn processes_of_one_app_are_summed_and_others_left_out() {
        let one = |pid: u32, name: &str, pss: u64| {
            format!(
                "** MEMINFO in pid {pid} [{name}] **\n      Pss      Rss\n    Total    Total\n   ------   ------\n  Native Heap {pss} 90\n  TOTAL {pss} 90\n"
            )
        };
        let dump = [one(1, "com.example", 10), one(2, "com.example:remote", 20), one(3, "com.example2", 40)].concat();
        let memory = read(&dump, "com.example").unwrap();
        assert_eq!((memory.total_pss_kb, memory.total_rss_kb, memory.processes.len()), (30, Some(180), 2));
        assert_eq!(read("No process found for: com.example\n", "com.example"), None);
    }
}
