//! Where the device believes to be.

use backend::Receipt;
use contract::Failure;
use wire::Context;

use super::refused;
use crate::{adb::Phone, system::emulator};

/// Tells an emulator where it is, through its console.
///
/// # Errors
/// `android.setting-refused` for a device that is no emulator; what the console says.
pub async fn set(context: &Context, phone: &Phone, latitude: f64, longitude: f64) -> Result<Receipt, Failure> {
    let Some(port) = emulator::console_port(phone.serial()) else {
        return Err(refused(
            "the device cannot be told where it is",
            "only an emulator takes that; a phone takes it from a mock location app alone",
        )
        .hint("use an emulator, or choose a mock location app in Developer options"));
    };
    // The console takes the longitude first.
    emulator::console(context, port, &format!("geo fix {longitude} {latitude}")).await?;
    Ok(Receipt::default())
}
