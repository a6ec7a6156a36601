//! Broad phase: which bodies may touch in a tick. Active bodies are laid out in a grid each round; sleeping bodies stay in
//! a grid of their own.
use super::active_body::{ActiveBody, INACTIVE};
use super::body::Body;
use super::contact::CONTACT_MARGIN;
use super::grid::{BoundingSphere, Grid};
use glam::DVec3;

/// The grid of sleeping bodies, kept from tick to tick, and which bodies are active.
#[derive(Clone, Debug, Default)]
pub(super) struct SleepingBodies {
    /// Bodies that slept when the grid was built, by their index. Some may have woken since.
    pub grid: Grid,
    /// How many are in the grid.
    count: usize,
    /// Bodies that fell asleep since then.
    recent: Vec<u32>,
    /// By body: its active index in this tick, or [`INACTIVE`]. Between ticks all are inactive.
    pub active: Vec<u32>,
}

impl SleepingBodies {
    /// Starts anew, for these bodies; all are inactive.
    pub fn reset(&mut self, bodies: &[Body]) {
        self.active.clear();
        self.active.resize(bodies.len(), INACTIVE);
        self.rebuild(bodies);
    }

    fn rebuild(&mut self, bodies: &[Body]) {
        let asleep = (0u32..).zip(bodies).filter(|(_, body)| body.asleep);
        self.recent = asleep.map(|(index, _)| index).collect();
        self.count = 0;
        // A grid of their own pays where more bodies sleep than move.
        if self.recent.len() * 2 > bodies.len() {
            let bounds = |index: u32| (index, swept_bounds(&bodies[index as usize], DVec3::ZERO));
            self.count = self.recent.len();
            self.grid = Grid::numbered(self.recent.drain(..).map(bounds));
        } else {
            self.grid = Grid::default();
        }
    }

    /// A body has fallen asleep.
    pub fn add(&mut self, index: u32) {
        self.recent.push(index);
    }

    /// Rebuilds the grid where too many bodies are not in it yet.
    pub fn maintain(&mut self, bodies: &[Body]) {
        const FEW: usize = 64;
        let many = FEW + self.count / 8;
        if self.recent.len() > many && self.recent.len() * 2 > bodies.len() - self.count {
            self.rebuild(bodies);
        }
    }
}

/// Marks a sleeping body among [`CandidatePairs::others`], and in the grid that they come from.
pub(super) const SLEEPING: u32 = 1 << 31;

/// For the active bodies of a round, the bodies that they may touch. A pair of active bodies is kept by the lower index.
pub(super) struct CandidatePairs {
    /// Active index of the first body of the round.
    first: u32,
    /// By active body of the round: start of its range of `others`; the last one is their number.
    starts: Vec<u32>,
    /// Active indices, and indices of sleeping bodies with [`SLEEPING`] set.
    others: Vec<u32>,
}

impl CandidatePairs {
    /// Of the active bodies from `first` on, among themselves and with the bodies that fell asleep recently.
    pub fn find(
        bodies: &[Body],
        active: &[ActiveBody],
        first: u32,
        sleeping: &SleepingBodies,
    ) -> CandidatePairs {
        let moving = (first..).zip(&active[first as usize..]);
        let moving =
            moving.map(|(i, a)| (i, swept_bounds(&bodies[a.body as usize], a.motion.path)));
        let recent = sleeping.recent.iter();
        let recent = recent.filter(|&&body| sleeping.active[body as usize] == INACTIVE);
        let still = |&i: &u32| (i | SLEEPING, swept_bounds(&bodies[i as usize], DVec3::ZERO));
        let pairs = Grid::numbered(moving.chain(recent.map(still))).pairs();
        // With their mark, sleeping bodies have the larger numbers.
        let pairs = pairs.iter().flatten().map(|&[a, b]| [a.min(b), a.max(b)]);
        let pairs = pairs.filter(|pair| pair[0] & SLEEPING == 0);
        let mut starts = vec![0; active.len() - first as usize + 1];
        for [one, _] in pairs.clone() {
            starts[(one - first) as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut others = vec![0; sum as usize];
        for [one, other] in pairs {
            let start = &mut starts[(one - first) as usize];
            *start -= 1;
            others[*start as usize] = other;
        }
        CandidatePairs {
            first,
            starts,
            others,
        }
    }

    /// Candidates of an active body, in no particular order.
    pub fn of_active(&self, index: u32) -> &[u32] {
        let i = (index - self.first) as usize;
        &self.others[self.starts[i] as usize..self.starts[i + 1] as usize]
    }
}

/// The sphere around everything that a body may cover in the tick, and half the contact margin.
pub(super) fn swept_bounds(body: &Body, path: DVec3) -> BoundingSphere {
    BoundingSphere {
        centre: body.position + path * 0.5,
        radius: body.radius + path.length() * 0.5 + CONTACT_MARGIN * 0.5,
    }
}
