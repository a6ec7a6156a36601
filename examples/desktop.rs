//! Sends desktop events to an X11 window: close, or a dropped file. For the tests of the real window, which run without a
//! desktop: `desktop WINDOW close`, `desktop WINDOW drop FILE`.
#[cfg(target_os = "linux")]
fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        [window, "close"] => x11::close(window.parse()?),
        [window, "drop", file] => x11::drop(window.parse()?, file),
        _ => anyhow::bail!("desktop WINDOW close, or: desktop WINDOW drop FILE"),
    }
}

#[cfg(not(target_os = "linux"))]
fn main() {}

#[cfg(target_os = "linux")]
mod x11 {
    use anyhow::{Context, bail};
    use std::time::{Duration, Instant};
    use x11rb::connection::Connection;
    use x11rb::protocol::Event;
    use x11rb::protocol::xproto::{
        ClientMessageEvent, ConnectionExt, CreateWindowAux, EventMask, PropMode,
        SELECTION_NOTIFY_EVENT, SelectionNotifyEvent, SelectionRequestEvent, WindowClass,
    };
    use x11rb::rust_connection::RustConnection;
    use x11rb::wrapper::ConnectionExt as _;

    /// Timeout for the window's answers.
    const PATIENCE: Duration = Duration::from_secs(20);

    x11rb::atom_manager! {
        Atoms: AtomsCookie {
            WM_PROTOCOLS,
            WM_DELETE_WINDOW,
            XdndEnter,
            XdndPosition,
            XdndStatus,
            XdndDrop,
            XdndFinished,
            XdndSelection,
            XdndActionCopy,
            URI_LIST: b"text/uri-list",
        }
    }

    /// The close button of a frame.
    pub fn close(window: u32) -> anyhow::Result<()> {
        let (x11, _) = x11rb::connect(None)?;
        let atoms = Atoms::new(&x11)?.reply()?;
        let data = [atoms.WM_DELETE_WINDOW, x11rb::CURRENT_TIME, 0, 0, 0];
        send(&x11, window, atoms.WM_PROTOCOLS, data)?;
        // A round trip, so that the message is sent before the connection ends.
        x11.sync()?;
        Ok(())
    }

    /// Drag and drop as from a file manager: "Drag-and-Drop Protocol for the X Window System", version 5.
    pub fn drop(window: u32, file: &str) -> anyhow::Result<()> {
        let (x11, screen) = x11rb::connect(None)?;
        let atoms = Atoms::new(&x11)?.reply()?;
        let source = x11.generate_id()?;
        let root = x11.setup().roots[screen].root;
        let (depth, visual) = (x11rb::COPY_DEPTH_FROM_PARENT, x11rb::COPY_FROM_PARENT);
        let (class, aux) = (WindowClass::INPUT_OUTPUT, CreateWindowAux::new());
        x11.create_window(depth, source, root, 0, 0, 1, 1, 0, class, visual, &aux)?;
        x11.set_selection_owner(source, atoms.XdndSelection, x11rb::CURRENT_TIME)?;
        let uri = format!("file://{}\r\n", std::fs::canonicalize(file)?.display());

        let version = 5 << 24;
        send(
            &x11,
            window,
            atoms.XdndEnter,
            [source, version, atoms.URI_LIST, 0, 0],
        )?;
        let middle = (640 << 16) | 300;
        let over = [source, 0, middle, x11rb::CURRENT_TIME, atoms.XdndActionCopy];
        send(&x11, window, atoms.XdndPosition, over)?;
        let end = Instant::now() + PATIENCE;
        let (mut is_accepted, mut is_read) = (false, false);
        while !(is_accepted && is_read) {
            match next(&x11, end).context("dragged over the window")? {
                Event::ClientMessage(message) if message.type_ == atoms.XdndStatus => {
                    is_accepted = message.data.as_data32()[1] & 1 == 1;
                    if !is_accepted {
                        bail!("the window takes no file");
                    }
                }
                Event::SelectionRequest(request) => {
                    hand_over(&x11, &request, &uri)?;
                    is_read = true;
                }
                _ => {}
            }
        }
        // The window reads the data before the next message.
        x11.sync()?;
        let dropped = [source, 0, x11rb::CURRENT_TIME, 0, 0];
        send(&x11, window, atoms.XdndDrop, dropped)?;
        loop {
            match next(&x11, end).context("dropped")? {
                Event::ClientMessage(message) if message.type_ == atoms.XdndFinished => break,
                _ => {}
            }
        }
        Ok(())
    }

    /// The next event of the server.
    fn next(x11: &RustConnection, end: Instant) -> anyhow::Result<Event> {
        loop {
            match x11.poll_for_event()? {
                Some(event) => return Ok(event),
                None if Instant::now() > end => bail!("no answer within {PATIENCE:?}"),
                None => std::thread::sleep(Duration::from_millis(10)),
            }
        }
    }

    /// Puts the list of files into the requested property.
    fn hand_over(
        x11: &RustConnection,
        to: &SelectionRequestEvent,
        uri: &str,
    ) -> anyhow::Result<()> {
        let window = to.requestor;
        x11.change_property8(
            PropMode::REPLACE,
            window,
            to.property,
            to.target,
            uri.as_bytes(),
        )?;
        let done = SelectionNotifyEvent {
            response_type: SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time: to.time,
            requestor: window,
            selection: to.selection,
            target: to.target,
            property: to.property,
        };
        x11.send_event(false, window, EventMask::NO_EVENT, done)?;
        Ok(())
    }

    fn send(x11: &RustConnection, window: u32, kind: u32, data: [u32; 5]) -> anyhow::Result<()> {
        let message = ClientMessageEvent::new(32, window, kind, data);
        x11.send_event(false, window, EventMask::NO_EVENT, message)?;
        x11.flush()?;
        Ok(())
    }
}
