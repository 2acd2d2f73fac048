//! One test per row of the golden table, named by its id: its driver makes the real producer fail, the gate judges, and every
//! consumer is shown the same answer.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use proof::{consumers, drivers, gate, table, world::World};

fn main() -> ExitCode {
    let is_root = rustix::process::geteuid().is_root();
    let trials = drivers::all()
        .map(|driver| {
            let cannot = !is_root && drivers::NEED_ROOT.contains(&driver.row);
            Trial::test(driver.row.id(), move || run(driver)).with_ignored_flag(cannot)
        })
        .collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn run(driver: &'static drivers::Driver) -> Result<(), Failed> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let world = World::through_the_program().await;
        let seen = (driver.run)(&world).await;
        let mut objections: Vec<String> =
            gate::judge(&table::of(driver.row), &seen).iter().map(ToString::to_string).collect();
        objections.extend(world.end().await);
        objections.extend(consumers::objections(driver.row, &seen.told).await);
        if objections.is_empty() { Ok(()) } else { Err(format!("{}\n{:#?}", objections.join("\n"), seen).into()) }
    })
}
