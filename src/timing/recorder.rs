//! The marker with a clock: it keeps the last frames by stage, every carve, and on request every span.
use super::frame::{CarveSample, Frame, Span};
use super::percentiles::Percentiles;
use super::write;
use breach_core::stage::{Marker, Stage};
use std::collections::VecDeque;
use std::io;
use std::time::Instant;

/// Frames kept for the overlay: five seconds at 60 Hz.
pub const FRAMES_KEPT: usize = 300;
/// Greatest number of spans in a recording (about 100 MB); later ones are only counted.
const SPANS_KEPT: usize = 4_000_000;
/// Greatest number of frames in a recording (more than four hours at 60 Hz).
const ROWS_KEPT: usize = 1_000_000;

/// A stage that has begun and not ended.
#[derive(Clone, Copy, Debug)]
struct Open {
    stage: Stage,
    start: Instant,
    /// Milliseconds of nested stages so far.
    inside_ms: f32,
}

/// Owner of all wall-clock samples. Nothing that it measures reaches the simulation or a hash.
///
/// ```
/// use breach::timing::{Marker, Recorder, Stage};
/// let mut recorder = Recorder::new();
/// recorder.begin_frame();
/// recorder.begin(Stage::Step);
/// recorder.end(Stage::Step);
/// recorder.end_frame();
/// assert_eq!(recorder.frames().len(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Recorder {
    epoch: Instant,
    open: Vec<Open>,
    frame: Frame,
    frame_start: Instant,
    in_frame: bool,
    frames: VecDeque<Frame>,
    carve: Option<CarveSample>,
    /// Whether the stage that ends now goes on later.
    pausing: bool,
    carves: Vec<CarveSample>,
    recording: bool,
    rows: Vec<Frame>,
    spans: Vec<Span>,
    dropped: u64,
}

impl Default for Recorder {
    fn default() -> Self {
        Self::new()
    }
}

impl Recorder {
    /// Starts the clock; keeps the last [`FRAMES_KEPT`] frames and every carve, but no spans yet.
    pub fn new() -> Self {
        let epoch = Instant::now();
        Self {
            epoch,
            open: Vec::with_capacity(8),
            frame: Frame::new(0, 0.0),
            frame_start: epoch,
            in_frame: false,
            frames: VecDeque::with_capacity(FRAMES_KEPT),
            carve: None,
            pausing: false,
            carves: Vec::new(),
            recording: false,
            rows: Vec::new(),
            spans: Vec::new(),
            dropped: 0,
        }
    }

    /// A recorder with these frames.
    #[cfg(test)]
    pub fn from_frames(frames: impl IntoIterator<Item = Frame>) -> Self {
        Self {
            frames: frames.into_iter().collect(),
            ..Self::new()
        }
    }

    /// Begins a frame; ends one that is still open.
    pub fn begin_frame(&mut self) {
        if self.in_frame {
            self.end_frame();
        }
        let now = Instant::now();
        self.frame = Frame::new(self.frame.number, ms_between(self.epoch, now));
        self.frame_start = now;
        self.in_frame = true;
    }

    /// Ends the open frame, if there is one, and adds it to [`Recorder::frames`].
    pub fn end_frame(&mut self) {
        if !self.in_frame {
            return;
        }
        self.in_frame = false;
        self.frame.whole_ms = ms_between(self.frame_start, Instant::now()) as f32;
        let next = Frame::new(self.frame.number + 1, 0.0);
        let done = std::mem::replace(&mut self.frame, next);
        if self.recording {
            if self.rows.len() < ROWS_KEPT {
                self.rows.push(done.clone());
            } else {
                self.dropped += 1;
            }
        }
        if self.frames.len() == FRAMES_KEPT {
            self.frames.pop_front();
        }
        self.frames.push_back(done);
    }

    /// Adds to the open frame what was checked of structures and what broke: blocks, bonds, bonds that broke.
    pub fn count_structures(&mut self, counts: [usize; 3]) {
        for (sum, count) in self.frame.checked.iter_mut().zip(counts) {
            *sum = sum.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
        }
    }

    /// The last frames, oldest first, at most [`FRAMES_KEPT`].
    pub fn frames(&self) -> &VecDeque<Frame> {
        &self.frames
    }

    /// Percentiles of a stage over the frames kept, nested stages included.
    pub fn stage(&self, stage: Stage) -> Percentiles {
        Percentiles::from_samples(self.frames.iter().map(|f| f.total_ms[stage.index()]))
    }

    /// Percentiles of whole frames over the frames kept.
    pub fn whole(&self) -> Percentiles {
        Percentiles::from_samples(self.frames.iter().map(|f| f.whole_ms))
    }

    /// Every carve since the start or the last [`Recorder::forget_carves`], in order.
    pub fn carves(&self) -> &[CarveSample] {
        &self.carves
    }

    /// Forgets the carves so far: those of loading do not count.
    pub fn forget_carves(&mut self) {
        self.carves.clear();
    }

