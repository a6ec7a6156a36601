//! Opens a graphics adapter and its device; the error says what to install.
use std::sync::{Arc, Mutex};

/// Error text without an adapter: what to install.
pub const NO_ADAPTER: &str = "no graphics adapter was found. Debian and Ubuntu: apt-get install mesa-vulkan-drivers \
libvulkan1 (software Vulkan is enough). Fedora: dnf install mesa-vulkan-drivers vulkan-loader. Arch: pacman -S \
vulkan-swrast vulkan-icd-loader. Elsewhere: the driver of the graphics card";

/// An open device.
pub struct Gpu {
    /// The adapter.
    pub adapter: wgpu::Adapter,
    /// Makes buffers, textures and pipelines.
    pub device: wgpu::Device,
    /// Takes commands.
    pub queue: wgpu::Queue,
    /// Software rendering: correct but slow.
    pub software: bool,
    /// The first uncaptured error of the device.
    fault: Arc<Mutex<Option<String>>>,
}

impl Gpu {
    /// The first uncaptured error since the last call.
    pub fn take_fault(&self) -> Option<String> {
        self.fault.lock().ok().and_then(|mut fault| fault.take())
    }
}

/// An instance for offscreen pictures.
pub fn instance() -> wgpu::Instance {
    wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle().with_env())
}

/// Opens the best adapter that can present to `surface`, or any without one. The error says what to install.
pub fn request(
    instance: &wgpu::Instance,
    surface: Option<&wgpu::Surface<'_>>,
) -> Result<Gpu, String> {
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::HighPerformance,
        compatible_surface: surface,
        ..Default::default()
    }))
    .map_err(|error| format!("{NO_ADAPTER} ({error})"))?;
    let info = adapter.get_info();
    let limits = wgpu::Limits::downlevel_defaults().using_resolution(adapter.limits());
    let timestamps = adapter.features() & super::gpu_timer::FEATURES;
    let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
        label: Some("breach"),
        required_features: timestamps,
        required_limits: wgpu::Limits {
            // An 8K picture is read back through one buffer.
            max_buffer_size: adapter.limits().max_buffer_size,
            ..limits
        },
        ..Default::default()
    }))
    .map_err(|error| format!("the graphics adapter {} cannot be used: {error}", info.name))?;
    let fault = Arc::new(Mutex::new(None));
    let seen = fault.clone();
    device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
        if let Ok(mut fault) = seen.lock() {
            fault.get_or_insert_with(|| error.to_string());
        }
    }));
    Ok(Gpu {
        adapter,
        device,
        queue,
        software: info.device_type == wgpu::DeviceType::Cpu,
        fault,
    })
}
