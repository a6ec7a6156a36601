//! A GPU buffer that grows with its content.
use bytemuck::Pod;

/// A buffer that grows to fit what is written.
pub(super) struct GrowableBuffer {
    label: &'static str,
    usage: wgpu::BufferUsages,
    buffer: Option<wgpu::Buffer>,
    /// The last content: the same bytes are not written again.
    last: Vec<u8>,
    /// Number of elements.
    pub count: u32,
}

impl GrowableBuffer {
    /// Empty, without a buffer yet.
    pub fn new(label: &'static str, usage: wgpu::BufferUsages) -> Self {
        Self {
            label,
            usage: usage | wgpu::BufferUsages::COPY_DST,
            buffer: None,
            last: Vec::new(),
            count: 0,
        }
    }

    /// Replaces the content.
    pub fn write<T: Pod>(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, elements: &[T]) {
        self.count = elements.len() as u32;
        let bytes: &[u8] = bytemuck::cast_slice(elements);
        if bytes.is_empty() || bytes == self.last {
            return;
        }
        let fits = |buffer: &wgpu::Buffer| bytes.len() as u64 <= buffer.size();
        let buffer = self.buffer.take().filter(fits).unwrap_or_else(|| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(self.label),
                size: (bytes.len() as u64).next_power_of_two().max(1024),
                usage: self.usage,
                mapped_at_creation: false,
            })
        });
        queue.write_buffer(&buffer, 0, bytes);
        self.buffer = Some(buffer);
        self.last.clear();
        self.last.extend_from_slice(bytes);
    }

    /// The buffer, if it has elements.
    pub fn filled(&self) -> Option<&wgpu::Buffer> {
        self.buffer.as_ref().filter(|_| self.count > 0)
    }
}
