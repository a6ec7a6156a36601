//! The command line's entry: everything is in [`breach::cli`].
/// Quicker than the system's for many small pieces.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    breach::cli::main()
}
