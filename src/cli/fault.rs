//! Failed assertions: reported by a line on stderr that says what failed and where, the recording that reproduces it if
//! there is one, and exit code 101. No input should lead here; one that does has found a fault in Breach.
use super::failure::Failure;
use super::files::complain;
use std::any::Any;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// The last assertion that failed, in whichever thread.
#[derive(Clone, Default)]
pub(crate) struct Faults(Arc<Mutex<Option<String>>>);

impl Faults {
    /// From now on a failed assertion is reported on stderr and kept here. A backtrace follows if RUST_BACKTRACE asks for
    /// one.
    pub(super) fn watch() -> Self {
        let faults = Self::default();
        let known = faults.clone();
        panic::set_hook(Box::new(move |failed| {
            let what = words(failed.payload());
            let what = match failed.location() {
                Some(place) => format!("{place}: {what}"),
                None => what,
            };
            complain(&format!("breach: internal error, panicked at {what}"));
            let trace = Backtrace::capture();
            if trace.status() == BacktraceStatus::Captured {
                complain(&trace.to_string());
            }
            *known.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(what);
        }));
        faults
    }

    /// Takes the last failure: what failed and where; None without one since the last call.
    #[cfg_attr(not(feature = "app"), expect(dead_code))]
    pub(crate) fn take(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// The message of a failed assertion.
pub(crate) fn words(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or(payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").into()
}

/// Runs a command; a failed assertion ends it. `recording` is the recording that it plays.
pub(super) fn guarded(
    recording: Option<PathBuf>,
    work: impl FnOnce() -> Result<(), Failure>,
) -> Result<(), Failure> {
    // Nothing that the work could have left half done is used again.
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    done.unwrap_or(Err(Failure::Fault(recording)))
}

#[cfg(test)]
mod tests {
    use super::super::failure::FAULT_CODE;
    use super::*;

    #[test]
    fn a_failed_assertion_ends_in_code_101_with_the_recording_that_shows_it() {
        let fail = |recording: Option<&str>| {
            let numbers = [1, 2];
            let work = || -> Result<(), Failure> {
                assert!(numbers.is_sorted_by(|a, b| a > b), "not in order");
                Ok(())
            };
            let failure = guarded(recording.map(Into::into), work).expect_err("it fails");
            assert_eq!(failure.code(), FAULT_CODE);
            failure.message().expect("something to say")
        };
        assert!(fail(Some("run.breach")).contains("run.breach"));
        assert!(fail(None).contains("report it"));
        // What is refused stays refused.
        let refused = || Err(Failure::Other("no".into()));
        let failure = guarded(None, refused).expect_err("refused");
        assert_eq!((failure.code(), failure), (1, Failure::Other("no".into())));
    }

    #[test]
    fn what_an_assertion_says_is_told_whatever_it_is_made_of() {
        let said = |work: fn()| words(&*panic::catch_unwind(work).expect_err("it fails"));
        assert_eq!(said(|| panic!("plain")), "plain");
        assert_eq!(
            said(|| assert_eq!(1, 2, "of {}", 3)).lines().next(),
            Some("assertion `left == right` failed: of 3")
        );
        assert_eq!(said(|| panic::panic_any(7)), "no message");
    }
}
