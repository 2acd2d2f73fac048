//! The program, spoken to about one device.

use serde_json::Value;

use crate::program::Program;

/// A device, and the app that is tried on it.
pub struct Phone {
    program: Program,
    device: String,
    app: String,
}

/// What the program answered.
pub type Told = Result<Value, String>;

impl Phone {
    /// `environment` goes to the program: where the adb server is, say.
    pub fn new(device: &str, app: &str, environment: Vec<(String, String)>) -> Self {
        let mut program = Program::new();
        program.environment = environment;
        Self { program, device: device.to_owned(), app: app.to_owned() }
    }

    /// The device's serial number.
    pub fn device(&self) -> &str {
        &self.device
    }

    /// The app's id.
    pub fn app(&self) -> &str {
        &self.app
    }

    /// A folder for pictures.
    pub fn folder(&self) -> &std::path::Path {
        self.program.folder()
    }

    /// Runs a command line in the suite's own session.
    pub async fn run(&self, words: &[&str]) -> Told {
        let own = ["--session", "smoke", "--platform", "android", "--device", &self.device];
        match self.program.json(&[words, &own].concat()).await {
            (_, Ok(data)) => Ok(data),
            (_, Err(told)) => Err(format!(
                "{}: {} {}{}",
                words.join(" "),
                told.code,
                told.message(),
                match told.hint() {
                    "" => String::new(),
                    hint => format!(" ({hint})"),
                }
            )),
        }
    }

    /// Runs a command line that is to be refused; its code and `dispatched`.
    pub async fn refused(&self, words: &[&str]) -> Result<(String, String), String> {
        let own = ["--session", "smoke", "--platform", "android", "--device", &self.device];
        match self.program.json(&[words, &own].concat()).await {
            (_, Ok(data)) => Err(format!("{} was not refused: {data}", words.join(" "))),
            (_, Err(told)) => Ok((told.code, told.dispatched)),
        }
    }

    /// The nodes of a snapshot of what takes input.
    pub async fn nodes(&self) -> Result<Vec<Value>, String> {
        let shown = self.run(&["snapshot", "-i"]).await?;
        Ok(shown["nodes"].as_array().cloned().unwrap_or_default())
    }

    /// Ends the program's daemon.
    pub async fn end(self) {
        self.program.end().await;
    }
}
