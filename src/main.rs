//! The command line's entry: everything is in [`breach::cli`].
/// Faster than the system's allocator for many small allocations.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    breach::cli::main()
}
