//! Collision layers: which kinds of things collide with which? The layers are from Newcastle, Physics: Raycasting; here
//! the matrix is symmetric, as the only question is whether two kinds collide.
//!
//! The world is not a layer: everything collides with walls, except a camera in free flight.

listed_enum! {
    /// A kind of thing that moves or is aimed. The names appear in the window and in recordings.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Layer {
        /// The player's body.
        Player = "player",
        /// Rockets in flight.
        Rocket = "rocket",
        /// Crumbs thrown by blasts.
        Debris = "debris",
        /// Pieces that were cut free.
        Chunk = "chunk",
        /// Rays of tools: picking and line of sight.
        Probe = "probe",
    }
}

/// Every pair that can collide, and whether it does by default.
const PAIRS: [(Layer, Layer, bool); 12] = [
    (Layer::Player, Layer::Rocket, false),
    (Layer::Player, Layer::Debris, true),
    (Layer::Player, Layer::Chunk, true),
    (Layer::Rocket, Layer::Rocket, false),
    (Layer::Rocket, Layer::Debris, false),
    (Layer::Rocket, Layer::Chunk, true),
    (Layer::Debris, Layer::Debris, true),
    (Layer::Debris, Layer::Chunk, true),
    (Layer::Chunk, Layer::Chunk, true),
    (Layer::Rocket, Layer::Probe, true),
    (Layer::Debris, Layer::Probe, true),
    (Layer::Chunk, Layer::Probe, true),
];

// A new layer breaks the build here: its pairs go into `PAIRS`, or are counted among those that never collide
// (player-player, player-probe, probe-probe).
const _: () = assert!(PAIRS.len() + 3 == Layer::COUNT * (Layer::COUNT + 1) / 2);

/// The collision matrix. In a recording: the pairs that collide, as `"rocket-debris"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "Vec<String>", into = "Vec<String>")
)]
pub struct Layers {
    meets: [bool; PAIRS.len()],
}

impl Default for Layers {
    fn default() -> Self {
        Self {
            meets: PAIRS.map(|(_, _, meets)| meets),
        }
    }
}

impl Layers {
    /// Whether two layers collide, in either order. There is one player and one probe, which never collide with
    /// themselves.
    pub fn meet(&self, a: Layer, b: Layer) -> bool {
        index(a, b).is_some_and(|i| self.meets[i])
    }

    /// Sets whether two layers collide; ignores pairs that never can.
    pub fn set(&mut self, a: Layer, b: Layer, meet: bool) {
        if let Some(i) = index(a, b) {
            self.meets[i] = meet;
        }
    }

    /// Whether two layers can collide at all.
    pub fn can_meet(a: Layer, b: Layer) -> bool {
        index(a, b).is_some()
    }
}

fn index(a: Layer, b: Layer) -> Option<usize> {
    let pair = (a.min(b), a.max(b));
    PAIRS.iter().position(|&(a, b, _)| (a, b) == pair)
}

#[cfg(feature = "serde")]
fn name(a: Layer, b: Layer) -> String {
    format!("{}-{}", a.name(), b.name())
}

#[cfg(feature = "serde")]
impl From<Layers> for Vec<String> {
    fn from(layers: Layers) -> Self {
        let pairs = PAIRS.iter().zip(layers.meets);
        let pairs = pairs.filter(|(_, meets)| *meets);
        pairs.map(|((a, b, _), _)| name(*a, *b)).collect()
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Vec<String>> for Layers {
    type Error = String;

    fn try_from(names: Vec<String>) -> Result<Self, String> {
        let mut layers = Self {
            meets: [false; PAIRS.len()],
        };
        for wanted in names {
            let known = PAIRS.iter().position(|&(a, b, _)| name(a, b) == wanted);
            let i = known.ok_or_else(|| format!("no such pair of layers: {wanted:?}"))?;
            layers.meets[i] = true;
        }
        Ok(layers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_matrix_is_symmetric_and_some_pairs_never_meet() {
        let mut layers = Layers::default();
        layers.set(Layer::Debris, Layer::Rocket, true);
        assert!(layers.meet(Layer::Rocket, Layer::Debris));
        layers.set(Layer::Player, Layer::Probe, true);
        assert!(!layers.meet(Layer::Probe, Layer::Player));
        assert!(!Layers::can_meet(Layer::Player, Layer::Player));
        for a in Layer::ALL {
            for b in Layer::ALL {
                assert_eq!(layers.meet(a, b), layers.meet(b, a));
                assert!(!layers.meet(a, b) || Layers::can_meet(a, b));
            }
        }
    }

    #[cfg(feature = "serde")]
    #[test]
    fn it_is_written_by_name_and_read_back() {
        for (a, b, meets) in PAIRS {
            let mut layers = Layers::default();
            layers.set(a, b, !meets);
            let text = serde_json::to_string(&layers).expect("names");
            assert_eq!(text.contains(&name(a, b)), !meets);
            assert_eq!(serde_json::from_str::<Layers>(&text).expect(&text), layers);
        }
        assert!(serde_json::from_str::<Layers>("[\"player-moon\"]").is_err());
    }
}
