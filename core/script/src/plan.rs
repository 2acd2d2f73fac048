//! What identifies a script's plan: whoever goes on in the middle must mean the same steps.

use sha2::{Digest, Sha256};

use crate::Script;

/// SHA-256 over the steps with their lines and over the variables that the script sets: 64 hexadecimal digits. Comments
/// and evidence do not count.
pub fn digest(script: &Script) -> String {
    let mut hash = Sha256::new();
    // Lengths go first, so that no two plans run into the same bytes.
    let mut add = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    };
    add("agent-device plan 1");
    for (name, value) in &script.env {
        add(name);
        add(value);
    }
    for step in &script.steps {
        add(&step.line().to_string());
        add(&step.words.len().to_string());
        step.words.iter().for_each(|word| add(&word.raw));
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
