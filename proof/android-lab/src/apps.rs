//! Stage apps on the device: which run, which is in front, what reaches them.

use std::{process::Stdio, sync::Arc};

use backend::{Aim, Device, Input, Receipt};
use contract::{Failure, Point, command::Open};
use screen::Tree;
use serde_json::Value;
use stage::{Probe, StageDevice};
use tokio::{process::Command, sync::Notify};

use crate::{
    core::Core,
    home,
    process::kill,
    scene::{self, Shown, window::Numbers},
    state::{Kind, LAUNCHER, Running},
};

/// The simulated device of the stage that gives each opened app one of its own.
const FRESH: &str = "stage";
/// The screen of a system dialog that is done.
const CLOSED: &str = "closed";

impl Core {
    /// Starts a stage app, or finds it running.
    ///
    /// # Errors
    /// It is not installed, no stage app, or its file is wrong.
    pub async fn run_app(self: &Arc<Self>, package: &str) -> Result<Running, String> {
        if let Some(running) = self.state().running.get(package) {
            return Ok(running.clone());
        }
        let app = if package == LAUNCHER {
            home::write(self).map_err(|cause| cause.to_string())?
        } else {
            match self.state().packages.get(package).map(|package| package.kind.clone()) {
                Some(Kind::Stage { app, .. }) => app,
                Some(_) => return Err(format!("{package} has no activity")),
                None => return Err(format!("{package} is not installed")),
            }
        };
        let open = Open { app: Some(app), ..Open::default() };
        let opened = self.stage.open_stage(&Self::context(), FRESH, &open).await;
        let device = Arc::new(opened.map_err(|failure| failure.message)?);
        let probe = self.stage.probe(FRESH).unwrap_or_default();
        self.fit(&device).await;
        let running = self.process_of(package, device, probe)?;
        {
            let mut state = self.state();
            state.probes.insert(package.to_owned(), running.probe.clone());
            state.running.insert(package.to_owned(), running.clone());
        }
        self.log(
            running.pid,
            'I',
            "ActivityManager",
            &format!("Start proc {}:{package}/u0a100 for activity {{{package}/{package}.MainActivity}}", running.pid),
        );
        Ok(running)
    }

    /// Gives an app the size of the display, where its file says another.
    async fn fit(&self, device: &Arc<StageDevice>) {
        let content = self.state().display.content();
        let fits = device.capture(&Self::context(), 1).await.is_ok_and(|tree| tree.viewport == content);
        if !fits {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a display has few px")]
            let input = Input::Viewport { width: content.width as u32, height: content.height as u32 };
            // An app that does not answer keeps the size it has.
            let _hung = device.perform(&Self::context(), input).await;
        }
    }

    /// Turns the display.
    pub async fn turn(self: &Arc<Self>, rotation: u8) {
        let devices: Vec<Arc<StageDevice>> = {
            let mut state = self.state();
            if state.keeps_rotation {
                return;
            }
            state.display.rotation = rotation % 4;
            state.running.values().map(|running| running.device.clone()).collect()
        };
        for device in devices {
            self.fit(&device).await;
        }
        self.event();
    }

    /// A process that stands for an app: shells see it, and ending it ends the app.
    fn process_of(self: &Arc<Self>, package: &str, device: Arc<StageDevice>, probe: Probe) -> Result<Running, String> {
        let mut child = Command::new("sleep")
            .arg("infinity")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .map_err(|cause| format!("no process for {package}: {cause}"))?;
        let pid = child.id().and_then(|pid| i32::try_from(pid).ok()).unwrap_or_default();
        let end = Arc::new(Notify::new());
        let running = Running { device: device.clone(), probe, pid, end: end.clone() };
        let (core, package) = (self.clone(), package.to_owned());
        tokio::spawn(async move {
            let ended = tokio::select! { _ = child.wait() => true, () = end.notified() => false };
            if !ended {
                kill(pid);
                let _status = child.wait().await;
            }
            core.ended(&package, pid);
            // An app that does not answer is dropped all the same.
            let _hung = device.close(&Core::context()).await;
        });
        Ok(running)
    }

    /// An app's process is gone.
    fn ended(&self, package: &str, pid: i32) {
        {
            let mut state = self.state();
            if state.running.get(package).is_some_and(|running| running.pid == pid) {
                state.running.remove(package);
            }
            state.behind.retain(|behind| behind != package);
            if state.front == package {
                state.front = state.behind.pop().unwrap_or_else(|| LAUNCHER.to_owned());
            }
        }
        self.event();
        self.changed.notify_waiters();
    }

    /// Brings a package in front, started if it does not run. True where it was started.
    ///
    /// # Errors
    /// As [`Core::run_app`].
    pub async fn bring(self: &Arc<Self>, package: &str) -> Result<bool, String> {
        let fresh = !self.state().running.contains_key(package);
        self.run_app(package).await?;
        {
            let mut state = self.state();
            if state.front != package {
                let before = std::mem::replace(&mut state.front, package.to_owned());
                state.behind.retain(|behind| behind != package);
                if before != LAUNCHER {
                    state.behind.push(before);
                }
            }
        }
        self.event();
        Ok(fresh)
    }

