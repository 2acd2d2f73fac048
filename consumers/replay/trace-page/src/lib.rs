//! One self-contained page that shows what happened in a run
