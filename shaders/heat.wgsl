// The traversal heat map over the picture: dark blue is few bins, red is many. Rust side: src/render/overlay.rs.

@group(1) @binding(0) var<storage, read> heat: array<f32>;

@vertex
fn vs_main(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4(f32((index << 1u) & 2u) * 2.0 - 1.0, 1.0 - f32(index & 2u) * 2.0, 0.0, 1.0);
}

fn bins_at(column: i32, row: i32) -> f32 {
    let c = clamp(column, 0, i32(frame.heat_columns) - 1);
    let r = clamp(row, 0, i32(frame.heat_rows) - 1);
    return heat[u32(r) * frame.heat_columns + u32(c)];
}

@fragment
fn fs_main(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let p = position.xy / frame.size * vec2(f32(frame.heat_columns), f32(frame.heat_rows)) - 0.5;
    let c = vec2<i32>(floor(p));
    let f = fract(p);
    let bins = mix(mix(bins_at(c.x, c.y), bins_at(c.x + 1, c.y), f.x),
        mix(bins_at(c.x, c.y + 1), bins_at(c.x + 1, c.y + 1), f.x), f.y);
    let t = clamp(bins / max(frame.heat_most, 1.0), 0.0, 1.0);
    return vec4(encoded(heat_colour(t)) * 0.62, 0.62);
}
