//! Code that runs with the widest registers that the processor has.

/// Runs a task, with AVX2 where there is that: loops over short lists then take eight numbers at once. What it calls is
/// only compiled so where it is inlined. Nothing is fused or reordered: the same bits on every machine.
#[inline(always)]
pub fn run<T: pulp::NullaryFnOnce>(task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(wide) = pulp::x86::V3::try_new() {
        return wide.vectorize(task);
    }
    task.call()
}
