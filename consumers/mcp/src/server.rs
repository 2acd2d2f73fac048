//! The server: what each method of the protocol answers.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, PoisonError},
};

use contract::{Command, Disclosed, Effect, Failure, Sends, command::TraceAction, request::Answer};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListResourcesResult,
        ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
        ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
};
use serde_json::{Map, Value};

use crate::{
    answer,
    arguments::{self, Scope},
    call::{Shared, Waiting},
    more::{self, More},
    picture, replays, resources,
    tools::{self, Profile},
};

/// What a model reads before anything else.
const INSTRUCTIONS: &str = "\
Drives a browser (web), Android, or the simulated phone (stage). Loop: open, snapshot, act, look again.
Targets: \"@e5\" from a snapshot, a selector such as 'role=button label=\"Save\"', or a point \"10 20\".
Refs are never reused; one whose element has gone is refused. settle: true on an action waits and shows what changed.
Every failure says Dispatched: no (nothing was sent: safe to call again) or unknown (it may have happened: snapshot first, then decide). \
Nothing is waited for or repeated by itself: use wait.
more: other commands, their arguments, and help.";

/// The handler behind a connection. Clones are the same server.
#[derive(Debug, Clone)]
pub struct Server(pub Arc<Shared>);

/// What a tool call means.
enum Asked {
    Run(Box<Wanted>),
    Replay(Box<(replays::Flow, Scope)>),
    Told(Answer),
}

/// A command to run.
struct Wanted {
    command: Command,
    scope: Scope,
    /// The file of a picture that nobody named one for: it is for the model only, and gone afterwards.
    unnamed: Option<tempfile::TempPath>,
}

impl Server {
    async fn call(&self, params: CallToolRequestParams, context: RequestContext<RoleServer>) -> CallToolResult {
        let profile = self.0.options.profile;
        let asked_for = context.meta.get(answer::DATA).and_then(Value::as_bool).unwrap_or(false);
        let as_data = asked_for || profile == Profile::Typed;
        let cancelled = context.ct.clone();
        let asked = self.understand(&params.name, params.arguments.unwrap_or_default(), as_data);
        let result = match asked {
            Ok(Asked::Told(told)) => answer::done(&told, None, as_data),
            Ok(Asked::Replay(asked)) => {
                let (flow, scope) = *asked;
                let waiting = waiting(&context);
                match self.0.replay(flow, scope, cancelled.clone(), waiting).await {
                    Ok(answered) => answer::done(&answered, None, as_data),
                    Err(failed) => answer::failed(&failed, profile, as_data),
                }
            }
            Ok(Asked::Run(asked)) => {
                let mut asked = *asked;
                asked.scope.data = as_data;
                let said = |key: &str| context.meta.get(key).cloned();
                asked.scope.request_id = said(answer::REQUEST_ID).and_then(|id| id.as_str().map(str::to_owned));
                let limit = said(answer::TIMEOUT).and_then(|limit| limit.as_u64());
                asked.scope.timeout_ms = limit.or(asked.scope.timeout_ms);
                self.run(asked, context).await
            }
            Err(failure) => {
                answer::failed(&Disclosed::seal(*failure, Some(Effect::Manages), Sends::NONE), profile, as_data)
            }
        };
        // Its own end is among them where it was cancelled: nobody is given this answer.
        if cancelled.is_cancelled() { result } else { self.with_untold(result, as_data) }
    }

    /// What was asked for, before anything is sent.
    fn understand(&self, tool: &str, args: Map<String, Value>, as_data: bool) -> Result<Asked, Box<Failure>> {
        let (mut command, scope) = if tool == tools::MORE {
            match more::read(args, &self.0.options)? {
                More::Run(asked) => *asked,
                More::Replay(asked) => return Ok(Asked::Replay(asked)),
                More::Told(told) => return Ok(Asked::Told(told)),
            }
        } else {
            let implied = !as_data && !["interactiveOnly", "raw"].iter().any(|name| args.contains_key(*name));
            let (mut command, scope) = arguments::read(tool, args)?;
            // What takes input is what a model acts on; the rest is asked for. A program gets what it asks for.
            if let Command::Snapshot(snapshot) = &mut command
                && implied
            {
                snapshot.view.interactive_only = true;
            }
            (command, scope)
        };
        if tools::withheld(&command) {
            let name = command.spec().name;
            let failure = arguments::refused(format!("{name} is for people at a terminal, not for a model"));
            return Err(Box::new(failure.hint(format!("ask the user to run it: agent-device {name}"))));
        }
        let unnamed = if as_data { None } else { unnamed(&mut command) };
        caller::resolve(&mut command, &self.0.options.folder)?;
        Ok(Asked::Run(Box::new(Wanted { command, scope, unnamed })))
    }

