//! The desktop: the connection to the display, and the window's application name.
use super::wake::Wake;
use winit::event_loop::EventLoop;
use winit::window::WindowAttributes;

/// Connects to the display. Missing libraries panic inside winit; the panic becomes an error.
pub fn event_loop() -> Result<EventLoop<Wake>, String> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let built = std::panic::catch_unwind(|| EventLoop::with_user_event().build());
    std::panic::set_hook(hook);
    let advice = "A window needs a display (X11 or Wayland) and, on Debian and Ubuntu: apt install \
        libxkbcommon-x11-0 libx11-xcb1 libxcursor1 libxi6 libxrandr2. Without a display, `breach shot LEVEL -o P.png` \
        draws a picture and `breach soak LEVEL --rockets N` shoots a level to pieces";
    match built {
        Ok(Ok(event_loop)) => Ok(event_loop),
        // winit's own message names its source files.
        Ok(Err(_)) => Err(format!("no window: no display answers. {advice}")),
        Err(_) => Err(format!("no window: a library is missing. {advice}")),
    }
}

/// Sets the name by which desktops find the icon and the menu entry of packaging/breach.desktop.
#[cfg(target_os = "linux")]
pub fn named(attributes: WindowAttributes) -> WindowAttributes {
    use winit::platform::x11::WindowAttributesExtX11;
    // It sets Wayland's app id, too.
    attributes.with_name("breach", "breach")
}

/// Other platforms identify a program by its file.
#[cfg(not(target_os = "linux"))]
pub fn named(attributes: WindowAttributes) -> WindowAttributes {
    attributes
}
