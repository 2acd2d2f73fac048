//! adb's smart socket.
