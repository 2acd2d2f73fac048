//! The thread with the engine (QuickJS), and the jobs it does.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    sync::mpsc::{Receiver, Sender},
    time::{Duration, Instant},
};

use rquickjs::{Context, Ctx, Error, Function, Object, Promise, Runtime, context::EvalOptions, promise::PromiseState};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    console::Console,
    engine::{Limits, timed_out},
    failure::{self, Kind, Origin, ScriptFailure},
    http::{Http, HttpRequest},
};

/// What to do.
pub enum Job {
    /// Evaluate; the value as JSON.
    Value(String),
    /// Evaluate; the value as a text.
    Text(String),
    Set(String, String),
    Get(String),
    Remove(String),
}

/// A job and its limit.
pub struct Task {
    pub job: Job,
    pub until: Instant,
    pub time: Duration,
    pub place: Origin,
}

/// What became of it.
pub struct Outcome {
    pub result: Result<Value, ScriptFailure>,
    pub console: Vec<String>,
}

/// What the engine calls back into sees.
struct Shared {
    until: Cell<Instant>,
    interrupted: Cell<bool>,
    console: RefCell<Console>,
}

/// Builds the engine, says how that went, and does tasks until nobody asks any more.
pub fn run(limits: Limits, http: Option<Box<dyn Http>>, tasks: &Receiver<Task>, outcomes: &Sender<Outcome>) {
    let shared = Rc::new(Shared {
        until: Cell::new(Instant::now() + limits.time),
        interrupted: Cell::new(false),
        console: RefCell::default(),
    });
    let started = start(limits, &shared);
    let place = Origin::new("script", 1, 1);
    let tell = |result| {
        let console = shared.console.borrow_mut().take();
        outcomes.send(Outcome { result, console }).is_ok()
    };
    let context = match started {
        Ok(context) => context,
        Err(why) => {
            let message = format!("the script engine does not start within {} bytes: {why}", limits.memory_bytes);
            tell(Err(place.whole(Kind::OutOfMemory, message)));
            return;
        }
    };
    context.with(|ctx| {
        let scripts = match Scripts::new(&ctx, &shared, http) {
            Ok(scripts) => scripts,
            Err(why) => {
                let message = format!("the script engine does not start within {} bytes: {why}", limits.memory_bytes);
                tell(Err(place.whole(Kind::OutOfMemory, message)));
                return;
            }
        };
        let mut heard = tell(Ok(Value::Null));
        while heard && let Ok(task) = tasks.recv() {
            shared.until.set(task.until);
            shared.interrupted.set(false);
            heard = tell(scripts.perform(&task));
        }
    });
}

fn start(limits: Limits, shared: &Rc<Shared>) -> Result<Context, Error> {
    let runtime = Runtime::new()?;
    runtime.set_memory_limit(limits.memory_bytes);
    runtime.set_max_stack_size(limits.stack_bytes);
    let watched = Rc::clone(shared);
    runtime.set_interrupt_handler(Some(Box::new(move || {
        let late = Instant::now() >= watched.until.get();
        if late {
            watched.interrupted.set(true);
        }
        late
    })));
    Context::full(&runtime)
}

/// The functions of the prelude.
struct Scripts<'js> {
    ctx: Ctx<'js>,
    shared: Rc<Shared>,
    evaluate: Function<'js>,
    prelude: Object<'js>,
    /// Set when an earlier script left promises that beget promises: what is queued never ends.
    crowded: Cell<bool>,
}

/// An exception, as the prelude describes it.
#[derive(Deserialize)]
struct Thrown {
    name: String,
    message: String,
    stack: String,
}

impl<'js> Scripts<'js> {
    fn new(ctx: &Ctx<'js>, shared: &Rc<Shared>, http: Option<Box<dyn Http>>) -> Result<Self, Error> {
        let named = || {
            let mut options = EvalOptions::default();
            options.strict = false;
            options.filename = Some("agent-device".to_owned());
            options
        };
        // Evaluated within a function, so that the variables of one script are not those of the next.
        let evaluate = ctx.eval_with_options("(function () { return eval(arguments[0]) })", named())?;
        let prelude: Function<'js> = ctx.eval_with_options(include_str!("prelude.js"), named())?;
        let logged = Rc::clone(shared);
        let log = Function::new(ctx.clone(), move |line: String| logged.console.borrow_mut().log(line))?;
        let timed = Rc::clone(shared);
        let http = RefCell::new(http);
        let send = Function::new(ctx.clone(), move |request: String| {
            let left = timed.until.get().saturating_duration_since(Instant::now());
            send(&mut http.borrow_mut(), &request, left).to_string()
        })?;
        let prelude = prelude.call((send, log))?;
        Ok(Self { ctx: ctx.clone(), shared: Rc::clone(shared), evaluate, prelude, crowded: Cell::new(false) })
    }

