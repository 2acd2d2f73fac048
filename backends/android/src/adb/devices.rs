//! Which devices there are, once or as they come and go.

use contract::{Effect, Failure};
use serde::Serialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use wire::Context;
