//! Runs the program from start to end.
use super::App;
use crate::app::desktop;
use crate::app::folders::Folders;
use crate::app::wake::{Wake, Waker};
use crate::builtin::Origin;
use crate::cli::fault::Faults;
use std::path::PathBuf;
use std::sync::Arc;

/// How the window ended.
pub enum Ending {
    /// It was closed.
    Closed,
    /// An assertion failed; this recording reproduces it, if it could be written.
    Fault(Option<PathBuf>),
}

/// Opens the window and runs until it is closed. Errors name what to install.
pub(crate) fn run(origin: Option<Origin>, faults: Faults) -> anyhow::Result<Ending> {
    let app = run_with(Folders::default(), origin, faults, |_| ())?;
    Ok(match app.fault {
        Some(fault) => Ending::Fault(fault.report.ok()),
        None => Ending::Closed,
    })
}

/// Runs the program after some extra initialization.
pub(super) fn run_with(
    folders: Folders,
    origin: Option<Origin>,
    faults: Faults,
    begin: impl FnOnce(&mut App),
) -> anyhow::Result<App> {
    let event_loop = desktop::event_loop().map_err(anyhow::Error::msg)?;
    let waker = |wake: fn() -> Wake| -> Waker {
        let proxy = event_loop.create_proxy();
        Arc::new(move || {
            let _ = proxy.send_event(wake());
        })
    };
    let mut app = App::new(waker(|| Wake::News), folders, origin, faults);
    app.presented = waker(|| Wake::Presented);
    begin(&mut app);
    event_loop.run_app(&mut app)?;
    match app.fatal.take() {
        Some(why) if app.fault.is_none() => Err(anyhow::Error::msg(why)),
        _ => Ok(app),
    }
}
