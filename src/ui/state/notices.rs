//! Messages to the player.

/// The severity of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// Something went well: stays for 6 seconds.
    Info,
    /// Something was repaired or left out: stays for 12 seconds.
    Warning,
    /// Something was refused or failed: stays until it is closed.
    Error,
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