    fn perform(&self, task: &Task) -> Result<Value, ScriptFailure> {
        let text = self.tried(task).map_err(|why| self.failure(why, task))?;
        serde_json::from_str(&text).map_err(|why| {
            let message = format!("the value of the script cannot be handed on as JSON: {why}");
            task.place.whole(Kind::Thrown, message)
        })
    }

    fn tried(&self, task: &Task) -> Result<String, Stopped> {
        match &task.job {
            Job::Value(code) => {
                let value = self.value(code)?;
                self.helper("json", (value,))
            }
            Job::Text(code) => {
                let value = self.value(code)?;
                self.helper("text", (value,))
            }
            Job::Set(name, json) => {
                self.prelude.get::<_, Function<'js>>("set")?.call::<_, ()>((name.as_str(), json.as_str()))?;
                Ok("null".to_owned())
            }
            Job::Get(name) => {
                let value: rquickjs::Value<'js> =
                    self.prelude.get::<_, Function<'js>>("get")?.call((name.as_str(),))?;
                self.helper("json", (value,))
            }
            Job::Remove(name) => {
                self.prelude.get::<_, Function<'js>>("remove")?.call::<_, ()>((name.as_str(),))?;
                Ok("null".to_owned())
            }
        }
    }

    fn helper<A: rquickjs::function::IntoArgs<'js>>(&self, name: &str, arguments: A) -> Result<String, Stopped> {
        Ok(self.prelude.get::<_, Function<'js>>(name)?.call(arguments)?)
    }

    /// Evaluates, and lets what was promised happen.
    fn value(&self, code: &str) -> Result<rquickjs::Value<'js>, Stopped> {
        let value: rquickjs::Value<'js> = self.evaluate.call((code,))?;
        let promise = Promise::from_value(value.clone()).ok();
        if promise.is_none() && self.crowded.get() {
            return Ok(value);
        }
        loop {
            let settled = promise.as_ref().filter(|promise| promise.state() != PromiseState::Pending);
            if let Some(result) = settled.and_then(Promise::result::<rquickjs::Value<'js>>) {
                return Ok(result?);
            }
            if Instant::now() >= self.shared.until.get() {
                self.shared.interrupted.set(true);
                self.crowded.set(true);
                return Err(Stopped::Engine(Error::Unknown));
            }
            if !self.ctx.execute_pending_job() {
                return if promise.is_some() { Err(Stopped::NeverSettles) } else { Ok(value) };
            }
        }
    }

    fn failure(&self, why: Stopped, task: &Task) -> ScriptFailure {
        let place = &task.place;
        let thrown = match why {
            Stopped::NeverSettles => {
                return place.whole(Kind::Thrown, "the script waits for a promise that nothing fulfils");
            }
            Stopped::Engine(Error::Exception) => self.ctx.catch(),
            Stopped::Engine(_) if self.shared.interrupted.get() => return timed_out(place, task.time),
            Stopped::Engine(why) => return place.whole(Kind::Thrown, format!("the script engine failed: {why}")),
        };
        if self.shared.interrupted.get() {
            return self.late(thrown, task);
        }
        // After an end of memory there may be none left to describe it with.
        let Some(thrown) = self.described(thrown) else {
            return match self.shared.interrupted.get() {
                true => timed_out(place, task.time),
                false => place.whole(Kind::Thrown, "the script threw something that cannot be shown"),
            };
        };
        let message = match (thrown.name.as_str(), thrown.message.as_str()) {
            ("Forbidden" | "" | "Error", message) if !message.is_empty() => message.to_owned(),
            ("", _) => "the script threw an empty text".to_owned(),
            (name, "") => name.to_owned(),
            (name, message) => format!("{name}: {message}"),
        };
        let kind = match thrown.name.as_str() {
            "Forbidden" => Kind::Forbidden,
            "InternalError" if thrown.message.contains("out of memory") => Kind::OutOfMemory,
            "RangeError" | "InternalError" if thrown.message.contains("call stack size") => Kind::TooDeep,
            // Thrown by the parser: there is no function yet in which it could have happened.
            "SyntaxError" if thrown.stack.trim_start().starts_with("at <input>:") => Kind::Syntax,
            _ => Kind::Thrown,
        };
        match failure::place(&thrown.stack) {
            Some((line, column)) => place.failure(kind, message, line, column),
            None => place.whole(kind, message),
        }
    }

    /// Where a script was when its time was over, as far as that can still be told.
    fn late(&self, thrown: rquickjs::Value<'js>, task: &Task) -> ScriptFailure {
        let mut failure = timed_out(&task.place, task.time);
        // Plain data by now: reading it runs no code of the script.
        let stack = thrown.as_object().and_then(|object| object.get::<_, String>("stack").ok());
        if let Some((line, column)) = stack.as_deref().and_then(failure::place) {
            let at = task.place.failure(failure.kind, "", line, column);
            (failure.line, failure.column) = (at.line, at.column);
        }
        failure
    }

    fn described(&self, thrown: rquickjs::Value<'js>) -> Option<Thrown> {
        let text = self.helper("describe", (thrown,));
        if text.is_err() {
            self.ctx.catch();
        }
        serde_json::from_str(&text.ok()?).ok()
    }
}

