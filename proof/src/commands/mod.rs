//! One module per command, and how their words are read.

pub mod audit;
pub mod cut;
pub mod fuzz;
pub mod mutants;
pub mod publish;
pub mod resolve;
pub mod sabotage;
pub mod simulate;
pub mod smoke;
pub mod soak;

/// The options after a command: `--name value` pairs. `known` are the names.
pub fn options<'w>(words: &'w [String], known: &[&str]) -> Result<Vec<(&'w str, &'w str)>, String> {
    words
        .chunks(2)
        .map(|pair| match pair {
            [name, value] if known.contains(&name.as_str()) => Ok((name.as_str(), value.as_str())),
            [name, ..] if known.contains(&name.as_str()) => Err(format!("{name} needs a value")),
            [name, ..] => Err(format!("there is no option {name:?}; there are: {}", known.join(", "))),
            [] => Err(String::new()),
        })
        .collect()
}

/// A whole number after an option.
pub fn number<N: std::str::FromStr>(name: &str, value: &str) -> Result<N, String> {
    value.parse().map_err(|_| format!("{name} {value}: not a whole number"))
}

/// A runtime of two threads.
pub fn runtime() -> Result<tokio::runtime::Runtime, String> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|why| format!("no threads to run on: {why}"))
}
