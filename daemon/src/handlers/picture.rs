//! screenshot.

use std::{io::Write, path::Path};

use contract::{
    Code, Failure, Row,
    command::{Screenshot, ViewArgs},
    request::Answer,
};
use screen::{States, snapshot};
use serde_json::json;

use crate::{overlay, run::Run};

/// `screenshot`: a PNG at an absolute path that the consumer chose.
///
/// # Errors
/// What the device says; `STORAGE_FAILED` where the file cannot be written.
pub async fn screenshot(run: &mut Run<'_>, args: &Screenshot) -> Result<Answer, Failure> {
    let path = args.out.as_ref().or(args.path.as_ref()).ok_or_else(|| {
        Failure::refused(Row::DaemonProtocolBadArguments, Code::InvalidArgs, "a screenshot needs the path of a file")
            .reason("invalid_arguments")
    })?;
    let path = Path::new(path);
    if !path.is_absolute() {
        return Err(Failure::refused(
            Row::DaemonProtocolBadArguments,
            Code::InvalidArgs,
            format!("{}: the daemon takes absolute paths only; clients resolve them", path.display()),
        )
        .reason("invalid_arguments"));
    }
    let marks = if args.overlay_refs { marks(run).await? } else { Vec::new() };
    run.context.check()?;
    let picture = run.session.device.screenshot(&run.context, args.fullscreen).await?;
    let place = |x: f64, y: f64| ((x - picture.origin.x) * picture.scale, (y - picture.origin.y) * picture.scale);
    let placed: Vec<_> = marks
        .into_iter()
        .map(|mark| {
            let (x, y) = place(mark.rect.x, mark.rect.y);
            overlay::Mark {
                rect: contract::Rect::new(x, y, mark.rect.width * picture.scale, mark.rect.height * picture.scale),
                ..mark
            }
        })
        .collect();
    let (png, size) = overlay::draw(&picture.png, &placed)
        .map_err(|why| Failure::new(Code::CaptureFailed, format!("the device's picture is no PNG: {why}")))?;
    write(path, &png).map_err(|why| {
        Failure::new(Code::StorageFailed, format!("{}: {why}", path.display())).reason("file_unwritable")
    })?;
    let shown = path.display().to_string();
    let mut data =
        json!({"path": shown, "width": size.0, "height": size.1, "scale": picture.scale, "bytes": png.len()});
    if args.overlay_refs {
        data["refs"] = placed.len().into();
        data["refsGeneration"] = run.session.refs.generation().into();
    }
    Ok(Answer::said(data, shown))
}

/// The refs of what takes input and can be seen.
async fn marks(run: &mut Run<'_>) -> Result<Vec<overlay::Mark>, Failure> {
    let tree = run.capture().await?;
    let mut frame = run.session.refs.show(&tree);
    let view = ViewArgs { interactive_only: true, ..ViewArgs::default() };
    let listing = snapshot::render(&mut frame, &view, None)?;
    let marks = listing.lines().filter_map(|line| {
        let node = tree.get(line.place)?;
        let clips =
            |up: &u32| tree.get(*up).is_some_and(|node| node.states.intersects(States::SCROLLABLE | States::CLIPS));
        let shown = tree.ancestors(line.place).filter(clips).filter_map(|up| tree.get(up));
        let rect = shown.fold(node.rect.intersect(tree.viewport.bounds()), |rect, clip| rect.intersect(clip.rect));
        (!rect.is_empty()).then(|| overlay::Mark { label: format!("e{}", line.number), rect })
    });
    Ok(marks.collect())
}

/// Whole or not at all: a reader never sees half a picture. What is there and is no ordinary file, such as a pipe or a
/// device, is written to; it is never replaced.
fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if std::fs::symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
        return std::fs::write(path, bytes);
    }
    let part = path.with_extension(format!("part-{}", std::process::id()));
    let result = std::fs::File::create(&part)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| std::fs::rename(&part, path));
    if result.is_err() {
        // The part file is of no use to anybody; that it cannot be removed changes nothing.
        let _gone = std::fs::remove_file(&part);
    }
    result
}
