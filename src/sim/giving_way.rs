//! Sections that are about to break: they creak, and break a while after the verdict.
use super::tick::TICK_SECS;
use crate::geom::hash::Hash64;
use crate::strength::Break;

/// Seconds that a section with a load of one tonne creaks; with more, as the cube root of it.
const CREAK_SECS: f64 = 0.2;
/// Longest time that any creaks, seconds, for [`super::Settings::creak`] 1.
const MOST_CREAK_SECS: f64 = 3.0;
/// Newtons that weigh a tonne.
const TONNE_N: f64 = 9806.65;

/// The sections that creak: cracks show and dust falls until they break.
#[derive(Clone, Copy, Debug)]
pub struct Creaking<'a> {
    /// The sections; none if nothing creaks.
    pub sections: &'a [Break],
    /// The tick in which it began.
    pub since: u64,
    /// The tick in which they break.
    pub until: u64,
}

/// What is about to break.
#[derive(Clone, Debug, Default)]
pub(super) struct GivingWay {
    /// The tick in which it began to creak, until a check finds nothing that breaks: what follows from the first breaks
    /// does not creak again.
    since: Option<u64>,
    /// The tick in which the sections break.
    until: u64,
    breaks: Vec<Break>,
    /// A change has come in between: a check under way decides anew.
    is_in_doubt: bool,
}

impl GivingWay {
    /// Takes what a check has found to break; `creak` multiplies the time until then.
    pub fn begin(&mut self, breaks: Vec<Break>, tick: u64, creak: f64) {
        if breaks.is_empty() {
            *self = Self::default();
            return;
        }
        let since = *self.since.get_or_insert(tick);
        let load_n = breaks.iter().map(|one| one.force_n).fold(0.0, f64::max);
        let secs = (CREAK_SECS * libm::cbrt(load_n / TONNE_N)).min(MOST_CREAK_SECS) * creak;
        self.until = since + (secs / TICK_SECS) as u64;
        self.breaks = breaks;
        self.is_in_doubt = false;
    }

    /// A change has come in between: a check of the sections, which are returned, decides anew. The time runs on.
    pub fn interrupt(&mut self) -> &[Break] {
        self.is_in_doubt = true;
        &self.breaks
    }

    /// The sections that break in this tick.
    pub fn take_due(&mut self, tick: u64) -> Vec<Break> {
        match self.until <= tick && !self.is_in_doubt {
            true => std::mem::take(&mut self.breaks),
            false => Vec::new(),
        }
    }

    pub fn creaking(&self) -> Creaking<'_> {
        Creaking {
            sections: &self.breaks,
            since: self.since.unwrap_or_default(),
            until: self.until,
        }
    }

    pub fn hash(&self, hash: &mut Hash64) {
        if let Some(since) = self.since {
            hash.u64(since << 1 | u64::from(self.is_in_doubt));
        }
        for one in &self.breaks {
            hash.u64(self.until);
            hash.vec3(one.section.centre);
        }
    }
}