    /// Starts a new recording of every frame and span, or stops it.
    pub fn record(&mut self, on: bool) {
        if on && !self.recording {
            self.rows.clear();
            self.spans.clear();
            self.dropped = 0;
        }
        self.recording = on;
    }

    /// Whether it records.
    pub fn is_recording(&self) -> bool {
        self.recording
    }

    /// Frames and spans that a recording had no room for.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Writes the recorded frames, or without a recording the frames kept, as CSV: one line a frame, milliseconds by stage.
    /// Returns the writer's errors.
    pub fn write_csv(&self, out: &mut dyn io::Write) -> io::Result<()> {
        if self.rows.is_empty() {
            write::csv(self.frames.iter(), out)
        } else {
            write::csv(self.rows.iter(), out)
        }
    }

    /// Writes the recorded spans as Chrome trace events, for a trace viewer. Returns the writer's errors.
    pub fn write_trace(&self, out: &mut dyn io::Write) -> io::Result<()> {
        write::trace(&self.spans, out)
    }

    /// Milliseconds since the recorder started, for progress lines and reports.
    pub fn now_ms(&self) -> f64 {
        ms_between(self.epoch, Instant::now())
    }
}

impl Marker for Recorder {
    fn begin(&mut self, stage: Stage) {
        // A carve nested in a carve (a tool that calls another) is part of the outer one.
        if stage == Stage::Carve && self.carve.is_none() {
            self.carve = Some(CarveSample {
                ms: 0.0,
                phases_ms: [0.0; Stage::PHASES.len()],
            });
        }
        self.open.push(Open {
            stage,
            start: Instant::now(),
            inside_ms: 0.0,
        });
    }

    fn end(&mut self, stage: Stage) {
        let now = Instant::now();
        // Nested stages left open (by an early return) end with this one; an end without a begin is ignored.
        if !self.open.iter().any(|o| o.stage == stage) {
            return;
        }
        while let Some(open) = self.open.pop() {
            self.close(open, now);
            if open.stage == stage {
                break;
            }
        }
    }

    fn pause(&mut self, stage: Stage) {
        self.pausing = true;
        self.end(stage);
        self.pausing = false;
    }
}

impl Recorder {
    fn close(&mut self, open: Open, now: Instant) {
        let Open {
            stage,
            start,
            inside_ms,
        } = open;
        let ms = ms_between(start, now) as f32;
        let own_ms = (ms - inside_ms).max(0.0);
        let nested_in_itself = self.open.iter().any(|o| o.stage == stage);
        if let Some(parent) = self.open.last_mut() {
            parent.inside_ms += ms;
        }
        self.frame.own_ms[stage.index()] += own_ms;
        if !nested_in_itself {
            self.frame.total_ms[stage.index()] += ms;
        }
        if let Some(phase) = Stage::PHASES.iter().position(|&p| p == stage)
            && let Some(carve) = &mut self.carve
        {
            carve.phases_ms[phase] += own_ms;
        }
        if stage == Stage::Carve
            && !nested_in_itself
            && let Some(carve) = &mut self.carve
        {
            carve.ms += ms;
            if !self.pausing {
                self.carves.extend(self.carve.take());
                self.frame.carves += 1;
            }
        }
        if self.recording {
            if self.spans.len() < SPANS_KEPT {
                let start_us = ms_between(self.epoch, start) * 1e3;
                self.spans.push(Span {
                    stage,
                    start_us,
                    duration_us: ms_between(start, now) * 1e3,
                });
            } else {
                self.dropped += 1;
            }
        }
    }
}

