//! GPU time of each pass, by timestamp queries, where the device has them.
//!
//! Timestamps are written between the passes of a frame and read back some frames later; frames in between are not
//! measured.
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Names of the passes, in the order of a frame.
pub const PASSES: [&str; 4] = ["shadows", "depth", "colour", "panels"];
/// Timestamps: one more than passes.
const TIMESTAMPS: u32 = PASSES.len() as u32 + 1;
const BYTES: u64 = TIMESTAMPS as u64 * 8;

/// Required device features.
pub(super) const FEATURES: wgpu::Features =
    wgpu::Features::TIMESTAMP_QUERY.union(wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS);

/// State of a measurement.
enum State {
    /// The next frame is measured.
    Idle,
    /// Its commands are recorded.
    Recorded,
    /// It was submitted; set when the buffer is mapped.
    Submitted(Arc<AtomicBool>),
}

/// The timestamp queries and their buffers.
pub(super) struct GpuTimer {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    read: wgpu::Buffer,
    ms_per_step: f64,
    state: State,
    last: Option<[f32; PASSES.len()]>,
}

impl GpuTimer {
    /// None if the device has no timestamp queries.
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
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("timestamps"),
                ty: wgpu::QueryType::Timestamp,
                count: TIMESTAMPS,
            }),
            resolved: buffer("timestamps", wgpu::BufferUsages::QUERY_RESOLVE | copied),
            read: buffer("timestamps read", wgpu::BufferUsages::MAP_READ | taken),
            ms_per_step: f64::from(queue.get_timestamp_period()) * 1e-6,
            state: State::Idle,
            last: None,
        })
    }

    /// Writes the timestamp between two passes; 0 is before the first pass.
    pub fn timestamp(&self, encoder: &mut wgpu::CommandEncoder, index: u32) {
        if matches!(self.state, State::Idle) {
            encoder.write_timestamp(&self.queries, index);
        }
    }

    /// Ends the measurement of a frame.
    pub fn finish(&mut self, encoder: &mut wgpu::CommandEncoder) {
        if matches!(self.state, State::Idle) {
            encoder.resolve_query_set(&self.queries, 0..TIMESTAMPS, &self.resolved, 0);
            encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.read, 0, Some(BYTES));
            self.state = State::Recorded;
        }
    }

    /// The frame was submitted: asks for its timestamps.
    pub fn submitted(&mut self) {
        if matches!(self.state, State::Recorded) {
            let ready = Arc::new(AtomicBool::new(false));
            let flag = ready.clone();
            self.read.map_async(wgpu::MapMode::Read, .., move |result| {
                flag.store(result.is_ok(), Ordering::Release);
            });
            self.state = State::Submitted(ready);
        }
    }

    /// Milliseconds of each of [`PASSES`] in the newest measured frame.
    pub fn read(&mut self) -> Option<[f32; PASSES.len()]> {
        let is_ready = match &self.state {
            State::Submitted(ready) => ready.load(Ordering::Acquire),
            State::Idle | State::Recorded => false,
        };
        if is_ready {
            if let Ok(bytes) = self.read.get_mapped_range(..) {
                let mut at = [0u64; TIMESTAMPS as usize];
                for (at, word) in at.iter_mut().zip(bytes.chunks_exact(8)) {
                    let mut own = [0; 8];
                    own.copy_from_slice(word);
                    *at = u64::from_le_bytes(own);
                }
                let ms = |i: usize| at[i + 1].saturating_sub(at[i]) as f64 * self.ms_per_step;
                self.last = Some(std::array::from_fn(|i| ms(i) as f32));
            }
            self.read.unmap();
            self.state = State::Idle;
        }
        self.last
    }
}
