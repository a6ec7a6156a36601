//! Messages to the player.

/// The severity of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// Something went well: stays for 6 seconds.
    Info,
    /// A level was opened: as [`NoticeKind::Info`], and refusals go.
    Opened,
    /// Something was repaired or left out: stays for 12 seconds.
    Warning,
    /// Something failed: stays until it is closed.
    Error,
    /// A level was not opened: stays until it is closed or another one is opened.
    Refused,
}

/// One message.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// Ids increase.
    pub id: u64,
    /// Its severity.
    pub kind: NoticeKind,
    /// A sentence.
    pub text: String,
}