fn ms_between(from: Instant, to: Instant) -> f64 {
    to.saturating_duration_since(from).as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn busy(ms: u64) {
        std::thread::sleep(Duration::from_millis(ms));
    }

    #[test]
    fn a_carve_that_pauses_is_one_carve() {
        let mut recorder = Recorder::new();
        for tick in 0..3 {
            recorder.begin_frame();
            recorder.begin(Stage::Carve);
            recorder.begin(Stage::Clip);
            recorder.end(Stage::Clip);
            match tick {
                2 => recorder.end(Stage::Carve),
                _ => recorder.pause(Stage::Carve),
            }
            recorder.end_frame();
        }
        let ended: Vec<u32> = recorder.frames().iter().map(|f| f.carves).collect();
        assert_eq!(ended, [0, 0, 1]);
        let whole: f32 = recorder
            .frames()
            .iter()
            .map(|f| f.total_ms[Stage::Carve.index()])
            .sum();
        assert_eq!(recorder.carves().len(), 1);
        assert!((recorder.carves()[0].ms - whole).abs() < 1e-3);
    }

    #[test]
    fn own_times_stack_up_to_the_outermost_stage() {
        let mut recorder = Recorder::new();
        recorder.begin_frame();
        recorder.begin(Stage::Step);
        busy(2);
        recorder.begin(Stage::Carve);
        recorder.begin(Stage::Clip);
        busy(3);
        recorder.end(Stage::Clip);
        recorder.end(Stage::Carve);
        recorder.end(Stage::Step);
        recorder.end_frame();
        let frame = &recorder.frames()[0];
        let stacked: f32 = frame.own_ms.iter().sum();
        assert!((stacked - frame.total_ms[Stage::Step.index()]).abs() < 1e-3);
        assert!(frame.total_ms[Stage::Step.index()] <= frame.whole_ms + 1e-3);
        assert!(frame.total_ms[Stage::Clip.index()] >= 3.0);
        assert_eq!(frame.carves, 1);
    }

    #[test]
    fn a_carve_keeps_its_phases_and_a_phase_outside_a_carve_belongs_to_none() {
        let mut recorder = Recorder::new();
        recorder.begin(Stage::Bins);
        busy(1);
        recorder.end(Stage::Bins);
        recorder.begin(Stage::Carve);
        recorder.begin(Stage::Merge);
        busy(1);
        recorder.end(Stage::Merge);
        recorder.end(Stage::Carve);
        let [carve] = recorder.carves() else {
            panic!("one carve")
        };
        assert!(carve.phases_ms[1] >= 1.0);
        assert_eq!(carve.phases_ms[5], 0.0);
        assert!(carve.ms >= carve.phases_ms[1]);
        recorder.forget_carves();
        assert!(recorder.carves().is_empty());
    }

    #[test]
    fn a_carve_inside_a_carve_is_one_carve() {
        let mut recorder = Recorder::new();
        recorder.begin(Stage::Carve);
        recorder.begin(Stage::Carve);
        busy(1);
        recorder.end(Stage::Carve);
        recorder.end(Stage::Carve);
        assert_eq!(recorder.carves().len(), 1);
        assert!(recorder.carves()[0].ms >= 1.0);
    }

    #[test]
    fn only_the_last_frames_are_kept_and_a_recording_keeps_all() {
        let mut recorder = Recorder::new();
        recorder.record(true);
        for _ in 0..FRAMES_KEPT + 7 {
            recorder.begin_frame();
            recorder.end_frame();
        }
        assert_eq!(recorder.frames().len(), FRAMES_KEPT);
        assert_eq!(recorder.frames()[0].number, 7);
        let mut csv = Vec::new();
        recorder
            .write_csv(&mut csv)
            .expect("a Vec takes everything");
        let lines = csv.iter().filter(|&&b| b == b'\n').count();
        assert_eq!(lines, FRAMES_KEPT + 7 + 1);
    }

    #[test]
    fn checks_of_strength_are_counted_in_their_frame() {
        let mut recorder = Recorder::new();
        recorder.begin_frame();
        recorder.begin(Stage::Structure);
        busy(1);
        recorder.end(Stage::Structure);
        recorder.count_structures([100, 300, 0]);
        recorder.count_structures([20, 50, 3]);
        recorder.end_frame();
        recorder.begin_frame();
        recorder.end_frame();
        let mut csv = Vec::new();
        recorder
            .write_csv(&mut csv)
            .expect("a Vec takes everything");
        let csv = String::from_utf8(csv).expect("text");
        let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
        let column = |name: &str| {
            let at = rows[0].iter().position(|head| *head == name);
            let at = at.expect(name);
            [rows[1][at], rows[2][at]]
        };
        assert!(column("structure_ms")[0].parse::<f64>().expect("a number") >= 1.0);
        assert_eq!(column("blocks"), ["120", "0"]);
        assert_eq!(column("bonds"), ["350", "0"]);
        assert_eq!(column("breaks"), ["3", "0"]);
    }

    #[test]
    fn unmatched_marks_do_no_harm() {
        let mut recorder = Recorder::new();
        recorder.end(Stage::Step);
        recorder.end_frame();
        recorder.begin_frame();
        recorder.begin(Stage::Step);
        recorder.begin(Stage::Clip);
        recorder.end(Stage::Step);
        recorder.begin_frame();
        assert_eq!(recorder.frames().len(), 1);
        assert!(recorder.frames()[0].total_ms[Stage::Step.index()] >= 0.0);
    }

    #[test]
    fn the_trace_is_json_with_one_event_a_span() {
        let mut recorder = Recorder::new();
        recorder.record(true);
        recorder.begin(Stage::Step);
        recorder.begin(Stage::Carve);
        recorder.end(Stage::Carve);
        recorder.end(Stage::Step);
        let mut json = Vec::new();
        recorder
            .write_trace(&mut json)
            .expect("a Vec takes everything");
        let trace: serde_json::Value = serde_json::from_slice(&json).expect("valid JSON");
        let events = trace["traceEvents"].as_array().expect("a list");
        let names: Vec<_> = events
            .iter()
            .filter(|e| e["ph"] == "X")
            .map(|e| e["name"].as_str())
            .collect();
        assert_eq!(names, [Some("step"), Some("carve")]);
    }
}
