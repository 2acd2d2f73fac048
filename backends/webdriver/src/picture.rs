//! Screenshots.

use backend::Picture;
use base64::{Engine, engine::general_purpose::STANDARD};
use contract::{Code, Failure, Point, Row, command::Browser};
use serde::Deserialize;
use serde_json::json;
use wire::Context;

use crate::{page::Page, routes::Route};

/// Longest side of a picture, device px: what a browser's surface takes.
const LONGEST_SIDE: f64 = 16_384.0;

/// A picture of the viewport, or of the whole page.
///
/// # Errors
/// `UNSUPPORTED_OPERATION` for a whole page in a browser that offers none, and what the driver says.
pub async fn take(page: &mut Page, context: &Context, browser: Browser, whole: bool) -> Result<Picture, Failure> {
    page.top(context).await?;
    let script = "return [devicePixelRatio, scrollX, scrollY,\
                  Math.max(document.documentElement.scrollWidth, innerWidth),\
                  Math.max(document.documentElement.scrollHeight, innerHeight)]";
    let [ratio, scroll_x, scroll_y, width, height]: [f64; 5] =
        page.line.look(context, Route::Look, "", Some(json!({"script": script, "args": []}))).await?;
    let text: String = match (whole, browser) {
        (false, _) => page.line.look(context, Route::Screenshot, "", None).await?,
        (true, Browser::Chrome) => {
            let side = (LONGEST_SIDE / ratio).floor();
            let clip = json!({"x": 0, "y": 0, "width": width.min(side), "height": height.min(side), "scale": 1});
            let params = json!({"format": "png", "captureBeyondViewport": true, "clip": clip});
            let body = json!({"cmd": "Page.captureScreenshot", "params": params});
            let shot: Shot = page.line.look(context, Route::CdpLook, "", Some(body)).await?;
            shot.data
        }
        (true, Browser::Firefox) => page.line.look(context, Route::MozScreenshot, "", None).await?,
        (true, Browser::Webkit) => {
            return Err(Failure::refused(
                Row::DaemonAdmissionUnsupportedOperation,
                Code::UnsupportedOperation,
                "WebKitGTK's driver takes pictures of the viewport only, not of the whole page",
            )
            .reason("unsupported_operation"));
        }
    };
    let png = STANDARD
        .decode(text.trim())
        .map_err(|why| Failure::new(Code::CaptureFailed, format!("the driver's picture cannot be read: {why}")))?;
    let origin = if whole { Point { x: -scroll_x, y: -scroll_y } } else { Point { x: 0.0, y: 0.0 } };
    Ok(Picture { png, scale: ratio, origin })
}

#[derive(Debug, Deserialize)]
struct Shot {
    data: String,
}
