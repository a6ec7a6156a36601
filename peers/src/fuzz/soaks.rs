//! Rockets into real and made levels, as `breach soak` fires them: radii from 0.02 to 20 m.
use super::brushes::{Coin, log_range};
use super::levels::{Levels, Made};
use super::map::Map;
use breach::geom::rng::Rng;

/// A level, and what is fired.
pub fn case(levels: &Levels, rng: &mut Rng) -> Map {
    let real = (rng.below(8) > 0).then(|| levels.pick(rng)).flatten();
    let mut map = match real {
        Some((_, map)) => map,
        None if rng.below_half() => Made::dug(rng, true).map,
        None => Made::built(rng).map,
    };
    // Large blasts meet more of what others left: they come more often, with fewer of them in a huge level.
    let radius = match rng.below(3) {
        0 => log_range(rng, 0.02, 20.0),
        _ => rng.range(2.0, 16.0),
    };
    let most = if map.brush_count() > 1000 { 20 } else { 80 };
    let values = [
        ("rockets", (10 + rng.below(most)) as f64),
        ("radius", (radius * 100.0).round().max(2.0) / 100.0),
        ("seed", rng.below(1_000_000) as f64),
        ("ticks", rng.below(60) as f64),
    ];
    map.set_task("soak", &values);
    map
}
