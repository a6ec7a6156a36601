//! Writes timings as files: CSV by frame, Chrome trace events by span.
use super::frame::{Frame, Span};
use breach_core::stage::Stage;
use std::io::{self, Write};

/// One line a frame: number, start, duration, each stage (nested stages included), carves, what was checked for strength.
/// Milliseconds.
pub(super) fn csv<'a>(
    frames: impl Iterator<Item = &'a Frame>,
    out: &mut dyn Write,
) -> io::Result<()> {
    write!(out, "frame,start_ms,frame_ms")?;
    for stage in Stage::ALL {
        write!(out, ",{}_ms", stage.name())?;
    }
    writeln!(out, ",carves,blocks,bonds,breaks")?;
    for frame in frames {
        write!(
            out,
            "{},{:.3},{:.4}",
            frame.number, frame.start_ms, frame.whole_ms
        )?;
        for ms in frame.total_ms {
            write!(out, ",{ms:.4}")?;
        }
        let [blocks, bonds, breaks] = frame.checked;
        writeln!(out, ",{},{blocks},{bonds},{breaks}", frame.carves)?;
    }
    Ok(())
}

/// The "trace event format" (Google, Trace Event Format, 2016): complete events (`ph` X) with microseconds, one thread.
pub(super) fn trace(spans: &[Span], out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{{\"displayTimeUnit\":\"ms\",\"traceEvents\":[")?;
    for (i, (kind, name)) in [("process_name", "breach"), ("thread_name", "frames")]
        .into_iter()
        .enumerate()
    {
        let comma = [",\n", ""][usize::from(i == 0)];
        write!(
            out,
            "{comma}{{\"name\":\"{kind}\",\"ph\":\"M\",\"pid\":1,\"tid\":1,\"args\":{{\"name\":\"{name}\"}}}}"
        )?;
    }
    // An outer stage ends after its nested ones and so comes later in the list. Viewers take the stage that begins first as
    // the outer one; of two that begin at once the longer one; of equal ones the first in the file.
    let mut spans: Vec<&Span> = spans.iter().rev().collect();
    spans.sort_by(|a, b| {
        let longer = b.duration_us.total_cmp(&a.duration_us);
        a.start_us.total_cmp(&b.start_us).then(longer)
    });
    for span in spans {
        write!(
            out,
            ",\n{{\"name\":\"{}\",\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":{:.3},\"dur\":{:.3}}}",
            span.stage.name(),
            span.start_us,
            span.duration_us
        )?;
    }
    writeln!(out, "]}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outer_stage_comes_first_also_where_the_clock_saw_no_time_pass() {
        let span = |stage, start_us, duration_us| Span {
            stage,
            start_us,
            duration_us,
        };
        // As they end: inner ones first.
        let spans = [
            span(Stage::Clip, 5.0, 0.0),
            span(Stage::Carve, 5.0, 0.0),
            span(Stage::Bins, 5.0, 2.0),
            span(Stage::Step, 5.0, 3.0),
            span(Stage::Draw, 1.0, 1.0),
        ];
        let mut bytes = Vec::new();
        trace(&spans, &mut bytes).expect("a Vec takes everything");
        let text = String::from_utf8(bytes).expect("text");
        let at = |stage: Stage| text.find(&format!("\"{}\"", stage.name())).expect("there");
        let order = [
            Stage::Draw,
            Stage::Step,
            Stage::Bins,
            Stage::Carve,
            Stage::Clip,
        ];
        assert!(order.map(at).is_sorted(), "{text}");
    }
}
