//! Percentiles of samples, nearest rank.

/// The percentile `q` (0..=1) of sorted samples, nearest rank; 0 without samples.
pub fn percentile(sorted: &[f32], q: f64) -> f64 {
    if sorted.is_empty() {
        return 0.0;
    }
    let rank = (q.clamp(0.0, 1.0) * sorted.len() as f64).ceil() as usize;
    f64::from(sorted[rank.clamp(1, sorted.len()) - 1])
}

/// Percentiles of samples, milliseconds; 0 without samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Percentiles {
    /// Half the samples are at most this.
    pub p50_ms: f64,
    /// 95 % of the samples are at most this.
    pub p95_ms: f64,
    /// 99 % of the samples are at most this.
    pub p99_ms: f64,
    /// The largest.
    pub max_ms: f64,
}

impl Percentiles {
    /// Percentiles of samples in any order.
    pub fn from_samples(samples: impl IntoIterator<Item = f32>) -> Self {
        let mut sorted: Vec<f32> = samples.into_iter().collect();
        sorted.sort_unstable_by(f32::total_cmp);
        Self {
            p50_ms: percentile(&sorted, 0.50),
            p95_ms: percentile(&sorted, 0.95),
            p99_ms: percentile(&sorted, 0.99),
            max_ms: percentile(&sorted, 1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_take_the_nearest_rank() {
        let samples: Vec<f32> = (1..=100).map(|n| n as f32).collect();
        assert_eq!(percentile(&samples, 0.5), 50.0);
        assert_eq!(percentile(&samples, 0.99), 99.0);
        assert_eq!(percentile(&samples, 1.0), 100.0);
        assert_eq!(percentile(&samples, 0.0), 1.0);
        assert_eq!(percentile(&[7.0], 0.5), 7.0);
        assert_eq!(percentile(&[], 0.5), 0.0);
    }
}
