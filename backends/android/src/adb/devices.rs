//! Which devices there are, once or as they come and go.

use std::{fmt, io};

use bytes::{Buf, BytesMut};
use contract::{Code, Effect, Failure, Row};
use tokio::io::AsyncReadExt;
use wire::Context;

use super::{protocol, service::Adb, socket::Socket};

/// The state of a device, as the server sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Booted far enough for adbd to answer.
    Device,
    /// Known, and not answering.
    Offline,
    /// It has not accepted this computer's key.
    Unauthorized,
    /// The key is being shown to it.
    Authorizing,
    /// The connection is being made.
    Connecting,
    /// In recovery.
    Recovery,
    /// Taking an update.
    Sideload,
    /// In the boot loader.
    Bootloader,
    /// This user may not use the USB device; with adb's explanation.
    NoPermissions(String),
    /// Any other word of adb's.
    Other(String),
}

impl State {
    fn parse(text: &str) -> Self {
        match text {
            "device" => Self::Device,
            "offline" => Self::Offline,
            "unauthorized" => Self::Unauthorized,
            "authorizing" => Self::Authorizing,
            "connecting" => Self::Connecting,
            "recovery" => Self::Recovery,
            "sideload" => Self::Sideload,
            "bootloader" => Self::Bootloader,
            other if other.starts_with("no permissions") => Self::NoPermissions(other.to_owned()),
            other => Self::Other(other.to_owned()),
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Device => "device",
            Self::Offline => "offline",
            Self::Unauthorized => "unauthorized",
            Self::Authorizing => "authorizing",
            Self::Connecting => "connecting",
            Self::Recovery => "recovery",
            Self::Sideload => "sideload",
            Self::Bootloader => "bootloader",
            Self::NoPermissions(text) | Self::Other(text) => text,
        })
    }
}

/// A device in the server's list. What the server does not say is `None`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Serial number, or `host:port` for one over the network.
    pub serial: String,
    /// Whether it can be used.
    pub state: State,
    /// The USB port.
    pub usb: Option<String>,
    /// `ro.product.name`.
    pub product: Option<String>,
    /// `ro.product.model`, with `_` for what is no letter or digit.
    pub model: Option<String>,
    /// `ro.product.device`.
    pub device: Option<String>,
    /// The server's own number of the connection; a new one each time the device comes back.
    pub transport_id: Option<u64>,
}

impl Listed {
    /// Whether it is an emulator on this machine.
    pub fn is_emulator(&self) -> bool {
        self.console_port().is_some()
    }

    /// The port of an emulator's console.
    pub fn console_port(&self) -> Option<u16> {
        self.serial.strip_prefix("emulator-")?.parse().ok()
    }

    fn parse(line: &str) -> Option<Self> {
        const NAMELESS: &str = "(no serial number)";
        let (serial, rest) = match line.strip_prefix(NAMELESS) {
            Some(rest) => (NAMELESS, rest),
            None => line.split_once([' ', '\t'])?,
        };
        let mut listed = Self {
            serial: serial.to_owned(),
            state: State::Other(String::new()),
            usb: None,
            product: None,
            model: None,
            device: None,
            transport_id: None,
        };
        let mut state = Vec::new();
        for word in rest.split_whitespace() {
            match word.split_once(':') {
                Some(("usb", value)) => listed.usb = Some(value.to_owned()),
                Some(("product", value)) => listed.product = Some(value.to_owned()),
                Some(("model", value)) => listed.model = Some(value.to_owned()),
                Some(("device", value)) => listed.device = Some(value.to_owned()),
                Some(("transport_id", value)) => listed.transport_id = value.parse().ok(),
                _ => state.push(word),
            }
        }
        listed.state = State::parse(&state.join(" "));
        Some(listed)
    }
}

pub(crate) fn parse(list: &str) -> Vec<Listed> {
    list.lines().filter_map(Listed::parse).collect()
}

/// The list as it changes.
#[derive(Debug)]
pub struct Tracker {
    socket: Socket,
    received: BytesMut,
}

