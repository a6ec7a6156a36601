//! Runs a kernel at the best SIMD level that the processor has: one macro for both vector types.

/// Declares the trait of kernels over a vector trait, and `dispatch`, which runs one. Beside them stands `Scalar`, the vector
/// type without SIMD.
macro_rules! simd_dispatch {
    ($kernel:ident, $simd:ident) => {
        /// Code that is generic over the SIMD level.
        pub(super) trait $kernel {
            type Output;
            fn run<S: $simd>(self, simd: S) -> Self::Output;
        }

        /// Runs a kernel at the best SIMD level. Everything it calls must be inlined into it.
        #[inline(always)]
        pub(super) fn dispatch<K: $kernel>(kernel: K) -> K::Output {
            #[cfg(target_arch = "x86_64")]
            {
                struct Call<K>(pulp::x86::V3, K);
                impl<K: $kernel> pulp::NullaryFnOnce for Call<K> {
                    type Output = K::Output;
                    #[inline(always)]
                    fn call(self) -> K::Output {
                        self.1.run(self.0)
                    }
                }
                if let Some(wide) = pulp::x86::V3::try_new() {
                    return wide.vectorize(Call(wide, kernel));
                }
            }
            kernel.run(Scalar)
        }
    };
}
pub(super) use simd_dispatch;
