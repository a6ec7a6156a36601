//! How long the graphics card works on each pass, where it can tell.
//!
//! Marks are written between the passes of a frame; what they say is fetched when the card has come so far, some
//! frames later, and meanwhile no further frame is measured.
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is told apart, in the order of a frame.
pub const PASSES: [&str; 4] = ["shadows", "depth", "colour", "panels"];
/// One more than passes.
const MARKS: u32 = PASSES.len() as u32 + 1;
const BYTES: u64 = MARKS as u64 * 8;

/// What a device must have for it.
pub(super) const FEATURES: wgpu::Features =
    wgpu::Features::TIMESTAMP_QUERY.union(wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS);

/// Where a measurement stands.
enum State {
    /// The next frame is measured.
    Free,
    /// Its commands are written.
    Written,
    /// It was handed in; set when what it says can be read.
    Waits(Arc<AtomicBool>),
}

/// Owner of the marks.
pub(super) struct GpuClock {
    marks: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    read: wgpu::Buffer,
    ms_per_step: f64,
    state: State,
    last: Option<[f32; PASSES.len()]>,
}

impl GpuClock {
    /// None where the device has no timestamps.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Option<Self> {
        if !device.features().contains(FEATURES) {
            return None;
        }
        let buffer = |label, usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: BYTES,
                usage,
                mapped_at_creation: false,
            })
        };
        let (copied, taken) = (wgpu::BufferUsages::COPY_SRC, wgpu::BufferUsages::COPY_DST);
        Some(Self {
            marks: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("passes"),
                ty: wgpu::QueryType::Timestamp,
                count: MARKS,
            }),
            resolved: buffer("marks", wgpu::BufferUsages::QUERY_RESOLVE | copied),
            read: buffer("marks read", wgpu::BufferUsages::MAP_READ | taken),
            ms_per_step: f64::from(queue.get_timestamp_period()) * 1e-6,
            state: State::Free,
            last: None,
        })
    }

    /// A pass ends and the next one begins; `index` counts from 0, before the first.
    pub fn mark(&self, encoder: &mut wgpu::CommandEncoder, index: u32) {
        if matches!(self.state, State::Free) {
            encoder.write_timestamp(&self.marks, index);
        }
    }

    /// All marks of the frame are written.
    pub fn finish(&mut self, encoder: &mut wgpu::CommandEncoder) {
        if matches!(self.state, State::Free) {
            encoder.resolve_query_set(&self.marks, 0..MARKS, &self.resolved, 0);
            encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.read, 0, Some(BYTES));
            self.state = State::Written;
        }
    }

    /// The frame was handed to the card.
    pub fn submitted(&mut self) {
        if matches!(self.state, State::Written) {
            let ready = Arc::new(AtomicBool::new(false));
            let flag = ready.clone();
            self.read.map_async(wgpu::MapMode::Read, .., move |result| {
                flag.store(result.is_ok(), Ordering::Release);
            });
            self.state = State::Waits(ready);
        }
    }

    /// Milliseconds of each of [`PASSES`], of the newest frame that is known.
    pub fn read(&mut self) -> Option<[f32; PASSES.len()]> {
        let is_ready = match &self.state {
            State::Waits(ready) => ready.load(Ordering::Acquire),
            _ => false,
        };
        if is_ready {
            if let Ok(bytes) = self.read.get_mapped_range(..) {
                let mut at = [0u64; MARKS as usize];
                for (at, word) in at.iter_mut().zip(bytes.chunks_exact(8)) {
                    let mut own = [0; 8];
                    own.copy_from_slice(word);
                    *at = u64::from_le_bytes(own);
                }
                let ms = |i: usize| at[i + 1].saturating_sub(at[i]) as f64 * self.ms_per_step;
                self.last = Some(std::array::from_fn(|i| ms(i) as f32));
            }
            self.read.unmap();
            self.state = State::Free;
        }
        self.last
    }
}