impl Tracker {
    /// The next list; the first comes at once, further ones when a device comes, goes or changes its state. May be
    /// dropped while it waits: nothing is lost.
    ///
    /// # Errors
    /// The server is gone.
    pub async fn next(&mut self) -> io::Result<Vec<Listed>> {
        loop {
            if let Some(digits) = self.received.first_chunk::<4>() {
                let length = protocol::length(*digits)?;
                if self.received.len() >= 4 + length {
                    self.received.advance(4);
                    return Ok(parse(&String::from_utf8_lossy(&self.received.split_to(length))));
                }
            }
            if self.socket.read_buf(&mut self.received).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
    }
}

impl Adb {
    /// Every device that the server knows, in any state.
    ///
    /// # Errors
    /// No server.
    pub async fn devices(&self, context: &Context) -> Result<Vec<Listed>, Failure> {
        Ok(parse(&self.ask(context, "host:devices-l", "could not list the Android devices").await?))
    }

    /// Refuses what is not the serial number of a device that the server knows. adb takes other names for one as well
    /// (`model:Pixel_8`, `usb:1-4`, an address without its port, nothing at all where there is only one), and under two
    /// names a device would be held by two sessions.
    ///
    /// # Errors
    /// `adb.device-not-found`; no server.
    pub async fn known(&self, context: &Context, serial: &str) -> Result<(), Failure> {
        let listed = self.devices(context).await?;
        if listed.iter().any(|listed| listed.serial == serial) {
            return Ok(());
        }
        let serials: Vec<_> = listed.into_iter().map(|listed| listed.serial).collect();
        let hint = match (serials.is_empty(), serial.contains(':')) {
            (false, _) => format!("attached: {}", serials.join(", ")),
            (true, true) => format!("connect it: adb connect {}", contract::plain::line(serial)),
            (true, false) => "attach it with USB debugging on; agent-device devices lists what is there".to_owned(),
        };
        let message = format!("there is no Android device with the serial number {serial:?}");
        Err(Failure::refused(Row::AdbDeviceNotFound, Code::DeviceNotFound, message)
            .reason("device_not_found")
            .hint(hint)
            .retriable())
    }

    /// The list of devices, as it changes.
    ///
    /// # Errors
    /// No server.
    pub async fn track(&self, context: &Context) -> Result<Tracker, Failure> {
        let doing = "could not follow the list of Android devices";
        let answered = self
            .host(context, Effect::Observes, "host:track-devices-l", doing, |socket| async move {
                Ok(Tracker { socket, received: BytesMut::new() })
            })
            .await?;
        Ok(answered.completed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_adb_is_read() {
        let list = "127.0.0.1:5112         device transport_id:1\n\
                    emulator-5554          device product:sdk_gphone64_x86_64 model:sdk_gphone64_x86_64 device:emu64x transport_id:2\n\
                    8A1X0\tunauthorized usb:1-1.2 transport_id:3\n\
                    R58N   no permissions (user in plugdev group; are your udev rules wrong?); see [http://developer.android.com/tools/device.html] usb:1-2 transport_id:4\n\
                    (no serial number)     offline usb:1-3 transport_id:5\n\
                    ????????????           authorizing\n";
        let listed = parse(list);
        let states: Vec<_> = listed.iter().map(|listed| listed.state.to_string()).collect();
        assert_eq!(states.len(), 6);
        assert_eq!(states[0], "device");
        assert_eq!(states[2], "unauthorized");
        assert!(matches!(&listed[3].state, State::NoPermissions(text) if text.ends_with("device.html]")));
        assert_eq!(listed[1].console_port(), Some(5554));
        assert_eq!(listed[1].model.as_deref(), Some("sdk_gphone64_x86_64"));
        assert_eq!((listed[2].usb.as_deref(), listed[2].transport_id), (Some("1-1.2"), Some(3)));
        assert_eq!((listed[4].serial.as_str(), &listed[4].state), ("(no serial number)", &State::Offline));
        assert_eq!(listed[5].state, State::Authorizing);
        assert!(parse("").is_empty());
    }
}
