//! What a device could do behind the model's back. A model that does not object to these sees nothing.

/// A way for a device, or the code before it, to break a promise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lie {
    /// An input is performed twice.
    Twice,
    /// An input is said to be done, and is not performed.
    Nothing,
    /// An input is performed, and proven never to have been sent.
    DeniedAfterEffect,
    /// An input goes to another element than the one that was aimed at.
    OtherElement,
    /// An input never comes back.
    Silence,
    /// A send is not counted.
    Uncounted,
    /// A device is opened for a second session while the first one has it.
    SharedDevice,
    /// Opening a device starts a task that never ends.
    TaskLeft,
}

impl Lie {
    /// Every one.
    pub const ALL: &'static [Self] = &[
        Self::Twice,
        Self::Nothing,
        Self::DeniedAfterEffect,
        Self::OtherElement,
        Self::Silence,
        Self::Uncounted,
        Self::SharedDevice,
        Self::TaskLeft,
    ];
}
