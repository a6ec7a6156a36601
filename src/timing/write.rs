//! The two files that timings become: CSV by frame, Chrome trace events by span.
use super::{Frame, Span, Stage};
use std::io::{self, Write};

/// One line a frame: number, start, whole frame, each stage (stages inside it included), carves. Milliseconds.
pub(super) fn csv<'a>(
    frames: impl Iterator<Item = &'a Frame>,
    out: &mut dyn Write,
) -> io::Result<()> {
    write!(out, "frame,start_ms,frame_ms")?;
    for stage in Stage::ALL {
        write!(out, ",{}_ms", stage.name())?;
    }
    writeln!(out, ",carves")?;
    for frame in frames {
        write!(
            out,
            "{},{:.3},{:.4}",
            frame.number, frame.start_ms, frame.whole_ms
        )?;
        for ms in frame.total_ms {
            write!(out, ",{ms:.4}")?;
        }
        writeln!(out, ",{}", frame.carves)?;
    }
    Ok(())
}

/// The "trace event format": complete events (`ph` X) with microseconds, one thread.
pub(super) fn trace(spans: &[Span], out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{{\"displayTimeUnit\":\"ms\",\"traceEvents\":[")?;
    write!(
        out,
        "{{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"tid\":1,\"args\":{{\"name\":\"breach\"}}}}"
    )?;
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
