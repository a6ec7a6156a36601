//! Keeps a sound device open: looks for one again while there is none, and tells once that there is none.
use std::time::{Duration, Instant};

/// Between two attempts to open a device, at first; twice as long after each, as ALSA writes some thirty lines to stderr
/// for each attempt that fails.
const PAUSE: Duration = Duration::from_secs(4);
/// The longest pause.
const LONGEST: Duration = Duration::from_secs(64);

/// A device that plays until it goes away.
pub trait Device {
    /// Whether it is still there.
    fn is_playing(&self) -> bool;
}

/// The device, if there is one.
pub struct SoundOutput<D> {
    device: Option<D>,
    tried: Option<Instant>,
    /// From the last attempt to the next.
    pause: Duration,
    /// It has been told that there is no sound.
    is_told: bool,
}

impl<D> Default for SoundOutput<D> {
    fn default() -> Self {
        SoundOutput {
            device: None,
            tried: None,
            pause: PAUSE,
            is_told: false,
        }
    }
}

impl<D: Device> SoundOutput<D> {
    /// Notices a device that has gone away, and opens one where there is none, if it is time to try. Returns why there is no
    /// sound, once until there is sound again.
    pub fn look_after(
        &mut self,
        now: Instant,
        open: impl FnOnce() -> Result<D, String>,
    ) -> Option<String> {
        if self
            .device
            .as_ref()
            .is_some_and(|device| !device.is_playing())
        {
            self.device = None;
            // It may take a moment until another one takes its place.
            (self.tried, self.pause) = (Some(now), PAUSE);
            return self.tell("the sound device has gone away".into());
        }
        let is_due = self
            .tried
            .is_none_or(|tried| self.pause <= now.saturating_duration_since(tried));
        if self.device.is_some() || !is_due {
            return None;
        }
        let is_later = self.tried.replace(now).is_some();
        match open() {
            Ok(device) => {
                self.device = Some(device);
                self.is_told = false;
                None
            }
            Err(why) => {
                if is_later {
                    self.pause = (self.pause * 2).min(LONGEST);
                }
                self.tell(why)
            }
        }
    }

    fn tell(&mut self, why: String) -> Option<String> {
        let is_news = !std::mem::replace(&mut self.is_told, true);
        is_news.then_some(why)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    struct Plugged<'a>(&'a Cell<bool>);

    impl Device for Plugged<'_> {
        fn is_playing(&self) -> bool {
            self.0.get()
        }
    }

    #[test]
    fn that_there_is_no_device_is_told_once_and_sound_comes_back_when_there_is_one() {
        let plugged = Cell::new(false);
        let mut output = SoundOutput::default();
        let start = Instant::now();
        let mut attempts = 0;
        let mut look = |secs: f64| {
            output.look_after(start + Duration::from_secs_f64(secs), || {
                attempts += 1;
                match plugged.get() {
                    true => Ok(Plugged(&plugged)),
                    false => Err("none".into()),
                }
            })
        };
        assert_eq!(look(0.0).as_deref(), Some("none"));
        // Tried at 4, 12 and 28 s.
        for quarter in 1..200 {
            assert_eq!(look(0.25 * f64::from(quarter)), None, "told again");
        }
        plugged.set(true);
        for secs in [59.0, 60.0, 61.0] {
            assert_eq!(look(secs), None);
        }
        plugged.set(false);
        let gone = "the sound device has gone away";
        assert_eq!(look(62.0).as_deref(), Some(gone));
        // Soon again at first.
        for secs in [62.25, 66.0, 74.0] {
            assert_eq!(look(secs), None, "told again");
        }
        // Back, and gone once more: that is news again.
        plugged.set(true);
        assert_eq!(look(90.0), None);
        plugged.set(false);
        assert_eq!(look(91.0).as_deref(), Some(gone));
        assert_eq!(attempts, 4 + 1 + 2 + 1);
    }

    #[test]
    fn a_device_that_plays_is_left_alone() {
        let plugged = Cell::new(true);
        let mut output = SoundOutput::default();
        let start = Instant::now();
        let mut opened = 0;
        for secs in 0..100 {
            let told = output.look_after(start + Duration::from_secs(secs), || {
                opened += 1;
                Ok(Plugged(&plugged))
            });
            assert_eq!(told, None);
        }
        assert_eq!(opened, 1);
    }
}
