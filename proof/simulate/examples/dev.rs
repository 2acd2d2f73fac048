#![allow(warnings)]
use simulate::{*, campaign::*};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let first: u64 = args[1].parse().unwrap();
    let seeds: u64 = args[2].parse().unwrap();
    let mode = args.get(3).map(String::as_str).unwrap_or("");
    let started = std::time::Instant::now();
    quiet_panics();
    if mode == "trace" || mode == "shrink" {
        let place = Place::new();
        let mut plan = script::plan(first);
        if mode == "shrink" {
            let out = place.run(&plan, Options::default());
            if let Some(f) = out.findings.first() {
                let kept = place.shrink(&plan, f, Options::default());
                println!("kept {kept:?}");
                plan = plan.only(&kept);
            }
        }
        let out = place.run(&plan, Options { trace: true, lie: None });
        for l in &out.trace { println!("{l}"); }
        for f in &out.findings { println!("FINDING {f}"); }
        return;
    }
    if mode == "rows" {
        let place = Place::new();
        let mut rows = std::collections::BTreeMap::<String, u64>::new();
        for seed in first..first + seeds { for t in place.run(&script::plan(seed), Options::default()).trials { *rows.entry(match t.told { cut::Told::No(r) => format!("no {r}"), cut::Told::Unknown(r, _) => format!("unknown {r}"), o => format!("{o:?}") }).or_default() += 1; } }
        let mut rows: Vec<_> = rows.into_iter().collect(); rows.sort_by_key(|r| std::cmp::Reverse(r.1));
        for (r, n) in rows { println!("{n:>6} {r}"); }
        return;
    }
    let found = Campaign { first, seeds, threads: 2 }.run(|s, a| eprintln!("{s} seeds {a} actions"));
    println!("{} actions in {:?}: {:.0}/s; virtual {:?}", found.actions, started.elapsed(), found.actions as f64 / started.elapsed().as_secs_f64(), found.virtual_time);
    let mut kinds = std::collections::BTreeMap::<String, (u64, Vec<u64>)>::new();
    for (seed, fs) in &found.broken { for f in fs { let e = kinds.entry(format!("{:?} {}", f.kind, f.operation)).or_default(); e.0 += 1; e.1.push(*seed); } }
    for (k, (n, s)) in kinds { println!("{k}: {n}  seeds {:?}", &s[..s.len().min(8)]); }
    for line in &found.lines { println!("{:<20} inj {} done {} res {} no {} unk {} broken {}", line.operation, line.injected, line.done, line.resolved, line.no, line.unknown, line.broken()); }
}
