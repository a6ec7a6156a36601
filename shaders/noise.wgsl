// Periodic noise: every function takes the period of its lattice, so that baked layers tile.

fn hash_u(x: u32) -> u32 {
    // PCG (Jarzynski and Olano, "Hash functions for GPU rendering", 2020).
    let state = x * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

fn hash_cell(cell: vec2<i32>, period: vec2<i32>, seed: u32) -> u32 {
    let wrapped = ((cell % period) + period) % period;
    return hash_u(u32(wrapped.x) + hash_u(u32(wrapped.y) + hash_u(seed)));
}

fn unit(h: u32) -> f32 {
    return f32(h >> 8u) / 16777216.0;
}

fn gradient(cell: vec2<i32>, period: vec2<i32>, seed: u32, d: vec2<f32>) -> f32 {
    let turn = unit(hash_cell(cell, period, seed)) * 6.2831853;
    return dot(vec2(cos(turn), sin(turn)), d);
}

// Gradient noise, about -0.7..0.7. `p` is in lattice cells.
fn noise(p: vec2<f32>, period: vec2<i32>, seed: u32) -> f32 {
    let base = floor(p);
    let f = p - base;
    let c = vec2<i32>(base);
    let s = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    let low = mix(gradient(c, period, seed, f),
        gradient(c + vec2(1, 0), period, seed, f - vec2(1.0, 0.0)), s.x);
    let high = mix(gradient(c + vec2(0, 1), period, seed, f - vec2(0.0, 1.0)),
        gradient(c + vec2(1, 1), period, seed, f - vec2(1.0, 1.0)), s.x);
    return mix(low, high, s.y);
}

// Fractal sum of octaves, about -1..1.
fn fbm(uv: vec2<f32>, period: vec2<i32>, octaves: i32, seed: u32) -> f32 {
    var sum = 0.0;
    var weight = 0.65;
    var scale = period;
    for (var i = 0; i < octaves; i++) {
        sum += weight * noise(uv * vec2<f32>(scale), scale, seed + u32(i) * 17u);
        weight *= 0.55;
        scale *= 2;
    }
    return sum;
}

// Ridged noise: sharp crests, 0..1.
fn ridges(uv: vec2<f32>, period: vec2<i32>, octaves: i32, seed: u32) -> f32 {
    var sum = 0.0;
    var weight = 0.5;
    var scale = period;
    for (var i = 0; i < octaves; i++) {
        let n = 1.0 - abs(noise(uv * vec2<f32>(scale), scale, seed + u32(i) * 31u)) * 1.8;
        sum += weight * n * n;
        weight *= 0.5;
        scale *= 2;
    }
    return sum;
}

struct Cells {
    nearest: f32,  // distance to the nearest point, cells
    edge: f32,     // distance to the border of the next cell: second minus first distance
    id: u32,       // of the nearest point
    toward: vec2<f32>,
}

// Cellular noise, one point per lattice cell (Worley 1996).
fn cells(uv: vec2<f32>, period: vec2<i32>, seed: u32) -> Cells {
    let p = uv * vec2<f32>(period);
    let base = floor(p);
    var found: Cells;
    found.nearest = 9.0;
    var second = 9.0;
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let cell = vec2<i32>(base) + vec2(x, y);
            let h = hash_cell(cell, period, seed);
            let point = vec2<f32>(cell) + vec2(unit(h), unit(hash_u(h))) * 0.9 + 0.05;
            let d = point - p;
            let distance = length(d);
            if distance < found.nearest {
                second = found.nearest;
                found.nearest = distance;
                found.id = h;
                found.toward = d;
            } else if distance < second {
                second = distance;
            }
        }
    }
    found.edge = second - found.nearest;
    return found;
}