/// Why a script has no value.
enum Stopped {
    Engine(Error),
    NeverSettles,
}

impl From<Error> for Stopped {
    fn from(why: Error) -> Self {
        Self::Engine(why)
    }
}

/// What `http.*` gets for a request, as JSON.
fn send(http: &mut Option<Box<dyn Http>>, request: &str, left: Duration) -> Value {
    let failed = |name: &str, why: &str| json!({"failed": why, "name": name});
    let Some(http) = http else {
        return failed("Forbidden", "scripts may not use the network here");
    };
    let request: HttpRequest = match serde_json::from_str(request) {
        Ok(request) => request,
        Err(why) => return failed("TypeError", &format!("this is no request: {why}")),
    };
    match http.send(&request, left) {
        Ok(reply) => json!(reply),
        Err(why) => failed("Error", &why),
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc::channel, thread};

    use super::*;

    /// The engine's C code ends the program when something is left over at its end.
    #[test]
    fn an_engine_can_be_ended_whatever_its_scripts_did() {
        let scripts = [
            "const all = []; for (;;) all.push({a: [1, () => all]})",
            "const m = new Map(); for (let i = 0; ; i++) m.set({i}, new WeakRef({m}))",
            "let s = 'x'; for (;;) { s += s; output[s.length] = s }",
            "(async () => { for (;;) { await null; output.a = [output.a] } })()",
            "function* g() { for (;;) yield new Proxy({}, {}) } output.g = g(); for (const x of output.g) output.x = [output.x, x]",
            "(function f(a) { f([a, () => a]) })()",
            "const a = []; for (;;) a.push(new Promise((done) => { a.push(done) }).then(() => a))",
            "class A { static all = []; #b = A.all; constructor() { A.all.push(this, new Error('x')) } }; for (;;) new A",
            "const r = []; for (;;) r.push(/(a)(?<b>b)/g.exec('ab'))",
            "for (let i = 0; ; i++) Object.defineProperty(globalThis, 'v' + i, {get: () => i})",
        ];
        for memory_bytes in [2 << 20, 3 << 20, 5 << 20] {
            for script in scripts {
                let time = Duration::from_millis(400);
                let limits = Limits { memory_bytes, time: Duration::from_secs(20), stack_bytes: 256 << 10 };
                let (tasks, inbox) = channel();
                let (outbox, outcomes) = channel();
                let worker = thread::spawn(move || run(limits, None, &inbox, &outbox));
                assert_eq!(outcomes.recv().unwrap().result, Ok(Value::Null));
                for _ in 0..2 {
                    let place = Origin::new("a.js", 1, 1);
                    tasks
                        .send(Task { job: Job::Value(script.to_owned()), until: Instant::now() + time, time, place })
                        .unwrap();
                    outcomes.recv().unwrap().result.unwrap_err();
                }
                drop(tasks);
                worker.join().unwrap();
            }
        }
    }
}