    /// Ends everything of a package and waits until it is gone.
    pub async fn stop_package(self: &Arc<Self>, package: &str, why: &str) {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            let pids: Vec<i32> = {
                let state = self.state();
                if let Some(running) = state.running.get(package) {
                    running.end.notify_one();
                }
                let instrumented = state.processes.iter().filter(|process| process.package == package);
                let apps = state.running.get(package).map(|running| running.pid);
                instrumented.map(|process| process.pid).chain(apps).collect()
            };
            if pids.is_empty() {
                return;
            }
            for pid in pids {
                self.log(0, 'I', "ActivityManager", &format!("Force stopping {package} pid={pid}: {why}"));
                kill(pid);
            }
            changed.await;
        }
    }

    /// What is on the screen, from the app in front upwards.
    pub async fn on_screen(self: &Arc<Self>) -> Vec<(String, Running)> {
        let (front, over) = {
            let state = self.state();
            (state.front.clone(), state.over.clone())
        };
        let mut shown = Vec::new();
        for package in std::iter::once(front).chain(over) {
            match self.run_app(&package).await {
                Ok(running) => shown.push((package, running)),
                Err(cause) => self.log(0, 'E', "ActivityManager", &format!("{package}: {cause}")),
            }
        }
        shown
    }

    /// The scene that the framework double is shown.
    pub async fn scene(self: &Arc<Self>) -> Value {
        let mut trees: Vec<(String, Tree)> = Vec::new();
        for (package, running) in self.on_screen().await {
            match running.device.capture(&Self::context(), u32::MAX).await {
                Ok(tree) => trees.push((package, tree)),
                Err(failure) => self.log(running.pid, 'E', "ViewRootImpl", &failure.message),
            }
        }
        let mut state = self.state();
        let (display, over, edit) = (state.display, state.over.clone(), state.edit.clone());
        let shown: Vec<Shown<'_>> = trees
            .iter()
            .map(|(package, tree)| Shown { package, tree, system_dialog: over.as_ref() == Some(package) })
            .collect();
        let mut targets = self.targets();
        let mut numbers = Numbers { number: &mut |what| state.id_of(what), targets: &mut targets };
        let mut scene = scene::scene(&display, &shown, &mut numbers);
        scene["api"] = self.api.into();
        scene["faults"] = state.faults.clone();
        drop((state, targets));
        if let Some(edit) = edit {
            (edit.0)(&mut scene);
        }
        scene
    }

    /// One input for whatever is on top.
    ///
    /// # Errors
    /// The app refused it or did not answer.
    pub async fn input(self: &Arc<Self>, input: Input) -> Result<Receipt, String> {
        let Some((package, running)) = self.on_screen().await.pop() else {
            return Err("nothing is on the screen".to_owned());
        };
        self.input_to(&package, &running, input).await
    }

    /// One input for an app.
    ///
    /// # Errors
    /// The app refused it or did not answer.
    pub async fn input_to(self: &Arc<Self>, package: &str, running: &Running, input: Input) -> Result<Receipt, String> {
        let before = running.probe.log().len();
        let done = running.device.perform(&Self::context(), input).await;
        self.after_input(package, running, before).await?;
        done.map_err(|failure: Failure| failure.message)
    }

    /// The second press of a double press, for whatever is on top.
    ///
    /// # Errors
    /// The app refused it or did not answer.
    pub async fn second_press(self: &Arc<Self>, point: Point) -> Result<Receipt, String> {
        let Some((package, running)) = self.on_screen().await.pop() else {
            return Err("nothing is on the screen".to_owned());
        };
        let before = running.probe.log().len();
        let done = running.device.second_press(&Self::context(), Aim { point, node: None }).await;
        self.after_input(&package, &running, before).await?;
        done.map_err(|failure: Failure| failure.message)
    }

    /// What follows from an input beyond the app: an icon of the home screen starts its app, a dialog that is done goes.
    async fn after_input(self: &Arc<Self>, package: &str, running: &Running, before: usize) -> Result<(), String> {
        self.event();
        if package == LAUNCHER {
            let log = running.probe.log();
            let pressed = log.iter().skip(before).find_map(|entry| entry.strip_prefix("press "));
            if let Some(app) = pressed.and_then(|icon| home::package_of(self, icon)) {
                self.bring(&app).await?;
            }
        }
        self.close_dialog_when_done(package, running);
        Ok(())
    }

    fn close_dialog_when_done(&self, package: &str, running: &Running) {
        let mut state = self.state();
        if state.over.as_deref() == Some(package) && running.probe.screen() == CLOSED {
            state.over = None;
            drop(state);
            running.end.notify_one();
        }
    }
}
