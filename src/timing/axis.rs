//! Marks of an axis, at round values, and their labels, all different.

/// The smallest of 1, 2, 5, times any power of ten, that is at least `least`.
pub fn round_step(least: f64) -> f64 {
    let ten = libm::pow(10.0, libm::floor(libm::log10(least.max(1e-9))));
    let steps = [1.0, 2.0, 5.0].map(|n| n * ten);
    let found = steps.into_iter().find(|&step| least <= step);
    found.unwrap_or(10.0 * ten)
}

/// A round step in seconds: from ten on in parts of a minute and an hour.
pub fn secs_step(least: f64) -> f64 {
    const CLOCK: [f64; 11] = [
        10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0, 1800.0, 3600.0, 7200.0,
    ];
    let step = round_step(least);
    let of_clock = CLOCK.into_iter().find(|&of_clock| least <= of_clock);
    of_clock.filter(|_| step >= 10.0).unwrap_or(step)
}

/// The marks from 0 to the end of an axis.
pub fn marks(end: f64, step: f64) -> impl Iterator<Item = f64> {
    let count = (end / step + 1e-9).floor() as u32;
    (0..=count).map(move |n| f64::from(n) * step)
}

/// A number with as many decimals as its step.
pub fn rounded(value: f64, step: f64) -> String {
    let digits = (-libm::floor(libm::log10(step) + 1e-9)).max(0.0) as usize;
    format!("{value:.digits$}")
}

/// Seconds; as minutes and seconds where the step is a second or more.
pub fn clock(secs: f64, step: f64) -> String {
    if step < 1.0 {
        return format!("{} s", rounded(secs, step));
    }
    let whole = secs.round() as u64;
    format!("{}:{:02}", whole / 60, whole % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stand_at_round_numbers_and_none_reads_as_another() {
        for end in [0.001, 0.013, 0.1, 0.75, 1.0, 3.3, 12.0, 99.0, 12_345.6] {
            let step = round_step(end / 4.0);
            let values: Vec<f64> = marks(end, step).collect();
            let texts: Vec<String> = values.iter().map(|x| rounded(*x, step)).collect();
            assert!((2..=5).contains(&texts.len()), "{end}: {texts:?}");
            for (value, text) in values.iter().zip(&texts) {
                let read: f64 = text.parse().expect("a number");
                assert!((read - value).abs() < 1e-9 * end, "{text}");
            }
            assert!(texts.windows(2).all(|pair| pair[0] != pair[1]), "{texts:?}");
        }
    }

    #[test]
    fn times_are_read_as_on_a_clock() {
        let texts = |secs: f64, count: f64| -> Vec<String> {
            let step = secs_step(secs / count);
            marks(secs, step).map(|at| clock(at, step)).collect()
        };
        assert_eq!(texts(0.05, 3.0), ["0.00 s", "0.02 s", "0.04 s"]);
        assert_eq!(texts(60.0, 5.0), ["0:00", "0:15", "0:30", "0:45", "1:00"]);
        assert_eq!(texts(600.0, 4.0), ["0:00", "5:00", "10:00"]);
    }
}