    async fn run(&self, wanted: Wanted, context: RequestContext<RoleServer>) -> CallToolResult {
        let Wanted { command, scope, unnamed } = wanted;
        let as_data = scope.data;
        let profile = self.0.options.profile;
        let waiting = waiting(&context);
        let answered = match self.0.run(command.clone(), scope, context.ct.clone(), waiting).await {
            Ok(answered) => answered,
            Err(failed) => return answer::failed(&failed, profile, as_data),
        };
        let mut result = answer::done(&answered, Some(&command), as_data);
        match &command {
            Command::Screenshot(shot) => {
                if let Some(file) = &shot.out {
                    add_picture(&mut result, Path::new(file), unnamed.is_none());
                }
            }
            Command::Trace(trace) if trace.action == TraceAction::Stop => {
                let mut last = self.0.trace.lock().unwrap_or_else(PoisonError::into_inner);
                *last = trace.out.as_ref().map(PathBuf::from);
            }
            _ => {}
        }
        result
    }

    /// What became of calls that were cancelled stands before the answer of the next.
    fn with_untold(&self, mut result: CallToolResult, as_data: bool) -> CallToolResult {
        let untold = self.0.untold();
        if as_data && !untold.is_empty() {
            let outcomes: Vec<Value> = untold.into_iter().map(|one| one.outcome).collect();
            result.meta.get_or_insert_default().insert(answer::CANCELLED.to_owned(), outcomes.into());
            return result;
        }
        for (at, note) in untold.into_iter().filter_map(|one| one.text).enumerate() {
            result.content.insert(at, ContentBlock::text(note));
        }
        result
    }
}

/// Who waits for an answer, if they want word of it.
fn waiting(context: &RequestContext<RoleServer>) -> Option<Waiting> {
    context.meta.get_progress_token().map(|token| Waiting { peer: context.peer.clone(), token })
}

/// Gives a picture a file that goes away with it, where nobody named one.
fn unnamed(command: &mut Command) -> Option<tempfile::TempPath> {
    let Command::Screenshot(shot) = command else { return None };
    if shot.out.is_some() || shot.path.is_some() {
        return None;
    }
    // Where there is no room for it the command finds a name of its own, and says why it cannot write there.
    let file = tempfile::Builder::new().prefix("agent-device-").suffix(".png").tempfile().ok()?.into_temp_path();
    shot.out = Some(file.display().to_string());
    Some(file)
}

fn add_picture(result: &mut CallToolResult, file: &Path, named: bool) {
    match picture::of(file) {
        Ok((block, scaled)) => {
            if !named {
                result.content.clear();
                result.structured_content = None;
            }
            if let Some((width, height)) = scaled {
                let note = format!("shown at {width} x {height}: points are those of the screen, not of this picture");
                result.content.push(ContentBlock::text(note));
            }
            result.content.push(block);
        }
        Err(why) => result.content.push(ContentBlock::text(format!("the picture cannot be shown: {why}"))),
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let can = ServerCapabilities::builder().enable_tools().enable_resources().build();
        ServerConfig::new(can)
            .with_server_info(Implementation::new("agent-device", contract::VERSION))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::list(self.0.options.profile)))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::named(name, self.0.options.profile)
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let known = params.name == tools::MORE || arguments::canonical(&params.name).is_some();
        if !known {
            let names = tools::list(self.0.options.profile).into_iter().map(|tool| tool.name.into_owned());
            let names: Vec<String> = names.collect();
            let near = contract::command::nearest(&params.name, names.iter().map(String::as_str));
            let near = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
            return Err(ErrorData::invalid_params(format!("there is no tool {:?}{near}", params.name), None));
        }
        Ok(self.call(params, context).await.into())
    }

    async fn list_resources(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let traced = self.0.trace.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        Ok(ListResourcesResult::with_all_items(resources::list(traced)))
    }

    async fn read_resource(
        &self,
        params: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if params.uri == resources::TRACE {
            let file = self.0.trace.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let page = resources::page(file.as_deref()).map_err(|why| ErrorData::resource_not_found(why, None))?;
            return Ok(ReadResourceResult::new(vec![page]).into());
        }
        let Some(command) = resources::command(&params.uri) else {
            return Err(ErrorData::resource_not_found(
                format!("there is no resource {:?}: resources/list names them", params.uri),
                None,
            ));
        };
        let response = self.0.run(command, Scope::default(), context.ct.clone(), None).await;
        match response {
            Ok(answered) => {
                let text = answered.text.unwrap_or_else(|| answered.data.to_string());
                let text = contract::plain::text(&text).into_owned();
                Ok(ReadResourceResult::new(vec![resources::text(&params.uri, text)]).into())
            }
            Err(failed) => {
                let data = serde_json::to_value(&failed).ok();
                Err(ErrorData::resource_not_found(resources::sentence(&failed), data))
            }
        }
    }
}
